"""A slip is recomputed step by step, to where the printed value departs from it, and a reader can redo each step."""

import math

import pytest
from rows import every_row

from ndcg_ref.conventions.convention import EXPONENTIAL, STANDARD
from ndcg_ref.stated import Column, check_equation, check_table, judge
from tools.book.ledger_ext import DEPARTS, step_line

D = f": {DEPARTS}"

# log2(2) = 1, log2(4) = 2, log2(8) = 3: at the ranks 1, 3 and 7 everything divides evenly
EXACT = "the exact value is"
THIRDS = ([2, 0, 3, 0, 0, 0, 1], STANDARD)  # 2 + 3/2 + 1/3 = 3.8333…
SUM = ("rank 1: 2", "rank 3: 3/2 = 1.5; the sum is 3.5", "rank 7: 1/3 = 0.333333; the sum is 3.83333")
DCG = judge("1.5", 1.5, "DCG")
IDCG = judge("2.1", 2.0, "IDCG")  # a slip
ROUNDED = judge("2.1", 2.06, "IDCG")  # right


def line(text, slip, **keywords):
    """A line that the note prints, with a slip in it."""
    return check_equation(text, "x", slip=slip, **keywords)


STEPS = [
    # cause  verdict  steps; those before the departure come first
    ("truncated", judge("8.32", 8.3255), [f"{EXACT} 8.32550, rounded to 2 decimals 8.33; printed 8.32{D}"]),
    ("unexplained", judge("6", 8.4), [f"{EXACT} 8.400, rounded to a whole number 8; printed 6{D}"]),
    ("rounded-up", judge("98%", 0.971), [f"{EXACT} 0.97100, rounded like the printed value 97%; printed 98%{D}"]),
    ("unexplained", judge("1/3", 0.5), [f"{EXACT} 0.5; printed 1/3, which is 0.333333{D}"]),
    (
        "rounded-up",
        line("D = 2 + 3/2 + 1/3 = 3.84", "rounded-up", terms=THIRDS),
        [*SUM, f"the exact value is 3.83333, rounded to 2 decimals 3.83; printed 3.84{D}"],
    ),
    (
        "term",
        line("D = 2 + 3/2 + 1/3 = 5.33", "term", terms=THIRDS),
        [
            *SUM,
            f"the exact value is 3.83333, rounded to 2 decimals 3.83; printed 5.33{D}",
            "with rank 3 doubled its term is 3 instead of 1.5, and the sum is 5.33333",
            "with rank 3 not discounted its term is 3 instead of 1.5, and the sum is 5.33333",
        ],
    ),
    *(
        (
            *(code, line(f"D = 2 + 3/3 + 1/3 = {stated}", code, terms=THIRDS, term_slips={2: "unexplained"})),
            [
                "rank 1: 2",
                f"rank 3: 3 / 2 = 1.5, but [x, term 2](#verdict-x-term-2) is 1{D}",
                f"the line as printed adds up to 3.33333{said}",
                "the exact value is 3.83333, rounded to 2 decimals 3.83",
            ],
        )
        for code, stated, said in (("inherited", "3.33", ""), ("unexplained", "4.78", ", not 4.78 either"))
    ),
    (
        "carried",  # 0.346 three times is 1.038, and 0.35 three times is 1.05
        line("D = 0.35 + 0.35 + 0.35 = 1.05", "carried", terms=([0.346, 0, 0.692, 0, 0, 0, 1.038], STANDARD)),
        [
            "rank 1: 0.346, printed 0.35",
            "rank 3: 0.692 / 2 = 0.346, printed 0.35; the sum is 0.692, of the terms as printed 0.7",
            "rank 7: 1.038 / 3 = 0.346, printed 0.35; the sum is 1.038, of the terms as printed 1.05",
            f"the exact value is 1.03800, rounded to 2 decimals 1.04; printed 1.05{D}",
        ],
    ),
    (
        "truncated",
        line(r"D = \frac{2^1-1}{\log_{2} 2}& +\frac{2^2-1}{\log_{2}3} = 2.8", "truncated", terms=([1, 2], EXPONENTIAL)),
        [
            r"rank 1: $\frac{2^1-1}{\log_{2} 2}$ = 1",
            r"rank 2: $\frac{2^2-1}{\log_{2}3}$ = 1.89279; the sum is 2.89279",
            f"the exact value is 2.8928, rounded to 1 decimal 2.9; printed 2.8{D}",
        ],
    ),
    (
        "inherited",
        line("N = 1.5/2.1 = 0.714", "inherited", exact=1.5 / 2, operands=(DCG, IDCG)),
        [
            "1.5 is exact",
            f"2.1 stands for [IDCG](#verdict-idcg), exactly 2.0000, a slip of its own{D}",
            "the line as printed, 1.5/2.1, gives 0.714286",
            "with the exact numbers, 1.5000/2.0000, it gives 0.750000",
            "the exact value is 0.750000, rounded to 3 decimals 0.750",
        ],
    ),
    (
        "inherited+truncated",
        line("N = 1.6/2.1 = 0.761", "inherited+truncated", exact=1.6 / 2, operands=(IDCG,)),
        [
            "1.6 is taken as printed",
            f"2.1 stands for [IDCG](#verdict-idcg), exactly 2.0000, a slip of its own{D}",
            "the line as printed, 1.6/2.1, gives 0.761905",
            "the exact value is 0.800000, rounded to 3 decimals 0.800",
        ],
    ),
    (
        "unexplained",
        line("N = 1.5/2.1 = 0.829", "unexplained", exact=1.5 / 2.06, operands=(DCG, ROUNDED)),
        [
            "1.5 is exact",
            "2.1 stands for IDCG, exactly 2.0600",
            "the line as printed, 1.5/2.1, gives 0.714286",
            "with the exact numbers, 1.5000/2.0600, it gives 0.728155",
            f"the exact value is 0.728155, rounded to 3 decimals 0.728; printed 0.829{D}",
        ],
    ),
    (
        "quantity",
        line("N = 1.2/2.0 = 0.6", "quantity", exact=1.5 / 2, alternatives={"quantity": {"the DCG of [x]": 1.2}}),
        [
            rf"1.2 is the DCG of \[x\], exactly 1.2000{D}",
            "2.0 is taken as printed",
            "the line as printed, 1.2/2.0, gives 0.6",
            "the exact value is 0.7500, rounded to 1 decimal 0.8",
        ],
    ),
    (
        "unexplained",  # its operands have no value together
        judge("0.5", 1.0, operands=("1.0", "0.0"), working=lambda a, b: a / b),
        [
            "1.0 is taken as printed",
            "0.0 is taken as printed",
            f"the exact value is 1.0000, rounded to 1 decimal 1.0; printed 0.5{D}",
        ],
    ),
]


@every_row(("cause", "verdict", "steps"), STEPS)
def test_the_steps_of_a_slip(cause, verdict, steps):
    assert cause in verdict.causes
    assert [step_line(step) for step in verdict.record()["derivation"]] == steps
    assert [step.departs for step in verdict.derivation].count(True) == 1


OF_14 = f"the exact value is 1.5000, rounded to 1 decimal 1.5; printed 1.4{D}"
TERMS = [
    # second term, operands, steps of its verdict
    ("3/3", [], [f"rank 3: 3 / 2 = 1.5; printed 3/3, which is 1{D}"]),
    ("1.4", [], ["rank 3: 3 / 2 = 1.5", OF_14]),
    (
        "1.4",
        [judge("1.4", 1.5, "Table 1, row 3")],
        [
            "rank 3: 3 / 2 = 1.5",
            "the printed value repeats [Table 1, row 3](#verdict-table-1-row-3), a slip of its own",
            OF_14,
        ],
    ),
]


@pytest.mark.parametrize(("term", "operands", "steps"), TERMS)
def test_the_steps_of_a_wrong_term(term, operands, steps, monkeypatch):
    shown = []
    monkeypatch.setattr("ndcg_ref.stated.checks.show", lambda records, *_, **__: shown.extend(records))
    slips = {2: "inherited" if operands else "unexplained"}
    check_equation(f"D = 2 + {term} + 1/3 = 3.83", "x", terms=THIRDS, operands=operands, term_slips=slips)
    assert [list(map(step_line, record["derivation"])) for record in shown if record["kind"] == "term"] == [steps]


def test_the_operands_of_a_cell_are_the_cells_that_it_is_made_from():
    table = "grade | log | quotient\n3 | 2.1 | 1.4"
    columns = {
        "grade": None,
        "log": Column([2.04], slips={1: "rounded-up"}),
        "quotient": Column([1.5], of=("grade", "log"), slips={1: "inherited"}),
    }
    _, cell = check_table(table, columns, "T")
    assert tuple(map(step_line, cell.record()["derivation"])) == (
        "3 is exact",
        f"2.1 stands for [T, row 1, log](#verdict-t-row-1-log), exactly 2.0400, a slip of its own{D}",
        "the line as printed gives 1.42857",
        "the exact value is 1.5000, rounded to 1 decimal 1.5",
    )


def test_a_column_that_adds_up_is_followed_term_by_term():
    """0.346 three times is 1.038, and 0.35 three times is 1.05: the note shows the sums alone."""
    ranking = [0.346, 0, 0.692]  # 0.346 + 0.692/2
    rows = "n | DCG\n1 | 0.35\n2 | 0.35\n3 | 0.70"
    column = Column([0.346, 0.346, 0.692], terms=(ranking, STANDARD), slips={3: "carried"})
    cell = check_table(rows, {"n": None, "DCG": column}, "T")[2]
    assert cell.causes == ("carried", "rounded-up")
    assert tuple(map(step_line, cell.record()["derivation"])) == (
        "rank 1: 0.346, rounded 0.35",
        "rank 2: 0 / 1.58496 = 0; the sum is 0.346, of the rounded terms 0.35",
        "rank 3: 0.692 / 2 = 0.346, rounded 0.35; the sum is 0.692, of the rounded terms 0.7",
        f"the exact value is 0.69200, rounded to 2 decimals 0.69; printed 0.70{D}",
    )


def test_a_cell_says_what_it_stands_for():
    column = Column([1, math.log2(3)], formulas=["log2(2)", "log2(3)"], slips={2: "rounded-twice"})
    _, cell = check_table("n | log\n1 | 1\n2 | 1.59", {"n": None, "log": column}, "T")
    assert tuple(map(step_line, cell.record()["derivation"])) == (
        f"log2(3) = 1.58496, rounded to 2 decimals 1.58; printed 1.59{D}",
    )


@pytest.mark.parametrize("computed", [8.33, 8.325, math.nan])
def test_what_is_no_slip_has_no_steps(computed):
    assert judge("8.33", computed).derivation == ()


NEARBY = {str(steps): steps / 100 for steps in range(40, 61) if steps != 50}
STATUS = [
    # verdict  status
    (judge("8.32", 8.3255), "explained"),
    (judge("1.59", math.log2(3)), "ambiguous"),  # raised, or rounded twice
    (judge("2.50", 3.0, alternatives={"term": {"a": 2.5, "b": 2.5}}), "ambiguous"),  # one cause, but two ways to it
    (judge("0.64", 0.5, alternatives={"term": NEARBY | {"x": 0.64}}), "ambiguous"),  # every number nearby has a cause
    (judge("0.589", 0.579), "unexplained"),
    (judge("0.5", None, reason="no run"), ""),
]


@pytest.mark.parametrize(("verdict", "status"), STATUS)
def test_the_status_says_how_far_the_cause_is_settled(verdict, status):
    assert verdict.status == verdict.record()["status"] == status

"""A slip can neither creep in nor be forgotten: what a note states and what its chapter declares must fit together."""

import math
from dataclasses import replace

import numpy as np
import pytest
from rows import every_row

from ndcg_ref.conventions.convention import EXPONENTIAL, ORIGINAL, STANDARD
from ndcg_ref.formulas import plain
from ndcg_ref.stated import Column, StatedError, check, check_equation, check_table, holds, judge, read_equation
from ndcg_ref.stated.display import MIME, below, bundle, differing, pieces
from ndcg_ref.stated.verdict import Statement

L3 = math.log2(3)
TRUNCATED = ("8.32", 8.3255, "DCG 2")
AGREES = ("8.33", 8.3255, "DCG 2")

TERMS_231 = {"terms": ([2, 3, 1], ORIGINAL)}


def ratio(above, below):
    return above / below


def table(text):
    """A table as it is written here, without the indent."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


FITTING = [
    # stated, computed, name  keywords  outcome  why
    (AGREES, {}, "agrees", "right, and nothing declared"),
    (TRUNCATED, {"slip": "truncated"}, "slip", "wrong, and declared"),
    (("1.59", L3, "log"), {"slip": "rounded-up"}, "slip", "the other of two causes"),
    (("0.589", 0.579, "x"), {"slip": "unexplained"}, "slip", "wrong, and nobody knows why"),
    (("0.5", math.nan, "NDCG"), {}, "undefined", "no value is no slip"),
    (("0.5", None, "MAP"), {"reason": "needs the run"}, "unchecked", "not computed is no slip"),
    (("8,33", 8.3255, "DCG 2"), {"decimal": ","}, "agrees", "a decimal comma"),
    (("4.0", 5.0, "x"), {"slip": "quantity", "alternatives": {"quantity": {"y": 4.0}}}, "slip", "with alternatives"),
    (("0.99", 1.0, "x"), {"slip": "carried", "operands": ["0.33"] * 3, "working": lambda *a: sum(a)}, "slip", "a line"),
]


@pytest.mark.parametrize(("arguments", "keywords", "outcome", "why"), FITTING)
def test_what_fits_is_returned_with_what_was_declared(arguments, keywords, outcome, why):
    record = check(*arguments, **keywords).record()
    assert (record["outcome"], record["declared"]) == (outcome, keywords.get("slip"))


MISFITTING = [
    # stated, computed, name  keywords  message
    (TRUNCATED, {}, r'^DCG 2: stated 8\.32, computed 8\.32550: a slip that .* declare .*add slip="truncated"\)$'),
    (("0.589", 0.579, "x"), {}, r'add slip="unexplained"'),
    (AGREES, {"slip": "truncated"}, r'^DCG 2: stated 8\.33.* declares slip="truncated", but the verdict is "agrees"'),
    (("0.589", 0.579, "x"), {"slip": "digit"}, r"but the printed value is unexplained"),
    (("0.5", math.nan, "NDCG"), {"slip": "term"}, r'computed None: .* but the verdict is "undefined"'),
    (("0.5", None, "M"), {"slip": "term", "reason": "why"}, r'but the verdict is "unchecked"'),
]


@pytest.mark.parametrize(("arguments", "keywords", "message"), MISFITTING)
def test_what_does_not_fit_is_shown_with_its_evidence_and_raises(arguments, keywords, message, capsys):
    with pytest.raises(StatedError, match=message):
        check(*arguments, **keywords)
    verdict = judge(*arguments, reason=keywords.get("reason"))
    evidence = [f"  {line}" for line in below(verdict.record())] if verdict.outcome == "slip" else []
    assert capsys.readouterr().out.splitlines() == [str(verdict), *evidence]


BAD = [
    # stated, computed, name  keywords  error  message  why
    (("8.32", 8.3255, ""), {}, ValueError, r"name: expected what the number is, in words, got ''", "no name"),
    (("8.32", 8.3255, "a\nb"), {}, ValueError, r"name: expected what the number is, .*, got 'a\\nb'", "two lines"),
    (TRUNCATED, {"slip": "cut"}, ValueError, r"^DCG 2: slip: expected one of quantity, .*, got 'cut'", "no such code"),
    (("8.3.2", 8.3255, "DCG 2"), {}, ValueError, r"^DCG 2: expected a printed number", "no print"),
    ((8.32, 8.3255, "DCG 2"), {}, TypeError, r"^DCG 2: expected the number as printed, as text, got 8\.32", "no text"),
    (("8.32", None, "DCG 2"), {}, ValueError, r"^DCG 2: expected a computed value, got None", "nothing computed"),
]


@pytest.mark.parametrize(("arguments", "keywords", "error", "message", "why"), BAD)
def test_what_makes_no_sense_is_refused(arguments, keywords, error, message, why):
    with pytest.raises(error, match=message):
        check(*arguments, **keywords)


CG = """
    n | grade | CG
    1 | 2     | 2
    2 | 3     | 5
    3 | 0     | 5
"""
PIPES = """
    | n | grade | CG |
    |---|:-----:|---:|
    | 1 | 2 | 2 |
    | 2 | 3 | 5 |
    | 3 | 0 | 5 |
"""
TABS = "n\tgrade\tCG\n1\t2\t2\n\n2\t3\t5\n3\t0\t5\n"
GRADES = {"n": None, "grade": [2, 3, 0], "CG": [2, 5, 5]}


@pytest.mark.parametrize("printed", [table(CG), table(PIPES), TABS], ids=["pipes", "Markdown", "tabs"])
def test_each_cell_is_judged_in_reading_order(printed):
    cells = check_table(printed, GRADES, "Table 1")
    assert [(cell.name, cell.stated) for cell in cells] == [
        ("Table 1, row 1, grade", "2"),
        ("Table 1, row 1, CG", "2"),
        ("Table 1, row 2, grade", "3"),
        ("Table 1, row 2, CG", "5"),
        ("Table 1, row 3, grade", "0"),
        ("Table 1, row 3, CG", "5"),
    ]


FITTING_TABLES = [
    # the column CG  outcomes  why
    ([2, 5, 5], "agrees agrees agrees", "all right"),
    (Column([2, None, 5], skip=[2]), "agrees agrees", "a single cell skipped"),
    ([2, math.nan, 5], "agrees undefined agrees", "a cell without a value"),
    (Column([2, 4, 5], slips={2: "unexplained"}), "agrees slip agrees", "a declared slip"),
]


@pytest.mark.parametrize(("column", "outcomes", "why"), FITTING_TABLES)
def test_a_table_that_fits_is_returned(column, outcomes, why):
    cells = check_table(table(CG), {"n": None, "grade": None, "CG": column}, "Table 1")
    assert [cell.outcome for cell in cells] == outcomes.split()


MISFITTING_TABLES = [
    # the column CG  message  why
    ([2, 4, 5], r"^T, row 2, CG: stated 5, computed 4\.000: a slip that .* does not declare", "undeclared"),
    (Column([2, 5, 5], slips={2: "term"}), r'^T, row 2, CG: .* but the verdict is "agrees"', "and right"),
    (Column([2, 4, 5], slips={2: "term"}), r"^T, row 2, CG: .* the printed value is unexplained", "another cause"),
    ([3, 5, 6], r"(?s)^T, row 1, CG: .*\nT, row 3, CG: ", "both slips are named"),
]


@pytest.mark.parametrize(("column", "message", "why"), MISFITTING_TABLES)
def test_a_table_that_does_not_fit_raises(column, message, why):
    with pytest.raises(StatedError, match=message):
        check_table(table(CG), {"n": None, "grade": None, "CG": column}, "T")


def double(grade):
    return 2 * grade


ONE = {"n": None, "CG": [2]}
OF_GRADE = {"grade": None, "CG": Column([2], of=["grade"], working=double)}
ITSELF = GRADES | {"CG": Column([2, 5, 5], of=["CG"], working=abs)}
BAD_TABLES = [
    # printed  columns  message  why
    ("", {}, r"^T: expected a header row and at least one row, got 0 lines", "nothing"),
    ("n | CG\n--|--", {}, r"^T: expected at least one row below the header row, got none", "a line"),
    ("n | CG\n- | -\n1 | 2", {"n": None, "CG": [2, 2]}, r"^T, row 1, CG: expected .*, got '-'", "a row of dashes"),
    ("n CG\n1 2", {}, r"^T: expected cells between tabs or pipes, got the header row 'n CG'", "no cells"),
    ("CG | CG\n1 | 2", {}, r"^T: expected a heading of its own for each column, got 'CG' twice", "one heading twice"),
    ("n | CG\n1 | 2\n2", {}, r"^T, row 2: expected 2 cells, got 1: \['2'\]", "a row too short"),
    ("|n | CG|\n|1 | |", ONE, r"^T, row 1, CG: expected a printed number .*, got ''", "empty"),
    ("grade | CG\n– | 2", OF_GRADE, r"^T, row 1, grade: expected a printed number .*, got '–'", "a working needs it"),
    ("grade | CG\n1e999 | 2", OF_GRADE, r"^T, row 1, grade: expected .* range of a float, got '1e999'", "too big"),
    (CG, {"DCG": [2, 5, 5]}, r"^T: expected one of the headings \['n', 'grade', 'CG'\], got 'DCG'", "unknown"),
    (CG, {"n": None, "CG": [2, 5, 5]}, r"^T: expected each heading among the columns, got none for 'grade' \(", "one"),
    (CG, {"n": None, "grade": None, "CG": None}, r"^T: expected at least one cell to judge", "all skipped"),
    (CG, ITSELF, r"^T: of: expected no column to be made from itself, got \['CG', 'CG'\]", "a column from itself"),
]
ADD_UP = r"^T: 'CG': terms: expected terms that add up to the column's \[2, 5, 5\], got \["
BAD_COLUMNS = [
    # the column CG  message  why
    ([2, 5], r"^T: 'CG': values: expected 3, one a row, got 2", "a value too few"),
    ([2, None, 5], r"^T, row 2, CG: expected a computed value, got None", "nothing computed"),
    (Column([2, 5, 5], of=["rel"], working=abs), r"^T: 'CG': of: expected one of .*, got 'rel'", "from an unknown"),
    (Column([2, 5, 5], working=abs), r"^T: 'CG': working: expected of= as well", "a working of nothing"),
    (Column([2, 5, 5], slips={0: "term"}), r"^T: 'CG': expected a row from 1 to 3, got 0", "rows count from 1"),
    (Column([2, 5, 5], slips={"2": "term"}), r"^T: 'CG': expected a row from 1 to 3, got '2'", "nor one in quotes"),
    (Column([2, 5, 5], skip=[4]), r"^T: 'CG': expected a row from 1 to 3, got 4", "skips no row"),
    (Column([2, 5, 5], slips={1: "term"}, skip=[1]), r"^T, row 1, CG: declared a slip, but skipped", "a skipped slip"),
    (Column([2, 4, 5], slips={2: "typo"}), r"^T, row 2, CG: slip: expected one of quantity, .*, got 'typo'", "no code"),
    (Column([2, 5, 5], alternatives=[{}]), r"^T: 'CG': alternatives: expected 3, one a row, got 1", "of one row"),
    (Column([2, 5, 5], terms=([2, 3, 0], STANDARD)), rf"{ADD_UP}2\.0, 3\.89", "terms of another convention"),
    (
        Column([2, 5, 5], ["grade"], double, terms=([2, 3, 0], ORIGINAL)),
        r"terms: expected a column without of=",
        "both",
    ),
]


@every_row(("printed", "columns", "message", "why"), BAD_TABLES)
def test_a_table_whose_parts_do_not_fit_together_is_refused(printed, columns, message, why):
    with pytest.raises(ValueError, match=message):
        check_table(table(printed), columns, "T")


@every_row(("column", "message", "why"), BAD_COLUMNS)
def test_a_column_that_does_not_fit_its_table_is_refused(column, message, why):
    with pytest.raises(ValueError, match=message):
        check_table(table(CG), {"n": None, "grade": None, "CG": column}, "T")


BAD_TABLE_TYPES = [
    # printed  columns  message
    (CG, GRADES | {"CG": Column([2, 5, 5], terms=[2, 3])}, r"^T: 'CG': terms: expected \(grades, Convention\), got"),
    (5, {"CG": [2, 5, 5]}, r"^T: expected a table as text, got 5"),
    (CG, ["CG"], r"^T: columns: expected a mapping .*, got \['CG'\]"),
    (CG, GRADES | {"CG": {1: 2, 2: 5, 3: 5}}, r"^T: 'CG': values: expected a sequence, one a row, got \{1: 2"),
    (CG, GRADES | {"CG": Column([2, 5, 5], of="grade")}, r"^T: 'CG': of: expected two headings, .*, got 'grade'"),
]


@pytest.mark.parametrize(("printed", "columns", "message"), BAD_TABLE_TYPES)
def test_parts_of_a_table_of_the_wrong_type_are_refused(printed, columns, message):
    with pytest.raises(TypeError, match=message):
        check_table(printed, columns, "T")


@pytest.mark.parametrize("call", [lambda: check_table(CG, GRADES, ""), lambda: check_equation("a = 1/3 = 0.33", "")])
def test_a_table_or_an_equation_without_a_name_is_refused(call):
    with pytest.raises(ValueError, match="name: expected what the number is, in words, got ''"):
        call()


def of_quotients(term_slip, log_slips=None, **more):
    return {"log": Column([L3], slips=log_slips or {}), "term": Column(**more, of=("gain", "log"), slips=term_slip)}


HALVES = {
    "part": [1.0],
    "total": Column([2.0], of=["part"], working=double, slips={1: "unexplained"}),
    "half": Column([1.0], of=["total"], working=lambda total: total / 2, slips={1: "inherited"}),
}
OF_159 = {"gain": None, **of_quotients({1: "inherited"}, {1: "rounded-twice"}, values=[0.5 / L3])}
OF_158 = {"gain": [1], **of_quotients({1: "carried"}, values=[1 / L3])}
TRACED = [
    # printed  columns  declared
    ("gain | log | term\n0.5 | 1.59 | 0.31", OF_159, {"log": "rounded-twice", "term": "inherited"}),  # 0.5 / 1.59
    ("term | gain | log\n0.31 | 0.5 | 1.59", OF_159, {"log": "rounded-twice", "term": "inherited"}),  # in any order
    ("gain | log | term\n1 | 1.58 | 0.633", OF_158, {"term": "carried"}),  # 1 / 1.58 = 0.6329, where 1.58 is right
    ("part | total | half\n1.0 | 2.2 | 1.1", HALVES, {"total": "unexplained", "half": "inherited"}),
    ("half | total | part\n1.1 | 2.2 | 1.0", HALVES, {"total": "unexplained", "half": "inherited"}),
]


@pytest.mark.parametrize(("printed", "columns", "declared"), TRACED)
def test_a_slip_is_traced_from_column_to_column(printed, columns, declared):
    """A wrong operand is no right rounding, wherever its column stands: what was inherited was not carried."""
    slips = [cell for cell in check_table(printed, columns, "T") if cell.outcome == "slip"]
    assert {cell.name: cell.declared for cell in slips} == {f"T, row 1, {name}": declared[name] for name in declared}
    assert not [cell for cell in slips if {"inherited", "carried"} <= set(cell.causes)]


EXACTLY = [
    # stated  computed  outcome  why
    ("1", 1.0, "agrees", "exactly 1"),
    ("1", 0.9999, "slip", "rounds to 1, and is not 1"),
    ("0", 0.4, "slip", "rounds to 0, and is not 0"),
    ("0", 0.0, "agrees", "exactly 0"),
    ("0.3", 0.1 + 0.2, "agrees", "but for the last places of a float"),
]


@pytest.mark.parametrize(("stated", "computed", "outcome", "why"), EXACTLY)
def test_a_number_that_is_meant_exactly_agrees_with_itself_alone(stated, computed, outcome, why):
    slip = None if outcome == "agrees" else "unexplained"
    assert check(stated, computed, "x", as_exact=True, slip=slip).outcome == outcome
    columns = {"n": None, "x": Column([computed], slips={1: slip} if slip else {})}
    assert check_table(f"n | x\n1 | {stated}", columns, "T", as_exact=True)[0].outcome == outcome
    assert check_equation(f"x = {stated}", "x", exact=computed, as_exact=True, slip=slip).outcome == outcome


BARE = [
    # stated  computed  quantity  outcome  why
    ("1", 0.8954, "NDCG", "slip", "grades 2, 3, 0, 1, 2"),
    ("1", 1.0, "NDCG", "agrees", "a perfect order"),
    ("0", 0.0, "NDCG", "agrees", "nothing relevant"),
    ("1.0", 0.96, "NDCG", "agrees", "a decimal claims half its unit"),
    ("100%", 0.996, "NDCG", "agrees", "as does a percentage"),
    ("1", 1.4, "DCG", "agrees", "a sum claims the unit"),
]


@pytest.mark.parametrize(("stated", "computed", "quantity", "outcome", "why"), BARE)
def test_a_bare_0_or_1_of_a_quantity_between_0_and_1_is_not_rounded(stated, computed, quantity, outcome, why):
    slip = None if outcome == "agrees" else "unexplained"
    name = f"{quantity} of the query"
    assert judge(stated, computed, name).outcome == outcome
    assert check(stated, computed, name, slip=slip).outcome == outcome
    column = Column([computed], slips={1: slip} if slip else {})
    assert check_table(f"n | {quantity}\n1 | {stated}", {"n": None, quantity: column}, "T of DCG")[0].outcome == outcome
    assert check_table(f"n | A\n1 | {stated}", {"n": None, "A": column}, f"{quantity} by run")[0].outcome == outcome
    assert check_equation(f"x = {stated}", name, exact=computed, slip=slip).outcome == outcome
    assert check_equation(f"{quantity} = {stated}", "the query", exact=computed, slip=slip).outcome == outcome


def test_a_number_that_is_said_to_be_rounded_keeps_its_unit():
    assert judge("≈ 1", 0.8954, "NDCG").outcome == "agrees"
    assert check("≈ 1", 0.8954, "NDCG").outcome == "agrees"
    assert check_table("n | NDCG\n1 | ≈ 1", {"n": None, "NDCG": [0.8954]}, "T")[0].outcome == "agrees"
    for sign in ("≈", r"\approx", r"\simeq"):
        assert check_equation(f"NDCG = 4.3/4.8 {sign} 1", "NDCG", exact=0.8954).outcome == "agrees"


def test_a_slip_of_a_bare_1_has_the_value_as_what_is_right():
    verdict = judge("1", 0.9999996, "NDCG")
    assert str(verdict) == "✗ slip: NDCG: stated 1, computed 0.9999996, correct 0.9999996; unexplained"
    assert verdict.derivation[-1].text == "the exact value is 0.9999996; printed 1"
    assert str(check("1", 1.0, "NDCG", as_exact=True)) == "✓ agrees: NDCG: stated exactly 1, computed 1"


def test_a_right_number_whose_own_working_does_not_lead_there_says_so():
    """7.42 / 7.88 = 0.9416"""
    line = {"operands": ["7.42", "7.88"], "working": ratio}
    said = "but the printed working gives 0.941624, not 0.979"
    assert str(check("0.979", 0.97868, "NDCG", **line)).endswith(said)
    columns = {"DCG": None, "IDCG": None, "NDCG": Column([0.97868], of=("DCG", "IDCG"))}
    assert str(check_table("DCG | IDCG | NDCG\n7.42 | 7.88 | 0.979", columns, "T")[0]).endswith(said)
    assert check("0.979", 0.97868, "NDCG", operands=["7.42", "7.58"], working=ratio).discrepancies == ()


EXP_9 = ([3, 0, 0, 0, 0, 0, 0, 0, 1], EXPONENTIAL)
FORGOTTEN = r"DCG = \frac{2^3 - 1}{\log_2 2} + \frac{2^1}{\log_2 10} = 7.60"
LOG = judge("1.59", L3, "log2(3)")
TABLED = judge("0.31", 0.5 / L3, "table", operands=("0.5", LOG), working=ratio)
COPIED = {"operands": [TABLED], "slip": "inherited", "term_slips": {2: "inherited"}}
OF_STAGES = [1, 2, 1, 2, 2]
STAGES = r"1 + \frac{2}{\log_2 3} + \frac{1}{2} + \frac{2}{\log_2 5} + \frac{2}{\log_2 6} = 1.0 + 1.3 + 0.5 + 0.9 + 0.8"

FITTING_EQUATIONS = [
    # text  keywords  outcome  computed  why
    (r"NDCG = \frac{7.42}{7.58} = 0.979", {}, "agrees", 7.42 / 7.58, "held to its own working"),
    (r"NDCG = \frac{7.42}{7.58} = 0.979", {"exact": 0.97868}, "agrees", 0.97868, "held to the exact value"),
    ("a = 1/2 + 1/4 = 3/4 = 0.75", {}, "agrees", 0.75, "the first side with a value counts"),
    ("0.5", {"exact": 0.5}, "agrees", 0.5, "a number alone"),
    ("DCG = 5.63", {"exact": 5 + 1 / L3}, "agrees", 5 + 1 / L3, "a name and a number"),
    (r"D = 2 + \frac{3}{\log_2 2} + \frac{1}{\log_2 3} = 5.63", TERMS_231, "agrees", 5 + 1 / L3, "terms"),
    ("D = 2 + 3 + 0.63 = 5.63", TERMS_231, "agrees", 5 + 1 / L3, "printed terms"),
    ("D = 2 + 0.5 = 2.5", {"terms": ([2, 0, 1], STANDARD)}, "agrees", 2.5, "a zero left out"),
    ("a = 0.5/1.58 = 0.31", {"exact": 0.5 / L3, "slip": "truncated"}, "slip", 0.5 / L3, "a declared slip"),
    ("a = 0.5/1.59 = 0.31", {"exact": 0.5 / L3, "slip": "inherited", "operands": [LOG]}, "slip", 0.5 / L3, "earlier"),
    ("a = 1 + 1.58 = 2.6", {"exact": 1 + L3}, "agrees", 1 + L3, "whole numbers are exact"),
    ("a = 0.33 + 0.33 + 0.33 = 0.99", {"exact": 1.0, "slip": "carried"}, "slip", 1.0, "three thirds"),
    ("a = 5.0", {"exact": 4.0, "slip": "quantity", "alternatives": {"quantity": {"b": 5.0}}}, "slip", 4.0, "another"),
    ("a = 1/2 = 0.5", {"exact": math.nan}, "undefined", math.nan, "no value to hold it to"),
    (FORGOTTEN, {"terms": EXP_9, "slip": "term", "term_slips": {2: "term"}}, "slip", 7 + 1 / math.log2(10), "no −1"),
    (FORGOTTEN, {"terms": EXP_9, "slip": "inherited", "term_slips": {2: "term"}}, "slip", 7 + 1 / math.log2(10), "too"),
    ("D = 2 + 3 + 0.6 = 5.63", TERMS_231, "agrees", 5 + 1 / L3, "right, though its terms add up to 5.6"),
    ("D = 2 + 3 + 0.5 = 5.5", TERMS_231 | {"slip": "term", "term_slips": {3: "term"}}, "slip", 5 + 1 / L3, "rank + 1"),
    ("D = 3 + 2/1.585 + 1/2 = 4.76", {"terms": ([3, 2, 1], STANDARD)}, "agrees", 3.5 + 2 / L3, "a rounded logarithm"),
    (
        *(f"D = {STAGES} = 4.5", {"terms": (OF_STAGES, STANDARD), "slip": "carried"}, "slip"),
        *(plain.dcg(OF_STAGES), "the rounded terms of a second stage are what was added"),
    ),
    ("D = 0.6+0.31 = 0.91", COPIED | {"terms": ([0.6, 0.5], STANDARD)}, "slip", 0.6 + 0.5 / L3, "from an earlier slip"),
]


@every_row(("text", "keywords", "outcome", "computed", "why"), FITTING_EQUATIONS)
def test_an_equation_that_fits_is_returned(text, keywords, outcome, computed, why):
    verdict = check_equation(text, "x", **keywords)
    assert (verdict.outcome, verdict.computed) == (outcome, pytest.approx(computed, nan_ok=True))


STEP = "the printed working gives"
STEPS = [
    # text  evidence  why
    ("a = 1/3 = 0.33", (), "each side follows"),
    ("a = 1/3 = 0.34 = 0.33", (f"{STEP} 0.333333, not 0.34", f"{STEP} 0.34, not 0.33"), "two do not"),
    ("a = 2/3 = 0.67/1.0 = 0.67", (), "0.67 can be two thirds"),
    ("a = 2/3 = 0.60/1.0 = 0.67", (f"{STEP} 0.666667, not 0.60/1.0", f"{STEP} 0.6, not 0.67"), "0.60 not"),
    ("a = b = 1/4 = 0.25", (), "names are passed over"),
]


@pytest.mark.parametrize(("text", "evidence", "why"), STEPS)
def test_a_step_that_does_not_follow_is_evidence_and_not_the_verdict(text, evidence, why):
    verdict = check_equation(text, "a")
    assert (verdict.outcome, verdict.discrepancies) == ("agrees", evidence)


def test_a_step_stands_behind_the_evidence_of_the_causes():
    verdict = check_equation("a = 1/3 = 0.33 = 0.34", "a", slip="rounded-up")
    assert [str(each) for each in verdict.evidence] == ["rounded-up: 0.33333, raised to 0.34"]
    assert verdict.discrepancies == (f"{STEP} 0.33, not 0.34",)
    assert below(verdict.record())[1:] == [f"{STEP} 0.33, not 0.34"]


RIGHT_TERMS = [
    # grade  rank  convention  printed  the right formula  why
    (1, 2, EXPONENTIAL, r"\frac{2^1}{\log_2 3}", r"\frac{2^1-1}{\log_2 3}", "the −1 forgotten"),
    (3, 1, EXPONENTIAL, r"\frac{2^3}{\log_2 2}", "2^3-1", "rank 1 divides by 1"),
    (3, 2, STANDARD, r"\frac{3}{\log_2 4}", r"\frac{3}{\log_2 3}", "linear gain"),
    (3, 2, ORIGINAL, r"\frac{3}{\log_2 3}", "3", "rank 2 of the original divides by 1"),
    (3, 2, replace(STANDARD, base=math.e), r"\frac{3}{\ln 4}", r"\frac{3}{\ln 3}", "the natural logarithm"),
    (3, 2, replace(STANDARD, base=3), r"\frac{3}{\log_{3} 4}", "3", "log3(3) is 1"),
    (1, 2, replace(STANDARD, gain=[0, 2]), r"\frac{1}{\log_2 3}", "1.26186", "a table of gains has no formula"),
    (3, 2, STANDARD, "3/2", "1.89279", "no LaTeX"),
]


@pytest.mark.parametrize(("grade", "rank", "convention", "printed", "right", "why"), RIGHT_TERMS)
def test_a_wrong_term_in_latex_is_corrected_by_a_formula(grade, rank, convention, printed, right, why, monkeypatch):
    shown = []
    monkeypatch.setattr(
        "ndcg_ref.stated.checks.show", lambda records, layout=None, evidence=False: shown.extend(records)
    )
    ranking = [0] * (rank - 1) + [grade]
    exact = plain.dcg(ranking, convention=convention)
    line = f"D = {printed} = {exact:.3f}"
    with pytest.raises(StatedError) as refused:  # its message names the causes to declare
        check_equation(line, "x", terms=(ranking, convention))
    slip = str(refused.value).partition('slip="')[2].partition('"')[0]
    check_equation(line, "x", terms=(ranking, convention), term_slips={1: slip})
    assert shown[1]["correct"] == right
    if "\\" in right:
        assert read_equation(f"x = {right}").sides[-1].value == pytest.approx(exact)


HALF = "a = 0.5/1.58 = 0.31"
MISFITTING_EQUATIONS = [
    # text  keywords  message
    (HALF, {"operands": {"1.57": LOG}}, r"^x: expected 1\.57, log2\(3\), in the line, got 'a = 0\.5/1\.58 = 0\.31'"),
    (HALF, {"operands": [LOG]}, r"^x: expected 1\.59, log2\(3\), in the line, got 'a = 0\.5/1\.58 = 0\.31'"),
    ("a = 1/3 = 0.34", {}, r"^x: stated 0\.34, computed 0\.33333: a slip that the chapter does not declare"),
    ("a = 1/3 = 0.34", {"slip": "carried"}, r"but the printed value is consistent with rounded-up"),
    (FORGOTTEN, {"terms": EXP_9}, r"(?s)^x: stated 7\.60.*\nx, term 2: stated "),
    (FORGOTTEN, {"terms": EXP_9, "slip": "term"}, r"^x, term 2: stated .* does not declare"),
    (FORGOTTEN, {"terms": EXP_9, "slip": "term", "term_slips": {2: "digit"}}, r'^x, term 2: .* slip="digit", but'),
    (FORGOTTEN, {"terms": EXP_9, "slip": "term", "term_slips": {1: "term", 2: "term"}}, r"^x: term_slips .* \[1\], "),
    ("a = 1/3 = 0.33", {"term_slips": {7: "term"}}, r"^x: term_slips names the terms \[7\], which are right or not"),
    ("D = 3 + 2/1.59 + 1/2 = 4.76", {"terms": ([3, 2, 1], STANDARD)}, r"x, term 2: stated 2/1\.59, computed 1\.2618"),
    (
        r"D = \frac{1}{\log_2 2} + \frac{2}{\log_2 3} = 1 + 1.36 = 2.36",
        {"terms": ([1, 2], STANDARD), "slip": "inherited"},
        r"x, term 2 of 1 \+ 1\.36: stated 1\.36, computed 1\.26186",
    ),
]


@pytest.mark.parametrize(("text", "keywords", "message"), MISFITTING_EQUATIONS)
def test_an_equation_that_does_not_fit_raises(text, keywords, message):
    with pytest.raises(StatedError, match=message):
        check_equation(text, "x", **keywords)


ZEROS = {"terms": ([2, 0, 1, 0], STANDARD)}
BAD_EQUATIONS = [
    # text  keywords  error  message
    ("a = 2 + = 5", {}, ValueError, r"^x: character 9: expected a number"),
    (5, {}, TypeError, r"^x: expected an equation as text, got 5"),
    ("a = 1 = 1\nb = 2", {}, ValueError, r"^x: expected one equation, got 2 in 'a = 1 = 1\\nb = 2'"),
    ("a = 1/2", {}, ValueError, r"^x: expected the line to end in a number, got '1/2'"),
    ("1 = a", {}, ValueError, r"^x: expected the line to end in a number, got 'a'"),
    ("a = 5", {}, ValueError, r"^x: expected exact= or a side with a value, got only names in 'a = 5'"),
    ("a = 5", TERMS_231, ValueError, r"^x: expected 3 terms, .* got no side that can be read"),
    ("D = 2 + 3 + 1 + 1 = 7", TERMS_231, ValueError, r"^x: expected 3 terms, .* got 4"),
    ("D = 2 + 0 + 0.5 = 2.5", ZEROS, ValueError, r"expected 4 terms, or the 2 other than 0, got 3"),
    ("D = (2 + 3 + 0.63) = 5.63", TERMS_231, ValueError, r"expected 3 terms, .* got 1"),
    ("D = 2 = 2", {"terms": ([-2], STANDARD)}, ValueError, r"grades\[0\]: expected a grade of 0 or more, got -2"),
    ("a = 1/3 = 0.34", {"slip": "typo"}, ValueError, r"^x: slip: expected one of .*, got 'typo'"),
    ("a = 1/3 = 0.33", {"exact": "1/3"}, TypeError, r"^x: expected a number as the computed value, got '1/3'"),
    ("a = 1/3 = 0.33", {"exact": math.inf}, ValueError, r"^x: expected a finite computed value, got inf"),
    ("a = 1/3 = 0.34", {"alternatives": {"typo": {}}}, ValueError, r"alternatives: expected the kinds .*, got 'typo'"),
    ("a = 1/3 = 0.34", {"alternatives": {"term": {"t": math.nan}}}, ValueError, r"\['t'\]: expected a finite number"),
    ("a = 0.5/1.59 = 0.31", {"operands": ["1.59"]}, TypeError, r"^x: operands: expected earlier verdicts"),
    ("D = 2 = 2", {"terms": [2]}, TypeError, r"^x: terms: expected \(grades, Convention\), got \[2\]"),
]


@every_row(("text", "keywords", "error", "message"), BAD_EQUATIONS)
def test_an_equation_that_cannot_be_judged_is_refused(text, keywords, error, message):
    with pytest.raises(error, match=message):
        check_equation(text, "x", **keywords)


HOLDING = [
    # arguments  keywords  line
    (("A", True), {}, "✓ agrees: A"),
    (("A", np.bool_(True)), {}, "✓ agrees: A"),
    (("A", False, "n = 1"), {"slip": "why", "correct": "B"}, "✗ slip: A; not so: n = 1 (why); correction: B"),
]


@pytest.mark.parametrize(("arguments", "keywords", "line"), HOLDING)
def test_a_sentence_is_shown_with_whether_it_holds(arguments, keywords, line, capsys):
    statement = holds(*arguments, **keywords)
    assert capsys.readouterr().out == f"{statement}\n" == f"{line}\n"


NOT_HOLDING = [
    # arguments  keywords  error  message
    (("A", False), {}, StatedError, r"^A: does not hold, and the chapter does not declare it \(add slip="),
    (("A", False, "n = 1"), {}, StatedError, r"^A: does not hold, and the chapter does not declare it"),
    (("A", False), {"slip": "why"}, StatedError, r"^A: does not hold; expected a counterexample .* got none"),
    (("A", False, "n"), {"slip": "why"}, StatedError, r"^A: does not hold; expected what to say instead, got nothing"),
    (("A", True), {"correct": "B"}, StatedError, r"^A: holds, but the chapter declares it a slip: B"),
    (("A", True), {"slip": "why"}, StatedError, r"^A: holds, but the chapter declares it a slip: why"),
    (("A", True, "n = 1"), {}, StatedError, r"^A: holds, but the chapter declares it a slip: n = 1"),
    (("A", 1), {}, TypeError, r"^A: expected True or False as computed, got 1"),
    (("A", "no"), {}, TypeError, r"^A: expected True or False as computed, got 'no'"),
    (("", True), {}, ValueError, r"expected what the number is, in words, got ''"),
    (("A", True), {"label": ""}, ValueError, r"^A: label: expected lower case.*, got ''"),
    (("A", True), {"label": 3}, ValueError, r"^A: label: expected lower case.*, got 3"),
]


@every_row(("arguments", "keywords", "error", "message"), NOT_HOLDING)
def test_a_sentence_that_does_not_fit_raises(arguments, keywords, error, message):
    with pytest.raises(error, match=message):
        holds(*arguments, **keywords)


CELLS = [
    # code  lines
    ('check("8.33", 8.3255, "DCG 2")', 1),
    ('check("8.32", 8.3255, "DCG 2", slip="truncated")', 1),
    ('check_table("n | CG\\n1 | 2\\n2 | 5", {"n": None, "CG": [2, 5]}, "T")', 2),
    ('check_equation("a = 1/2 = 0.5", "a")', 1),
    ('holds("NDCG is at most 1", True)', 1),
    ('judge("8.33", 8.3255, "DCG 2")', 1),
]


@every_row(("code", "lines"), CELLS)
def test_a_cell_shows_a_verdict_once_in_three_forms_and_prints_no_line(notebook, code, lines):
    [displayed], printed = notebook(code)
    assert list(displayed) == ["text/plain", "text/html", MIME]
    assert not set("✓✗") & set(printed)
    plain, page, stored = displayed.values()
    assert [record["line"] for record in stored["verdicts"]] == plain.splitlines()
    assert len(plain.splitlines()) == lines == page.count("✓") + page.count("✗")


def test_a_line_is_stored_as_it_is_printed_with_the_verdicts_on_its_terms(notebook):
    line = "D = 2 + 3 + 0.5 = 5.5"
    terms = "terms=([2, 3, 1], ORIGINAL), slip='term', term_slips={3: 'term'}"
    [data] = notebook(f"from ndcg_ref import ORIGINAL\ncheck_equation('{line}', 'D', {terms})")[0]
    stored = [(record["kind"], record["name"]) for record in data[MIME]["verdicts"]]
    assert (data[MIME]["printed"], stored) == (line, [("number", "D"), ("term", "D, term 3")])


MISFITS = [
    # code  plain text
    (
        'check("8.32", 8.3255, "DCG 2")',
        [
            "✗ slip: DCG 2: stated 8.32, computed 8.32550, correct 8.33; consistent with truncated",
            "  consistent with truncated: 8.32550, cut to 8.32",
        ],
    ),
    (
        'check_table("n | CG\\n1 | 2\\n2 | 5", {"n": None, "CG": [2, 9]}, "T")',
        [
            "✓ agrees: T, row 1, CG: stated 2, computed 2.000",
            "✗ slip: T, row 2, CG: stated 5, computed 9.000, correct 9; unexplained",
            "  unexplained: no known cause gives the printed value",
        ],
    ),
    ('check_equation("a = 1/2 = 0.5", "a", term_slips={2: "term"})', ["✓ agrees: a: stated 0.5, computed 0.5000"]),
    ('holds("A", False, "n", slip="why")', ["✗ slip: A; not so: n (why)"]),
]


@every_row(("code", "lines"), MISFITS)
def test_a_cell_that_raises_has_shown_the_verdict_and_its_evidence(notebook, code, lines):
    [shown], _ = notebook(code, error=StatedError)
    assert shown["text/plain"].splitlines() == lines
    assert [record["line"] for record in shown[MIME]["verdicts"]] == [line for line in lines if line[0] != " "]
    assert all(line.strip() in shown["text/html"] for line in lines if line[0] == " ")


def test_a_table_is_stored_with_its_layout(notebook):
    code = 'check_table("n | CG\\n1 | 2\\n2 | 5", {"n": None, "CG": [2, 5]}, "T")'
    [data] = notebook(code)[0]
    assert data[MIME]["table"] == {"heading": ["n", "CG"], "rows": [["1", 0], ["2", 1]]}


OUTSIDE = [
    # what is called  lines
    (lambda: check(*AGREES), ["✓ agrees: DCG 2: stated 8.33, computed 8.32550"]),
    (
        lambda: check_table("n | CG\n1 | 2\n2 | 5", {"n": None, "CG": [2, 5]}, "T"),
        ["✓ agrees: T, row 1, CG: stated 2, computed 2.000", "✓ agrees: T, row 2, CG: stated 5, computed 5.000"],
    ),
    (lambda: check_equation("a = 1/2 = 0.5", "a"), ["✓ agrees: a: stated 0.5, computed 0.5000"]),
    (lambda: judge(*AGREES), []),
]


@every_row(("call", "lines"), OUTSIDE)
def test_outside_a_notebook_lines_are_printed(call, lines, capsys):
    call()
    assert capsys.readouterr().out.splitlines() == lines


ESCAPED = [
    # records  how they are shown
    ([judge("0.5", 0.5, "<script>")], {}),
    ([judge("0.5", 0.6, "x", alternatives={"term": {"<script>": 0.5}})], {}),
    ([Statement(sentence="x", truth=False, counterexample="<script>", declared="<script>", correct="<script>")], {}),
    ([Statement(sentence="<script>", truth=True, label='"><script>')], {}),
    ([judge("0.5", 0.5, "x")], {"table": {"heading": ["<script>"], "rows": [["<script>"], [0]]}}),
]


@every_row(("verdicts", "layout"), ESCAPED)
def test_text_of_others_is_escaped_in_html(verdicts, layout):
    assert "<script" not in bundle([verdict.record() for verdict in verdicts], layout)["text/html"]


def test_wrong_digits_are_set_off_in_html():
    assert "<b>✗ slip</b> 8.3<u><b>2</b></u> for" in bundle([judge(*TRUNCATED).record()])["text/html"]


DIFFERING = [
    # stated  correct  pieces  why
    ("0.529", "0.579", [("0.5", False), ("2", True), ("9", False)], "one in the middle"),
    ("9.99", "10.00", [("9.99", True)], "of another length: all of it"),
    ("8.33", None, [("8.33", False)], "nothing to differ from"),
]


@pytest.mark.parametrize(("stated", "correct", "pieces", "why"), DIFFERING)
def test_digits_that_differ_are_told_apart(stated, correct, pieces, why):
    assert differing(stated, correct) == pieces


WEAK = {"term": {str(steps): 8 + steps / 100 for steps in range(26, 80)}}  # 54 of 332 prints nearby
READ = [
    # verdict  first line  the lines below
    (
        judge("1.59", L3, "log"),
        "✗ slip 1.59 for log: computed 1.58496, correct 1.58",
        [
            "consistent with rounded-twice: 1.58496, rounded to 1.585, then to 1.59",
            "consistent with rounded-up: 1.58496, raised to 1.59",
        ],
    ),
    (
        judge("8.30", 8.3255, "x", alternatives=WEAK),
        "✗ slip 8.30 for x: computed 8.32550, correct 8.33",
        ["consistent with term: 30 gives 8.3", "weak evidence: chance 0.16"],
    ),
    (
        judge("0.589", 0.579, "x"),
        "✗ slip 0.589 for x: computed 0.579000, correct 0.579",
        ["unexplained: no known cause gives the printed value"],
    ),
    (judge("0.5", math.nan), "∅ undefined 0.5: no ideal gain to divide by", []),
    (judge("0.5", None, "x", reason="why"), "○ unchecked 0.5 for x: why", []),
    (
        check_equation("a = 1/3 = 0.34 = 0.33", "a"),
        "✓ agrees 0.33 for a: computed 0.33333",
        ["but the printed working gives 0.333333, not 0.34", "but the printed working gives 0.34, not 0.33"],
    ),
    (check("1", 1.0, "NDCG", as_exact=True), "✓ agrees exactly 1 for NDCG: computed 1", []),
    (holds("A", True), "✓ agrees A", []),
    (holds("A", False, "here", slip="why", correct="B"), "✗ slip A", ["not so: here (why)", "correction: B"]),
]


@every_row(("verdict", "line", "lines"), READ)
def test_a_verdict_reads_well(verdict, line, lines):
    read = pieces(verdict.record())
    assert "".join(text for kind, text in read if kind != "below") == line
    assert [text for kind, text in read if kind == "below"] == below(verdict.record()) == lines

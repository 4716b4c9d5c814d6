"""Notes are read, and every number that they state is judged."""

import json
from pathlib import Path

import pytest
from rows import every_row

from ndcg_ref.commands.cli import main
from ndcg_ref.notes import check_note
from ndcg_ref.notes.documents import region_of
from ndcg_ref.notes.islands import chains_of, plain_text

LINEAR = (Path(__file__).parent.parent / "benchmarks" / "note.md").read_text("utf-8")
EXPONENTIAL = r"""Consider the ranking with relevance labels $(2, 3, 0, 1)$. With the gain $2^{rel_i} - 1$,
\begin{align}
DCG@4 &= \frac{2^2-1}{\log_2 2} + \frac{2^3-1}{\log_2 3} + \frac{2^0-1}{\log_2 4} + \frac{2^1-1}{\log_2 5} \\
 &= 3 + 4.42 + 0 + 0.43 = 7.85 \\
IDCG@4 &= 7 + 1.89 + 0.5 + 0 = 9.39 \\
NDCG@4 &= \frac{7.85}{9.39} \approx 0.835
\end{align}
"""
UNDISCOUNTED = r"""$q_1: (d_1,2), (d_2,3), (d_3,0)$ and $q_2: (d_1,1), (d_2,0), (d_3,3)$ by
$$DCG = rel_1 + \sum_{i=2}^k \frac{rel_i}{\log_2 i}$$
$DCG_1 = 2 + \frac{3}{\log_2 2} + \frac{0}{\log_2 3} = 5.00$
$DCG_2 = 1 + \frac{0}{\log_2 2} + \frac{3}{\log_2 3} = 2.89$
"""
GERMAN = """Die Relevanzurteile sind 3, 0, 2, 1, 2.

DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) + 1/log2(5) + 2/log2(6) = 3 + 0 + 1 + 0,43 + 0,77 = 5,20

Die ideale Reihenfolge ist 3, 2, 2, 1, 0:

IDCG = 3 + 1,26 + 1 + 0,43 + 0 = 5,69

NDCG = 5,20 / 5,69 = 0,91
"""
CHINESE = """相关性标签为 [3, 0, 2]。
- DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 3 + 0 + 1 = 4.00
- 理想排序为 [3, 2, 0]\uff0cIDCG@3 = 3 + 1.26 + 0 = 4.26
- NDCG@3 = 4.00 / 4.26 = 0.94
"""
MARKS = """| Position | Doc | Relevant? | Contribution |
| -------- | --- | --------- | ------------ |
| 1 | doc-1 | ✓ Yes | 1.000 |
| 2 | doc-4 | ✗ No | 0.000 |
| 3 | doc-2 | ✓ Yes | 0.500 |
| 4 | doc-9 | ✓ Yes | 0.431 |

**DCG** = 1.000 + 0 + 0.500 + 0.431 = **1.931**
"""
OUTPUT = """Relevance: [1, 0, 2, 3]

rank  rel  discount  dcg
1     1    1.0000    1.0000
2     0    1.5850    1.0000
3     2    2.0000    2.0000
4     3    2.3219    3.2920
"""
# The first two ranks alone, and a list with more relevant documents than those retrieved
PARTS = """Grades: 3, 0, 2, 1. The DCG is 3 + 0 + 1 + 0.431 = 4.431.
The DCG of the first two is 3 + 0.000 = 3.000.
A document with the grade 3 was never retrieved.
IDCG = 3 + 1.893 + 1 + 0.431 = 6.323
"""
TWO_WAYS = """Grades [3, 2, 0, 1] with the gain 2^rel - 1:
DCG = 7 + 1.8928 + 0 + 0.4307 = 9.3235
IDCG = 7 + 1.8928 + 0.5 + 0 = 9.3928
With linear gains you get DCG = 4.6925 and IDCG = 4.7619, so it rises by 0.01.
"""
MEASURES = """Relevant documents: {d2, d8, d10}. Retrieved: [d1, d4, d2, d9, d8].
DCG@5 = 1/log2(4) + 1/log2(6) = 0.8869
IDCG@5 = 1 + 0.6309 + 0.5 = 2.1309
nDCG@5 = 0.4162, precision at 5 = 0.4, recall at 5 = 0.667, reciprocal rank = 0.333 and AP = (1/3 + 2/5)/3 = 0.244.
"""
PRINTED = """Relevance: [3, 2, 3, 0, 1, 2]
DCG:  6.8611
IDCG: 7.1410
NDCG: 0.9608
"""
CUTOFFS = """rel = [3, 0, 2, 1]
k=1  dcg=3.0000  idcg=3.0000  ndcg=1.0000
k=3  dcg=4.0000  idcg=4.7619  ndcg=0.8400
"""
SYSTEMS = r"""System A returns 2, 3, 1, 0 and system B, for the same query, 0, 1, 3, 2.
\[ DCG_A = \frac{2}{\log_2 2} + \frac{3}{\log_2 3} + \frac{1}{\log_2 4} + 0 = 2 + 1.893 + 0.5 + 0 = 4.393 \]
\[ DCG_B = \frac{0}{1} + \frac{1}{1.585} + \frac{3}{2} + \frac{2}{2.322} = 0 + 0.631 + 1.5 + 0.861 = 2.992 \]
\[ IDCG = 3 + 1.262 + 0.5 = 4.762 \]
\[ NDCG_A = \frac{4.393}{4.762} \approx 0.922 \qquad NDCG_B = \frac{2.992}{4.762} \approx 0.628 \]
"""
RUNNING = """Grades [2, 3, 0, 1, 3, 2], with the gain 2^grade - 1.

| rank | grade | running DCG |
|-----:|------:|------------:|
| 1 | 2 | 3.000 |
| 2 | 3 | 7.417 |
| 3 | 0 | 7.417 |
| 4 | 1 | 7.847 |
| 5 | 3 | 10.555 |
| 6 | 2 | 11.624 |
"""
# A ranking for each query: as columns of grades, and as marks with a heading for each
QUERIES = """| rank | q1 | q2 | q3 |
|:----:|:--:|:--:|:--:|
| 1 | 3 | 1 | 2 |
| 2 | 0 | 2 | 0 |
| 3 | 1 | 2 | 0 |
| 4 | 2 | 0 | 1 |

|        | q1    | q2    | q3    |
|--------|-------|-------|-------|
| DCG@4  | 4.361 | 3.262 | 2.431 |
| IDCG@4 | 4.762 | 3.762 | 2.631 |
| NDCG@4 | 0.916 | 0.867 | 0.924 |
"""
PROMPT = """>>> dcg([1, 0, 2, 3])
3.292030
>>> dcg([3, 2, 1, 0])          # the ideal order
4.761860
>>> round(ndcg([1, 0, 2, 3]), 3)
0.691
>>> ndcg([3, 2, 0, 1, 2], k=5)  # (5.466) / (5.693)
0.9602
>>> hits = [0, 1, 0, 1, 1]
>>> precision(hits, 3)
0.3333
>>> average_precision(hits, 3)
0.5333
>>> ndcg(hits)
0.6797
>>> %timeit dcg([2, 2, 0, 3])
4.31 µs ± 0.12 µs per loop
"""
RIGHT = [
    # note, how many numbers are judged at least
    (LINEAR, 25),
    (EXPONENTIAL, 10),
    (UNDISCOUNTED, 2),
    (GERMAN, 13),
    (CHINESE, 9),
    (MARKS, 9),
    (OUTPUT, 8),
    (TWO_WAYS, 12),
    (PRINTED, 3),
    (CUTOFFS, 6),
    (SYSTEMS, 12),
    (QUERIES, 9),
    (RUNNING, 6),
    (PROMPT, 7),
]


def outcomes(text, form="text"):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text, form)]


@every_row(("note", "least"), RIGHT)
def test_a_right_note_has_no_slip_and_its_numbers_are_judged(note, least):
    found = outcomes(note)
    assert [stated for stated, outcome in found if outcome == "slip"] == []
    assert [outcome for _, outcome in found].count("agrees") >= least


SLIPS = [
    # note, what is altered, to what, what is right, a cause
    (LINEAR, "= 0.961\n", "= 0.960\n", "0.961", "truncated"),
    (LINEAR, "1.262        |", "1.261        |", "1.262", "truncated"),
    (LINEAR, "1.893 + 1 + 0.861", "1.893 + 1.893 + 0.861", "1.000", None),  # the term of another rank
    (EXPONENTIAL, "0.835\n", "0.836\n", "0.835", "carried"),
    (UNDISCOUNTED, "= 2.89$", "= 2.98$", "2.89", "digit"),
    (GERMAN, "= 5,20\n", "= 5,21\n", "5.20", None),
    (CHINESE, "= 0.94\n", "= 1.0\n", "0.9", None),
    (MARKS, "| 0.431 |", "| 0.430 |", "0.431", "truncated"),
    (OUTPUT, "3.2920\n", "3.2910\n", "3.2920", None),
    (PARTS, "= 3.000.", "= 3.010.", "3.000", None),
    (MEASURES, "= 0.244.", "= 0.367.", "0.244", None),
    (PRINTED, "0.9608\n", "0.9203\n", "0.9608", None),
    (CUTOFFS, "ndcg=0.8400", "ndcg=0.8500", "0.8400", None),
    # A slip in a running sum goes on to the last row
    (RUNNING, "7.847 |\n| 5 | 3 | 10.555 |\n| 6 | 2 | 11.624", "7.830 |\n| 5 | 3 | x |\n| 6 | 2 | x", "7.847", None),
    (PROMPT, "4.761860", "4.716860", "4.761860", "digit"),
    (PROMPT, "0.3333", "0.6667", "0.3333", None),
    (TWO_WAYS, "= 9.3235", "= 9.3253", "9.3235", "digit"),
]


BARE = [
    # note, what is altered, to what, the verdict on it, why
    (CHINESE, "= 0.94\n", "= 1\n", "slip", "4.00 / 4.26 is not 1"),
    (CHINESE, "= 0.94\n", "≈ 1\n", "agrees", "it is rounded to 1"),
    (CHINESE, "= 0.94\n", r"\approx 1" + "\n", "agrees", "the same in LaTeX"),
    (CHINESE, "= 4.26\n", "= 4\n", "agrees", "a sum claims the unit"),
    (MEASURES, "recall at 5 = 0.667", "recall at 5 = 2/3 = 1", "slip", "a share of 2 in 3"),
]


@pytest.mark.parametrize(("note", "old", "new", "outcome", "why"), BARE)
def test_a_bare_1_of_a_quantity_between_0_and_1_is_not_rounded(note, old, new, outcome, why):
    altered = note.replace(old, new)
    start = note.index(old) + new.rstrip().rindex(" ") + 1
    assert [str(each.verdict.outcome) for each in check_note(altered) if each.offset == start] == [outcome]


@every_row(("note", "old", "new", "correct", "cause"), SLIPS)
def test_an_altered_number_is_found_with_what_is_right(note, old, new, correct, cause):
    assert note.count(old) == 1
    altered = note.replace(old, new)
    place = note.index(old)
    slips = [each for each in check_note(altered) if each.verdict.outcome == "slip"]
    found = [each for each in slips if place <= each.offset < place + len(new)]
    assert [each.verdict.correct for each in found] == [correct]
    assert cause is None or cause in found[0].verdict.causes


@pytest.mark.parametrize("ratio", ["NDCG = 0.901", "NDCG = DCG / IDCG = 0.901"])
def test_a_result_without_a_working_follows_from_a_wrong_ideal(ratio):
    """6.149 / 6.823 = 0.901; the ideal is 6.323."""
    others = "DCG@2 = 4.262\n\nDCG@3 = 5.762\n\nIDCG@2 = 4.893\n"
    found = check_note(f"The grades are 3, 2, 3, 0, 1.\n\n{others}\nDCG = 6.149\n\nIDCG = 6.823\n\n{ratio}\n")
    assert found[-1].verdict.causes == ("inherited",)


NO_CLAIMS = [
    # The ranking is not shown, and the list is its best order
    "In der besten Reihenfolge [2, 1, 0]: 2,0 + 1/log2(3) = 2,0 + 0,63 = 2,63.",
    "The paper of 2002 has 4 sections, see section 3.2.",
    r"$$DCG_p = \sum_{i=1}^{p} \frac{rel_i}{\log_2(i+1)}$$",
    "for i in range(10):\n    dcg = 0\n    dcg += rel[i] / log2(i + 2)\n",
    f"{PRINTED}\nThe NDCG was 0.71 in the release before, our baseline has an NDCG of 0.8123, and MRR is 0.58.",
    "Grades [3, 2, 0]: DCG = 3 + 1.262 = 4.262. P@5 = 0.37 and MAP = 0.41 over 300 queries.",
    f"{MEASURES} The MRR over both queries is 0.667.",
    "rel = [3, 2, 3]\n  3.00  of one\n  4.26  of another\n  6.00  of a third\n",
    'a = [2, 3, 0]\nb = [3, 2, 0]\nprint(f"{dcg(a):.3f}")\nprint(f"{dcg(b):.3f}")\n\nfirst: 3.893\nsecond: 4.262\n',
    "Grades [3, 2, 0]: DCG = 3 + 1.262 = 4.262. Versions 3, 1.26 and 1.3 are supported, 4.1, 4.2 and 4.3 are not.",
    "Grades [3, 2, 0]: DCG = 4.262, IDCG = 4.262. The costs were 2.10 / 5.30 = 0.396 of the year before.",
    ">>> average_precision([0, 1, 0, 0, 1], 3)\n0.3\n>>> ndcg([0, 1, 0, 0, 1])\n0.6241\n",
    "If the order were ideal, the NDCG would be 5.69 / 5.69 = 1.",
]


@every_row("text", NO_CLAIMS)
def test_what_is_no_claim_is_no_slip(text):
    assert "slip" not in [outcome for _, outcome in outcomes(text)]


def test_a_finding_has_the_place_of_its_number_in_the_file():
    text = LINEAR.replace("= 0.961\n", "= 0.960\n")
    (slip,) = [each for each in check_note(text) if each.verdict.outcome == "slip"]
    assert text[slip.offset : slip.offset + slip.length] == slip.stated == "0.960"
    assert text.splitlines()[slip.line - 1][slip.column - 1 :].startswith("0.960")


def test_an_output_of_a_notebook_is_about_the_grades_of_its_code():
    code = {
        "cell_type": "code",
        "source": ["rels = [3, 0, 2]"],
        "outputs": [{"text": ["DCG = 4.00\\n", "IDCG = 4.25"]}],
    }
    text = json.dumps({"cells": [code]})
    assert outcomes(text, "notebook") == [("4.00", "agrees"), ("4.25", "unchecked")]


def test_a_paragraph_too_long_to_be_read_has_no_chain():
    assert chains_of("DCG = " + "1+" * 1_000_000 + "1 = 1000001") == []
    assert len(chains_of("DCG = 1 + 1 = 2")) == 1


def test_a_note_of_very_many_numbers_has_its_last_ones_judged_by_their_line_alone():
    found = outcomes("Grades [3, 0, 2]. DCG = 3 + 0 + 1 = 4.00\n\n" + "IDCG = 4.26\n\n" * 2_000)
    assert (found[3], found[4], found[-1]) == (("4.00", "agrees"), ("4.26", "agrees"), ("4.26", "unchecked"))


def test_a_page_is_read_without_its_tags():
    rows = "".join(f"<tr><td>{rank}</td><td>{grade}</td></tr>" for rank, grade in enumerate([3, 2, 0], 1))
    page = f"<table><tr><th>Rank</th><th>Relevance</th></tr>{rows}</table><p>DCG&nbsp;= 3 + <b>1.26</b> + 0 = 4.36</p>"
    (slip,) = [each for each in check_note(page, "html") if each.verdict.outcome == "slip"]
    assert page[slip.offset : slip.offset + slip.length] == "4.36"
    assert slip.verdict.correct == "4.26"


def test_code_of_a_notebook_tells_grades_and_states_nothing():
    code = {"cell_type": "code", "source": "grades = [3, 0, 2]\ncheck('DCG = 3 + 0 + 1 = 4.10')", "outputs": []}
    text = {"cell_type": "markdown", "source": "DCG = 3 + 0 + 1 = 4.05"}
    assert outcomes(json.dumps({"cells": [code, text]}), "notebook")[-1] == ("4.05", "slip")
    assert outcomes(json.dumps({"cells": [code]}), "notebook") == []


SHOWN = r"""
The grades are [2, 3, 0, 1, 2]. With
$\sum \frac{rel_i}{\log_2(i + 1)}$ it is DCG = 2 + 1.893 + 0 + 0.431 + 0.774 = 5.097,
and IDCG = 3 + 1.262 + 1 + 0.431 + 0 = 5.693.
"""
OTHER = (
    r"With the original discount, $\sum \frac{rel_i}{\max(1, \log_2 i)}$, the sum is DCG = 2 + 3 + 0 + 0.5 + 0.861 = "
)


@pytest.mark.parametrize(("total", "outcome"), [("6.361", "agrees"), ("6.316", "slip")])
def test_a_sum_that_comes_out_whole_under_another_formula_shown_is_of_that_one(total, outcome):
    found = outcomes(f"{SHOWN}\n{OTHER}{total}.")
    assert [each for each in found if each[1] == "slip"] == [(total, outcome)] * (outcome == "slip")
    assert found[-1] == (total, outcome)


@pytest.mark.parametrize(("total", "outcome"), [("0.387", "agrees"), ("0.378", "slip")])
def test_a_line_that_comes_out_is_no_slip_of_a_quantity_that_the_words_before_it_name(total, outcome):
    found = outcomes(f"{SHOWN}\nThe ideal. At rank 5 the DCG gains $1/2.585 = {total}$.")
    assert found[-1] == (total, outcome)


def test_what_the_role_of_a_book_states_is_judged_by_what_it_says_and_a_reference_states_nothing():
    assert outcomes("Of [3, 0, 2] the NDCG is {ndcg}`0.704 = ndcg(3, 0, 2; k=2)`, by {eq}`dcg-1`. DCG = 3 + 1 = 4") == [
        ("0.704", "agrees"),
        ("3", "agrees"),
        ("1", "agrees"),
        ("4", "agrees"),
    ]


def test_an_index_of_a_page_is_a_base_and_no_factor():
    sums = "2/log<sub>2</sub>(4) + (2<sup>2</sup> - 1)/log<sub> 2 </sub>(3)"
    found = outcomes(f"<p>IDCG = {sums} = 2.89</p><p>DCG = {sums} = 2.98</p>", "html")
    assert [each for each in found if each[0] in ("2.89", "2.98")] == [("2.89", "agrees"), ("2.98", "slip")]


def test_blanks_that_tags_leave_are_read_once():
    assert outcomes("NDCG" + " " * 50_000 + "of the", "text") == []


BAD_NOTEBOOKS = ["", "no JSON", "[]", '{"cells"', '{"nbformat": 4}']


@pytest.mark.parametrize("text", BAD_NOTEBOOKS)
def test_what_is_no_notebook_is_refused(text):
    with pytest.raises(ValueError, match=r"^expected a notebook in JSON with cells"):
        region_of(text, "notebook")


CHAINS = [
    # text, the sides that have a value
    ("DCG@3: 0/log2(1+1) + 1/log2(2+1) = 0.63 Ideal DCG@3: 1/log2(1+1) = 1.00", [[0.630930, 0.63], [1.0, 1.0]]),
    ("Position 2: 2 / log₂(3) = 2 / 1.58 = 1.26", [[1.261860, 1.265823, 1.26]]),
    (r"$NDCG_1 = \frac{7.42}{7.58} \approx \mathbf{0.979}$", [[0.978892, 0.979]]),
    ("a = 2 x 3 = 6", [[6.0, 6.0]]),
    ("- 1.5 = 3/2", [[1.5, 1.5]]),
    ("DCG\n  = 1 + 0.5\n  = 1.5", [[1.5, 1.5]]),
    ("DCG = 2^{2^{4}} = 65536", [[65536.0, 65536.0]]),
    ("DCG = 2^{2^{40}} = 4", [[4.0]]),  # too large to compute, in whole and so in parts
    ("2^{2^{40}} = 4", [[4.0]]),
]


@pytest.mark.parametrize(("text", "values"), CHAINS)
def test_the_sides_of_a_chain_are_found_among_words(text, values):
    plain = plain_text(text)
    assert len(plain) == len(text)
    found = [[part.side.value for part in chain.parts if part.side is not None] for chain in chains_of(plain)]
    assert found == [pytest.approx(each, abs=1e-6) for each in values]


def test_check_prints_its_findings_as_json(tmp_path, capsys):
    (tmp_path / "a.md").write_text(LINEAR, encoding="utf-8")
    assert main(["check", "--format", "json", str(tmp_path / "a.md")]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["counts"] == {"agrees": len(printed["findings"])}
    first = printed["findings"][0]
    assert LINEAR[first["offset"] : first["offset"] + first["length"]] == first["stated"]


def test_a_number_behind_what_is_too_large_to_compute_keeps_its_name_and_is_unchecked():
    (found,) = check_note("DCG = 2^{2^{40}} = 4")
    assert (found.stated, found.verdict.name, found.verdict.outcome) == ("4", "DCG", "unchecked")


def test_a_number_alone_is_judged_only_if_its_digits_come_out():
    code = {"cell_type": "code", "source": "grades = [3, 0, 1, 2]\ndcg(grades) / idcg", "outputs": []}
    for number, expected in [
        ("4.361353", [("4.361353", "agrees")]),  # 3 + 1/2 + 2/log2(5)
        ("0.915893", [("0.915893", "agrees")]),  # divided by 3 + 2/log2(3) + 1/2
        ("0.915983", []),
        ("4.36", []),  # too few digits
    ]:
        code["outputs"] = [{"data": {"text/plain": number}}]
        assert outcomes(json.dumps({"cells": [code]}), "notebook") == expected


def test_a_number_above_1_of_a_measure_that_is_at_most_1_is_impossible_where_it_is_stated():
    (found,) = check_note("A system has NDCG@5 = 1.37 on q1.")
    assert (found.outcome, found.is_wrong, found.severity) == ("impossible", True, "value")
    assert "impossible" not in [each.outcome for each in check_note("The package ndcg_ref needs Python >=3.11.")]


def test_a_number_that_a_list_has_and_no_name_says_is_consistent():
    note = "The grades are 3, 0, 2, 1 in this order. DCG = 4.431 and IDCG = 4.762; elsewhere we print 0.9305 once."
    assert [each.outcome for each in check_note(note) if each.stated == "0.9305"] == ["consistent"]
    # As a sum of rounded terms alone a number is not known to be right
    assert [each.outcome for each in check_note("a = 1.26 + 0.43 = 1.69")][-1] == "consistent"

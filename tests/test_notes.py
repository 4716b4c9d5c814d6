"""Notes are read, and every number that they state is judged."""

import json
from pathlib import Path

import pytest

from ndcg_ref.commands.cli import main
from ndcg_ref.notes import check_note
from ndcg_ref.notes.documents import region_of
from ndcg_ref.notes.islands import chains_of, plain_text

LINEAR = (Path(__file__).parent.parent / "benchmarks" / "note.md").read_text("utf-8")
CHINESE = """相关性标签为 [3, 0, 2]。
- DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 3 + 0 + 1 = 4.00
- 理想排序为 [3, 2, 0]\uff0cIDCG@3 = 3 + 1.26 + 0 = 4.26
- NDCG@3 = 4.00 / 4.26 = 0.94
"""
MEASURES = """Relevant documents: {d2, d8, d10}. Retrieved: [d1, d4, d2, d9, d8].
DCG@5 = 1/log2(4) + 1/log2(6) = 0.8869
IDCG@5 = 1 + 0.6309 + 0.5 = 2.1309
nDCG@5 = 0.4162, precision at 5 = 0.4, recall at 5 = 0.667, reciprocal rank = 0.333 and AP = (1/3 + 2/5)/3 = 0.244.
"""


def outcomes(text, form="text"):
    return [(each.stated, str(each.verdict.outcome)) for each in check_note(text, form)]


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


@pytest.mark.parametrize("ratio", ["NDCG = 0.901", "NDCG = DCG / IDCG = 0.901"])
def test_a_result_without_a_working_follows_from_a_wrong_ideal(ratio):
    """6.149 / 6.823 = 0.901; the ideal is 6.323."""
    others = "DCG@2 = 4.262\n\nDCG@3 = 5.762\n\nIDCG@2 = 4.893\n"
    found = check_note(f"The grades are 3, 2, 3, 0, 1.\n\n{others}\nDCG = 6.149\n\nIDCG = 6.823\n\n{ratio}\n")
    assert found[-1].verdict.causes == ("inherited",)


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
    ("DCG\n  = 1 + 0.5\n  = 1.5", [[1.5, 1.5]]),
    ("DCG = 2^{2^{4}} = 65536", [[65536.0, 65536.0]]),
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

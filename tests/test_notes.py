"""Notes are read, and every number that they state is judged."""

import pytest
from marked import holds
from pages import cell, notebook, text
from rows import every_row

from ndcg_ref.formulas import plain
from ndcg_ref.notes import check_note
from ndcg_ref.notes.documents import region_of
from ndcg_ref.notes.islands import chains_of, plain_text, readable_text
from ndcg_ref.notes.lists import lists_in
from ndcg_ref.notes.relations import workings_in
from ndcg_ref.notes.tables import tables_of
from ndcg_ref.notes.users import User, user_in
from ndcg_ref.notes.written_formulas import shown

GRADES = "rels = [3, 0, 2]"
CALLS = "grades = [3, 0, 1, 2]\ndcg(grades) / idcg"
NOTEBOOKS = [
    [cell(code=GRADES, printed="DCG = 4.00«+»\nIDCG = 4.25«?»")],
    # code tells grades, and states nothing
    [cell(code=f"{GRADES}\ncheck('DCG = 3 + 0 + 1 = 4.10«-»')")],
    [cell(code=GRADES), text("DCG = 3 + 0 + 1 = 4.05«4.00»")],
    # a number alone is judged only if its digits come out
    [cell({"text/plain": "4.361353«~»"}, code=CALLS)],  # 3 + 1/2 + 2/log2(5)
    [cell({"text/plain": "0.915893«~»"}, code=CALLS)],  # divided by 3 + 2/log2(3) + 1/2
    [cell({"text/plain": "0.915983«-»"}, code=CALLS)],
    [cell({"text/plain": "4.36«-»"}, code=CALLS)],  # too few digits
]


@every_row("cells", NOTEBOOKS)
def test_what_a_notebook_shows_is_about_the_grades_of_its_code(cells):
    holds(notebook(*cells), "notebook")


def test_a_paragraph_too_long_to_be_read_has_no_chain():
    assert chains_of("DCG = " + "1+" * 1_000_000 + "1 = 1000001") == []
    assert len(chains_of("DCG = 1 + 1 = 2")) == 1


MANY = "\n\nIDCG = 4.26" * 2_000


def test_a_note_of_very_many_numbers_has_its_last_ones_judged_by_their_line_alone():
    holds(f"Grades [3, 0, 2]. DCG = 3 + 0 + 1 = 4.00«+»\n\nIDCG = 4.26«+»{MANY}«?»")


@every_row("text", ["", "no JSON", "[]", '{"cells"', '{"nbformat": 4}'])
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


@every_row("text, values", CHAINS)
def test_the_sides_of_a_chain_are_found_among_words(text, values):
    read = plain_text(text)
    assert len(read) == len(text)
    found = [[part.side.value for part in chain.parts] for chain in chains_of(read)]
    assert found == [pytest.approx(each, abs=1e-6) for each in values]


LABELS = [
    # line, what names the number
    ("ndcg(found, k=3)", "k"),
    ("ndcg(dcg=3.5)", "dcg"),
    ("nDCG(q1) = 0.5", "nDCG(q1)"),
    ("NDCG of (a, b) = 0.5", "NDCG of (a, b)"),
]


@every_row("line, label", LABELS)
def test_an_argument_of_a_call_is_named_by_its_own_name(line, label):
    assert [chain.label for chain in chains_of(plain_text(line))] == [label]


NAMES = [
    # the line of a slip, and its name
    ("- Rank 2: B (grade = 3)\n  $$3/log2(3) = 1.88$$", ""),
    ("The contribution of the document at rank 2 is → 3/log2(3) = 1.88", "of the document at rank 2 is"),
]


@every_row("line, name", NAMES)
def test_the_name_of_a_number_has_whole_words_and_no_loose_signs(line, name):
    (slip,) = [each for each in check_note(line) if each.verdict.outcome == "slip"]
    assert (slip.verdict.correct, slip.verdict.name) == ("1.89", name)


@every_row("inside", ["i + 1", "1 + i", "2 + i", "1+rank"])
def test_a_formula_may_add_one_before_the_rank(inside):
    assert shown(f"sum of rel_i / log2({inside})").keys() == {("linear", "log(rank+1)")}


WRITTEN = [
    # how a note writes a list, its grades
    ("q1  +-++-", (1, 0, 1, 1, 0)),
    ("R N R R N", (1, 0, 1, 1, 0)),
    ("grades 3 0 2 1 in this order", (3, 0, 2, 1)),
    ("| rank | grade |\n|---|---|\n| 1 | 2 |\n| 4 | 3 |\n| 5 | 1 |\n", (2, 0, 0, 3, 1)),
    ("| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A | 1 | | 1 |\n| B | 0 | 0 | 3 |\n", (1, 0, 1)),
    ("7 0 a 2\n7 0 b 1\n7 Q0 a 1 9.1 x\n7 Q0 b 3 8.2 x\n", (2, 0, 1)),  # the line of rank 2 is left out
]


@every_row(("text", "grades"), WRITTEN)
def test_a_list_is_read_however_it_is_written(text, grades):
    assert grades in [each.grades for each in lists_in(text, tables_of(text))]


@every_row("text", ["k=1000 documents", "years 1 2 3 4 5", "|---|---|", "version 2.3.0"])
def test_counts_and_rules_are_no_lists(text):
    assert list(lists_in(text, tables_of(text))) == []


def test_a_row_that_ends_before_the_ranks_of_its_table_is_no_list():
    text = "| run | Rank 1 | Rank 2 | Rank 3 |\n|--|--|--|--|\n| A |\n| B | 0 | 0 | 3 |\n| C | 1 | 2 | 0 |\n"
    found = [each.grades for each in lists_in(text, tables_of(text)) if not each.is_local]
    assert found == [(0, 0, 3), (1, 2, 0)]


RELATIONS = [
    # columns of a row for each tuple, and the working of the last cell of each
    ([("7", "2.412", "2.902"), ("5", "1.931", "2.589"), ("9", "2.207", "4.078")], "9 / 2.207"),
    ([("0.812", "0.313", "0.499"), ("0.640", "0.222", "0.418"), ("0.907", "0.871", "0.036")], "0.907 - 0.871"),
    ([("2.312", "4.108", "9.498"), ("1.724", "3.615", "6.232"), ("3.055", "1.902", "5.811")], "3.055 * 1.902"),
    ([("0.7213",), ("0.4551",), ("0.3607",), ("0.3107",)], None),  # nothing on its left, and no sum of ranks
    ([("1.4427",), ("0.9102",), ("0.7213",), ("0.6213",)], "1 / ln(4 + 1)"),
    ([("1.0000",), ("1.5850",), ("2.0000",), ("2.3219",)], "log2(4 + 1)"),
    ([("3", "3.000"), ("2", "1.262"), ("1", "0.500"), ("3", "1.292"), ("2", "0.774")], "2 / log2(5 + 1)"),
    ([("0.8", "0.3", "0.5"), ("0.6", "0.2", "0.4"), ("0.9", "0.8", "0.1")], None),  # too few digits
    ([("7", "2.412", "2.902"), ("5", "1.931", "2.589"), ("9", "2.207", "4.078"), ("6", "2.5", "1.1")], "6 / 2.5"),
    ([("7", "2.412", "2.902"), ("5", "1.931", "3.589"), ("9", "2.207", "4.078"), ("6", "2.5", "1.1")], None),
]


@every_row("rows, working", RELATIONS)
def test_a_relation_is_believed_when_digits_tell_more_than_chance(rows, working):
    names = "abc"[: len(rows[0])]
    lines = ["x|" + "|".join(names), *("n|" + "|".join(row) for row in rows)]
    (table,) = tables_of(readable_text("\n".join(lines) + "\n"))
    last = table.rows[-1][-1].start
    assert next((own.side.text for cell, own in workings_in(table) if cell.start == last), None) == working


STATED = [
    # text, the highest grades, the chances to go on
    ("grades from 0 to 4", (4.0,), ()),
    ("on a 0-3 scale", (3.0,), ()),
    ("persistence p = 0.95", (), (0.95,)),
    ("see section 0.8 of 4", (), ()),
]


@every_row("text, scales, chances", STATED)
def test_the_scale_and_the_chance_to_go_on_are_read_where_a_note_states_them(text, scales, chances):
    found = user_in(text)
    assert (found.scales, found.chances) == (scales, chances)


@every_row("grades", [(3, 2, 0, 1), (0, 0, 3), (1, 3, 3, 2, 0)])
def test_the_terms_of_err_and_rbp_add_up_to_the_measures(grades):
    user = User((3.0,), (0.8,))
    assert sum(user.terms("ERR", grades, grades)[0]) == pytest.approx(plain.expected_reciprocal_rank(grades, 3))
    assert sum(user.terms("RBP", grades, grades)[0]) == pytest.approx(plain.rank_biased_precision(grades, 0.8, 3))

"""The tables of a note are read in the ways in which people lay them out, and its words may tell a cutoff."""

import pytest
from rows import every_row

from ndcg_ref.notes import check_note
from ndcg_ref.notes.islands import readable_text

# Rankings by their names, and a row for the ideal one
CUTOFFS = """Ranker A returns grades `3 1 2 0 0`, ranker B `1 3 2 0 0`.

| DCG | @1 | @3 | @5 |
|---|---|---|---|
| A | 3.000 | 4.631 | 4.631 |
| B | 1.000 | 3.893 | 3.893 |
| ideal | 3.000 | 4.762 | 4.762 |
"""
PAIR = """Systems A and B answer one query. A: 3 2 0 1 0, B: 2 3 1 0 0. Its pool is 3, 3, 2, 1, 1, with IDCG@5 = 6.710.
System A reaches DCG@5 = 3 + 1.262 + 0 + 0.431 + 0 = 4.693, NDCG@5 = 0.699; system B reaches DCG@5 = 4.393.
"""
# Calls: with the scores of documents, a larger pool, and an option whose meaning the other results tell
CALLS = """>>> pool = [3, 3, 2, 2, 1, 1, 0, 0]
>>> rels = [3, 0, 2, 1, 0, 0]
>>> dcg_score([[0, 2, 1, 3, 0]], [[5, 4, 3, 2, 1]])
3.053889
>>> ndcg_score([[0, 3, 1, 2, 0]], [[5, 2, 3, 4, 1]], k=3)
0.369994
>>> round(ndcg(rels, k=3), 4)          # 4.0 / 4.7619
0.8400
>>> round(ndcg(rels, ideal=pool, k=3), 4)
0.6788
>>> round(dcg(rels, gain="exp"), 4)
8.9307
>>> round(ndcg(rels, gain="exp"), 4)
0.9508
>>> round(rbp([1, 0, 1, 1, 0, 0], p=0.8), 4)
0.4304
"""
# What programs print: arrays, lines with a name each, and means
ARRAYS = """rel = np.array([3, 2, 3, 0, 1, 2])
array([1.    , 1.585 , 2.    , 2.3219, 2.585 , 2.8074])
array([3.    , 1.2619, 1.5   , 0.    , 0.3869, 0.7124])
array([3.   , 4.262, 5.762, 5.762, 6.149, 6.861])
>>> dcg / idcg
0.9608
"""
# Rows by cutoff, a frame whose rows are rankings, and names above the cutoff
BY_CUTOFF = """| rank | rel | term |
|---|---|---|
| 1 | 1 | 1.000 |
| 2 | 3 | 1.893 |
| 3 | 0 | 0.000 |
| 4 | 2 | 0.861 |

| | DCG | IDCG | NDCG |
|---|---|---|---|
| k = 1 | 1.000 | 3.000 | 0.333 |
| k = 2 | 2.893 | 4.262 | 0.679 |
| k = 4 | 3.754 | 4.762 | 0.788 |
"""
ABOVE = r"""System **A** orders $(2, 0, 1)$, system **B** orders $(1, 2, 0)$.
DCG$^A_3$ = 2 + 0 + 0.5 = 2.5, DCG$^B_3$ = 1 + 1.262 + 0 = 2.262, and IDCG$_3$ = 2 + 0.631 + 0 = 2.631.

At cutoff 2, $\mathrm{NDCG}^A_2 = 2/2.631 = 0.760$; in all,
$\mathrm{NDCG}^A_3 = 0.950$ and $\mathrm{NDCG}^{(B)}_3 = 0.860$.
The mean of the two NDCG$_3$ values is 0.905.
"""
EXPONENTIAL = """Grades [0, 3, 1, 2] with 2^rel - 1. DCG = 7/1.585 + 1/2 + 3/2.322 = 4.417 + 0.5 + 1.292 = 6.209

The ideal order is [3, 2, 1, 0]. IDCG = 7 / 1 + 3 / 1.585 + 1 / 2 = 7 + 1.893 + 0.5 = 9.393
"""
ERR = """Grades run from 0 to 3, and ERR adds up the last column.

| rank | grade | R | reaches | stops here | contribution |
|---|---|---|---|---|---|
| 1 | 3 | 0.875 | 1.0000 | 0.8750 | 0.8750 |
| 2 | 1 | 0.125 | 0.1250 | 0.0156 | 0.0078 |
| 3 | 0 | 0.000 | 0.1094 | 0.0000 | 0.0000 |
| 4 | 2 | 0.375 | 0.1094 | 0.0410 | 0.0103 |
| sum | | | | | 0.8931 |
"""
RBP = """RBP with p = 0.8:

| rank | rel | weight | contribution |
|---|---|---|---|
| 1 | 1 | 1.000 | 0.2000 |
| 2 | 0 | 0.800 | 0.0000 |
| 3 | 1 | 0.640 | 0.1280 |
| 4 | 1 | 0.512 | 0.1024 |
| sum | | | 0.4304 |
"""
# Documents of grade 0 are left out, and the heading is none that means a rank
GAPS = """| slot | grade | log2(slot + 1) | grade / log2(slot + 1) |
|---|---|---|---|
| 1 | 3 | 1.000 | 3.000 |
| 2 | 1 | 1.585 | 0.631 |
| 4 | 2 | 2.322 | 0.861 |
| 7 | 1 | 3.000 | 0.333 |

DCG@7 = 3.000 + 0.631 + 0.861 + 0.333 = 4.826, so NDCG@7 = 0.929. DCG@3 = 3.631.
"""
RIGHT = [
    # note, how many numbers are judged at least
    (ARRAYS, 18),
    (GAPS, 13),
    (BY_CUTOFF, 13),
    (ABOVE, 12),
    (EXPONENTIAL, 8),
    (ERR, 13),
    (RBP, 9),
    (CALLS, 7),
    (CUTOFFS, 7),
    (PAIR, 9),
]


@every_row(("note", "least"), RIGHT)
def test_a_right_table_has_no_slip_and_its_numbers_are_judged(note, least):
    found = check_note(note)
    assert [each.stated for each in found if each.verdict.outcome == "slip"] == []
    assert sum(each.verdict.outcome == "agrees" for each in found) >= least


SLIPS = [
    # note, what is altered, to what, what is right
    (ARRAYS, "1.2619", "1.2691", "1.2619"),
    (BY_CUTOFF, "3.754", "2.893 ", "3.754"),  # at cutoff 3
    (BY_CUTOFF, "0.679", "0.697", "0.679"),
    (GAPS, "| 0.333", "| 0.431", "0.333"),  # as if it were at rank 4
    (GAPS, "= 3.631", "= 4.062", "3.631"),  # the third row counted as the third rank
    (EXPONENTIAL, "= 9.393", "= 4.762", "9.393"),  # with linear gains
    (ERR, "0.8931", "0.9831", "0.8931"),
    (RBP, "0.1024", "0.1042", "0.1024"),
    (CALLS, "3.053889", "3.053898", "3.053889"),
    (CALLS, "0.6788", "0.8400", "0.6788"),  # without the pool
]


@every_row(("note", "old", "new", "correct"), SLIPS)
def test_an_altered_number_of_a_table_is_found_with_what_is_right(note, old, new, correct):
    assert note.count(old) == 1
    place = note.index(old)
    found = [each for each in check_note(note.replace(old, new)) if each.verdict.outcome == "slip"]
    here = [each.verdict.correct for each in found if place <= each.offset < place + len(new)]
    assert here == [correct]


POOLED = "Grades: 3, 0, 2, 1. DCG = 3 + 0 + 1 + 0.431 = 4.431. One relevant document was never retrieved.\n"
NOT_OF_THE_NOTE = [
    "rels = [2, 3, 0]\nrels = np.sort(rels)[::-1]\ndcg(rels)\n\n4.262\n",
    ">>> dcg_score([[0, 3, 1]], [[0.7, 0.7, 0.2]], k=1)  # of a tie\n1.5\n",
    ">>> ndcg_score([0, 1, 2], [0.7, 0.6, 0.1], k=1, group=[2, 1])\n0.75\n",
    "System A returns [3, 0, 2], system B [2, 3, 0].\n\n| gain | DCG of A | DCG of B |\n|---|---|---|\n"
    "| binary | 1.500 | 1.631 |\n| linear | 4.000 | 3.893 |\n| steep | 77.392 | 66.740 |\n",
    "Grades [3, 2, 0], DCG = 4.262, NDCG = 1.000. For another query three documents were judged, with the grades "
    "2, 1, 1. It stops at three: 2 + 0.631 + 0.5 = 3.131.",
    # numbers that another ranking, another order, another convention or other digits explain
    "The pool is 3, 3, 2, 1, 1: IDCG = 3 + 1.893 + 1 + 0.431 + 0.387 = 6.710. "
    "The run has DCG = 3 + 1.262 + 0 + 0.431 + 0 = 4.693 and NDCG = 0.699.",
    "Grades (2, 3, 0, 1), of the judged 3, 3, 2, 1. IDCG = 6.323. Of the retrieved alone the ideal is (3, 2, 1, 0), "
    "IDCG = 4.762.",
    "Grades [3, 0, 2, 3, 1]: DCG = 6.193 without a discount at rank 1. With the newer discount, DCG = 5.679.",
    "Grades [0, 2, 1, 3, 0] have DCG = 3.054 and IDCG = 4.762, and DCG / IDCG ≈ 0.64.",
    "Gains 2^rel - 1: grades (2, 0, 1, 2, 0) have the gains (3, 0, 1, 3, 0). DCG = 4.792, IDCG = 5.393, NDCG = 0.889.",
    # a document that was not retrieved, many totals of other formulas, and a mean over two rankings
    POOLED + "IDCG = 3/1 + 2/1.585 + 1/2 + 1/2.322 = 5.193. NDCG = 0.853",
    "Query 1 has the grades [1, 0, 1, 0] and query 2 [0, 1, 0, 0].\n"
    "For query 2: DCG@4 = 0.631, IDCG@4 = 1, NDCG@4 = 0.631. MRR = 0.750.",
]


@every_row("note", NOT_OF_THE_NOTE)
def test_a_number_that_something_else_explains_is_no_slip(note):
    assert [each.stated for each in check_note(note) if each.verdict.outcome == "slip"] == []


UNITS = [
    (r"\num{3.062}", "     3.062 "),
    (r"\SI{71.8}{\percent}", "    71.8%          "),
]


@pytest.mark.parametrize(("text", "read"), UNITS)
def test_a_number_in_a_command_of_latex_is_read_at_its_place(text, read):
    assert readable_text(text) == read

"""How each example of a note was read: in a line above its findings, and with `--explain` with what it costs."""

import re

import pytest
from rows import every_row

from ndcg_ref.conventions import convention
from ndcg_ref.notes import read_note

NOTE = "Grades [3, 0, 2].\n\nDCG@3 = 4.00\nNDCG@3 = 0.94\n"
# Sums are taken to lie within 8: 4.00 tells log2(800) = 9.6 bits, 0.94 log2(100) = 6.6
EXPLAINED = """\
a.md:3: example 1 of 1, lines 3 to 4
    grades      3, 0, 2
    convention  linear gain, log2(rank + 1), from its numbers
    cutoffs     3
    quantities  DCG, NDCG
    reading 1   2 numbers come out, which tell 16.3 bits
        grades 3, 0, 2; linear gain, log2(rank + 1)
    reading 2   0 numbers come out, which tell 0.0 bits, less 0.5 for what it takes for granted
        grades 3, 0, 2; exponential gain, log2(rank + 1)
    reading 3   0 numbers come out, which tell 0.0 bits, less 4.0 for what it takes for granted
        grades 3, 0, 2; linear gain, max(1, log2(rank))
"""


def test_a_small_note_is_explained_line_by_line_and_a_file_that_cannot_be_read_is_not(check):
    code, out, err = check({"a.md": NOTE, "b.md": b"\0"}, "b.md", "a.md", "--explain")
    assert (code, out) == (2, EXPLAINED)
    assert err.startswith("ndcg-ref check: b.md: expected text, found the byte 0x00")
    assert check({}, "a.md", "--explain") == (0, EXPLAINED, "")
    assert "    grades      none found\n" in check({"a.md": "DCG = 2 + 2 = 4\n"}, "a.md", "--explain")[1]


def test_an_explanation_and_a_format_for_programs_exclude_each_other(check):
    with pytest.raises(SystemExit, match="2"):
        check({"a.md": NOTE}, "a.md", "--explain", "--format", "json")


LIST = "Grades [3, 0, 2].\n\n"
LINEAR = "DCG = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.00\n"
FORMULA = "DCG = sum (2^rel_i - 1) / log2(i + 1)\n\n"
JUDGED = "The judged grades are [3, 3, 2].\n\nThe ideal order is [3, 3, 2].\n\nDCG = 4.000, IDCG = 5.893\n"
STEEP = "grades 3, 0, 2; exponential gain, log2(rank + 1), "
# NDCG: 4/4.262, 8.5/8.893; by the original formula (3 + 2/1.585)/(3 + 2)
UNFIXED = "no number fixes the formula: 0.88 is none of 0.939, 0.956, 0.852"
GIVEN = {"grades": [3, 0, 2], "convention": convention.EXPONENTIAL}
UNDERSTOOD = [
    # a note, what is given, what was understood of its first example, or a part of it
    (f"{FORMULA}{LIST}DCG = 8.50\n", {}, f"{STEEP}stated in line 1"),
    (f"{FORMULA}{LIST}DCG@2 = 1.23, DCG@3 = 8.50\n", {}, f"{STEEP}stated in line 1; k = 2, 3"),
    ("DCG = 8.50\n", GIVEN, f"{STEEP}given"),
    (LIST + LINEAR, {}, "grades 3, 0, 2; linear gain, log2(rank + 1), from its numbers"),
    (LIST + JUDGED, {}, "; judged 3, 3, 2; "),
    (f"{LIST}NDCG = 0.88\n", {}, "grades 3, 0, 2; no number fixes the formula"),
    ("DCG = 2 + 2 = 4\n", {}, "no grades were found"),
    (f"Grades [{', '.join(['1'] * 30)}].\n\nCG = 30\n", {}, f"grades {'1, ' * 20}… (30 in all)"),
]


@every_row("note, given, line", UNDERSTOOD)
def test_what_was_understood_of_an_example_is_said_in_a_line(note, given, line):
    understood = str(read_note(note, **given).understood[0])
    assert understood == line or (line.startswith("; ") and line in understood)


def test_each_wrong_number_stands_below_what_was_understood_of_its_example(check):
    other = "Grades [1, 2, 0].\n\nDCG = 1/log2(2) + 2/log2(3) + 0/log2(4) = 2.27\n"
    files = {"a.md": f"{LIST}{LINEAR}\n{other}", "b.md": LIST + LINEAR.replace("4.00", "4.20")}
    code, out, _ = check(files, *files)
    assert code == 1
    lines = re.findall("^(?:a|b)[.]md:.*?: .", out, re.MULTILINE)
    assert lines == ["a.md:7: u", "a.md:7:43: ✗", "b.md:3: u", "b.md:3:43: ✗"]


REASONS = [
    # a note, why its last number is not judged, or not by its name
    ("We got DCG = 4.12 here.\n", "nothing to compute it from was found"),
    (f"{FORMULA}{LIST}NDCG = 0.88\n", "grades 3, 0, 2 give 0.95583, and it may be about others"),
    ("Grades [0, 0, 0].\n\nNDCG = 0.50\n", "grades 0, 0, 0 have no ideal gain to divide by"),
    (f"{LIST}NDCG = 0.88\n", UNFIXED),
    ("NDCG = 4.43 / 4.76 = 0.93\n", "only rounded numbers lead to it, or the note may mean other documents"),
]


@every_row("note, reason", REASONS)
def test_a_number_that_is_not_judged_has_a_reason_that_is_true(note, reason):
    assert reason in [each.reason for each in read_note(note).findings]


SECONDS = "It took 3.25 s, and 97.5% agreed.\n"
OTHERS = [
    # a note, the numbers of which it is not said what they are, the reason
    (f"{LIST}{LINEAR}{SECONDS}", ["3.25", "97.5%"], "recognized"),
    (f"{LIST}{LINEAR.replace('.', ',')}Es dauerte 3,25 s und 4{{,}}75 s.\n", ["3,25", "4{,}75"], "recognized"),
    ("It took 3.25 s.\n", ["3.25"], "nothing to compute it from was found"),
]


@every_row("note, stated, reason", OTHERS)
def test_the_numbers_that_were_not_recognized_are_listed_if_asked_for_and_only_then(note, stated, reason, check):
    found = read_note(note).others
    assert [note[each.offset : each.offset + each.length] for each in found] == stated
    assert all(each.outcome == "unchecked" and reason in each.reason for each in found)
    few, many = (check({"a.md": note}, "a.md", *words)[1] for words in ([], ["--unchecked"]))
    shown = [each.replace("{,}", ".").replace(",", ".") for each in stated]
    assert re.findall("stated (.*?);", many)[-len(shown) :] == shown
    assert "stated" not in few

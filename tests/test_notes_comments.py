"""What an author says of numbers in comments binds, and what is malformed in it is a finding with its line."""

import re

import pytest
from marked import holds
from pages import cell, notebook, text
from rows import every_row

from ndcg_ref.commands.cli import main
from ndcg_ref.notes import check_note
from ndcg_ref.stated.grammar import judged_number, meant_in, settings_in

QUANTITIES = [
    # what a number is said to be, its value by hand
    ("cg(3, 0, 2)", 5),
    ("dcg(3, 0, 2)", 3 / 1 + 2 / 2),
    ("dcg(3 0 2)", 4),
    ("dcg(3, 0, 2; gain=exponential)", 7 / 1 + 3 / 2),
    ("dcg(1, 2; gain=0,1,5)", 1 + 5 / 1.584962500721156),
    ("dcg(3, 0, 2; as=ORIGINAL)", 3 + 2 / 1.584962500721156),
    ("dcg(3, 0, 2; discount=rank)", 3 + 2 / 3),
    ("idcg(0, 2; judged=3, 2, 0)", 3 + 2 / 1.584962500721156),
    ("NDCG@1(2, 3)", 2 / 3),
    ("ap(1, 0, 1, 0, 1; R=4)", (1 + 2 / 3 + 3 / 5) / 4),
    ("ap(2, 0, 1; rel=2)", 1),
    ("ap(1, 0; judged=1, 1, 0)", 1 / 2),
    ("rr(0, 0, 1)", 1 / 3),
    ("p(1, 0, 1; k=2)", 1 / 2),
    ("recall(1, 0, 1; relevant=4)", 2 / 4),
    ("r_precision(1, 0, 1; R=2)", 1 / 2),
    ("success(0, 1; k=1)", 0),
    ("err(1, 1; max_rel=1)", 1 / 2 + 1 / 2 * 1 / 2 / 2),
    ("rbp(1, 0, 1; p=0.5)", 0.5 + 0.5**3),
    ("rbp(2, 0; p=0.5; max_rel=4)", 0.25),
    (r"\frac{9}{12}", 0.75),
    ("2/log2(4) - 1", 0),
    ("mean(0.960, 0.697)", 1.657 / 2),
    ("mean(ndcg(3, 2), (1 + 1)/4, mean(0, 1))", 2 / 3),
    ("ndcg(2, 3; k=1) / ap(0, 1)", 4 / 3),
    ("1e-2 + 50%", 0.51),
]


@every_row("said, value", QUANTITIES)
def test_every_measure_means_and_arithmetic_have_their_values(said, value):
    assert meant_in(said).value == pytest.approx(value, abs=1e-15)


MALFORMED = [
    # what is said, the message
    ("ndgc(3, 2)", r"expected one of ap, cg, dcg, err, .* success in front of the bracket, got 'ndgc'"),
    ("ndcg(3, x)", "grade 2: expected a printed number such as 0.63, 97.8% or 1/3, got 'x'"),
    ("ndcg(3, -1)", r"grades\[1\]: expected a grade of 0 or more, got -1"),
    ("ndcg(3, 2", r"expected a closing bracket for each opening one, got 'ndcg\(3, 2'"),
    ("ap(3, 2; gain=linear)", "expected one of k=, judged=, rel=, relevant=, slip= behind the semicolon"),
    ("ndcg(3, 2; k=2; k=3)", "expected k= once, got it twice"),
    ("ndcg(3, 2, k=2)", "expected a semicolon behind the grades, got '3, 2, k=2'"),
    ("ndcg(3, 2; k=0)", "k: expected a cutoff of at least 1, got '0'"),
    ("ap(1; R=no)", "relevant: expected a relevant of at least 1|relevant: expected a number of at least 1, got 'no'"),
    ("ndcg(3; as=USUAL)", "'USUAL'"),
    ("ndcg()", r"expected grades for ndcg, as in rbp\(1, 0; p=0.8\), got none"),
    ("rbp(1)", "expected p for rbp, as in"),
    ("rbp(1; p=80)", "persistence: expected a chance from 0 to below 1, got 80"),
    ("9/0", "expected a divisor other than 0"),
    ("9/12 = 0.75", "expected one quantity, got '9/12 = 0.75'"),
    ("", r"expected name=value, or what a number is, such as 'ndcg\(3, 0, 2; k=3\)', got nothing"),
    ("mean()", "expected an equation"),
    ("9/12; k=2", "expected one of slip= behind the semicolon, got 'k=2'"),
    ("ndcg(" + "1," * 1000 + "1)", "grades: expected at most 1,000 numbers, got 1,001"),
    ("mean(" * 50 + "1" + ")" * 50, "expected at most 40 levels of brackets, got more"),
]


MALFORMED_SETTINGS = [
    ("grade=3", "expected one of grades=, judged=, k=, as=, gain=, .* max_rel=, p=, got 'grade=3'"),
    ("grades=3, -2", r"grades\[1\]: expected a grade of 0 or more, got -2"),
    ("grades=3, x", "grade 2: expected a printed number"),
    ("k=2; k=2", "expected k= once"),
    ("max_rel=0", "highest_grade: expected a grade above 0"),
    ("grades=(3, 2", "expected a closing bracket for each opening one"),
]
NO_NUMBER = ("ndcg(3, 0, 2)", r"expected a number and what it is, such as '0.939 = ndcg\(3, 0, 2; k=3\)'")
READERS = [(meant_in, *row) for row in MALFORMED] + [(settings_in, *row) for row in MALFORMED_SETTINGS]


@every_row("reader, said, message", [*READERS, (judged_number, *NO_NUMBER)])
def test_what_is_malformed_is_refused_with_the_accepted_spellings(reader, said, message):
    with pytest.raises(ValueError, match=message):
        reader(said)


BEHIND = [
    # numbers with their comments, and what is found of each
    "It is 0.93«0.94» <!-- ndcg: ndcg(3,0,2) -->.",
    "**0.94«+»**<!--ndcg: ndcg(3,0,2)-->",
    r"$93.9\%«+»$ <!-- ndcg: ndcg(3,0,2) -->",
    "$0{,}93«0,94»$ <!-- ndcg: ndcg(3,0,2) -->",
    "1,062«+» <!-- ndcg: 1000 + 62 --> and 1,062«+» <!-- ndcg: 1.0618 -->",
    "9/12«+» <!-- ndcg: 3/4 -->",
    "| 0.94«+» <!-- ndcg: ndcg(3,0,2) --> |",
    "from 0.5 to -0.25«+» <!-- ndcg: 1/4 - 1/2 -->",
    "1«0.938557» <!-- ndcg: ndcg(3,0,2) -->",  # a bare 1 is exact
    "≈ 1«+» <!-- ndcg: ndcg(3,0,2) -->",
    "0«undefined» <!-- ndcg: ndcg(0,0) -->",
    "NDCG = 0.94«+» % ndcg: ndcg(3,0,2)\n",
    "$$\n\\mathrm{NDCG} = 0.93«0.94»\n$$\n% ndcg: ndcg(3,0,2)\n",
    "```\na 4.00«+»\nb 0.94«+»\n```\n<!-- ndcg:\n4.00 = dcg(3,0,2)\n0.94 = ndcg(3,0,2)\n-->",
    "0.5«+» and 0.5«+» <!-- ndcg: 0.5 = 1/2 --> <!-- ndcg: 0.5 = 1/log2(4) -->",
    "1.0«0.9» ≈ <!-- ndcg: 1.0 ≈ ndcg(3,0,2) -->",
    "{ndcg}`0.94«+» = ndcg(3,0,2)` and :ndcg:`0.92«0.94» = ndcg(3,0,2)`",
]


@every_row("note", BEHIND)
def test_a_number_is_what_the_comment_behind_it_says(note):
    holds(note)


OTHER = "The ranking is [3, 2, 3, 0, 1, 2], its DCG = 3 + 2/log2(3) + 3/2 + 0 + 1/log2(6) + 2/log2(7) = 6.86. "
GRADES, BINARY = "grades=3,2,3,0,1", "grades=1, 0, 1; as=STANDARD"
SETTINGS = [
    # settings, a sentence below them
    (GRADES, "NDCG = 0.972«+» and DCG is 6.15«+»."),
    (GRADES, "NDCG = 0.927«0.972»."),
    ("grades=3,2; judged=3,3,2", "The NDCG@2 is 0.87«+»."),
    ("grades=1,0,1; p=0.5", "RBP = 0.625«+»."),
    ("grades=1,0,1", "RBP = 0.4«?»."),  # not without a persistence
    (GRADES, "If it were sorted, the NDCG would be 1.00«~». The mean NDCG is 0.5«-»."),
    (GRADES, "## Another\n\nNDCG = 0.5«?»."),
    (GRADES, "Another\n-------\n\nNDCG = 0.5«?»."),
    (GRADES, "```\n# a comment\n```\nNDCG = 0.5«1.0»."),
    (f"{GRADES}; k=2", "0.87«+» <!-- ndcg: ndcg --> or 1.00«+» <!-- ndcg: ndcg@1 --> or 3«+» <!-- ndcg: dcg@1 -->"),
    ("gain=exponential; k=2", "0.83«+» <!-- ndcg: ndcg(2, 3, 0) -->, 2.6«3.0» <!-- ndcg: cg(2, 1) -->"),
    # the rest of the note, whose ranking they are right of, does not argue it away
    ("k=9", f"{OTHER}NDCG = 0.961«0.920» <!-- ndcg: ndcg(1, 0, 1) -->"),
    ("k=9", f"{OTHER}<!-- ndcg: {BINARY} -->\nNDCG = 0.961«0.920», DCG = 6.861«1.500»."),
]


@every_row("settings, sentence", SETTINGS)
def test_settings_bind_what_is_below_them_up_to_the_next_heading(settings, sentence):
    holds(f"# Of one ranking\n\n<!-- ndcg: {settings} -->\n{sentence}")


NOT_READ = [
    # a note, its findings
    ("<!-- ndcg: grade=3 -->", "expected one of grades=, judged=, k=,"),
    ("<!-- ndcg: ndcg(3,2) -->", r"expected a number right before the comment, found none \(0.94 = ndcg"),
    ("0.5 in all <!-- ndcg: 1/2 -->", "expected a number right before the comment, found none"),
    ("0.5 <!-- ndcg: 1/2 --> <!-- ndcg: 1/2 -->", "expected a number right before the comment, found none"),
    ("0.5\n# Below\n<!-- ndcg: 0.5 = 1/2 -->", "expected '0.5' above the comment in its section, found none"),
    ("0.55 <!-- ndcg: 0.5 = 1/2 -->", "expected '0.5' above the comment in its section, found none"),
    ("0.5 <!-- ndcg: -->", "expected name=value, or what a number is, such as .*, got nothing"),
    ("0.5 % ndcg: foo(1)", "expected one of ap, cg,"),
    ("0.93 <!-- ndcg: ndcg(3,0,2; slip=term) -->", "the note declares slip=term, but the printed value is consistent"),
    ("0.94 <!-- ndcg: ndcg(3,0,2; slip=no) -->", "slip: expected one of quantity, "),
]


@every_row("note, message", NOT_READ)
def test_a_comment_that_is_malformed_is_a_finding_with_its_line(note, message):
    (found,) = (each for each in check_note(f"First.\n\n{note}") if each.outcome == "malformed")
    assert found.is_wrong
    assert found.line == 3 + note.count("\n")
    assert re.search(message, str(found))


def test_comments_are_read_in_pages_and_notebooks():
    page = "<h2>A</h2><!-- ndcg: grades=3,0,2 --><p>NDCG = 0.93«0.94», <b>4.0«+»</b><!-- ndcg: dcg --></p><h2>B</h2>"
    holds(f"{page}NDCG = 0.5«?»", "html")
    bound = "<!-- ndcg: grades=3,0,2 -->\nNDCG = 0.93«0.94»"
    code, behind = (
        cell(code="# no heading", printed="NDCG = 0.94«+»"),
        "# B\n\U0001d465, é: 4.00«+» <!-- ndcg: dcg(3,0,2) -->",
    )
    holds(notebook(text(bound), code, text(behind)), "notebook")


OTHERS = ["<!-- NDCG: later -->", "<!-- ndcg-ref: ignore, quoted -->", r"75\% ndcg: 0.5", "# ndcg: a measure"]


@every_row("note", [*OTHERS, "`<!-- ndcg: … -->`", "`% ndcg: …`", "'% ndcg: ...'"])
def test_other_comments_and_those_that_are_quoted_say_nothing(note):
    holds(f"{note}\n\nNDCG = 3/4 = 0.75«+».\n{note}")


def test_too_many_comments_are_data():
    with pytest.raises(ValueError, match="expected a note of at most 5000 comments of ndcg, found more"):
        check_note("1 <!-- ndcg: 1 -->" * 5001)


def test_the_command_reports_what_is_malformed_and_passes_what_is_declared(tmp_path, capsys):
    note = tmp_path / "note.md"
    note.write_text("It is 0.93 <!-- ndcg: ndcg(3,0,2; slip=truncated) -->, then 0.75 <!-- ndcg: 9/12 -->.\n")
    assert main(["check", str(note)]) == 0
    output, errors = capsys.readouterr()
    assert output == "1 found: 1 agrees, 0 slip\n"
    assert "1 slip ignored by a comment on the line, or declared" in errors
    note.write_text("It is 0.93\n<!-- ndcg: ndgc(3,0,2) -->\n")
    assert main(["check", str(note)]) == 1
    output, _ = capsys.readouterr()
    assert "note.md:2:1: ✗ malformed: expected one of ap, cg, dcg," in output
    assert "1 found: 0 slip, 1 malformed" in output

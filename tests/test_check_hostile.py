"""Nothing that a note holds brings `ndcg-ref check` to a traceback, or makes it work for long."""

import json
import sys
import time

import pytest
from commands import run
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row
from steps import steps

from ndcg_ref.commands.cli import main
from ndcg_ref.commands.corrections import corrected
from ndcg_ref.commands.findings_formats import FORMATS, FileFinding, Report
from ndcg_ref.commands.note_files import LARGEST, Note, content_of
from ndcg_ref.notes import check_note, read_note
from ndcg_ref.notes.documents import format_of

ENDINGS = (" found: ", "found none in these notes", "(is this data?)")
CELLS = [None, 1, {"source": 3, "outputs": [4, {"data": 5}]}]
RELATED_COLUMNS = f"{'|c' * 12}|\n{'|-' * 12}|\n{chr(10).join('|1.00' * 12 for _ in range(40))}\n\n"
DIVIDED = """Grades 1, 3, 2, 0, 2.
| r | g | ln(r+1) | g/ln(r+1) |
| 1 | 1 | 0.6931 | 1.4427 |
| 2 | 3 | 1.0986 | 2.7307 |
| 3 % | 4 | 0 | 1.6094 | 0 |
| 5 | 2 | 1.7918 | 1.1162 |
"""
HOSTILE = [
    # name of the file, what it holds
    ("a power tower", "a.md", "DCG = 2^{2^{40}} = 4"),
    ("ten thousand braces", "a.md", f"DCG = {'{' * 10_000}3{'}' * 10_000} = 3"),
    ("ten thousand brackets", "a.md", f"DCG = {'(' * 10_000}3{')' * 10_000} = 3"),
    ("brackets that nothing closes", "a.md", "[" * 100_000),
    ("fractions in fractions", "a.md", rf"DCG = {chr(92)}frac{{1}}{{" * 10_000),
    ("a hundred thousand terms", "a.md", f"DCG = {' + '.join(['1'] * 100_000)} = 100000"),
    ("a huge quotient", "a.md", f"DCG = 9{'9' * 4_000}/3 = {'3' * 4_001}"),
    ("a name and many blanks", "a.md", f"NDCG{' ' * 30_000}x"),
    ("a long word", "a.md", "a" * 100_000),
    ("backslashes", "a.md", "\\" * 100_000),
    ("a long table", "a.md", f"| rank | grade |\n|---|---|\n{'| 1 | 3 |' + chr(10):s}" * 5_000),
    ("columns that are all related", "a.md", 30 * RELATED_COLUMNS),
    ("a row that would divide by zero", "a.md", DIVIDED),
    ("a total of a zero with a sign", "a.md", "|q|P|\n|-|-|\n|a|1.00|\n|b|−0|\n|c|1.00|\n|mean|0.67|\n"),
    ("calls that nothing closes", "a.md", "ndcg([1," * 40_000),
    ("open tags", "a.html", "<" * 100_000),
    ("open scripts", "a.html", "<script>" * 5_000),
    ("open fractions of MathML", "a.html", "<math>" + "<mfrac>" * 15_000),
    ("blanks in MathML", "a.html", f"<math><msub><mrow><mn>{' ' * 100_000}"),
    ("open entities", "a.html", "&#" * 150_000),
    ("a notebook of one line", "a.ipynb", json.dumps({"cells": [{"source": "DCG = 4.0 " * 20_000}]})),
    ("a notebook of many cells", "a.ipynb", json.dumps({"cells": [{"source": ["a\n"]}] * 10_000})),
    ("a notebook without cells", "a.ipynb", json.dumps({"cells": CELLS})),
]


@every_row("what, name, text", HOSTILE)
def test_a_note_made_to_harm_ends_after_few_steps_and_with_a_reason(what, name, text, check):
    assert steps(check_note, text, format_of(name)) < 500_000 + 100 * len(text)
    code, out, err = check({name: text}, name)
    assert code in (0, 1, 2)
    assert err.count("\n") == code // 2
    assert any(ending in out + err for ending in ENDINGS)


def test_a_line_of_a_hundred_megabytes_is_refused_with_its_reason(check, tmp_path):
    with open(tmp_path / "a.md", "wb") as file:
        file.truncate(100_000_000)
    assert len(content_of("a.md")) == LARGEST + 1  # no more is read
    code, _, err = check({}, "a.md")
    refused = f"a.md: expected a note of at most {LARGEST // 10**6} MB, found a larger file"
    assert (code, err) == (2, f"ndcg-ref check: {refused}\n")


SLIP = "Grades [3, 0, 2].\n\nDCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.01\n\n"  # 3 + 0 + 2/2 is 4
TABLE = "| rank | grade | {} |\n|---|---|---|\n| 1 | 3 | {} |\n| 2 | {} | {} |\n| 3 | 2 | {} |\n"
RELATED = f"|a|b|c|\n|-|-|-|\n{'|1e400|3|3.00|' + chr(10)}{'|1e400|0|3.00|' + chr(10)}{'|1e400|2|4.00|' + chr(10)}"
SMALL = "2|3|1.58|3|2|1.26\n|||.0||2|1\n4||1e-400||1|3\n\nDCG = 3/1 = 3\n"
UNNAMED = "the note does not say what it is"
NEGATIVE, HUGE = "expected a grade of 0 or more, got -1", "expected a grade below 1024, got 2000"
WITHOUT_GAIN = [
    # what stands behind a note with a slip, the verdict on its last number, the reason where that is unchecked
    ("a table with a negative grade", TABLE.format("x", 3, -1, 0, "2.00"), "unchecked", UNNAMED),
    ("a call with a negative grade", "dcg([-1, 2, 2]) = 2.26\n", "unchecked", NEGATIVE),
    ("a call with no number", "dcg([nan, 2, 2]) = 2.26\n", "unchecked", "expected a finite number, got nan"),
    # (4 - 20)/1 + 1/log2(3) = -15.37
    ("a negative gain with a power", "DCG = (2^2-20)/log2(2) + (2^1-1)/log2(3) = 1.00\n", "slip", ""),
    ("a column with too large a number", TABLE.format("DCG", "3.00", 0, "1e400", "4.00"), "agrees", ""),
    ("a column with too small a number", SMALL, "agrees", ""),
    ("a term that is too large", "DCG = 7 + 1e308 + 1.5 + 0.43 = 10.82\n", "slip", ""),
    ("a divisor that should be 0", "$x = 0+0 = 5.693$ and $y = 4/5.693 = 2$\n", "unchecked", "should be 0"),
    ("a call with a cutoff of 0", "ndcg([3, 0, 2], k=0) = 0.94\n", "agrees", ""),  # 4/4.26
]


@every_row("what, behind, outcome, reason", WITHOUT_GAIN)
def test_a_number_that_has_no_gain_loses_no_other_number_of_its_note(what, behind, outcome, reason, check):
    code, out, err = check({"a.md": SLIP + behind}, "a.md", "--format", "json")
    first, *_, last = json.loads(out)["findings"]
    assert (code, err) == (1, "")
    assert (first["stated"], first["outcome"]) == ("4.01", "slip")
    assert last["outcome"] == outcome
    assert last["explanation"].endswith(reason)
    assert check({}, "a.md", "--explain")[2] == ""


@every_row("end, mark", [("\n", ""), ("\r\n", ""), ("\n", "\ufeff")])
def test_ends_of_lines_and_a_byte_order_mark_move_no_place(end, mark, check):
    code, out, err = check({"a.md": mark + SLIP.replace("\n", end)}, "a.md")
    assert (code, err) == (1, "")
    _, place, line, caret, _ = out.split("\n", 4)
    assert place.startswith("a.md:3:45: ✗ slip: DCG@3: stated 4.01")
    assert line[caret.index("^") :] == "4.01"


# Parts of notes, so that what is drawn is read as one, and signs that end or begin something
PARTS = [
    *("DCG", "NDCG@3", "IDCG", "the ideal", "grades", "[3, 2, 0]", "rank", "| 1 | 3 |", "|---|---|", "\n", "\n\n", " "),
    *("\t", *"=≈→+-*/^()[]{}$`&%,", "$$", "**", "\\\\", "3", "0", "0.63", "1,585", "0{,}63", "1e9", ".5"),
    *("9" * 400, "log2(3)", "log(2)", "ln 2", "√", "2^", r"\frac{3}{2}", r"\log_{2}", r"\sum_{i=1}^{3}", r"\text{DCG}"),
    *(r"\begin{align}", r"\mathrm{", "ndcg([3, 2], k=2)", "<td>", "</tr>", "<sub>", "<!--", "&nbsp;"),
    *("\U0001d465", "\u2028", "\r", "\0", "\uff0c", "相关性", "expected", "should be", "MRR", "P@5"),
    *("relevant: {A, B}", "A (2)", "1. A (relevance = 2)", "ndcg-ref: ignore x", "100%", "1/0", "&#x", "✓", "✗", "é"),
]
NOTES = st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=40).map("".join)


@given(text=NOTES, form=st.sampled_from(["text", "html", "notebook"]))
def test_any_note_is_read_printed_and_corrected_once(text, form):
    if form == "notebook":
        text = json.dumps({"cells": [{"source": text.splitlines(keepends=True), "outputs": [{"text": text}]}]})
    findings = check_note(text, form)
    for each in findings:
        assert text[each.offset : each.offset + each.length] == each.stated
        assert text.count("\n", 0, each.offset) == each.line - 1
    report = Report([FileFinding("a", text, each) for each in findings], [Note("a", text)], unchecked=True)
    for form_of in FORMATS.values():
        assert all(isinstance(line, str) for line in form_of(report))
    done, _ = corrected(text, lambda note: check_note(note, form), form)
    assert corrected(done, lambda note: check_note(note, form), form)[0] == done
    if form == "notebook":
        json.loads(done)


REPEATED = [
    # what a note repeats, its format
    ("ndcg([1, 2, 3], k=2) -> 0.95\n", "text"),
    ("Grades [3, 0, 2]. DCG = 3/1 + 2/2 = 4.00\n\n", "text"),
    ("1\t2\t3\t4\n", "text"),
    ("<!--", "html"),
    ("<!-- 1 --><style>2</style>", "html"),
]


def seconds_for(text, form):
    start = time.process_time()
    check_note(text, form)
    return time.process_time() - start


@pytest.mark.slow
@every_row("part, form", REPEATED)
def test_the_time_for_a_note_does_not_grow_as_the_square_of_its_length(part, form):
    """Both times are of the same processor; what else it does may slow one of them, but not each time."""
    short = part * (5_000 // len(part))
    seconds_for(part, form)  # which compiles the patterns
    ratios = (seconds_for(short * 8, form) / seconds_for(short, form) for _ in range(4))
    assert any(ratio < 3 * 8 for ratio in ratios)  # as a square it would be 64 times


EXAMPLES = "".join(f"Grades [3, {i % 4}, 2].\n\nDCG@3 = 3 + {i % 4}/log2(3) + 2/2 = 9.99\n\n" for i in range(40))
SHORT_OF_STEPS = [
    # the note, the steps, whether it is read to its end
    ("too few for the first example", EXAMPLES, 40, False),
    ("enough for all", EXAMPLES, 100_000, True),
    ("the prose below is too long", EXAMPLES + "Prose.\n\n" * 100_000, 100_000, False),
]


@every_row("what, note, count, whole", SHORT_OF_STEPS)
def test_of_a_note_that_takes_more_steps_the_first_part_is_judged_and_the_rest_named(what, note, count, whole, check):
    code, out, err = check({"a.md": note}, "a.md", "--steps", str(count), "--format", "json")
    found = json.loads(out)
    line = found["unread"][0]["line"] if found["unread"] else 0
    left = f"line {line} and all below it were not read: that takes more than {count} steps"
    assert err == ("" if whole else f"ndcg-ref check: a.md: {left} (--steps allows more)\n")
    assert code == (1 if whole else 2)
    read = range(min(40, (line - 1) // 4) if line else 40)
    assert [each["line"] for each in found["findings"] if each["stated"] == "9.99"] == [4 * i + 3 for i in read]
    if not whole:
        with pytest.raises(ValueError, match=f"at most {count} steps, found more from line {line} on"):
            check_note(note, steps=count)


def test_a_logarithm_without_a_base_is_tried_with_each_and_takes_as_many_steps():
    two, three = (read_note(note, steps=1_500).unread for note in (EXAMPLES, EXAMPLES.replace("log2", "log")))
    assert 1 < three < two < 160


READ = [
    # what a note of this length repeats: worked examples, and prose
    (EXAMPLES, 40_000),
    ("People give grades to the documents of a ranking. " * 20 + "\n\n", 2_000_000),
]


@pytest.mark.slow
@every_row("part, length", READ)
def test_a_long_lecture_and_a_whole_book_are_read_to_the_end(part, length):
    read = read_note(part * (length // len(part) + 1) + SLIP)
    assert not read.unread
    assert read.findings[-1].stated == "4.01"


@every_row("steps", ["0", "-1", "many", "1.5", "", "9" * 13])
def test_steps_are_a_whole_number(steps, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["check", "a.md", f"--steps={steps}"])
    assert "--steps: expected a whole number from 1 to" in capsys.readouterr().err


MEMORY = """
from contextlib import suppress
from ndcg_ref.notes import check_note
with suppress(ValueError):
    check_note({part!r} * {count})
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@every_row("part", ["1\t2\t3\t4\n", "ndcg([1, 2, 3], k=2)\n"])
def test_a_note_of_400_000_characters_takes_at_most_64_megabytes_and_20_times_its_size(part):
    done = run(sys.executable, "-c", MEMORY.format(part=part, count=400_000 // len(part)))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) * 1024 <= 64e6 + 20 * 400_000

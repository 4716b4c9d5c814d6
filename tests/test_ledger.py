"""The ledger is every verdict that the chapters have stored, and its counts speak of the notes' numbers alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from ndcg_ref.stated import judge, ledger
from ndcg_ref.stated.forms import bundle, in_dollars, literal
from ndcg_ref.stated.verdict import Statement

MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# Notes on $x$\n", "\n", "## Sums"]}
AGREES = judge("8.33", 8.3255, "DCG 2")
SLIP = judge("8.32", 8.3255, "DCG 3")
PARTED = "the print has 8.32: here the print parts"
UNDEFINED = judge("0.5", float("nan"), "NDCG of the empty query")
UNCHECKED = judge("0.5", None, "MAP", reason="needs the run")
TRUE = Statement(sentence="NDCG is at most 1", truth=True)
FALSE = Statement(sentence="DCG falls", truth=False, counterexample="[1, 1]", declared="it grows", correct="it [rises]")


def cell(*verdicts):
    """A cell of code with one output for these verdicts, as a notebook stores it."""
    data = bundle([verdict.record() for verdict in verdicts])
    stream = {"output_type": "stream", "name": "stdout", "text": "printed"}
    return {
        "cell_type": "code",
        "metadata": {},
        "source": "check(…)",
        "execution_count": None,
        "outputs": [stream, {"output_type": "display_data", "data": data, "metadata": {}}],
    }


def notebook(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"cells": [MARKDOWN, *cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def as_term(verdict, name):
    """A verdict on a term of a line."""
    return replace(verdict, name=name, kind="term")


@pytest.fixture
def book(tmp_path):
    """Two notes and a chapter on a concept."""
    notes = tmp_path / "book" / "notes"
    notebook(notes / "alpha.ipynb", cell(AGREES, SLIP), cell(as_term(SLIP, "DCG 3, term 1")), cell(TRUE))
    notebook(notes / "beta.ipynb", cell(UNDEFINED), cell(UNCHECKED), cell(FALSE))
    notebook(tmp_path / "book" / "concepts" / "discount.ipynb", cell(AGREES))
    return tmp_path / "book"


ENTRIES = [
    # chapter  note  kind  name  outcome
    ("book/concepts/discount.ipynb", None, "number", "DCG 2", "agrees"),
    ("book/notes/alpha.ipynb", "alpha", "number", "DCG 2", "agrees"),
    ("book/notes/alpha.ipynb", "alpha", "number", "DCG 3", "slip"),
    ("book/notes/alpha.ipynb", "alpha", "term", "DCG 3, term 1", "slip"),
    ("book/notes/alpha.ipynb", "alpha", "sentence", "NDCG is at most 1", "agrees"),
    ("book/notes/beta.ipynb", "beta", "number", "NDCG of the empty query", "undefined"),
    ("book/notes/beta.ipynb", "beta", "number", "MAP", "unchecked"),
    ("book/notes/beta.ipynb", "beta", "sentence", "DCG falls", "slip"),
]


def test_entries_stand_in_the_order_of_chapters_and_cells(book):
    found = [
        tuple(entry[key] for key in ("chapter", "note", "kind", "name", "outcome")) for entry in ledger(book).entries
    ]
    assert found == ENTRIES


def test_a_path_may_be_a_text(book):
    assert ledger(str(book)) == ledger(book)


def test_each_entry_has_the_same_keys(book):
    keys = "note name label kind stated computed computed_text correct outcome causes declared evidence explanation"
    assert {tuple(entry) for entry in ledger(book).entries} == {
        tuple(f"{keys} steps status printed title section chapter".split())
    }


def test_an_entry_is_what_the_verdict_recorded(book):
    [entry] = [entry for entry in ledger(book).entries if entry["name"] == "DCG 3"]
    assert entry == {
        "note": "alpha",
        "name": "DCG 3",
        "label": "verdict-dcg-3",
        "kind": "number",
        "stated": "8.32",
        "computed": 8.3255,
        "computed_text": "8.32550",
        "correct": "8.33",
        "outcome": "slip",
        "causes": ["truncated"],
        "declared": None,
        "evidence": ["truncated: 8.32550, cut to 8.32"],
        "explanation": "consistent with truncated",
        "steps": [f"the exact value is 8.32550, rounded to 2 decimals 8.33; {PARTED}"],
        "status": "explained",
        "printed": None,
        "title": "Notes on $x$",
        "section": "Sums",
        "chapter": "book/notes/alpha.ipynb",
    }


COUNTS = [
    # key  count  why
    ("checked", 3, "DCG 2, DCG 3 and the undefined one; not the term, the sentences, the concept"),
    ("agrees", 1, "DCG 2 of the note, not that of the concept"),
    ("slip", 1, "DCG 3, not its term, not the sentence"),
    ("undefined", 1, "the empty query was looked at"),
    ("unchecked", 1, "MAP was not"),
]


@pytest.mark.parametrize(("key", "count", "why"), COUNTS)
def test_counts_speak_of_the_numbers_of_the_notes(book, key, count, why):
    assert ledger(book).counts[key] == count


def test_counts_are_told_by_note(book):
    assert ledger(book).counts["by_note"] == {
        "alpha": {"checked": 2, "agrees": 1, "slip": 1, "undefined": 0, "unchecked": 0},
        "beta": {"checked": 1, "agrees": 0, "slip": 0, "undefined": 1, "unchecked": 1},
    }


def test_slips_are_those_entries_alone(book):
    assert [entry["name"] for entry in ledger(book).slips.entries] == ["DCG 3", "DCG 3, term 1", "DCG falls"]


def test_lines_are_one_a_verdict(book):
    assert ledger(book).lines == [
        "book/concepts/discount.ipynb: ✓ agrees: DCG 2: stated 8.33, correct 8.33",
        "book/notes/alpha.ipynb: ✓ agrees: DCG 2: stated 8.33, correct 8.33",
        "book/notes/alpha.ipynb: ✗ slip: DCG 3: stated 8.32, correct 8.33; consistent with truncated",
        "book/notes/alpha.ipynb: ✗ slip: DCG 3, term 1: stated 8.32, correct 8.33; consistent with truncated",
        "book/notes/alpha.ipynb: ✓ agrees: NDCG is at most 1",
        "book/notes/beta.ipynb: ∅ undefined: NDCG of the empty query: stated 0.5, correct None",
        "book/notes/beta.ipynb: ○ unchecked: MAP: stated 0.5, correct None",
        "book/notes/beta.ipynb: ✗ slip: DCG falls; not so: [1, 1] (it grows); correction: it [rises]",
    ]


def test_totals_are_one_a_note_and_one_for_all(book):
    assert ledger(book).totals == [
        "alpha: 2 checked, 1 agrees, 1 slip, 0 undefined, 0 unchecked",
        "beta: 1 checked, 0 agrees, 0 slip, 1 undefined, 1 unchecked",
        "all notes: 3 checked, 1 agrees, 1 slip, 1 undefined, 1 unchecked",
    ]


def test_str_is_the_lines_and_the_totals(book):
    found = ledger(book)
    assert str(found).splitlines() == found.lines + found.totals


def test_json_holds_counts_and_entries(book):
    found = ledger(book)
    assert json.loads(json.dumps(found.as_json(), allow_nan=False)) == {
        "counts": found.counts,
        "entries": [dict(entry) for entry in found.entries],
    }


def test_scores_are_a_table_in_markdown(book):
    assert ledger(book).scores.splitlines() == [
        "| note | checked | agrees | slip | undefined | unchecked |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| alpha | 2 | 1 | 1 | 0 | 0 |",
        "| beta | 1 | 0 | 0 | 1 | 1 |",
        "| all notes | 3 | 1 | 1 | 1 | 1 |",
    ]


BESIDES = [
    # of  said  why
    (
        lambda whole: whole,
        "numbers 1, terms of lines 1, statements in words 2",
        "all: the number is that of another chapter",
    ),
    (lambda whole: whole.slips, "terms of lines 1, statements in words 1", "the slips"),
]


@pytest.mark.parametrize(("of", "said", "why"), BESIDES)
def test_what_is_listed_and_not_counted_is_told(book, of, said, why):
    assert of(ledger(book)).besides == f"listed, and not counted above: {said}"


def test_where_all_is_counted_there_is_nothing_besides(tmp_path):
    notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(AGREES))
    assert ledger(tmp_path / "book").besides == ""


def test_corrections_are_a_list_for_each_note(book):
    assert ledger(book).corrections.split("\n\n") == [
        "**Notes on $x$**",
        "- [alpha: DCG 3](#alpha-verdict-dcg-3): for 8.32 read 8.33 (consistent with truncated)\n"
        "- [alpha: DCG 3, term 1](#alpha-verdict-dcg-3-term-1): for 8.32 read 8.33 (consistent with truncated)",
        "**Notes on $x$**",
        "- [beta: DCG falls](#beta-verdict-dcg-falls): it \\[rises\\] (it grows)",
    ]


SECTIONS = f"""\
Entries in all: 3 (numbers 1, terms of lines 1, statements in words 1).

## Notes on $x$

(alpha-verdict-dcg-3)=
### DCG 3

- **Place:** [Notes on $x$](notes/alpha.ipynb#verdict-dcg-3), section “Sums”: DCG 3
- **Print:** 8.32
- **Recomputed:** the exact value is 8.32550, rounded to 2 decimals 8.33; {PARTED}
- **Cause:** consistent with truncated: 8.32550, cut to 8.32
- **Correction:** for 8.32 read 8.33
- **Status:** explained

(alpha-verdict-dcg-3-term-1)=
### DCG 3, term 1

- **Place:** [Notes on $x$](notes/alpha.ipynb#verdict-dcg-3-term-1), section “Sums”: DCG 3, term 1
- **Print:** 8.32
- **Recomputed:** the exact value is 8.32550, rounded to 2 decimals 8.33; {PARTED}
- **Cause:** consistent with truncated: 8.32550, cut to 8.32
- **Correction:** for 8.32 read 8.33
- **Status:** explained

## Notes on $x$

(beta-verdict-dcg-falls)=
### DCG falls

- **Place:** [Notes on $x$](notes/beta.ipynb#verdict-dcg-falls), section “Sums”: a statement in words
- **Print (in our words):** DCG falls
- **Recomputed:** \\[1, 1\\]: here it fails
- **Cause:** it grows
- **Correction:** it \\[rises\\]
- **Status:** explained"""


def test_a_statement_that_its_chapter_does_not_declare_has_one_too(tmp_path):
    """A notebook that was saved after its cell had stopped."""
    notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(Statement(sentence="DCG falls", truth=False)))
    found = ledger(tmp_path / "book")
    assert found.lines == ["book/notes/x.ipynb: ✗ slip: DCG falls; not so"]
    assert found.corrections.endswith("- [x: DCG falls](#x-verdict-dcg-falls): not given (not given)")
    assert found.sections.splitlines()[-4:] == [
        "- **Recomputed:** not given",
        "- **Cause:** not given",
        "- **Correction:** not given",
        "- **Status:** unexplained",
    ]


def test_every_slip_of_a_note_has_a_section(book):
    notebook(book / "concepts" / "gain.ipynb", cell(judge("8.32", 8.3255, "of no note")))
    assert ledger(book).sections == SECTIONS


LOG = judge("1.59", 1.584962500721156, "log _2 [3]")
QUOTIENT = judge("0.31", 0.315464876786, "quotient", operands=("0.5", LOG), working=lambda grade, log: grade / log)
OPERAND = r"log \_2 \[3\]"
LINKED = [
    # verdicts of the note  second step of the quotient  why
    (
        [LOG, QUOTIENT],
        f"1.59 stands for [{OPERAND}](#x-verdict-log-2-3), exactly 1.58496",
        "to the entry of its operand",
    ),
    ([QUOTIENT], f"1.59 stands for {OPERAND}, exactly 1.58496", "not where that has none"),
]


@pytest.mark.parametrize(("verdicts", "step", "why"), LINKED, ids=[row[2] for row in LINKED])
def test_a_step_links_to_the_entry_of_an_operand(tmp_path, verdicts, step, why):
    notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(*verdicts))
    entry = ledger(tmp_path / "book").sections.partition("### Quotient\n")[2]
    assert f"  1. {step}, a slip of its own: here the print parts\n" in entry


TOLD = [
    # verdict  lines of its entry  why
    (LOG, [r"### Log \_2 \[3\]", "  - consistent with rounded-up: 1.58496, raised to 1.59"], "several causes"),
    (
        judge("0.589", 0.579, "x"),
        ["- **Cause:** unexplained: no cause that this book knows gives the print", "- **Status:** unexplained"],
        "no cause",
    ),
    (
        as_term(judge("1/4", 1 / 3, "x"), r"y"),
        ["- **Print:** 1/4", "- **Correction:** for 1/4 read 1/3"],
        "a fraction",
    ),
    (
        replace(as_term(judge("1/4", 1 / 3, "x"), "y"), formula=r"\frac{1}{3}"),
        [r"- **Correction:** for 1/4 read $\frac{1}{3}$"],
        "a formula",
    ),
    (
        judge("8.32", 8.3255, "x", rivals={"term": {str(i): i / 100 for i in range(700, 900)}}),
        ["- **Chance:** 0.60 of the wrong prints nearby would have a cause as well, so this is weak evidence"],
        "what chance explains, and not among the causes",
    ),
    (
        judge("3.33", 4.0, "x", rivals={"term": {"rank_1": 3.33}}),
        [r"- **Cause:** consistent with term: rank\_1 gives 3.33"],
        "text of others",
    ),
]


@pytest.mark.parametrize(("verdict", "lines", "why"), TOLD, ids=[row[2] for row in TOLD])
def test_an_entry_says(tmp_path, verdict, lines, why):
    notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(verdict))
    assert set(lines) - set(ledger(tmp_path / "book").sections.splitlines()) == set()


PLACES = [
    # path  note  why
    ("notes/x.ipynb", "x", "a note lies in notes"),
    ("concepts/y.ipynb", None, "a concept does not"),
    ("notes.ipynb", None, "nor a chapter of that name"),
    ("notes/more/z.ipynb", None, "nor what lies deeper"),
]


@pytest.mark.parametrize(("path", "note", "why"), PLACES)
def test_a_note_lies_in_a_folder_named_notes(tmp_path, path, note, why):
    notebook(tmp_path / "book" / path, cell(AGREES))
    [entry] = ledger(tmp_path / "book").entries
    assert (entry["note"], entry["chapter"]) == (note, f"book/{path}")


def test_one_notebook_is_a_ledger_of_its_own(book):
    found = ledger(book / "notes" / "alpha.ipynb").entries
    assert {(entry["note"], entry["chapter"]) for entry in found} == {("alpha", "book/notes/alpha.ipynb")}


HIDDEN = [".ipynb_checkpoints/x.ipynb", "_build/notes/x.ipynb", "notes/.ipynb_checkpoints/x.ipynb", ".x.ipynb"]


@pytest.mark.parametrize("path", HIDDEN)
def test_what_is_hidden_or_built_is_passed_over(book, path):
    notebook(book / path, cell(judge("1", 2, "hidden")))
    assert "hidden" not in {entry["name"] for entry in ledger(book).entries}


def test_a_book_below_a_hidden_folder_is_read(tmp_path):
    notebook(tmp_path / ".hidden" / "book" / "notes" / "x.ipynb", cell(AGREES))
    assert len(ledger(tmp_path / ".hidden" / "book").entries) == 1


def test_the_same_name_may_stand_in_two_chapters(book):
    assert [entry["name"] for entry in ledger(book).entries].count("DCG 2") == 2


TWICE = [
    # names  message  why
    (
        ("DCG 2", "DCG 2"),
        r"notes/x\.ipynb: expected a name or label of its own .*, got 'verdict-dcg-2' for 'DCG 2' and for 'DCG 2'",
        "the same",
    ),
    (("DCG 2", "dcg, 2"), r"for 'dcg, 2' and for 'DCG 2'", "the same id on the page"),
]


@pytest.mark.parametrize(("names", "message", "why"), TWICE)
def test_a_name_that_occurs_twice_in_a_chapter_is_refused(tmp_path, names, message, why):
    notebook(tmp_path / "notes" / "x.ipynb", *(cell(judge("8.33", 8.3255, name)) for name in names))
    with pytest.raises(ValueError, match=message):
        ledger(tmp_path)


RECORD = AGREES.record()


def with_record(**changes):
    output = {"data": {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [{**RECORD, **changes}]}}}
    return json.dumps({"cells": [{"outputs": [output]}]})


UNREADABLE = [
    # text  why
    ("", "empty"),
    ("{", "broken JSON"),
    ("[]", "a list"),
    ("5", "a number"),
    ("{}", "no cells"),
    ('{"cells": 5}', "cells are no list"),
    ('{"cells": ["x"]}', "a cell is no mapping"),
    ('{"cells": [{"outputs": null}]}', "outputs are no list"),
    ('{"cells": [{"outputs": [{"data": null}]}]}', "data are no mapping"),
    ('{"cells": [{"outputs": [{"data": {"application/vnd.ndcg-ref.verdicts+json": 5}}]}]}', "a payload is no mapping"),
    (
        '{"cells": [{"outputs": [{"data": {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [{}]}}}]}]}',
        "a record without its keys",
    ),
    (with_record(name=5), "a name is no text"),
    (with_record(name=None), "a name is missing"),
    ("[" * 100_000, "JSON too deep to read"),
]


@pytest.mark.parametrize(("text", "why"), UNREADABLE, ids=[row[1] for row in UNREADABLE])
def test_a_notebook_that_cannot_be_read_is_refused_by_name(tmp_path, text, why):
    (tmp_path / "x.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.ipynb: expected"):
        ledger(tmp_path)


def test_a_notebook_in_another_encoding_is_refused_by_name(tmp_path):
    (tmp_path / "x.ipynb").write_bytes(b'{"cells": ["\xe9"]}')
    with pytest.raises(ValueError, match=r"x\.ipynb: expected a notebook with stored verdicts, .*UnicodeDecodeError"):
        ledger(tmp_path)


def test_a_folder_that_is_named_like_a_notebook_is_refused_by_name(tmp_path):
    (tmp_path / "x.ipynb").mkdir()
    with pytest.raises(ValueError, match=r"x\.ipynb: expected a notebook with stored verdicts"):
        ledger(tmp_path)


def test_a_folder_without_notebooks_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"expected at least one notebook \(\.ipynb\), found none"):
        ledger(tmp_path)


def test_a_folder_with_hidden_notebooks_alone_is_refused(tmp_path):
    notebook(tmp_path / ".hidden" / "x.ipynb", cell(AGREES))
    with pytest.raises(ValueError, match="expected at least one notebook"):
        ledger(tmp_path)


def test_notebooks_without_a_verdict_are_refused(tmp_path):
    notebook(tmp_path / "x.ipynb", {"cell_type": "code", "source": "1 + 1", "outputs": []})
    with pytest.raises(
        ValueError, match=r"expected verdicts in the stored outputs, found none \(have the notebooks been"
    ):
        ledger(tmp_path)


NO_PATH = [
    # path  why
    ("no/such/book", "nothing there"),
    ("a\0b", "no path at all"),
    ("a" * 5000, "longer than any path"),
]


@pytest.mark.parametrize(("path", "why"), NO_PATH, ids=[row[1] for row in NO_PATH])
def test_a_path_that_leads_nowhere_is_refused(path, why):
    with pytest.raises(ValueError, match="expected a folder with notebooks, or a notebook, found nothing there"):
        ledger(path)


def test_chapters_stand_in_the_order_of_the_table_of_contents(book):
    (book.parent / "_toc.yml").write_text("root: book/notes/beta\nchapters:\n- file: book/concepts/discount\n")
    notes = list(dict.fromkeys(entry["chapter"] for entry in ledger(book / "notes").entries))
    assert notes == ["book/notes/beta.ipynb", "book/notes/alpha.ipynb"]  # what is not listed comes last
    every = list(dict.fromkeys(entry["chapter"] for entry in ledger(book).entries))
    assert every == ["book/notes/beta.ipynb", "book/concepts/discount.ipynb", "book/notes/alpha.ipynb"]


def test_a_chapter_without_a_title_is_called_by_its_name(tmp_path):
    chapter = notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(SLIP))
    content = json.loads(chapter.read_text(encoding="utf-8"))
    chapter.write_text(json.dumps({**content, "cells": content["cells"][1:]}), encoding="utf-8")
    assert "## x\n" in ledger(chapter).sections
    assert "[x](notes/x.ipynb#verdict-dcg-3): DCG 3" in ledger(chapter).sections


def test_notes_lie_in_the_folder_notes_of_a_book(tmp_path):
    notebook(tmp_path / "course" / "notes" / "x.ipynb", cell(judge("1", 2, "x")))
    entry = ledger(tmp_path / "course").entries[0]
    assert (entry["note"], entry["chapter"]) == (None, "notes/x.ipynb")


def test_a_chapter_has_one_path_however_it_is_reached(book):
    paths = {ledger(where).entries[0]["chapter"] for where in (book / "notes" / "alpha.ipynb", book / "notes")}
    assert paths == {"book/notes/alpha.ipynb"}


CONFIG = yaml.safe_load((Path(__file__).parent.parent / "_config.yml").read_text(encoding="utf-8"))
MYST = create_md_parser(
    MdParserConfig(enable_extensions=set(CONFIG["parse"]["myst_enable_extensions"])), RendererHTML
)  # as the book reads it


def tokens(markdown):
    """Every piece that MyST sees, blocks and what stands in them, as (type, content)."""
    blocks = MYST.parse(markdown)
    return [(each.type, each.content) for block in blocks for each in (block, *(block.children or ()))]


OURS = {"text", "math_inline", "heading", "paragraph", "inline", "link", "strong", "softbreak", "myst_target"}
OURS |= {"bullet_list", "ordered_list", "list_item", "code_inline"}
HOSTILE = [
    # text  why
    ('"><script>alert(1)</script>', "a tag"),
    ("\\<img src=x onerror=alert(1)>", "a tag in a formula"),
    ("$x$ <script> $y$", "a tag between formulas"),
    ("\\$ <script>", "a formula that ends early"),
    ("x\\", "a formula that would take the dollar along"),
    ("`x", "code that never ends"),
    ("``x` <script>", "code with other ticks"),
    ("{raw}`<script>`", "a role"),
    ("x\n\n```{raw} html\n<script>\n```", "a directive"),
    ("x\n\n:::{raw} html\n<script>\n:::", "a directive between colons"),
    (":::{raw} html", "a directive at the beginning"),
    ("x](javascript:alert(1)) [y", "another link"),
    ("[x](javascript:alert(1))", "a link"),
    ("![x](http://example.org)", "a picture"),
    ("(x)=", "a target"),
    ("% x", "a comment"),
    ("+++", "a break"),
    ("| x |", "a row of a table"),
    ("&lt;script&gt;", "an entity"),
]


def as_stored(record, text):
    """A record that somebody else wrote: a text in place of every one."""
    kept = {"kind", "outcome", "computed", "chance"}
    return {
        key: value if key in kept else [text, text] if isinstance(value, list) else text
        for key, value in record.items()
    }


@pytest.mark.parametrize(("text", "why"), HOSTILE, ids=[row[1] for row in HOSTILE])
@pytest.mark.parametrize("verdict", [SLIP, FALSE], ids=["number", "sentence"])
@pytest.mark.parametrize("name", ["x.ipynb", "<b>)[`$.ipynb"])
def test_nothing_but_text_comes_from_what_is_stored(tmp_path, verdict, name, text, why):
    record = as_stored(verdict.record(), text)
    data = {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [record]}}
    code = {**cell(), "outputs": [{"output_type": "display_data", "data": data, "metadata": {}}]}
    heading = {**MARKDOWN, "source": [f"# {text}\n", f"## {text}\n"]}
    path = notebook(tmp_path / "book" / "notes" / name, code)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "cells": [heading, code]}), encoding="utf-8")
    whole = ledger(path)
    for markdown, allowed in [(whole.sections, OURS), (whole.corrections, OURS), (whole.scores, None)]:
        seen = tokens(markdown)
        kinds = {kind.removesuffix("_open").removesuffix("_close") for kind, _ in seen}
        assert kinds <= (allowed or {"table", "thead", "tbody", "tr", "th", "td", "inline", "text"})
        assert not any("<script" in content or "<img" in content for kind, content in seen if kind == "math_inline")
    (entry,) = (index for index, (kind, _) in enumerate(tokens(whole.sections)) if kind == "myst_target")
    assert tokens(whole.sections)[entry + 1][0] == "heading_open"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from("\n\t"), max_size=20))
def test_a_literal_is_one_paragraph_of_its_text(text):
    seen = tokens(literal(text))
    assert "".join(content for kind, content in seen if kind == "text") == " ".join(text.split())
    assert {kind for kind, _ in seen} <= {"paragraph_open", "inline", "text", "paragraph_close"}


FORMULAS = [
    # text  what MyST sees  why
    (r"\frac{1}{2}", [("math_inline", r"\frac{1}{2}")], "a formula"),
    ("1<b", [("math_inline", "1< b")], "no tag: the space makes no difference to a formula"),
    ("1 < 2", [("math_inline", "1 < 2")], "as it is"),
    ("a\\$ <b", [("text", r"a\$ <b")], "not between dollars"),
    ("a\\", [("text", "a\\")], "nor what would take the second along"),
]


@pytest.mark.parametrize(("text", "seen", "why"), FORMULAS)
def test_a_formula_stands_between_dollars_where_it_can(text, seen, why):
    assert [each for each in tokens(in_dollars(text)) if each[0] in ("text", "math_inline")] == seen
    assert not any(kind == "html_inline" for kind, _ in tokens(in_dollars(text)))


HEADINGS = [
    # heading  as the list of slips has it  why
    ("The *ideal*", "The *ideal*", "stress"),
    ("`check` and `a_b`", "`check` and `a_b`", "code"),
    (r"Gain $2^\ell$, \# 1", r"Gain $2^\ell$, \# 1", "a formula, and a sign that is escaped already"),
    ("A [link](#there)", "A link", "a link: the heading is in one itself"),
    ("A & B <i>", r"A \& B \<i\>", "all else is text"),
]


@pytest.mark.parametrize(("heading", "shown", "why"), HEADINGS)
def test_a_heading_keeps_its_markup(tmp_path, heading, shown, why):
    path = notebook(tmp_path / "book" / "notes" / "x.ipynb", cell(SLIP))
    content = json.loads(path.read_text(encoding="utf-8"))
    content["cells"][0]["source"] = [f"# {heading}"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert f"\n## {shown}\n" in ledger(path).sections

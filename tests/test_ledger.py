"""The ledger is every verdict that the chapters have stored, and its counts speak of the notes' numbers alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rows import every_row

from ndcg_ref.stated import judge, ledger
from ndcg_ref.stated.display import bundle
from ndcg_ref.stated.verdict import Statement

MARKDOWN = {"cell_type": "markdown", "metadata": {}, "source": ["# Notes on $x$\n", "\n", "## Sums"]}
AGREES = judge("8.33", 8.3255, "DCG 2")
SLIP = judge("8.32", 8.3255, "DCG 3")
PARTED = "printed 8.32: here the printed value departs"
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


def notebook(path, *cells, **own):
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"ndcg_ref": own} if own else {}
    content = {"cells": [MARKDOWN, *cells], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def as_term(verdict, name):
    """A verdict on a term of a line."""
    return replace(verdict, name=name, kind="term")


def course(folder):
    """Two notes and a lesson, in the folder `course`."""
    course = folder / "course"
    notebook(course / "alpha.ipynb", cell(AGREES, SLIP), cell(as_term(SLIP, "DCG 3, term 1")), cell(TRUE))
    notebook(course / "late" / "beta.ipynb", cell(UNDEFINED), cell(UNCHECKED), cell(FALSE), role="note")
    notebook(course / "discount.ipynb", cell(AGREES), role="lesson")
    return Path("course")


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return course(tmp_path)


ENTRIES = [
    # chapter  note  kind  name  outcome
    ("course/alpha.ipynb", "alpha", "number", "DCG 2", "agrees"),
    ("course/alpha.ipynb", "alpha", "number", "DCG 3", "slip"),
    ("course/alpha.ipynb", "alpha", "term", "DCG 3, term 1", "slip"),
    ("course/alpha.ipynb", "alpha", "sentence", "NDCG is at most 1", "agrees"),
    ("course/discount.ipynb", None, "number", "DCG 2", "agrees"),
    ("course/late/beta.ipynb", "late/beta", "number", "NDCG of the empty query", "undefined"),
    ("course/late/beta.ipynb", "late/beta", "number", "MAP", "unchecked"),
    ("course/late/beta.ipynb", "late/beta", "sentence", "DCG falls", "slip"),
]


def test_entries_stand_in_the_order_of_chapters_and_cells(book):
    entries = ledger(book).entries
    found = [tuple(entry[key] for key in ("chapter", "note", "kind", "name", "outcome")) for entry in entries]
    assert found == ENTRIES


def test_a_notebook_may_have_a_note_in_each_of_its_sections(tmp_path):
    """Its label is the name of the note, and its heading the title; other labels and headings change neither."""
    heads = {name: {**MARKDOWN, "source": f"({name})=\n## Note {name}\n\n(x)=\n### Sums"} for name in ("one", "two")}
    cells = (heads["one"], cell(AGREES), heads["two"], cell(SLIP))
    notebook(tmp_path / "notes" / "both.ipynb", *cells, role="note", notes={"one": {}, "two": {}})
    found = ledger(tmp_path)
    assert [(entry["note"], entry["title"], entry["section"]) for entry in found.entries] == [
        ("notes/one", "Note one", "Sums"),
        ("notes/two", "Note two", "Sums"),
    ]
    assert {note: each["slip"] for note, each in found.counts["by_note"].items()} == {"notes/one": 0, "notes/two": 1}


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
        "evidence": [{"cause": "truncated", "text": "8.32550, cut to 8.32"}],
        "counterexample": None,
        "discrepancies": [],
        "chance": 0.003,  # 1 / 332
        "weak": False,
        "explanation": "consistent with truncated",
        "derivation": [
            {"text": "the exact value is 8.32550, rounded to 2 decimals 8.33; printed 8.32", "departs": True}
        ],
        "reason": "",
        "line": "✗ slip: DCG 3: stated 8.32, computed 8.32550, correct 8.33; consistent with truncated",
        "as_exact": False,
        "status": "explained",
        "printed": None,
        "title": "Notes on $x$",
        "section": "Sums",
        "chapter": "course/alpha.ipynb",
    }


def test_slips_are_those_entries_alone(book):
    assert [entry["name"] for entry in ledger(book).slips.entries] == ["DCG 3", "DCG 3, term 1", "DCG falls"]


def test_a_statement_that_its_chapter_does_not_declare_has_a_line_too(tmp_path, monkeypatch):
    """A notebook that was saved after its cell had stopped."""
    monkeypatch.chdir(tmp_path)
    notebook(Path("x.ipynb"), cell(Statement(sentence="DCG falls", truth=False)))
    assert ledger("x.ipynb").lines == ["x.ipynb: ✗ slip: DCG falls; not so"]


def test_lines_are_one_a_verdict(book):
    assert ledger(book).lines == [
        "course/alpha.ipynb: ✓ agrees: DCG 2: stated 8.33, correct 8.33",
        "course/alpha.ipynb: ✗ slip: DCG 3: stated 8.32, correct 8.33; consistent with truncated",
        "course/alpha.ipynb: ✗ slip: DCG 3, term 1: stated 8.32, correct 8.33; consistent with truncated",
        "course/alpha.ipynb: ✓ agrees: NDCG is at most 1",
        "course/discount.ipynb: ✓ agrees: DCG 2: stated 8.33, correct 8.33",
        "course/late/beta.ipynb: ∅ undefined: NDCG of the empty query: stated 0.5, correct None",
        "course/late/beta.ipynb: ○ unchecked: MAP: stated 0.5, correct None",
        "course/late/beta.ipynb: ✗ slip: DCG falls; not so: [1, 1] (it grows); correction: it [rises]",
    ]


def test_totals_are_one_a_note_and_one_for_all(book):
    assert ledger(book).totals == [
        "alpha: 2 checked, 1 agrees, 1 slip, 0 undefined, 0 unchecked",
        "late/beta: 1 checked, 0 agrees, 0 slip, 1 undefined, 1 unchecked",
        "all notes: 3 checked, 1 agrees, 1 slip, 1 undefined, 1 unchecked",
    ]


def test_scores_are_a_table_in_markdown(book):
    assert ledger(book).scores.splitlines() == [
        "| note | checked | agrees | slip | undefined | unchecked |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| alpha | 2 | 1 | 1 | 0 | 0 |",
        "| late/beta | 1 | 0 | 0 | 1 | 1 |",
        "| all notes | 3 | 1 | 1 | 1 | 1 |",
    ]


def test_what_is_listed_and_not_counted_is_told(book):
    """The number is that of a lesson."""
    said = "listed, and not counted above: "
    whole = ledger(book)
    assert whole.besides == f"{said}numbers 1, terms inside sums 1, statements in words 2"
    assert whole.slips.besides == f"{said}terms inside sums 1, statements in words 1"


PLACES = [
    # path  read  note  chapter
    ("x.ipynb", ".", "x", "x.ipynb"),
    ("week-1/y.ipynb", ".", "week-1/y", "week-1/y.ipynb"),
    ("week-1/y.ipynb", "week-1", "y", "week-1/y.ipynb"),  # named from the folder that is read
    ("week-1/y.ipynb", "week-1/y.ipynb", "y", "week-1/y.ipynb"),
    ("notes/z.ipynb", "notes/../notes", "z", "notes/../notes/z.ipynb"),  # a path stands as it was given
]


@pytest.mark.parametrize(("path", "read", "note", "chapter"), PLACES)
def test_a_note_has_its_path_and_a_name(tmp_path, monkeypatch, path, read, note, chapter):
    monkeypatch.chdir(tmp_path)
    notebook(Path(path), cell(AGREES))
    [entry] = ledger(read).entries
    assert (entry["note"], entry["chapter"]) == (note, chapter)


@pytest.mark.parametrize(("own", "counted"), [({}, 1), ({"role": "note"}, 1), ({"role": "lesson"}, 0)])
def test_every_notebook_counts_that_is_no_lesson(tmp_path, own, counted):
    metadata = {"ndcg_ref": own}
    content = {"cells": [cell(AGREES)], "metadata": metadata}
    (tmp_path / "x.ipynb").write_text(json.dumps(content), encoding="utf-8")
    found = ledger(tmp_path)
    assert (len(found.entries), found.counts["checked"]) == (1, counted)


def test_an_unknown_role_is_refused(tmp_path):
    notebook(tmp_path / "x.ipynb", cell(AGREES), role="leson")
    with pytest.raises(ValueError, match=r"x\.ipynb: expected the role 'note' or 'lesson', got 'leson'"):
        ledger(tmp_path)


HIDDEN = [
    *(".ipynb_checkpoints/x.ipynb", "late/.ipynb_checkpoints/x.ipynb", ".x.ipynb"),
    *("_build/html/_sources/x.ipynb", "out/_sources/x.ipynb", "out/_downloads/1/x.ipynb", "jupyter_execute/x.ipynb"),
]


@pytest.mark.parametrize("path", HIDDEN)
def test_what_is_hidden_or_built_is_passed_over(book, path):
    notebook(book / path, cell(judge("1", 2, "hidden")))
    assert "hidden" not in {entry["name"] for entry in ledger(book).entries}


THE_SAME = r"notes/x\.ipynb: expected a name or label of its own .*, got 'verdict-dcg-2' for 'DCG 2' and for 'DCG 2'"


@pytest.mark.parametrize(
    ("names", "message"), [(("DCG 2", "DCG 2"), THE_SAME), (("DCG 2", "dcg, 2"), r"for 'dcg, 2' and for 'DCG 2'")]
)
def test_a_name_that_occurs_twice_in_a_chapter_is_refused(tmp_path, names, message):
    notebook(tmp_path / "notes" / "x.ipynb", *(cell(judge("8.33", 8.3255, name)) for name in names))
    with pytest.raises(ValueError, match=message):
        ledger(tmp_path)


RECORD = AGREES.record()


def with_record(**changes):
    output = {"data": {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [{**RECORD, **changes}]}}}
    return json.dumps({"cells": [{"outputs": [output]}]})


UNREADABLE = [
    "",
    "{",
    "[]",
    "{}",
    '{"cells": ["x"]}',
    '{"cells": [{"outputs": [{"data": null}]}]}',
    '{"cells": [{"outputs": [{"data": {"application/vnd.ndcg-ref.verdicts+json": 5}}]}]}',
    '{"cells": [{"outputs": [{"data": {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [{}]}}}]}]}',
    with_record(name=5),
    '{"cells": [], "metadata": {"ndcg_ref": []}}',
    "[" * 100_000,  # too deep
]


@every_row("text", UNREADABLE)
def test_a_notebook_that_cannot_be_read_is_refused_by_name_and_without_the_words_of_python(tmp_path, text):
    (tmp_path / "x.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"x\.ipynb: expected") as refused:
        ledger(tmp_path / "x.ipynb")
    assert "Error" not in str(refused.value)
    (tmp_path / "x.ipynb").write_bytes(b'{"cells": ["\xe9"]}')
    message = r"x\.ipynb: expected a notebook with stored verdicts, found no text in UTF-8 \(another kind of file\?\)$"
    with pytest.raises(ValueError, match=message):
        ledger(tmp_path)


def test_a_folder_without_notebooks_and_notebooks_without_a_verdict_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"expected at least one notebook \(\.ipynb\), found none"):
        ledger(tmp_path)
    notebook(tmp_path / "x.ipynb", {"cell_type": "code", "source": "1 + 1", "outputs": []})
    with pytest.raises(ValueError, match=r"expected verdicts in the stored outputs, found none \(have the notebooks"):
        ledger(tmp_path)


@pytest.mark.parametrize("path", ["no/such/book", "a\0b", "a" * 5000], ids=["nothing", "no path", "too long"])
def test_a_path_that_leads_nowhere_is_refused(path):
    with pytest.raises(ValueError, match="expected a folder with notebooks, or a notebook, found nothing there"):
        ledger(path)

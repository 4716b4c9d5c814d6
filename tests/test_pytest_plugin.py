"""The plugin for pytest: each number that a note states is a test."""

from importlib import import_module

import pytest

from ndcg_ref.notes import CheckedNote, Finding
from ndcg_ref.stated import judge

pytest_plugins = ["pytester"]

NOTE = """Grades [3, 0, 2].

DCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = 4.00
IDCG@3 = 3/log2(2) + 2/log2(3) = 4.27
"""
QUOTED = NOTE.replace("4.27", "4.27 <!-- ndcg-ref: ignore as the paper prints it -->")
BUG = "this is a bug of ndcg-ref, please report it: IndexError in ndcg_ref/notes/reading.py, line *: tuple *"
UNCHECKED = "We got DCG = 4.12 here.\n"


@pytest.fixture
def run(pytester):
    """Write notes, run pytest in their folder, and give the result."""

    def go(files, *words, settings=""):
        for name, text in files.items():
            path = pytester.path / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        pytester.makeini(f"[pytest]\n{settings}\n")
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", *words)

    return go


def test_a_slip_fails_with_its_line_and_no_traceback(run):
    done = run({"lecture.md": NOTE}, "--ndcg-notes=*.md", "-v")
    done.assert_outcomes(passed=1, failed=1)
    slip = "lecture.md:4:34: ✗ slip: IDCG@3: stated 4.27, computed 4.26186, correct 4.26; *"
    shown = [slip, "    IDCG@3 = 3/log2(2) + 2/log2(3) = 4.27", " " * 37 + "^^^^"]
    done.stdout.fnmatch_lines(["lecture.md::3:45 PASSED*", "lecture.md::4:34 FAILED*", *shown])
    done.stdout.no_fnmatch_line("*Traceback*")
    done.stdout.no_fnmatch_line("*SlipError*")


COLLECTED = [
    # files, words, settings, outcomes
    ({"a.md": NOTE}, [], "", {}),  # nothing without the option
    ({"a.md": NOTE, "b.tex": NOTE}, ["--ndcg-notes=*.md"], "", {"passed": 1, "failed": 1}),
    ({"a.md": NOTE, "b.tex": NOTE}, ["--ndcg-notes=*.md", "--ndcg-notes=b.*"], "", {"passed": 2, "failed": 2}),
    ({"a.md": NOTE, "b/c.md": NOTE}, [], "ndcg_notes = b/*.md", {"passed": 1, "failed": 1}),
    ({"a.md": NOTE}, ["a.md::3:45"], "ndcg_notes = *.md", {"passed": 1}),
    ({"a.md": QUOTED}, [], "ndcg_notes = *.md", {"passed": 1}),
    ({"a.md": UNCHECKED}, [], "ndcg_notes = *.md", {"skipped": 1}),
    ({"a.ipynb": "no JSON", "b.md": NOTE}, [], "ndcg_notes = *.*", {"passed": 1, "failed": 1, "errors": 1}),
]


@pytest.mark.parametrize(("files", "words", "settings", "outcomes"), COLLECTED)
def test_the_numbers_of_the_notes_that_are_named_are_collected(files, words, settings, outcomes, run):
    run(files, *words, settings=settings).assert_outcomes(**outcomes)


@pytest.mark.parametrize(("words", "settings"), [(["--ndcg-notes", ""], ""), ([], "ndcg_notes = a.md ''")])
def test_an_empty_pattern_is_refused_in_one_line(words, settings, run):
    done = run({"a.md": NOTE}, *words, settings=settings)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert done.errlines == ["ERROR: --ndcg-notes: expected a pattern such as lectures/*.md, got ''", ""]


def test_a_number_that_cannot_be_checked_is_skipped_and_a_note_that_cannot_be_read_an_error_with_the_reason(run):
    done = run({"a.md": UNCHECKED, "b.ipynb": "no JSON"}, "--ndcg-notes=*.*", "-rs")
    done.stdout.fnmatch_lines(["*b.ipynb: expected a notebook in JSON with cells*"])
    done.stdout.fnmatch_lines(["SKIPPED * a.md: nothing to compute it from was found"])
    done.stdout.no_fnmatch_line("*Traceback*")


def test_an_impossible_number_fails_and_one_that_the_note_does_not_name_is_skipped(run, monkeypatch):
    findings = [
        Finding(0, 4, 1, 1, "0.94", judge("0.94", 0.938557, "NDCG@3"), "consistent"),
        Finding(5, 4, 1, 6, "1.04", judge("1.04", None, "NDCG", reason="an NDCG is never above 1"), "impossible"),
    ]
    files = import_module("ndcg_ref.commands.note_files")  # the one that pytest will load, whatever ran before
    monkeypatch.setattr(files, "read_note", lambda *given, **options: CheckedNote(tuple(findings)))
    done = run({"a.md": "0.94 1.04\n"}, "--ndcg-notes=*.md", "-rs")
    done.assert_outcomes(skipped=1, failed=1)
    impossible = "a.md:1:6: ‼ impossible: NDCG: stated 1.04; an NDCG is never above 1"
    done.stdout.fnmatch_lines([impossible, "SKIPPED * a.md: the note does not say that it is NDCG@3"])


def test_a_note_that_meets_a_bug_is_an_error_with_its_place_and_the_others_are_tested(run, bug):
    done = run({"a.md": f"{bug}\n", "b.md": NOTE}, "--ndcg-notes=*.md")
    done.assert_outcomes(passed=1, failed=1, errors=1)
    done.stdout.fnmatch_lines([f"a.md: {BUG}"])


FAILING = {
    # what fails, as the line of a test: the reason
    'check("0.93", 0.92249, "NDCG")': "*StatedError: NDCG: stated 0.93, computed 0.92249: a slip*",
    'check_equation("1 + 2 = 4", "sum")': "*StatedError: sum: stated 4, computed 3.000: a slip*",
    'check_table("| DCG |\\n| --- |\\n| 4 |", {"DCG": [3.0]}, "table")': "*StatedError: *",
    'holds("the moon is a cheese", False)': "*StatedError: the moon is a cheese: does not hold*",
    'assert_no_drop({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"q": {"e": 1.0}}, "RR", max_drop=0)': "*RR drops by 1.000000*",
}


@pytest.mark.parametrize("line", FAILING)
def test_a_number_that_fails_a_test_is_shown_with_its_line_and_without_the_code_of_the_package(line, pytester):
    pytester.makepyfile(
        f"""
        from ndcg_ref import assert_no_drop
        from ndcg_ref.stated import check, check_equation, check_table, holds

        def test_it():
            {line}
        """
    )
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    shown = done.outlines[done.outlines.index(next(each for each in done.outlines if "test_it ___" in each)) :]
    place = next(number for number, each in enumerate(shown) if each.startswith("test_a_number_that_fails"))
    before = [each for each in shown[1:place] if each.strip() and not each.startswith("E   ")]
    assert before == ["    def test_it():", f">       {line}"]
    assert not any("ndcg_ref/" in each for each in shown)
    done.stdout.fnmatch_lines([f"E   {FAILING[line]}"])


def test_pytest_loads_nothing_but_the_plugin_until_notes_are_named(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_it():
            loaded = {name for name in sys.modules if name.startswith("ndcg_ref.")}
            assert loaded == {"ndcg_ref.commands", "ndcg_ref.commands.pytest_plugin"}
        """
    )
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)

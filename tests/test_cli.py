"""The command says 0 for a number that agrees, 1 for a slip, 2 for bad input, and never shows a traceback."""

import errno
import json
import math
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from commands import code_of
from rows import every_row

import ndcg_ref
from ndcg_ref.commands.example_command import FILES as FILES_OF_THE_EXAMPLE
from ndcg_ref.commands.judge_command import _other_choices
from ndcg_ref.conventions.presets import ABOUT
from ndcg_ref.stated import judge, ledger
from ndcg_ref.stated.display import bundle
from ndcg_ref.stated.subject import all_causes
from ndcg_ref.stated.verdict import Statement

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
L3 = math.log2(3)


JUDGED = [
    # words after judge, code, first line, why
    ("0.98 0.97868", 0, "✓ agrees: stated 0.98, computed 0.97868", "agrees"),
    ("0.97 0.97868", 1, "✗ slip: stated 0.97, computed 0.97868, correct 0.98; consistent with truncated", "a slip"),
    ("0.980 0.97868", 1, "✗ slip: stated 0.980, computed 0.978680, correct 0.979; unexplained", "another statement"),
    ("−0.5 −0.52", 0, "✓ agrees: stated −0.5, computed -0.5200", "below 0, with a true minus"),
    ("1.00 --grades 2,1,0", 0, "✓ agrees: ndcg under STANDARD: stated 1.00, computed 1.00000", "NDCG by default"),
    (
        *("4.39 --grades 2,3,1 --measure dcg", 0),
        *(f"✓ agrees: dcg under STANDARD: stated 4.39, computed {2 + 3 / L3 + 1 / 2:.5f}", "2 + 3 / log2(3) + 1 / 2"),
    ),
    (
        *("5.63 --grades 2,3,1 --measure dcg --as ORIGINAL", 0),
        *(f"✓ agrees: dcg under ORIGINAL: stated 5.63, computed {5 + 1 / L3:.5f}", "2 + 3 + 1 / log2(3)"),
    ),
    (
        *("5.63 --grades 2,3,1 --measure dcg", 1),
        f"✗ slip: dcg under STANDARD: stated 5.63, computed {2 + 3 / L3 + 1 / 2:.5f}, correct 4.39; "
        "consistent with convention",
        "another discount",
    ),
    ("0.5 --grades 0,0", 2, "∅ undefined: ndcg under STANDARD: stated 0.5; no ideal gain to divide by", "no ideal"),
    (
        *("0 --grades 0,0,1,0,3,0", 1),
        "✗ slip: ndcg under STANDARD: stated 0, computed 0.457337, correct 0.457337; unexplained",
        "a bare 0 of an NDCG is exact",
    ),
    ("≈1 --grades 2,3,0,1,2", 0, "✓ agrees: ndcg under STANDARD: stated ≈1, computed 0.895", "rounded"),
    ("1 0.9", 0, "✓ agrees: stated 1, computed 0.900", "nothing says what it is"),
]


@every_row(("words", "code", "line", "why"), JUDGED)
def test_judge_says_the_verdict_and_leaves_with_its_code(words, code, line, why, capsys):
    found = code_of("judge", *words.split())
    assert (found, capsys.readouterr().out.splitlines()[:1]) == (code, [line])


DISCOUNTED = "also printed under: discount log(rank) "
OF_11 = (
    f"{DISCOUNTED}(2.000000), discount none (2.000000), log base e ({1 / math.log(2) + 1 / math.log(3):.6f}); no "
    "number of decimals tells them apart"
)
BESIDE = [
    # words after judge, last line
    ("8 8.4", "8 is what every value from 7.5 to 8.5 prints as"),
    ("1/3 1/3", "1/3 states its value exactly"),
    ("0.97 0.97868", "0.97 is what every value from 0.965 to 0.975 prints as"),  # behind the evidence of a slip
    ("5.63 --grades=2,3,1 --measure=dcg", f"{DISCOUNTED}({5 + 1 / L3:.6f})"),
    ("2 --grades=1,1 --measure=dcg", OF_11),  # 1 / log2(2) + 1 / log2(3) is 1.63, rounded 2; so is 1 + 1
    (
        "4.39 --grades=2,3,1 --measure=dcg",
        "no single other choice (gain, discount, log base, cutoff, ideal) prints this number",
    ),
    ("0.98 --grades=2,3,1,2,1,0,1 --as=ORIGINAL", "ORIGINAL: linear gain, max(1, log2(rank))"),
    ("0.5 --grades=0,0,1 --as=scikit-learn", f"scikit-learn: {ndcg_ref.PRESETS['scikit-learn']}"),
]


@every_row(("words", "line"), BESIDE)
def test_judge_says_what_else_prints_the_number(words, line, capsys):
    code_of("judge", *words.split())
    assert capsys.readouterr().out.splitlines()[-1] == line


APART = [
    # difference of two values, what is said of decimals
    (3e-13, "no number of decimals tells them apart"),
    (3e-12, "12 decimals would tell them apart"),
    (0.03, "2 decimals would tell them apart"),
]


@every_row(("beyond", "line"), APART)
def test_judge_names_up_to_12_decimals(beyond, line):
    """0.4 and 0.43 are both 0.4 with one decimal."""
    printed = _other_choices(judge("0.4", 0.4), {"other": 0.4 + beyond})
    assert printed == f"also printed under: other ({0.4 + beyond:.2f}0000); {line}"


FILES = [str(PYPROJECT.parent / "book" / "practice" / "data" / name) for name in ("qrels.txt", "bm25.run")]
REFUSED = [
    # words, what the message says, why
    ("judge abc 1", "got 'abc'", "no print"),
    ("judge 0,98 0.97868", "got '0,98' (a decimal comma? write 0.98)", "a decimal comma"),
    ("judge 0.98 97,8%", "got '97,8%' (a decimal comma? write 97.8%)", "in the computed value"),
    ("which 0,98 --grades=1,2", "got '0,98' (a decimal comma? write 0.98)", "which"),
    ("judge 1/0 1", "got '1/0', which divides by 0", "no value"),
    ("judge 0.5 abc", "the computed value: expected a printed number such as 0.63, 97.8% or 1/3, got 'abc'", "value"),
    (["judge", "0.5", "≈ 0.5"], "the computed value: expected a number without ≈, got '≈ 0.5'\n", "a rounded value"),
    ("which inf --grades=3", "got 'inf'\n", "without advice for Python"),
    ("judge 0.5", "expected either a computed value or --grades, got neither", "neither"),
    ("judge 0.5 0.5 --grades 1", "expected either a computed value or --grades, got both", "both"),
    ("judge 0.5 0.5 --as STANDARD", "--as goes with --grades, not with a value", "a convention alone"),
    ("judge 0.5 0.5 --measure dcg", "--measure goes with --grades, not with a value", "a measure alone"),
    ("judge 0.5 --grades=1 --measure=map", "--measure: expected one of cg, dcg, idcg, ndcg, with or without @K", "map"),
    ("judge 0.5 --grades=1 --measure=ndcg@٣", "behind the @, got 'ndcg@٣'", "an Arabic-Indic digit"),
    (f"judge 0.5 --grades=1 --measure=ndcg@{'9' * 5000}", "--measure: expected", "more digits than Python reads"),
    ("judge 0.5 --grades=1 --as=solr", "got 'solr' (`ndcg-ref presets` lists all)", "advice for a shell"),
    (["eval", *FILES, "--as", "solr"], "got 'solr' (`ndcg-ref presets` lists all)", "for eval as well"),
    ("presets sklearn", "got 'sklearn' (did you mean 'scikit-learn'?)", "what it is also called"),
    ("judge", "the following arguments are required: stated", "nothing to judge"),
    ("", "the following arguments are required: COMMAND", "no command"),
    ("judge 0.5 0.5 --verbose", "unrecognized arguments: --verbose", "an unknown option"),
    ("ledger no/such/book", "no/such/book: expected a folder with notebooks, or a notebook, found nothing", "no path"),
    ("ledger --format xml", "invalid choice: 'xml'", "an unknown format"),
]


@every_row("words, message, why", REFUSED)
def test_bad_input_is_refused_on_stderr_by_the_name_of_the_command_with_code_2(words, message, why, capsys):
    code = code_of(*(words.split() if isinstance(words, str) else words))
    printed = capsys.readouterr()
    assert (code, printed.out, message in printed.err) == (2, "", True)
    assert "ndcg-ref" in printed.err.splitlines()[-1]


def test_the_presets_are_listed(capsys):
    assert code_of("presets") == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[0] for line in lines[: lines.index("")]]
    assert listed == ["ORIGINAL", "STANDARD", "EXPONENTIAL", *ABOUT]
    found = dict(line.split(maxsplit=1) for line in lines if " " in line)
    assert found["STANDARD"] == "linear gain, log2(rank + 1)"
    assert found["scikit-learn-1.9.1"] == str(ABOUT["scikit-learn-1.9.1"].convention)


LISTINGS = [
    # words, what is printed, or a part of it
    ("presets trec_eval", f"{ABOUT['trec_eval-10.0']}"),
    ("presets ORIGINAL", "ORIGINAL: linear gain, max(1, log2(rank))"),
    ("measures", "any library"),
    ("measures", f"  {'P_10':<30}P@10"),
    ("--version", f"ndcg-ref {ndcg_ref.__version__}"),
]


@every_row(("words", "lines"), LISTINGS)
def test_presets_measures_and_the_version_are_printed(words, lines, capsys):
    assert code_of(*words.split()) == 0
    assert f"\n{lines}\n" in f"\n{capsys.readouterr().out}"


FALSE = Statement(sentence="DCG falls", truth=False, counterexample="1, 1", declared="it grows", correct="it rises")


@pytest.fixture
def book(tmp_path, monkeypatch):
    """One note with a number that agrees, a slip and a false statement, in a folder named book."""
    records = [judge("8.33", 8.3255, "DCG 2").record(), judge("8.32", 8.3255, "DCG 3").record(), FALSE.record()]
    outputs = [{"output_type": "display_data", "metadata": {}, "data": bundle(records)}]
    chapter = tmp_path / "book" / "notes" / "x.ipynb"
    chapter.parent.mkdir(parents=True)
    chapter.write_text(json.dumps({"cells": [{"cell_type": "code", "outputs": outputs}]}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return "book"


@every_row("options", [[], ["--slips"], ["--format", "text"]])
def test_the_ledger_is_listed_then_counted(book, options, capsys):
    """The counts are of all, and what they leave out is said."""
    whole = ledger(book)
    listed = whole.slips if options == ["--slips"] else whole
    lines = [*listed.lines, *whole.totals, listed.besides]
    assert (code_of("ledger", book, *options), capsys.readouterr().out.splitlines()) == (0, lines)
    assert listed.besides.endswith("statements in words 1")


@every_row(("options", "names"), [([], ["DCG 2", "DCG 3", "DCG falls"]), (["--slips"], ["DCG 3", "DCG falls"])])
def test_the_ledger_is_json_on_request(book, options, names, capsys):
    code_of("ledger", book, "--format", "json", *options)
    stored = json.loads(capsys.readouterr().out)
    assert ([entry["name"] for entry in stored["entries"]], stored["counts"]["checked"]) == (names, 2)


class TestTheExampleFiles:
    def test_they_are_written_and_never_written_over(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        folder = Path("a", "new folder")
        assert code_of("example", str(folder)) == 0
        names = [Path(line.partition(": ")[0]).name for line in capsys.readouterr().out.splitlines()]
        assert names == [*FILES_OF_THE_EXAMPLE]
        assert sorted(names) == sorted(path.name for path in folder.iterdir())
        (folder / "qrels.txt").unlink()
        (folder / "note.md").write_text("mine", encoding="utf-8")
        (folder / "new.run").unlink()
        assert code_of("example", str(folder)) == 2
        assert capsys.readouterr().err == (
            f"ndcg-ref example: expected a folder without baseline.run, got '{folder}': nothing was written\n"
        )
        assert sorted(path.name for path in folder.iterdir()) == ["baseline.run", "note.md"]
        assert (folder / "note.md").read_text(encoding="utf-8") == "mine"

    @pytest.fixture
    def example(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        code_of("example", ".")
        capsys.readouterr()

    def test_the_note_has_the_two_slips_that_were_made_and_nothing_undecided(self, example, capsys):
        """The last term is 1 / log2(6) = 0.38685, and the quotient 5.248 / 6.079 is 0.86330."""
        assert code_of("check", "note.md") == 1
        printed = capsys.readouterr().out
        slips = re.findall(r"slip: .*stated (\S+), .* correct (\S+); consistent with (\S+?)(?:;|\n)", printed)
        assert slips == [("0.386", "0.387", "truncated"), ("0.836", "0.863", "digit")]
        assert re.search(r"^25 found: 23 agrees, 2 slip \(1 in the last digit\)$", printed, re.MULTILINE)

    def test_the_runs_have_what_makes_tools_differ(self, example, capsys):
        """Ties, unjudged documents, and ideals that a ranking alone does not give."""
        assert code_of("explain", "qrels.txt", "new.run", "trec_eval", "scikit-learn") == 0
        printed = capsys.readouterr().out
        assert re.search(r"^ideal +judged +ranked +\+0\.0[1-9]", printed, re.MULTILINE)
        assert re.search(r"^ties +id-descending +average +\+0\.0[1-9]", printed, re.MULTILINE)
        assert code_of("eval", "qrels.txt", "new.run") == 0
        files = [Path(name).read_text(encoding="utf-8").splitlines() for name in ("qrels.txt", "new.run")]
        judged, retrieved = ({line.split()[2] for line in lines} for lines in files)
        unjudged = len(retrieved - judged)
        assert unjudged > 3
        said = f" 8 evaluated, 0 missing, 0 extra, 0 without ideal, 7 tied, {unjudged} unjudged"
        assert said in capsys.readouterr().err


def command(*words, stdout=subprocess.PIPE, **environment):
    return subprocess.run(
        [sys.executable, "-m", "ndcg_ref", *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
        timeout=300,
    )


def test_the_help_of_judge_lists_every_cause_in_order(capsys):
    assert code_of("judge", "--help") == 0
    causes = capsys.readouterr().out.partition("causes of a slip")[2]
    assert re.findall("^  ([a-z-]+) +[a-z]", causes, re.MULTILINE) == [cause.code for cause in all_causes()]


@every_row(("words", "code", "stream"), [("judge 0.97 0.97868", 1, "stdout"), ("judge abc 1", 2, "stderr")])
def test_the_module_is_the_command(words, code, stream):
    done = command(*words.split())
    assert (done.returncode, bool(getattr(done, stream)), "Traceback" in done.stderr) == (code, True, False)


def test_a_terminal_without_the_marks_does_not_turn_a_verdict_into_bad_input():
    done = command("judge", "0.98", "0.97868", PYTHONIOENCODING="ascii")
    assert (done.returncode, "agrees" in done.stdout) == (0, True)


CODES = [
    # words, whether Python is told not to buffer, exit code
    ("judge 0.98 --grades 3,2,1", "1", 1),
    ("judge 0.98 0.97868", "", 0),
    ("check note.md", "1", 1),
    ("check note.md --diff", "", 1),
    ("gate qrels one.run other.run --max-drop 0.1", "", 1),
]


@pytest.mark.long
@every_row(("words", "unbuffered", "code"), CODES)
def test_the_exit_code_stays_where_nobody_reads_the_output(words, unbuffered, code, tmp_path, monkeypatch):
    """As in `set -o pipefail; ndcg-ref check notes | head -1`: a slip stays a slip."""
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    (tmp_path / "note.md").write_text("DCG@3 = 3 + 1.26 + 0.5 = 4.97\n" * 99, encoding="utf-8")
    (tmp_path / "qrels").write_text("q1 0 d 1\n", "utf-8")
    for name, document in (("one.run", "d"), ("other.run", "e")):
        (tmp_path / name).write_text(f"q1 Q0 {document} 1 0.5 tag\n", "utf-8")
    command = [sys.executable, "-m", "ndcg_ref", *words.split()]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        done.stdout.close()
        assert b"Traceback" not in done.stderr.read()
    assert done.returncode == code


def test_an_error_that_nobody_reads_keeps_its_exit_code():
    command = [sys.executable, "-m", "ndcg_ref", "judge", "0.98", "x"]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as done:
        done.stderr.close()
        assert done.wait() == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a device that is full")
@every_row(("words", "unbuffered"), [("judge 0.98 0.97868", "1"), ("judge -h", ""), ("presets", "")])
def test_a_full_disk_is_a_message_and_not_a_traceback(words, unbuffered):
    with Path("/dev/full").open("w") as full:
        done = command(*words.split(), stdout=full, PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert re.fullmatch(rf"ndcg-ref {words.split()[0]}: the output cannot be written: .+\n", done.stderr)


ERRORS = [
    # error, what is said
    (OSError(errno.ENAMETOOLONG, "File name too long", "note.md"), "note.md: File name too long"),
    (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
]


@every_row(("error", "said"), ERRORS)
def test_an_error_of_the_system_that_is_none_of_the_output_is_not_called_so(error, said, monkeypatch, capsys):
    def fails(_):
        raise error

    monkeypatch.setattr("ndcg_ref.commands.check_command.files_in", fails)
    assert code_of("check", "note.md") == 2
    assert capsys.readouterr().err == f"ndcg-ref check: {said}\n"


# Put on the path of a process: it interrupts itself as soon as a module is asked for.
INTERRUPTS = """
import os, signal, sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
"""
MODULE, _, FUNCTION = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["scripts"]["ndcg-ref"].partition(":")
STARTS = {
    # how it is started: the words; a script is what pip makes of the entry in pyproject.toml
    "-m": [sys.executable, "-m", "ndcg_ref"],
    "script": [sys.executable, "-c", f"import sys; from {MODULE} import {FUNCTION}; sys.exit({FUNCTION}())"],
}


def takes_interrupts():
    """As on a terminal, also where the tests run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def interrupted(tmp_path):
    """Run the command, which is interrupted as soon as it asks for a module."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTS, encoding="utf-8")

    def run(start, module, before=()):
        return subprocess.run(
            [*before, *STARTS[start], "judge", "0.98", "0.97868"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "INTERRUPT_AT": module},
            capture_output=True,
            check=False,
            timeout=300,
            preexec_fn=takes_interrupts,
        )

    return run


@pytest.mark.long
@every_row("module", ["ndcg_ref.commands.cli", "argparse", "fractions"])  # from the first import to one of the last
@every_row("start", STARTS)
def test_an_interrupt_during_start_up_ends_the_command_without_a_word(interrupted, start, module):
    done = interrupted(start, module)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


@every_row("start", STARTS)
def test_an_interrupt_is_ignored_where_it_was_before(interrupted, start):
    """A shell ignores interrupts for what it runs in the background."""
    done = interrupted(start, "ndcg_ref.commands.cli", before=["sh", "-c", 'trap "" INT; exec "$@"', "sh"])
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_module_that_is_never_asked_for_interrupts_nothing(interrupted):
    """The rows above do interrupt."""
    assert interrupted("-m", "no_such_module").returncode == 0

"""`ndcg-ref check` and the files it is given, some of which are no notes or made to harm."""

import os
import re
import signal
import sys

import pytest
from commands import run
from rows import every_row

from ndcg_ref.commands import check_command
from ndcg_ref.commands.cli import main

NOTE = "Grades [3, 0, 2].\n\nDCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = {}\n"
RIGHT, SLIP = NOTE.format("4.00"), NOTE.format("4.01")


def test_an_empty_name_is_not_taken_for_this_folder(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.md").write_text(SLIP, "utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["check", ""])
    said = "argument NOTE: expected the name of a file or a folder, got empty text (an unset variable?)\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_closed_stdin_is_refused():
    done = run("sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "ndcg_ref", "check", "-")
    refused = "ndcg-ref check: -: expected a file that can be read, found it closed\n"
    assert (done.returncode, done.stderr) == (2, refused)


MEASURES = "CG, ICG, DCG, IDCG, NDCG, P, R, RR, AP, MRR, MAP, ERR and RBP"
NO_NOTES = [
    # name, content, the reason
    ("a.md", b"\x89PNG\r\n\x1a\n\x00\x00", "expected text, found the byte 0x00 at 8 (is this a binary file?)"),
    ("a.md", RIGHT.encode("utf-16"), "expected UTF-8, found UTF-16: save the file as UTF-8"),
    ("a.md", RIGHT.encode() + b"\0", f"expected text, found the byte 0x00 at {len(RIGHT)} (is this a binary file?)"),
    ("a.md", "DCG für [3] = 4".encode("latin-1"), "expected UTF-8, found the byte 0xfc at 5"),
    ("a.ipynb", b"DCG = 4", "expected a notebook in JSON with cells"),
    ("a.ipynb", b"[" * 100_000, "expected a notebook in JSON with cells"),
    ("gone.md", None, "No such file or directory"),
    ("a.md", b"Nothing.", f"expected a number of {MEASURES}, found"),
]


@every_row("name, content, reason", NO_NOTES)
def test_a_file_that_is_no_note_is_refused_with_its_reason(name, content, reason, check):
    code, _, err = check({} if content is None else {name: content}, name)
    assert code == 2
    assert err.removeprefix("ndcg-ref check: ").removeprefix(f"{name}: ").startswith(reason)
    assert err.count("\n") == 1


def test_a_note_is_judged_the_same_on_a_processor_that_is_a_thousand_times_slower(check, monkeypatch):
    start = signal.setitimer
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds, *rest: start(which, seconds / 1_000, *rest))
    code, out, err = check({"a.md": 500 * RIGHT + SLIP}, "a.md")
    assert (code, out.count("✗ slip"), err) == (1, 1, "")


UNREAD = "2 files not read (.adoc or .typ)"
NAMED = [
    # files, words, exit code, how often the slip is found, what is said on stderr
    ({"a.md": SLIP, "b/c.md": SLIP}, ["a.md", "b", "a.md", "b/c.md"], 1, 2, ""),  # each once
    ({"a.qmd": SLIP, "b.Rmd": SLIP}, ["."], 1, 2, ""),
    ({"a.md": RIGHT, "b.png": "", "c/d.adoc": SLIP}, ["."], 0, 0, "1 file not read (.adoc or .typ)"),
    ({"a.md": SLIP, "b.typ": RIGHT, "c/d.ADOC": SLIP}, [".", "c"], 1, 1, UNREAD),
    ({"a.md": SLIP, "b.typ": RIGHT, "c/d.adoc": SLIP}, [".", "--strict"], 2, 1, UNREAD),
    ({"a.adoc": SLIP}, ["a.adoc", "--strict"], 1, 1, ""),  # which is named
]


@pytest.mark.parametrize(("files", "words", "code", "slips", "said"), NAMED)
def test_the_notes_that_are_named_and_those_of_a_folder_are_checked_or_counted(files, words, code, slips, said, check):
    done, out, err = check(files, *words)
    assert (done, err) == (code, said and f"ndcg-ref check: {said}\n")
    assert out.count("4.01, computed") == slips


def test_a_folder_that_cannot_be_read_is_named(check, monkeypatch):
    scan = os.scandir

    def denied(path):
        if os.path.basename(path) == "private":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", denied)  # as permissions do not bind who runs the tests of a container
    code, out, err = check({"a.md": SLIP, "private/b.md": SLIP}, ".", ".")
    assert (code, err) == (2, "ndcg-ref check: ./private: Permission denied\n")
    assert out.count("4.01, computed") == 1


BUG = "this is a bug of ndcg-ref, please report it: IndexError in ndcg_ref/{}.py, line [0-9]+: tuple "


def test_a_file_that_meets_a_bug_is_named_and_the_others_are_checked(check, bug):
    code, out, err = check({"a.md": bug, "b.md": SLIP, "c.ipynb": "no JSON"}, ".")
    assert code == 3
    assert "b.md:3:45: ✗ slip: DCG@3: stated 4.01" in out
    first, second = err.splitlines()
    assert re.match(f"ndcg-ref check: a.md: {BUG.format('notes/reading')}", first)
    assert second.startswith("ndcg-ref check: c.ipynb: expected a notebook")


@pytest.mark.parametrize(
    ("option", "reader", "printed"), [("--diff", "corrected", "+DCG@3 = "), ("--explain", "explained", "b.md:")]
)
def test_a_bug_in_what_is_printed_of_a_file_leaves_the_others(option, reader, printed, check, monkeypatch):
    right = getattr(check_command, reader)

    def wrong(first, *given, **options):
        return ()[0] if "of-a" in str(first) else right(first, *given, **options)

    monkeypatch.setattr(check_command, reader, wrong)
    code, out, err = check({"of-a.md": f"of-a\n\n{SLIP}", "b.md": SLIP}, "of-a.md", "b.md", option)
    assert code == 3
    assert printed in out
    assert re.match(f"ndcg-ref check: of-a.md: {BUG.format('commands/check_command')}", err)

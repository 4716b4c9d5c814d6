"""`ndcg-ref check` and the files it is given, some of which are no notes or made to harm."""

import os
import re
import signal
import subprocess
import sys

import pytest

from ndcg_ref.commands import check_command
from ndcg_ref.commands.cli import main

NOTE = "Grades [3, 0, 2].\n\nDCG@3 = 3/log2(2) + 0/log2(3) + 2/log2(4) = {}\n"
RIGHT, SLIP = NOTE.format("4.00"), NOTE.format("4.01")
MANY = {f"{i}.md": SLIP if i % 3 else RIGHT for i in range(7)} | {"none.ipynb": "no JSON", "empty.md": ""}


def test_an_empty_name_is_not_taken_for_this_folder(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.md").write_text(SLIP, "utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        main(["check", ""])
    said = "argument NOTE: expected the name of a file or a folder, got empty text (an unset variable?)\n"
    assert capsys.readouterr().err.endswith(said)


def test_a_closed_stdin_is_refused(tmp_path):
    given = [sys.executable, "-m", "ndcg_ref", "check", "-"]
    done = subprocess.run(["sh", "-c", 'exec "$@" <&-', "sh", *given], capture_output=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (
        2,
        b"ndcg-ref check: -: expected a file that can be read, found it closed\n",
    )


def test_a_file_that_is_named_twice_is_checked_once(check):
    code, out, _ = check({"a.md": SLIP, "b/c.md": SLIP}, "a.md", "b", "a.md", "b/c.md")
    assert code == 1
    assert len(re.findall("4.01, computed", out)) == 2


NO_NOTES = [
    # name, content, the reason
    ("a.md", b"\x89PNG\r\n\x1a\n\x00\x00", "expected text, found the byte 0x00 at 8 (is this a binary file?)"),
    ("a.md", RIGHT.encode("utf-16"), "expected UTF-8, found UTF-16: save the file as UTF-8"),
    ("a.md", RIGHT.encode() + b"\0", f"expected text, found the byte 0x00 at {len(RIGHT)} (is this a binary file?)"),
    ("a.md", "DCG für [3] = 4".encode("latin-1"), "expected UTF-8, found the byte 0xfc at 5"),
    ("a.ipynb", b"DCG = 4", "expected a notebook in JSON with cells"),
    ("a.ipynb", b"[" * 100_000, "expected a notebook in JSON with cells"),
    ("gone.md", None, "No such file or directory"),
    (
        "a.md",
        b"Nothing.",
        "expected a number of CG, ICG, DCG, IDCG, NDCG, P, R, RR, AP, MRR, MAP, ERR and RBP, found",
    ),
]


@pytest.mark.parametrize(("name", "content", "reason"), NO_NOTES)
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


BUG = "this is a bug of ndcg-ref, please report it: IndexError in ndcg_ref/notes/reading.py, line [0-9]+: tuple "


IN_FOLDERS = [
    # files, words, exit code, what is said on stderr
    ({"a.qmd": SLIP, "b.Rmd": SLIP}, [], 1, ""),
    ({"a.md": RIGHT, "b.png": "", "c/d.adoc": SLIP}, [], 0, "1 file not read (.adoc or .typ)"),
    ({"a.md": SLIP, "b.typ": RIGHT, "c/d.ADOC": SLIP}, ["c"], 1, "2 files not read (.adoc or .typ)"),
    ({"a.md": SLIP, "b.typ": RIGHT, "c/d.adoc": SLIP}, ["--strict"], 2, "2 files not read (.adoc or .typ)"),
]


@pytest.mark.parametrize(("files", "words", "code", "said"), IN_FOLDERS)
def test_the_notes_of_a_folder_are_checked_or_counted(files, words, code, said, check):
    done, out, err = check(files, ".", *words)
    assert (done, err) == (code, said and f"ndcg-ref check: {said}\n")
    assert out.count("4.01, computed") == sum(text == SLIP for name, text in files.items() if name[-2:].lower() == "md")


def test_a_file_that_is_named_is_read_in_any_format(check):
    code, out, err = check({"a.adoc": SLIP}, "a.adoc", "--strict")
    assert (code, out.count("4.01, computed"), err) == (1, 1, "")


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


def test_a_file_that_meets_a_bug_is_named_and_the_others_are_checked(check, bug):
    code, out, err = check({"a.md": bug, "b.md": SLIP, "c.ipynb": "no JSON"}, ".")
    assert code == 3
    assert "b.md:3:45: ✗ slip: DCG@3: stated 4.01" in out
    first, second = err.splitlines()
    assert re.match(f"ndcg-ref check: a.md: {BUG}", first)
    assert second.startswith("ndcg-ref check: c.ipynb: expected a notebook")


@pytest.mark.parametrize(
    ("option", "reader", "printed"),
    [("--diff", "corrected", "+DCG@3 = "), ("--explain", "explained", "b.md:")],
)
def test_a_bug_in_what_is_printed_of_a_file_leaves_the_others(option, reader, printed, check, monkeypatch):
    right = getattr(check_command, reader)

    def wrong(first, *given, **options):
        return ()[0] if "of-a" in str(first) else right(first, *given, **options)

    monkeypatch.setattr(check_command, reader, wrong)
    code, out, err = check({"of-a.md": f"of-a\n\n{SLIP}", "b.md": SLIP}, "of-a.md", "b.md", option)
    assert code == 3
    assert printed in out
    assert re.match(
        r"ndcg-ref check: of-a.md: this is a bug of ndcg-ref, .* in ndcg_ref/commands/check_command.py, ", err
    )

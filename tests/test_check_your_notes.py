"""What the chapter on checking notes, and the pages on each way, tell readers to copy works as they say."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from ndcg_ref.commands.book_commands import KINDS, TEMPLATE
from ndcg_ref.commands.cli import main
from ndcg_ref.stated.stored_notebook import read_notebook

CHAPTER = Path(__file__).resolve().parent.parent / "book" / "practice" / "check-your-notes.ipynb"
TEXT = read_notebook(CHAPTER).text
LECTURE = (CHAPTER.parent / "lecture.txt").read_text(encoding="utf-8")
CORRECT = LECTURE.replace("0.773", "0.774").replace("5.265", "5.266").replace("0.952", "0.925")


def copied(language, text=TEXT):
    """The blocks of the chapter, or of another page, in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def page(name):
    """The text of a page on one way to check notes."""
    return (CHAPTER.parent.parent / "reference" / f"{name}.md").read_text(encoding="utf-8")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder whose lectures are one note: gives a function that writes it."""
    (tmp_path / "lectures").mkdir()
    monkeypatch.chdir(tmp_path)
    return lambda text: (tmp_path / "lectures" / "one.md").write_text(text, encoding="utf-8")


def commands():
    hook, step = (yaml.safe_load(block) for block in copied("yaml", page("in-pre-commit")))
    return [hook["repos"][0]["hooks"][0]["entry"], step[0]["run"]]


@pytest.mark.parametrize("command", commands())
@pytest.mark.parametrize(("text", "code"), [(LECTURE, 1), (CORRECT, 0)])
def test_the_hook_and_the_step_fail_while_a_lecture_has_a_slip(command, text, code, course, capsys):
    course(text)
    program, *words = shlex.split(command)
    assert program == "ndcg-ref"
    assert main(words) == code


@pytest.mark.parametrize(("text", "failed"), [(LECTURE, 4), (CORRECT, 0)])
def test_the_setting_to_copy_makes_each_slip_of_a_lecture_a_failed_test(text, failed, course, tmp_path):
    course(text)
    (setting,) = copied("toml", page("in-pytest"))
    (tmp_path / "pyproject.toml").write_text(setting, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == int(failed > 0), done.stdout
    assert (f"{failed} failed" in done.stdout) == (failed > 0)
    assert " passed" in done.stdout


def test_the_baseline_to_copy_lets_known_slips_pass_and_new_ones_fail(course, tmp_path, capsys):
    course(LECTURE)
    (lines,) = {block for text in (TEXT, page("in-a-shell")) for block in copied("sh", text) if "baseline" in block}
    first, second = lines.splitlines()
    words, file = first.split(" > ")
    assert main(shlex.split(words)[1:]) == 1
    (tmp_path / file).write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(shlex.split(second)[1:]) == 0
    course(LECTURE.replace("1.262", "1.626"))
    assert main(shlex.split(second)[1:]) == 1


def test_the_comment_to_copy_silences_its_line(course, capsys):
    (comment,) = re.findall("`(<!-- ndcg-ref: ignore.*? -->)`", TEXT)
    course(CORRECT.replace("0.925", f"0.952 {comment}"))
    assert main(["check", "lectures"]) == 0
    assert "1 slip ignored" in capsys.readouterr().err


def test_the_patch_to_copy_leaves_no_slip(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lecture.txt").write_text(LECTURE, encoding="utf-8")
    ((words, program),) = re.findall("`(ndcg-ref check --diff .*?) [|] (.*?)`", TEXT)
    main(shlex.split(words)[1:])
    subprocess.run(shlex.split(program), input=capfd.readouterr().out, cwd=tmp_path, text=True, check=True)
    assert (tmp_path / "lecture.txt").read_text(encoding="utf-8") == CORRECT
    assert main(["check", "lecture.txt"]) == 0


@pytest.mark.built
def test_the_build_of_each_kind_is_that_of_its_page():
    """The pages name the commands that a new book says to be built with, which tests/test_example_book.py tries."""
    pages = {"sphinx": "in-sphinx", "jupyter-book": "in-sphinx", "myst": "in-myst"}
    for kind, name in pages.items():
        for command in KINDS[kind].build.split("; "):
            assert f"$ {command}\n" in page(name)


def test_the_plugin_to_copy_is_that_of_a_new_book():
    (script,) = copied("sh", page("in-myst"))
    assert script == (TEMPLATE / "ndcg-plugin").read_text(encoding="utf-8")


def test_the_command_for_pandoc_writes_a_page_with_marks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "lecture.md").write_text(CORRECT, encoding="utf-8")
    for line in copied("console", page("in-quarto"))[0].splitlines():
        subprocess.run(line.removeprefix("$ "), shell=True, check=True, capture_output=True)
    written = (tmp_path / "lecture.html").read_text(encoding="utf-8")
    assert written.count("ndcg-tick ndcg-agrees") > 3
    assert (tmp_path / "verdicts.css").exists()

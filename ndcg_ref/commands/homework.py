"""`ndcg-ref homework` and `ndcg-ref grade`: sheets from a secret, and a table of the answers to them."""

import argparse
import csv
import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_ref.validation import quoted, shortened

if TYPE_CHECKING:
    from ndcg_ref.teaching.questions import Sheet

MOST_OF_SECRET = 1_000_000  # bytes
TYPESETTING = 120  # seconds for the PDF of a sheet
KEY = "key.csv"


def add_to(commands: Any) -> None:
    """Add both commands."""
    make = commands.add_parser(
        "homework",
        help="write homework sheets that derive from a secret, and their key",
        description="Write homework sheets as pages, as notebooks to answer in and, where xelatex is installed, as "
        "PDF; and their key. The questions and answers derive from the secret alone, and no sheet has its answers.",
    )
    make.add_argument("--secret", required=True, metavar="FILE", help="a file with a secret of at least 16 bytes")
    make.add_argument("--sheets", required=True, metavar="N", help="how many sheets, such as 30")
    make.add_argument(
        "--into", default="homework", metavar="FOLDER", help="the folder to make for them (default: homework)"
    )
    make.set_defaults(run=_homework)
    grade = commands.add_parser(
        "grade",
        help="judge the answers in students' notebooks",
        description="Read the answers of notebooks that ndcg-ref homework wrote, without running them, and print a "
        "table as CSV. Exit code 0: every notebook was graded; 2: some could not be, each with its reason on stderr.",
    )
    grade.add_argument("--secret", required=True, metavar="FILE", help="the secret that the sheets were made with")
    grade.add_argument("notebooks", nargs="+", metavar="NOTEBOOK", help="the notebooks, such as *.ipynb")
    grade.set_defaults(run=_grade)


def _secret(file: str) -> bytes:
    from ndcg_ref.teaching.questions import read_secret

    try:
        with open(file, "rb") as opened:
            content = opened.read(MOST_OF_SECRET + 1)
        if len(content) > MOST_OF_SECRET:
            raise ValueError(f"expected a secret of at most {MOST_OF_SECRET} bytes, got more (another file?)")
        return read_secret(content)
    except OSError as error:
        raise ValueError(f"--secret: {quoted(file)} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ValueError(f"--secret: {shortened(file)}: {error}") from None


def _count(text: str) -> int:
    from ndcg_ref.teaching.questions import MOST_SHEETS

    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MOST_SHEETS):
        raise ValueError(f"--sheets: expected how many, from 1 to {MOST_SHEETS}, got {quoted(text)}")
    return int(text)


def _homework(given: argparse.Namespace) -> int:
    from ndcg_ref.teaching.questions import make_sheet

    secret, count, target = _secret(given.secret), _count(given.sheets), Path(given.into)
    if target.exists():
        raise ValueError(
            f"--into: {quoted(given.into)} is there already, and is not overwritten (name another folder?)"
        )
    sheets = [make_sheet(secret, number) for number in range(1, count + 1)]
    try:
        # All or nothing: the folder gets its name when it is complete
        with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as made:
            folder = Path(made, "homework")
            folder.mkdir()
            what = _write(sheets, folder)
            folder.rename(target)
    except OSError as error:
        raise ValueError(f"--into: {quoted(given.into)} cannot be written: {error.strerror}") from None
    print(f"{target}: {count} sheet{'s' if count > 1 else ''} ({what}), and {KEY} with the answers")
    return 0


def _write(sheets: "list[Sheet]", folder: Path) -> str:
    """Write all files of all sheets, and the key; returns which kinds of files there are."""
    from ndcg_ref.teaching.sheets import FORMS, as_latex, key

    program = shutil.which("xelatex")
    digits = len(str(len(sheets)))
    for sheet in sheets:
        name = f"sheet-{sheet.number:0{digits}}"
        for suffix, form in FORMS.items():
            (folder / f"{name}{suffix}").write_text(form(sheet), encoding="utf-8")
        if program:
            _typeset(program, as_latex(sheet), folder / f"{name}.pdf")
    (folder / KEY).write_text(key(sheets), encoding="utf-8")
    if program is None:
        print("no PDF: xelatex is not installed; print the pages instead", file=sys.stderr)
    return "HTML, notebook, PDF" if program else "HTML, notebook"


def _typeset(program: str, text: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sheet.tex").write_text(text, encoding="utf-8")
        words = [program, "-interaction=batchmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]
        done = subprocess.run(words, cwd=folder, capture_output=True, check=False, timeout=TYPESETTING)
        if done.returncode:
            raise ValueError(f"xelatex cannot set {target.stem} (are the packages geometry and amsmath installed?)")
        shutil.copyfile(Path(folder) / "sheet.pdf", target)


def _grade(given: argparse.Namespace) -> int:
    from ndcg_ref.teaching.grading import COLUMNS, LARGEST, grade

    secret = _secret(given.secret)
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n")
    rows.writerow(COLUMNS)
    refused = 0
    for file in given.notebooks:
        try:
            with open(file, encoding="utf-8") as opened:
                text = opened.read(LARGEST + 1)
            rows.writerows(each.row(file) for each in grade(secret, text))
        except UnicodeDecodeError:
            refused += _refuse(file, "expected a notebook, got a file that is no text in UTF-8")
        except OSError as error:
            refused += _refuse(file, f"cannot be read: {error.strerror}")
        except ValueError as error:
            refused += _refuse(file, str(error))
    print(table.getvalue(), end="")
    return 2 if refused else 0


def _refuse(file: str, reason: str) -> int:
    print(f"ndcg-ref grade: {shortened(file)}: {reason}", file=sys.stderr)
    return 1

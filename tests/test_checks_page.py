"""What the page of checks says of pytest's option NUMBER is what pytest does."""

import re
import sys
from pathlib import Path

from commands import run

from ndcg_ref.stated.stored_notebook import read_notebook

CHAPTER = Path(__file__).resolve().parent.parent / "book" / "checks.ipynb"
ROW = re.compile(r"^ *(\S+) for (\S+) +(?:yes|no) +(yes|no)", re.MULTILINE)


def test_the_column_of_number_is_what_pytest_says(tmp_path):
    (printed,) = (cell.printed for cell in read_notebook(CHAPTER).code if "NUMBER" in cell.printed)
    rows = ROW.findall(printed)
    for place, (stated, value, _) in enumerate(rows):
        (tmp_path / f"{place}.txt").write_text(f">>> print({value})\n{stated}\n", encoding="utf-8")
    words = ("--doctest-glob=*.txt", "-o", "doctest_optionflags=NUMBER", "-p", "no:cacheprovider", "-rA")
    done = run(sys.executable, "-m", "pytest", *words, cwd=tmp_path)
    passed = set(re.findall(r"^PASSED (\d+)\.txt", done.stdout, re.MULTILINE))
    assert {said for *_, said in rows} == {"yes", "no"}
    assert ["yes" if str(place) in passed else "no" for place in range(len(rows))] == [said for *_, said in rows]

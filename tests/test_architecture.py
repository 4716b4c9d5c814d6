"""What the documents point to is there, and the table of the architecture has every formula of the reference module."""

import inspect
import re
from pathlib import Path

from rows import every_row

from ndcg_ref.formulas import plain

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


PAGES = [
    *(Path("docs", name) for name in ("architecture.md", "authoring.md")),
    *map(Path, ("README.md", "CONTRIBUTING.md", "live/README.md")),
]
LINK = re.compile(r"\]\(([^)#:]+)[^):]*\)")
PATH = re.compile(r"`((?:ndcg_ref|live|book|tools|tests|docs|interop|cluster|benchmarks|examples)/[\w/.]*)`")


@every_row("page", PAGES)
def test_every_link_and_every_path_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    prose = re.sub(r"^( *)(`{3,}).*?^\1\2", "", text, flags=re.MULTILINE | re.DOTALL)  # without what is to be copied
    places = {(ROOT / page).parent / link for link in LINK.findall(prose)} | {
        ROOT / path for path in PATH.findall(text)
    }
    assert len(places) > 4
    assert [place for place in places if not place.exists() and "NAME" not in place.name] == []


def test_the_table_has_every_formula_of_the_reference_module():
    table = TEXT.partition("| formula |")[2].partition("## ")[0]
    functions = inspect.getmembers(plain, inspect.isfunction)
    formulas = {name for name, value in functions if value.__module__ == plain.__name__}
    assert set(re.findall(r"`(\w+)`", table)) == {name for name in formulas if not name.startswith("_")}


def test_every_room_has_a_row_and_a_function_is_in_the_file_that_it_is_said_to_be_in():
    rooms = {path.parent.name for path in (ROOT / "ndcg_ref").glob("*/__init__.py")}
    table = TEXT.partition("| room |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == rooms
    places = re.findall(r"`(?:\w+\.)?(\w+)` in `([\w/.]+)`", TEXT)
    assert len(places) > 5
    for name, path in places:
        assert re.search(rf"^ *def {name}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), name

"""What docs/architecture.md points to is there, and its table has every formula of the reference module."""

import inspect
import re
from pathlib import Path

from ndcg_ref.formulas import plain

DOCS = Path(__file__).resolve().parent.parent / "docs"
TEXT = (DOCS / "architecture.md").read_text(encoding="utf-8")


def test_every_link_and_every_path_leads_somewhere():
    places = {DOCS / link for link in re.findall(r"\]\(([^)#:]+)\)", TEXT)}
    places |= {
        DOCS.parent / path for path in re.findall(r"`((?:ndcg_ref|live|book|tools|interop|cluster)/[\w/.]*)`", TEXT)
    }
    assert len(places) > 10
    assert [place for place in places if not place.exists()] == []


def test_the_table_has_every_formula_of_the_reference_module():
    table = TEXT.partition("| formula |")[2].partition("## ")[0]
    formulas = {
        name for name, value in inspect.getmembers(plain, inspect.isfunction) if value.__module__ == plain.__name__
    }
    assert set(re.findall(r"`(\w+)`", table)) == {name for name in formulas if not name.startswith("_")}


def test_every_room_has_a_row():
    rooms = {path.parent.name for path in (DOCS.parent / "ndcg_ref").glob("*/__init__.py")}
    table = TEXT.partition("| room |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == rooms


def test_a_function_is_in_the_file_that_it_is_said_to_be_in():
    places = re.findall(r"`(?:\w+\.)?(\w+)` in `([\w/.]+)`", TEXT)
    assert len(places) > 5
    for name, path in places:
        assert re.search(rf"^ *def {name}\(", (DOCS.parent / path).read_text(encoding="utf-8"), re.MULTILINE), name

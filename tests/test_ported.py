"""What the chapter for users of other libraries shows is what `make interop` ran."""

import json
from pathlib import Path

import pytest

from interop.ported import FOLDER, SCRIPTS
from ndcg_ref.conventions.presets import ABOUT

ROOT = Path(__file__).resolve().parent.parent
STORED = json.loads((ROOT / "book" / "_data" / "coming-from.json").read_text("utf-8"))
assert STORED


def test_every_script_is_stored_and_no_other():
    assert list(STORED) == list(SCRIPTS)
    assert {f"from_{name}.py" for name in SCRIPTS} == {path.name for path in FOLDER.glob("from_*.py")}


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_stored_text_of_a_script_is_that_of_its_file_and_it_was_run_with_a_version_that_has_a_preset(name):
    """Else its values are older than its text: `make interop` runs it again."""
    assert STORED[name]["code"] == (FOLDER / f"from_{name}.py").read_text("utf-8")
    assert STORED[name]["library"] in ABOUT
    assert STORED[name]["means"]


def test_what_follows_a_script_is_stored_too():
    names = [path.stem.removeprefix("to_") for path in FOLDER.glob("to_*.py")]
    assert names == [name for name in STORED if "code_of_ndcg_ref" in STORED[name]] == ["cross_validation"]
    for name in names:
        assert STORED[name]["code_of_ndcg_ref"] == (FOLDER / f"to_{name}.py").read_text("utf-8")

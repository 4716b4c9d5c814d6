"""The front page, and the page on verdicts that it leads to, show what they promise."""

from pathlib import Path

import pytest

from ndcg_ref.stated.causes import CAUSES, UNEXPLAINED

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html" / "book"


def page(name):
    """The text of a built page."""
    path = PAGES / f"{name}.html"
    if not path.exists():
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    return path.read_text(encoding="utf-8")


@pytest.mark.built
@pytest.mark.parametrize("code", [*(cause.code for cause in CAUSES), UNEXPLAINED])
def test_a_link_to_a_cause_leads_to_its_row(code):
    assert page("verdicts").count(f'id="cause-{code}"') == 1

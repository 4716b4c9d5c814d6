"""What lies in `live/`: pinned tools, scripts that write no HTML, and few bytes for the pages that load them."""

import json
import re
from pathlib import Path

import pytest
from rows import every_row

from tools.book.live_ext import SOURCES, STYLES

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "_build" / "html"
LOCK = (ROOT / "live" / "package-lock.json").read_text(encoding="utf-8")
PACKAGES = {name: each for name, each in json.loads(LOCK)["packages"].items() if name}
SCRIPTS = sorted(SOURCES.glob("*.js"))
MOST_BYTES = 30_000  # of scripts and styles that a chapter loads for what is live in it
assert PACKAGES
assert SCRIPTS


@every_row("name", PACKAGES)
def test_a_package_is_pinned_by_its_hash_and_by_no_address(name):
    assert PACKAGES[name]["integrity"].startswith("sha512-")
    assert "resolved" not in PACKAGES[name]


def test_the_tools_are_pinned_to_one_version():
    named = json.loads((ROOT / "live" / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert {name: PACKAGES[f"node_modules/{name}"]["version"] for name in named} == named


WRITES_HTML = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment|document\.write|eval)\b"
    r"|\bnew Function\b|\bset(Timeout|Interval)\(\s*[\"'`]"
)


@every_row("path", SCRIPTS)
def test_a_script_makes_elements_of_text_and_never_writes_html(path):
    code = re.sub(r"^\s*(//|/?\*).*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert WRITES_HTML.search(code) is None


@pytest.mark.parametrize("code", ["a.innerHTML = b;", "eval(a)", "new Function(a)", "setTimeout('a()', 1)"])
def test_what_writes_html_or_evaluates_text_is_found(code):
    assert WRITES_HTML.search(code)


@pytest.mark.parametrize("path", sorted(STYLES.glob("*.css")), ids=lambda path: path.stem)
def test_a_style_loads_nothing(path):
    assert not re.search(r"@import|url\(", path.read_text(encoding="utf-8"))


def live_bytes(page):
    """How many bytes of live scripts and styles a built page loads."""
    named = re.findall(r'(?:src|href)="([^"?]*_static/live[\w.-]*\.(?:js|css))[?"]', page.read_text(encoding="utf-8"))
    return sum((page.parent / name).stat().st_size for name in set(named))


@pytest.mark.built
def test_no_chapter_loads_more_than_30_kb_for_what_is_live_in_it():
    pages = [path for path in BUILT.rglob("*.html") if path.parent != BUILT / "book" / "live"]
    assert pages, "expected the built book in _build/html, found none: run `make book` first"
    heavy = {str(path.relative_to(BUILT)): size for path in pages if (size := live_bytes(path)) > MOST_BYTES}
    assert heavy == {}

"""The line that installs the package names what pip finds: an address, a name, or a file that the page links to."""

import re
from html import unescape

import pytest
from test_sphinx_ext import build

from tools.book.wheel_ext import WHEEL

pytestmark = pytest.mark.built

CONF = 'extensions = ["myst_nb", "tools.book.wheel_ext"]\nproject = "x"\n'
ADDRESS = 'html_baseurl = "https://example.org/a-book/"\n'
NAME = 'install_name = "ndcg-ref"\n'
INSTALL = "python3 -m pip install "

LINES = [
    # builder, configuration, line, what stands before it
    ("html", "", INSTALL + WHEEL, f'Download <a class="reference internal" href="_downloads/{WHEEL}">'),
    ("html", ADDRESS, f"{INSTALL}https://example.org/a-book/_downloads/{WHEEL}", ""),
    ("html", NAME, f"{INSTALL}ndcg-ref", ""),
    ("html", ADDRESS + NAME, f"{INSTALL}ndcg-ref", ""),
    ("text", "", f"{INSTALL}.", "In a copy of the repository:"),
    ("text", ADDRESS, f"{INSTALL}https://example.org/a-book/_downloads/{WHEEL}", ""),
]


@pytest.mark.parametrize(("builder", "conf", "line", "before"), LINES)
def test_the_line_names_what_pip_finds(tmp_path, builder, conf, line, before):
    page, warnings = build(tmp_path, builder, [], "# Title\n\n```{install}\n```", CONF + conf)
    text = unescape(re.sub("<[^>]*>", "", page))
    assert [each.strip() for each in text.splitlines() if INSTALL in each] == [line]
    assert before in page
    assert bool(before) == ("Download" in page or "repository" in page)
    assert warnings == ""


def test_the_wheel_lies_beside_the_pages(tmp_path):
    build(tmp_path, "html", [], conf=CONF)
    assert [path.name for path in tmp_path.rglob("*.whl")] == [WHEEL]

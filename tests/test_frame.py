"""The frame around the pages: each has a description and a title, and, given an address, says where it is."""

import re
import shutil
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
import yaml
from commands import run
from docutils import nodes
from pages import notebook, text
from rows import every_row

from ndcg_ref import __version__
from ndcg_ref.sphinx_ext.verdict_nodes import ticked
from ndcg_ref.stated import judge
from tools.book.frame_ext import description

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "_build" / "html"
BOOK = "NDCG, number by number"


def meta(page, name):
    """What the tags of a page with this name, or property, say."""
    return [unescape(said) for said in re.findall(f'<meta (?:name|property)="{name}" content="([^"]*)"', page)]


def built():
    """Every page of the built book, by its path."""
    pages = {
        path.relative_to(PAGES).as_posix(): path.read_text(encoding="utf-8")
        for path in PAGES.rglob("*.html")
        if not {"_static", "_sources"} & set(path.relative_to(PAGES).parts)
    }
    if not pages:
        pytest.fail("expected the built book in _build/html, found none: run `make book` first")
    return pages


def paragraphs(*texts, inside=nodes.section):
    page = nodes.document(None, None)
    page += nodes.section("", inside("", *(nodes.paragraph(text, text) for text in texts)))
    return page


FORTY = "This sentence has exactly 40 characters."
LONG = "A sentence without an end in sight goes on, " + "and on, " * 20 + "and ends."

DESCRIBED = [
    # paragraphs, description
    ([f"{FORTY} {FORTY}"], f"{FORTY} {FORTY}"),
    ([f"{FORTY} {FORTY} {FORTY} {FORTY}"], f"{FORTY} {FORTY} {FORTY}"),  # 163 characters are too many
    ([LONG], LONG[: LONG.rindex(" ", 0, 159)] + " …"),
    ([f"It is e.g. {FORTY} {FORTY}"], f"It is e.g. {FORTY} {FORTY}"),
]


@every_row(("texts", "expected"), DESCRIBED)
def test_a_description_is_the_first_sentences(texts, expected):
    assert description(paragraphs(*texts)) == expected


def test_a_description_leaves_out_ticks():
    page = paragraphs("")
    (paragraph,) = page.findall(nodes.paragraph)
    paragraph += ticked(nodes.Text(FORTY), record=judge("0.5", 0.5, "x").record())
    paragraph += nodes.Text(f" {FORTY}")
    assert description(page) == f"{FORTY} {FORTY}"
    assert "✓" in page.astext()


def test_a_description_leaves_out_formulas_and_boxes():
    page = paragraphs(FORTY + FORTY, inside=nodes.note)
    formula = nodes.paragraph("", "So ", nodes.math("", r"\frac{1}{2}"), nodes.Text(" is a half. " + FORTY))
    page[0].extend([formula, nodes.paragraph("", f"{FORTY} {FORTY}")])
    assert description(page) == f"{FORTY} {FORTY}"


@pytest.mark.built
class TestEveryPage:
    def test_every_page_has_a_description_of_its_own(self):
        found = {path: meta(page, "description") for path, page in built().items()}
        assert {path: said for path, said in found.items() if [50 <= len(each) <= 160 for each in said] != [True]} == {}
        assert [said for said, times in Counter(said for (said,) in found.values()).items() if times > 1] == []

    def test_every_page_has_a_title_of_its_own_that_says_nothing_twice(self):
        titles = {path: re.findall("<title>(.*?)</title>", page) for path, page in built().items()}
        assert {path: said for path, said in titles.items() if len(said) != 1} == {}
        parts = {path: re.split(" (?:&#8212;|—|-) ", said[0]) for path, said in titles.items()}
        assert {path: said for path, said in parts.items() if len(set(said)) < len(said)} == {}
        twice = Counter(said for path, (said,) in titles.items() if path != "index.html")  # which leads to the first
        assert [said for said, times in twice.items() if times > 1] == []

    def test_every_page_names_version_and_licences_in_its_footer(self):
        words = [f"version {__version__}", "CC BY 4.0", "BSD 3-Clause"]
        pages = {path: page for path, page in built().items() if path not in ("index.html", "404.html")}
        assert [path for path, page in pages.items() if not all(word in page for word in words)] == []

    def test_every_page_names_only_the_address_and_repository_of_the_configuration(self):
        """Jupyter Book sets its own repository where a book names none."""
        config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
        signs = {'rel="canonical"': "baseurl" in config["html"], "Report an error": "repository" in config}
        pages = {path: page for path, page in built().items() if path not in ("index.html", "404.html")}
        for sign, named in signs.items():
            assert [path for path, page in pages.items() if (sign in page) != named] == []

    def test_the_page_for_a_wrong_address_is_one_file(self):
        page = built()["404.html"]
        assert re.findall("<(?:script|img|iframe|object)", page) == []
        assert re.findall('<link[^>]*href="([^"]*)"', page) == ["data:,"]
        assert "url(" not in page
        assert "@import" not in page


ADDRESS, REPOSITORY = "https://example.org/a-book/", "https://github.com/someone/a-book"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A folder with the pages of a book of two: this one's configuration, with an address and a repository."""
    folder = tmp_path_factory.mktemp("addressed")
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["html"]["baseurl"] = ADDRESS
    config["repository"] = {"url": REPOSITORY, "branch": "main"}
    config["execute"]["execute_notebooks"] = "off"
    config["sphinx"]["local_extensions"] = dict.fromkeys(config["sphinx"]["local_extensions"], str(ROOT))
    (folder / "_config.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    (folder / "_toc.yml").write_text("format: jb-book\nroot: book/intro\nchapters: [{file: book/more}]\n")
    for kept in ("_static", "_latex", "references.bib"):
        (folder / "book").mkdir(exist_ok=True)
        (folder / "book" / kept).symlink_to(ROOT / "book" / kept)
    (folder / "book" / "intro.ipynb").write_text(notebook(text(f"# {BOOK}\n\n{FORTY} {FORTY}")), encoding="utf-8")
    (folder / "book" / "more.md").write_text(f"# More & `less`\n\nMore. {FORTY} {FORTY}", encoding="utf-8")
    command = Path(sys.executable).parent / "jupyter-book"
    done = run(command, "build", folder, "--all", "-W", "--keep-going", "-n", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    yield folder / "_build" / "html"
    shutil.rmtree(folder)


@pytest.mark.built
class TestABookWithAnAddress:
    @pytest.fixture
    def page(self, pages):
        return (pages / "book" / "more.html").read_text(encoding="utf-8")

    def test_a_page_names_its_address_and_has_a_card(self, page, pages):
        assert re.findall('<link rel="canonical" href="([^"]*)"', page) == [f"{ADDRESS}book/more.html"]
        assert meta(page, "og:url") == [f"{ADDRESS}book/more.html"]
        assert meta(page, "og:title") == ["More & less"]
        assert meta(page, "og:description") == [f"More. {FORTY} {FORTY}"] == meta(page, "description")
        (image,) = meta(page, "og:image")
        picture = (pages / image.removeprefix(ADDRESS)).read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert [int.from_bytes(picture[start : start + 4]) for start in (16, 20)] == [1200, 630]  # width, height

    def test_a_page_can_be_reported_and_its_source_be_read(self, page):
        links = dict(re.findall('<a href="([^"]*)">(Report an error on this page|source of this page)</a>', page))
        assert {said: link.partition("?")[0] for link, said in links.items()} == {
            "Report an error on this page": f"{REPOSITORY}/issues/new",
            "source of this page": f"{REPOSITORY}/blob/main/book/more.md",
        }

    def test_the_site_map_lists_every_page_and_front_door_and_lost_page_name_the_address(self, pages):
        urls = ET.parse(pages / "sitemap.xml").getroot()
        assert [url[0].text for url in urls] == [f"{ADDRESS}book/{page}.html" for page in ("intro", "more")]
        front, lost = ((pages / name).read_text(encoding="utf-8") for name in ("index.html", "404.html"))
        assert f'<link rel="canonical" href="{ADDRESS}book/intro.html">' in front
        assert 'content="0; url=book/intro.html"' in front
        assert f'<base href="{ADDRESS}">' in lost

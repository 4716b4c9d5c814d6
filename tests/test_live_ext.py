"""The scripts of the live pages: modules become one classic script, and a page loads what it asks for, nothing else."""

import re

import pytest
from pages import PAGE, cell, conf, made, notebook, text
from rows import every_row

from tools.book import live_ext
from tools.book.live_ext import JoinError, entries, joined, squeezed, without_unused

CONF = conf("myst_nb", "tools.book.live_ext")


@pytest.fixture
def sources(tmp_path):
    """Writes modules by their names, and gives their folder."""

    def write(**modules):
        for name, source in modules.items():
            (tmp_path / f"{name}.js").write_text(source, encoding="utf-8")
        return tmp_path

    return write


LOW = "// What all share.\nexport const A = 1;\n\n/**\n * Adds.\n */\nexport function b() {\n  return A; // one\n}\n"
IMPORTS = 'import {\n  A,\n  b,\n} from "./low.js";\n'
ENTRY = f"{IMPORTS}\nconst c = /** @type {{number}} */ (b()) + A;\n  // not kept\nc;\n"


def test_an_entry_and_what_it_imports_are_one_script_in_order(sources):
    assert joined(sources(low=LOW, page=ENTRY), "page") == (
        '(() => {\n"use strict";\nconst A=1;function b(){return A;}\nconst c=(b())+A;c;})();\n'
    )


def test_a_module_that_two_others_import_is_there_once_and_first(sources):
    middle = 'import { A } from "./low.js";\nexport const middle = A;\n'
    entry = 'import { middle } from "./middle.js";\nimport { b } from "./low.js";\nb(middle);\n'
    names = re.findall(r"\b(?:const|function) (\w+)", joined(sources(low=LOW, middle=middle, page=entry), "page"), re.M)
    assert names == ["A", "b", "middle"]


def test_code_between_a_cast_and_a_comment_is_kept(sources):
    entry = "/** @type {number} */ (a).b();\nc();\n/* the end */\nd();\n"
    assert joined(sources(page=entry), "page") == '(() => {\n"use strict";\n(a).b();c();d();})();\n'


# A line as it is written, and in the script
SQUEEZED = [
    ("  const a = b + c - d * 2 ** e;", "const a=b+c-d*2**e;"),
    ('  f("a = b", \'c, d\', { e: "f" });', 'f("a = b",\'c, d\',{e:"f"});'),
    ("  const a = `b = ${c} d`;", "const a = `b = ${c} d`;"),
    ("  a.replace(/b = c/g, d);", "a.replace(/b = c/g, d);\n"),
    ("  return a ? -b : .5; // c, d", "return a?-b:.5;"),
    ("  const a = b / c; // d,", "const a = b / c; // d,\n"),
    ("  a = b++ + +c;", "a=b++ + +c;"),
    ('  f("//", a, // b', 'f("//", a, // b\n'),
    ("    .filter((a) => a !== b)", ".filter((a)=>a!==b)\n"),
]


@every_row(("line", "left"), SQUEEZED)
def test_blanks_are_left_out_where_they_say_nothing(line, left):
    assert squeezed(f"{line}\n") == left


def test_functions_that_nothing_names_are_left_out_and_others_are_kept():
    kept = "function used() {}\nfunction other(\n  a,\n) {\n  return a;\n}\nconst go = () => other(used);\ngo();\n"
    own = "function again() {\n  again();\n}\n"
    caller = "async function calls() {\n  helps();\n}\nfunction helps() {\n}\n"
    assert without_unused(f"{own}{caller}{kept}") == kept


def test_an_entry_is_a_module_that_exports_nothing(sources):
    assert entries(sources(low=LOW, page=ENTRY, quiz="go();\n")) == ["page", "quiz"]


REFUSED = {
    # what is wrong: the entry, and the message
    "another name": ('import { A as B } from "./low.js";\n', r"page\.js: expected imports without another"),
    "a default": ("go();\nexport default go;\n", r"page\.js:2: expected export function, .*got 'export default go;'"),
    "all of a module": ('import * as low from "./low.js";\n', r"page\.js:1: expected import \{ a, b \}"),
    "a module loaded later": ('go();\nawait1(import("./low.js"));\n', r"page\.js:2: expected all imports at the top"),
    "import.meta": ("new URL(import.meta.url);\n", r"page\.js:1: expected document\.currentScript\.src"),
    "await at the top": ("go();\nconst a = await go();\n", r"page\.js:2: expected no await outside a function"),
    "two names at once": ("const { a, b } = go();\n", r"page\.js:1: expected one const, let, function or class"),
    "a text over two lines": ("// one\n/*\n*/\nconst a = `b\nc`;\n", r"page\.js:4: expected a text in backticks"),
    "a module that is not there": ('import { a } from "./gone.js";\n', r"page\.js: expected a module in live/src"),
    "a name that is not exported": ('import { z } from "./low.js";\n', r"page\.js: expected a name that low\.js "),
    "a name of another module": (f"{IMPORTS}const A = 2;\n", r"page\.js: .* its own, got A, as in low\.js"),
    "a circle": ('import { q } from "./ring.js";\n', r"ring\.js: .* one direction, got page -> ring -> page"),
}


@every_row("wrong", REFUSED)
def test_what_cannot_be_joined_is_refused_with_its_place(sources, wrong):
    entry, message = REFUSED[wrong]
    folder = sources(low=LOW, ring='import { p } from "./page.js";\nexport const q = p;\n', page=entry)
    with pytest.raises(JoinError, match=message):
        joined(folder, "page")


def test_an_unknown_entry_is_refused_with_those_that_there_are(sources):
    with pytest.raises(JoinError, match=r"expected one of the entries in live/src \(page\), got 'low'"):
        joined(sources(low=LOW, page=ENTRY), "low")


PLACE = '# A page\n\n```{live} page\n:grades: 3 "2"\n:hard:\nWithout **a script**.\n```\n'


@pytest.fixture
def built(tmp_path, sources, monkeypatch):
    """A page made of some cells, what the build complained of, and the folder of its scripts."""

    def build(*cells, builder="html"):
        monkeypatch.setattr(live_ext, "SOURCES", sources(low=LOW, page=ENTRY, quiz="go();\n"))
        monkeypatch.setattr(live_ext, "STYLES", tmp_path)
        (tmp_path / "live.css").write_text("/* All */\n.a {\n  b: c;\n}\n", encoding="utf-8")
        for name in ("quiz", "low"):
            (tmp_path / f"{name}.css").write_text(".q { b: c; }\n", encoding="utf-8")
        (tmp_path / "source").mkdir()
        (tmp_path / "source" / "index.ipynb").write_text(notebook(*cells), encoding="utf-8")
        book = made(tmp_path / "source", CONF, builder)
        return book.page(PAGE[builder]), book.warnings, book.out / "_static"

    return build


@pytest.mark.built
class TestAPage:
    def test_the_directive_leaves_a_place_with_options_and_what_stands_there_without_a_script(self, built):
        page, warnings, _ = built(text(PLACE))
        assert warnings == ""
        place = re.search(r'<div class="ndcg-live".*?</div></div>', page, re.DOTALL)[0]
        assert place.startswith('<div class="ndcg-live" data-grades="3 &quot;2&quot;" data-hard="" data-live="page">')
        assert '<div class="ndcg-live-without">\n<p>Without <strong>a script</strong>.</p>' in place

    def test_a_page_loads_what_it_asks_for_and_nothing_else(self, built):
        page, warnings, static = built(text(PLACE), cell(tags=["live-quiz"]))
        assert warnings == ""
        assert re.findall(r'<script defer="defer" src="_static/(live[\w.-]+)', page) == ["live-page.js", "live-quiz.js"]
        assert re.findall(r'href="_static/(live[\w.-]+)', page) == ["live.css", "live-low.css", "live-quiz.css"]
        assert (static / "live.css").read_text(encoding="utf-8") == ".a{b:c;}"
        assert (static / "live-quiz.js").read_text(encoding="utf-8") == '(() => {\n"use strict";\ngo();})();\n'

    def test_a_place_for_later_names_its_files_and_the_page_loads_none(self, built):
        page, warnings, static = built(text(PLACE.replace(":hard:", ":later:")))
        assert warnings == ""
        assert re.findall(r'(?:src|href)="_static/live', page) == []
        files = re.search(r'data-later="([^"]*)"', page)[1].split()
        names = [re.fullmatch(r"_static/(.+)\?v=[0-9a-f]+", each)[1] for each in files]
        assert names == ["live.css", "live-low.css", "live-page.js"]
        assert all((static / name).is_file() for name in names)

    def test_a_page_that_asks_for_nothing_loads_nothing(self, built):
        page, warnings, static = built(text("# A page"), cell(tags=["another"]))
        assert warnings == ""
        assert "live" not in page
        assert list(static.glob("live*")) == []

    @pytest.mark.parametrize("builder", ["latex", "text"])
    def test_paper_shows_what_a_page_without_a_script_shows(self, built, builder):
        page, warnings, _ = built(text(PLACE), builder=builder)
        assert warnings == ""
        assert "Without" in page
        assert "3 " not in page.partition("Without")[2]

    @pytest.mark.parametrize(
        ("place", "message"),
        [
            ("```{live} other\nText.\n```", r"live: expected one of the entries in live/src \(page, quiz\)"),
            ("```{live} low\nText.\n```", r"live: expected one of the entries .* got 'low'"),
            ("```{live} page\n```", "live: expected what paper and .* show of 'page', got nothing"),
            ("```{live} page\n:On: x\n\nText.\n```", "Unknown option keys: ..On"),
        ],
    )
    def test_a_place_that_is_not_right_is_refused_at_its_line(self, built, place, message):
        _, warnings, _ = built(text(f"# A page\n\n{place}"))
        assert re.search(message, warnings)
        assert "index.ipynb:" in warnings

    def test_a_tag_that_asks_for_no_entry_is_a_warning(self, built):
        page, warnings, _ = built(text("# A page"), cell(tags=["live-gone"]))
        assert re.search(r"index\.ipynb.*tag of a cell: expected one of the entries .* got 'gone'", warnings)
        assert "live-gone.js" not in page

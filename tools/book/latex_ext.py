"""Adapt the book for print: two volumes and a sheet, parts, an introduction, sources in place, tables that fit.

A Sphinx extension that changes the LaTeX builder alone. The style is in ``book/_latex``;
``ndcg-sheet.sty`` says what the cheat sheet, a document of its own, looks like.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.latex import LaTeXBuilder
from sphinx.builders.latex.nodes import math_reference
from sphinx.builders.latex.theming import Theme
from sphinx.environment import BuildEnvironment
from sphinx.errors import NoUri
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import inline_all_toctrees
from sphinx.util.texescape import escape
from sphinx.writers.latex import LaTeXTranslator

from ndcg_ref import __version__
from ndcg_ref.sphinx_ext.folds import OF_SOLUTIONS, Fold

SIZES = {"small": 82, "footnotesize": 91, "scriptsize": 103}  # characters of a table's line, about
ON_SHEET = {"small": 118}
GAP = 3  # of them between two columns

SHEET = "book/cheat-sheet"
OF_A_SHEET = {  # in place of what `_config.yml` sets for a volume
    "geometry": r"\usepackage[hmargin=14mm, top=12mm, bottom=14mm, footskip=7mm]{geometry}",
    "preamble": r"\usepackage{ndcg-ref}\usepackage{ndcg-sheet}",
    "maketitle": r"\ndcgtitle",
    "tableofcontents": "",
    "printindex": "",
}
ACROSS = "libraries"  # the first section of the sheet that is as wide as the page
LEFT_OUT = "checks"  # a section for the page on a screen


class Volumes(LaTeXBuilder):
    """The book in one volume, or in two, and its sheet.

    An entry of `latex_documents` with `toctree_only` is the reference. The sheet is the last entry.
    """

    name = "latex"

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """The page, also of another volume: `Elsewhere` looks for these."""
        if docname not in self.env.found_docs:
            raise NoUri(docname, typ)
        return f"%{docname}"

    def assemble_doctree(self, indexfile: str, toctree_only: bool, appendices: list[str]) -> nodes.document:
        """The tree of a volume."""
        tree = self.env.get_doctree(indexfile)
        self.docnames = set() if toctree_only else {indexfile}
        two = any(toctree_alone for *_, toctree_alone in self.config.latex_documents)
        other = {page for page in self.env.found_docs if two and is_reference(page) != toctree_only}
        for toctree in list(tree.findall(addnodes.toctree)):
            files = [page for each in toctree["includefiles"] for page in self.branch(each) if page not in other]
            toctree["includefiles"] = files
            toctree.parent["caption"] = toctree["caption"]
            if not files:
                toctree.parent.parent.remove(toctree.parent)
        if toctree_only:
            book = next(tree.findall(nodes.section))
            book[:] = [each for each in book if isinstance(each, nodes.title) or is_part(each)]
        tree = inline_all_toctrees(self, self.docnames, indexfile, tree, str, [indexfile, *other])
        tree["docname"] = indexfile
        raise_chapters(tree)
        self.env.resolve_references(tree, indexfile, self)
        return tree

    def branch(self, page: str) -> Iterator[str]:
        """A page of the contents and all that are below it."""
        yield page
        for each in self.env.toctree_includes.get(page, ()):
            yield from self.branch(each)

    def update_doc_context(self, title: str, author: str, theme: Theme) -> None:
        """What the frame of a document is filled with."""
        super().update_doc_context(title, author, theme)
        if self.docnames == {SHEET}:
            self.context |= OF_A_SHEET


def raise_chapters(tree: nodes.document) -> None:
    """Make a chapter of each page that is below another one in the contents, behind that one."""
    for page in reversed(list(tree.findall(addnodes.start_of_file))):
        for below in list(page.findall(is_part)):
            place = page.parent.index(page) + 1
            page.parent[place:place] = below.children
            below.parent.remove(below)


def latex(text: str) -> nodes.raw:
    """A piece of LaTeX, as it is."""
    return nodes.raw("", text, format="latex")


def sets_sheet(app: Sphinx) -> bool:
    """Whether the document at hand is the sheet."""
    return bool(app.builder.docnames == {SHEET})  # type: ignore[attr-defined]


class SetSheet(SphinxPostTransform):
    """Set the sheet in two columns, and what is wide below them."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Put the columns around the sections before the first wide one; the fold of checks is for the page."""
        if not sets_sheet(self.app):
            return
        sheet = next(self.document.findall(nodes.section))
        sections = {name: each for each in sheet if isinstance(each, nodes.section) for name in each["ids"]}
        sheet.remove(sections[LEFT_OUT])
        sheet.insert(sheet.index(sections[ACROSS]), latex(r"\end{multicols}"))
        sheet.insert(sheet.index(next(iter(sections.values()))), latex(r"\begin{multicols}{2}"))


def is_reference(page: str) -> bool:
    """Whether a page is in the second volume."""
    return page.startswith("book/reference/")


def is_part(node: nodes.Node) -> bool:
    """Whether a node holds the pages of a part."""
    return isinstance(node, nodes.compound) and "toctree-wrapper" in node["classes"]


def documents(app: Sphinx, env: BuildEnvironment) -> None:
    """Make the reference a volume of its own, and the cheat sheet a document besides."""
    [(root, target, title, author, theme, *_)] = app.config.latex_documents
    stem = Path(target).stem
    made = [(root, target, title, author, theme, False)]
    if any(is_reference(page) for page in env.found_docs):
        made += [(root, f"{stem}-reference.tex", f"{title}. Volume 2: the reference", author, theme, True)]
    if SHEET in env.found_docs:
        made += [(SHEET, f"{stem}-cheat-sheet.tex", env.titles[SHEET].astext(), author, theme, False)]
    app.config.latex_documents = made


class Elsewhere(SphinxPostTransform):
    """Name the volume and the section that a link to the other volume leads to; a sheet names none."""

    default_priority = 155  # after all links are resolved
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Replace each such link by its text and its place.

        An equation has no number there, so its section names it.
        """
        here = self.app.builder.docnames  # type: ignore[attr-defined]
        for link in list(self.document.findall(nodes.reference)):
            uri = link.get("refuri", "")
            page, _, label = uri.removeprefix("%").partition("#")
            if uri.startswith("%") and page not in here:
                section = self.section_title(page, label)
                place = volume_of(page) if section == link.astext() else f"{volume_of(page)}, {section}"
                said = [] if sets_sheet(self.app) else [nodes.Text(f" ({place})")]
                link.replace_self(nodes.inline("", "", *link.children, *said))
        for equation in list(self.document.findall(math_reference)):
            page = equation["docname"]
            if page not in here:
                section = self.section_title(page, nodes.make_id(f"equation-{equation['target']}"))
                equation.replace_self(nodes.Text(f"of “{section}” ({volume_of(page)})"))

    def section_title(self, page: str, label: str) -> str:
        """The title of the innermost section with a label, or of the page."""
        tree = self.env.get_doctree(page)
        place = next((each for each in tree.findall(nodes.Element) if label in each.get("ids", ())), tree)
        while not isinstance(place, nodes.section | nodes.document):
            place = place.parent
        return str(next(place.findall(nodes.title)).astext())


def volume_of(page: str) -> str:
    """The volume of a page, by its number."""
    return f"volume {1 + is_reference(page)}"


class Numbers(SphinxPostTransform):
    """Set the index of numbers in two columns."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Change each list of numbers."""
        for section in self.document.findall(nodes.section):
            if "ledger-numbers" in section["classes"]:
                for numbers in [each for each in section if isinstance(each, nodes.bullet_list)]:
                    before = latex(r"\begin{multicols}{2}\footnotesize\raggedright")
                    numbers.replace_self([before, numbers, latex(r"\end{multicols}")])


class Parts(SphinxPostTransform):
    """Turn the captions of the table of contents into parts, and the text before them into an introduction."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Change the tree of the whole book."""
        if sets_sheet(self.app):
            return
        book = next(self.document.findall(nodes.section))
        introduction = nodes.section("", nodes.title(text="Introduction"))
        parts = []
        for child in [each for each in book.children if not isinstance(each, nodes.title)]:
            book.remove(child)
            if is_part(child):
                parts.append(child)
            else:
                introduction += child
        if introduction[1:]:
            book += [latex(r"\setcounter{secnumdepth}{-1}"), introduction, latex(r"\setcounter{secnumdepth}{1}")]
        for part in parts:
            book += [latex(rf"\part{{{escape(part['caption'], 'xelatex')}}}"), part]


class VerdictContainers(SphinxPostTransform):
    """Turn each verdict into a container, as LaTeX sees only the classes of these, and a link target."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Change every element that is a verdict or a detail of one."""
        for shown in list(self.document.findall(is_verdict)):
            classes = sorted(
                shown["classes"], key=("ndcg-verdict", "ndcg-detail").__contains__
            )  # outcome first: colour
            shown.insert(0, [nodes.target(ids=[each]) for each in shown["ids"]])
            if isinstance(shown, nodes.container):
                shown["classes"] = ["ndcg-printed"] if "ndcg-printed" in classes else classes
            elif not isinstance(shown.parent, nodes.entry):
                box = nodes.container(classes=classes)
                shown.replace_self(box)
                box += shown


def is_verdict(node: nodes.Node) -> bool:
    """Whether a node is a verdict, or a detail of one."""
    return isinstance(node, nodes.Element) and bool({"ndcg-verdict", "ndcg-detail"} & set(node.get("classes", ())))


class WideTables(SphinxPostTransform):
    """Give a table wider than the page columns that fit their contents, and let it break across pages."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Set the size and the widths of every such table."""
        for table in list(self.document.findall(nodes.table)):
            columns = zip(*(row.children for row in table.findall(nodes.row)), strict=True)
            texts = [[printed(entry) for entry in column] for column in columns]
            size, widths = layout(texts, ON_SHEET if sets_sheet(self.app) else SIZES)
            if widths:
                table["classes"] += ["longtable", "colwidths-given"]
                for spec, width in zip(table.findall(nodes.colspec), widths, strict=True):
                    spec["colwidth"] = width + GAP
                table.replace_self([latex(rf"\begingroup\def\ndcgtablesize{{\{size}}}"), table, latex(r"\endgroup")])


def printed(entry: nodes.Element) -> str:
    """The text of a cell, about as long as in print; a formula may break only after its equals signs."""
    text = "\n".join(block.astext() for block in entry.children)
    for formula in entry.findall(nodes.math):
        letters = re.sub(r"\\(?!max|min|log)[a-zA-Z]+|[\\{}_^\s]", "", formula.astext())
        text = text.replace(formula.astext(), letters.replace("=", "= "))
    return text + "".join(" (page 100)" for link in entry.findall(nodes.reference) if link.get("internal"))


def layout(columns: list[list[str]], sizes: dict[str, int]) -> tuple[str, list[int] | None]:
    """The largest size of type in which no word is wider than its column, or the smallest, and the widths."""
    for size, line in sizes.items():
        room = line - GAP * (len(columns) - 1)
        widths = column_widths(columns, room)
        if widths is None or sum(widths) <= room:
            return size, widths
    return size, widths


def column_widths(columns: list[list[str]], room: int) -> list[int] | None:
    """The width of each column in characters, or None if all fit side by side.

    A column that wants no more than its share gets what it wants. The others get their longest word, and what is left
    goes to those that have more to say.

    >>> column_widths([["note", "a"], ["what it says", "little"]], 80) is None
    True
    >>> column_widths([["note", "a"], ["what it says", "one two " * 20], ["where", "one two " * 5]], 76)
    [5, 54, 16]
    """
    wanted = [max(width(line) for text in column for line in [*text.splitlines(), ""]) + 1 for column in columns]
    if sum(wanted) <= room:
        return None
    wide, left = set(range(len(columns))), room
    while narrow := {place for place in wide if wanted[place] <= left // len(wide)}:
        left -= sum(wanted[place] for place in narrow)
        wide -= narrow
    needed = {place: max(width(word) for text in columns[place] for word in text.split()) for place in wide}
    more = {place: wanted[place] - needed[place] for place in wide}
    left = max(0, left - sum(needed.values()))
    return [
        needed[place] + left * more[place] // sum(more.values()) if place in wide else wanted[place]
        for place in range(len(columns))
    ]


def width(text: str) -> int:
    """The width of a text in characters; two capitals are about as wide as three small letters.

    >>> width("discount"), width("NDCG")
    (8, 6)
    """
    return len(text) + sum(map(str.isupper, text)) // 2


class HiddenCode(SphinxPostTransform):
    """Leave out code that a page folds; its output stays."""

    default_priority = 690  # before solutions move
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Drop the inputs of folded cells."""
        for code in list(self.document.findall(nodes.container)):
            cell = code.parent
            folded = cell.get("hide_mode") in ("input", "all") or isinstance(cell.parent, Fold)
            if "cell_input" in code["classes"] and folded:
                cell.remove(code)


class Solutions(SphinxPostTransform):
    """Move the solutions to the end of the chapter."""

    default_priority = 700
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Move the solutions of each chapter."""
        chapters: dict[nodes.Node, list[Fold]] = {}
        for solution in self.document.findall(Fold):
            if "ndcg-solution" in solution["classes"]:
                chapters.setdefault(chapter_of(solution), []).append(solution)
        for chapter, solutions in chapters.items():
            for solution in solutions:
                solution.parent.remove(solution)
                solution["summary"] = solution["exercise"]
            checked = [each for each in chapter.findall(nodes.paragraph) if OF_SOLUTIONS in each["classes"]]
            for line in checked:
                line.parent.remove(line)
            chapter += nodes.section("", nodes.title(text="Solutions"), *solutions, *checked)


def chapter_of(node: nodes.Node) -> nodes.Node:
    """The outermost section of the page that a node is on."""
    while not isinstance(node.parent, addnodes.start_of_file | nodes.document):
        node = node.parent
    return node


class Sources(SphinxPostTransform):
    """Keep the sources where the chapter lists them; Sphinx would move them to the end, and cite them by labels."""

    default_priority = 740  # before Sphinx does
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Turn each into a paragraph that citations link to."""
        for source in list(self.document.findall(nodes.citation)):
            anchor = latex(rf"\hypertarget{{cite.{source['docname']}:{source['ids'][0]}}}{{}}")
            text = [each for each in source.children if not isinstance(each, nodes.label)]
            source.replace_self(nodes.container("", anchor, *text, classes=["ndcg-source"]))


class Sums(SphinxPostTransform):
    """Break no sum in the text behind its first term, or before its last one, which would be alone on a line."""

    default_priority = 900  # after all that reads formulas
    formats = ("latex",)

    def run(self, **kwargs: Any) -> None:
        """Join these terms, in formulas and in lines that are printed as they are."""
        for formula in self.document.findall(nodes.math):
            formula[:] = [nodes.Text(with_ends_joined(formula.astext(), r"+", r"+\nobreak "))]
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, nodes.math | nodes.math_block | nodes.raw | nodes.FixedTextElement):
                joined = with_ends_joined(text, " + ", "\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}")
                text.parent.replace(text, nodes.Text(joined))


def with_ends_joined(text: str, plus: str, joining: str) -> str:
    """A text with another plus sign behind the first term of each of its sums, and before the last.

    >>> with_ends_joined("1 + 2 + 3 + 4 = (5 + 6)/2 + 7", " + ", "~+~")
    '1~+~2 + 3~+~4 = (5~+~6)/2~+~7'
    """
    parts = []
    for part in re.split(r"([=()])", text):
        first, *terms = part.split(plus)
        ends = (0, len(terms) - 1)
        parts += [first, *((joining if place in ends else plus) + term for place, term in enumerate(terms))]
    return "".join(parts)


def visit_index(translator: LaTeXTranslator, node: nodes.Element) -> None:
    """Write Sphinx's entry; a number has its place on the page of numbers."""
    if "value" in node:
        raise nodes.SkipNode
    LaTeXTranslator.visit_index(translator, node)


def version_on_the_cover(app: Sphinx) -> None:
    """Set the version on the cover; Sphinx would take it from a setting that the pages also use."""
    if app.builder.name == "latex":
        app.builder.context["release"] = __version__  # type: ignore[attr-defined]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the transforms."""
    for transform in (Elsewhere, Numbers, SetSheet, Parts, VerdictContainers, WideTables):
        app.add_post_transform(transform)
    for transform in (HiddenCode, Solutions, Sources, Sums):
        app.add_post_transform(transform)
    app.add_node(addnodes.index, override=True, latex=(visit_index, None))
    app.add_builder(Volumes, override=True)
    app.connect("env-updated", documents)
    app.connect("builder-inited", version_on_the_cover)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

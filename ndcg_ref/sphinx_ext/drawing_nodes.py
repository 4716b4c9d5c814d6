"""Show drawings of rankings on a page: from their JSON to a node, and from the node to cards, for each builder.

`ndcg_ref.sphinx_ext` loads this extension and passes it the JSON that `ndcg_ref.sphinx_ext.drawing.draw` stores in a
cell. The node holds the drawing as text, too, which is what builders other than HTML and LaTeX show.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.util.docutils import SphinxTranslator
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from ndcg_ref import __version__
from ndcg_ref.sphinx_ext.drawing import BELOW, NOT_JUDGED, has_titles, text_of

STATIC = Path(__file__).parent / "static"
STYLE, PACKAGE = "ndcg-ref-drawing.css", "ndcg-ref-drawing.sty"
LETTER = 0.16  # cm, the mean width of a letter in print
RANKING = {"heading", "convention", "rule", "results", "totals"}
RESULT = {"rank", "title", "grade", "level", "counted", "values"}


class Drawing(nodes.container):
    """Rankings, drawn; the attribute `drawing` is what the cell stored."""


def drawing_nodes(stored: Mapping[str, Any]) -> list[nodes.Element]:
    """A stored drawing as nodes; a KeyError means that a version of this package stored it that is not this one."""
    for ranking in stored["rankings"]:
        missing = RANKING - ranking.keys(), *(RESULT - result.keys() for result in ranking["results"])
        if any(missing):
            raise KeyError(*set().union(*missing))
    text = nodes.literal_block(text=text_of(stored), language="none")
    return [Drawing("", text, drawing=stored)]


def crowded(ranking: Mapping[str, Any], columns: Sequence[str]) -> bool:
    """Whether a table of half the width of a page has no room for bars beside its numbers."""
    return has_titles(ranking) and len(columns) > 2


def visit_html(self: HTML5Translator, node: Drawing) -> None:
    """A card for each ranking, with a table in it."""
    stored = node["drawing"]
    self.body.append(self.starttag(node, "div", CLASS="ndcg-drawing"))
    for ranking in stored["rankings"]:
        kind = "ndcg-card ndcg-crowded" if crowded(ranking, stored["columns"]) else "ndcg-card"
        self.body.append(self.starttag({}, "div", CLASS=kind))
        _ranking_html(self, ranking, stored["columns"])
        self.body.append("</div>\n")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _element(page: HTML5Translator, tag: str, text: str, kind: str = "", **attributes: Any) -> None:
    """An element with a text in it."""
    page.body += [page.starttag({}, tag, "", CLASS=kind, **attributes), page.encode(text), f"</{tag}>"]


def _ranking_html(page: HTML5Translator, ranking: Mapping[str, Any], columns: Sequence[str]) -> None:
    results = ranking["results"]
    titled = has_titles(ranking)
    heads = ["rank", "grade", *(["result"] if titled else []), *columns]
    digits = max(len("".join(each["values"][-1:])) for each in results)
    rule = {f"data-{choice}": value for choice, value in ranking["rule"].items() if value is not None}
    page.body.append(page.starttag({}, "table", CLASS="ndcg-ranking", style=f"--ndcg-digits: {digits}", **rule))
    page.body.append("<caption>")
    _element(page, "span", ranking["heading"], "ndcg-heading")
    if ranking["convention"]:
        page.body.append(" ")
        _element(page, "span", ranking["convention"], "ndcg-convention")
    page.body.append("</caption>\n<thead><tr>")
    for head in heads:
        page.body.append(page.starttag({}, "th", "", CLASS=f"ndcg-{head}", scope="col"))
        _element(page, "span", head.capitalize())
        page.body.append("</th>")
    page.body.append("</tr></thead>\n<tbody>\n")
    below = False
    for each in results:
        if not each["counted"] and not below:
            below = True
            page.body.append('<tr class="ndcg-cut">')
            _element(page, "td", BELOW, colspan=len(heads))
            page.body.append("</tr>\n")
        _result_html(page, each, columns, titled)
    page.body.append("</tbody>\n<tfoot>")
    for name, value in ranking["totals"]:
        page.body.append("<tr>")
        _element(page, "th", name, scope="row", colspan=len(heads) - 1)
        _element(page, "td", value, "ndcg-total")
        page.body.append("</tr>\n")
    page.body.append("</tfoot></table>\n")


def _result_html(page: HTML5Translator, result: Mapping[str, Any], columns: Sequence[str], titled: bool) -> None:
    """A row, which says its grade to scripts, too."""
    kind = "" if result["counted"] else "ndcg-uncounted"
    page.body.append(page.starttag({}, "tr", "", CLASS=kind, **{"data-grade": result["grade"]}))
    _element(page, "td", str(result["rank"]), "ndcg-rank")
    judged = result["grade"] != NOT_JUDGED
    page.body.append('<td class="ndcg-grade">')
    _element(page, "span", result["grade"], f"ndcg-level-{result['level']}" if judged else "ndcg-unjudged")
    page.body.append("</td>")
    if titled:
        _element(page, "th", result["title"] or "", "ndcg-result", scope="row")
    for column, value in zip(columns[:-1], result["values"], strict=False):
        _element(page, "td", value, f"ndcg-{column}")
    if columns:
        page.body.append(page.starttag({}, "td", "", CLASS=f"ndcg-{columns[-1]} ndcg-drawn"))
        _element(page, "span", result["values"][-1], "ndcg-value")
        page.body.append('<span class="ndcg-bar">')
        for kind in ("outline", "bar"):
            _element(page, "i", "", f"ndcg-{kind}-length", style=f"width: {100 * result[kind]:.2f}%")
        page.body.append("</span></td>")
    page.body.append("</tr>\n")


def visit_latex(self: LaTeXTranslator, node: Drawing) -> None:
    """A card for each ranking, two of them side by side."""
    stored = node["drawing"]
    beside = len(stored["rankings"]) > 1
    self.body.append("\n\n\\noindent")
    for ranking in stored["rankings"]:
        _ranking_latex(self, ranking, stored["columns"], beside)
    self.body.append("\\par\\medskip\n")
    raise nodes.SkipNode


def _ranking_latex(page: LaTeXTranslator, ranking: Mapping[str, Any], columns: Sequence[str], beside: bool) -> None:
    """A table, the bars in its last column or, where there is no room, in lines between the numbers."""
    titled = has_titles(ranking)
    between = beside and crowded(ranking, columns)
    heads = ["" if between else "rank", "grade", *(["result"] if titled else []), *columns]
    behind = int(bool(columns) and not between)  # a column of bars
    heading, said = page.encode(ranking["heading"]), page.encode(ranking["convention"] or "")
    form = "rc" + title_column(ranking, 2.4 if beside else 5.5) * titled + "r" * len(columns) + "l" * behind
    longest = 2.7 if between else 1.8 if beside else 5
    page.body += [
        rf"\begin{{ndcgcard}}{{{0.485 if beside else 1}}}{{{heading}}}{{{said}}}",
        rf"\setlength\ndcglongest{{{longest}cm}}\begin{{tabular}}{{@{{}}{form}@{{}}}}" "\n",
        " & ".join(rf"\textcolor{{ndcgsoft}}{{{head.capitalize()}}}" for head in heads) + r" \\" "\n",
    ]
    below = False
    for each in ranking["results"]:
        if not each["counted"] and not below:
            below = True
            note = rf"\textcolor{{ndcgsoft}}{{{BELOW}}}"
            page.body.append(rf"\hline\multicolumn{{{len(heads)}}}{{@{{}}l}}{{{note}}} \\" "\n")
        page.body.append(_result_latex(page, each, titled, between))
    page.body.append(r"\hline" "\n")
    for name, value in ranking["totals"]:
        page.body.append(
            rf"\multicolumn{{{len(heads) - 1}}}{{@{{}}l}}{{\textbf{{{name}}}}} & \textbf{{{value}}} \\" "\n"
        )
    page.body += [r"\end{tabular}\end{ndcgcard}", r"\hfill" if beside else "", "\n"]


def title_column(ranking: Mapping[str, Any], room: float) -> str:
    """The column of the titles in LaTeX: as wide as they are or, where they are too long, as there is room for (cm)."""
    longest = max(len(result["title"] or "") for result in ranking["results"])
    return rf">{{\raggedright\arraybackslash}}p{{{room}cm}}" if longest * LETTER > room else "l"


def _result_latex(page: LaTeXTranslator, result: Mapping[str, Any], titled: bool, between: bool) -> str:
    """A row, and the bar at its end or in a row of its own."""
    grade, values = page.encode(result["grade"]), result["values"]
    if result["counted"]:
        chip, kind, soft = rf"\ndcggrade{{{result['level']}}}{{{grade}}}", "drawn", ""
    else:
        chip, kind, soft = rf"\ndcgbelow{{{grade}}}", "empty", r"\color{ndcgsoft}"
    title = [page.encode(result["title"] or "")] if titled else []
    row = " & ".join(soft + text for text in (str(result["rank"]), chip, *title, *values))
    if not values:
        return row + r" \\" "\n"
    bar = rf"{soft}\ndcg{kind}{{{result['outline']}}}{{{result['bar']}}}"
    if not between:
        return rf"{row} & {bar} \\" "\n"
    alone = " & " * (2 + titled) + rf"\multicolumn{{{len(values)}}}{{r@{{}}}}{{{bar}}} \\[-1pt]"
    return rf"{row} \\[-7pt]" "\n" rf"{alone}" "\n"


def visit_other(self: SphinxTranslator, node: Drawing) -> None:
    """The text of the drawing, which is in the node."""


def depart(self: SphinxTranslator, node: Drawing) -> None:
    """Nothing follows."""


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add the style sheet to each page with a drawing."""
    if doctree is not None and any(doctree.findall(Drawing)):
        app.add_css_file(STYLE)


def pack(app: Sphinx, config: Config) -> None:
    """Have the LaTeX package with the bars copied beside the document."""
    config.latex_additional_files = [*config.latex_additional_files, str(STATIC / PACKAGE)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the node and the style sheet."""
    other = (visit_other, depart)
    app.add_node(Drawing, html=(visit_html, depart), latex=(visit_latex, depart), text=other, man=other, texinfo=other)
    app.add_latex_package(PACKAGE.removesuffix(".sty"))
    app.connect("config-inited", pack)
    app.connect("html-page-context", dress)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}

"""Show drawings of rankings on a page: from their JSON to a node, and from the node to cards, for each builder.

`ndcg_ref.sphinx_ext` loads this extension and passes it the JSON that `ndcg_ref.drawing.draw` stores in a cell. The
node holds the drawing as text, too, which is what builders other than HTML and LaTeX show.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxTranslator
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from ndcg_ref import __version__
from ndcg_ref.drawing import has_titles, text_of

STYLE = "ndcg-ref-drawing.css"


class Drawing(nodes.container):
    """Rankings, drawn; the attribute `drawing` is what the cell stored."""


def drawing_nodes(stored: Mapping[str, Any]) -> list[nodes.Element]:
    """A stored drawing as nodes."""
    text = nodes.literal_block(text=text_of(stored), language="none")
    return [Drawing("", text, drawing=stored)]


def visit_html(self: HTML5Translator, node: Drawing) -> None:
    """A card for each ranking, with a table in it."""
    stored = node["drawing"]
    self.body.append(self.starttag(node, "div", CLASS="ndcg-drawing"))
    for ranking in stored["rankings"]:
        self.body.append(self.starttag({}, "div", CLASS=f"ndcg-card ndcg-columns-{len(stored['columns'])}"))
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
    digits = max(len(each["values"][-1]) for each in results)
    page.body.append(page.starttag({}, "table", CLASS="ndcg-ranking", style=f"--ndcg-digits: {digits}"))
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
    for each in results:
        _result_html(page, each, columns, titled)
    page.body.append("</tbody>\n<tfoot>")
    for name, value in ranking["totals"]:
        page.body.append("<tr>")
        _element(page, "th", name, scope="row", colspan=len(heads) - 1)
        _element(page, "td", value, "ndcg-total")
        page.body.append("</tr>\n")
    page.body.append("</tfoot></table>\n")


def _result_html(page: HTML5Translator, result: Mapping[str, Any], columns: Sequence[str], titled: bool) -> None:
    """A row; the texts of grade and gain are data for a script, too."""
    kind = "" if result["counted"] else "ndcg-below"
    page.body.append(page.starttag({}, "tr", "", CLASS=kind, **{"data-grade": result["grade"]}))
    _element(page, "td", str(result["rank"]), "ndcg-rank")
    page.body.append('<td class="ndcg-grade">')
    _element(page, "span", result["grade"], f"ndcg-level-{result['level']}")
    page.body.append("</td>")
    if titled:
        _element(page, "th", result["title"] or "", "ndcg-result", scope="row")
    for column, value in zip(columns[:-1], result["values"], strict=False):
        _element(page, "td", value, f"ndcg-{column}")
    page.body.append(page.starttag({}, "td", "", CLASS=f"ndcg-{columns[-1]} ndcg-drawn"))
    _element(page, "span", result["values"][-1], "ndcg-value")
    page.body.append('<span class="ndcg-bar">')
    for kind in ("outline", "bar"):
        _element(page, "i", "", f"ndcg-{kind}-length", style=f"width: {100 * result[kind]:.2f}%")
    page.body.append("</span></td></tr>\n")


def visit_latex(self: LaTeXTranslator, node: Drawing) -> None:
    """The rankings side by side."""
    stored = node["drawing"]
    count = len(stored["rankings"])
    width = 0.97 / min(count, 2)
    self.body.append("\n\n\\noindent")
    for ranking in stored["rankings"]:
        self.body.append(
            rf"\begin{{minipage}}[t]{{{width:.3f}\linewidth}}\footnotesize\setlength\tabcolsep{{3pt}}" "\n"
        )
        _ranking_latex(self, ranking, stored["columns"])
        self.body.append("\\end{minipage}\\hfill\n")
    self.body.append("\n\n")
    raise nodes.SkipNode


def _ranking_latex(page: LaTeXTranslator, ranking: Mapping[str, Any], columns: Sequence[str]) -> None:
    results = ranking["results"]
    titled = has_titles(ranking)
    heads = ["", "grade", *(["result"] if titled else []), *columns]
    said = r"\newline " + page.encode(ranking["convention"]) if ranking["convention"] else ""
    page.body.append(rf"\textbf{{{page.encode(ranking['heading'])}}}{said}\par\smallskip" "\n")
    form = "rc" + "l" * titled + "r" * (len(columns) - 1) + "l"
    page.body.append(rf"\begin{{tabular}}{{@{{}}{form}@{{}}}}" + "\n" + " & ".join(heads) + r" \\ \hline" + "\n")
    for each in results:
        bar = rf"\rule{{{1.2 * each['bar']:.3f}cm}}{{5pt}} " if each["bar"] else ""
        title = [page.encode(each["title"] or "")] if titled else []
        cells = [str(each["rank"]), each["grade"], *title, *each["values"][:-1], bar + each["values"][-1]]
        page.body.append(" & ".join(cells) + r" \\" + "\n")
    page.body.append(r"\hline" + "\n")
    for name, value in ranking["totals"]:
        page.body.append(rf"\multicolumn{{{len(heads) - 1}}}{{@{{}}l}}{{{name}}} & {value} \\" + "\n")
    page.body.append("\\end{tabular}\n")


def visit_other(self: SphinxTranslator, node: Drawing) -> None:
    """The text of the drawing, which is in the node."""


def depart(self: SphinxTranslator, node: Drawing) -> None:
    """Nothing follows."""


def dress(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None) -> None:
    """Add the style sheet to each page with a drawing."""
    if doctree is not None and any(doctree.findall(Drawing)):
        app.add_css_file(STYLE)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the node and the style sheet."""
    other = (visit_other, depart)
    app.add_node(Drawing, html=(visit_html, depart), latex=(visit_latex, depart), text=other, man=other, texinfo=other)
    app.connect("html-page-context", dress)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}

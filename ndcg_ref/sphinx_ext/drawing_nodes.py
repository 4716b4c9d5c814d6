"""Show drawings of rankings on a page: from their JSON to a node, and from the node to tables, for each builder.

`ndcg_ref.sphinx_ext` loads this extension and passes it the JSON that `ndcg_ref.sphinx_ext.drawing.draw` stores in a
cell. The node holds the drawing as text, too, which is what builders other than HTML and LaTeX show.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes
from docutils.writers._html_base import HTMLTranslator
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

from ndcg_ref.sphinx_ext import lengths
from ndcg_ref.sphinx_ext.drawing import BELOW, NOT_JUDGED, has_titles, text_of

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


def visit_html(self: HTML5Translator, node: Drawing) -> None:
    """A card for each ranking, with a table in it, and one for the lengths."""
    self.body.append(self.starttag(node, "div", CLASS="ndcg-drawing"))
    self.body.append(f"{cards(self, node['drawing'])}</div>\n")
    raise nodes.SkipNode


def cards(page: HTMLTranslator, drawing: Mapping[str, Any]) -> str:
    """What is in the element of a drawing, as HTML."""
    tables = [_Html(page).table(ranking, drawing["columns"]) for ranking in drawing["rankings"]]
    below = lengths.html_of(drawing["lengths"]) if "lengths" in drawing else ""
    return "".join(f'<div class="ndcg-card">\n{table}</div>\n' for table in tables) + below


class _Html:
    """Writes a ranking as HTML; a row says its grade to scripts, too."""

    def __init__(self, page: HTMLTranslator) -> None:
        self.page = page

    def open(self, tag: str, kind: str = "", **attributes: Any) -> str:
        return str(self.page.starttag({}, tag, "", CLASS=kind, **attributes))

    def element(self, tag: str, text: str, kind: str = "", **attributes: Any) -> str:
        return f"{self.open(tag, kind, **attributes)}{self.page.encode(text)}</{tag}>"

    def table(self, ranking: Mapping[str, Any], columns: Sequence[str]) -> str:
        heads = ["rank", "grade", *(["result"] if has_titles(ranking) else []), *columns]
        rule = {f"data-{choice}": value for choice, value in ranking["rule"].items() if value is not None}
        caption = self.element("span", ranking["heading"], "ndcg-heading")
        if ranking["convention"]:
            caption += " " + self.element("span", ranking["convention"], "ndcg-convention")
        head = [
            f"{self.open('th', f'ndcg-{name}', scope='col')}<span>{name.capitalize()}</span></th>" for name in heads
        ]
        if columns:
            head.insert(-1, "<td></td>")
        rows = [self.row(result, columns, "result" in heads) for result in ranking["results"]]
        counted = sum(result["counted"] for result in ranking["results"])
        if rows[counted:]:
            rows.insert(counted, f'<tr class="ndcg-cut">{self.element("td", BELOW, colspan=len(head))}</tr>\n')
        totals = "".join(
            f"<tr>{self.element('th', name, scope='row', colspan=len(head) - 1)}"
            f"{self.element('td', value, 'ndcg-total')}</tr>\n"
            for name, value in ranking["totals"]
        )
        start = self.open("table", "ndcg-ranking", **rule)
        return (
            f"{start}\n<caption>{caption}</caption>\n<thead><tr>{''.join(head)}</tr></thead>\n"
            f"<tbody>\n{''.join(rows)}</tbody>\n<tfoot>{totals}</tfoot></table>\n"
        )

    def row(self, result: Mapping[str, Any], columns: Sequence[str], titled: bool) -> str:
        level = "ndcg-unjudged" if result["grade"] == NOT_JUDGED else f"ndcg-level-{result['level']}"
        cells = [
            self.element("td", str(result["rank"]), "ndcg-rank"),
            f'<td class="ndcg-grade">{self.element("span", result["grade"], level)}</td>',
            *([self.element("th", result["title"] or "", "ndcg-result", scope="row")] if titled else []),
        ]
        cells += [
            self.element("td", value, f"ndcg-{column}" if column != columns[-1] else "ndcg-value")
            for column, value in zip(columns, result["values"], strict=False)
        ]
        if columns:
            lengths = "".join(
                self.element("i", "", f"ndcg-{kind}-length {level}", style=f"width: {100 * result[kind]:.2f}%")
                for kind in ("outline", "bar")
            )
            cells.insert(-1, f'<td class="ndcg-bar ndcg-of-{columns[-1]}"><span>{lengths}</span></td>')
        kind = "" if result["counted"] else "ndcg-uncounted"
        return f"{self.open('tr', kind, **{'data-grade': result['grade']})}{''.join(cells)}</tr>\n"


def visit_latex(self: LaTeXTranslator, node: Drawing) -> None:
    """A card for each ranking, two of them side by side, and below them the lengths."""
    stored = node["drawing"]
    beside = len(stored["rankings"]) > 1
    self.body.append("\n\n\\noindent")
    for ranking in stored["rankings"]:
        _ranking_latex(self, ranking, stored["columns"], beside)
    if "lengths" in stored:
        _lengths_latex(self, stored["lengths"])
    self.body.append("\\par\\medskip\n")
    raise nodes.SkipNode


def _ranking_latex(page: LaTeXTranslator, ranking: Mapping[str, Any], columns: Sequence[str], beside: bool) -> None:
    """A table; its bars are before its last column."""
    titled = has_titles(ranking)
    heads = ["rank", "grade", *(["result"] if titled else []), *columns]
    heading, said = page.encode(ranking["heading"]), page.encode(ranking["convention"] or "")
    room = 2.4 if beside else 5.5  # cm for the titles, where they are too long for it
    is_long = max(len(result["title"] or "") for result in ranking["results"]) * LETTER > room
    form = "rc" + (rf">{{\raggedright\arraybackslash}}p{{{room}cm}}" if is_long else "l") * titled
    if columns:
        heads.insert(-1, "")
        form += "r" * (len(columns) - 1) + "lr"
    longest = 5 if not beside else 1.8 if len(columns) < 2 else 1.1
    page.body += [
        rf"\begin{{ndcgcard}}{{{0.485 if beside else 1}}}{{{heading}}}{{{said}}}",
        rf"\setlength\ndcglongest{{{longest}cm}}\begin{{tabular}}{{@{{}}{form}@{{}}}}" "\n",
        " & ".join(rf"\textcolor{{ndcgsoft}}{{{head.capitalize()}}}" for head in heads) + r" \\" "\n",
    ]
    rows = [_result_latex(page, result, titled) for result in ranking["results"]]
    counted = sum(result["counted"] for result in ranking["results"])
    if rows[counted:]:
        note = rf"\textcolor{{ndcgsoft}}{{{BELOW}}}"
        rows.insert(counted, rf"\hline\multicolumn{{{len(heads)}}}{{@{{}}l}}{{{note}}} \\" "\n")
    across = rf"\multicolumn{{{len(heads) - 1}}}{{@{{}}l}}"
    totals = [rf"{across}{{\textbf{{{name}}}}} & \textbf{{{value}}} \\" "\n" for name, value in ranking["totals"]]
    end = r"\end{tabular}\end{ndcgcard}" + (r"\hfill" if beside else "") + "\n"
    page.body += [*rows, r"\hline" "\n", *totals, end]


def _result_latex(page: LaTeXTranslator, result: Mapping[str, Any], titled: bool) -> str:
    """A row."""
    grade, values = page.encode(result["grade"]), list(result["values"])
    level = result["level"]
    if result["counted"]:
        chip, kind, soft = rf"\ndcggrade{{{level}}}{{{grade}}}", rf"drawn{{{level}}}", ""
    else:
        chip, kind, soft = rf"\ndcgbelow{{{grade}}}", "empty", r"\color{ndcgsoft}"
    title = [page.encode(result["title"] or "")] if titled else []
    if values:
        values.insert(-1, rf"\ndcg{kind}{{{result['outline']}}}{{{result['bar']}}}")
    return " & ".join(soft + text for text in (str(result["rank"]), chip, *title, *values)) + r" \\" "\n"


def _lengths_latex(page: LaTeXTranslator, stored: Mapping[str, Any]) -> None:
    """A line for each length, and below them what is said of the orders."""
    page.body.append("\\begin{ndcglengths}\n")
    for ribbon in stored["ribbons"]:
        terms = "".join(
            rf"\ndcgterm{{{each['level']}}}{{{each['width']}}}"
            rf"{{{each['text'] if each['width'] >= lengths.NARROW else ''}}}"
            for each in ribbon["terms"]
        )
        page.body.append(rf"\ndcglength{{{page.encode(ribbon['label'])}}}{{{terms}}}{{{ribbon['total']}}}" "\n")
    said = list(lengths.lines_of({**stored, "ribbons": []}))
    page.body += [*(rf"{page.encode(line)}\\" "\n" for line in said), "\\end{ndcglengths}\n"]

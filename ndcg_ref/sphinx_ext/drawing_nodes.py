"""Show drawings of rankings on a page: from their JSON to a node, and from the node to cards, for each builder.

`ndcg_ref.sphinx_ext` loads this extension and passes it the JSON that `ndcg_ref.sphinx_ext.drawing.draw` stores in a
cell. The node holds the drawing as text, too, which is what builders other than HTML and LaTeX show.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator
from sphinx.writers.latex import LaTeXTranslator

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


def crowded(ranking: Mapping[str, Any], columns: Sequence[str]) -> bool:
    """Whether a table of half the width of a page has no room for bars beside its numbers."""
    return has_titles(ranking) and len(columns) > 2


def visit_html(self: HTML5Translator, node: Drawing) -> None:
    """A card for each ranking, with a table in it."""
    columns = node["drawing"]["columns"]
    self.body.append(self.starttag(node, "div", CLASS="ndcg-drawing"))
    for ranking in node["drawing"]["rankings"]:
        kind = "ndcg-card ndcg-crowded" if crowded(ranking, columns) else "ndcg-card"
        self.body.append(f'<div class="{kind}">\n{_Html(self).table(ranking, columns)}</div>\n')
    self.body.append("</div>\n")
    raise nodes.SkipNode


class _Html:
    """Writes a ranking as HTML; a row says its grade to scripts, too."""

    def __init__(self, page: HTML5Translator) -> None:
        self.page = page

    def open(self, tag: str, kind: str = "", **attributes: Any) -> str:
        return str(self.page.starttag({}, tag, "", CLASS=kind, **attributes))

    def element(self, tag: str, text: str, kind: str = "", **attributes: Any) -> str:
        return f"{self.open(tag, kind, **attributes)}{self.page.encode(text)}</{tag}>"

    def table(self, ranking: Mapping[str, Any], columns: Sequence[str]) -> str:
        heads = ["rank", "grade", *(["result"] if has_titles(ranking) else []), *columns]
        digits = max(len("".join(result["values"][-1:])) for result in ranking["results"])
        rule = {f"data-{choice}": value for choice, value in ranking["rule"].items() if value is not None}
        caption = self.element("span", ranking["heading"], "ndcg-heading")
        if ranking["convention"]:
            caption += " " + self.element("span", ranking["convention"], "ndcg-convention")
        head = "".join(
            f"{self.open('th', f'ndcg-{name}', scope='col')}<span>{name.capitalize()}</span></th>" for name in heads
        )
        rows = [self.row(result, columns, "result" in heads) for result in ranking["results"]]
        counted = sum(result["counted"] for result in ranking["results"])
        if rows[counted:]:
            rows.insert(counted, f'<tr class="ndcg-cut">{self.element("td", BELOW, colspan=len(heads))}</tr>\n')
        totals = "".join(
            f"<tr>{self.element('th', name, scope='row', colspan=len(heads) - 1)}"
            f"{self.element('td', value, 'ndcg-total')}</tr>\n"
            for name, value in ranking["totals"]
        )
        start = self.open("table", "ndcg-ranking", style=f"--ndcg-digits: {digits}", **rule)
        return (
            f"{start}\n<caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n"
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
            self.element("td", value, f"ndcg-{column}")
            for column, value in zip(columns[:-1], result["values"], strict=False)
        ]
        if columns:
            bar = "".join(
                self.element("i", "", f"ndcg-{kind}-length", style=f"width: {100 * result[kind]:.2f}%")
                for kind in ("outline", "bar")
            )
            value = self.element("span", result["values"][-1], "ndcg-value")
            cells.append(
                f'{self.open("td", f"ndcg-{columns[-1]} ndcg-drawn")}{value}<span class="ndcg-bar">{bar}</span></td>'
            )
        kind = "" if result["counted"] else "ndcg-uncounted"
        return f"{self.open('tr', kind, **{'data-grade': result['grade']})}{''.join(cells)}</tr>\n"


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
    rows = [_result_latex(page, result, titled, between) for result in ranking["results"]]
    counted = sum(result["counted"] for result in ranking["results"])
    if rows[counted:]:
        note = rf"\textcolor{{ndcgsoft}}{{{BELOW}}}"
        rows.insert(counted, rf"\hline\multicolumn{{{len(heads)}}}{{@{{}}l}}{{{note}}} \\" "\n")
    across = rf"\multicolumn{{{len(heads) - 1}}}{{@{{}}l}}"
    totals = [rf"{across}{{\textbf{{{name}}}}} & \textbf{{{value}}} \\" "\n" for name, value in ranking["totals"]]
    end = r"\end{tabular}\end{ndcgcard}" + (r"\hfill" if beside else "") + "\n"
    page.body += [*rows, r"\hline" "\n", *totals, end]


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

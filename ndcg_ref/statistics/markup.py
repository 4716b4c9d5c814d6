"""A small table in the forms that terminals, pages and papers need: text, HTML, LaTeX and Markdown.

Text may come from files of others, such as the name of a run, so that every form of markup escapes it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import NamedTuple

from ndcg_ref.conventions.validation import visible

IN_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "±": r"$\pm$",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    **{sign: f"{{{sign}}}" for sign in "[*"},  # which belong to a line break where a row begins with them
}


class TextTable(NamedTuple):
    """A table whose first column names its rows, and whose other columns are numbers; the notes are below it.

    >>> table = TextTable("two queries", ("measure", "mean"), (("P@1", "0.5000"),), ("P@1: of the first document",))
    >>> print(as_markdown(table))
    | measure | mean |
    | :-- | --: |
    | P@1 | 0.5000 |
    <BLANKLINE>
    two queries
    <BLANKLINE>
    P@1: of the first document
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def as_text(table: TextTable) -> str:
    """The table as aligned columns, between its caption and its notes.

    >>> print(as_text(TextTable("two queries", ("measure", "mean"), (("P@1", "0.5000"), ("nDCG", "1.0000")))))
    two queries
    measure    mean
    P@1      0.5000
    nDCG     1.0000
    """
    lines = aligned([table.header, *table.rows], str.rjust)
    return "\n".join([visible(table.caption), *lines, *map(visible, table.notes)])


def aligned(rows: Iterable[tuple[str, ...]], justify: Callable[[str, int], str] = str.ljust) -> list[str]:
    """Lines of text with aligned columns, all but the first one justified; a row may lack its last cells.

    >>> aligned([("query", "moves"), ("q1", "−0.5"), ("q2",)])
    ['query  moves', 'q1     −0.5', 'q2']
    """
    table = [tuple(map(visible, row)) for row in rows]
    first, *widths = (max(map(len, column)) for column in zip_longest(*table, fillvalue=""))
    return ["  ".join([name.ljust(first), *map(justify, cells, widths)]).rstrip() for name, *cells in table]


def as_html(table: TextTable) -> str:
    """The table as HTML, with headings that a screen reader announces, and the class by which notebooks know tables."""
    caption, *header = (html.escape(visible(text)) for text in (table.caption, *table.header))
    columns = "".join(f'<th scope="col">{name}</th>' for name in header)
    rows = [[html.escape(visible(cell)) for cell in row] for row in table.rows]
    body = [
        f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>' for name, *cells in rows
    ]
    notes = [f'<tr><td colspan="{len(header)}">{html.escape(visible(note))}</td></tr>' for note in table.notes]
    lines = ['<table class="dataframe">', f"<caption>{caption}</caption>", f"<thead><tr>{columns}</tr></thead>"]
    lines += ["<tbody>", *body, "</tbody>", *(["<tfoot>", *notes, "</tfoot>"] if notes else [])]
    return "\n".join([*lines, "</table>"])


def as_latex(table: TextTable) -> str:
    r"""The table as LaTeX, with the rules of the package booktabs; the notes are a part of the caption.

    >>> print(as_latex(TextTable("a & b", ("measure", "mean"), (("ndcg_cut_10", "0.5000"),), ("a convention",))))
    \begin{table}
    \centering
    \caption{a \& b. a convention.}
    \begin{tabular}{lr}
    \toprule
    measure & mean \\
    \midrule
    ndcg\_cut\_10 & 0.5000 \\
    \bottomrule
    \end{tabular}
    \end{table}
    """

    def row(cells: tuple[str, ...]) -> str:
        return " & ".join(map(_in_latex, cells)) + r" \\"

    caption = " ".join(f"{_in_latex(text)}." for text in (table.caption, *table.notes))
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}"]
    lines += [rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}", r"\toprule", row(table.header), r"\midrule"]
    lines += [*map(row, table.rows), r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines)


def as_markdown(table: TextTable) -> str:
    r"""The table as Markdown, as GitHub reads it; caption and notes stand below it.

    >>> print(as_markdown(TextTable("a * b", ("run", "mean"), (("a|b", "0.5000"),))))
    | run | mean |
    | :-- | --: |
    | a\|b | 0.5000 |
    <BLANKLINE>
    a \* b
    """

    def row(cells: tuple[str, ...]) -> str:
        return f"| {' | '.join(map(_in_markdown, cells))} |"

    rule = f"| {' | '.join([':--', *['--:'] * (len(table.header) - 1)])} |"
    lines = "\n".join([row(table.header), rule, *map(row, table.rows)])
    return "\n\n".join([lines, *map(_in_markdown, (table.caption, *table.notes))])


def _in_latex(text: str) -> str:
    return "".join(IN_LATEX.get(sign, sign) for sign in visible(text))


def _in_markdown(text: str) -> str:
    """The text with a backslash before every sign that could be markup."""
    return re.sub(r"([\\`*_\[\]<>&|~$#])", r"\\\1", visible(text))

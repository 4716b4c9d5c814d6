"""A small table as text, for terminals, and as HTML, which notebooks show.

Text may come from files of others, such as the name of a run, so that both forms escape it.
"""

import html
from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import NamedTuple

from ndcg_ref.conventions.validation import visible


class TextTable(NamedTuple):
    """A table whose first column names its rows, and whose other columns are numbers; the notes are below it.

    >>> TextTable("two queries", ("measure", "mean"), (("P@1", "0.5000"),), ("P@1: of the first document",)).header
    ('measure', 'mean')
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
    body = [f'<tr><th scope="row">{name}</th>{"".join(f"<td>{td}</td>" for td in cells)}</tr>' for name, *cells in rows]
    notes = [f'<tr><td colspan="{len(header)}">{html.escape(visible(note))}</td></tr>' for note in table.notes]
    lines = ['<table class="dataframe">', f"<caption>{caption}</caption>", f"<thead><tr>{columns}</tr></thead>"]
    lines += ["<tbody>", *body, "</tbody>", *(["<tfoot>", *notes, "</tfoot>"] if notes else [])]
    return "\n".join([*lines, "</table>"])

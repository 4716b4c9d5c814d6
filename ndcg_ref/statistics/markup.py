r"""A small table as text, for terminals; as HTML, which notebooks show; and as Markdown and LaTeX, for a paper.

Text may come from files of others, such as the name of a run, so that every form escapes it.
"""

import math
import re
from collections.abc import Callable, Iterable
from itertools import chain, repeat, zip_longest
from typing import Any, NamedTuple, TypeAlias

from ndcg_ref.conventions.validation import visible

SAME = 1e-12  # sums in different orders differ by less


class Cell(NamedTuple):
    """The text of a cell, whether it is the best of its column, and the marks behind it, such as a dagger.

    >>> Cell("0.7604", marks="†")
    Cell(text='0.7604', is_best=False, marks='†')
    """

    text: str
    is_best: bool = False
    marks: str = ""


Row: TypeAlias = tuple[str | Cell, ...]


class TextTable(NamedTuple):
    """A table whose first columns name its rows, and whose other columns are numbers; the notes are below it.

    >>> TextTable("two queries", ("measure", "mean"), (("P@1", "0.5000"),), ("P@1: of the first document",)).header
    ('measure', 'mean')
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    names: int = 1  # how many columns name the rows


class WithTable:
    """What has a table to show in a paper: the same one as Markdown, LaTeX and HTML."""

    @property
    def table(self) -> TextTable:
        """The table."""
        raise NotImplementedError

    def to_markdown(self) -> str:
        """The table as Markdown, with pipes; marks are set in ``<sup>``."""
        return as_markdown(self.table)

    def to_latex(self) -> str:
        r"""The table as LaTeX, with the rules of booktabs: it needs ``\usepackage{booktabs}``."""
        return as_latex(self.table)

    def to_html(self) -> str:
        """The table as HTML."""
        return as_html(self.table)


def as_frame(index: str, columns: dict[str, dict[str, Any]]) -> Any:
    """A data frame of pandas, whose index has a name, and whose columns map the index to a value."""
    try:
        import pandas
    except ImportError:
        raise ValueError("to_frame: expected pandas, which is not installed (pip install pandas)") from None
    rows = list(dict.fromkeys(row for values in columns.values() for row in values))
    series = {name: [values.get(row, float("nan")) for row in rows] for name, values in columns.items()}
    return pandas.DataFrame(series, index=pandas.Index(rows, name=index))


def as_text(table: TextTable) -> str:
    """The table as aligned columns, between its caption and its notes; a star before the best of a column.

    >>> print(as_text(TextTable("two queries", ("measure", "mean"), (("P@1", "0.5000"), ("nDCG", "1.0000")))))
    two queries
    measure    mean
    P@1      0.5000
    nDCG     1.0000
    """
    rows = [tuple(map(_as_cell, row)) for row in table.rows]
    widths = [max(len(cell.marks) for cell in column) for column in zip_longest(*rows, fillvalue=Cell(""))]
    lines: list[Row] = [
        tuple(
            f"{'*' * cell.is_best}{visible(cell.text)}{_behind(cell.marks, n)}"
            for cell, n in zip(row, widths, strict=False)
        )
        for row in rows
    ]
    header = tuple(f"{name}{_behind('', n)}" for name, n in zip(table.header, chain(widths, repeat(0)), strict=False))
    notes = ["*: the best of its column"] if any(cell.is_best for row in rows for cell in row) else []
    body = aligned([header, *lines], str.rjust, table.names)
    return "\n".join([*filter(None, [visible(table.caption)]), *body, *notes, *map(visible, table.notes)])


def signed(value: float, decimals: int = 4) -> str:
    """A difference with its sign, or 0 if there is none.

    >>> signed(-0.25), signed(0.0)
    ('−0.2500', '0')
    """
    if abs(value) < SAME:
        return "0"
    if math.isnan(value):
        return "nan"
    return f"{value:+.{decimals}f}".replace("-", "−")


def _behind(marks: str, width: int) -> str:
    """The marks behind a number, as wide as those of the whole column, so that numbers stay aligned."""
    return f" {marks:<{width}}" if width else ""


def aligned(rows: Iterable[Row], justify: Callable[[str, int], str] = str.ljust, names: int = 1) -> list[str]:
    """Lines of text with aligned columns, all but the first ones justified; a row may lack its last cells.

    >>> aligned([("query", "moves"), ("q1", "−0.5"), ("q2",)])
    ['query  moves', 'q1     −0.5', 'q2']
    """
    table = [tuple(visible(_as_cell(cell).text) for cell in row) for row in rows]
    widths = [max(map(len, column)) for column in zip_longest(*table, fillvalue="")]
    return [
        "  ".join([*map(str.ljust, row[:names], widths), *map(justify, row[names:], widths[names:])]).rstrip()
        for row in table
    ]


def as_html(table: TextTable) -> str:
    """The table as HTML, with headings that a screen reader announces, and the class by which notebooks know tables."""
    columns = "".join(f'<th scope="col">{_in_html(name)}</th>' for name in table.header)
    body = [
        f"<tr>{''.join(_html_cell(_as_cell(cell), i < table.names) for i, cell in enumerate(row))}</tr>"
        for row in table.rows
    ]
    notes = [f'<tr><td colspan="{len(table.header)}">{_in_html(note)}</td></tr>' for note in table.notes]
    caption = [f"<caption>{_in_html(table.caption)}</caption>"] if table.caption else []
    lines = ['<table class="dataframe">', *caption, f"<thead><tr>{columns}</tr></thead>"]
    lines += ["<tbody>", *body, "</tbody>", *(["<tfoot>", *notes, "</tfoot>"] if notes else [])]
    return "\n".join([*lines, "</table>"])


def _parts(cell: Cell, escaped: Callable[[str], str], bold: str, raised: str) -> tuple[str, str]:
    """The text of a cell, bold if it is the best of its column, and its marks."""
    text = escaped(cell.text)
    return bold.format(text) if cell.is_best else text, raised.format(escaped(cell.marks)) if cell.marks else ""


def _html_cell(cell: Cell, is_name: bool) -> str:
    content = "".join(_parts(cell, _in_html, "<strong>{}</strong>", "<sup>{}</sup>"))
    return f'<th scope="row">{content}</th>' if is_name else f"<td>{content}</td>"


def _in_html(text: str) -> str:
    from html import escape  # loads a table of two thousand names

    return escape(visible(text))


def as_markdown(table: TextTable) -> str:
    r"""The table as Markdown.

    >>> print(as_markdown(TextTable("", ("run", "RR"), (("my_run", Cell("0.5000", True, "a")),))))
    | run | RR |
    | :-- | --: |
    | my\_run | **0.5000**<sup>a</sup> |
    """
    rules = [":--" if i < table.names else "--:" for i in range(len(table.header))]
    lines = [list(map(_in_markdown, table.header)), rules]
    lines += [
        ["".join(_parts(_as_cell(cell), _in_markdown, "**{}**", "<sup>{}</sup>")) for cell in row] for row in table.rows
    ]
    caption = [_in_markdown(table.caption), ""] if table.caption else []
    notes = [line for note in table.notes for line in ("", _in_markdown(note))]
    return "\n".join([*caption, *(f"| {' | '.join(line)} |" for line in lines), *notes])


def _in_markdown(text: str) -> str:
    """The text with every sign escaped that Markdown may read, those of formulas and of HTML included."""
    return re.sub(r"([\\`*_\[\]<>|~$#&])", r"\\\1", visible(text))


def as_latex(table: TextTable) -> str:
    r"""The table as LaTeX, with the rules of booktabs.

    >>> print(as_latex(TextTable("50% & more", ("run", "RR"), (("my_run", Cell("0.5000", True, "†")),))))
    \begin{table}
      \centering
      \caption{50\% \& more}
      \begin{tabular}{lr@{}l}
        \toprule
        run & \multicolumn{2}{c}{RR} \\
        \midrule
        my\_run & \textbf{0.5000} & \textsuperscript{\dag{}} \\
        \bottomrule
      \end{tabular}
    \end{table}
    """
    rows = [list(map(_as_cell, row)) for row in table.rows]
    # Marks have a column of their own, so that the numbers before them are aligned
    marked = [any(cell.marks for cell in column) for column in zip(*rows, strict=True)] or [False] * len(table.header)
    columns = ["l" if i < table.names else "r@{}l" if marks else "r" for i, marks in enumerate(marked)]
    header = [
        rf"\multicolumn{{2}}{{c}}{{{_in_latex(name)}}}" if marks else _in_latex(name)
        for name, marks in zip(table.header, marked, strict=True)
    ]
    style = _in_latex, r"\textbf{{{}}}", r"\textsuperscript{{{}}}"
    body = [
        [part for cell, marks in zip(row, marked, strict=True) for part in _parts(cell, *style)[: 1 + marks]]
        for row in rows
    ]
    notes = [rf"  \par\smallskip\footnotesize {_in_latex(note)}" for note in table.notes]
    return "\n".join(
        [
            r"\begin{table}",
            r"  \centering",
            *([rf"  \caption{{{_in_latex(table.caption)}}}"] if table.caption else []),
            rf"  \begin{{tabular}}{{{''.join(columns)}}}",
            r"    \toprule",
            rf"    {' & '.join(header)} \\",
            r"    \midrule",
            *(rf"    {' & '.join(parts)} \\" for parts in body),
            r"    \bottomrule",
            r"  \end{tabular}",
            *notes,
            r"\end{table}",
        ]
    )


IN_LATEX = {
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
    **{"`": r"\textasciigrave{}", "'": r"\textquotesingle{}"},
    **{"[": "{[}", "]": "{]}", "*": "{*}"},  # which a line end before them would take for its own
    **{"−": "$-$", "†": r"\dag{}", "‡": r"\ddag{}", "…": r"\dots{}"},
}


def _in_latex(text: str) -> str:
    """The text with every sign escaped that LaTeX would obey, or lacks."""
    return re.sub("-(?=-)", "-{}", "".join(IN_LATEX.get(sign, sign) for sign in visible(text)))


def _as_cell(cell: str | Cell) -> Cell:
    return cell if isinstance(cell, Cell) else Cell(cell)


FORMATS: dict[str, Callable[[TextTable], str]] = {
    # as the option --format spells them
    "text": as_text,
    "markdown": as_markdown,
    "latex": as_latex,
    "html": as_html,
}

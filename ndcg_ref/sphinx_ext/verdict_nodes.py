"""Make nodes from stored verdicts, for every builder.

Plain nodes with classes work in HTML, LaTeX and text alike. A verdict is a word or a mark, which the style sheet only
repeats in colour. An agreeing verdict is small, and a slip is a box: printed, correct, its causes, and the evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docutils import nodes

from ndcg_ref.stated.display import MARKS, Outcome, Piece, Record, below, mark, pieces, printed_pieces, tick_title

TERMS_A_LINE = 4  # more do not fit on a phone
JOINED = "\u2060"  # no line ends between a formula and its tick, as none does between a word and its tick


def output_nodes(payload: Mapping[str, Any]) -> list[nodes.Element]:
    """One container for an output, with its payload: a line and its verdicts, or a table and what does not agree.

    Each element that shows a verdict has its record as the attribute `verdict`, for other extensions.
    """
    records = payload["verdicts"]
    output = nodes.container(payload=payload)
    if "table" in payload:
        output += verdict_table(records, payload["table"])
        # Its cell has the id of such a verdict, and the mark there leads here
        wrong = [record for record in records if record["outcome"] != Outcome.AGREES]
        output += [verdict_element(record, "detail", "-detail") for record in wrong]
    elif "printed" in payload:
        output += printed_line(payload["printed"], records)
    else:
        output += [verdict_element(record) for record in records]
    return [output]


def row_title(records: Sequence[Record]) -> str:
    """What the tick of a row says, whose numbers agree.

    >>> from ndcg_ref.stated import judge
    >>> row_title([judge("7.42", 7.41782, "DCG").record(), judge("8.33", 8.32553, "IDCG").record()])
    'agrees: computed 7.41782, 8.32553'
    """
    if len(records) == 1:
        return tick_title(records[0])
    return f"{Outcome.AGREES}: computed " + ", ".join(record["computed_text"] or "" for record in records)


def tick(record: Record, target: str = "", said: str = "") -> nodes.reference:
    """The mark of a verdict, which links to it, or to another target, and says what was found, or something else."""
    outcome = Outcome(record["outcome"])
    return nodes.reference(
        "",
        MARKS[outcome],
        internal=True,
        refid=target or record["label"],
        reftitle=said or tick_title(record),
        classes=["ndcg-tick", f"ndcg-{outcome}"],
    )


def ticked(*content: nodes.Node, record: Record) -> nodes.inline:
    """A piece of text with its tick, which stays on its line."""
    joined = [nodes.Text(JOINED)] if isinstance(content[-1], nodes.math) else []
    whole = ["ndcg-formula"] if joined and len(content) == 1 else []
    words = [] if any(map(str.isdigit, "".join(each.astext() for each in content))) else ["ndcg-words"]
    return nodes.inline("", "", *content, *joined, tick(record), classes=["ndcg-ticked", *whole, *words])


def ticked_line(formula: nodes.Element, *records: Record) -> list[nodes.Node]:
    """A displayed formula with its ticks beside it, one for each equation that has a result."""
    margins = [nodes.paragraph("", "", tick(record), classes=["ndcg-margin"]) for record in records]
    return [formula, margins[0] if len(margins) == 1 else nodes.container("", *margins, classes=["ndcg-margins"])]


def results(records: Sequence[Record]) -> list[Record]:
    """The verdict for each equation of a display: its first slip, be it a term, or else its result.

    >>> from ndcg_ref.sphinx_ext.typed import judged_equation
    >>> two, _ = judged_equation("P = 9/12 = 0.75" + chr(10) + "R = 9/11 = 0.81", "filter", {})
    >>> [each["stated"] for each in results([verdict.record() for verdict in two])]
    ['0.75', '0.81']
    >>> results([])
    []
    """
    starts = [i for i, record in enumerate(records) if record["kind"] == "number" or i == 0]
    ends = [*starts[1:], len(records)][: len(starts)]  # none where a line was only shown
    parts = [records[start:end] for start, end in zip(starts, ends, strict=True)]
    return [next((each for each in part if each["outcome"] == Outcome.SLIP), part[0]) for part in parts]


def printed_line(text: str, records: Sequence[Record]) -> list[nodes.Element]:
    """The line of a note, set as a formula: with a tick if its result agrees, and with what else was found below it."""
    line = nodes.container(classes=["ndcg-printed"])
    formula = nodes.math_block(text, broken(text), nowrap=False, number=None, label=None)
    of_equations = results(records)
    if len(of_equations) > 1:
        line += ticked_line(formula, *of_equations)
        right = [each for each in of_equations if each["outcome"] == Outcome.AGREES and not below(each)]
        for margin, record in zip(line[-1], of_equations, strict=True):
            if record in right:
                margin["ids"], margin["verdict"] = [record["label"]], record
        return [line, *(verdict_element(record) for record in records if record not in right)]
    agrees = bool(records) and records[0]["outcome"] == Outcome.AGREES and not below(records[0])
    line += ticked_line(formula, records[0]) if agrees else [formula]
    if agrees:
        mark_as(line, records[0])
    return [line, *(verdict_element(record) for record in records[agrees:])]


def broken(line: str) -> str:
    r"""A line of many fractions in lines of three or four terms, and the result in one of its own, aligned.

    >>> broken(r"a = 1 + \frac{1}{2}+\frac{1}{3}+\frac{1}{4}+\frac{1}{5}=2.28").replace(r"\frac", "F")
    'a &= 1 + F{1}{2}+F{1}{3} \\\\ &\\quad +F{1}{4}+F{1}{5} \\\\ &=2.28'
    """
    depth = 0
    plus: list[int] = []
    equals: list[int] = []
    for place, sign in enumerate(line):
        depth += (sign in "{([") - (sign in "})]")
        if not depth and sign in "+=":
            (plus if sign == "+" else equals).append(place)
    terms = len(plus) + 1
    lines = -(-terms // TERMS_A_LINE)
    plus = [plus[-(-terms * line // lines) - 1] for line in range(1, lines)]  # of the same length, but for one term
    if not plus or r"\frac" not in line or not equals or plus[0] < equals[0]:
        return line
    ends = [place for place in equals[1:] if place > plus[-1]][-1:]
    start, cuts = equals[0], [*plus, *ends]
    parts = [line[here:there] for here, there in zip([start, *cuts], [*cuts, None], strict=True)]
    signs = ["&", *[r"&\quad "] * len(plus), *["&"] * len(ends)]
    return line[:start] + r" \\ ".join(sign + part.rstrip() for sign, part in zip(signs, parts, strict=True))


def mark_as(element: nodes.Element, record: Record, kind: str = "verdict", behind: str = "") -> nodes.Element:
    """The element as the place of a verdict, or of another kind, with more behind its label."""
    element["classes"] = [f"ndcg-{kind}", f"ndcg-{record['outcome']}", *element["classes"]]
    element["ids"].append(f"{record['label']}{behind}")
    element["verdict"] = record
    return element


def verdict_element(record: Record, kind: str = "verdict", behind: str = "") -> nodes.Element:
    """A verdict for itself: a box for a slip, else a line, with what there is to say below it."""
    slip = record["outcome"] == Outcome.SLIP
    shown = slip_box(record) if slip else nodes.paragraph("", "", *piece_nodes(pieces(record)))
    return mark_as(shown, record, kind, behind)


def slip_box(record: Record) -> nodes.container:
    """A slip: what was printed, struck through, and what is right; its causes; and the evidence for them."""
    sentence = record["kind"] == "sentence"
    name = "" if sentence else f" {record['name']}"
    title = [nodes.strong(text=mark(record["outcome"]), classes=["ndcg-mark"]), nodes.Text(name)]
    box = nodes.container("", nodes.paragraph("", "", *title))
    word = "claimed" if sentence else "printed exactly" if record["as_exact"] else "printed"
    shown = [after(word, struck(record))]
    shown += [nodes.Text(" "), after("correct", right(record))] if record["correct"] else []
    box += nodes.paragraph("", "", *shown, classes=["ndcg-statement" if sentence else "ndcg-large"])
    box += causes(record)
    value = [f"The value is {record['computed_text']}."] if record["computed_text"] else []
    lines = value + ([record["explanation"]] if sentence else below(record))
    box += nodes.container("", *(nodes.paragraph(text=line) for line in lines), classes=["ndcg-evidence"])
    return box


def after(word: str, content: nodes.Node) -> nodes.inline:
    """Content after a word that says what it is, on one line if it is a number."""
    return nodes.inline("", "", nodes.inline(text=word, classes=["ndcg-word"]), nodes.Text(" "), content)


def struck(record: Record) -> nodes.inline:
    """The printed number, term or sentence, struck through."""
    if record["kind"] == "sentence":
        return nodes.inline(text=record["stated"], classes=["ndcg-struck"])
    return nodes.inline("", "", *piece_nodes(printed_pieces(record)), classes=["ndcg-struck"])


def right(record: Record) -> nodes.inline:
    """What is right."""
    text = record["correct"] or ""
    formula = record["kind"] != "sentence" and "\\" in text
    return nodes.inline("", "", nodes.math(text=text) if formula else nodes.Text(text), classes=["ndcg-right"])


def causes(record: Record) -> nodes.paragraph:
    """Each cause as a chip; the evidence has its recomputation."""
    found: list[nodes.Node] = []
    chips = [record["declared"] or ""] if record["kind"] == "sentence" else record["causes"]
    for code in filter(None, chips):
        found += [nodes.inline(text=code, classes=["ndcg-cause"], cause=code), nodes.Text(" ")]
    return nodes.paragraph("", "", *found, classes=["ndcg-causes"])


def piece_nodes(parts: Sequence[Piece]) -> list[nodes.Node]:
    """The pieces of a verdict as nodes."""
    found: list[nodes.Node] = []
    for kind, text in parts:
        if kind == "text":
            found.append(nodes.Text(text))
        elif kind == "formula":
            found.append(nodes.math(text=text))
        elif kind == "below":
            # On a new line of the same paragraph: by the style sheet in HTML, by a command in LaTeX
            command = nodes.raw("", r"\newline ", format="latex")
            found += [nodes.Text("\n"), command, nodes.inline(text=text, classes=["ndcg-below"])]
        else:
            found.append(nodes.strong(text=text, classes=[f"ndcg-{kind}"]))
    return found


def verdict_table(records: Sequence[Record], table: Mapping[str, Any]) -> nodes.table:
    """The printed table, with ticks; a slip is struck through, with what is right beside it."""
    rows = []
    for row in table["rows"]:
        cells = [_cell(cell, records) for cell in row]
        pairs = zip(cells, row, strict=True)
        add_row_ticks([(shown, records[cell]) for shown, cell in pairs if not isinstance(cell, str)], "-detail")
        rows.append(row_of(*([shown] for shown in cells)))
    return table_of(table["heading"], [1] * len(table["heading"]), rows, "ndcg-table")


def found_table(records: Sequence[Record]) -> nodes.table:
    """What was stated and computed, with a row for each number."""
    rows = []
    for record in records:
        stated = mark_as(nodes.paragraph("", "", *piece_nodes(printed_pieces(record))), record)
        name, computed = nodes.paragraph(text=record["name"]), nodes.paragraph(text=record["computed_text"] or "")
        rows.append(row_of([name], [stated], [computed]))
    return table_of(("", "stated", "computed"), (4, 1, 1), rows, "ndcg-found")


def table_of(heading: Iterable[str], widths: Sequence[int], rows: Iterable[nodes.row], *classes: str) -> nodes.table:
    """A table with a header row."""
    group = nodes.tgroup(cols=len(widths))
    group += [nodes.colspec(colwidth=width) for width in widths]
    group += nodes.thead("", row_of(*([nodes.paragraph(text=text)] for text in heading)))
    group += nodes.tbody("", *rows)
    return nodes.table("", group, classes=list(classes))


def row_of(*cells: Iterable[nodes.Node]) -> nodes.row:
    """A row of a table, each cell being some nodes."""
    return nodes.row("", *(nodes.entry("", *cell) for cell in cells))


def _cell(cell: str | int, records: Sequence[Record]) -> nodes.Element:
    if isinstance(cell, str):
        return nodes.paragraph(text=cell)
    record = records[cell]
    line = mark_as(nodes.paragraph(), record)
    if record["outcome"] == Outcome.SLIP:
        line += [struck(record), nodes.Text(" "), right(record)]
    else:
        line += piece_nodes(printed_pieces(record))
    return line


def add_row_ticks(judged: Sequence[tuple[nodes.Element, Record]], detail: str = "") -> None:
    """Add a tick to the last judged cell of a row, or, where one does not agree, to each of them.

    A mark that is no tick leads to the label of its verdict with `detail` behind it.
    """
    if all(record["outcome"] == Outcome.AGREES for _, record in judged):
        for cell, record in judged[-1:]:
            cell += tick(record, said=row_title([each for _, each in judged]))
    else:
        for cell, record in judged:
            agrees = record["outcome"] == Outcome.AGREES
            cell += tick(record, "" if agrees else record["label"] + detail)

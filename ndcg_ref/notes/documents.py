"""The text of a note, in any of its formats, with the place of every character in the file.

Structure is only a hint: a fence that is never closed, or a sign too many, hides nothing.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath
from typing import Any, Literal

from ndcg_ref.notes.calls import CALL
from ndcg_ref.notes.comments import Comment, comments_in, without
from ndcg_ref.notes.islands import plain_text, readable_text

Format = Literal["text", "html", "notebook"]
FORMATS: dict[str, Format] = {".htm": "html", ".html": "html", ".xhtml": "html", ".ipynb": "notebook"}


@dataclass(frozen=True)
class Region:
    """A note, or a part of it, as one text.

    Parameters
    ----------
    text : str
        What is read.
    places : sequence of int
        Where each character of it stands in the file, and at last where it ends.
    code : sequence of range
        The parts that are code: they may tell grades and formulas, and state nothing.
    comments : sequence of Comment
        What its author says in comments and roles, of which the text has blanks.
    """

    text: str
    places: Sequence[int]
    code: Sequence[range] = ()
    comments: Sequence[Comment] = ()

    @cached_property
    def readable(self) -> str:
        """The text with numbers as Python has them, as long as before."""
        return readable_text(self.text)

    @cached_property
    def plain(self) -> str:
        """The same with its markup blank."""
        return plain_text(self.readable)

    def part(self, first: int, last: int) -> Region:
        """A part of it, without its comments.

        >>> Region("abcd", range(5), [range(1, 3)]).part(2, 4)
        Region(text='cd', places=range(2, 5), code=[range(0, 1)], comments=())
        """
        code = [range(max(0, each.start - first), max(0, each.stop - first)) for each in self.code]
        return Region(self.text[first:last], self.places[first : last + 1], [each for each in code if each])

    def is_code(self, place: int) -> bool:
        """Whether a place is in code.

        >>> [Region("abcd", range(5), [range(1, 3)]).is_code(place) for place in range(4)]
        [False, True, True, False]
        """
        before = bisect_right(self.code, place, key=lambda span: span.start)
        return before > 0 and place in self.code[before - 1]


def format_of(name: str) -> Format:
    """The format of a file, by the end of its name.

    >>> format_of("lecture.ipynb"), format_of("chapter.tex")
    ('notebook', 'text')
    """
    return FORMATS.get(PurePath(name).suffix.lower(), "text")


def region_of(text: str, form: Format = "text") -> Region:
    r"""The text of a note.

    Parameters
    ----------
    text : str
        What the file holds.
    form : {"text", "html", "notebook"}, optional
        Its format; Markdown, LaTeX, reStructuredText and docstrings are text.

    Returns
    -------
    Region
        What is read of the file.

    Raises
    ------
    ValueError
        If a notebook is none.

    Examples
    --------
    >>> region_of("<p>DCG&nbsp;= <b>3</b></p>", "html").text
    '  \nDCG      =    3       \n'
    """
    if form == "notebook":
        region = _joined(_cells(text))
    else:
        code = [range(*found.span()) for found in _CHUNK.finditer(text)]
        # What a chunk calls prints no result here
        read = _CHUNK.sub(lambda chunk: CALL.sub(lambda call: _blank(call[0]), chunk[0]), text)
        region = Region(read, range(len(text) + 1), code)
    comments = comments_in(region.text, region.code)
    plain = without(comments, region.text)
    plain = _without_tags(plain) if form == "html" else _ROLE.sub(lambda found: _blank(found[0]), plain)
    return replace(region, text=plain, comments=comments)


# A chunk of Quarto, or a cell of MyST, is code
_CHUNK = re.compile(r"^(`{3,})\{(?:python|r|julia|ojs|bash|sql|code-cell)\b[^\n]*+\n(?:(?!\1).*+\n)*+\1", re.MULTILINE)
_ROLE = re.compile(r"\{(?:eq|ref|numref|cite(?::\w+)?)\}`[^`\n]*`")  # references of MyST, which have no numbers
_HIDDEN = re.compile(r"<!--|<(script|style|math)\b", re.IGNORECASE)
_HIDDEN_END = {
    "": re.compile("-->"),
    "script": re.compile(r"</script\s*>", re.IGNORECASE),
    "style": re.compile(r"</style\s*>", re.IGNORECASE),
    "math": re.compile(r"</math\s*>", re.IGNORECASE),
}
_PRE = re.compile(r"(</?pre\b)", re.IGNORECASE)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_RAISED = re.compile(r"<(sub|sup)>\s*+([\w+*@−-]{1,12})\s*+</\1>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BREAKS = frozenset(
    {"p", "div", "li", "tr", "table", "ul", "ol", "br", "pre", "dd", "dt", "section", "blockquote"}
    | {f"h{level}" for level in range(1, 7)}
)
_CELLS = frozenset({"td", "th"})


def _blank(text: str) -> str:
    """As many blanks, lines kept."""
    return re.sub(r"[^\n]", " ", text)


def _without_tags(text: str) -> str:
    """The text of a page, as long as the page: what is markup is blank."""
    text = _without_hidden(text)
    text = _RAISED.sub(_raised, text)
    # A cell ends in a bar, so that a row reads as one of Markdown
    text = _TAG.sub(_tag, _with_lines_of_page(text) if "<" in text else text)
    return _ENTITY.sub(_entity, text)


def _with_lines_of_page(text: str) -> str:
    r"""The text without line ends that are none on the page: those of the source are lines in ``<pre>`` alone.

    >>> _with_lines_of_page("<p>1\n2</p>\n<pre>3\n4</pre>\n")
    '<p>1 2</p> <pre>3\n4</pre> '
    """
    pieces, is_kept = [], False
    for piece in _PRE.split(text):
        is_kept = piece[1:2] != "/" and (is_kept or bool(_PRE.fullmatch(piece)))
        pieces.append(piece if is_kept else piece.replace("\n", " "))
    return "".join(pieces)


def _without_hidden(text: str) -> str:
    """The text without comments, scripts, styles and MathML; an end that is nowhere is looked for once.

    >>> _without_hidden("1<!-- 2 -->3<!-- 4")
    '1          3<!-- 4'
    """
    pieces, at, unclosed = [], 0, set()
    for begin in _HIDDEN.finditer(text):
        kind = (begin[1] or "").lower()
        if begin.start() < at or kind in unclosed:
            continue
        if (end := _HIDDEN_END[kind].search(text, begin.end())) is None:
            unclosed.add(kind)
        else:
            pieces += [text[at : begin.start()], _blank(text[begin.start() : end.end()])]
            at = end.end()
    return "".join(pieces) + text[at:]


def _tag(found: re.Match[str]) -> str:
    name, room = found[1].lower(), len(found[0])
    if name in _CELLS:
        return ("|" if found[0][1] != "/" else " ") + " " * (room - 1)
    if name == "tr":
        return _blank(found[0]) if found[0][1] != "/" else "|" + " " * (room - 2) + "\n"
    if name in _BREAKS:
        return " " * (room - 1) + "\n"
    return _blank(found[0])


def _raised(found: re.Match[str]) -> str:
    """An index or an exponent as LaTeX has it, so that a base is one: log<sub>2</sub>(4)."""
    return ("_{" if found[1].lower() == "sub" else "^{") + (found[2] + "}").ljust(len(found[0]) - 2)


def _entity(found: re.Match[str]) -> str:
    from html import unescape  # which a page alone needs

    read = unescape(found[0])
    return read.ljust(len(found[0])) if len(read) <= len(found[0]) and read != "\xa0" else " " * len(found[0])


def _cells(text: str) -> Iterator[Region]:
    """The sources and the printed outputs of a notebook's cells."""
    try:
        book = json.loads(text)
        cells = book["cells"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"expected a notebook in JSON with cells ({error})") from None
    places = _Strings(text)
    for cell in cells if isinstance(cells, list) else []:
        is_code = isinstance(cell, dict) and cell.get("cell_type") == "code"
        for i, lines in enumerate(_texts(cell)):
            read, where = "", array("L")
            for line in lines:
                at = places.of(line)
                read += line
                del where[-1:]  # where the line before ends, this one begins
                where += at
            if lines:
                yield Region(read, where, [range(len(read))] if is_code and i == 0 else [])


def _joined(cells: Iterable[Region]) -> Region:
    """The cells of a notebook as one text, a paragraph each: an output is about the grades that its code names."""
    read, where, code = "", array("L"), []
    for cell in cells:
        code += [range(len(read) + each.start, len(read) + each.stop) for each in cell.code]
        read += cell.text + "\n\n"
        where.extend(cell.places)
        where.append(cell.places[-1])
    where.append(where[-1] if where else 0)
    return Region(read, where, code)


def _texts(cell: Any) -> Iterator[list[str]]:
    """The texts of a cell, each as the strings that the file has for it."""
    if not isinstance(cell, dict):
        return
    found = [cell.get("source")]
    for output in cell.get("outputs") or []:
        if isinstance(output, dict):
            data = output.get("data")
            found += [output.get("text"), data.get("text/plain") if isinstance(data, dict) else None]
    for each in found:
        lines = [each] if isinstance(each, str) else each if isinstance(each, list) else []
        yield [line for line in lines if isinstance(line, str) and line]


class _Strings:
    """Finds the strings of a JSON text again, in their order."""

    _ONE = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"')  # possessive: what may be given back takes memory

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.seen: dict[str, list[re.Match[str]]] = {}
        for found in self._ONE.finditer(text):
            try:
                self.seen.setdefault(json.loads(found[0], strict=False), []).append(found)
            except ValueError:
                continue
        for each in self.seen.values():
            each.reverse()

    def of(self, read: str) -> array[int]:
        """Where each character of the next string with this text stands, and where it ends."""
        found = self.seen[read].pop() if len(self.seen[read]) > 1 else self.seen[read][0]
        places, at = array("L"), found.start(1)
        while at < found.end(1):
            step = 1
            if self.text[at] == "\\":
                step = 6 if self.text[at + 1] == "u" else 2
                if step == 6 and self.text[at + 2 : at + 4].lower() in ("d8", "d9", "da", "db"):
                    step = 12  # two escapes for one character
            places.append(at)
            at += step
        places.append(at)
        return places

"""The text of a note, in any of its formats, with the place of every character in the file.

Structure is only a hint: a fence that is never closed, or a sign too many, hides nothing.
"""

from __future__ import annotations

import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import unescape
from pathlib import PurePath
from typing import Literal

from ndcg_ref.notes.calls import CALL
from ndcg_ref.notes.comments import Comment, blank, comments_in
from ndcg_ref.notes.islands import plain_text, readable_text

Format = Literal["text", "html", "notebook"]
FORMATS: dict[str, Format] = {".htm": "html", ".html": "html", ".xhtml": "html", ".ipynb": "notebook"}
# A chunk of Quarto, or a cell of MyST, is code
_CHUNK = re.compile(r"^(`{3,})\{(?:python|r|julia|ojs|bash|sql|code-cell)\b[^\n]*+\n(?:(?!\1).*+\n)*+\1", re.MULTILINE)
_ROLE = re.compile(r"\{(?:eq|ref|numref|cite(?::\w+)?)\}`[^`\n]*`")  # references of MyST, which have no numbers
_HIDDEN = re.compile(r"(?is)<(?:!--|(script|style|math)\b).*?(?:(?(1)</\1\s*>|-->)|(?P<unclosed>\Z))")
_RAISED = re.compile(r"(?i)<su([bp])>\s*+([\w+*@−-]{1,12})\s*+</su\1>")
_LINE_END = re.compile(r"(?is)(<pre\b.*?(?:</pre\b|\Z))|\n")
_TAG = re.compile(r"<(/?[A-Za-z][A-Za-z0-9]*)\b[^<>]*>")
_ENTITY = re.compile(r"&#?\w{1,32};")
_BREAK = re.compile(r"/?(?:p|div|li|table|[uo]l|br|pre|d[dt]|section|blockquote|h[1-6])|/tr")
_STRING = re.compile(r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"(\s*+:)?')  # of JSON, or a name in an object
_CHARACTER = re.compile(r"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.|[^\\]")


@dataclass(frozen=True)
class Region:
    """A note, or a part of it, as one text."""

    text: str
    places: Sequence[int]  # where each character stands in the file, and at last where the text ends
    code: Sequence[range] = ()  # parts that may tell grades and formulas, and state nothing
    comments: Sequence[Comment] = ()  # for which the text has blanks

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
        """Whether a place is in code."""
        before = bisect_right(self.code, place, key=lambda span: span.start)
        return before > 0 and place in self.code[before - 1]


def format_of(name: str) -> Format:
    """The format of a file, by the end of its name."""
    return FORMATS.get(PurePath(name).suffix.lower(), "text")


def region_of(text: str, form: Format = "text") -> Region:
    r"""What is read of a file; Markdown, LaTeX, reStructuredText and docstrings are text. No notebook is a ValueError.

    >>> region_of("<p>DCG&nbsp;= <b>3</b></p>", "html").text
    '  \nDCG      =    3       \n'
    """
    if form == "notebook":
        region = _notebook(text)
    else:
        code = [range(*found.span()) for found in _CHUNK.finditer(text)]
        # What a chunk calls prints no result here
        read = _CHUNK.sub(lambda chunk: CALL.sub(lambda call: blank(call[0]), chunk[0]), text)
        region = Region(read, range(len(text) + 1), code)
    comments, plain = comments_in(region.text, region.code)
    plain = _without_tags(plain) if form == "html" else _ROLE.sub(lambda found: blank(found[0]), plain)
    return replace(region, text=plain, comments=comments)


def _without_tags(text: str) -> str:
    r"""The text of a page, as long as the page: markup is blank, and only those lines end that end on the page.

    >>> _without_tags("1<!-- 2 -->\nx<sub>3</sub><pre>4\n5</pre><!-- 6")
    '1           x_{3}            \n4\n5     \n<!-- 6'
    """
    text = _HIDDEN.sub(lambda found: blank(found[0]) if found["unclosed"] is None else found[0], text)
    # An index or an exponent as LaTeX has it, so that a base is one: log<sub>2</sub>(4)
    text = _RAISED.sub(lambda found: ("_^"[found[1] in "pP"] + f"{{{found[2]}}}").ljust(len(found[0])), text)
    text = _TAG.sub(_tag, _LINE_END.sub(lambda found: found[1] or " ", text))
    return _ENTITY.sub(lambda found: unescape(found[0]).replace("\xa0", " ").ljust(len(found[0])), text)


def _tag(found: re.Match[str]) -> str:
    """What a tag leaves: a cell begins and a row ends with a bar, so that it reads as one of Markdown."""
    name = found[1].lower()
    bar, end = "|" * (name in ("td", "th", "/tr")), "\n" * bool(_BREAK.fullmatch(name))
    return bar + " " * (len(found[0]) - len(bar + end)) + end


def _notebook(text: str) -> Region:
    """The sources and printed outputs of cells, a paragraph each: an output is about the grades that code names."""
    strings = {str(each.start()): each for each in _STRING.finditer(text)}
    pieces: list[str] = []
    places, end = array("L"), 0
    code = []
    try:  # each string of JSON is read as its own place in the file
        book = json.loads(_STRING.sub(lambda each: each[0] if each[2] else f'"{each.start()}"', text))
        for cell in book["cells"]:
            shown = [cell.get("source", [])]
            for output in cell.get("outputs", []):
                shown += [output.get("text", []), output.get("data", {}).get("text/plain", [])]
            for i, lines in enumerate(shown):
                start = len(places)
                for found in (strings[line] for line in ([lines] if isinstance(lines, str) else lines)):
                    pieces.append(json.loads(found[0]))
                    places.extend(each.start() for each in _CHARACTER.finditer(text, *found.span(1)))
                    end = found.end(1)
                if len(places) > start:
                    code += [range(start, len(places))] if "outputs" in cell and i == 0 else []
                    pieces.append("\n\n")
                    places.extend([end, end])
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"expected a notebook in JSON with cells ({error})") from None
    places.append(end)
    return Region("".join(pieces), places, code)

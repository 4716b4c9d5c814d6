"""Mark the numbers in the tree that pandoc has of a text; `ndcg.lua`, a filter for pandoc and Quarto, asks for it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ndcg_ref.markdown_books.places import Mark, marks_in
from ndcg_ref.sphinx_ext.prose_numbers import pieces, said_of, stated_in, unused
from ndcg_ref.stated.display import MARKS, Outcome, Record

Node = dict[str, Any]

SPACES = {"Space": " ", "SoftBreak": "\n"}
FORMULAS = ("Math", "Code")
NO_PROSE = ("CodeBlock", "RawBlock", "RawInline")
NOT_MARKED = ("Header", "Link", "Image")


def marked(tree: Node, texts: Sequence[tuple[str, str]]) -> Node:
    """The tree of some texts, each with the end of its file's name, whose numbers have ticks.

    >>> words = [{"t": "Str", "c": "DCG"}, {"t": "Space"}, {"t": "Str", "c": "=3/1=3."}]
    >>> found = marked({"blocks": [{"t": "Para", "c": words}]}, [("DCG =3/1=3.", ".md")])
    >>> [each["t"] for each in found["blocks"][0]["c"]]
    ['Str', 'Space', 'Str', 'Span', 'Str']
    """
    leaves = list(leaves_of(tree["blocks"]))
    stated = [each for text, suffix in texts for each in stated_in(text, suffix) if each.is_marked]
    records: dict[str, Record] = {}
    for each in stated:
        record = each.verdict.record()
        label = unused(record["label"].replace("verdict", "prose", 1), records)
        records[label] = {**record, "label": label}
    pairs = list(zip(stated, records.values(), strict=True))
    found = marks_in([(text_of(leaf), leaf["t"] in FORMULAS) for leaf, _ in leaves], pairs)
    made = {
        id(leaf): shown(leaf, found[at] if is_free else ()) for at, (leaf, is_free) in enumerate(leaves) if at in found
    }
    return {**tree, "blocks": replaced(tree["blocks"], made)}


def leaves_of(value: Any, is_free: bool = True) -> Iterator[tuple[Node, bool]]:
    """The texts and the formulas of a part of the tree, with whether they may have marks; words in a row become one."""
    if isinstance(value, list):
        value[:] = joined(value)
        for each in value:
            yield from leaves_of(each, is_free)
    elif isinstance(value, dict) and value.get("t") in ("Str", *FORMULAS):
        yield value, is_free
    elif isinstance(value, dict) and value.get("t") not in NO_PROSE:
        yield from leaves_of(value.get("c"), is_free and value.get("t") not in NOT_MARKED)


def text_of(leaf: Node) -> str:
    """The text of a leaf."""
    return str(leaf["c"] if leaf["t"] == "Str" else leaf["c"][1])


def joined(values: Sequence[Any]) -> list[Any]:
    """A list in which words in a row, and what is between them, are one text."""
    found: list[Any] = []
    for each in values:
        kind = each.get("t") if isinstance(each, dict) else None
        said = each["c"] if kind == "Str" else SPACES.get(kind or "")
        if said is not None and found and isinstance(found[-1], dict) and found[-1].get("t") == "Str":
            found[-1] = {"t": "Str", "c": found[-1]["c"] + said}
        else:
            found.append(each if said is None else {"t": "Str", "c": said})
    return found


def words(text: str) -> list[Node]:
    """A text as pandoc has it."""
    kinds = {" ": "Space", "\n": "SoftBreak"}
    return [
        {"t": kinds[each]} if each in kinds else {"t": "Str", "c": each} for each in re.findall(r"[ \n]|[^ \n]+", text)
    ]


def span(content: Sequence[Node], classes: Sequence[str], label: str = "", title: str = "") -> Node:
    """A part of a sentence with classes."""
    return {"t": "Span", "c": [[label, list(classes), [["title", title]] if title else []], list(content)]}


def shown(leaf: Node, marks: Sequence[Mark]) -> list[Node]:
    """A formula with its tick, or a text in pieces, each number with its own."""
    if leaf["t"] != "Str":
        return [ticked([leaf], marks[0].record)] if marks else [leaf]
    cut = pieces(leaf["c"], marks)
    return [each for text, record in cut for each in (words(text) if record is None else [ticked(words(text), record)])]


def ticked(content: Sequence[Node], record: Record) -> Node:
    """A number or a formula with the mark of its verdict, which says what was found."""
    outcome = Outcome(record["outcome"])
    tick = span(words(MARKS[outcome]), ["ndcg-tick", f"ndcg-{outcome}"], title=said_of(record))
    return span([*content, tick], ["ndcg-ticked"], record["label"])


def replaced(value: Any, made: Mapping[int, list[Node]]) -> Any:
    """A part of the tree with what was made in the place of its leaves, and the words of the others as they were."""
    if isinstance(value, dict):
        return {**value, "c": replaced(value["c"], made)} if "c" in value and value["t"] != "Str" else value
    if not isinstance(value, list):
        return value
    whole: list[Any] = []
    for each in value:
        is_text = isinstance(each, dict) and each.get("t") == "Str"
        whole += made.get(id(each)) or (words(each["c"]) if is_text else [replaced(each, made)])
    return whole

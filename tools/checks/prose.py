"""Check the prose of the book: whether a cell of the same chapter holds what it claims.

Prose is what a reader takes for text: the Markdown, and the captions and alt texts of figures. It is read as the book
reads it, without code, link targets and citations. Arguments, if any, name the chapters to read instead of
all. Each claim that nothing holds is printed with its place, and then the exit code is 1.

A rule takes what is left of a claim, and returns what it leaves to the rules after it, and what nothing holds.
"""

import math
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from ndcg_ref.stated import read_equation
from ndcg_ref.stated.display import MIME, mark
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.stored_notebook import NotebookCell, read_notebook

ROOT = Path(__file__).resolve().parents[2]
MARKDOWN = create_md_parser(
    MdParserConfig(enable_extensions={"amsmath", "colon_fence", "deflist", "dollarmath"}), RendererHTML
)

# A sentence with one of these words compares
COMPARING = re.compile(
    r"\b(beats?|outranks?|exceeds?|at most|at least|always|never|"
    r"larger|largest|smaller|smallest|greater|greatest|bigger|biggest|higher|highest|lower(?! bound)|lowest|"
    r"fewer|fewest|"
    r"(?:more|less|better|worse) than|no (?:more|less|better|worse))\b",
    re.IGNORECASE,
)
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
WHOLE = re.compile(r"(?<![\w./])\d+(?:,\d{3})*(?![\w/]|\.\d)")
SMALL = 12  # whole numbers up to here are ranks, grades and the like, and are not looked up
NUMBER = r"[-−]?\d+(?:\.\d+)?"
LIST = re.compile(rf"{NUMBER}(?:,\s{NUMBER})+(?:,? (?:and|then) {NUMBER})?")
RANGE = re.compile(r"(?<![\w.,−-])(\d+)(?: to |–)(\d+)(?![\w%]|\.\d)")
FRACTION = re.compile(r"(?<![\w./])\d+/\d+(?![\w/])")
CITED = "\N{WHITE SQUARE}"
LOCATOR = re.compile(
    CITED + r"(?:[,\s(]*\b(?:sections?|pages?|equations?|chapters?|tables?|figures?)\b[\d.,–() and]+)?", re.I
)
EXERCISE = re.compile(r"^\d+\.(?:\s+★+)?(?:\s+|$)")  # its number and its stars
END = re.compile(r"(?<=[.!?:])[)”\"]*\s+(?=[\"“(A-Z$*0-9`])")


@dataclass(frozen=True)
class ProseClaim:
    """A sentence, a formula or a row of a table, with its links, each as text and target."""

    text: str
    location: str
    kind: str = "sentence"
    links: tuple[tuple[str, str], ...] = ()
    labelled: bool = False


@dataclass(frozen=True, kw_only=True)
class Held:
    """The evidence for the prose of a chapter: outputs, code and verdicts of its cells; the notation of the book."""

    outputs: str
    code: str
    statements: dict[str, str]
    numbers: dict[str, tuple[str, str]]  # the line of a verdict, and the number as it is stated
    notation: str

    @property
    def lines(self) -> list[str]:
        """The lines of the outputs, then of the code."""
        return [*self.outputs.splitlines(), *self.code.splitlines()]

    def has(self, series: str) -> bool:
        """Whether outputs or code have these characters, ignoring white space, and not within a longer number."""
        written = re.sub(r"\s", "", self.code + "\n" + self.outputs)
        return re.search(rf"(?<![\d.]){re.escape(series)}(?![\d.])", written) is not None


Rule = Callable[[str, ProseClaim, Held], tuple[str, list[str]]]
RULES: list[Rule] = []


def rule(function: Rule) -> Rule:
    """Add a rule; they are applied in the order of this file."""
    RULES.append(function)
    return function


def unheld(claim: ProseClaim, by: Held) -> list[str]:
    """The parts of a claim that nothing supports."""
    text, found = claim.text, []
    for each in RULES:
        text, missing = each(text, claim, by)
        found += missing
    return found


@rule
def links(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """A link leads to a verdict that agrees, and a sentence that compares has a link to a statement.

    The text of a link to the verdict of a number is this number, as it is stated. A verdict that does not agree may be
    linked where the sentence says that a note makes the claim. A question claims nothing.
    """
    if claim.kind == "formula":
        return text, []
    linked = [(said.strip("$"), label) for said, label in claim.links if label.startswith("#")]
    labels = [label for _, label in linked]
    verdicts = by.statements | {label: line for label, (line, _) in by.numbers.items()}
    missing = [f"links to {label}, which is no verdict of a cell" for label in labels if label not in verdicts]
    for said, label in linked:
        if label in by.numbers and re.sub(r"(?<=\d),(?=\d{3})", "", said) != by.numbers[label][1]:
            missing.append(f"links {said!r} to {label}, which is the verdict of {by.numbers[label][1]!r}")
    told = re.search(r"\bnotes?\b", text)
    false = [label for label in labels if not verdicts.get(label, mark("agrees")).startswith(mark("agrees"))]
    if not told:
        missing += [f"links to {label}, which does not hold" for label in false]
    comparing = COMPARING.search(text)
    if comparing and not set(labels) - set(by.numbers) and not text.endswith("?"):
        missing.append(f"compares ({comparing.group()}) and links to no statement of a cell")
    return text, missing


@rule
def rows(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """A cell checked or printed the same row, if the row has a number in a cell of its own."""
    if claim.kind != "row":
        return text, []
    if text in by.code or text in by.outputs:
        return "", []
    alone = any(re.fullmatch(NUMBER, cell.strip()) for cell in text.split("|"))
    return ("", [text]) if alone else (text, [])


@rule
def formulas(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """A formula is in the code or the notation, or it is true, with decimals that are held.

    A formula that says nothing by itself, such as one number, is left to the rules for text.
    """
    if claim.kind == "formula":
        if claim.labelled:  # it is notation itself
            return "", []
        return (text, []) if _says_nothing(text, by) else ("", _open_parts(text, claim, by))
    found = []
    for formula in re.findall(r"\$([^$]+)\$", text):
        if not _says_nothing(formula, by):
            found += _open_parts(formula, claim, by)
            text = text.replace(f"${formula}$", " ")
    return text, found


@rule
def lists(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """The outputs or the code have the same list; one that counts up by one may be held number by number instead."""
    found = []
    for listed in LIST.findall(text):
        values = [value.replace("−", "-") for value in re.findall(NUMBER, listed)]
        numbers = [float(value) for value in values]
        if by.has(",".join(values)):
            text = text.replace(listed, " ")
        elif any(b - a != 1 for a, b in pairwise(numbers)):
            found.append(listed)
            text = text.replace(listed, " ")
    return text, found


@rule
def ranges(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """Both ends of a range of whole numbers are in one line of the outputs or the code, in this order."""
    found = []
    for whole, first, last in ((match.group(), *match.groups()) for match in RANGE.finditer(text)):
        if not any(re.search(rf"(?<![\d.]){first}(?!\d|\.\d).*(?<![\d.]){last}(?!\d|\.\d)", line) for line in by.lines):
            found.append(whole)
        text = text.replace(whole, " ", 1)
    return text, found


@rule
def decimals(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """A cell printed each decimal, with these digits."""
    printed = set(DECIMAL.findall(by.outputs))
    return DECIMAL.sub(" ", text), [each for each in DECIMAL.findall(text) if each not in printed]


@rule
def fractions(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """The outputs or the code have each fraction of whole numbers."""
    return FRACTION.sub(" ", text), [each for each in FRACTION.findall(text) if not by.has(each)]


@rule
def whole_numbers(text: str, claim: ProseClaim, by: Held) -> tuple[str, list[str]]:
    """A cell printed each whole number that is no small one, as a result is."""
    printed = set(WHOLE.findall(by.outputs))
    large = [each for each in WHOLE.findall(text) if int(each.replace(",", "")) > SMALL]
    return WHOLE.sub(" ", text), [each for each in large if each not in printed]


def _says_nothing(formula: str, by: Held) -> bool:
    """Whether a formula has numbers, but no two sides to compare, and is neither in the code nor in the notation."""
    return not _known(formula, by) and equation(formula) is None


def _open_parts(formula: str, claim: ProseClaim, by: Held) -> list[str]:
    """The parts of a formula that nothing supports."""
    if _known(formula, by):
        return []
    if not equation(formula):
        return [formula + " (is not so)"]
    return decimals(formula, claim, by)[1]


def _known(formula: str, by: Held) -> bool:
    """Whether a formula has no number, or is in the code or in the notation."""
    small = squeezed(formula).rstrip(".,")
    return bool(
        not re.search(r"\d", small)
        or (len(small) > 2 and small in squeezed(by.code))
        or (re.search("[a-z]", small) and small in by.notation)
    )


def squeezed(text: str) -> str:
    """A formula without its white space and the braces that only group."""
    return re.sub(r"[\s{}]|\\[,;!]", "", text)


def equation(text: str) -> bool | None:
    """Whether each side of a chain is the one before it, at its digits; None without two sides to compare.

    A chain whose last side is a number, and that cannot be read, is not true.
    """
    inner = re.sub(r"\\(?:begin|end)\{aligned\}|\\q?quad|&", " ", text)
    inner = re.sub(r"\\\\(?:\[[^\]]*\])?(?=\s*=)", " ", inner)  # a line that begins so goes on with the one before it
    steps = []
    for line in re.split(r"\\\\(?:\[[^\]]*\])?", inner):
        line = re.sub(r"^\s*\w+:", " ", line.strip().rstrip(".,"))
        try:
            chains = read_equation(line).chains
        except ValueError:
            if re.search(r"\d\s*[+\-/\\].*(?:=|\\approx)\s*-?[\d.]+$", line):
                return False
            continue
        valued = [[side for side in chain if side.value is not None] for chain in chains]
        steps += [_follows(left, right) for chain in valued for left, right in pairwise(chain)]
    return all(steps) if steps else None


def _follows(left: Side, right: Side) -> bool:
    assert left.value is not None
    assert right.value is not None
    if right.number:
        return right.number.covers(left.value)
    if left.number:
        return left.number.covers(right.value)
    return math.isclose(left.value, right.value, rel_tol=1e-12)


def chapters() -> list[Path]:
    """Every page of the book: notebooks, and pages of text; slides are checked by `teaching_ext`."""
    pages = [*(ROOT / "book").rglob("*.ipynb"), *(ROOT / "book").rglob("*.md")]
    return sorted(path for path in pages if path != ROOT / "book" / "slides.md")


def name_of(chapter: Path) -> str:
    """The path of a chapter in the book, or as it was given where it is no part of the book."""
    return chapter.relative_to(ROOT).as_posix() if chapter.is_relative_to(ROOT) else str(chapter)


def cells(chapter: Path) -> tuple[NotebookCell, ...]:
    """The cells of a notebook, without one that is not run, which installs; a page of text is one cell."""
    if chapter.suffix == ".md":
        return (NotebookCell("markdown", chapter.read_text(encoding="utf-8"), {}),)
    return tuple(cell for cell in read_notebook(chapter).cells if "skip-execution" not in cell.metadata.get("tags", ()))


def claims(chapter: Path) -> Iterator[ProseClaim]:
    """Every claim of a chapter's prose, in order."""
    for number, cell in enumerate(cells(chapter), 1):
        place = f"{name_of(chapter)}, cell {number}"
        if cell.kind == "markdown":
            yield from in_markdown(cell.source, place)
        else:
            yield from _shown(cell, place)


def _shown(cell: NotebookCell, location: str) -> Iterator[ProseClaim]:
    """The caption and the alt text of a figure; its metadata say which phrase rests on which label."""
    figure = cell.metadata.get("mystnb", {})
    labels = cell.metadata.get("ndcg_ref", {}).get("holds", {})
    for what, text in (
        ("caption", figure.get("figure", {}).get("caption", "")),
        ("alt text", figure.get("image", {}).get("alt", "")),
    ):
        for claim in in_markdown(text, f"{location}, {what}"):
            own = tuple((phrase, label) for phrase, label in labels.items() if phrase in claim.text)
            yield ProseClaim(claim.text, claim.location, claim.kind, (*claim.links, *own), claim.labelled)


def in_markdown(text: str, location: str) -> Iterator[ProseClaim]:
    """The claims of a Markdown text."""
    row: list[str] | None = None
    linked: list[tuple[str, str]] = []
    for token in MARKDOWN.parse(text):
        if token.type == "tr_open":
            row, linked = [], []
        elif token.type == "tr_close" and row is not None:
            yield ProseClaim("| " + " | ".join(row) + " |", location, "row", tuple(linked))
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token.content)
            linked += [(said, target) for _, said, target in _read(token.children or [])[1]]
        elif token.type == "inline":
            yield from _sentences(token.children or [], location)
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            yield ProseClaim(token.content.strip(), location, "formula", labelled=token.type == "math_block_label")
        elif is_directive(token) and not token.info.startswith("{ndcg}"):  # the build judges what is in that one
            yield from in_markdown(inside(token), location)


def is_directive(token: Token) -> bool:
    """Whether a block is a directive, such as a box."""
    return token.type == "colon_fence" or (token.type == "fence" and token.info.startswith("{"))


def inside(token: Token) -> str:
    """The title and the text of a directive, without its options."""
    title = token.info.partition("}")[2]
    body = "\n".join(line for line in token.content.splitlines() if not re.match(r":[\w-]+:", line))
    return f"{title}\n\n{body}"


def _read(tokens: list[Token]) -> tuple[str, list[tuple[int, str, str]]]:
    """What a line says, and its links: where each begins, its text and its target."""
    text, ends = "", []
    linked: list[tuple[int, str]] = []
    for token in tokens:
        if token.type == "text":
            text += token.content
        elif token.type == "math_inline":
            text += f"${token.content}$"
        elif token.type in ("softbreak", "hardbreak"):
            text += " "
        elif token.type == "code_inline":
            text += "`code`"
        elif token.type == "myst_role" and token.meta["name"].startswith("cite"):
            text += CITED
        elif token.type == "myst_role" and token.meta["name"] == "term":
            text += token.content.partition(" <")[0]
        elif token.type == "link_open":
            linked.append((len(text), str(token.attrs.get("href", ""))))
        elif token.type == "link_close":
            ends.append(len(text))
    return text, [(at, text[at:end], target) for (at, target), end in zip(linked, ends, strict=True)]


def _sentences(tokens: list[Token], location: str) -> Iterator[ProseClaim]:
    text, links = _read(tokens)
    text = LOCATOR.sub(lambda match: " " * len(match.group()), text)
    start = 0
    for end in [*(match.start() for match in END.finditer(text)), len(text)]:
        own = tuple((said, href) for at, said, href in links if start <= at < max(end, start + 1))
        sentence = EXERCISE.sub("", text[start:end].strip())
        if sentence:
            yield ProseClaim(sentence, location, "sentence", own)
        start = end


@cache
def notation() -> str:
    """All formulas that the book labels or lists in its notation, squeezed."""
    found = []
    for chapter in chapters():
        for claim in claims(chapter):
            if claim.kind == "formula" and claim.labelled:
                found.append(squeezed(claim.text))
            elif chapter.stem == "notation":
                found += [squeezed(each) for each in re.findall(r"\$([^$]+)\$", claim.text)]
    return "\n".join(found)


def held(chapter: Path) -> Held:
    """The evidence for the prose of a chapter."""
    said, code = [], []
    statements: dict[str, str] = {}
    numbers: dict[str, tuple[str, str]] = {}
    for cell in cells(chapter):
        if cell.kind != "code":
            continue
        code.append(re.sub(r"(?m)(?:^|\s)#\s.*$", "", cell.source))
        for output in cell.outputs:
            data = output.get("data", {})
            record = data.get(MIME, {})
            said += ["".join(output.get("text", "")), "".join(data.get("text/plain", ""))]
            said += ["".join(data.get("text/markdown", "")), record.get("printed", "")]
            for verdict in record.get("verdicts", ()):
                if verdict["kind"] == "sentence":
                    statements["#" + verdict["label"]] = verdict["line"]
                else:
                    numbers["#" + verdict["label"]] = verdict["line"], verdict["stated"]
    text = {"outputs": "\n".join(said), "code": "\n".join(code), "notation": notation()}
    return Held(**text, statements=statements, numbers=numbers)


def check(chapter: Path) -> list[str]:
    """A line for each claim of a chapter that nothing supports."""
    by = held(chapter)
    return [f"{claim.location}: {what}, in: {claim.text}" for claim in claims(chapter) for what in unheld(claim, by)]


def main(arguments: list[str]) -> None:
    """Check the chapters that the arguments name, or all."""
    asked = [Path(argument).resolve() for argument in arguments] or chapters()
    for path in asked:
        if not path.is_file():
            sys.exit(f"{path}: no such file")
    found = [line for path in asked for line in check(path)]
    sys.exit("\n".join(found) if found else 0)


if __name__ == "__main__":
    main(sys.argv[1:])

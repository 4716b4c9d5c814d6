"""What the prose of a chapter claims, and whether something holds it.

Prose is what a reader takes for text: the Markdown, the captions and the alt texts. It is read as the book reads it,
without code, link targets and citations. A claim in it is held by what the cells of the same chapter printed or
checked; the rules are told in CONTRIBUTING.md.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from ndcg_ref.stated import read_equation
from ndcg_ref.stated.equation import Side
from ndcg_ref.stated.forms import MIME, mark

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = sorted([*(ROOT / "book").rglob("*.ipynb"), *(ROOT / "book").rglob("*.md")])
KEPT_FILE = Path(__file__).resolve().parent / "prose-kept.txt"
MARKDOWN = create_md_parser(
    MdParserConfig(enable_extensions={"amsmath", "colon_fence", "deflist", "dollarmath"}), RendererHTML
)

# Words that compare; words that are numbers; words that a number never belongs to
COMPARING = re.compile(
    r"\b(beats?|outranks?|exceeds?|at most|at least|always|never|"
    r"larger|largest|smaller|smallest|greater|greatest|bigger|biggest|higher|highest|lower(?! bound)|lowest|"
    r"fewer|fewest|"
    r"(?:more|less|better|worse) than|no (?:more|less|better|worse))\b",
    re.IGNORECASE,
)
DECIMAL = re.compile(r"(?<![\w.])\d+\.\d+(?![\w.]*\d)")
WHOLE = re.compile(r"(?<![\w.])\d+(?:,\d{3})*(?![\w]|\.\d)")
WORDS = ["four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
IDLE = re.compile("a|an|and|are|as|at|by|for|from|i|in|it|of|on|or|than|the|then|to|wa|were|with")
KEPT = re.compile(
    r"\$\$.+?\$\$|\$[^$\n]+\$|\[[^\]\n]*\]\([^)\s]*\)|`[^`\n]+`|[-−+]?\d(?:[\d.,–]*\d)?\s?%?|"
    r"\b(?:\w*(?:teen|twenty|thirty|hundred|thousand|million|tenth)s?|zero|once|twice|thrice|half|halves|both|neither|"
    r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|last|"
    r"above|below|ahead|behind|before|after|rises?|falls?|grows?|shrinks?|wins?|loses?|leads?|"
    r"linear|exponential|original|standard|(?-i:[A-E]))\b|" + COMPARING.pattern,
    re.IGNORECASE | re.DOTALL,
)
JOINT = re.compile(r"[\s,;:()$=*|\[\]_^+<>≤≥/]+|→|->|–")
LIST = re.compile(r"[-−]?\d+(?:\.\d+)?(?:,\s[-−]?\d+(?:\.\d+)?)+(?:,? (?:and|then) [-−]?\d+(?:\.\d+)?)?")
FRACTION = re.compile(r"(?<![\w./])\d+/\d+(?![\w/])")
CITED = "\N{WHITE SQUARE}"
LOCATOR = re.compile(
    CITED + r"(?:[,\s(]*\b(?:sections?|pages?|equations?|chapters?|tables?|figures?)\b[\d.,–() and]+)?", re.I
)
END = re.compile(r"(?<=[.!?:])[)”\"]*\s+(?=[\"“(A-Z$*0-9`])")


@dataclass(frozen=True)
class Claim:
    """A sentence, a formula or a row of a table, with the labels that it links to."""

    text: str
    place: str
    kind: str = "sentence"
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """What a chapter printed or checked."""

    said: str
    code: str
    statements: dict[str, str]
    notation: str = ""
    decimals: frozenset[str] = field(default=frozenset())
    pairs: frozenset[tuple[str, str]] = field(default=frozenset())
    lists: str = ""


def squeezed(text: str) -> str:
    """A formula without its white space and the braces that only group."""
    return re.sub(r"[\s{}]|\\[,;!]", "", text)


def cells(chapter: Path) -> list[dict]:
    """The cells of a notebook; a page of text is one cell."""
    text = chapter.read_text(encoding="utf-8")
    if chapter.suffix == ".md":
        return [{"cell_type": "markdown", "source": text, "metadata": {}}]
    return json.loads(text)["cells"]


def claims(chapter: Path) -> Iterator[Claim]:
    """Every claim of a chapter's prose, in order."""
    for number, cell in enumerate(cells(chapter), 1):
        place = f"{chapter.relative_to(ROOT)}, cell {number}"
        if cell["cell_type"] == "markdown":
            yield from in_markdown("".join(cell["source"]), place)
        else:
            yield from _shown(cell["metadata"], place)


def _shown(metadata: dict, place: str) -> Iterator[Claim]:
    """The caption and the alt text of a figure; its cell's metadata say which phrase rests on which label."""
    figure = metadata.get("mystnb", {})
    labels = metadata.get("ndcg_ref", {}).get("holds", {})
    for what, text in (
        ("caption", figure.get("figure", {}).get("caption", "")),
        ("alt text", figure.get("image", {}).get("alt", "")),
    ):
        for claim in in_markdown(text, f"{place}, {what}"):
            own = tuple(label for phrase, label in labels.items() if phrase in claim.text)
            yield Claim(claim.text, claim.place, claim.kind, (*claim.labels, *own))


def in_markdown(text: str, place: str) -> Iterator[Claim]:
    """The claims of a Markdown text."""
    row: list[str] | None = None
    for token in MARKDOWN.parse(text):
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield Claim("| " + " | ".join(row) + " |", place, "row")
            row = None
        elif token.type == "inline" and row is not None:
            row.append(token.content)
        elif token.type == "inline":
            yield from _sentences(token.children or [], place)
        elif token.type in ("math_block", "math_block_label", "amsmath"):
            label = (token.info,) if token.type == "math_block_label" else ()
            yield Claim(token.content.strip(), place, "formula", label)
        elif token.type == "colon_fence" or (token.type == "fence" and token.info.startswith("{")):
            title = token.info.partition("}")[2]
            body = "\n".join(line for line in token.content.splitlines() if not re.match(r":[\w-]+:", line))
            yield from in_markdown(f"{title}\n\n{body}", place)


def _sentences(tokens: list, place: str) -> Iterator[Claim]:
    text, links = "", []
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
            links.append((len(text), token.attrs.get("href", "")))
    text = LOCATOR.sub(lambda match: " " * len(match.group()), text)
    start = 0
    for end in [*(match.start() for match in END.finditer(text)), len(text)]:
        labels = tuple(href for at, href in links if start <= at < max(end, start + 1))
        if text[start:end].strip():
            yield Claim(text[start:end].strip(), place, "sentence", labels)
        start = end


@cache
def notation() -> str:
    """All formulas that the book labels or lists in its notation, squeezed."""
    found = []
    for chapter in sorted((ROOT / "book").rglob("*.ipynb")):
        for claim in claims(chapter):
            if claim.kind == "formula" and claim.labels:
                found.append(squeezed(claim.text))
            elif chapter.stem == "notation":
                found += [squeezed(each) for each in re.findall(r"\$([^$]+)\$", claim.text)]
    return "\n".join(found)


def held(chapter: Path) -> Held:
    """What the cells of a chapter printed or checked."""
    said, code, statements = [], [], {}
    for cell in cells(chapter):
        if cell["cell_type"] != "code":
            continue
        code.append(re.sub(r"(?m)(?:^|\s)#\s.*$", "", "".join(cell["source"])))
        for output in cell["outputs"]:
            data = output.get("data", {})
            record = data.get(MIME, {})
            said += ["".join(output.get("text", "")), "".join(data.get("text/plain", ""))]
            said += ["".join(data.get("text/markdown", "")), record.get("printed", "")]
            for verdict in record.get("verdicts", ()):
                if verdict["kind"] == "sentence":
                    statements["#" + verdict["label"]] = verdict["line"]
    text = "\n".join(said)
    return Held(
        said=text,
        code="\n".join(code),
        statements=statements,
        notation=notation(),
        decimals=frozenset(DECIMAL.findall(text)),
        pairs=frozenset(pair for line in text.splitlines() for _, both in pairs(line) for pair in both),
        lists=re.sub(r"\s", "", "\n".join([*code, text])),
    )


def pairs(text: str) -> Iterator[tuple[str, set[tuple[str, str]]]]:
    """Each whole number, with the words it belongs to: the one before its list, and the one after it."""
    text = re.sub(r"\\[gl]e\b", " ", text)
    text = re.sub(r"([A-Za-z])_?(?=\d)", r"\1 ", re.sub(r"\\mathrm|[{}\\]", "", text))
    parts = [_word(part) for part in JOINT.split(text)]
    parts = [part for part in parts if part]
    noun = ""
    for place, word in enumerate(parts):
        number = str(WORDS.index(word) + 4) if word in WORDS else word
        if WHOLE.fullmatch(number):
            after = parts[place + 1] if place + 1 < len(parts) else ""
            yield word, {(noun, number), (number, after)} & {(noun or None, number), (number, after or None)}
        elif re.search("[a-z]", word) and not IDLE.fullmatch(word):
            noun = word


def _word(part: str) -> str:
    return part.strip(".,;:!?%'\"“”").lower().removesuffix("s")


def equation(text: str) -> bool | None:
    """Whether each side of a chain is the one before it, at its digits; None without two sides to compare.

    A chain whose last side is a number, and that cannot be read, is not true.
    """
    inner = re.sub(r"\\(?:begin|end)\{aligned\}|\\q?quad|&", " ", text)
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
    if right.number:
        return right.number.covers(left.value)
    if left.number:
        return left.number.covers(right.value)
    return math.isclose(left.value, right.value, rel_tol=1e-12)


def unheld(claim: Claim, by: Held) -> list[str]:
    """What of a claim nothing holds."""
    if claim.kind == "row" and (claim.text in by.code or claim.text in by.said):
        return []
    if claim.kind == "formula":
        missing = [] if claim.labels else _unheld_formula(claim.text, by)
        if missing != [claim.text]:
            return missing
    found = []
    told = re.search(r"\bnotes?\b", claim.text)  # of a statement that does not hold it is said who states it
    linked = [by.statements[label] for label in claim.labels if label in by.statements]
    linked = [line for line in linked if told or line.startswith(mark("agrees"))]
    comparing = COMPARING.search(claim.text)
    if comparing and not linked and not claim.text.endswith("?"):
        found.append(f"compares ({comparing.group()}) and links to no statement that a cell holds")
    text = re.sub(r"^\d+\.$", " ", claim.text)  # the number of an exercise
    for formula in re.findall(r"\$([^$]+)\$", text):
        missing = _unheld_formula(formula, by)
        if missing != [formula]:
            found += missing
            text = text.replace(f"${formula}$", " ")
    for listed in LIST.findall(text):
        values = re.findall(r"[-−]?\d+(?:\.\d+)?", listed)
        series = ",".join(values).replace("−", "-")
        if re.search(rf"(?<![\d.]){re.escape(series)}(?![\d.])", by.lists):
            text = text.replace(listed, " ")
        elif [float(value.replace("−", "-")) for value in values] != sorted(
            {float(v.replace("−", "-")) for v in values}
        ):
            found.append(listed)  # no such list; one that only counts up may still be held number by number
            text = text.replace(listed, " ")
    found += [each for each in DECIMAL.findall(text) if each not in by.decimals]
    found += [each for each in FRACTION.findall(text) if each not in by.lists]
    text = FRACTION.sub(" ", text)
    evidence = " ".join(linked)
    counted = {pair for _, both in pairs(evidence) for pair in both} | by.pairs
    numbers = {number for _, both in pairs(evidence) for pair in both for number in pair}
    for word, both in (each for part in text.split("|") for each in pairs(part)):
        number = str(WORDS.index(word) + 4) if word in WORDS else word
        if not both & counted and number not in numbers:
            found.append(word)
    return found


def _unheld_formula(formula: str, by: Held) -> list[str]:
    """Nothing where a formula stands in the code or in the notation, or is true; the formula, if it says nothing."""
    small = squeezed(formula).rstrip(".,")
    if (
        not re.search(r"\d", small)
        or (len(small) > 2 and small in squeezed(by.code))
        or (re.search("[a-z]", small) and small in by.notation)
    ):
        return []
    truth = equation(formula)
    if truth is None:
        return [formula]
    missing = [each for each in DECIMAL.findall(formula) if each not in by.decimals]
    return missing if truth else [formula + " (is not so)"]


def kept(chapter: Path) -> list[str]:
    """What a wrong hand could change without a rule noticing, cell by cell: numbers, formulas, links, telling words."""
    found = []
    for number, cell in enumerate(cells(chapter), 1):
        figure = cell["metadata"].get("mystnb", {})
        shown = [figure.get("figure", {}).get("caption", ""), figure.get("image", {}).get("alt", "")]
        source = "".join(cell["source"]) if cell["cell_type"] == "markdown" else "\n".join(shown)
        said = [squeezed_space(match.group()) for match in KEPT.finditer(source)]
        if said:
            found.append(f"{chapter.relative_to(ROOT).as_posix()}, cell {number}: {' '.join(said)}")
    return found


def squeezed_space(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


if __name__ == "__main__":
    KEPT_FILE.write_text("\n".join(line for chapter in CHAPTERS for line in kept(chapter)) + "\n", encoding="utf-8")

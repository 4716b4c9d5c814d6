"""The text of the book is short and plain, and each concept chapter has the same shape."""

import ast
import json
import re
from pathlib import Path
from statistics import median

import page_text
import prose
import pytest
from contents import book_ledger
from slips import sections

from ndcg_ref.drawing import MIME as DRAWING
from ndcg_ref.stated.ledgers import Ledger

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
PAGES = {path.relative_to(BOOK).with_suffix("").as_posix(): path for path in prose.chapters()}
CONCEPTS = {name for name in PAGES if name.startswith("concepts/")}
LESSONS = CONCEPTS - {"concepts/setting"}  # all but the one that comes before any measure
BEFORE_THE_DISCOUNT = {"concepts/setting", "concepts/gain"} & PAGES.keys()
assert CONCEPTS


# Words of prose, as `tools/page_text.py` counts them, at commit 60623e8, before the chapters were rewritten; one whose
# text went into two is held by both together
WORDS_BEFORE = {
    ("concepts/gain",): 1533,
    ("concepts/discount",): 1553,
    ("concepts/gain-shape",): 1811,
    ("concepts/ideal",): 1615,
    ("concepts/ndcg",): 1614,
    ("concepts/queries",): 1575,
    ("concepts/blind-spots", "concepts/other-measures"): 1897,  # were one, limits
    ("practice/libraries",): 1803,
    ("practice/from-a-run",): 2013,
    ("notes/two-queries",): 754,
    ("notes/five-grades",): 682,
    ("notes/four-documents",): 493,
    ("notes/items-a-e",): 456,
    ("notes/fourteen-ranks",): 412,
    ("notes/original-table",): 492,
    ("intro", "verdicts"): 686,  # were one, intro
    ("exercises",): 479,
    ("checks",): 851,
    ("notation",): 608,
}
SHARE = 0.85  # of the words before
# Chapters with much that was not there before
NEW = {"concepts/other-measures", "concepts/setting", "misconceptions", "practice/from-a-run"}
MOST_WORDS = 1200  # of what is new in such a chapter
LONGEST = 18  # words of the median sentence
FOLDS = 12  # in a chapter, exercises apart

PHRASES = [
    # what is not written; what is
    (r"\bwhoever\b", "a subject"),
    (r"\bat stake\b", "what depends on it"),
    (r"\bthe one\b[^.?!;]*?\bthe other\b", "the names of both"),
    (r"\bjust if\b", "only if, or: exactly when"),
    (r"\b(?:the|a|its|each|every|this|another|first|second|wrong|right) prints?\b", "the printed number"),
    (r"\breckon", "calculation"),
    (r"\bthe next has\b", "the name of the next"),
    (r"\bwhat becomes of\b", "how it is treated"),
    (r"\b(?:is|are) told\b", "is printed, is explained"),
    (r"\b(?:the|its|their|a|whose|same|equal|no) worth\b|\bworths\b", "the gain, or the value"),
    (r"\bparts? (?:from|here|company)\b|\bparted by\b", "departs; separated by"),
    (r"\blines? of headings\b", "a header row"),
    (r"\bmet to within\b", "reproduced to within"),
    (r"\bclaims nothing of\b", "does not cover"),
    (r"\b(?:has|have|had) had its\b|\bhad its (?:say|word)\b", "has applied"),
]


def source(name):
    """The Markdown of a page; a code cell is a line of its own, with its tags."""
    return "\n\n".join(
        "".join(cell["source"])
        if cell["cell_type"] == "markdown"
        else f"%%% {' '.join(cell['metadata'].get('tags', ()))}"
        for cell in prose.cells(PAGES[name])
    )


def main_sections(name):
    """The sections of a page by their headings, in order."""
    found = re.split(r"^## (.*)$", source(name), flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


def phrases_in(text):
    return [
        f"{found.group()!r}: write {instead}" for said, instead in PHRASES for found in re.finditer(said, text, re.I)
    ]


# What every page has to be: a function returns what is wrong with a page


def is_short(name):
    """At least 15 percent of the words are gone."""
    for chapters, before in WORDS_BEFORE.items():
        if name in chapters:
            limit = SHARE * before + MOST_WORDS * len(NEW & {*chapters})
            return too_long(chapters, limit)
    return too_long([name], MOST_WORDS) if name in NEW else []


def too_long(chapters, limit):
    words = sum(page_text.prose_words(page_text.page(PAGES[each])) for each in chapters)
    return [f"{words} words in {' and '.join(chapters)}, at most {limit:.0f}"] if words > limit else []


def has_short_sentences(name):
    lengths = page_text.sentence_lengths(page_text.page(PAGES[name]))
    middle = median(lengths or [0])
    return [f"the median sentence has {middle:g} words, at most {LONGEST}"] if middle > LONGEST else []


def has_plain_phrases(name):
    """In text, captions and code, which says what is checked."""
    cells = prose.cells(PAGES[name])
    said = ["".join(cell["source"]) + json.dumps(cell["metadata"], ensure_ascii=False) for cell in cells]
    return [found for text in said for found in phrases_in(text)]


def spells_out_dcg(name):
    """Where it is first used, or before."""
    said = ""
    for block in page_text.page(PAGES[name]):
        said += block.text.lower() + "\n"
        if block.kind == "text" and re.search(r"\bDCG", block.text):
            spelled = re.search(r"discounted cumulat(?:ive|ed) gain", said)
            return [] if spelled else [f"DCG is used before it is spelled out: {block.text}"]
    return []


def does_not_run_ahead(name):
    """The discount is not used before its chapter, but for links that lead there, and by checks, which are folded."""
    cells = [cell for cell in prose.cells(PAGES[name]) if "hide-cell" not in cell["metadata"].get("tags", ())]
    said = [re.sub(r"\[[^\]]*\]\([^)]*\.ipynb[^)]*\)", "", "".join(cell["source"])) for cell in cells]
    return [
        f"uses {word} before it is introduced" for word in re.findall(r"(?i)\b(?:dcg|discount)\w*", "\n".join(said))
    ]


# What a concept chapter has to be


def begins_with_outcomes(name):
    first = prose.cells(PAGES[name])[0]
    return [] if re.match(r"# [^\n]+\n+:::\{outcomes\}", "".join(first["source"])) else ["no outcomes below the title"]


def shows_before_it_states(name):
    """A figure or a drawing stands above the first formula on a line of its own."""
    for cell in prose.cells(PAGES[name]):
        if cell["cell_type"] == "code" and ("figure" in cell["metadata"].get("mystnb", {}) or draws(cell)):
            return []
        if cell["cell_type"] == "markdown" and "$$" in "".join(cell["source"]):
            return ["a formula stands above the first figure or drawing"]
    return ["no figure or drawing"]


def draws(cell):
    return any(DRAWING in output.get("data", {}) for output in cell["outputs"])


def asks_in_each_section(name):
    titles = list(main_sections(name))
    if "What goes wrong" not in titles:
        return ["no section 'What goes wrong'"]
    main = titles[: titles.index("What goes wrong")]
    without = [title for title in main if "{question}" not in main_sections(name)[title]]
    return [f"no question in the section {title!r}" for title in without] or ([] if main else ["no main section"])


def has_exercises(name):
    """Numbered, each with stars and one solution."""
    text = main_sections(name).get("Exercises", "")
    pieces = re.split(r"^\*\*(\d+)\.\*\* ", text, flags=re.MULTILINE)[1:]
    exercises = list(zip(pieces[::2], pieces[1::2], strict=True))
    found = [] if exercises else ["no exercises"]
    for place, (number, said) in enumerate(exercises, 1):
        found += [f"exercise {number} is the {place}th"] if int(number) != place else []
        found += [] if re.match(r"★{1,3} ", said) else [f"exercise {number} has no stars, from one to three"]
        found += [] if said.count("{solution}") == 1 else [f"exercise {number} has no solution, or more than one"]
    stars = [re.match("★*", said).end() for _, said in exercises]
    return found if stars == sorted(stars) else [*found, f"stars {stars}: expected the easy ones first"]


def ends_with_summary_and_reading(name):
    last = main_sections(name)
    found = (
        [] if list(last)[-2:] == ["Summary", "Further reading"] else ["the last two are not Summary, Further reading"]
    )
    items = len(re.findall(r"^(?:[-*]|\d\.) ", last.get("Summary", ""), re.MULTILINE))
    return found if items == 5 else [*found, f"the summary has {items} items, not 5"]


def folds_little(name):
    """Code that draws, the checks of each section, answers."""
    text = source(name)
    checks = sum("hide-cell" in section for section in re.split(r"^## ", text, flags=re.MULTILINE))
    folds = len(re.findall(r"^%%% .*hide-input", text, re.MULTILINE)) + checks + text.count("{answer}")
    return [f"{folds} folds, at most {FOLDS}"] if folds > FOLDS else []


EVERY_PAGE = [is_short, has_short_sentences, has_plain_phrases]
CONCEPT = [spells_out_dcg, begins_with_outcomes, ends_with_summary_and_reading, folds_little]
LESSON = [shows_before_it_states, asks_in_each_section]


def asked_of(name):
    """What a page has to be."""
    asked = EVERY_PAGE + (CONCEPT if name in CONCEPTS else []) + (LESSON if name in LESSONS else [])
    asked += [has_exercises] if name in CONCEPTS or name.startswith("practice/") else []
    return asked + ([does_not_run_ahead] if name in BEFORE_THE_DISCOUNT else [])


ASKED = [(each, name) for name in sorted(PAGES) for each in asked_of(name)]


@pytest.mark.parametrize(("each", "name"), ASKED, ids=lambda value: getattr(value, "__name__", value))
def test_a_page_is_as_it_should_be(each, name):
    assert each(name) == []


def test_the_page_of_slips_that_is_made_is_plain_too():
    notes = tuple(entry for entry in book_ledger(ROOT).entries if entry["note"] is not None)
    made = [sections(Ledger(notes))]
    lengths = page_text.sentence_lengths([block for text in made for block in page_text.blocks(text)])
    assert len(lengths) > 50
    assert median(lengths) <= LONGEST
    assert [found for text in made for found in phrases_in(text)] == []


def unreleased():
    """What the changelog says of the version to come."""
    return re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1]


@pytest.mark.parametrize("file", ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "CHANGELOG.md"])
def test_what_is_told_beside_the_book_is_plain(file):
    text = unreleased() if file == "CHANGELOG.md" else (ROOT / file).read_text(encoding="utf-8")
    assert phrases_in(text) == []


MODULES = sorted((ROOT / "ndcg_ref").rglob("*.py"))
assert MODULES


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_module_says_is_plain(module):
    """Its docstrings, help texts and messages."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    said = [each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    assert [found for text in said for found in phrases_in(text)] == []


PLAIN = [
    # text  how many phrases are found in it
    ("Whoever reads it", 1),
    ("The one is larger than the other", 1),
    ("The one that is larger. The other is not", 0),
    ("Just if it is; adjust if not", 1),
    ("Rounded to the print", 1),
    ("The tools that print it, and the printed number", 0),
    ("A and B cannot be told apart", 0),
    ("This is told on stderr", 1),
    ("What a grade is worth", 0),
    ("The worth of a grade", 1),
    ("It departs from the ideal, of which it is part", 0),
    ("The two part from rank 2 on", 1),
]


@pytest.mark.parametrize(("text", "count"), PLAIN)
def test_a_phrase_is_found(text, count):
    assert len(phrases_in(text)) == count


def test_words_and_sentences_are_counted():
    text = "# A title\n\nIt is $x = 1$, see `code`. [Two words](a.md#b) here!"
    found = list(page_text.blocks(f"{text}\n\n| a | b |\n| - | - |\n| c | d |\n\n$$\ny\n$$"))
    assert page_text.prose_words(found) == 8  # A title It is see Two words here
    assert page_text.sentence_lengths(found) == [5, 3]  # It is x see code

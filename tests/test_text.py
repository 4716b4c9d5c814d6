"""The text of the book is short and plain, and each concept chapter has the same shape."""

import re
from pathlib import Path
from statistics import median

from rows import every_row

from ndcg_ref.sphinx_ext.drawing import MIME as DRAWING
from tools.book import contents
from tools.checks import prose

ROOT = Path(__file__).resolve().parent.parent
BOOK = ROOT / "book"
PAGES = {path.relative_to(BOOK).with_suffix("").as_posix(): path for path in prose.chapters()}
CONCEPTS = {name for name in PAGES if name.startswith("concepts/")}
LESSONS = CONCEPTS - {"concepts/setting"}  # all but the one that comes before any measure
BEFORE_THE_DISCOUNT = {"concepts/setting", "concepts/gain"} & PAGES.keys()
assert CONCEPTS


MOST_WORDS = 1300  # of prose in a chapter that teaches, folds closed
LONGEST = 18  # words of the median sentence
FOLDS = 12  # in a chapter, exercises apart


def source(name):
    """The Markdown of a page; a code cell is a line of its own, with its tags."""
    return "\n\n".join(
        cell.source if cell.kind == "markdown" else f"%%% {' '.join(cell.metadata.get('tags', ()))}"
        for cell in prose.cells(PAGES[name])
    )


def main_sections(name):
    """The sections of a page by their headings, in order."""
    found = re.split(r"^## (.*)$", source(name), flags=re.MULTILINE)
    return dict(zip(found[1::2], found[2::2], strict=True))


# What every page has to be: a function returns what is wrong with a page


def is_short(name):
    words = contents.prose_words([block for block in contents.page(PAGES[name]) if not block.folded])
    return [f"{words} words, at most {MOST_WORDS}"] if words > MOST_WORDS else []


def has_short_sentences(name):
    lengths = contents.sentence_lengths(contents.page(PAGES[name]))
    middle = median(lengths or [0])
    return [f"the median sentence has {middle:g} words, at most {LONGEST}"] if middle > LONGEST else []


def spells_out_dcg(name):
    """Where it is first used, or before."""
    said = ""
    for block in contents.page(PAGES[name]):
        said += block.text.lower() + "\n"
        if block.kind == "text" and re.search(r"\bDCG", block.text):
            spelled = re.search(r"discounted cumulat(?:ive|ed) gain", said)
            return [] if spelled else [f"DCG is used before it is spelled out: {block.text}"]
    return []


def does_not_run_ahead(name):
    """The discount is not used before its chapter, but for links that lead there, and by checks, which are folded."""
    cells = [cell for cell in prose.cells(PAGES[name]) if "hide-cell" not in cell.metadata.get("tags", ())]
    said = [re.sub(r"\[[^\]]*\]\([^)]*\.ipynb[^)]*\)", "", cell.source) for cell in cells]
    early = re.findall(r"(?i)\b(?:dcg|discount)\w*", "\n".join(said))
    return [f"uses {word} before it is introduced" for word in early]


# What a concept chapter has to be


def begins_with_outcomes(name):
    first = prose.cells(PAGES[name])[0]
    return [] if re.match(r"# [^\n]+\n+:::\{outcomes\}", first.source) else ["no outcomes below the title"]


def shows_before_it_states(name):
    """A figure or a drawing stands above the first formula on a line of its own."""
    for cell in prose.cells(PAGES[name]):
        if cell.kind == "code" and ("figure" in cell.metadata.get("mystnb", {}) or draws(cell)):
            return []
        if cell.kind == "markdown" and "$$" in cell.source:
            return ["a formula stands above the first figure or drawing"]
    return ["no figure or drawing"]


def draws(cell):
    return any(DRAWING in data for data in cell.data)


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
    found = [] if [*last][-2:] == ["Summary", "Further reading"] else ["the last two are not Summary and reading"]
    items = len(re.findall(r"^(?:[-*]|\d\.) ", last.get("Summary", ""), re.MULTILINE))
    return found if items == 5 else [*found, f"the summary has {items} items, not 5"]


def folds_little(name):
    """Code that draws, the checks of each section, answers."""
    text = source(name)
    checks = sum("hide-cell" in section for section in re.split(r"^## ", text, flags=re.MULTILINE))
    folds = len(re.findall(r"^%%% .*hide-input", text, re.MULTILINE)) + checks + text.count("{answer}")
    return [f"{folds} folds, at most {FOLDS}"] if folds > FOLDS else []


EVERY_PAGE = [has_short_sentences]
CONCEPT = [is_short, spells_out_dcg, begins_with_outcomes, ends_with_summary_and_reading, folds_little]
LESSON = [shows_before_it_states, asks_in_each_section]


def asked_of(name):
    """What a page has to be."""
    asked = EVERY_PAGE + (CONCEPT if name in CONCEPTS else []) + (LESSON if name in LESSONS else [])
    asked += [has_exercises] if name in CONCEPTS or name.startswith("practice/") else []
    return asked + ([does_not_run_ahead] if name in BEFORE_THE_DISCOUNT else [])


ASKED = [(each, name) for name in sorted(PAGES) for each in asked_of(name)]


@every_row(("each", "name"), ASKED)
def test_a_page_is_as_it_should_be(each, name):
    assert each(name) == []


def test_words_and_sentences_are_counted():
    text = "# A title\n\nIt is $x = 1$, see `code`. [Two words](a.md#b) here!"
    found = list(contents.blocks(f"{text}\n\n| a | b |\n| - | - |\n| c | d |\n\n$$\ny\n$$"))
    assert contents.prose_words(found) == 8  # A title It is see Two words here
    assert contents.sentence_lengths(found) == [5, 3]  # It is x see code

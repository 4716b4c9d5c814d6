"""No number on trust, in prose either: every number and every comparison of a chapter's text is held by a cell."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from prose import CHAPTERS, KEPT_FILE, ROOT, Claim, Held, claims, held, in_markdown, kept, pairs, unheld

assert CHAPTERS
EXCEPTIONS = tomllib.loads((Path(__file__).parent / "prose-exceptions.toml").read_text(encoding="utf-8"))


def by_name(chapter):
    return chapter.relative_to(ROOT).as_posix()


def excepted(chapter):
    return EXCEPTIONS.get(by_name(chapter), [])


@pytest.mark.parametrize("chapter", CHAPTERS, ids=by_name)
def test_nothing_in_a_chapter_is_taken_on_trust(chapter):
    by = held(chapter)
    found = [(claim, what) for claim in claims(chapter) for what in unheld(claim, by)]
    open_ = [
        f"{claim.place}: {what}, in: {claim.text}"
        for claim, what in found
        if not any(each["text"] in claim.text and each["what"] == what for each in excepted(chapter))
    ]
    assert not open_, "\n" + "\n".join(open_)
    idle = [
        each
        for each in excepted(chapter)
        if not each["reason"] or not any(each["text"] in claim.text and each["what"] == what for claim, what in found)
    ]
    assert not idle, f"exceptions that nothing needs, or without a reason: {idle}"


def test_nothing_that_the_rules_cannot_tell_apart_has_changed_unnoticed():
    """Rank 2 or rank 3 where cells speak of both, a sign in a formula, the words that compare: a list keeps them."""
    listed = KEPT_FILE.read_text(encoding="utf-8").splitlines()
    assert [line for chapter in CHAPTERS for line in kept(chapter)] == listed, "if it is meant: `make notebooks`"


def test_every_exception_names_a_chapter():
    assert set(EXCEPTIONS) <= {by_name(chapter) for chapter in CHAPTERS}


HELD = Held(
    said="rank 2: 0.631 for D1\n✓ agrees: With base 10 the first ten ranks are not discounted\n7 of 9 documents",
    code="grades = [3, 0, 2]\ncheck_equation(r'CG = 3 + 0 + 2 = 5', ...)\n| 1 | 3 | 2.00 |",
    statements={
        "#late": "✓ agrees: With base 10 the first ten ranks are not discounted",
        "#false": "✗ slip: It is always so; not so: n = 1 (why)",
    },
    notation=r"\log_2r",
)
HELD = replace(
    HELD,
    decimals=frozenset({"0.631"}),
    pairs=frozenset(pair for line in HELD.said.splitlines() for _, both in pairs(line) for pair in both),
    lists="".join((HELD.code + HELD.said).split()),
)

FOUND = [
    # Markdown  what is found  why
    ("It is 0.631.", [], "a cell printed it"),
    ("It is 0.632.", ["0.632"], "no cell did"),
    ("It is 0.63.", ["0.63"], "other digits are another number"),
    ("At rank 2 it falls.", [], "a cell speaks of rank 2"),
    ("At rank 3 it falls.", ["3"], "none speaks of rank 3"),
    ("Ranks 2 and 3 fall.", ["3"], "each number of a list of ranks"),
    ("Of nine documents 7 count.", ["7"], "the words beside the number tell"),
    ("All nine documents count.", [], "a number in words"),
    ("All eight documents count.", ["eight"], "another one"),
    ("The grades are 3, 0, 2.", [], "a list that the code holds"),
    ("The grades are 3, 0, 1.", ["3, 0, 1"], "a list that it does not"),
    ("$CG = 3 + 0 + 2 = 5$", [], "a line that a cell checks"),
    ("$3 \\cdot 2 = 6$", [], "an equation that is true"),
    ("$3 \\cdot 2 = 7$", ["3 \\cdot 2 = 7 (is not so)"], "one that is false"),
    ("$$\n3 + 2 = 6\n$$", ["3 + 2 = 6 (is not so)"], "one on a line of its own"),
    ("$$\n3 + 2 = 6 .\n$$", ["3 + 2 = 6 . (is not so)"], "one that ends a sentence"),
    ("$0.5 \\cdot 2 = 1$", ["0.5"], "true, with a decimal from nowhere"),
    ("$D_1$ and D1", [], "a name with an index"),
    ("$D_2$", ["2"], "another name"),
    ("$\\log_2 r$", [], "notation"),
    ("$2$", ["2"], "a part of it that says nothing"),
    ("{term}`ranks <rank>` 2 and {term}`rank` 3", ["3"], "a term of the glossary"),
    ("$\\log_3 r$", ["3"], "no notation of this book"),
    ("| 1 | 3 | 2.00 |\n| - | - | - |", [], "a row that a cell checks"),
    ("| 1 | 2 | 2.00 |\n| - | - | - |", ["2.00", "1", "2"], "a row that none does"),
    ("This is always so.", ["compares (always) and links to no statement that a cell holds"], "no label"),
    ("This is [always](#late) so.", [], "with its label"),
    (
        "This is [always](#early) so.",
        ["compares (always) and links to no statement that a cell holds"],
        "a wrong label",
    ),
    ("This is [always](#false) so.", ["compares (always) and links to no statement that a cell holds"], "a false one"),
    ("The note says that it is [always](#false) so.", [], "a false one that a note makes"),
    ("$$\n\\begin{aligned}A: & 1 + 2 = 3 \\\\ B: & 1 + 3 = 4\\end{aligned}\n$$", [], "two lines that are true"),
    (
        "$$\n\\begin{aligned}1 + 2 &= 3 \\\\ 1 + 3 &= 5\\end{aligned}\n$$",
        ["\\begin{aligned}1 + 2 &= 3 \\\\ 1 + 3 &= 5\\end{aligned} (is not so)"],
        "one is false",
    ),
    ("Is this always so?", [], "a question claims nothing"),
    ("[The first ten](#late) ranks.", [], "a number that the statement has"),
    ("[The first four](#late) ranks.", ["four"], "one that it has not"),
    ("`x = 3.5` {cite}`a2002` [so](a-7.5.ipynb)", [], "code, citations and link targets are no prose"),
    ("{cite}`a2002`, page 7, and {cite}`a2002` (Section 2.1)", [], "nor is the place in a source"),
    (":::{admonition} Solution\n:class: dropdown\nIt is 0.9.\n:::", ["0.9"], "solutions are prose"),
    ("1/3 of it", ["1/3"], "a fraction"),
]


@pytest.mark.parametrize(("markdown", "expected", "why"), FOUND)
def test_what_nothing_holds_is_found(markdown, expected, why):
    assert [what for claim in in_markdown(markdown, "here") for what in unheld(claim, HELD)] == expected


def test_captions_and_alt_texts_are_prose(tmp_path, monkeypatch):
    shown = {"image": {"alt": "It is at most 7."}, "figure": {"caption": "It is 8.5."}}
    cell = '{"cell_type": "code", "source": "", "outputs": [], "metadata": %s}'
    metadata = f'{{"mystnb": {shown}, "ndcg_ref": {{"holds": {{"at most": "#late"}}}}}}'.replace("'", '"')
    (tmp_path / "x.ipynb").write_text('{"cells": [%s]}' % (cell % metadata), encoding="utf-8")
    monkeypatch.setattr("prose.ROOT", tmp_path)
    assert list(claims(tmp_path / "x.ipynb")) == [
        Claim("It is 8.5.", "x.ipynb, cell 1, caption"),
        Claim("It is at most 7.", "x.ipynb, cell 1, alt text", labels=("#late",)),
    ]

"""The pages of slips and of numbers are made of the ledger, and have nothing in them but text."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from rows import every_row
from test_ledger import FALSE, MARKDOWN, PARTED, SLIP, as_term, cell, course, notebook

from ndcg_ref.stated import judge, ledger
from ndcg_ref.stated.display import in_dollars, literal
from ndcg_ref.stated.ledgers import Ledger
from tools.book.ledger_ext import numbers, sections


@pytest.fixture
def book(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return course(tmp_path)


SECTIONS = f"""\
Slips in all: 3 (numbers 1, terms inside sums 1, statements in words 1).

## Notes on $x$

(alpha-verdict-dcg-3)=
### DCG 3

- **Place:** [Notes on $x$](/course/alpha.ipynb#verdict-dcg-3), section “Sums”: DCG 3
- **Printed:** 8.32
- **Recomputed:** the exact value is 8.32550, rounded to 2 decimals 8.33; {PARTED}
- **Cause:** consistent with truncated: 8.32550, cut to 8.32
- **Correction:** for 8.32 read 8.33
- **Status:** explained

(alpha-verdict-dcg-3-term-1)=
### DCG 3, term 1

- **Place:** [Notes on $x$](/course/alpha.ipynb#verdict-dcg-3-term-1), section “Sums”: DCG 3, term 1
- **Printed:** 8.32
- **Recomputed:** the exact value is 8.32550, rounded to 2 decimals 8.33; {PARTED}
- **Cause:** consistent with truncated: 8.32550, cut to 8.32
- **Correction:** for 8.32 read 8.33
- **Status:** explained

## Notes on $x$

(late-beta-verdict-dcg-falls)=
### DCG falls

- **Place:** [Notes on $x$](/course/late/beta.ipynb#verdict-dcg-falls), section “Sums”: a statement in words
- **Printed (in our words):** DCG falls
- **Recomputed:** \\[1, 1\\]: here it fails
- **Cause:** it grows
- **Correction:** it \\[rises\\]
- **Status:** explained"""


def test_every_slip_of_a_note_has_a_section(book):
    notebook(book / "gain.ipynb", cell(judge("8.32", 8.3255, "of no note")), role="lesson")
    assert sections(ledger(book)) == SECTIONS


def test_numbers_stand_by_their_size_and_value(tmp_path):
    given = [("1062", "a"), ("0.63", "b"), ("-2", "c"), ("97.8%", "d"), ("10", "e"), ("8.32", "f"), ("0", "g")]
    path = notebook(tmp_path / "x.ipynb", cell(*(judge(each, None, name, reason="?") for each, name in given)))
    found = [line for line in numbers(ledger(path)).splitlines() if line]
    assert [line.removeprefix("## ") for line in found if line.startswith("#")] == [
        *("below 0", "0 to 1", "1 to 10", "10 to 100", "1000 and more")
    ]
    assert re.findall(r"\*\*(.*?)\*\* \[(.)\]", "".join(found)) == [
        *(("-2", "c"), ("0", "g"), ("0.63", "b"), ("97.8%", "d"), ("8.32", "f"), ("10", "e"), ("1062", "a"))
    ]


def test_a_number_leads_to_its_verdict_and_names_its_note(tmp_path):
    path = notebook(tmp_path / "x.ipynb", cell(SLIP))
    assert numbers(ledger(path)).splitlines()[-1] == (
        f"- **8.32** [DCG 3](/{path.as_posix()}#verdict-dcg-3), Notes on \\$x\\$: ✗ slip"
    )


LOG = judge("1.59", 1.584962500721156, "log _2 [3]")
QUOTIENT = judge("0.31", 0.315464876786, "quotient", operands=("0.5", LOG), working=lambda grade, log: grade / log)
OPERAND = r"log \_2 \[3\]"


@pytest.mark.parametrize(("verdicts", "link"), [([LOG, QUOTIENT], "[{}](#x-verdict-log-2-3)"), ([QUOTIENT], "{}")])
def test_a_step_links_to_the_entry_of_an_operand_if_it_has_one(tmp_path, verdicts, link):
    notebook(tmp_path / "x.ipynb", cell(*verdicts))
    entry = sections(ledger(tmp_path)).partition("### Quotient\n")[2]
    step = f"1.59 stands for {link.format(OPERAND)}, exactly 1.58496, a slip of its own"
    assert f"  1. {step}: here the printed value departs\n" in entry


CAUSELESS = "- **Cause:** unexplained: no known cause gives the printed value"
CHANCE = "- **Chance:** 0.60 of the wrong numbers nearby would have a cause as well, so this is weak evidence"
TERMS = {str(i): i / 100 for i in range(700, 900)}
QUARTER = as_term(judge("1/4", 1 / 3, "x"), "y")
TOLD = [
    # verdict  lines of its entry
    (LOG, [r"### Log \_2 \[3\]", "  - consistent with rounded-up: 1.58496, raised to 1.59"]),
    (judge("0.589", 0.579, "x"), [CAUSELESS, "- **Status:** unexplained"]),
    (QUARTER, ["- **Printed:** 1/4", "- **Correction:** for 1/4 read 1/3"]),
    (replace(QUARTER, formula=r"\frac{1}{3}"), [r"- **Correction:** for 1/4 read $\frac{1}{3}$"]),
    (judge("8.32", 8.3255, "x", alternatives={"term": TERMS}), [CHANCE]),
    (
        judge("3.33", 4.0, "x", alternatives={"term": {"rank_1": 3.33}}),
        [r"- **Cause:** consistent with term: rank\_1 gives 3.33"],
    ),
]


@pytest.mark.parametrize(("verdict", "lines"), TOLD)
def test_an_entry_says(tmp_path, verdict, lines):
    notebook(tmp_path / "x.ipynb", cell(verdict))
    assert set(lines) - set(sections(ledger(tmp_path)).splitlines()) == set()


CONFIG = yaml.safe_load((Path(__file__).parent.parent / "_config.yml").read_text(encoding="utf-8"))
MYST = create_md_parser(
    MdParserConfig(enable_extensions=set(CONFIG["parse"]["myst_enable_extensions"])), RendererHTML
)  # as the book reads it


def tokens(markdown):
    """Every piece that MyST sees, blocks and what stands in them, as (type, content)."""
    blocks = MYST.parse(markdown)
    return [(each.type, each.content) for block in blocks for each in (block, *(block.children or ()))]


OURS = {"text", "math_inline", "heading", "paragraph", "inline", "link", "strong", "softbreak", "myst_target"}
OURS |= {"bullet_list", "ordered_list", "list_item", "code_inline"}
HOSTILE = [
    # text  why
    ('"><script>alert(1)</script>', "a tag"),
    ("\\<img src=x onerror=alert(1)>", "a tag in a formula"),
    ("x\\", "a formula that would take the dollar along"),
    ("`x", "code that never ends"),
    ("{raw}`<script>`", "a role"),
    ("x\n\n```{raw} html\n<script>\n```", "a directive"),
    (":::{raw} html", "a directive at the beginning"),
    ("x](javascript:alert(1)) [y", "another link"),
    ("![x](http://example.org)", "a picture"),
    ("(x)=", "a target"),
    ("% x", "a comment"),
    ("&lt;script&gt;", "an entity"),
]


def as_stored(record, text):
    """A record that somebody else wrote: a text in place of every one."""
    kept = {"kind", "outcome", "computed", "chance"}
    return {key: value if key in kept else replaced(value, text) for key, value in record.items()}


def replaced(value, text):
    """A text, or a list of what it has twice, each with texts in place of its own."""
    if isinstance(value, dict):
        return dict.fromkeys(value, text)
    return [replaced(each, text) for each in (value or [""])[:1]] * 2 if isinstance(value, list) else text


@every_row("text, why", HOSTILE)
@every_row("verdict", [SLIP, FALSE])
@every_row("name", ["x.ipynb", "<b>)[`$.ipynb"])
def test_nothing_but_text_comes_from_what_is_stored(tmp_path, verdict, name, text, why):
    record = as_stored(verdict.record(), text)
    data = {"application/vnd.ndcg-ref.verdicts+json": {"verdicts": [record]}}
    code = {**cell(), "outputs": [{"output_type": "display_data", "data": data, "metadata": {}}]}
    heading = {**MARKDOWN, "source": [f"# {text}\n", f"## {text}\n"]}
    path = notebook(tmp_path / name, code)
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, "cells": [heading, code]}), encoding="utf-8")
    whole = ledger(path)
    sized = Ledger(tuple({**entry, "stated": "8.32"} for entry in whole.entries))
    for markdown, allowed in [(sections(whole), OURS), (numbers(sized), OURS), (whole.scores, None)]:
        seen = tokens(markdown)
        kinds = {kind.removesuffix("_open").removesuffix("_close") for kind, _ in seen}
        assert kinds <= (allowed or {"table", "thead", "tbody", "tr", "th", "td", "inline", "text"})
        assert not any("<script" in content or "<img" in content for kind, content in seen if kind == "math_inline")
    (entry,) = (index for index, (kind, _) in enumerate(tokens(sections(whole))) if kind == "myst_target")
    assert tokens(sections(whole))[entry + 1][0] == "heading_open"


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from("\n\t"), max_size=20))
def test_a_literal_is_one_paragraph_of_its_text(text):
    seen = tokens(literal(text))
    assert "".join(content for kind, content in seen if kind == "text") == " ".join(text.split())
    assert {kind for kind, _ in seen} <= {"paragraph_open", "inline", "text", "paragraph_close"}


FORMULAS = [
    # text  what MyST sees  why
    (r"\frac{1}{2}", [("math_inline", r"\frac{1}{2}")], "a formula"),
    ("1<b", [("math_inline", "1< b")], "no tag: the space makes no difference to a formula"),
    ("1 < 2", [("math_inline", "1 < 2")], "as it is"),
    ("a\\$ <b", [("text", r"a\$ <b")], "not between dollars"),
    ("a\\", [("text", "a\\")], "nor what would take the second along"),
]


@every_row(("text", "seen", "why"), FORMULAS)
def test_a_formula_stands_between_dollars_where_it_can(text, seen, why):
    assert [each for each in tokens(in_dollars(text)) if each[0] in ("text", "math_inline")] == seen
    assert not any(kind == "html_inline" for kind, _ in tokens(in_dollars(text)))


HEADINGS = [
    # heading  as the list of slips has it
    (r"Gain $2^\ell$, \# 1", r"Gain $2^\ell$, \# 1"),
    ("A [link](#there)", "A link"),  # the heading is in one itself
    ("A & B <i>", r"A \& B \<i\>"),
]


@pytest.mark.parametrize(("heading", "shown"), HEADINGS)
def test_a_heading_keeps_its_markup(tmp_path, heading, shown):
    path = notebook(tmp_path / "x.ipynb", cell(SLIP))
    content = json.loads(path.read_text(encoding="utf-8"))
    content["cells"][0]["source"] = [f"# {heading}"]
    path.write_text(json.dumps(content), encoding="utf-8")
    assert f"\n## {shown}\n" in sections(ledger(path))

"""A result gives its means by measure, and becomes a table of a page.

The judgments and the run are small enough that every value is a fraction of the reader's head.
"""

import html.parser
import re

import pytest

from ndcg_ref import evaluate
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.statistics.markup import FORMATS, TextTable, as_html, as_latex, as_markdown

QRELS = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}, "q4": {"a": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "a": 1.0}, "q3": {"a": 1.0}}
MEASURES = ["RR", "P@2"]
RESULT = evaluate(QRELS, RUN, MEASURES, "trec_eval")  # RR: 1, 1/2, 0; P@2: 1/2, 1/2, 0; q4 is missing
COUNTED = "4 judged, 3 evaluated, 1 missing, 0 extra, 1 without ideal, 0 tied, 2 unjudged, 0 truncated"
OF_RR = (
    "ties by document id descending, no relevant document counts 0, negative grades count 0, "
    "fractional grades truncated"
)


class TestAMeasureIsFoundByItsSpelling:
    def test_the_mean_is_found_by_its_spelling(self):
        assert (RESULT["RR"], RESULT["P@2"]) == (0.5, pytest.approx(1 / 3, abs=1e-15))

    @pytest.mark.parametrize("measure", ["AP", "rr", 0, None])
    @pytest.mark.parametrize("exception", [KeyError, ValueError])
    def test_a_measure_that_was_not_evaluated_is_refused_by_name(self, measure, exception):
        with pytest.raises(exception, match=re.escape(f"measure: expected one of RR, P@2, got {measure!r}")):
            RESULT[measure]


class Tags(html.parser.HTMLParser):
    """The text of each cell of a table, behind its tag and its scope."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.cells = [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag in ("caption", "th", "td"):
            self.cells.append([" ".join([tag, *(value for _, value in attrs)]), ""])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("caption", "th", "td"):
            self.cells[-1][1] += data


MISSING = "not covered by trec_eval-10.0: a judged query that the run lacks (1 query)"


class TestATableOfTheMeans:
    def test_a_notebook_shows_a_table_with_headings(self):
        assert Tags(RESULT._repr_html_()).cells == [
            ["caption", COUNTED],
            *(["th col", "measure"], ["th col", "mean"], ["th col", "queries"]),
            *(["th row", "RR"], ["td", "0.5000"], ["td", "3"]),
            *(["th row", "P@2"], ["td", "0.3333"], ["td", "3"]),
            *(["td 3", f"RR, P@2: {OF_RR}"], ["td 3", MISSING]),
        ]

    def test_each_convention_has_a_line_below_the_table(self):
        found = evaluate(QRELS, RUN, ["recip_rank", "ndcg@1-"])
        below = [text for tag, text in Tags(found._repr_html_()).cells if tag == "td 3"]
        assert below == [f"recip_rank: {OF_RR}", f"ndcg@1-: {PRESETS['xgboost-minus']}", MISSING]


HOSTILE = "<b onclick='x'>&amp;|a_b*c`$1$ 100% #{x}^~\\end\nnext"
ESCAPED = "&lt;b onclick=&#x27;x&#x27;&gt;&amp;amp;|a_b*c`$1$ 100% #{x}^~\\end\\nnext"


def test_what_would_be_markup_is_escaped_wherever_it_stands():
    """In the caption, the header, the first cell, another cell and a note."""
    made = as_html(TextTable(HOSTILE, ("run", HOSTILE), ((HOSTILE, HOSTILE),), (HOSTILE,)))
    assert made.count(ESCAPED) == 5
    assert HOSTILE not in made


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.__name__)
def test_no_form_of_a_table_has_what_a_terminal_or_a_log_obeys(form):
    hostile = "::error ::\x1b[2J\n\u202e##[group]"
    made = form(TextTable(hostile, (hostile, hostile), ((hostile, hostile),), (hostile,)))
    assert not re.search("[\x1b\u202e]|##\\[|^ *::", made, re.MULTILINE)
    assert made.count("x1b") == 6


IN_LATEX = (
    r"\textless{}b onclick=\textquotesingle{}x\textquotesingle{}\textgreater{}\&amp;\textbar{}a\_b{*}c\textasciigrave{}"
    r"\$1\$ 100\% \#\{x\}\textasciicircum{}\textasciitilde{}\textbackslash{}end\textbackslash{}nnext"
)
IN_MARKDOWN = r"\<b onclick='x'\>\&amp;\|a\_b\*c\`\$1\$ 100% \#{x}^\~\\end\\nnext"


@pytest.mark.parametrize(("form", "escaped"), [(as_latex, IN_LATEX), (as_markdown, IN_MARKDOWN)], ids=["tex", "md"])
def test_what_latex_or_markdown_would_obey_is_escaped_wherever_it_stands(form, escaped):
    made = form(TextTable(HOSTILE, ("run", HOSTILE), ((HOSTILE, HOSTILE),), (HOSTILE,)))
    assert made.count(escaped) == 5


def test_latex_takes_two_hyphens_for_no_dash_and_a_first_star_for_no_star():
    made = as_latex(TextTable("", ("run",), (("a---b",), ("*b",), ("[c]",))))
    assert [line.strip() for line in made.splitlines()[6:9]] == [r"a-{}-{}-b \\", r"{*}b \\", r"{[}c{]} \\"]

"""The role and the directive `ndcg` judge what is typed on a page without code, and warn at its line."""

import re

import pytest
from built_pages import Built, in_order
from rows import every_row

pytestmark = pytest.mark.built

AGREES, SLIP = "ndcg-tick ndcg-agrees", "ndcg-tick ndcg-slip"

NUMBERS = [
    # what is typed, what the page has, the warning at its line
    ("0.939 = ndcg(3, 0, 2; k=3)", [">0.939<", AGREES, "agrees: computed 0.938557, NDCG&#64;3 of 3, 0, 2"], ""),
    ("0.50 ≈ ndcg(0, 0, 1)", [">0.50<", AGREES], ""),  # 1/log2(4)
    ("95.7% = ndcg(3, 2, 1; judged=3, 2, 1, 0.5)", [AGREES, "judged 3, 2, 1, 0.5"], ""),  # 4.762 / 4.977
    ("7 = dcg(3, 0; as=EXPONENTIAL)", [AGREES, "DCG of 3, 0, EXPONENTIAL"], ""),
    ("1.58 = dcg(0, 1, 1, k=2)", ["<code"], "expected a semicolon behind the grades, got '0, 1, 1, k=2'"),
    ("0.93 = ndcg(3, 0, 2)", ['<span class="ndcg-right">0.94<', SLIP, "consistent with truncated"], "[ndcg.verdict]"),
    ("0.93 = ndcg(3, 0, 2; slip=truncated)", ['<span class="ndcg-right">0.94<', SLIP], ""),
    ("0.94 = ndcg(3, 0, 2; slip=truncated)", [AGREES], 'but the verdict is "agrees" (mended in the note? take slip='),
    ("0.93 = ndcg(3, 0, 2; slip=term)", [SLIP], "declares slip=term, but the printed value is consistent with"),
    ("1 = ndcg(3, 0, 2)", [SLIP], "stated 1, computed 0.938557: a slip that the page does not declare"),
    ("1 ≈ ndcg(3, 0, 2)", [AGREES], ""),
    ("0.94", ["<code"], "expected a number and what it is, such as '0.939 = ndcg(3, 0, 2; k=3)', got '0.94'"),
    ("0.94 = ndgc(3, 0, 2)", ["<code"], "expected one of ap, cg, dcg, err, icg, idcg, mean, ndcg, p, "),
    ("0.94 = ndcg(3, 0, 2; k=0)", ["<code"], "k: expected a cutoff of at least 1, got '0'"),
    ("0.94 = ndcg(3, 0, 2; k=2; k=3)", ["<code"], "expected k= once, got it twice"),
    ("0.94 = ndcg(3, 0, 2; as=USUAL)", ["<code"], "'USUAL'"),
    ("a = ndcg(3, 0, 2)", ["<code"], "expected a printed number"),
]

SUM = r"DCG = \frac{3}{\log_2 2} + \frac{0}{\log_2 3} + \frac{2}{\log_2 4} = "
TABLE = "| rank | document | gain | DCG |\n|---|---|---|---|\n| 1 | a | 3 | 3.00 |\n| 2 | b | 2 | 4.26 |"
DIRECTIVES = [
    # name, options, content, what the page has, the warning at the directive
    ("DCG", ["grades: 3, 0, 2"], SUM + "4.00", ["ndcg-verdict ndcg-agrees ndcg-printed"], ""),
    ("DCG", ["grades: 3, 0, 2"], SUM + "4.01", ["✗ slip", "4.0<strong"], "a slip that the page does not declare"),
    ("DCG", ["grades: 3, 0, 2", "slip: unexplained"], SUM + "4.01", ["✗ slip"], ""),
    ("DCG", ["grades: 3, 0, 2", "slip: unexplained"], SUM + "4.00", [AGREES], "take :slip: away"),
    ("DCG", ["grades: 3, 1, 2"], SUM + "4.00", ["✗ slip"], "DCG, term 2"),  # which adds 0/log2(3) for 1/log2(3)
    ("NDCG", ["grades: 3, 0, 2"], "NDCG = 4/4.262 = 0.939", [AGREES], ""),
    ("the second", ["grades: 3, 0, 2"], "NDCG@1 = 3/3 = 1", [AGREES, "computed 1"], ""),
    ("the fourth", ["grades: 3, 0, 2"], "NDCG = 4/4.262 = 1", ["✗ slip"], "stated 1, computed 0.938557: a slip"),
    ("t", ["grades: 3, 0, 2"], "| NDCG |\n|---|\n| 1 |\n| 1 |\n| 1 |", [AGREES, "✗ slip"], "t, row 2, NDCG: stated 1"),
    ("the third", ["grades: 3, 0, 2", "k: 2"], "NDCG = 3/4.26 = 0.704", [AGREES], ""),
    ("by the whole", ["grades: 3, 0", "judged: 3, 3, 0"], "IDCG = 3 + 3/1.585 = 4.89", [AGREES], ""),
    ("sum", [], "1/2 + 1/3 = 0.83", [AGREES], ""),
    ("mean", ["of: mean(0.960, 0.697)"], "(0.960 + 0.697)/2 = 0.83", [AGREES, "computed 0.82850"], ""),
    ("mean", ["of: mean(ndcg, 1/2)", "grades: 3, 0, 2"], "(0.94 + 0.5)/2 = 0.72", [AGREES], ""),
    ("AP", ["of: ap(1, 0, 1; R=4)"], "1/4 + 2/3/4 = 0.42", [AGREES], ""),
    ("AP", ["of: ap(1, 0, 1; R=4)"], "0.5 = 0.5", ["✗ slip"], "AP: stated 0.5, computed 0.4167: a slip that the page"),
    ("DCG", ["of: dcg(3, 0, 2)"], SUM + "4.00", [AGREES], ""),
    ("x", ["of: foo(1)"], "1 = 1", ["<pre>"], "expected one of ap, cg, dcg, "),
    ("two", [], "a = 1/2 = 0.5\nb = 1/3 = 0.33", ["ndcg-margins", "two, a", "two, b", "verdict-two-b"], ""),
    ("two", [], "1/2 = 0.5\n1/3 = 0.33", ["two, line 1", "two, line 2"], ""),
    ("two", [], "a = 1/2 = 0.5\nb = 1/3 = 0.3334", ["ndcg-margins", "✗ slip"], "two, b: stated 0.3334, computed 0.33"),
    ("two", ["slip: b: rounded-up"], "a = 1/2 = 0.5\nb = 1/3 = 0.334", ["✗ slip"], ""),
    (
        "two",
        ["slip: c: term"],
        "a = 1/2 = 0.5\nb = 1/3 = 0.33",
        ["<pre>"],
        "slip: expected a line and a cause, such as",
    ),
    ("two", [], "a = 1/2 = 0.5\na = 1/3 = 0.33", ["<pre>"], "two: expected lines that begin with different names, got"),
    ("both", ["grades: 3, 0, 2"], "DCG = 3 + 0 + 1 = 4.00\nNDCG = 4/4.26 = 0.94", ["both, DCG", "both, NDCG"], ""),
    ("table", ["grades: 3, 2"], TABLE, ["<p>a</p>", AGREES, "table-row-2-dcg"], ""),
    ("table", ["grades: 3, 2", "as: EXPONENTIAL"], TABLE, ["✗ slip"], "table, row 1, gain: stated 3, computed 7"),
    ("table", ["grades: 2, 3", "slip: gain 1: unexplained"], TABLE, ["✗ slip"], "table, row 2, gain: stated 2"),
    ("", [], "1 = 1", ["<pre>"], "expected a name behind the directive, such as 'DCG of the boots', got none"),
    ("empty", [], "", [], "empty: expected an equation or a table below the directive, got none"),
    ("sum", [], "1/2 + = 0.83", ["<pre>"], "sum: character 7: expected a number, a name or an opening bracket, got"),
    ("sum", ["k: 2"], "1/2 = 0.5", ["<pre>"], "expected the option grades beside k, got none"),
    ("x", ["grades: 1"], "AP = 1/1 = 1", [AGREES], ""),
    ("x", ["grades: 1, 0, 1", "relevant: 4"], "AP = (1 + 2/3)/4 = 0.42", [AGREES], ""),
    ("x", ["grades: 1, 0"], "RBP@2 = 0.2", ["<pre>"], "expected p for rbp, as in rbp(1, 0; p=0.8), got none"),
    ("x", ["grades: 1"], "F1 = 1/1 = 1", ["<pre>"], "x: expected a line that begins with one of NDCG, DCG, IDCG, "),
    ("table", [], TABLE, ["<pre>"], "table: expected the option grades, the ranking of the table, got none"),
    ("table", ["grades: 3, 2", "k: 1"], TABLE, ["<pre>"], "table: expected no option k for a table, which has a row"),
    ("table", ["grades: 3"], TABLE, ["<pre>"], "table: expected at most 1 rows, as many as grades, got 2"),
    ("table", ["grades: 3, 2", "slip: AP 2: term"], TABLE, ["<pre>"], "a row and a cause, such as 'gain 2: truncated'"),
    ("t", [], "| grades | IDCG |\n|---|---|\n| 0, 3 | 3.00 |", [AGREES, "t-row-1-idcg"], ""),
    ("t", [], "| grades | NDCG@1 |\n|---|---|\n| 0, 3 | 0 |", [AGREES], ""),
    (
        "table",
        ["grades: 3, 2", "rel: 1"],
        TABLE,
        ["<pre>"],
        "table: expected no option rel for a table, which has a row",
    ),
    ("table", ["grades: 3, 2"], "| a | b |\n| 1 | 2 |", ["<pre>"], "table: expected a column such as gain, discount, "),
]


def in_markdown(name, options, content):
    return "\n".join([f"```{{ndcg}} {name}".rstrip(), *(f":{option}" for option in options), content, "```"])


def in_rst(name, options, content):
    lines = [*(f":{option}" for option in options), "", *content.splitlines()]
    return "\n".join([f".. ndcg:: {name}".rstrip(), *(f"   {line}".rstrip() for line in lines)])


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    roles = [f"On a line before it,\n{{ndcg}}`{text}`." for text, *_ in NUMBERS]
    in_docutils = [f"On a line before it,\n:ndcg:`{text}`." for text, *_ in NUMBERS]
    pages = {
        "index.md": in_order(roles, "# Numbers\n\n"),
        "numbers.rst": in_order(in_docutils, ":orphan:\n\nNumbers\n=======\n\n"),
        "directives.md": in_order([in_markdown(*row[:3]) for row in DIRECTIVES], "---\norphan: true\n---\n\n# D\n\n"),
        "directives2.rst": in_order([in_rst(*row[:3]) for row in DIRECTIVES], ":orphan:\n\nD\n=\n\n"),
    }
    return Built(tmp_path_factory.mktemp("roles"), pages, 'extensions = ["myst_nb", "ndcg_ref.sphinx_ext"]')


@every_row("name", ["index.md", "numbers.rst"])
@every_row("i", range(len(NUMBERS)))
def test_a_number_in_a_sentence_is_judged_and_warned_of_at_its_line(built, name, i):
    _, shown, warning = NUMBERS[i]
    built.shows(name, i, shown, warning, line=1)


@every_row("name", ["directives.md", "directives2.rst"])
@every_row("i", range(len(DIRECTIVES)))
def test_an_equation_or_a_table_is_judged_and_warned_of_at_its_directive(built, name, i):
    *_, shown, warning = DIRECTIVES[i]
    built.shows(name, i, shown, warning)


def test_there_is_no_other_warning(built):
    places = {
        f"{name}:{start + line}"
        for name, line in (("index.md", 1), ("numbers.rst", 1), ("directives.md", 0), ("directives2.rst", 0))
        for start in built.starts[name]
    }
    others = [line for line in built.warnings if line.strip() and not any(f"{each}: " in line for each in places)]
    assert others == []


def test_numbers_alike_have_labels_of_their_own(built):
    page = "".join(built.sections["index.md"])
    labels = re.findall(r'<span class="ndcg-ticked" id="([^"]+)"', page)
    assert len(labels) > 5
    assert len(set(labels)) == len(labels)

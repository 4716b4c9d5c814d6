"""The quiz: every line and every question is judged again here, by other functions than those that made it."""

import json
import math
import re
from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np
import pytest
from rows import every_row

from ndcg_ref import Convention, average_precision, dcg, idcg, ndcg
from ndcg_ref.stated import check_equation, judge, ledger
from ndcg_ref.stated.display import Outcome
from ndcg_ref.stated.stored_notebook import read_notebook
from tools.book.quiz import (
    CARRIED,
    CUT,
    DIGIT,
    FORMULA,
    LINES,
    MISTAKES,
    NUMBER,
    ONE,
    TERM,
    Mistake,
    Question,
    QuizLine,
    is_true,
    quiz,
    read_question,
)

ROOT = Path(__file__).resolve().parent.parent
SUM = re.compile(r"\\mathrm\{(I?DCG)\}_\d = (.+) = ([0-9.]+)")
QUOTIENT = re.compile(r"\\mathrm\{NDCG\}_\d = \\frac\{([0-9.]+)\}\{([0-9.]+)\} = ([0-9.]+)")
STORED = [json.loads(text) for text in LINES.read_text(encoding="utf-8").splitlines()]


def lines():
    return [item for item in quiz() if isinstance(item, QuizLine)]


def wrong_lines():
    return [line for line in lines() if line.wrong is not None]


def questions():
    return [stored for stored in STORED if "question" in stored]


def right_steps(line):
    """Whether each step is right, by the functions over arrays."""
    ranking = line.ranking
    ask = {"convention": ranking.rule()}
    quotient = QUOTIENT.fullmatch(line.line)
    if quotient:
        pool = {"judged": ranking.pool}
        exact = [
            dcg(ranking.grades, ranking.k, **ask),
            idcg(ranking.grades, ranking.k, **pool, **ask),
            ndcg(ranking.grades, ranking.k, **pool, **ask),
        ]
        printed = quotient.groups()
    else:
        measure, terms_printed, result = SUM.fullmatch(line.line).groups()
        grades = sorted(ranking.grades, reverse=True) if measure == "IDCG" else ranking.grades
        before = [0.0, *(dcg(grades[:rank], **ask) for rank in range(1, len(grades) + 1))]
        exact = [*(after - earlier for earlier, after in pairwise(before)), before[-1]]
        printed = [*terms_printed.split(" + "), result]
    return [is_right(text, value) for text, value in zip(printed, exact, strict=True)]


def is_right(text, exact):
    """Whether a number agrees; a formula is right only if it is the value itself."""
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return judge(text, exact).outcome == "agrees"
    stated = check_equation(f"x = {text} = 1.0", "term", exact=1.0).discrepancies
    value = float(re.search(r"gives (\S+),", stated[0]).group(1)) if stated else 1.0
    return value == pytest.approx(exact, rel=1e-5, abs=1e-9)


def test_half_of_the_lines_are_right_and_one_in_ten_goes_wrong_in_its_last_digit_at_most():
    wrong = wrong_lines()
    assert len(lines()) >= 40
    assert len(wrong) == len(lines()) / 2
    last_digit = [line for line in wrong if line.mistakes[line.mistake].cause in (CUT, CARRIED)]
    assert 0 < len(last_digit) <= len(lines()) / 10
    assert len({(line.line, line.ranking) for line in lines()}) == len(lines())


def test_a_third_or_more_ask_for_the_meaning():
    assert len(questions()) >= len(STORED) / 3
    assert Counter(stored["of"] for stored in questions()).keys() == {"meaning", "misconception"}


def test_mistakes_are_as_frequent_as_in_the_worked_examples():
    """Those of the last digit apart, of which there are fewer, by the counts of the page on worked examples."""
    statement = next(entry for entry in ledger(ROOT / "book").entries if entry["label"] == "slips-by-cause")
    counts = [list(map(int, re.findall(r"\d+", part))) for part in statement["name"].split("twelve")]
    both = dict(zip([CUT, "follows", CARRIED, TERM, FORMULA, NUMBER, DIGIT, "unknown"], map(sum, zip(*counts))))  # noqa: B905
    counted = Counter(line.mistakes[line.mistake].cause for line in wrong_lines())
    assert counted.keys() == both.keys() - {"follows", "unknown"}
    for some in ((TERM, FORMULA, NUMBER, DIGIT), (CUT, CARRIED)):
        lines_of, found = sum(counted[each] for each in some), sum(both[each] for each in some)
        for each in some:
            assert abs(counted[each] - lines_of * both[each] / found) <= 1, each


@every_row("line", lines)
def test_the_first_wrong_step_is_wrong_and_those_before_it_are_right(line):
    right = right_steps(line)
    assert len(right) == len(line.steps)
    assert [step.slip is None for step in line.steps] == right
    assert line.wrong == (right.index(False) if False in right else None)


@every_row("line", wrong_lines)
def test_one_of_four_mistakes_fits_and_chance_would_explain_little(line):
    assert [each.fits(line.slip) for each in line.mistakes] == [place == line.mistake for place in range(4)]
    assert not line.slip.weak
    assert line.slip.outcome is Outcome.SLIP


def test_a_right_line_has_one_question_and_a_wrong_one_three():
    assert {len(line.asks) for line in lines() if line.wrong is None} == {1}
    assert {len(line.asks) for line in wrong_lines()} == {3}
    assert all(ask.choices[ask.right] for line in lines() for ask in line.asks)


def test_a_mistake_is_named_in_the_words_of_a_student():
    for mistake in MISTAKES.values():
        assert not re.search(r"operand|truncat|inherit|convention|carried", mistake.says), mistake.says


def judged_again(ranking, k):
    """The measures of a ranking as a question stores it, by the functions over arrays."""
    k = k or ranking.get("k")
    chosen = ranking.get("convention", {})
    ask = {"convention": chosen if isinstance(chosen, str) else Convention(**chosen)}
    grades, pool = ranking["grades"], ranking.get("judged", ranking["grades"])
    gained = [grade > 0 for grade in grades[:k]]
    value = ndcg(grades, k, judged=pool, **ask)
    scores = ranking.get("scores", range(len(grades), 0, -1))
    order = sorted(scores, reverse=True)
    orders = permutations(range(len(grades)))
    tied = {tuple(grades[i] for i in each) for each in orders if [scores[i] for i in each] == order}
    others = {*permutations(grades)} - {tuple(grades)}
    ndcgs = [ndcg(each, judged=pool, **ask) for each in tied]
    return {
        "NDCG": value,
        "DCG": dcg(grades, k, **ask),
        "IDCG": idcg(grades, k, judged=pool, **ask),
        "precision": sum(gained) / len(gained),
        "recall": sum(gained) / sum(grade > 0 for grade in pool),
        "AP": average_precision(grades),
        "share in place": np.mean([a == b for a, b in zip(grades, sorted(pool)[::-1], strict=False)]),
        "share beaten": np.mean([ndcg(each, **ask) < value - 1e-12 for each in others]) if others else 1.0,
        "lowest NDCG": min(ndcgs),
        "highest NDCG": max(ndcgs),
        "worst NDCG": ndcg(sorted(grades), judged=pool, **ask),
    }


def value_again(text, rankings):
    what, k, names = re.fullmatch(r"([A-Za-z ]+)(?:@(\d))?\(([A-Z, ]+)\)", text).groups()
    found = [judged_again(rankings[name], k and int(k)) for name in names.split(", ")]
    if what == "mean":
        return sum(each["NDCG"] for each in found) / len(found)
    if what == "ratio of sums":
        return sum(each["DCG"] for each in found) / sum(each["IDCG"] for each in found)
    return found[0][what]


def is_true_again(claim, rankings):
    left, sign, right = re.fullmatch(r"(.+) ([<>=]) (.+)", claim).groups()
    ours = value_again(left, rankings)
    if "(" in right:
        other, near = value_again(right, rankings), 1e-12
    else:
        other, near = float(right), 0.5 * 10 ** -len(right.partition(".")[2]) + 1e-12 if "." in right else 1e-12
    same = math.isclose(ours, other, rel_tol=0, abs_tol=near)
    return {"=": same, "<": not same and ours < other, ">": not same and ours > other}[sign]


@every_row("stored", questions)
def test_one_choice_is_true_and_the_text_says_nothing_that_is_not(stored):
    true = [all(is_true_again(claim, stored["rankings"]) for claim in choice["holds"]) for choice in stored["choices"]]
    assert true.count(True) == 1
    assert all(is_true_again(claim, stored["rankings"]) for claim in stored.get("states", []))
    assert read_question(stored).ask.right == true.index(True)


@every_row("stored", questions)
def test_a_number_in_a_choice_is_the_number_of_its_claim(stored):
    for choice in stored["choices"]:
        numbers = re.findall(r"\d+\.\d+", choice["says"])
        claims = [*choice["holds"], *stored.get("states", [])]
        assert all(any(number in claim for claim in claims) for number in numbers)


def test_a_question_with_two_true_choices_or_a_false_statement_is_refused():
    stored = next(each for each in questions() if len(each["choices"]) > 2)
    twice = {**stored, "choices": [*stored["choices"], *stored["choices"]]}
    with pytest.raises(ValueError, match="expected one true choice, got 2"):
        read_question(twice)
    with pytest.raises(ValueError, match=r"not true: \['NDCG\(A\) = 0.123'\]"):
        read_question({**stored, "states": ["NDCG(A) = 0.123"]})


@pytest.mark.parametrize("claim", ["NDCG(A)", "better(A) > NDCG(A)", "NDCG(A) ~ 1"])
def test_a_claim_that_cannot_be_judged_is_refused(claim):
    with pytest.raises(ValueError, match=r"^expected a (claim|measure)"):
        is_true(claim, {"A": quiz()[0].ranking})


def test_every_measure_of_a_claim_is_judged_again():
    assert ONE.keys() <= judged_again({"grades": [1, 0]}, None).keys()


def test_every_line_and_question_leads_to_a_section_that_exists():
    sections = {item.section for item in quiz() if isinstance(item, Question)}
    sections |= {mistake.section for mistake in MISTAKES.values()}
    for section in sections:
        page, heading = section.split("#")
        cells = read_notebook(ROOT / "book" / f"{page}.ipynb").cells
        found = re.findall(r"^#+ (.+)$", "\n".join(cell.source for cell in cells), re.MULTILINE)
        assert heading in [re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in found], section


def test_a_mistake_of_an_unknown_cause_is_refused_when_the_quiz_is_loaded():
    assert Mistake("The ideal has the order of the ranking", FORMULA, "", "unsorted-ideal: .*|term: rank . (a|b)")
    with pytest.raises(ValueError, match="'Cut': expected codes of registered causes, got cut, not-sorted"):
        Mistake("Cut", CUT, "", "cut: .*|term: rank .|not-sorted: .*")

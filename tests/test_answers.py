"""A note that a reader pastes: each of its numbers with its place and verdict, or a refusal in words."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from steps import steps

from ndcg_ref.live import answer

# 3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) = 6.1487, 3 + 3 / log2(3) + 2 / 2 + 1 / log2(5) = 6.3235; their ratio is 0.9724
WORKED = """The grades are [3, 2, 3, 0, 1].

DCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 0/log2(5) + 1/log2(6) = 6.15
IDCG = 3/log2(2) + 3/log2(3) + 2/log2(4) + 1/log2(5) + 0/log2(6) = 6.32
NDCG = 6.15/6.32 = """
NONE = {"agrees": 0, "consistent": 0, "slip": 0, "impossible": 0, "malformed": 0, "undefined": 0, "unchecked": 0}
PIECES = ["DCG", "IDCG", "NDCG@3", " = ", "3/log2(2)", " + ", "[3, 2, 0]", "4.2", "\n", "$$", "\\frac{", "}", "|"]


def judged(text):
    """What is said of a note; the answer must be JSON."""
    made = answer({"ask": "note", "text": text})
    json.dumps(made, allow_nan=False)
    return made


def test_a_right_note_agrees_in_every_number():
    made = judged(f"{WORKED}0.97")
    assert [(each["stated"], each["outcome"], each["correct"]) for each in made["findings"]] == [
        ("6.15", "agrees", "6.15"),
        ("6.32", "agrees", "6.32"),
        ("6.15", "agrees", "6.15"),  # the operands of the ratio
        ("6.32", "agrees", "6.32"),
        ("0.97", "agrees", "0.97"),
    ]
    assert made["counts"] == NONE | {"agrees": 5}


def test_a_slip_has_its_place_what_is_right_and_its_causes():
    text = f"\N{FACE WITH TEARS OF JOY}\n{WORKED}0.98"
    made = judged(text)
    slip = made["findings"][-1]
    assert text[slip["start"] : slip["end"]] == slip["stated"] == "0.98"
    assert (slip["line"], slip["column"]) == (6, len("NDCG = 6.15/6.32 = ") + 1)
    assert (slip["outcome"], slip["correct"], slip["name"]) == ("slip", "0.97", "NDCG")
    assert [each["code"] for each in slip["causes"]] == ["rounded-up"]
    assert slip["words"].startswith("✗ slip: NDCG: stated 0.98, computed 0.97236, correct 0.97")
    assert slip["severity"] == "last digit"
    assert made["counts"] == NONE | {"agrees": 4, "slip": 1}
    words = "grades 3, 2, 3, 0, 1; linear gain, log2(rank + 1), from its numbers"
    comment = "<!-- ndcg: grades=3, 2, 3, 0, 1; gain=linear; discount=log(rank+1) -->"
    assert made["understood"] == [{"first": 4, "last": 6, "words": words, "comment": comment}]


@pytest.mark.parametrize(("stated", "outcome"), [("0.43", "unchecked"), ("1.43", "impossible")])
def test_what_nothing_is_known_of_says_why_it_was_not_checked(stated, outcome):
    (finding,) = judged(f"A system reached NDCG = {stated} here.")["findings"]
    assert (finding["outcome"], finding["correct"]) == (outcome, None)
    assert finding["reason"] == "nothing to compute it from was found"


@pytest.mark.parametrize("text", ["", "No number stands here.", "Version 3.2 is of 2024, see section 4.1."])
def test_a_text_without_stated_numbers_has_no_findings(text):
    assert judged(text) == {"findings": [], "counts": NONE, "understood": [], "unread": 0}


def test_a_bug_is_an_answer_with_its_place(bug):
    said = judged(bug)["error"]
    assert said.startswith("this is a bug of ndcg-ref, please report it: IndexError in ndcg_ref/notes/reading.py")


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.one_of(st.text(max_size=500), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)))
def test_any_text_is_answered_after_few_steps_and_each_finding_is_where_it_says(text):
    assert steps(judged, text) < 500_000
    made = judged(text)
    for each in made["findings"]:
        assert text[each["start"] : each["end"]] == each["stated"]
        before = text[: each["start"]]
        assert (each["line"], each["column"]) == (before.count("\n") + 1, len(before) - before.rfind("\n"))
    assert sum(made["counts"].values()) == len(made["findings"])


REFUSED = [
    # question, message
    ({"ask": "note", "text": "a" * 20_001}, "text: expected at most 20,000 characters, got 20,001"),
    ({"ask": "note", "text": None}, "text: expected the note as text, got None"),
    ({"ask": "note", "text": ["DCG = 1"]}, "text: expected the note as text, got ['DCG = 1']"),
    (None, "expected a question as an object, got None"),
    ({}, "ask: expected one of 'note', got None"),
    ({"ask": ["note"]}, "ask: expected one of 'note', got ['note']"),
]


@pytest.mark.parametrize(("question", "message"), REFUSED)
def test_what_is_no_question_or_too_long_a_text_is_refused_in_words(question, message):
    assert answer(question) == {"error": message}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.long
@given(JSON)
def test_any_json_is_answered_or_refused(question):
    assert set(answer(question)) == {"error"}

"""A subject registers quantities, alternatives and causes, and what judges a number reads what is registered."""

import pytest
from rows import every_row

from ndcg_ref.stated import Subject, check, judge, subject
from ndcg_ref.stated.grammar import judged_number, meant_in, settings_in
from ndcg_ref.stated.number import read_number
from ndcg_ref.stated.subject import all_causes, codes, is_bounded, meaning_of


@pytest.fixture
def coins(monkeypatch):
    """A subject of coins that were thrown, which no other test has."""
    monkeypatch.setattr(subject, "SUBJECTS", list(subject.subjects()))
    made = Subject("coins", lambda heads=0, tails=0: (heads, tails), ("heads", "tails"))

    @made.quantity("share", "share of heads", range=(0, 1), takes=("heads", "tails"))
    def share(example):
        return example[0] / (example[0] + example[1])

    @made.quantity("recall", takes=("heads",))  # a name that a ranking has as well
    def recall(example):
        return example[0]

    @made.alternative("odds", "the odds were printed", of=("share",), then_rounded=True)
    def odds(quantity, example):
        yield "heads divided by tails", lambda: example[0] / example[1]

    @made.alternative("exchanged", of=("share",))
    def exchanged(quantity, example):
        yield "tails for heads", lambda: share(example[::-1])

    @made.cause("rough", "it is half the right value")
    def rough(claim):
        yield "half of it", claim.exact / 2

    return made


SLIPS = [
    # printed, what it is, causes
    ("0.33 = share(heads=1; tails=3)", ["odds"]),
    ("0.75 = share(heads=1; tails=3)", ["exchanged"]),
    ("0.125 = share(heads=1; tails=3)", ["rough"]),
    ("0.67 = share(heads=2; tails=3)", ["odds"]),  # 2/3
    ("0.66 = share(heads=2; tails=3)", ["odds+truncated"]),
    ("0.3 = share(heads=3; tails=0; slip=unexplained)", ["unexplained"]),  # no odds without tails
]


@every_row("text, causes", SLIPS)
def test_a_slip_is_named_by_what_is_registered(text, causes, coins):
    assert list(judged_number(text).causes) == causes


def test_the_causes_of_a_subject_come_behind_the_others_and_before_the_last(coins):
    found = [each.code for each in all_causes()]
    assert found[-4:] == ["rounded-early", "odds", "rough", "digit"]
    assert "odds+truncated" in codes()
    meaning = "the odds were printed; then the digits were cut toward zero instead of rounded"
    assert meaning_of("odds+truncated") == meaning


def test_a_bare_one_is_exact_where_a_registered_quantity_is_bounded(coins):
    assert is_bounded("the share of heads")
    assert not is_bounded("share")
    assert not is_bounded("the error of NDCG")
    assert judged_number("1 = share(heads=9; tails=1)").outcome == "slip"  # 0.9
    assert read_number("1").of("the share of heads").exact


CALLS = [
    # what is said, the settings around it, its value
    ("recall(heads=3)", {}, 3),
    ("recall(1, 0; R=2)", {}, 1 / 2),
    ("recall", {"heads": "4"}, 4),
    ("recall", {"grades": "1, 0", "relevant": "4"}, 1 / 4),
    ("mean(share(heads=1; tails=1), ndcg(1, 0))", {}, 3 / 4),
    ("share(1; tails=3)", {}, 1 / 4),
    ("share(heads=1)", {"tails": "1", "k": "2"}, 1 / 2),
]


@every_row("said, around, value", CALLS)
def test_a_call_is_of_the_subject_that_has_what_it_says(said, around, value, coins):
    assert meant_in(said, around).value == pytest.approx(value, abs=1e-15)


def test_settings_are_those_of_one_subject(coins):
    assert settings_in("heads=1; tails=2") == {"heads": "1", "tails": "2"}
    with pytest.raises(ValueError, match=r"expected one of grades=, judged=, .*, got 'heads=1'"):
        settings_in("heads=1; k=2")
    with pytest.raises(ValueError, match="heads: expected a printed number"):
        settings_in("heads=two")
    with pytest.raises(ValueError, match=r"expected tails for share, as in precision\(tp=9; fp=3\), got none"):
        meant_in("share(heads=1)")


def test_a_check_takes_the_registered_alternatives_and_causes(coins, capsys):
    share = coins["share"]
    check("0.33", share.value((1, 3)), "the share", alternatives=share.alternatives((1, 3)), slip="odds")
    assert "consistent with odds" in capsys.readouterr().out


def test_what_cannot_be_registered_is_refused(coins):
    with pytest.raises(ValueError, match="coins: expected a code of its own for each cause, got 'term' twice"):
        coins.cause("term", "another term")
    with pytest.raises(
        ValueError,
        match=r"^coins: alternative without a meaning: expected one of quantity, .* \(did you mean exchanged\?\)",
    ):
        coins.alternative("exchangd")


def test_a_subject_of_the_same_name_is_replaced_and_one_that_is_gone_is_not_known(coins):
    Subject("coins")
    assert "odds" not in codes()
    with pytest.raises(ValueError, match=r"alternatives: expected the kinds quantity, convention, .*, got 'odds'"):
        judge("0.33", 0.25, alternatives={"odds": {"x": 1 / 3}})

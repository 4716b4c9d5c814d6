"""A drawing of rankings has the numbers of the measures, in every form."""

import json
import re

import pytest

from ndcg_ref import STANDARD, dcg
from ndcg_ref.drawing import MIME, bundle, drawing_of

BOOTS = {"Choosing boots": 2, "Boots on test": 3, "Boot camp": 0, "Lacing boots": 1, "Boots, wide fit": 2}


def test_the_sum_is_that_of_the_measure():
    drawn = drawing_of({"Boots": BOOTS})
    assert drawn["rankings"][0]["totals"] == [["DCG", f"{dcg(list(BOOTS.values()), convention=STANDARD):.3f}"]]


def test_a_drawing_is_stored_in_three_forms():
    forms = bundle(drawing_of({"<b>": [1]}))
    assert list(forms) == ["text/plain", "text/html", MIME]
    assert "&lt;b&gt;" in forms["text/html"]
    assert json.loads(json.dumps(forms)) == forms


REFUSED = [
    # rankings  options  message
    ({}, {}, "rankings: expected at least one ranking, got none"),
    ({"A": []}, {}, "rankings['A']: expected at least one result, got none"),
]


@pytest.mark.parametrize(("rankings", "options", "message"), REFUSED)
def test_what_cannot_be_drawn_is_refused(rankings, options, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        drawing_of(rankings, **options)

"""The check of notes is scored against keys, and the scores that the book shows are whole."""

import json

import pytest

from ndcg_ref.notes.certainty import MARGIN
from tools.experiments import score

NOTE = """The grades are [3, 2, 3, 0, 1].

DCG@5 = 3 + 1.262 + 1.5 + 0 + 0.387 = 6.149
IDCG@5 = 3 + 1.893 + 1 + 0.431 + 0 = 6.324
NDCG@5 = 6.149 / 6.323 = 0.972
In 2002 others measured an NDCG of 0.5.
"""
# What the key says of each number: the words around it, the number, its right value, form, quantity, grades, cause
CLAIMS = [
    ("1.5 + 0 + 0.387 = 6.149", "6.149", 6.148713, "IS", "DCG@5", [3, 2, 3, 0, 1], None),
    ("DCG@5 = 3 + 1.262", "1.262", 1.26186, "IS", "DCG term", None, None),
    ("0.431 + 0 = 6.324", "6.324", 6.323466, "IS", "IDCG@5", [3, 2, 3, 0, 1], "rounding"),
    ("6.149 / 6.323 = 0.972", "0.972", 0.972364, "IR", "NDCG@5", [3, 2, 3, 0, 1], None),
]
FORMS = {"gain": "linear", "discount": "log2(i+1)", "cutoff": 5}


def key_of(note, claims=CLAIMS):
    listed = [
        {
            "quote": quote,
            "offset": note.index(quote),
            "stated": stated,
            "true": right,
            "form": form,
            "computes": computes,
            "inputs": inputs,
            "verdict": "slip" if cause else "ok",
            "slip_class": cause,
            "inherited_from": None,
        }
        for quote, stated, right, form, computes, inputs, cause in claims
    ]
    return {"id": "001", "file": "001.md", "convention": FORMS, "claims": listed}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "001.md").write_text(NOTE, encoding="utf-8")
    (tmp_path / "001.json").write_text(json.dumps(key_of(NOTE)), encoding="utf-8")
    return tmp_path


def test_claims_are_counted_by_class_and_slips_listed(folder):
    (note,) = score.notes_of(folder)
    rows, slips, outside = score.counts_of(note)
    assert rows == [
        {"note": "001", "class": "sum", "claims": 3, "judged": 3, "slips": 1, "found": 1, "false_alarms": 0},
        {"note": "001", "class": "ratio", "claims": 1, "judged": 1, "slips": 0, "found": 0, "false_alarms": 0},
    ]
    assert slips == [{"note": "001", "class": "sum", "states": "IDCG@5", "cause": "rounding", "found": True}]
    assert outside == 0


def test_a_slip_that_the_key_does_not_list_is_outside_it(folder):
    (folder / "001.json").write_text(json.dumps(key_of(NOTE, CLAIMS[:2])), encoding="utf-8")
    (note,) = score.notes_of(folder)
    assert score.counts_of(note)[2] == 1


def test_a_right_number_that_is_called_a_slip_is_a_false_alarm(folder):
    wrong_key = [(*CLAIMS[2][:-1], None)]
    (folder / "001.json").write_text(json.dumps(key_of(NOTE, wrong_key)), encoding="utf-8")
    (note,) = score.notes_of(folder)
    assert [row["false_alarms"] for row in score.counts_of(note)[0]] == [1]


CHANGED = [
    # claim, what is done to its number, what it then is
    (0, "unit", "6.150"),
    (0, "digit", "6.199"),
    (0, "swap", "6.194"),
    (0, "term", "5.042"),  # rank 1 discounted as rank 2: 1.893 + 1.262 + 1.5 + 0 + 0.387
    (0, "convention", "12.780"),  # exponential gain: 7 + 1.893 + 3.5 + 0 + 0.387
    (3, "unit", "0.973"),
    (3, "swap", "0.927"),
]


@pytest.mark.parametrize(("place", "way", "expected"), CHANGED)
def test_a_number_is_changed_in_each_way(folder, place, way, expected):
    (note,) = score.notes_of(folder)
    assert dict(score.changes(note.claims[place], note.convention))[way] == expected


def test_planted_slips_are_counted_by_class_and_way(folder):
    (note,) = score.notes_of(folder)
    rows = {(row["class"], row["change"]): row for row in score.planted_in(note)}
    assert rows["sum", "unit"]["planted"] == 2  # the slip is not changed
    assert rows["ratio", "unit"]["planted"] == rows["ratio", "unit"]["reported"] == 1


def test_the_counts_are_stored_alike_each_time(folder, tmp_path, monkeypatch, capsys):
    stored = tmp_path / "scores"
    monkeypatch.setattr(score, "SCORES", stored)
    assert score.main([str(folder)]) == 0
    first = stored.read_text(encoding="utf-8")
    assert score.main([str(folder)]) == 0
    assert stored.read_text(encoding="utf-8") == first
    assert json.loads(first)["outside"] == [{"note": "001", "slips": 0}]
    assert "claims: 4 of 4 judged, 0 false alarms\nslips: 1 of 1 found\n" in capsys.readouterr().out
    assert "DCG@5 =" not in first  # nothing of the note itself


RIVAL = """The grades are [3, 2, 1].

DCG@3 = 3 + 1.262 + 0.5 = 4.762
DCG@2 = 3 + 1.262 = 4.262
IDCG@3 = 9.393
"""  # the last number is that of an exponential gain: 7 + 3/log2(3) + 1/2


def test_a_margin_decides_whether_a_number_that_another_reading_explains_is_a_slip(folder):
    key = key_of(RIVAL, [("IDCG@3 = 9.393", "9.393", 4.761860, "B", "IDCG@3", None, "convention")])
    (folder / "001.md").write_text(RIVAL, encoding="utf-8")
    (folder / "001.json").write_text(json.dumps(key), encoding="utf-8")
    found = {row["margin"]: row["found"] for row in score.at_margins(score.notes_of(folder))}
    assert (found[score.MARGINS[0]], found[score.MARGINS[-1]]) == (1, 0)
    assert [found[margin] for margin in score.MARGINS] == sorted(found.values(), reverse=True)


def broken(folder, text):
    (folder / "001.json").write_text(text, encoding="utf-8")
    return [str(folder)]


def without_key(folder):
    (folder / "001.json").unlink()
    return [str(folder)]


REFUSED = [
    # what is asked of the folder, what is printed
    (lambda folder: [], "got none: make score CORPUS=FOLDER"),
    (lambda folder: [""], "got none: make score CORPUS=FOLDER"),
    (lambda folder: [str(folder / "no")], "expected a folder with notes and their keys, found none there"),
    (without_key, "such as 001.md with 001.json, found no key"),
    (lambda folder: broken(folder, "{"), "001.json: expected the key of a note beside it, found: Expecting"),
    (lambda folder: broken(folder, "{}"), "001.json: expected a key with 'file', found none"),
    (lambda folder: broken(folder, '{"file": "002.md"}'), "001.json: expected the key of a note beside it, found: "),
]


@pytest.mark.parametrize(("asked", "message"), REFUSED)
def test_a_folder_without_notes_is_refused_in_one_line(folder, asked, message, capsys):
    assert score.main(asked(folder)) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1


STORED = json.loads(score.SCORES.read_text(encoding="utf-8"))


def test_the_stored_scores_fit_together():
    assert len({row["note"] for row in STORED["claims"]}) == len(STORED["outside"]) > 0
    for row in STORED["claims"]:
        listed = [each for each in STORED["slips"] if (each["note"], each["class"]) == (row["note"], row["class"])]
        assert (len(listed), sum(each["found"] for each in listed)) == (row["slips"], row["found"])
        assert row["found"] + row["false_alarms"] <= row["judged"] <= row["claims"]
    assert all(0 <= row["reported"] <= row["planted"] > 0 for row in STORED["planted"])
    (own,) = (row for row in STORED["margins"] if row["margin"] == MARGIN)
    assert all(own[name] == sum(row[name] for row in STORED["claims"]) for name in score.COUNTED)
    assert own["outside"] == sum(row["slips"] for row in STORED["outside"])
    assert {row["class"] for row in STORED["claims"]} <= set(score.CLASSES.values())


READ = {"014": 1, "024": 1, "033": 3}  # wrong terms that the key lists at another place, or only with their sum


def test_every_slip_that_no_key_lists_was_read():
    """The chapter says so: where this fails, read them, and count a right number among the false alarms."""
    assert {row["note"]: row["slips"] for row in STORED["outside"] if row["slips"]} == READ

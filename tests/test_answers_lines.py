"""Lines of a working as a student wrote them: the first wrong step is found by its place, and its kind."""

import json
import re

import pytest
from rows import every_row

from ndcg_ref.live import answer

RANKING = [3, 2, 3, 0, 1]
# 3 + 2 / log2(3) + 3 / 2 + 1 / log2(6) = 6.1487, and 3 + 3 / log2(3) + 2 / 2 + 1 / log2(5) = 6.3235
RIGHT_DCG = "DCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 0/log2(5) + 1/log2(6) = 6.15"
RIGHT_IDCG = "IDCG = 3 + 3/log2(3) + 2/2 + 1/log2(5) = 6.32"


def judged(text, grades=RANKING, **more):
    """What is said of lines; the answer must be JSON."""
    made = answer(json.loads(json.dumps({"ask": "lines", "grades": grades, "text": text, **more})))
    json.dumps(made, allow_nan=False)
    return made


RIGHT = [
    # text, results
    (RIGHT_DCG, ["agrees"]),
    (f"{RIGHT_DCG}\n{RIGHT_IDCG}\nNDCG = DCG/IDCG = 6.15/6.32 = 0.97", ["agrees"] * 3),
    ("DCG = 3 + 2/log₂(3) + 3·0.5 + 1×0.387 = 6.15", ["agrees"]),
    ("DCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 1/log2(6) = 3 + 1.26 + 1.5 + 0.39 = 6.15", ["agrees"]),
    (r"$DCG_5 = \frac{3}{\log_2 2} + \frac{2}{\log_2 3} + \frac{3}{2} + \frac{1}{\log_{2} 6} = 6.15$", ["agrees"]),
    ("DCG = 3\n  + 2/log2(3)\n  + 3/2 + 1/log2(6)\n  = 6.15.", ["agrees"]),  # one line, with a full stop
    (r"\mathrm{nDCG} = \frac{6.15}{6.32} \approx 0.97", ["agrees"]),
    ("DCG@3 = 3 + 2/log2(3) + 3/2 = 5.76", ["agrees"]),
    ("CG = 3 + 2 + 3 + 1 = 9\n\n\nideal DCG = 6.32", ["agrees", "agrees"]),
    ("NDCG = 6.15/6.32 ≈ 1", ["agrees"]),
    ("DCG = 3 + 2/1,58 + 3/2 + 1/2,58 = 6,15", ["agrees"]),
]

# Ways to write a right result or working, and a neighbour that is a slip, for the grades 3, 0, 2, 1:
# DCG is 3 + 2/2 + 1/log2(5) = 4.4307, ideal DCG 3 + 2/log2(3) + 1/2 = 4.7619, and NDCG 0.93045
FORMS = [
    # right, the neighbour
    ("ndcg@4: 0.930", "ndcg@4: 0.931"),
    ("ideal DCG at 2 is 4.262", "ideal DCG at 2 is 4.263"),  # 3 + 2/log2(3)
    ("NDCG = 4.43/4.76 = 93.0 %", "NDCG = 4.43/4.76 = 93.1 %"),
    (r"NDCG = \frac{4.43}{4.76} = 93.0\,\%", r"NDCG = \frac{4.43}{4.76} = 93.1\,\%"),
    ("DCG at 4 is 4.431", "DCG at 4 is 4.430"),
    ("The DCG is 4,43", "The DCG is 4,44"),
    ("DCG = 4,43, IDCG = 4,76, NDCG = 0,93", "DCG = 4,43, IDCG = 4,76, NDCG = 0,94"),
    ("DCG = 3 + 1 + 0.43 = 4.43; IDCG: 4.76 and NDCG = 4.43/4.76 = 0.93", "DCG = 4.43; IDCG: 4.76 and NDCG = 0.94"),
    ("DCG = 3 + 2·½ + 1/log2(5) = 4.43", "DCG = 3 + 2·¼ + 1/log2(5) = 3.93"),
    ("DCG = 3 + 2\u20442 + 1\u2044log2(5) = 4.43", "DCG = 3 + 2\u20443 + 1\u2044log2(5) = 4.10"),
    ("CG = 4½ + 1½ = 6", "CG = 4½ + 2½ = 7"),
    ("2/4 = ½", "2/4 = ⅔"),
    ("DCG = 3/LOG(2;2) + 2/LOG(3+1;2) + 1/LOG(5; 2) = 4.43", "DCG = 3/LOG(2;2) + 2/LOG(3;2) + 1/LOG(5;2) = 4.69"),
    ("DCG = 3 + 2/log(4,2) + 1/log(5,2) = 4,43", "DCG = 3 + 2/log(3,2) + 1/log(5,2) = 4,69"),
    ("DCG = 3 + 2/math.log2(4) + 1/math.log(5, 2) = 4.43", "DCG = 3 + 2/math.log2(3) + 1/math.log(5, 2) = 4.69"),
    ("math.log(5)/math.log(2) = 2.32", "math.log(5)/math.log2(2) = 2.32"),  # the first is natural: 1.609/0.693
    ("93.0 %", "93.1 %"),
    ("IDCG = 3 + 2/log2(3) + 1/2\n≈ 4.76", "IDCG = 3 + 2/log2(3) + 1/2\n≈ 4.77"),
    ("4.762", "4.760"),
]

STUDENTS = [
    # what went wrong, the text, the line, the step, code, part of the hint
    ("rank after", "DCG = 3 + 2/log2(3) + 3/log2(5) + 1/log2(6) = 5.94", 1, "3/log2(5)", "term", "rank 3 discounted"),
    ("the rank itself", "DCG = 3 + 2 + 3/log2(3) + 1/log2(5) = 7.32", 1, "2", "convention", "discount log(rank)"),
    ("natural logarithm", "DCG = 3/ln(2) + 2/ln(3) + 3/ln(4) + 1/ln(6) = 8.87", 1, "3/ln(2)", "convention", "base e"),
    ("ranks swapped", "DCG = 2 + 3/log2(3) + 3/2 + 1/log2(6) = 5.78", 1, "2", "term", "the gain of rank 2 at rank 1"),
    (
        "the ideal unsorted",
        f"{RIGHT_DCG}\nIDCG = 3 + 2/log2(3) + 3/2 + 1/log2(6) = 6.15\nNDCG = 6.15/6.15 = 1.00",
        *(2, "2/log2(3)", "unsorted-ideal", "the largest gains come first"),
    ),
    (
        "an ideal that is not cut",
        "IDCG@3 = 3 + 3/log2(3) + 2/2 + 1/log2(5) = 6.32",
        *(1, "3 + 3/log2(3) + 2/2 + 1/log2(5)", "convention", "the ideal of all ranks"),
    ),
    ("digits cut off", RIGHT_DCG.replace("6.15", "6.14"), 1, "6.14", "truncated", "the digits look cut off"),
    (
        "a slip of the pen in one term, carried on",
        f"DCG = 3 + 2/log2(3) + 3/2 + 1/log2(6) = 3 + 1.36 + 1.5 + 0.39 = 6.25\n{RIGHT_IDCG}\nNDCG = 6.25/6.32 = 0.99",
        *(1, "1.36", "step", "it does not follow from 2/log2(3)"),
    ),
    ("a term dropped", "DCG = 3 + 1.26 + 0.39 = 4.65", 1, "3 + 1.26 + 0.39", "term", "rank 3 dropped"),
    ("multiplied", "DCG = 3 + 2*1.58 + 3*2 + 1*2.58 = 14.75", 1, "2*1.58", "term", "multiplied by its discount"),
    ("upside down", "NDCG = 6.32/6.15 = 1.03", 1, "6.32/6.15", "exchanged", "IDCG divided by DCG"),
    ("a comma beside a slip", "DCG = 3 + 1,26 + 1,5 + 0,29 = 6,05", 1, "0.29", "unexplained", "work it out again"),
    ("a perfect NDCG of an ideal that is unsorted", "NDCG = 6.15/6.32 = 1", 1, "1", "unsorted-ideal", "largest gains"),
    ("a sum that is wrong", "CG = 3 + 2 + 3 + 1 = 8", 1, "8", "step", "it does not follow from 3 + 2 + 3 + 1"),
]


class TestTheFirstWrongStepOfLines:
    @every_row(("text", "results"), RIGHT)
    def test_right_lines_have_no_wrong_step(self, text, results):
        made = judged(text)
        assert [line["outcome"] for line in made["lines"]] == results, made["lines"]
        assert made["first"] is None
        assert all(side["ok"] for line in made["lines"] for side in line["sides"])

    @every_row(("right", "neighbour"), FORMS)
    def test_each_way_to_write_a_line_is_read_and_judged(self, right, neighbour):
        made = judged(right, [3, 0, 2, 1])
        assert {line["outcome"] for line in made["lines"]} == {"agrees"}, made["lines"]
        assert made["first"] is None
        assert "slip" in {line["outcome"] for line in judged(neighbour, [3, 0, 2, 1])["lines"]}

    @pytest.mark.parametrize(
        ("text", "lines"),
        [
            ("DCG = 4.43, IDCG = 4.76 NDCG = DCG/IDCG = 0.93", ["DCG = 4.43", "IDCG = 4.76", "NDCG = DCG/IDCG = 0.93"]),
            ("DCG=4.43,IDCG=4.76;NDCG=0.93", ["DCG = 4.43", "IDCG = 4.76", "NDCG = 0.93"]),
            ("2/LOG(3;2) = 2/math.log(3, 2) = 1.26", ["2/log2(3) = 2/log2(3) = 1.26"]),
            ("NDCG@4 = DCG@4 / IDCG@4 = 4.43/4.76 = 0.93", ["NDCG@4 = DCG@4 / IDCG@4 = 4.43/4.76 = 0.93"]),
            ("0,93\n4.43;\n4.76.", ["NDCG = 0,93", "DCG = 4.43", "IDCG = 4.76"]),
        ],
    )
    def test_lines_are_shown_as_they_were_read(self, text, lines):
        assert [line["text"] for line in judged(text, [3, 0, 2, 1])["lines"]] == lines

    @every_row(("text", "number", "step", "code", "hint"), [student[1:] for student in STUDENTS])
    def test_the_first_wrong_step_is_found_with_its_place_and_its_kind(self, text, number, step, code, hint):
        made = judged(text)
        first = made["first"]
        assert (first["line"], first["text"], first["kind"]["code"]) == (number, step, code), first
        assert any(hint in kind["hint"] for kind in first["kinds"])
        assert text[first["start"] : first["end"]].replace(",", ".") == step
        assert first["correct"] is not None
        assert "." not in first["correct"] or first["correct"] not in first["kind"]["hint"]

    def test_a_line_that_goes_on_from_an_earlier_slip_is_carried(self):
        made = judged(f"DCG = 3 + 2/log2(3) + 3/log2(5) + 1/log2(6) = 5.94\n{RIGHT_IDCG}\nNDCG = 5.94/6.32 = 0.94")
        ratio = made["lines"][2]
        assert (ratio["outcome"], ratio["correct"], ratio["wrong"]) == ("slip", "0.97", None)
        assert [side["carried"] for side in ratio["sides"]] == [True, False]
        assert "inherited" in [each["code"] for each in ratio["causes"]]
        assert made["first"]["line"] == 1

    @pytest.mark.parametrize("before", ["DCG = 6.149\n", "\n"])
    @pytest.mark.parametrize("ratio", ["NDCG = 0.943", "nDCG = DCG/IDCG = 0.943", "NDCG@5 = 0.943"])
    def test_a_result_without_a_working_that_follows_from_a_wrong_ideal_is_carried(self, before, ratio):
        """6.149 / 6.523 = 0.943; the ideal is 6.323."""
        made = judged(f"{before}IDCG = 6.523\n{ratio}", k=5)
        line = made["lines"][-1]
        assert ([each["code"] for each in line["causes"]], line["wrong"]) == (["inherited"], None)
        assert [side["carried"] for side in line["sides"]] == [True]
        assert made["first"]["text"] == "6.523"

    @pytest.mark.parametrize("before", ["DCG = 6.149", "DCG = 6.149\nIDCG@3 = 6.523", "DCG = 6.149\nIDCG = 6.423"])
    def test_a_result_that_follows_from_no_line_is_a_new_mistake(self, before):
        """6.149 / 6.423 is 0.957; an ideal at 3 is not that of the ranking."""
        line = judged(f"{before}\nNDCG = 0.943")["lines"][-1]
        assert ("inherited" in [each["code"] for each in line["causes"]], line["wrong"] is None) == (False, False)

    def test_a_right_result_behind_a_wrong_step_agrees(self):
        """The sum in the middle is wrong; the result is right."""
        line = judged("DCG = 3 + 2/log2(3) + 3/2 + 1/log2(6) = 5.25 = 6.15")["lines"][0]
        assert (line["outcome"], [side["ok"] for side in line["sides"]]) == ("agrees", [True, False, True])

    def test_without_grades_the_sides_are_held_against_one_another(self):
        made = judged("DCG = 9/3 + 1 = 4 = 5\nx = 2 + 3 = 5", None)
        assert [(line["outcome"], line["measure"]) for line in made["lines"]] == [("slip", "DCG"), ("agrees", None)]
        assert (made["first"]["text"], made["first"]["correct"]) == ("5", "4")

    def test_a_term_that_departs_is_marked_in_a_line_of_no_measure(self):
        made = judged("x = 2/4 + 3/4 = 0.5 + 0.85 = 1.35", None)
        assert (made["first"]["text"], made["first"]["correct"]) == ("0.85", "0.75")

    def test_the_place_of_a_line_is_that_in_the_text(self):
        text = f"\n  {RIGHT_DCG}  \n\n{RIGHT_IDCG};\n"
        assert [text[line["start"] : line["end"]] for line in judged(text)["lines"]] == [RIGHT_DCG, RIGHT_IDCG]

    def test_a_comma_before_three_digits_is_read_as_the_others_are(self):
        assert judged("x = 1,062 + 1 = 1,063", None)["comma"] is False
        made = judged("x = 1,062 + 0,5 = 1,562", None)
        assert (made["comma"], made["lines"][0]["outcome"]) == (True, "agrees")

    def test_an_undefined_ratio_is_no_slip(self):
        assert judged("NDCG = 0", [0, 0])["lines"][0]["outcome"] == "undefined"


class TestLinesThatAreNotRead:
    @every_row(
        ("text", "reason", "at"),
        [
            ("the DCG is six", "expected the line to end in a number", None),
            ("DCG = 3 + ? = 4", "expected part of an equation", 10),
            ("1/0 = 2", "expected a divisor other than 0", 1),
            ("9^9^9^9^9 = 1", "expected a number within the range of a float", 5),
            (f"{'(' * 200}1{')' * 200} = 1", "expected at most 40 levels of brackets", 41),
            ("DCG = 3 = 4\\\\ x = 2", "expected one equation, got 2", None),
            ("x = 5", "expected a measure of the grades, or a working such as 3/1.58 = 1.9", None),
        ],
    )
    def test_a_line_that_cannot_be_read_says_why_and_where(self, text, reason, at):
        made = judged(text)
        (line,) = made["lines"]
        assert (line["outcome"], reason in line["reason"], line["at"]) == ("not read", True, at), line
        assert made["first"] is None

    @every_row("grades", [RANKING, None])
    @every_row("text", ["0.97", "x = 5", "NDCG = 0.97", "NDCG =", "1,06 = 1", "= 1/0", "1. = 1", "2 3"])
    def test_no_reason_shows_a_name_of_the_code(self, text, grades):
        reasons = [line["reason"] for line in judged(text, grades)["lines"] if line["outcome"] == "not read"]
        own = re.sub("'[^']*'", "", " ".join(reasons))  # not what is quoted
        assert not re.search(r"[a-z]=|[a-z]_[a-z]|\(\)", own)

    def test_the_other_lines_are_read_all_the_same(self):
        made = judged(f"so we have:\n{RIGHT_DCG}")
        assert [line["outcome"] for line in made["lines"]] == ["not read", "agrees"]

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            ({"text": None}, "text: expected the lines as text, got None"),
            ({"text": "1" * 5_001}, "text: expected at most 5,000 characters, got 5,001"),
            ({"text": "1 = 1\n" * 21}, "text: expected at most 20 lines, got 21"),
            ({"grades": [0] * 101}, "grades: expected at most 100 beside lines, got 101"),
        ],
    )
    def test_what_is_too_long_is_refused(self, more, message):
        assert message in answer({"ask": "lines", "grades": RANKING, "text": "1 = 1", **more})["error"]

    def test_no_text_has_no_lines(self):
        assert judged(" \n") == {"lines": [], "first": None, "comma": False}


def test_the_kind_that_gives_a_side_exactly_is_named_before_the_others():
    # without rank 2 the sum is 3 + 1/log2(5) = 3.43, which rounds to 3; the first term alone is 3
    first = judged("DCG = (3)/log2(2) = 3", [3, 2, 0, 1])["first"]
    assert "cutoff 1" in first["kinds"][0]["hint"]
    assert any("rank 2 dropped" in kind["hint"] for kind in first["kinds"][1:])

"""Cases for the twin of the live pages, and what the package says to them.

All are drawn with fixed seeds, and the edges are added to them: halves and
the doubles beside them, powers of two, numbers that no double holds.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from ndcg_ref.conventions.convention import DISCOUNTS, GAINS, Convention
from ndcg_ref.formulas import plain
from ndcg_ref.stated.number import has_decimal_comma, read_number

EDGES = """
    0 0.0 -0 1 8 0.5 .5 -.5 −0.63 0.12 0.13 0.125 0.630 10 100.0% 97.8% ≈0.63 ≈≈1 1e-3 1E+3 1.50e2 1e−5 1e-300
    4.9e-324 2e-324 1e-320 2.2250738585072014e-308 1e308 1.7976931348623157e308 1.8e308 9e999 1e-999 0e999 1/3
    2/6 -1/3 0/7 7/1 1,062 1,234,567.8 999,999 1,000 12,345,678,901,234,567 9007199254740993
    0.1000000000000000055511151231 0.0000000000000001 1024 1023.9 0.25 2 4.0 0.0625 65536.0 00012 1/00003 12%
    -12.50%
"""
EDGES = [
    *EDGES.split(),
    "≈ 1",
    "\u2248\xa0-5",
    "≈ 97.8%",
    "≈ 1/3",
    "≈  1",
    "\xa00.63\u2003",
    "\x1c0.63\x85",
    "0" * 200,
    "9" * 200,
    "0." + "3" * 198,
]
NO_NUMBERS = """
    . - 1. % e5 0,63 1,06 1,0622 0,123 01,234 1/0 1/ /3 1/3% 1.5/2 nan inf 0x10 1e1000 1e 1e+ --1 +1 1_000 ½
    0.6.3 1e5% 1%e5 1,000, ,000 1,,000 <b>1</b> -−1 1e--1
"""
NO_NUMBERS = [*NO_NUMBERS.split(), "", " ", "1 2", "\u0663", "\uff11", "\ufeff1", "9" * 201, "0.63\n0.64", "\U0001d7d9"]
COMMAS = """
    0,63 0,630 -0,5 −1,5 97,8% 1,062 12,34 0,123 1,2,3 0.63 ,5 a,b 1e0,5
"""
COMMAS = [*COMMAS.split(), "≈ 0,63", "", " 0,63 "]


@dataclass(frozen=True)
class Cases:
    """What is asked, as JSON has it."""

    numbers: list
    commas: list
    tables: list


def neighbours(value, steps=6):
    """A double and those beside it."""
    found = [value]
    for way in (-math.inf, math.inf):
        near = value
        for _ in range(steps):
            near = math.nextafter(near, way)
            found.append(near)
    return found


def nearest_float(value):
    """A fraction as a double, infinite beyond the range."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def values_for(number, draw):
    """Values that decide, for a printed number: around both ends of what it covers, and some drawn ones."""
    half = number.unit / 2
    found = [0.0, 1.0, 0.125, -0.125, math.inf, -math.inf, math.nan, 5e-324, 1.7976931348623157e308]
    for end in (number.value - half, number.value, number.value + half):
        found += neighbours(nearest_float(end))
    found += [nearest_float(number.value + number.unit * Fraction(draw.uniform(-2, 2))) for _ in range(3)]
    return found


def text_of(draw):
    """A printed number in one of the forms."""
    match draw.randrange(9):
        case 0:
            return f"{draw.randrange(20)}/{draw.randrange(1, 40)}"
        case 1:
            return f"{draw.uniform(0, 100):.{draw.randrange(4)}f}%"
        case 2:
            return f"{draw.uniform(-9, 9):.{draw.randrange(5)}e}"
        case 3:
            return f"{draw.uniform(1e3, 1e9):,.{draw.randrange(4)}f}"
        case 4:
            return f"{draw.random():.{draw.randrange(1, 6)}f}"[1:]
        case 5:  # halves of the digit before, which both kinds of rounding meet
            return f"{draw.randrange(10**4) / 8:.{draw.randrange(5)}f}"
        case 6:
            return f"{draw.choice('-−')}{draw.uniform(0, 5):.{draw.randrange(18)}f}"
        case 7:
            return f"{draw.uniform(1, 10):.{draw.randrange(3)}f}e{draw.randrange(-330, 330)}"
        case _:
            return f"{draw.uniform(0, 30):.{draw.randrange(9)}f}"


def number_cases(count, seed):
    """Printed numbers, and values for each."""
    draw = Random(seed)
    texts = [(text, ".") for text in [*EDGES, *NO_NUMBERS, *(text_of(draw) for _ in range(count))]]
    texts += [
        (text.translate(str.maketrans(",.", ".,")), ",")
        for text in [*EDGES, *NO_NUMBERS, *(text_of(draw) for _ in range(count // 10))]
    ]
    return [
        {"text": text, "point": point, "values": values_for(number, draw) if number else []}
        for text, point in texts
        for number in [read(text, point)]
    ]


def read(text, point="."):
    """The number in a text, or None."""
    try:
        return read_number(text, point)
    except ValueError:
        return None


def table_cases(count, seed):
    """Rankings under all rules, most of whole grades, and numbers printed for them."""
    draw = Random(seed)
    return [table_case(draw, i) for i in range(count)]


def table_case(draw, i):
    """One ranking, its rule, and for each measure some numbers: right roundings, and some that are next to them."""
    whole = i % 4 != 3
    n = draw.choice([0, 1, 2, 3, 5, 8, 10, 20, 100]) if i % 50 else 1000
    grades = [
        draw.choice([0, 0, 1, 2, 3, 4, 5, 30]) if whole else round(draw.uniform(0, 5), draw.randrange(1, 5))
        for _ in range(n)
    ]
    rule = {"gain": GAINS[i % len(GAINS)], "discount": draw.choice(DISCOUNTS[:2] * 3 + DISCOUNTS), "base": 2}
    if i % 5 == 4:
        rule["base"] = draw.choice([10, math.e, 1.5, 3])
    judged = draw.choice([None, [*grades, *(draw.randrange(4) for _ in range(draw.randrange(5)))]])
    if i % 40 == 0:
        judged = [1]  # as a rule it lacks grades of the ranking
    case = {"grades": grades, "judged": judged, "k": draw.choice([None, None, 1, 3, 10, 2000]), "rule": rule}
    values = values_of(case)
    return case | {"printed": {name: printed_for(draw, values[name]) for name in values}}


def values_of(case):
    """The measures of a ranking by the package; None for what it refuses or has no value for."""
    grades, k, convention = case["grades"], case["k"], Convention(**case["rule"])
    asked = {
        "CG": lambda: plain.cg(grades, k),
        "DCG": lambda: plain.dcg(grades, k, convention),
        "IDCG": lambda: plain.idcg(grades, k, convention, case["judged"]),
        "NDCG": lambda: plain.ndcg(grades, k, convention, case["judged"]),
    }
    return {name: number_or_none(call) for name, call in asked.items()}


def number_or_none(call):
    """What a call returns, or None where it refuses or is not a number."""
    try:
        value = call()
    except ValueError:
        return None
    return None if math.isnan(value) else value


def printed_for(draw, value):
    """Numbers printed for a value: rounded, cut, and beside it."""
    if value is None:
        return []
    digits = draw.randrange(7)
    unit = 10.0**-digits
    return [f"{value + shift * unit:.{digits}f}" for shift in (0, 0.5, -0.5, 1)] + [f"{100 * value:.1f}%", "0", "1"]


def draw_cases(numbers, tables, seed=20260101):
    """All that is asked."""
    return Cases(number_cases(numbers, seed), COMMAS, table_cases(tables, seed + 1))


def as_json(case):
    """A case as JSON has it: what is not finite is a text that JavaScript's Number reads."""
    if isinstance(case, float) and not math.isfinite(case):
        return "NaN" if math.isnan(case) else f"{'-' * (case < 0)}Infinity"
    if isinstance(case, dict):
        return {name: as_json(value) for name, value in case.items()}
    return [as_json(value) for value in case] if isinstance(case, list) else case


def expected_of_number(case):
    """What the package says to a printed number and its values."""
    number = read(case["text"], case["point"])
    if number is None:
        return None
    return {
        "text": number.text,
        "units": str(number.units),
        "unit": [str(number.unit.numerator), str(number.unit.denominator)],
        "covers": [number.covers(value) for value in case["values"]],
        "rounded": [number.at(number.nearest(value)) if math.isfinite(value) else None for value in case["values"]],
    }


def expected_of_comma(text):
    """What the package reads in a text that may have a decimal comma."""
    number = read(text)
    if number or not has_decimal_comma(text):
        return [number and str(number.units), False]
    return [str(read_number(text, ",").units), True]


def expected_verdicts(case):
    """What the package says to the numbers printed for a ranking."""
    values = values_of(case)
    return {
        name: [
            [number.covers(values[name]), number.at(number.nearest(values[name]))]
            for number in (read_number(text).of(name) for text in texts)
        ]
        for name, texts in case["printed"].items()
    }


def is_whole(case):
    """Whether the grades are whole and the logarithm is that of base 2: then values are equal to the last bit."""
    return case["rule"]["base"] == 2 and all(float(grade).is_integer() for grade in case["grades"])


def expected_of_table(case):
    """The values of a ranking, its gains, discounts and terms."""
    convention = Convention(**case["rule"])
    gained, divisors = plain.gains(case["grades"], convention), plain.discounts(len(case["grades"]), convention)
    terms = [gain / divisor for gain, divisor in zip(gained, divisors, strict=True)]
    return values_of(case) | {"gains": gained, "discounts": divisors, "terms": terms}


def is_same(answer, expected, case, name):
    """Whether a value is equal to the last bit for whole grades, else within 1e-15 of it."""
    if answer is None or expected is None or is_whole(case):
        return answer == expected
    lost = case["rule"]["gain"] == "exponential" and name in ("gains", "terms")  # 2**grade, before the - 1
    return abs(answer - expected) <= 1e-15 * ((abs(expected) + lost) or 1.0)


def differing(cases, answers):
    """Where the answers of the twin are not those of the package."""
    known = [(case["text"], expected_of_number(case)) for case in cases.numbers]
    known += [(text, expected_of_comma(text)) for text in cases.commas]
    known += [(case, expected_verdicts(case)) for case in cases.tables]
    verdicts = [answer["verdicts"] for answer in answers["tables"]]
    for (what, expected), answer in zip(known, answers["numbers"] + answers["commas"] + verdicts, strict=True):
        if answer != expected:
            yield what, answer, expected
    for case, answer in zip(cases.tables, answers["tables"], strict=True):
        for name, expected in expected_of_table(case).items():
            both = (answer[name], expected) if isinstance(expected, list) else ([answer[name]], [expected])
            if not all(is_same(*pair, case, name) for pair in zip(*both, strict=True)):
                yield case, name, answer[name], expected

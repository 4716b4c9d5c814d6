r"""The questions of a homework sheet, each with its answer, both derived from a secret and the number of the sheet.

The seed of a question is the HMAC-SHA256 of its place under the secret. So the same secret gives the same sheets again,
and without it nobody can make the sheet, or its answers, from the number.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ndcg_ref import plain
from ndcg_ref.convention import EXPONENTIAL, ORIGINAL, STANDARD, Convention
from ndcg_ref.stated.exercises import FORMULAS, spot_the_slip
from ndcg_ref.stated.number import read_number
from ndcg_ref.validation import quoted

SHORTEST_SECRET = 16  # bytes
MOST_SHEETS = 1000
HOLDS = "holds"
SLIPS, LETTERS = 3, "abcd"
DOCUMENTS, HIGHEST = 5, 3
OPTIONS = (ORIGINAL, STANDARD, EXPONENTIAL, Convention(gain="exponential", discount="log(rank)"))
IN_WORDS = {
    **FORMULAS,
    OPTIONS[3]: r"gain $2^{\ell} - 1$; rank 1 counts in full, and from rank 2 on divide by $\log_2 r$",
}
MEASURES: dict[str, tuple[str, int]] = {  # what a hand calculation asks for, in how many decimals
    "cg": ("the cumulated gain, CG", 0),
    "dcg": ("the discounted cumulative gain, DCG", 2),
    "idcg": ("the DCG of the best order, IDCG", 2),
    "ndcg": ("the normalised DCG, NDCG", 3),
}


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question of a sheet, and its answer.

    Parameters
    ----------
    kind : {"slip", "calculation", "convention"}
        What is asked.
    text : str
        The question in words, with formulas between dollars.
    line : str
        The printed line that the question is about, in LaTeX; empty where there is none.
    options : tuple of str
        The answers to choose from, by the letters a, b, c, d; empty where a number is asked for.
    decimals : int
        In how many decimals a number is asked for.
    value : float
        The exact value of the quantity; nan where a letter is asked for.
    answer : str
        The right answer, as a student would write it.
    measure, grades, convention : optional
        What the value is, for a diagnosis of a wrong answer.
    """

    kind: str
    text: str
    answer: str
    line: str = ""
    options: tuple[str, ...] = ()
    decimals: int = 0
    value: float = float("nan")
    measure: str = ""
    grades: tuple[int, ...] = ()
    convention: Convention = STANDARD


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A homework sheet: its number, a code that shows which secret it belongs to, and its questions."""

    number: int
    code: str
    questions: tuple[Question, ...]


def read_secret(content: bytes) -> bytes:
    r"""The secret in a file, without the white space around it.

    Parameters
    ----------
    content : bytes
        What the file holds.

    Returns
    -------
    bytes
        The secret.

    Raises
    ------
    ValueError
        If it is shorter than 16 bytes, which somebody could guess.

    Examples
    --------
    >>> len(read_secret(b" 0123456789abcdef0123456789abcdef "))
    32
    """
    secret = content.strip()
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(
            f"expected a secret of at least {SHORTEST_SECRET} bytes, got {len(secret)} "
            '(make one: python3 -c "import secrets; print(secrets.token_hex(32))" > FILE)'
        )
    return secret


def make_sheet(secret: bytes, number: int) -> Sheet:
    """Make a sheet: three printed lines to judge, four hand calculations, two conventions to find.

    Parameters
    ----------
    secret : bytes
        The lecturer's secret.
    number : int
        The number of the sheet, from 1.

    Returns
    -------
    Sheet
        The same one for the same secret and number.

    Raises
    ------
    ValueError
        If the number is not between 1 and 1000.

    Examples
    --------
    >>> sheet = make_sheet(b"a secret of this example", 7)
    >>> [question.kind for question in sheet.questions]
    ['slip', 'slip', 'slip', 'calculation', 'calculation', 'calculation', 'calculation', 'convention', 'convention']
    >>> sheet == make_sheet(b"a secret of this example", 7)
    True
    """
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST_SHEETS:
        raise ValueError(f"expected the number of a sheet, from 1 to {MOST_SHEETS}, got {quoted(number)}")
    makers: list[Callable[[random.Random], Question]] = [_slip] * SLIPS
    makers += [_calculation(measure) for measure in MEASURES]
    makers += [_which_convention] * 2
    questions = [
        make(random.Random(_digest(secret, f"sheet {number}, question {place}")))
        for place, make in enumerate(makers, start=1)
    ]
    return Sheet(number=number, code=_digest(secret, f"code of sheet {number}").hex()[:8], questions=tuple(questions))


def _digest(secret: bytes, what: str) -> bytes:
    return hmac.digest(secret, what.encode(), "sha256")


def _drawn(dice: random.Random) -> tuple[int, ...]:
    """Grades in which the order matters: not all alike, and not the best order."""
    while True:
        grades = tuple(dice.randint(0, HIGHEST) for _ in range(DOCUMENTS))
        if list(grades) != sorted(grades, reverse=True) and any(grades[1:]):
            return grades


def _listed(grades: Sequence[int]) -> str:
    return ", ".join(map(str, grades))


def _slip(dice: random.Random) -> Question:
    """A printed line, which holds or has a slip."""
    made = spot_the_slip(dice.getrandbits(63))
    exact = made.verdict.computed
    assert exact is not None
    decimals = len(made.verdict.stated.partition(".")[2])
    right = made.verdict.declared is None
    return Question(
        kind="slip",
        text=f"Grades {_listed(made.grades)}, best rank first; {FORMULAS[made.convention]}. Does the result of this "
        f'line hold? Answer "{HOLDS}", or the number that should stand there, in {decimals} decimals.',
        line=made.line,
        decimals=decimals,
        value=exact,
        answer=HOLDS if right else f"{exact:.{decimals}f}",
        measure="ndcg" if "NDCG" in made.line else "dcg",
        grades=made.grades,
        convention=made.convention,
    )


def _calculation(measure: str) -> Callable[[random.Random], Question]:
    name, decimals = MEASURES[measure]

    def make(dice: random.Random) -> Question:
        grades, convention = _drawn(dice), dice.choice(list(FORMULAS))
        if measure == "cg":
            convention = STANDARD
            value, rule = plain.cg(grades), "linear gain"
        else:
            value, rule = getattr(plain, measure)(grades, convention=convention), FORMULAS[convention]
        how = f"in {decimals} decimals" if decimals else "as a whole number"
        return Question(
            kind="calculation",
            text=f"Grades {_listed(grades)}, best rank first; {rule}. Compute {name}, {how}.",
            decimals=decimals,
            value=value,
            answer=f"{value:.{decimals}f}",
            measure=measure,
            grades=grades,
            convention=convention,
        )

    return make


def _which_convention(dice: random.Random) -> Question:
    """A printed DCG, which one of four conventions gives, and no other."""
    while True:
        grades, right = _drawn(dice), dice.choice(OPTIONS)
        printed = f"{plain.dcg(grades, convention=right):.2f}"
        number = read_number(printed)
        fit = [each for each in OPTIONS if number.covers(plain.dcg(grades, convention=each))]
        if fit == [right]:
            break
    offered = list(OPTIONS)
    dice.shuffle(offered)
    return Question(
        kind="convention",
        text=f"Grades {_listed(grades)}, best rank first. A program prints the DCG {printed}. "
        "Which convention does it use? Answer with a letter.",
        options=tuple(IN_WORDS[each] for each in offered),
        answer=LETTERS[offered.index(right)],
        grades=grades,
        convention=right,
    )

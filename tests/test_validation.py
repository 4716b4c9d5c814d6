"""A refusal shows the beginning of what was given, however long that is, and how long it is."""

import re
import subprocess
import sys

import numpy as np
import pytest
from commands import code_of
from rows import every_row

from ndcg_ref import Convention, dcg, evaluate, explain, ndcg_score, which
from ndcg_ref.conventions.presets import PRESETS
from ndcg_ref.conventions.spellings import convention_of, parse
from ndcg_ref.conventions.validation import MOST_SHOWN, as_whole, quoted, shortened
from ndcg_ref.formulas import arrays, plain
from ndcg_ref.runs.trec import read_run
from ndcg_ref.stated import check, check_equation, check_table, holds, judge, read_number
from ndcg_ref.stated.ledgers import ledger

LONG = "x" * 100_000
ONE = {"q": {"d": 1}}

SHOWN = [
    # value, as it is shown, why
    ("q1", "'q1'", "text, in quotes"),
    ("x" * MOST_SHOWN, repr("x" * MOST_SHOWN), "as long as may be"),
    ("x" * (MOST_SHOWN + 1), f"'{'x' * MOST_SHOWN}'… ({MOST_SHOWN + 1} characters)", "longer by one"),
    ([1, 2], "[1, 2]", "anything else, by its repr"),
    ([7] * 99, f"[{'7, ' * 26}7… (297 characters)", "whose length counts"),
    (10**5000, "a int of too many digits", "a number that Python does not write"),
]


@pytest.mark.parametrize(("value", "text", "why"), SHOWN, ids=[row[-1] for row in SHOWN])
def test_a_message_shows_the_beginning_of_a_value(value, text, why):
    assert quoted(value) == text


def test_shortened_text_has_no_quotes():
    assert (shortened("abc", 3), shortened("abcd", 3)) == ("abc", "abc… (4 characters)")


def a_file(folder, text):
    path = folder / "a"
    path.write_text(text, encoding="utf-8")
    return path


CALLS = [
    # what is long, the call, given a folder
    ("a preset", lambda folder: PRESETS[LONG]),
    ("a convention", lambda folder: dcg([1], convention=LONG)),
    ("a choice", lambda folder: Convention(gain=LONG)),
    ("a gain table", lambda folder: dcg([-1], convention=Convention(gain=range(9999), negative="keep"))),
    ("grades", lambda folder: dcg(LONG)),
    ("a grade", lambda folder: dcg([LONG])),
    ("a spelling", lambda folder: parse(LONG)),
    ("a cutoff", lambda folder: parse("nDCG@" + LONG)),
    ("spaces around a spelling", lambda folder: convention_of(parse("ndcg_cut_5" + " " * 100_000), "ranx")),
    ("measures", lambda folder: evaluate(ONE, ONE, ["nDCG", "nDCG", *(f"nDCG@{k}" for k in range(1, 9999))])),
    ("a query", lambda folder: evaluate({LONG: {"d": "1"}}, {LONG: {"d": 1}})),
    ("a query that nobody judged", lambda folder: evaluate(ONE, {LONG: {"d": 1}})),
    ("a score", lambda folder: evaluate(ONE, {"q": {"d": LONG}})),
    ("a path", lambda folder: read_run(LONG)),
    ("a score in a file", lambda folder: read_run(a_file(folder, f"q Q0 d 1 {'x' * 4000} t\n"))),
    ("a side of explain", lambda folder: explain(ONE, ONE, LONG, "ranx")),
    ("a number of which", lambda folder: which(LONG, [1])),
    ("an option of ndcg_score", lambda folder: ndcg_score([[1, 0]], [[1, 2]], ignore_ties=LONG)),
    ("a number", lambda folder: read_number(LONG)),
    ("a computed value", lambda folder: judge("0.5", LONG)),
    ("alternatives", lambda folder: judge("0.5", 0.5, alternatives=LONG)),
    ("a slip", lambda folder: check("0.5", 0.5, "x", slip=LONG)),
    ("an equation", lambda folder: check_equation(f"1 + {'x' * 9999} 1", "x")),
    ("a table", lambda folder: check_table(LONG, {}, "x")),
    *(
        ("the name of a number", lambda folder, call=call: call(LONG))
        for call in (
            *(lambda name: check(0.5, 0.5, name), lambda name: check("0.5", 0.5, name, slip="no code")),
            *(lambda name: check_equation("1 / 2 = 0.6", name), lambda name: check_table("n | CG\n1 | 2", {}, name)),
            *(lambda name: holds(name, 1), lambda name: holds(name, False)),
        )
    ),
    ("a label", lambda folder: holds("1 is 1", True, label=LONG.upper())),
    ("a book", lambda folder: ledger(LONG)),
]


@every_row("what, call", CALLS)
def test_no_message_repeats_all_of_a_long_input(what, call, tmp_path):
    with pytest.raises((TypeError, ValueError)) as refused:
        call(tmp_path)
    assert 20 < len(str(refused.value)) < 800


COMMANDS = [
    # words
    [LONG],
    ["judge", "1", "--grades", "1", "--as", LONG],
    ["eval", LONG, LONG],
    ["eval", "a", "b", "-m", LONG],
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(word[:9] for word in words))
def test_the_command_repeats_no_long_input(words, capsys):
    assert (code_of(*words), max(map(len, capsys.readouterr().err.splitlines())) < 800) == (2, True)


@every_row("most", [5, 6, 10**8])
@every_row("value", [5, 5.0, np.int8(5), np.uint64(5), np.float32(5), np.float64(5)])
def test_a_whole_number_from_the_least_to_the_most_is_taken(value, most):
    whole = as_whole(value, "n", least=5, most=most)
    assert (whole, type(whole)) == (5, int)


@pytest.mark.parametrize("n", [10**8 + 1, 10**30, 1e300])
@pytest.mark.parametrize("witness", [arrays, plain])
def test_too_many_ranks_are_given_no_discounts(witness, n):
    with pytest.raises(ValueError, match=re.escape(f"n: expected a whole number of at most 100,000,000, got {n}")):
        witness.discounts(n)


@pytest.mark.long
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not limit the memory of a process")
def test_memory_that_runs_out_is_one_line(tmp_path):
    """A query of some hundred megabytes, in a process that may take 64 MB more than Python and numpy do."""
    code = (
        "import resource, sys, numpy; from ndcg_ref.commands import cli; from ndcg_ref.runs import blocks, evaluation\n"
        "taken = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (taken + 2**26,) * 2)\n"
        "sys.exit(cli.main(sys.argv[1:]))"
    )
    (tmp_path / "qrels").write_text("q 0 d1 1\n", encoding="utf-8")
    (tmp_path / "run").write_text("".join(f"q Q0 d{i} 1 {i} t\n" for i in range(2 * 10**6)), encoding="utf-8")
    command = [sys.executable, "-c", code, "eval", str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (2, "ndcg-ref eval: there is not enough memory for this input\n")

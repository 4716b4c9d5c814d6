"""Qrels and runs are read exactly, in blocks as line by line, or refused with file, line and reason."""

import gzip
import io
import os
import re
import sys
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import every_row

from ndcg_ref.runs import blocks, fields, trec
from ndcg_ref.runs.blocks import blocks_of
from ndcg_ref.runs.sources import LONGEST_FIELD, QueriesApartError, Source, TrecError
from ndcg_ref.runs.trec import Contents, read_qrels, read_run, run_in

BOM = "\ufeff"
BLOCKS = [1, 7, 30, 64, 200, 2**19]  # bytes at once

APART = {"q": {"d": 2, "e": 1}, "r": {"d": 3}, "s": {"d": 4}}
ALIKE = {"a" * 8 + "12": {"c" * 8 + "3": 1, "d" * 8 + "3": 2}, "b" * 8 + "12": {"e" * 8 + "3": 3, "f" * 8 + "3": 4}}

RUNS = [
    # what, text, run
    ("spaces", "q Q0 d 1 2.5 t\n", {"q": {"d": 2.5}}),
    ("many spaces", "  q   Q0 \t d  1  2.5\t\tt  \n", {"q": {"d": 2.5}}),
    ("no line feed at the end", "q Q0 d 1 2.5 t\nq Q0 e 2 2 t", {"q": {"d": 2.5, "e": 2}}),
    ("CRLF", "q Q0 d 1 2.5 t\r\nq Q0 e 2 2 t\r\n", {"q": {"d": 2.5, "e": 2}}),
    ("byte order mark", BOM + "q Q0 d 1 2.5 t\nq Q0 e 2 2 t\n", {"q": {"d": 2.5, "e": 2}}),
    ("two files with a mark", BOM + "q Q0 d 1 2.5 t\n" + BOM + "r Q0 e 2 2 t\n", {"q": {"d": 2.5}, "r": {"e": 2}}),
    ("comments", "# a b c 4 d\nq Q0 d 1 2.5 t\n # c\n#\n#q Q0 e 2\n", {"q": {"d": 2.5}}),
    ("blank lines", "\n\nq Q0 d 1 2.5 t\n   \n\t\n\r\nq Q0 e 2 2 t\n\n", {"q": {"d": 2.5, "e": 2}}),
    ("a # inside", "q# #Q0 d#1 1 2.5 #\n", {"q#": {"d#1": 2.5}}),
    ("two queries apart", "q Q0 d 1 2 t\nr Q0 d 1 3 t\nq Q0 e 2 1 t\ns Q0 d 1 4 t\n", APART),
    ("ids that begin alike", "q Q0 d 1 2 t\nq Q0 dd 2 1 t\nqq Q0 d 1 3 t\n", {"q": {"d": 2, "dd": 1}, "qq": {"d": 3}}),
    ("ids that end alike", "".join(f"{q} Q0 {d} 1 {s} t\n" for q in ALIKE for d, s in ALIKE[q].items()), ALIKE),
    ("a whole number is no id of a float", "1 Q0 1 1 3 t\n1.0 Q0 1 1 4 t\n", {"1": {"1": 3}, "1.0": {"1": 4}}),
    ("ids beyond ASCII", "Fräge Q0 文書 1 2 t\nFräge Q0 d\u00a0e 2 1 t\n", {"Fräge": {"文書": 2, "d\u00a0e": 1}}),
    ("ids that split at other spaces", "q Q0 d\x1ce 1 2 t\n", {"q": {"d\x1ce": 2}}),
]

SCORES = [
    # as written; each is the number that `float` reads
    *("0", "7", "12345678", "123456789", "99999999", "100000000", "999999999999999", "0.0000001"),
    *("1.5", "24.1973", "0.1", "0.30000000000000004", "123456.7", "1234567.8", "00012.50", "-24.1973"),
    *("12.", ".5", "+.5", "-.5", "-0", "-0.0", "+0", "+1", ".12345678", ".1234567", "-.1234567", "12345678."),
    *("1e-3", "1E5", "-1.5e+2", "1e-400", "5e-324", "1.7976931348623157e308", "-12345678."),
    *("9007199254740993", "9007199254740992.", "123456789.123456", "4503599627370496.5"),
    *("12345678.12345678", "1234567.12345678", "-1234567.1234567", "16.834299087524414"),
    *("0" * 30 + "1", "0." + "0" * 30 + "1", "1" * 30, "1" * 400 + "e-400"),
]

QRELS = [
    # what, text, judgments
    ("spaces", "q 0 d 1\nq 0 e 0\n", {"q": {"d": 1, "e": 0}}),
    ("many spaces", " q  0\t d   1 \n", {"q": {"d": 1}}),
    ("comments and blank lines", "# c\n\nq 0 d 1\n#q 0 e\n# 0 e 2\n", {"q": {"d": 1}}),
    ("negative grades", "q 0 d -2\nq 0 e -1\n", {"q": {"d": -2, "e": -1}}),
    ("queries apart", "q 0 d 1\nr 0 d 2\nq 0 e 3\n", {"q": {"d": 1, "e": 3}, "r": {"d": 2}}),
    ("the same judgment twice", "q 0 d 1\nq 0 d 1.0\n", {"q": {"d": 1}}),
    ("ids that split at other spaces", "q 0 d\x1ce 1\nq 0 d\u2003e 2\n", {"q": {"d\x1ce": 1, "d\u2003e": 2}}),
]

GOOD = "q Q0 d 1 2.5 t\n"
# Read as an id by trec_eval 9, pytrec_eval, ir_measures, ranx and trectools, and skipped by trec_eval 10
NO_COMMENT = (
    "expected a row or a comment, got '{1}', which trec_eval 10 skips and others read as query '{0}' "
    "(a comment? write a space after #; an id? TSV and JSON have such ids)"
)
OF_TAGS, OF_TWO = "trec_eval's presets accept a tag of several words", "(two runs in one file?)"
SIX = "6 fields, query Q0 document rank score tag, got"
BROKEN_SCORES = [
    # a score as written, the rest of the message
    ("two", "score, got 'two' (a header row, or fields"),
    ("2,5", "score, got '2,5' (a decimal comma?)"),
    ("nan", "finite score, got 'nan' (did its computation fail?)"),
    ("inf", "finite score, got 'inf' (did its computation fail?)"),
    ("-Infinity", "finite score, got '-Infinity' (did its computation fail?)"),
    ("1e999", "score within the range of a float, got '1e999'"),
    ("1" * 400, "score within the range of a float, got '1111111111"),
    *((text, f"score, got '{text}' (") for text in ("1_000", "0x1A", "\u0661", "1.2.3", "--1", "1-", ".", "-", "-.")),
    *((text, f"score, got '{text}' (") for text in ("1e", "1.345678.1234567", "1/2", "1:2")),
    ("1x3456781234567", "score, got '1x3456781"),  # a letter, far from the end
]
BROKEN_RUNS = [
    # what, text or bytes, line, the rest of the message
    *((text, f"{GOOD}q Q0 e 2 {text} t\n", 2, f"expected a {message}") for text, message in BROKEN_SCORES),
    ("tag missing", GOOD + "q Q0 e 2 2\n", 2, f"{SIX} 5 (is Q0 or the tag missing?)"),
    ("qrels", "q 0 d 1\n", 1, f"{SIX} 4 (is it a qrels file?)"),
    ("three columns", "q d 2.5\n", 1, "got 3 (are Q0, the rank and the tag missing? MS MARCO's form has a whole rank"),
    ("commas", "q,Q0,d,1,2.5,t\n", 1, "got 1 (are the fields separated by commas?)"),
    ("a tag of two words", GOOD + "q Q0 e 2 2 my tag\n", 2, f"{SIX} 7 (is there a space within a field? {OF_TAGS})"),
    ("a space in a document", GOOD + "q Q0 my e 2 2 t\n", 2, "got 7 (is there a space within a field?)"),
    ("JSON", '{"q": {"d": 2.5}}\n', 1, "got 3 (is it JSON?)"),
    ("old line ends", "q Q0 d 1 2.5 t\rq Q0 e 2 2 t\r", 1, "got 12 (do its lines end in carriage returns alone?)"),
    ("other spaces", GOOD.replace(" ", "\u00a0"), 1, "got 1 (are the fields separated by spaces that are not ASCII?)"),
    ("zero byte", GOOD + "q Q0 e\0 2 2 t\n", 2, "got a zero byte (is it binary, or UTF-16?)"),
    ("UTF-16", GOOD.encode("utf-16-le"), 1, "got a zero byte (is it binary, or UTF-16?)"),
    ("Latin-1", (GOOD + "q Q0 é 2 2 t\n").encode("latin-1"), 2, "expected UTF-8, got byte 0xe9 (is it binary, or"),
    ("a header row", "query Q0 document rank score tag\n" + GOOD, 1, "expected a score, got 'score' (a header row, or"),
    ("a document twice", GOOD + "q Q0 e 2 2 t\n" + GOOD, 3, f"once in query 'q', got 'd' again {OF_TWO}"),
    ("twice, with queries apart", GOOD + "r Q0 d 1 2 t\n" + GOOD, 3, f"once in query 'q', got 'd' again {OF_TWO}"),
    ("twice, in the last two of three lines", "q Q0 e 1 3 t\n" + GOOD * 2, 3, "once in query 'q', got 'd' again ("),
    ("a query id that begins with #", "#12 Q0 d 1 2.5 t\n", 1, NO_COMMENT.format("#12", "#12 Q0 d 1 2.5 t")),
    ("a row commented out", GOOD + " #q Q0 e 2 2 t\n", 2, NO_COMMENT.format("#q", "#q Q0 e 2 2 t")),
    ("a double space for a field", "q  d 1 2.5 t\n", 1, "got 5 (is Q0 or the tag missing?)"),
]

BROKEN_QRELS = [
    # what, text or bytes, line, the rest of the message
    ("run", "q Q0 d 1 2.5 t\n", 1, "expected 4 fields, query iteration document grade, got 6 (is it a run?)"),
    ("three columns", "q d 1\n", 1, "got 3 (is the second field, the iteration, missing?)"),
    ("a header row", "query-id corpus-id score\nq d 1\n", 1, "got 3 (a header row? tabs or commas separate the fields"),
    ("contradiction", "q 0 d 1\nq 0 d 2\n", 2, "expected one grade of document 'd' for query 'q', got 2 after 1"),
    ("contradiction, queries apart", "q 0 d 1\nr 0 d 2\nq 1 d 0\n", 3, "got 0 after 1 (which is right?)"),
    ("a query id that begins with #", "#12 0 d 1\n#13 0 d 1\n", 1, NO_COMMENT.format("#12", "#12 0 d 1")),
    ("a row commented out", "# c\nq 0 d 1\n#q 0 e 2.0\n", 3, NO_COMMENT.format("#q", "#q 0 e 2.0")),
]

SQUEEZED = gzip.compress(
    GOOD.encode() * 1 + b"".join(b"q Q0 d%d 1 %d t\n" % (i * 7919, i) for i in range(999)), mtime=0
)
DAMAGED = "expected a file that can be read, found it damaged:"
BROKEN_FILES = [
    # what, bytes, message after the name
    ("empty", b"", "expected lines of {fields}, found none (is the file empty?)"),
    ("comments alone", b"# nothing\n\n", "expected lines of {fields}, found none (is the file empty?)"),
    ("gzip, empty", gzip.compress(b""), "expected lines of {fields}, found none (is the file empty?)"),
    ("gzip, wrong sum", SQUEEZED[:-8] + b"12345678", f"{DAMAGED} CRC check failed"),
]


def at_line(path, line, message):
    """What the error says that has this message."""
    return f"^{re.escape(f'{path}:{line}: ')}.*{re.escape(message)}"


def exactly(run):
    """A run with its order, and the bits of its scores."""
    return [(query, [(document, score.hex()) for document, score in scores.items()]) for query, scores in run.items()]


class EveryQuery(dict):
    """Judgments in which every query is judged, those that are not given without a document."""

    def __contains__(self, query):
        return True

    def __missing__(self, query):
        return {}


def blocks_in(path, judged, **options):
    """The blocks of a file."""
    with Source(path, keep=True) as source:
        yield from blocks_of(source, EveryQuery(judged), **options)


def by_blocks(path, judged=(), as_trec_eval=False):
    """The run that the blocks make, after every field of theirs was looked at; read in order if queries are apart."""
    judged, run = dict(judged), Contents()
    with Source(path, keep=True) as source:
        try:
            for block in blocks_of(source, EveryQuery(judged), as_trec_eval=as_trec_eval):
                look_at(block, judged, run)
        except QueriesApartError:
            source.rewind()
            return run_in(source, as_trec_eval)
    return run


READ_A_RUN = [read_run, by_blocks]


def refused_alike(path, message, **options):
    """Line by line and by blocks."""
    for read in READ_A_RUN:
        with pytest.raises(TrecError, match=message):
            read(path, **options)


def look_at(block, judged, run):
    """Look at every field of a block, and add it to a run."""
    run.only_trec_eval += block.only_trec_eval
    assert (block.starts[0], block.grade_starts[0]) == (0, 0)
    assert (block.starts[-1], block.grade_starts[-1]) == (block.scores.size, block.grades.size)
    assert block.starts.size == block.grade_starts.size == len(block.queries) + 1
    assert np.all(np.diff(block.owner) >= 0)
    assert block.owner.size == block.score.size == block.grade.size
    for number, query in enumerate(block.queries):
        assert query not in run
        assert block.judged[number] == judged.get(query, {})
        mine = slice(block.grade_starts[number], block.grade_starts[number + 1])
        assert block.grades[mine].tolist() == list(block.judged[number].values())
        scores = block.scores[block.starts[number] : block.starts[number + 1]].tolist()
        run[query] = dict(zip(block.ids(number), scores, strict=True))
        mine = block.owner == number
        found = block.judged_ids(number)
        assert set(found) == judged.get(query, {}).keys() & run[query].keys()
        assert block.score[mine].tolist() == [run[query][document] for document in found]
        assert block.grade[mine].tolist() == [judged[query][document] for document in found]


def written(run):
    """The lines of a run."""
    return "".join(f"{query} Q0 {document} 1 {score} t\n" for query in run for document, score in run[query].items())


def some_of(run):
    """Every second document, judged, and some that are not there."""
    judged = {}
    for number, (query, scores) in enumerate(run.items()):
        judged[query] = {
            document: float(rank) for rank, document in enumerate([*list(scores)[number % 2 :: 2], "", "d" * 9, "no"])
        }
    return judged | {"not there": {"d": 1.0}}


@pytest.fixture(params=BLOCKS, ids=lambda size: f"{size} bytes")
def every_block_size(request, monkeypatch):
    """Every length of a block."""
    monkeypatch.setattr(blocks, "BLOCK", request.param)


class TestARunIsRead:
    @pytest.mark.usefixtures("every_block_size")
    @every_row(("text", "run"), [row[1:] for row in RUNS])
    def test_a_run_is_read_line_by_line_and_by_blocks(self, text, run, file):
        assert read_run(file(text)) == by_blocks(file(text), some_of(run)) == run

    @every_row("text", SCORES)
    def test_a_score_is_the_float_of_its_text(self, text, file):
        path = file(f"q Q0 d 1 {text} t\n")
        assert read_run(path)["q"]["d"].hex() == by_blocks(path, {})["q"]["d"].hex() == float(text).hex()

    @pytest.mark.parametrize("digits", [1, 7, 8, 9, 15, 16])
    @pytest.mark.parametrize("sign", ["", "-"])
    def test_scores_of_up_to_15_digits_or_16_whole_ones_are_not_read_one_by_one(self, digits, sign, file, monkeypatch):
        """Read one by one they would be right as well, only slowly, so that no other test would fail."""
        number = "1234567890123456"[:digits]
        points = range(digits + 1) if digits < 16 else []
        texts = [sign + number, "0.5", *(f"{sign}{number[:place]}.{number[place:]}" for place in points)]
        path = file("".join(f"q Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts)))
        monkeypatch.setattr(fields, "float", None, raising=False)
        assert list(by_blocks(path, {})["q"].values()) == list(map(float, texts))


LONG_TAGS = [
    # what, text, run, lines with a tag of several words
    ("a tag of two words", "q Q0 d 1 2.5 my run\n", {"q": {"d": 2.5}}, 1),
    ("tags of any length", "q Q0 d 1 2.5 a b c d e f\nq Q0 e 2 2 a b\n", {"q": {"d": 2.5, "e": 2}}, 2),
    ("as many fields as two lines have", "q Q0 d 1 2.5 t q Q0 e 2 2 t\n", {"q": {"d": 2.5}}, 1),
    (
        "as in trec_eval's own test/results.trunc",
        "301\tQ0\tFBIS3-27619\t99\t  2.138276\tSTANDARD more junk at\n"
        "303\tQ0\tFT941-17652\t99\t  1.857372\tSTANDARD end of lines.\n",
        {"301": {"FBIS3-27619": 2.138276}, "303": {"FT941-17652": 1.857372}},
        2,
    ),
    ("no line feed at the end", "q Q0 d 1 2.5 t\nq Q0 e 2 2 my run", {"q": {"d": 2.5, "e": 2}}, 1),
    ("queries apart", "q Q0 d 1 2 a b\nr Q0 d 1 3 t\nq Q0 e 2 1 a b\n", {"q": {"d": 2, "e": 1}, "r": {"d": 3}}, 2),
    ("a comment", "# my own run of today, with\nq Q0 d 1 2.5 my run\n", {"q": {"d": 2.5}}, 1),
    ("a rank that is none, and one word", "q Q0 d x 2.5 t\nq Q0 e 2 2 my run\n", {"q": {"d": 2.5, "e": 2}}, 1),
]

SEVEN = r"expected 6 fields.*, got 7 \("
NO_LONG_TAGS = [
    # what, line that is no run's, message
    ("a space in a document", "q Q0 my d 1 2.5 t\n", SEVEN),
    ("a space in a query of digits", "1 2 Q0 d 1 2.5 t\n", SEVEN),
    ("no whole rank", "q Q0 d 1.0 2.5 my run\n", SEVEN),
    ("digits behind a sign within", "q Q0 d 1-2 2.5 my run\n", SEVEN),
    ("#", "#12 Q0 d 1 2.5 my own run\n", re.escape(NO_COMMENT.format("#12", "#12 Q0 d 1 2.5 my own run"))),
]


class TestATagOfSeveralWords:
    """As trec_eval reads it: parse_results_line of get_trec_results.c passes over what follows the first word."""

    @pytest.mark.usefixtures("every_block_size")
    @every_row(("text", "run", "lines"), [row[1:] for row in LONG_TAGS])
    def test_a_tag_of_several_words_is_read_line_by_line_and_by_blocks(self, text, run, lines, file):
        path = file(text)
        for found in (read_run(path, as_trec_eval=True), by_blocks(path, some_of(run), as_trec_eval=True)):
            assert (found, found.only_trec_eval) == (run, lines)

    @every_row("before", ["", "q Q0 a 1 9 t\n", "q Q0 a 1 9 my run\n"])
    @every_row(("text", "message"), [row[1:] for row in NO_LONG_TAGS])
    def test_more_words_are_refused_where_an_id_may_have_a_space(self, text, message, before, file):
        refused_alike(file(before + text), rf":{1 + bool(before)}: {message}", as_trec_eval=True)


EXPONENTS = [
    # grade as written, what C's atol makes of a whole one, exponents: trec_eval 9.0.7 and 10.0 give the same values
    ("1e3", 1, 1),
    ("12e-1", 12, 1),
    ("-1e3", -1, 1),
    ("1e999", 1, 1),
    ("1.5e3", 1.5, 1),  # the convention cuts the fraction
    ("2.5", 2.5, 0),
    ("4611686018427387904", 2.0**62, 0),
    ("9223372036854774784", 2.0**63 - 1024, 0),  # the float before 2**63
    ("-99999999999999999999", -1e20, 0),  # atol gives the least long, which counts as any other grade below 0
]


class TestAGradeWithAnExponent:
    @every_row(("text", "grade", "exponents"), EXPONENTS)
    def test_a_grade_counts_up_to_its_exponent_for_trec_eval(self, text, grade, exponents, file):
        for others in ("", "q 0 f -1e30\n"):  # beside an exponent each line is read for itself
            found = read_qrels(file(f"q 0 d {text}\nq 0 e 2\n{others}"), as_trec_eval=True)
            assert (found["q"]["d"], found["q"]["e"], found.only_trec_eval) == (grade, 2, exponents + bool(others))

    def test_a_grade_with_an_exponent_is_the_number_otherwise(self, file):
        found = read_qrels(file("q 0 d 1e3\nq 0 e 2\n"))
        assert (found, found.only_trec_eval) == ({"q": {"d": 1000, "e": 2}}, 0)

    def test_grades_without_an_exponent_are_read_at_once_for_trec_eval(self, file, monkeypatch):
        monkeypatch.setattr(trec, "exact_qrels", None)
        path = file("q 0 d 1\nq 0 e 12345678901234567\nq 0 f -0.5\n")
        assert read_qrels(path, as_trec_eval=True) == {"q": {"d": 1, "e": float(12345678901234567), "f": -0.5}}

    @pytest.mark.parametrize("grade", ["9223372036854775808", "99999999999999999999", "9223372036854775807.5"])
    def test_a_grade_beyond_a_c_long_is_refused(self, grade, file):
        path = file(f"q 0 d 1\nq 0 e {grade}\n")
        message = f":2: expected a grade below 2**63, the limit of trec_eval, got '{grade}' (a score?)"
        with pytest.raises(TrecError, match=re.escape(message)):
            read_qrels(path, as_trec_eval=True)
        assert read_qrels(path)["q"]["e"] == float(grade)


FIELD = "x" * LONGEST_FIELD
FIELDS = [
    # a line with a place for a field of the greatest length, and that field
    ("{} Q0 d 1 2.5 t", FIELD),
    ("q Q0 {} 1 2.5 t", FIELD),
    ("q Q0 d 1 {} t", "0." + "1" * (LONGEST_FIELD - 2)),
    ("q Q0 d 1 2.5 {}", FIELD),
    ("q Q0 d 1 2.5 my {} tag", FIELD),
]


class TestAFieldHasAtMost4096Bytes:
    @every_row(("line", "field"), FIELDS)
    @every_row("before", ["", "p Q0 a 1 9 t\n"])
    @every_row("end", ["\n", ""])
    def test_a_longer_field_of_a_run_is_refused(self, line, field, before, end, file):
        message = rf":{1 + bool(before)}: expected fields of at most 4,096 bytes, got one of 4,097 that begins with '"
        for read in READ_A_RUN:
            assert len(read(file(before + line.format(field) + end), as_trec_eval=True)) == 1 + bool(before)
            with pytest.raises(TrecError, match=message):
                read(file(before + line.format(field + "1") + end), as_trec_eval=True)

    @pytest.mark.parametrize("line", ["{} 0 d 1\n", "q {} d 1\n", "q 0 {} 1\n"])
    def test_a_longer_field_of_judgments_is_refused(self, line, file):
        assert read_qrels(file("q 0 a 1\n" + line.format(FIELD)))
        with pytest.raises(TrecError, match=r":2: expected fields of at most 4,096 bytes, got one of 4,097 that"):
            read_qrels(file("q 0 a 1\n" + line.format(FIELD + "x")))

    def test_bytes_count_and_not_characters(self, file):
        assert read_run(file(f"{'é' * 2048} Q0 d 1 2.5 t\n"))
        with pytest.raises(TrecError, match=rf"got one of 4,098 that begins with '{'é' * 20}'… \(2049 characters\)"):
            read_run(file(f"{'é' * 2049} Q0 d 1 2.5 t\n"))

    def test_a_comment_may_have_longer_words(self, file):
        path = file(f"#{FIELD * 20}\n" + GOOD)
        assert read_run(path) == by_blocks(path, {}) == {"q": {"d": 2.5}}
        assert read_qrels(file(f"#{FIELD * 20}\nq 0 d 1\n")) == {"q": {"d": 1}}


def endless(part, first=b""):
    """A file that begins with something and goes on for ever."""

    class Endless(io.RawIOBase):
        def __init__(self):
            self.ready = first

        def readable(self):
            return True

        def readinto(self, target):
            while len(self.ready) < len(target):
                self.ready += part * 1000
            target[:] = self.ready[: len(target)]
            self.ready = self.ready[len(target) :]
            return len(target)

    return io.TextIOWrapper(io.BufferedReader(Endless()))


ENDLESS = [
    # what goes on for ever, the rest of the message
    (b"\0", "expected text, got a zero byte (is it binary, or UTF-16?)"),
    (b"x", "that begins with 'xxxxxxxxxxxxxxxxxxxx'… ("),
    ("é".encode(), "that begins with 'é"),
    (b" ", "expected a line of at most 1,048,576 bytes, got a longer one (are there no line ends?)"),
    (b"word ", "expected a line of at most 1,048,576 bytes, got a longer one (are there no line ends?)"),
    (b"\r", "expected a line of at most 1,048,576 bytes, got a longer one (are there no line ends?)"),
]


class TestInputWithoutAnEnd:
    @every_row("part, message", ENDLESS)
    @every_row("first", [b"", b"#", GOOD.encode() * 1, b"q Q0 d 1 2.5 t\nq Q0 e 2 2 t\n", b"q 0 d 1\n" * 9])
    @every_row("read", [*READ_A_RUN, read_qrels])
    def test_lines_without_an_end_are_refused(self, part, message, first, read, monkeypatch):
        if first.startswith(b"q ") and (b"Q0" in first) is (read is read_qrels):
            return  # which are no lines of such a file
        if first == b"#" and b"\0" not in part:
            message = "expected "  # a comment may have any words, and a line of it has an end
        monkeypatch.setattr(sys, "stdin", endless(part, first))
        with pytest.raises(TrecError, match=f"^<stdin>:{first.count(bytes([10])) + 1}: .*{re.escape(message)}"):
            read("-")

    @pytest.mark.parametrize("size", [100, 2**19])
    @pytest.mark.parametrize("read", [*READ_A_RUN, read_qrels])
    def test_blank_lines_and_comments_are_skipped_in_any_number(self, size, read, file, monkeypatch):
        monkeypatch.setattr(blocks, "BLOCK", size)
        monkeypatch.setattr(trec, "BLOCK", size)
        line = "q 0 {} 1\n" if read is read_qrels else "q Q0 {} 1 2.5 t\n"
        gap = "# comment\n\n" * 900
        path = file("".join(gap + line.format(document) for document in "abcd") + gap)
        assert list(read(path)["q"]) == list("abcd")


class TestQrelsAreRead:
    @every_row(("text", "qrels"), [row[1:] for row in QRELS])
    def test_qrels_are_read_exactly(self, text, qrels, file):
        in_floats = {q: {d: float(g) for d, g in of.items()} for q, of in qrels.items()}
        assert exactly(read_qrels(file(text))) == exactly(in_floats)

    def test_usual_qrels_are_read_at_once(self, file, monkeypatch):
        monkeypatch.setattr(trec, "exact_qrels", None)
        assert read_qrels(file("q 0 d 1\nq\t0 e 0.5\nr 0 d 2\n")) == {"q": {"d": 1, "e": 0.5}, "r": {"d": 2}}


class TestABrokenFileIsRefused:
    @pytest.mark.usefixtures("every_block_size")
    @every_row("good", [0, 20])
    @every_row(("text", "line", "message"), [row[1:] for row in BROKEN_RUNS])
    def test_a_broken_run_is_refused_alike_by_line_and_by_block(self, text, line, message, good, file):
        """Also after many good lines."""
        before = "".join(f"p{number} Q0 d 1 2.5 t\n" for number in range(good))
        path = file(before + text if isinstance(text, str) else before.encode() + text)
        with pytest.raises(TrecError, match=at_line(path, line + good, message)) as by_line:
            read_run(path)
        with pytest.raises(TrecError, match=f"^{re.escape(str(by_line.value))}$"):
            by_blocks(path, {})

    @every_row(("text", "line", "message"), [row[1:] for row in BROKEN_QRELS])
    def test_broken_qrels_are_refused(self, text, line, message, file):
        path = file(text)
        with pytest.raises(TrecError, match=at_line(path, line, message)):
            read_qrels(path)

    @every_row("read", [read_qrels, *READ_A_RUN])
    @every_row(("content", "message"), [row[1:] for row in BROKEN_FILES])
    def test_a_broken_file_is_refused(self, content, message, read, file):
        path = file(content)
        of_qrels, of_a_run = "4 fields, query iteration document grade", "6 fields, query Q0 document rank score tag"
        message = message.format(fields=of_qrels if read is read_qrels else of_a_run)
        with pytest.raises(TrecError, match=f"^{re.escape(f'{path}: {message}')}"):
            read(path)

    @every_row("read", [read_qrels, *READ_A_RUN])
    def test_a_path_without_a_file_is_refused(self, read, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)  # a longer name would be cut
        with pytest.raises(TrecError, match=r"^none\.run: expected a file, found none \(is the path right\?\)$"):
            read("none.run")
        with pytest.raises(TrecError, match=r": expected a file, found a folder$"):
            read(tmp_path)

    def test_a_file_that_may_not_be_read_is_refused(self, file, monkeypatch):
        def refuse(*_):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("builtins.open", refuse)
        with pytest.raises(TrecError, match=r"a\.run: expected a file that can be read, found: .*Permission denied$"):
            read_run("a.run")


class TestWhereAFileComesFrom:
    RUN = "".join(f"q{query} Q0 d{number} 1 {number}.5 t\n" for query in range(9) for number in range(9))

    @pytest.fixture(params=["together", "apart"])
    def text(self, request):
        return self.RUN if request.param == "together" else self.RUN + "q0 Q0 late 1 2 t\n"

    @pytest.mark.usefixtures("every_block_size")
    @every_row("name", ["a.run.gz", "a.run"])
    def test_gzip_is_known_by_its_content(self, name, text, file):
        plain, squeezed = file(text), file(gzip.compress(text.encode()), name)
        assert exactly(by_blocks(squeezed, {})) == exactly(read_run(squeezed)) == exactly(read_run(plain))

    @pytest.mark.parametrize("squeeze", [bytes, gzip.compress], ids=["plain", "gzip"])
    @every_row("read", READ_A_RUN)
    def test_standard_input_is_read_from_where_it_stands_and_left_open(self, read, squeeze, text, file, monkeypatch):
        """A shell may have taken the first line, and what follows is read once more where queries are apart."""
        path = file(b"a first line\n" + squeeze(text.encode()), "stdin")
        with path.open("rb") as opened, io.TextIOWrapper(io.BufferedReader(opened)) as stdin:
            stdin.buffer.seek(len(b"a first line\n"))
            monkeypatch.setattr(sys, "stdin", stdin)
            assert exactly(read("-")) == exactly(read_run(file(text)))
            assert not stdin.buffer.closed

    def test_a_closed_standard_input_is_refused(self, monkeypatch):
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(TrecError, match=r"^<stdin>: expected a file that can be read, found it closed$"):
            read_run("-")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    @pytest.mark.usefixtures("every_block_size")
    @pytest.mark.parametrize("squeeze", [bytes, gzip.compress], ids=["plain", "gzip"])
    def test_a_pipe_that_cannot_be_rewound_is_read(self, squeeze, text, file, tmp_path):
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=[squeeze(text.encode())])
        writer.start()
        run = by_blocks(pipe, {})
        writer.join()
        assert exactly(run) == exactly(read_run(file(text)))


class TestBlocks:
    def test_blocks_are_of_whole_queries(self, file, monkeypatch):
        monkeypatch.setattr(blocks, "BLOCK", 100)
        path = file("".join(f"q{query} Q0 d{number} 1 1 t\n" for query in range(9) for number in range(query, 9)))
        found = [(query, block.ids(i)) for block in blocks_in(path, {}) for i, query in enumerate(block.queries)]
        assert found == [(f"q{query}", [f"d{number}" for number in range(query, 9)]) for query in range(9)]
        assert len(list(blocks_in(path, {}))) > 5

    @pytest.mark.parametrize("size", [40, 2**19])
    @pytest.mark.parametrize("lines", ["", "# c\n"], ids=["at once", "line by line"])
    def test_blocks_pass_over_queries_that_nobody_judged(self, lines, size, file, monkeypatch):
        monkeypatch.setattr(blocks, "BLOCK", size)
        run = {f"q{query}": {f"d{number}": number + query / 8 for number in range(3)} for query in range(9)}
        judged = {f"q{query}": {"d1": 1.0, "d2": 2.0, "x": 3.0} for query in range(1, 9, 2)}
        with Source(file(lines + written(run))) as source:
            made = list(blocks_of(source, judged))
        found = Contents()
        for block in made:
            look_at(block, judged, found)
        assert found == {query: run[query] for query in judged}
        assert [query for block in made for query in block.extra] == [query for query in run if query not in judged]

    @pytest.mark.parametrize("end", ["\r\n", " \n", "   \r\n"], ids=repr)
    def test_lines_with_wide_ends_or_gaps_are_not_read_one_by_one(self, end, file, monkeypatch):
        """Columns that are set with spaces, and files from Windows."""
        lines = [f"q{number // 4} Q0    d{number:<9} {number:>5}  {number}.25 t" for number in range(99)]
        plain, wide = file("\n".join(map(" ".join, map(str.split, lines)))), file(end.join([*lines, ""]), "wide")
        monkeypatch.setattr(blocks, "_irregular", None)
        for size in (100, 2**19):
            monkeypatch.setattr(blocks, "BLOCK", size)
            assert exactly(by_blocks(wide, {})) == exactly(by_blocks(plain, {}))

    def test_a_comment_has_one_block_read_line_by_line(self, file, monkeypatch):
        """A comment costs its own block, and not the memory of the whole file."""
        monkeypatch.setattr(blocks, "BLOCK", 100)
        path = file("# c\n" + "".join(f"q{number // 4} Q0 d{number} 1 {number}.5 t\n" for number in range(99)))
        irregular, calls = blocks._irregular, []
        monkeypatch.setattr(blocks, "_irregular", lambda *given: calls.append(given) or irregular(*given))
        assert len(by_blocks(path, {})) == 25
        assert len(calls) == 1

    @pytest.mark.parametrize("multiplier", [0, 2**60, 2**63])
    def test_documents_that_hash_alike_are_told_apart(self, multiplier, file, monkeypatch):
        monkeypatch.setattr(fields, "OF_PIECE", multiplier)
        run = {f"q{query}": {f"d{number}": number + 0.5 for number in range(query, 40, 3)} for query in range(9)}
        judged = {query: {f"d{number}": float(number) for number in range(0, 60, 2)} for query in run}
        assert by_blocks(file(written(run)), judged) == run

    @every_row("others", [["e"], ["dd"], ["d" * 99], ["c" * 8 + "d" * 10], ["d" * 9 + "c" * 9], ["e", "d", "f"]])
    @pytest.mark.parametrize("document", ["d", "d" * 18])
    def test_a_judged_document_that_hashes_as_another_is_not_found(self, document, others, file, monkeypatch):
        monkeypatch.setattr(fields, "OF_PIECE", 0)
        run = {f"q{query}": {document: 0.5} for query in range(9)}
        assert by_blocks(file(written(run)), {query: dict.fromkeys(others, 1.0) for query in run}) == run

    def test_a_judged_document_of_another_query_is_not_found(self, file, monkeypatch):
        monkeypatch.setattr(fields, "OF_QUERY", 0)
        run = {f"q{query}": {f"d{query}": 0.5} for query in range(9)}
        judged = {query: {f"d{number}": 1.0 for number in range(9)} for query in run}
        assert by_blocks(file(written(run)), judged) == run

    def test_a_long_query_is_read_in_few_steps(self, file, monkeypatch):
        """Each step takes at least as much as there is already."""
        monkeypatch.setattr(blocks, "BLOCK", 64)
        path = file("".join(f"q Q0 d{number} 1 {number} t\n" for number in range(5000)))
        read, steps = blocks._read, []
        monkeypatch.setattr(blocks, "_read", lambda *given: steps.append(None) or read(*given))
        assert len(by_blocks(path, {})["q"]) == 5000
        assert len(steps) < 16  # 64 bytes doubled 11 times are more than the file, of some 90,000 bytes

    def test_a_line_that_never_ends_is_named_by_its_number_in_the_file(self, file, monkeypatch):
        monkeypatch.setattr(blocks, "BLOCK", 64)
        path = file("".join(f"q{number} Q0 d 1 2.5 t\n" for number in range(50)) + "x" * 5000)
        with pytest.raises(TrecError, match=r":51: expected fields of at most 4,096 bytes"):
            by_blocks(path, {})


IDS = st.one_of(
    st.integers(0, 99).map(str),
    st.text(st.sampled_from("abAB01é文-."), min_size=1, max_size=20),
    st.integers(0, 9).map("clueweb12-0000wb-22-{:05}".format),
)
NUMBERS = st.one_of(
    st.integers(-(10**17), 10**17).map(str),
    st.decimals(-999, 999, places=4).map(str),
    st.tuples(st.sampled_from(["", "-", "+"]), st.text("0123456789", max_size=12), st.text("0123456789", max_size=12))
    .filter(lambda parts: parts[1] or parts[2])
    .map(lambda parts: f"{parts[0]}{parts[1]}.{parts[2]}"),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(0, 100, width=32).map(repr),
)
LINES = st.tuples(IDS, IDS, NUMBERS, st.sampled_from([" ", " ", " ", " ", "\t", "  ", " \t"])).map(
    lambda parts: parts[3].join([parts[0], "Q0", parts[1], "1", parts[2], "t"])
)
TAGS = st.sampled_from(["", "", "", " of", " of several words", "\tand tabs", " für"])
OTHERS = st.sampled_from(["", " ", "# a comment", "#a b c d e f", "#a b c d 5 f", "q Q0 d", "q Q0 d 1 x t"])


@st.composite
def run_files(draw):
    """Lines of a run, most of them usual, the queries together or not; and how they end."""
    lines = draw(st.lists(st.tuples(LINES, TAGS).map("".join) if draw(st.booleans()) else LINES, max_size=40))
    if draw(st.booleans()):
        lines.sort(key=lambda line: line.split()[0])
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 3]))):
        lines.insert(draw(st.integers(0, len(lines))), draw(OTHERS))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    return draw(st.sampled_from(["", "", "", BOM])) + end.join(lines) + draw(st.sampled_from(["", end]))


@given(text=run_files(), size=st.sampled_from(BLOCKS), as_trec_eval=st.booleans())
def test_blocks_equal_lines_on_files_with_all_irregularities(text, size, as_trec_eval, tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "a.run"
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "BLOCK", size)
        try:
            run = read_run(path, as_trec_eval=as_trec_eval)
        except TrecError as error:
            with pytest.raises(TrecError, match=f"^{re.escape(str(error))}$"):
                by_blocks(path, {}, as_trec_eval=as_trec_eval)
        else:
            found = by_blocks(path, some_of(run), as_trec_eval=as_trec_eval)
            assert exactly(found) == exactly(run)
            assert found.only_trec_eval == run.only_trec_eval

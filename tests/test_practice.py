"""The files of `book/practice/data` fit together, and other programs say of them what the chapter says."""

from collections import Counter
from pathlib import Path

import pytest

from ndcg_ref import PRESETS
from ndcg_ref.formulas.plain import ndcg_of_run

DATA = Path(__file__).resolve().parent.parent / "book" / "practice" / "data"


def fields(name, separator=None):
    return [line.split(separator) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


DOCUMENTS, QUERIES = dict(fields("documents.tsv", "\t")), dict(fields("queries.tsv", "\t"))
JUDGED, RUNS = {}, {"bm25": {}, "overlap": {}}
for query, _, document, grade in fields("qrels.txt"):
    JUDGED.setdefault(query, {})[document] = int(grade)
for name, run in RUNS.items():
    for query, _, document, _, score, _ in fields(f"{name}.run"):
        run.setdefault(query, {})[document] = float(score)
assert JUDGED

ELSEWHERE = [
    # run, preset, mean NDCG at cutoff 10 as another program computes it from the same files
    ("bm25", "trec_eval", 0.7604429268250488),  # pytrec_eval-terrier 0.5.11, which is trec_eval 9.0.7
    ("overlap", "trec_eval", 0.6610842996676825),
    ("bm25", "scikit-learn", 0.7765178484997501),  # scikit-learn 1.9.1, unjudged documents as 0
    ("overlap", "scikit-learn", 0.7104493668191317),
]


@pytest.mark.parametrize(("name", "preset", "mean"), ELSEWHERE)
def test_other_programs_have_the_same_means(name, preset, mean):
    values = ndcg_of_run(JUDGED, RUNS[name], 10, PRESETS[preset])
    assert sum(values.values()) / len(values) == pytest.approx(mean, rel=1e-12)


def test_every_document_and_query_exists_once_and_the_guideline_has_four_grades():
    for side in (JUDGED, *RUNS.values()):
        assert set(side) <= set(QUERIES)
        assert {document for found in side.values() for document in found} <= set(DOCUMENTS)
    for name in ("documents.tsv", "queries.tsv"):
        assert Counter(line[0] for line in fields(name, "\t")).most_common(1)[0][1] == 1
    assert {grade for grades in JUDGED.values() for grade in grades.values()} == {0, 1, 2, 3}

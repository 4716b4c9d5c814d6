"""Seeded judgments and a run for the benchmarks: as files, as dicts, and as dense arrays.

Everything follows from a name and a seed. A run has 1,000 documents for each query, best first, with scores of four
decimals, some of them tied; 1 to 50 documents of a query are judged, from grade 0 to 3, and most of them are retrieved.

    data = make("marco")
    qrels, run = data.files(folder)   # "marco-7.qrels" and "marco-7.run", written once
    qrels, run = data.dicts()         # {query: {document: grade}}, {query: {document: score}}
    grades, scores = data.arrays()    # both (queries, documents), the documents in no order
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

QUERIES = {"dl": 43, "tenth": 698, "marco": 6980}  # "tenth" has a tenth of the queries of "marco"
DOCUMENTS = 1000
MOST_JUDGED = 50
COLLECTION = 8_841_823  # documents are numbered below this
SHARE_OF_GRADES = [0.4, 0.3, 0.2, 0.1]
EARLY = 1 / np.arange(10, DOCUMENTS + 10)
EARLY /= EARLY.sum()
TAG = "bm25"


class Data(NamedTuple):
    """One set of judgments and one run; row i belongs to query i."""

    name: str
    seed: int
    queries: list[str]
    documents: np.ndarray  # (queries, 1000), as retrieved, best first
    steps: np.ndarray  # their scores in ten-thousandths, none smaller than the next
    judged: list[np.ndarray]  # the judged documents of each query
    grades: list[np.ndarray]  # and their grades

    def files(self, folder):
        """Write qrels and run in TREC's form, unless they stand there, and give both paths."""
        paths = [Path(folder) / f"{self.name}-{self.seed}.{kind}" for kind in ("qrels", "run")]
        for path, lines in zip(paths, (self.qrels_lines(), self.run_lines()), strict=True):
            if not path.exists() or path.stat().st_mtime < Path(__file__).stat().st_mtime:
                unfinished = path.with_name(f"{path.name}.{os.getpid()}")
                with unfinished.open("w", encoding="ascii", newline="\n") as file:
                    file.writelines(lines)
                unfinished.replace(path)  # so that a file with its name is a whole one
        return paths

    def qrels_lines(self):
        """Lines of four fields."""
        for query, judged, grades in zip(self.queries, self.judged, self.grades, strict=True):
            for document, grade in zip(judged.tolist(), grades.tolist(), strict=True):
                yield f"{query} 0 {document} {grade}\n"

    def run_lines(self):
        """The lines of six fields, those of one query at a time."""
        for query, documents, steps in zip(self.queries, self.documents, self.steps, strict=True):
            rows = enumerate(zip(documents.tolist(), steps.tolist(), strict=True), start=1)
            yield "".join(
                f"{query} Q0 {document} {rank} {step // 10_000}.{step % 10_000:04} {TAG}\n"
                for rank, (document, step) in rows
            )

    def dicts(self):
        """Give judgments and run as dicts of dicts, in the order of the files."""
        qrels = {
            query: dict(zip(map(str, judged.tolist()), grades.tolist(), strict=True))
            for query, judged, grades in zip(self.queries, self.judged, self.grades, strict=True)
        }
        run = {
            query: dict(zip(map(str, documents.tolist()), (steps / 10_000).tolist(), strict=True))
            for query, documents, steps in zip(self.queries, self.documents, self.steps, strict=True)
        }
        return qrels, run

    def arrays(self):
        """Give the grades (0 where nobody judged) and scores of what was retrieved, in no order, as float64."""
        grades = np.zeros(self.documents.shape)
        for row, judged, values in zip(range(len(grades)), self.judged, self.grades, strict=True):
            place = {document: column for column, document in enumerate(self.documents[row].tolist())}
            for document, grade in zip(judged.tolist(), values.tolist(), strict=True):
                if document in place:
                    grades[row, place[document]] = grade
        order = np.random.default_rng(self.seed).permuted(np.tile(np.arange(DOCUMENTS), (len(grades), 1)), axis=1)
        return np.take_along_axis(grades, order, axis=1), np.take_along_axis(self.steps / 10_000, order, axis=1)


def make(name, seed=7):
    """Draw the data of a name; the same name and seed give the same data."""
    queries = QUERIES[name]
    rng = np.random.default_rng([seed, queries])
    names = [str(number) for number in rng.choice(1_200_000, size=queries, replace=False)]
    documents = np.empty((queries, DOCUMENTS), dtype=np.int64)
    judged, grades = [], []
    for row in range(queries):
        drawn = rng.choice(COLLECTION, size=DOCUMENTS + MOST_JUDGED, replace=False)
        documents[row] = drawn[:DOCUMENTS]
        # Early ranks are judged more often than late ones; about a fifth of the judged were not retrieved.
        found = rng.choice(DOCUMENTS, size=rng.integers(MOST_JUDGED) + 1, replace=False, p=EARLY)
        lost = rng.random(found.size) < 0.2
        found[lost] = DOCUMENTS + np.arange(lost.sum())
        judged.append(drawn[found])
        grades.append(rng.choice(len(SHARE_OF_GRADES), size=found.size, p=SHARE_OF_GRADES))
    steps = np.sort((10_000 * (5 + rng.gamma(2.0, 2.0, size=documents.shape))).astype(np.int64), axis=1)[:, ::-1]
    return Data(name, seed, names, documents, steps, judged, grades)

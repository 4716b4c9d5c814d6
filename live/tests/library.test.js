// What a reader enters about a library's number, and what the answer of the package says.

import assert from "node:assert/strict";
import test from "node:test";
import * as found from "../src/found.js";

/** @param {object} given */
const read = (given) => found.readDocuments({ ...found.NO_DOCUMENTS, grades: "3, 0, 1", ...given });

test("the example of the book is one question with all that was entered", () => {
  assert.deepEqual(found.whichQuestion(found.readDocuments(found.BOOK_EXAMPLE), found.BOOK_EXAMPLE), {
    ask: "which",
    measure: "NDCG",
    stated: "0.737",
    grades: [2, 1, 0, 3],
    scores: [0.9, 0.6, 0.6, 0.6],
    ids: ["d4", "d1", "d2", "d3"],
    judged: [2, 1, 0, 3, 3],
    k: 3,
  });
});

test("a DCG is asked for without judged documents, which it has no ideal for", () => {
  const entries = { ...found.BOOK_EXAMPLE, measure: "DCG" };
  assert.equal(found.whichQuestion(found.readDocuments(entries), entries).judged, null);
});

test("a number behind the name of its measure is asked about alone", () => {
  const entries = { ...found.BOOK_EXAMPLE, stated: "nDCG@3: 0.737" };
  assert.equal(found.whichQuestion(found.readDocuments(entries), entries).stated, "0.737");
});

test("what was not entered is null in a question", () => {
  const asked = found.differenceQuestion(read({}), "a", "b");
  assert.deepEqual([asked.scores, asked.ids, asked.judged, asked.k], [null, null, null, null]);
});

/** @type {[object, RegExp][]} */
const REFUSED = [
  [{ scores: "1, 2" }, /^Scores: expected one for each of 3 grades, got 2\.$/],
  [{ scores: "1, 2, <b>" }, /^Scores: expected numbers, got “<b>”\.$/],
  [{ scores: "[[1, 2, 3]]" }, /^Scores: expected numbers/],
  [{ ids: "a, b, c" }, /^Names: expected scores beside them/],
  [{ scores: "1 2 3", ids: "a, b" }, /^Names: expected one for each of 3 grades, got 2\.$/],
  [{ scores: "1 2 3", ids: "a, b, b" }, /^Names: expected a different one for each document\.$/],
  [{ grades: "1 ".repeat(201) }, /^Grades: expected at most 200, got 201\.$/],
  [{ grades: "1 ".repeat(10_000) }, /at most 1,000 grades/],
  [{ grades: "[[[[3]]]]" }, /^Grade 1: expected a number/],
  [{ cutoff: "-1" }, /^Cutoff: expected a whole number/],
];

for (const [given, message] of REFUSED) {
  test(`the entries ${JSON.stringify(given).slice(0, 60)} are refused`, () => {
    const found = read(given);
    assert.match(found.problem, message);
    assert.equal(found.ids, null);
  });
}

test("negative scores are read, and order the grades", () => {
  assert.deepEqual(found.inOrder(read({ scores: "-3, −1, -2" })), [0, 1, 3]);
});

test("equal scores leave the order open", () => {
  assert.equal(found.inOrder(read({ scores: "1, 1, 0" })), null);
});

test("the first pair is one that prints the number and one of the two best known", () => {
  const rows = [
    { convention: "torchmetrics-1", matches: true },
    { convention: "scikit-learn-1.9", matches: true },
    { convention: "trec_eval-9", matches: false },
    { convention: "scikit-learn-1.9-ignore_ties", matches: false },
  ];
  const untried = [{ convention: "trec_eval-10", reason: "" }];
  const { a, b, names } = found.firstPair({ rows, untried });
  assert.deepEqual([a, b, names.length], ["scikit-learn-1.9", "trec_eval-10", 5]);
});

test("a convention that does not cover the ranking is apart from those that print the number", () => {
  const rows = [
    { convention: "a", matches: true, not_covered: "" },
    { convention: "b", matches: true, not_covered: "not covered by b: ties (1 query)" },
    { convention: "c", matches: false, not_covered: "" },
  ];
  const { covered, outside } = found.matchesOf({ rows });
  assert.deepEqual([covered, outside], [[rows[0]], [rows[1]]]);
  assert.deepEqual(found.firstPair({ rows: rows.slice(1), untried: [] }).a, "b");
});

test("the first pair begins with one that covers the ranking", () => {
  const rows = [
    { convention: "scikit-learn-1.9", matches: true, not_covered: "not covered: one" },
    { convention: "torchmetrics-1", matches: true, not_covered: "" },
  ];
  assert.equal(found.firstPair({ rows, untried: [] }).a, "torchmetrics-1");
});

test("the way adds up its moves, and names what moves nothing", () => {
  const rows = [
    { words: "negative grades", moved: 0, shown: "0" },
    { choice: "ideal", moved: -0.25, shown: "−0.250000" },
    { choice: "ties", moved: 0.125, shown: "+0.125000" },
  ];
  const { moving, still } = found.wayOf({ rows, value_a: 0.75 });
  assert.deepEqual(
    moving.map(({ after }) => after),
    [0.5, 0.625],
  );
  assert.deepEqual(still, ["negative grades"]);
});

test("conventions of one value and cutoff share a row, and the order stays", () => {
  const row = { matches: false, cutoffs: [], k: 3, computed: 0.5 };
  const rows = [
    { ...row, convention: "a" },
    { ...row, convention: "b", computed: null },
    { ...row, convention: "c", computed: 0.5 + 1e-12 },
    { ...row, convention: "d", k: null },
  ];
  assert.deepEqual(
    found.byValue(rows).map((each) => [each.value, each.cutoff, each.rows.map(({ convention }) => convention).join()]),
    [
      ["0.500000", "cutoff 3", "a,c"],
      ["no value", "cutoff 3", "b"],
      ["0.500000", "cutoff none", "d"],
    ],
  );
});

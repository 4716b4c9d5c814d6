// A query as a reader enters it, and the order of documents whose scores are equal.

import assert from "node:assert/strict";
import test from "node:test";
import { evaluated } from "../src/documents.js";
import { NO_QUERY, readQuery } from "../src/query.js";

const RULE = {
  ...{ gain: "linear", discount: "log(rank+1)", base: 2, zero_ideal: "nan", ideal: "judged", ideal_cut: "k" },
  ...{ ties: "id-descending", scores: "float64", fractional: "keep" },
};

/** @param {object} given */
const read = (given) => readQuery({ ...NO_QUERY, ...given });

test("without scores the documents are in their order, and have names that sort as they count", () => {
  const { docs, k, scored, problem } = read({ grades: "1 ".repeat(10), cutoff: "3" });
  assert.deepEqual([docs[0].id, docs[9].id, k, scored, problem], ["d01", "d10", 3, false, ""]);
  assert.ok(docs[0].score > docs[1].score);
});

test("negative scores are read, and order the grades", () => {
  const query = read({ grades: "3, 0, 1", scores: "-3, −1, -2" });
  assert.deepEqual(
    evaluated(query, RULE).ranks.map(({ gain }) => gain),
    [0, 1, 3],
  );
});

test("names are compared as Python compares them, also beyond the first 65,536 characters", () => {
  const query = read({ grades: "1, 2, 3", scores: "1 1 1", names: "\u{1f600} \uffee a" });
  assert.deepEqual(
    evaluated(query, RULE).ranks.map(({ gain }) => gain),
    [1, 2, 3],
  );
});

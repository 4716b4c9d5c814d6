// The formulas on tables that a reader can redo by hand.

import assert from "node:assert/strict";
import test from "node:test";
import { cg, dcg, discounts, fsum, gains, idcg, missingGrade, ndcg, RULES, terms } from "../src/formulas.js";

test("gains and discounts are those that the rule names", () => {
  assert.deepEqual(gains([3, 0, 1], RULES.EXPONENTIAL), [7, 0, 1]);
  assert.deepEqual(gains([3, 0], { ...RULES.STANDARD, gain: "binary" }), [1, 0]);
  assert.deepEqual(discounts(3, RULES.STANDARD), [1, Math.log2(3), 2]);
  assert.deepEqual(discounts(4, RULES.ORIGINAL), [1, 1, Math.log2(3), 2]);
  assert.deepEqual(discounts(3, { ...RULES.STANDARD, discount: "rank" }), [1, 2, 3]);
  assert.deepEqual(terms([3, 0, 1], { ...RULES.STANDARD, discount: "none" }), [3, 0, 1]);
});

test("an unknown gain is refused by name", () => {
  assert.throws(() => gains([1], { ...RULES.STANDARD, gain: "toString" }), /expected one of linear, .*got toString/);
});

test("a sum is rounded once", () => {
  assert.equal(fsum(Array(10).fill(0.1)), 1);
  assert.equal(fsum([1e16, 1, 1e-16]), 10000000000000002); // halfway, and the rest decides
  assert.equal(fsum([]), 0);
});

test("DCG, ideal DCG and NDCG of [2, 0, 1] are those of the formula", () => {
  assert.equal(cg([2, 0, 1], 2), 2);
  assert.equal(dcg([2, 0, 1]), 2.5);
  assert.equal(idcg([2, 0, 1]), fsum([2, 1 / Math.log2(3)]));
  assert.equal(ndcg([2, 0, 1], 1), 1);
  assert.equal(ndcg([0, 1], null, RULES.STANDARD, [3, 1]), 1 / Math.log2(3) / fsum([3, 1 / Math.log2(3)]));
});

test("a ranking without ideal gain has no NDCG", () => {
  assert.equal(ndcg([0, 0]), Number.NaN);
  assert.equal(ndcg([]), Number.NaN);
});

test("judged grades that lack one of the ranking have no ideal", () => {
  assert.equal(missingGrade([2, 2], [2, 1]), 2);
  assert.equal(missingGrade([2, 0, 0], [2]), null); // not judged counts as grade 0
  assert.equal(idcg([3], null, RULES.STANDARD, [1]), Number.NaN);
});

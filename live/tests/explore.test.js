// What the small explorables compute, and how the right choice is found.

import assert from "node:assert/strict";
import test from "node:test";
import { rightOne } from "../src/explore.js";
import { gained, pooledWeight, weighted } from "../src/systems.js";
import { orders, sorted, tiedValues } from "../src/ties.js";

/** @type {(computed: number, expected: number) => void} */
const near = (computed, expected) => assert.ok(Math.abs(computed - expected) < 1e-12, `${computed}, not ${expected}`);

/** @type {[string[], string, number][]} */
const ANSWERS = [
  [["System A", "System B"], "\n  System B✓: 1.667 is too small.", 1],
  [["Only 0.12", "Both"], "Both: each is half a unit away.", 1],
  [["Below", "Above"], "It is above.", -1],
];

for (const [choices, answer, place] of ANSWERS) {
  test(`of ${choices.join(" and ")}, choice ${place} is where the answer begins: ${answer.trim()}`, () => {
    assert.equal(rightOne(choices, answer), place);
  });
}

/** @type {[number[], number, number][]} */
const GAINED = [
  // grades, gain of grade 3, DCG
  [[3], 2.5, 2.5], // at rank 1 the gain counts in full
  [[0, 0, 3], 3, 1.5], // log2(4)
  [[2, 0, 1], 9, 1.25], // 1 / 1 + 0.5 / 2
  [[], 2, 0],
];

for (const [grades, x, dcg] of GAINED) {
  test(`grades ${grades} have a DCG of ${dcg} where grade 3 has the gain ${x}`, () => {
    const { parts, total } = gained(grades, x);
    near(total, dcg);
    assert.deepEqual(
      parts.map(({ label }) => Number(label)),
      grades,
    );
  });
}

test("the weight of a query is that of its part of the mean", () => {
  const rankings = [
    [1, 0],
    [0, 1],
  ];
  near(weighted(rankings, 0.25).total, 0.25 + 0.75 / Math.log2(3));
  assert.equal(weighted(rankings, 1).total, 1);
  assert.equal(weighted(rankings, 1).parts[1].size, 0);
});

test("in the ratio of sums a query has the weight of its ideal DCG", () => {
  assert.equal(pooledWeight([[0, 3], [1]]), 0.75);
});

test("a tie has each order once, and the mean is over all", () => {
  assert.deepEqual(orders([1, 2, 3]).map(String).sort(), ["1,2,3", "1,3,2", "2,1,3", "2,3,1", "3,1,2", "3,2,1"]);
  const { values, mean } = tiedValues([], [1, 0, 0], []);
  assert.equal(values.length, 6);
  near(mean, (1 + 1 / Math.log2(3) + 1 / 2) / 3); // at ranks 1, 2, 3
});

test("what stands before and after a tie keeps its rank", () => {
  near(tiedValues([0], [0, 0], [1]).mean, 1 / Math.log2(5)); // at rank 4
});

test("a rule sorts the tied results, and leaves the input as it is", () => {
  const input = [3, 0, 1];
  assert.deepEqual(sorted(input, "best first"), [3, 1, 0]);
  assert.deepEqual(sorted(input, "worst first"), [0, 1, 3]);
  assert.deepEqual(sorted(input, "as in the input"), [3, 0, 1]);
  assert.deepEqual(input, [3, 0, 1]);
});

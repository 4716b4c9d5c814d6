// What the front page says of a number.

import assert from "node:assert/strict";
import test from "node:test";
import { saidOfNumber } from "../src/asked.js";

/** @type {[string, string, RegExp][]} */
const SAID = [
  ["2 3 0 1 2", "0.895", /^✓ Right by the standard formula: 0\.895413\.$/],
  ["2 3 0 1 2", "0,895", /^✓ Right/],
  ["2 3 0 1 2", "0.94", /^✗ .* gives 0\.90\. You get 0\.94 with ranks 1 and 2 undiscounted, then log2\(rank\)\.$/],
  ["2 3 0 1 2", "0.832", /You get 0\.832 with the gain 2\^grade − 1\.$/],
  ["2 3 0 1 2", "0.5", /^✗ Not by the standard formula, which gives 0\.9\.$/],
  ["3 2 1", "1", /^✓ Right/],
  ["2 3 0 1 2", "1", /^✗/], // a bare 1 is exact
  ["0 0", "0.5", /^Without a relevant result there is no NDCG\.$/],
  ["2 x", "0.5", /Grade 2: expected a number/],
  ["", "0.5", /^Enter the grades/],
  ["3 2", "", /^Enter the grades/],
  ["3 2", "about one", /^Expected a number such as 0\.94\.$/],
];

for (const [grades, number, said] of SAID) {
  test(`of ${number || "nothing"} for ${grades || "nothing"} is said what is right`, () => {
    assert.match(saidOfNumber(grades, number), said);
  });
}

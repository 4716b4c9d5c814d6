// What was found in a note: the text in pieces, and the words for each number.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countsInWords, outcomeOf, piecesOf, remarkOnFinding } from "../src/noted.js";

/** @param {Partial<import("../src/noted.js").Finding>} given */
function finding(given) {
  return {
    ...{ start: 0, end: 1, line: 1, column: 1, stated: "1", name: "DCG", correct: null, reason: "", causes: [] },
    outcome: /** @type {const} */ ("slip"),
    ...given,
  };
}

const NOTES = [
  // what is shown, text, places of the findings, pieces
  ["no finding", "No number.", [], [["No number.", null]]],
  ["an empty text", "", [], []],
  [
    "a number between words",
    "DCG = 3.2 here",
    [[6, 9]],
    [
      ["DCG = ", null],
      ["3.2", 0],
      [" here", null],
    ],
  ],
  [
    "numbers at both ends, side by side",
    "1.02.0",
    [
      [0, 3],
      [3, 6],
    ],
    [
      ["1.0", 0],
      ["2.0", 1],
    ],
  ],
  [
    "characters that JavaScript counts twice",
    "😂𝒟 = 4.1",
    [[5, 8]],
    [
      ["😂𝒟 = ", null],
      ["4.1", 0],
    ],
  ],
  [
    "a number inside another one",
    "0.98 x",
    [
      [0, 4],
      [2, 4],
    ],
    [
      ["0.98", 0],
      [" x", null],
    ],
  ],
];

for (const [what, text, places, pieces] of /** @type {[string, string, number[][], [string, number | null][]][]} */ (
  NOTES
))
  test(`a note in pieces: ${what}`, () => {
    const found = piecesOf(
      text,
      places.map(([start, end]) => finding({ start, end })),
    );
    assert.deepEqual(
      found.map((each) => [each.text, each.place]),
      pieces,
    );
    assert.equal(found.map((each) => each.text).join(""), text);
  });

const COUNTS = [
  // agrees, slip, undefined, unchecked, words
  [0, 0, 0, 0, "No stated CG, DCG or NDCG was found in this text."],
  [1, 0, 0, 0, "1 stated number: 1 ✓ agrees."],
  [2, 1, 0, 0, "3 stated numbers: 2 ✓ agrees, 1 ✗ slip."],
  [0, 1, 2, 3, "6 stated numbers: 1 ✗ slip, 2 ∅ undefined, 3 ? not checked."],
];

for (const [agrees, slip, none, unchecked, words] of /** @type {[number, number, number, number, string][]} */ (COUNTS))
  test(`counts in words: ${words}`, () => {
    assert.equal(countsInWords({ agrees, slip, undefined: none, unchecked }), words);
  });

test("a slip says what is right, and a number that was not checked says why", () => {
  assert.equal(remarkOnFinding(finding({ correct: "0.97" })), "right is 0.97.");
  assert.equal(remarkOnFinding(finding({ outcome: "agrees", correct: "1" })), "");
  assert.equal(remarkOnFinding(finding({ outcome: "unchecked", reason: "nothing to go by" })), "nothing to go by.");
  assert.equal(outcomeOf("unchecked"), "? not checked");
});

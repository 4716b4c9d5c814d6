// What was found in a note: the text in pieces, and the words for each number.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countsInWords,
  isWrong,
  outcomeOf,
  piecesOf,
  remarkOnFinding,
  understoodInWords,
  withComment,
} from "../src/noted.js";

/** @param {Partial<import("../src/noted.js").Finding>} given */
function finding(given) {
  return {
    ...{ start: 0, end: 1, line: 1, column: 1, stated: "1", name: "DCG", correct: null, reason: "", causes: [] },
    outcome: /** @type {const} */ ("slip"),
    severity: /** @type {const} */ (""),
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
  // agrees, consistent, slip, impossible, undefined, unchecked; slips of the last digit, the line not read, words
  [[0, 0, 0, 0, 0, 0], 0, 0, "No number of a measure such as DCG, NDCG, AP or ERR was found in this text."],
  [[1, 0, 0, 0, 0, 0], 0, 0, "1 stated number: 1 ✓ agrees."],
  [[2, 0, 1, 0, 0, 0], 0, 0, "3 stated numbers: 2 ✓ agrees, 1 ✗ slip."],
  [[2, 0, 3, 0, 0, 0], 2, 0, "5 stated numbers: 2 ✓ agrees, 3 ✗ slip (2 in the last digit)."],
  [[0, 0, 1, 0, 2, 3], 0, 0, "6 stated numbers: 1 ✗ slip, 2 ∅ undefined, 3 ? not checked."],
  [[0, 2, 0, 1, 0, 0], 0, 0, "3 stated numbers: 2 ≈ consistent, 1 ‼ impossible."],
  [
    [1, 0, 0, 0, 0, 0],
    0,
    9,
    "1 stated number: 1 ✓ agrees. Line 9 and all below it were not read: the note is too long.",
  ],
];

for (const [counts, small, unread, words] of /** @type {[number[], number, number, string][]} */ (COUNTS))
  test(`counts in words: ${words}`, () => {
    const [agrees, consistent, slip, impossible, none, unchecked] = counts;
    const given = { agrees, consistent, slip, impossible, malformed: 0, undefined: none, unchecked };
    assert.equal(countsInWords(given, small, unread), words);
  });

test("a comment that says what was understood goes before the first number of the example", () => {
  const example = { first: 3, last: 3, words: "", comment: "<!-- ndcg: k=2 -->" };
  const { text, start, end } = withComment("a\n\nDCG = 3\nb", example);
  assert.equal(text, "a\n\n<!-- ndcg: k=2 -->\n\nDCG = 3\nb");
  assert.equal(text.slice(start, end), example.comment);
});

test("what was understood names the lines of the example", () => {
  assert.equal(
    understoodInWords({ first: 3, last: 5, words: "grades 3, 2; k = 2", comment: "" }),
    "Lines 3 to 5: grades 3, 2; k = 2.",
  );
  assert.equal(
    understoodInWords({ first: 3, last: 3, words: "no grades were found", comment: "" }),
    "Line 3: no grades were found.",
  );
});

test("a slip, an impossible number, a malformed comment and a number without a value are wrong", () => {
  const outcomes = /** @type {const} */ (["agrees", "slip", "impossible", "malformed", "undefined", "unchecked"]);
  const wrong = outcomes.filter((outcome) => isWrong(finding({ outcome })));
  assert.deepEqual(wrong, ["slip", "impossible", "malformed", "undefined"]);
});

test("a slip says what is right, and a number that was not checked says why", () => {
  assert.equal(remarkOnFinding(finding({ correct: "0.97" })), "right is 0.97.");
  assert.equal(remarkOnFinding(finding({ outcome: "agrees", correct: "1" })), "");
  assert.equal(remarkOnFinding(finding({ outcome: "unchecked", reason: "nothing to go by" })), "nothing to go by.");
  assert.equal(outcomeOf("unchecked"), "? not checked");
});

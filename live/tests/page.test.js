// What is read from a text field.

import assert from "node:assert/strict";
import test from "node:test";
import { readGrades } from "../src/page.js";

/** @type {[string, number[]][]} */
const READ = [
  ["3, 2, 0", [3, 2, 0]],
  [" [3 2;0.5]\n", [3, 2, 0.5]],
  ["(1,.5,1e1)", [1, 0.5, 10]],
  ["", []],
  ["[]", []],
  ["-0", [0]],
  ["3,5", [3, 5]],
  ["[10]", [10]], // one grade
  ["10 0", [10, 0]],
  ["3.5 1.0 2.0", [3.5, 1, 2]],
];

for (const [text, grades] of READ) {
  test(`the grades in ${JSON.stringify(text)} are read`, () => {
    assert.deepEqual(readGrades(text), { grades, problem: "" });
  });
}

/** @type {[string, RegExp][]} */
const REFUSED = [
  ["3, x", /Grade 2: expected a number, got “x”/],
  ["[[3]]", /Grade 1: expected a number, got “\[3\]”/],
  ["3 -1", /Grade 2: expected 0 or more, got “-1”/],
  ["3 −1", /Grade 2: expected 0 or more, got “−1”/],
  ["1e999", /Grade 1: expected a smaller number/],
  ["9".repeat(31), /Grade 1: expected at most 30 characters, got 31/],
  ["1 ".repeat(1001), /Expected at most 1,000 grades/],
  ["1 ".repeat(100000), /Expected at most 1,000 grades/],
  ["NaN", /Grade 1: expected a number/],
  ["312032", /^“312032”: 6 grades, or one\? Write 3, 1, 2, 0, 3, 2, or \[312032\] for one grade\.$/],
  ["3,5 1,0 2,0", /^Decimal commas, or 6 grades\? Write 3\.5 1\.0 2\.0, or 3, 5, 1, 0, 2, 0\.$/],
  ["3,5; 1; 2,0", /^Decimal commas, or 5 grades\? Write 3\.5 1 2\.0, or 3, 5, 1, 2, 0\.$/],
];

for (const [text, problem] of REFUSED) {
  test(`${JSON.stringify(text.slice(0, 12))} is refused in words`, () => {
    const read = readGrades(text);
    assert.deepEqual(read.grades, []);
    assert.match(read.problem, problem);
  });
}

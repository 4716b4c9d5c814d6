// Printed numbers: how they are read, what they cover, and how a value is rounded to their digits.

import assert from "node:assert/strict";
import test from "node:test";
import { covers, readNumber, readWithComma, roundedTo } from "../src/numbers.js";

/** @param {string} text */
function read(text) {
  const printed = readNumber(text);
  assert(printed, text);
  return printed;
}

/** @type {[string, number, boolean][]} */
const COVERS = [
  ["0.63", 0.6309297535714575, true],
  ["0.63", 0.638, false], // within one unit, not within half
  ["0.630", 0.6309297535714575, false], // the zero claims a digit
  ["0.12", 0.125, true],
  ["0.13", 0.125, true],
  ["8", 8.4, true],
  ["97.8%", 0.9776, true],
  ["1.5e-1", 0.154, true],
  ["1/3", 1 / 3, true],
  ["1/3", 0.3334, false], // a fraction claims to be the value itself
  ["-0.5", -0.46, true],
  ["1,062", 1062.4, true],
  [".5", Number.NaN, false],
];

for (const [text, value, expected] of COVERS) {
  test(`${text} ${expected ? "covers" : "does not cover"} ${value}`, () => {
    assert.equal(covers(read(text), value), expected);
  });
}

/** @type {[string, number, string][]} */
const ROUNDED = [
  ["0.98", 0.97236, "0.97"],
  ["0.63", 0.125, "0.13"],
  ["0.12", 0.125, "0.12"], // right as it stands
  [".5", -0.7, "-.7"],
  ["97.8%", 1, "100.0%"],
  ["1,062", 1234567.2, "1,234,567"],
  ["1/3", 0.66, "2/3"],
  ["1.50e2", 153, "1.53e2"],
];

for (const [text, value, expected] of ROUNDED) {
  test(`${value} in the form of ${text} is ${expected}`, () => assert.equal(roundedTo(read(text), value), expected));
}

for (const text of ["", ".", "1.", "0,63", "1/0", "1,06", "nan", "0x1", "1e1000", "٣", "1 2", "9".repeat(201)]) {
  test(`${text.slice(0, 20) || "an empty text"} is no printed number`, () => assert.equal(readNumber(text), null));
}

test("a decimal comma is read, and said to be one", () => {
  const { printed, comma } = readWithComma("0,63");
  assert(printed && comma && covers(printed, 0.631));
  assert.equal(roundedTo(printed, 0.7), "0,70");
  assert.equal(readWithComma("1,062").comma, false);
  assert.equal(readWithComma("0.63").comma, false);
  assert.equal(readWithComma("a,b").printed, null);
});

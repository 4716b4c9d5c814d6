// A round of the quiz: its lines, the questions that are left, and the score.

import assert from "node:assert/strict";
import test from "node:test";
import { HIGHEST_ROUND, isDone, isRight, linesOf, ROUND, readRound, scoreOf } from "../src/round.js";

/**
 * @param {string} kind
 * @param {number} right
 */
const ask = (kind, right) => ({ kind, question: `${kind}?`, choices: ["a", "b", "c"], right });
const HOLDING = [ask("right or wrong", 0)];
const SLIP = [ask("right or wrong", 1), ask("the first wrong step", 1), ask("what happened", 2)];
const MEANING = [ask("what it means", 2)];

test("a round has ten different lines of all", () => {
  for (const round of [0, 1, 12, HIGHEST_ROUND]) {
    const lines = linesOf(97, round);
    assert.equal(new Set(lines).size, ROUND);
    assert.ok(lines.every((place) => Number.isInteger(place) && place >= 0 && place < 97));
  }
});

test("the same number gives the same round, and another number another one", () => {
  assert.deepEqual(linesOf(97, 12), linesOf(97, 12));
  assert.notDeepEqual(linesOf(97, 12), linesOf(97, 13));
});

test("every line occurs in some round, none in nearly all", () => {
  const seen = new Map();
  for (let round = 0; round < 2000; round++) {
    for (const place of linesOf(97, round)) seen.set(place, (seen.get(place) ?? 0) + 1);
  }
  assert.equal(seen.size, 97);
  const expected = (2000 * ROUND) / 97; // each line is as likely as any other
  for (const times of seen.values()) assert.ok(Math.abs(times - expected) < 6 * Math.sqrt(expected), `${times}`);
});

/** @type {[string, typeof SLIP, number[], boolean, boolean][]} */
const ANSWERED = [
  // what was answered, the line, the choices, whether no question is left, whether all is right
  ["nothing", SLIP, [], false, false],
  ["that a wrong line is wrong", SLIP, [1], false, false],
  ["that a wrong line is right", SLIP, [0], true, false],
  ["the step", SLIP, [1, 1], false, false],
  ["another step", SLIP, [1, 0], false, false],
  ["the step and the cause", SLIP, [1, 1, 2], true, true],
  ["the step and another cause", SLIP, [1, 1, 0], true, false],
  ["that a right line is right", HOLDING, [0], true, true],
  ["that a right line is wrong", HOLDING, [1], true, false],
  ["no question about the meaning", MEANING, [], false, false],
  ["the right meaning", MEANING, [2], true, true],
  ["another meaning", MEANING, [1], true, false],
];

for (const [what, line, chosen, done, right] of ANSWERED) {
  test(`after ${what} the questions are ${done ? "over" : "not over"}`, () => {
    assert.equal(isDone(line, chosen), done);
    assert.equal(isRight(line, chosen), right);
  });
}

test("the score counts each kind of question where it could be asked", () => {
  const lines = [HOLDING, HOLDING, SLIP, SLIP, SLIP, MEANING];
  const given = [[0], [1], [1, 1, 2], [1, 0, 2], [0], [2]];
  assert.deepEqual(scoreOf(lines, given), [
    { kind: "right or wrong", right: 3, of: 5 },
    { kind: "the first wrong step", right: 1, of: 3 },
    { kind: "what happened", right: 2, of: 3 },
    { kind: "what it means", right: 1, of: 1 },
  ]);
});

/** @type {[string, any, {round: number, given: number[][]} | null][]} */
const ADDRESSES = [
  ["", null, null],
  ["#how-it-works", null, null],
  ["#round=12", null, { round: 12, given: [] }],
  ["#round=12", { round: 12, given: [[0], [1, 2]] }, { round: 12, given: [[0], [1, 2]] }],
  ["#round=12", { round: 13, given: [[0], [1, 2]] }, { round: 12, given: [] }],
  ["#round=12", { round: 12, given: "x" }, { round: 12, given: [] }],
  ["#round=12", { round: 12, given: [[0, 0, 0, 0]] }, { round: 12, given: [] }],
  ["#round=12", { round: 12, given: [[1e9]] }, { round: 12, given: [] }],
  ["#round=12", { round: 12, given: Array(11).fill([]) }, { round: 12, given: [] }],
];

for (const [hash, state, found] of ADDRESSES) {
  test(`the address ${hash} with ${JSON.stringify(state)} gives ${found ? JSON.stringify(found) : "no round"}`, () => {
    assert.deepEqual(readRound(hash, state), { ...(found ?? { round: null, given: [] }), problem: "" });
  });
}

for (const hash of ["#round=-5", "#round=abc", "#round=1e9", "#round=1234567", "#round=", "#round=<b>", "#live1=%7B"]) {
  test(`the address ${hash} is not used, and the reader learns why`, () => {
    const { round, given, problem } = readRound(hash, { round: 5, given: [[0]] });
    assert.deepEqual([round, given], [null, []]);
    assert.match(problem, /was not used: expected #round= and a whole number from 0 to 999999, got “#/);
    assert.ok(problem.includes(hash));
  });
}

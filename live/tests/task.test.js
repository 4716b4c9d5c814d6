// A printed number against a ranking: the verdict, under each formula where the reader does not know it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeLines } from "../src/lines.js";
import { readNumber } from "../src/numbers.js";
import { sums } from "../src/sums.js";
import { asEntries, beside, NO_TASK, readCutoff, readTask } from "../src/task.js";

/** @param {string} grades @param {Record<string, string>} [more] */
const taskOf = (grades, more = {}) => readTask({ ...NO_TASK, grades, ...more });
/** @param {import("../src/task.js").Task} task @param {string} measure @param {string} text */
const judgeNumber = (task, measure, text) => judgeLines(/cg/i.test(text) ? text : `${measure} = ${text}`, task)[0];
const SECOND = "3, 2, 2, 1, 2, 1, 0, 0, 1";

test("a number agrees or is a slip, with the right value at its digits", () => {
  // grades, measure, convention, printed, outcome, right
  const table = [
    [SECOND, "DCG", "ORIGINAL", "8.32", "slip", "8.33"], // 8.3255
    [SECOND, "DCG", "ORIGINAL", "8.33", "agrees", "8.33"],
    [SECOND, "DCG", "ORIGINAL", "8", "agrees", "8"], // claims only the unit
    ["0 1", "NDCG", "STANDARD", "0.63", "agrees", "0.63"], // 1 / log2(3)
    ["0 1", "NDCG", "STANDARD", "0.630", "slip", "0.631"],
    ["2 3 0 1 2", "NDCG", "STANDARD", "1", "slip", "0.895413"], // a bare 1 is exact
    ["0 0 1 0 3 0", "NDCG", "STANDARD", "0", "slip", "0.457337"],
    ["3 2 1", "NDCG", "STANDARD", "1", "agrees", "1"],
    ["2 3 0 1 2", "NDCG", "STANDARD", "≈ 1", "agrees", "≈ 1"],
    ["2 3 0 1 2", "NDCG", "STANDARD", "NDCG ≈ 1", "agrees", "≈ 1"],
    ["2 3 0 1 2", "NDCG", "STANDARD", "NDCG = 1", "slip", "0.895413"],
    ["3 2 1 2 0", "NDCG", "STANDARD", "1.0", "agrees", "1.0"], // 5.6233/5.6926 = 0.98783
    ["3 2 1 2 0", "NDCG", "STANDARD", "100%", "slip", "99%"],
    ["1 0 0.8", "DCG", "STANDARD", "1", "agrees", "1"], // 1 + 0.8/2
    ["0 1", "NDCG", "STANDARD", "63%", "agrees", "63%"],
    ["0 1", "NDCG", "STANDARD", "63 %", "agrees", "63%"],
    ["0 1", "NDCG", "STANDARD", "63,1\u00a0%", "agrees", "63,1%"],
    ["0 1", "NDCG", "STANDARD", "63.0 % ", "slip", "63.1%"],
    ["0 1", "NDCG", "STANDARD", "NDCG := 0.631", "agrees", "0.631"],
    ["0 1", "NDCG", "STANDARD", "NDCG=0.631", "agrees", "0.631"],
    ["0 1", "NDCG", "STANDARD", "nDCG@2: 0.632", "slip", "0.631"],
    ["0 1", "NDCG", "STANDARD", "NDCG at 2 is 63,1 %", "agrees", "63,1%"],
    ["2 2 2 0 1", "CG", "STANDARD", "7⁄1", "agrees", "7/1"],
    ["0.5", "CG", "STANDARD", "½", "agrees", "1/2"],
    ["0.5", "CG", "STANDARD", "⅔", "slip", "0.5"],
    ["3 0.5", "CG", "STANDARD", "3½", "agrees", "7/2"],
    ["3 1", "DCG", "EXPONENTIAL", "7.6", "agrees", "7.6"], // 7 + 1 / log2(3) = 7.63
    ["2 3 1", "CG", "STANDARD", "5", "slip", "6"], // 2 + 3 + 1
    ["1 3", "IDCG", "STANDARD", "3.63", "agrees", "3.63"], // 3 + 1 / log2(3)
  ];
  for (const [grades, measure, convention, stated, outcome, correct] of table) {
    const line = judgeNumber(taskOf(grades, { convention }), measure, stated);
    assert.deepEqual([line.outcome, line.correct], [outcome, correct], stated);
  }
});

test("a value beside a number has the digits that it is judged by", () => {
  // printed, computed, as text
  const table = /** @type {[string, number, string][]} */ ([
    ["0.6856430", 0.6856434049, "0.6856434049"],
    ["0.686", 0.6856434049, "0.685643"],
    ["2.13", 2.1250000000000004, "2.125"], // half a unit below, and a sum in another order
    ["2.12", 2.125000001, "2.125000001"],
    ["8", 8.3255, "8.3255"],
    ["2.00", 2, "2"],
    ["1/3", 0.5, "0.5"],
    ["0.63", Number.NaN, "no value"],
  ]);
  for (const [text, value, said] of table)
    assert.equal(beside(/** @type {any} */ (readNumber(text)), value), said, text);
});

test("the cutoff and the documents that were not retrieved count", () => {
  const cut = judgeNumber(taskOf("0 2 1", { cutoff: "1" }), "NDCG", "0");
  assert.equal(cut.outcome, "agrees"); // nothing of grade above 0 at rank 1
  const missed = judgeNumber(taskOf("1", { unretrieved: "3" }), "IDCG", "3.63");
  assert.equal(missed.outcome, "agrees"); // 3 + 1 / log2(3)
});

test("a ranking without ideal gain has no NDCG", () => {
  assert.equal(judgeNumber(taskOf("0 0"), "NDCG", "0").outcome, "undefined");
  assert.equal(judgeNumber(taskOf("0 0"), "DCG", "0").outcome, "agrees");
});

test("a decimal comma is read, and of two readings the nearer one is taken", () => {
  assert.deepEqual(
    [judgeNumber(taskOf("0 1"), "NDCG", "0,63")].map(({ comma, outcome }) => [comma, outcome]),
    [[true, "agrees"]],
  );
  const three = judgeNumber(taskOf("0 1"), "NDCG", "0,631");
  assert.deepEqual([three.comma, three.outcome], [true, "agrees"]);
  const decimals = judgeNumber(taskOf("3 0 2"), "DCG", "4,000"); // 3 + 2 / 2
  assert.deepEqual([decimals.comma, decimals.outcome], [true, "agrees"]);
  const thousands = judgeNumber(taskOf("[4000]"), "DCG", "4,000");
  assert.deepEqual([thousands.comma, thousands.outcome], [false, "agrees"]);
});

test("what is no number is not read, and no slip", () => {
  for (const text of [`ndcg${" ".repeat(40_000)}`, "abc", "1.2.3", "NaN", "<b>1</b>", "1e9999", "=1+1x"])
    assert.equal(judgeNumber(taskOf("1"), "DCG", text).outcome, "unread", text);
});

test("what no task can be is refused in words", () => {
  // grades, more fields, what the refusal says
  const table = /** @type {[string, Record<string, string>, RegExp][]} */ ([
    ["1 ".repeat(10_000), {}, /at most 1,000/],
    ["[[[[1]]]]", {}, /expected a number/],
    ["1e999", {}, /expected a smaller number/],
    ["[2000]", { convention: "EXPONENTIAL" }, /no finite gain/],
    ["-1", {}, /0 or more/],
    ["<img src=x onerror=alert(1)>", {}, /expected a number/],
    ["1", { cutoff: "0" }, /from 1/],
    ["1", { cutoff: "2.5" }, /from 1/],
    ["1", { unretrieved: "x" }, /^Judged, but not retrieved/],
  ]);
  for (const [grades, more, said] of table) assert.match(taskOf(grades, more).problem, said);
  assert.deepEqual(readCutoff(" 10 "), { k: 10, problem: "" });
});

test("entries from outside are text of known fields, and nothing else", () => {
  const known = { grades: "1", cutoff: "" };
  for (const given of [
    null,
    3,
    "x",
    [],
    { grades: 7 },
    { grades: { a: 1 } },
    { other: "2" },
    { grades: "1".repeat(50_000) },
  ])
    assert.deepEqual(asEntries(known, given), known);
  assert.deepEqual(asEntries(known, { grades: "2", __proto__: { cutoff: 5 } }), { grades: "2", cutoff: "" });
  assert.equal(readTask({ ...NO_TASK, grades: "1", convention: "constructor" }).convention, "STANDARD");
});

test("the sums are written out, the last value as its number is judged", () => {
  assert.deepEqual(
    sums(taskOf("0 1"), "NDCG", "STANDARD", (value) => value.toFixed(9)).map((line) => line.split(" = ").at(-1)),
    ["0.63093", "1", "0.630929754"], // 1 / log2(3)
  );
  assert.deepEqual(sums(taskOf("3 0 2"), "NDCG", "STANDARD"), [
    "DCG = 3 + 0 + 1 = 4", // 2 / log2(4)
    "IDCG = 3 + 1.26186 + 0 = 4.26186", // 2 / log2(3)
    "NDCG = 4 / 4.26186 = 0.938557", // 4 / 4.261859507
  ]);
  assert.deepEqual(sums(taskOf("0 0"), "NDCG", "STANDARD").at(-1), "NDCG = 0 / 0 = no value: there is no ideal gain");
  assert.match(sums(taskOf("1 ".repeat(30)), "CG", "STANDARD")[0], /… \(10 more\) = 30$/);
});

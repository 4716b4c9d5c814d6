// A working cell by cell: what is right, what is a slip, and what follows from an earlier slip.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf, judgeCells } from "../src/cells.js";
import { remarkOn, standing } from "../src/remarks.js";
import { NO_TASK, readTask } from "../src/task.js";

/** @param {Record<string, string>} entries @param {Record<string, string>} [task] */
function judge(entries, task = {}) {
  const cells = cellsOf(readTask({ ...NO_TASK, grades: "3 0 2 1", ...task }));
  return { cells, judged: judgeCells(cells, entries) };
}

// 2/2; 3 + 0 + 1 + 0.4307; 4.4307 / 4.7619
const RIGHT = {
  "gain-1": "3",
  "discount-1": "1",
  "term-1": "3",
  "gain-2": "0",
  "discount-2": "1.58",
  "term-2": "0",
  "gain-3": "2",
  "discount-3": "2",
  "term-3": "1",
  "gain-4": "1",
  "discount-4": "2.32",
  "term-4": "0.43",
  DCG: "4.43",
  "best-1": "3",
  "ideal-1": "3",
  "best-2": "2",
  "ideal-2": "1.26",
  "best-3": "1",
  "ideal-3": "0.5",
  "best-4": "0",
  "ideal-4": "0",
  IDCG: "4.76",
  NDCG: "0.93",
};

test("a right working agrees in every cell", () => {
  const { cells, judged } = judge(RIGHT);
  assert.deepEqual(
    cells.map(({ key }) => key),
    Object.keys(RIGHT),
  );
  assert.deepEqual(
    [...judged.values()].map(({ state }) => state),
    cells.map(() => "agrees"),
  );
});

test("an NDCG of 1 without a point is exact, and a whole DCG is not", () => {
  const { judged } = judge({ ...RIGHT, DCG: "4", NDCG: "1" });
  assert.equal(judged.get("DCG")?.state, "agrees");
  assert.deepEqual([judged.get("NDCG")?.state, judged.get("NDCG")?.from], ["slip", []]);
  const own = judge({ ...RIGHT, DCG: "4.76", NDCG: "1" }).judged; // 4.76/4.76
  assert.deepEqual([own.get("NDCG")?.state, own.get("NDCG")?.from], ["slip", ["DCG"]]);
});

test("a slip is found where it is made, and what follows from it is told apart", () => {
  // what is wrong, the slips, what follows from each
  const table = /** @type {[Record<string, string>, string[], Record<string, string[]>][]} */ ([
    // log2(3) at rank 3, and all that comes from it: 2/1.585 = 1.26; 4.69; 4.69/4.76 = 0.985
    [
      { "discount-3": "1.58", "term-3": "1.26", DCG: "4.69", NDCG: "0.99" },
      ["discount-3"],
      { "term-3": ["discount-3"], DCG: ["discount-3"], NDCG: ["discount-3"] },
    ],
    // the same, by the discount as written: 2/1.58 = 1.266
    [
      { "discount-3": "1.58", "term-3": "1.27", DCG: "4.70", NDCG: "0.99" },
      ["discount-3"],
      { "term-3": ["discount-3"], DCG: ["discount-3"], NDCG: ["discount-3"] },
    ],
    // a wrong term, and a DCG that is right all the same: a mistake that was mended on the way
    [{ "term-3": "1.2" }, ["term-3"], {}],
    // two slips: the gain, and then a wrong sum of 4 + 0 + 1 + 0.43
    [{ "gain-1": "4", "term-1": "4", DCG: "5.63" }, ["gain-1", "DCG"], { "term-1": ["gain-1"] }],
    // the ideal order is that of the ranking: 3, 0, 2, 1
    [
      {
        "best-2": "0",
        "ideal-2": "0",
        "best-3": "2",
        "ideal-3": "1.00",
        "best-4": "1",
        "ideal-4": "0.43",
        IDCG: "4.43",
        NDCG: "1.00",
      },
      ["best-2", "best-3", "best-4"],
      {
        "ideal-2": ["best-2"],
        "ideal-3": ["best-3"],
        "ideal-4": ["best-4"],
        IDCG: ["best-2", "best-3", "best-4"],
        NDCG: ["best-2", "best-3", "best-4"],
      },
    ],
    // numerator and denominator exchanged: 4.76 / 4.43
    [{ NDCG: "1.07" }, ["NDCG"], {}],
  ]);
  for (const [wrong, slips, carried] of table) {
    const { judged } = judge({ ...RIGHT, ...wrong });
    const found = [...judged].filter(([, { state }]) => state === "slip");
    assert.deepEqual(
      found.filter(([, { from }]) => !from.length).map(([key]) => key),
      slips,
      JSON.stringify(wrong),
    );
    assert.deepEqual(
      Object.fromEntries(found.filter(([, { from }]) => from.length).map(([key, { from }]) => [key, from])),
      carried,
    );
  }
});

test("a slip that skips cells left empty is still followed", () => {
  const { judged } = judge({ "gain-3": "3", DCG: "4.93" }); // 3 + 3/2 + 0.43
  assert.deepEqual(judged.get("DCG")?.from, ["gain-3"]);
});

test("what follows from right cells as rounded is a slip, and says so", () => {
  // 1 at each rank from 1 to 4: 1 + 0.631 + 0.5 + 0.431 = 2.562, and 1 + 0.6 + 0.5 + 0.4 = 2.5
  const { judged } = judge(
    { "term-1": "1", "term-2": "0.6", "term-3": "0.5", "term-4": "0.4", DCG: "2.5" },
    { grades: "1 1 1 1" },
  );
  const total = judged.get("DCG");
  assert.deepEqual([total?.state, total?.from, total?.carried, total?.correct], ["slip", [], true, "2.6"]);
});

test("empty and unreadable entries are no slips, and a decimal comma is read", () => {
  const { judged } = judge({ "gain-1": " ", "term-1": "three", "discount-2": "1,58", DCG: "1e999", NDCG: "<b>1</b>" });
  const states = Object.fromEntries([...judged].map(([key, { state, comma }]) => [key, [state, comma]]));
  assert.deepEqual(states["gain-1"], ["empty", false]);
  assert.deepEqual(states["term-1"], ["unread", false]);
  assert.deepEqual(states["discount-2"], ["agrees", true]);
  assert.deepEqual(states.DCG, ["slip", false]);
  assert.deepEqual(states.NDCG, ["unread", false]);
});

test("a cell takes a fraction as one sign", () => {
  const { judged } = judge({ "term-1": "3½", "term-4": "½" }, { grades: "3.5 0 2 2" }); // 2 / log2(5) = 0.861
  assert.deepEqual([judged.get("term-1")?.state, judged.get("term-4")?.state], ["agrees", "slip"]);
});

test("a number that agrees only because it has no decimals says so", () => {
  // log2(3) is 1.58, and 3/log2(3) 1.89; a gain is a whole number, and 2 = log2(4) is one
  const entries = { "discount-2": "2", "term-2": "2", "gain-2": "3", "discount-3": "2", "term-3": "1.0" };
  const { judged } = judge(entries, { grades: "1 3 2" });
  const coarse = Object.keys(entries).filter((key) => judged.get(key)?.coarse);
  assert.deepEqual(coarse, ["discount-2", "term-2"]);
  assert.deepEqual(
    Object.keys(entries).map((key) => judged.get(key)?.state),
    Object.keys(entries).map(() => "agrees"),
  );
  const said = remarkOn(/** @type {any} */ (judged.get("discount-2")), "2", {}, "")?.said ?? "";
  assert.match(said, /whole number agrees.*Only decimals/);
});

test("what was not read is told what a cell takes, and a calculation where it is read", () => {
  const { judged } = judge({ "term-1": "3/log2(2)", "term-2": "zero" });
  /** @param {string} key @param {string} text */
  const said = (key, text) => remarkOn(/** @type {any} */ (judged.get(key)), text, {}, "")?.said ?? "";
  assert.match(said("term-1", "3/log2(2)"), /a whole number, a decimal .* or a fraction .*read as a line/);
  assert.match(said("term-2", "zero"), /such as 1\/3\.$/);
});

test("the cutoff shortens the tables, and documents that were not retrieved lengthen the ideal", () => {
  const { cells } = judge({}, { cutoff: "2", unretrieved: "3" });
  assert.deepEqual(
    cells.map(({ key }) => key).filter((key) => /^(term|ideal)/.test(key)),
    ["term-1", "term-2", "ideal-1", "ideal-2"],
  );
  assert.deepEqual(
    cells.filter(({ key }) => key.startsWith("best")).map(({ value }) => value),
    [3, 3],
  );
});

test("without ideal gain NDCG is undefined", () => {
  assert.equal(judge({ NDCG: "0" }, { grades: "0 0" }).judged.get("NDCG")?.state, "undefined");
});

test("each outcome has a mark and a word", () => {
  const { judged } = judge({ "gain-1": "3", "discount-3": "1.58", "term-3": "1.26", "term-4": "x" });
  const names = { "discount-3": "discount at rank 3" };
  /** @param {string} key @param {string} text @param {string} [hint] */
  const said = (key, text, hint = "") => remarkOn(/** @type {any} */ (judged.get(key)), text, names, hint);
  assert.deepEqual([said("gain-1", "3")?.mark, said("gain-1", "3")?.word], ["✓", "agrees"]);
  assert.equal(said("gain-2", ""), null);
  assert.equal(said("term-4", "x")?.word, "not read");
  assert.deepEqual(said("term-3", "1.26"), {
    mark: "↳",
    word: "slip, carried on",
    kind: "carried",
    said: "It follows from your discount at rank 3. The step itself is right.",
  });
  assert.equal(said("discount-3", "1.58", "Which rank is this?")?.said, "Which rank is this?");
  const all = ["gain-1", "discount-3", "term-3", "term-4", "DCG"].map((key) => said(key, "1"));
  assert.equal(standing(all), "✓ 1 of 4 filled in agrees, ✗ 1 slip, ↳ 1 carried on, ? 1 not read");
  assert.equal(standing([null]), "No cell is filled in yet");
});

test("an ideal term that is made from a wrong gain of the ranking is carried on", () => {
  const grown = { "gain-1": "7", "term-1": "7", "gain-3": "3", "term-3": "1.5", DCG: "8.93" }; // 2^grade - 1
  const ideal = { "ideal-1": "7", "ideal-2": "1.89", IDCG: "9.39", NDCG: "0.95" }; // 3/1.585; 7 + 1.893 + 0.5; 8.93/9.39
  const entries = { ...RIGHT, ...grown, ...ideal };
  const { judged } = judge(entries);
  const slips = [...judged].filter(([, each]) => each.state === "slip");
  assert.deepEqual(
    slips.filter(([, { from }]) => from.length === 0).map(([key]) => key),
    ["gain-1", "gain-3"],
  );
  assert.deepEqual(judged.get("ideal-2")?.from, ["gain-3"]);
  // a term that is made from neither the right gain nor that one is a slip of its own
  assert.deepEqual(judge({ ...entries, "ideal-2": "1.5" }).judged.get("ideal-2")?.from, []);
});

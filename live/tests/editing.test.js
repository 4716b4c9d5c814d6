import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  added,
  bestOrder,
  chosenIn,
  forLink,
  fromLink,
  graded,
  moved,
  nextGrade,
  removed,
  sorted,
  TASKS,
} from "../src/editing.js";

/** @typedef {import("../src/editing.js").State} State */

const BOOTS = [
  { title: "Choosing boots", grade: 2 },
  { title: "Boots on test", grade: 3 },
  { title: "Boot camp", grade: 0 },
];

/** @type {State} */
const START = {
  lists: [BOOTS],
  missing: [],
  pool: false,
  gain: "linear",
  discount: "log(rank+1)",
  base: 2,
  cutoff: null,
  ideal: "judged",
  example: "0",
  moves: 0,
};
/** @type {State} */
const POOL = { ...START, missing: [{ title: "Boots that last", grade: 3 }], pool: true };
/** @type {State} */
const TWO = { ...START, lists: [BOOTS, [{ title: "Boot brands", grade: 1 }]] };

/** @param {State} state */
const shown = (state, list = 0) => state.lists[list].map(({ title, grade }) => `${title} ${grade}`).join(", ");

const EDITS = [
  // what is done, the state after it, what it shows
  ["a result moved up", moved(START, 0, 1, 0), "Boots on test 3, Choosing boots 2, Boot camp 0"],
  ["a result moved over two", moved(START, 0, 0, 2), "Boots on test 3, Boot camp 0, Choosing boots 2"],
  ["a grade changed", graded(START, 0, 2, 4), "Choosing boots 2, Boots on test 3, Boot camp 4"],
  ["a result removed", removed(START, 0, 0), "Boots on test 3, Boot camp 0"],
  ["a result added", added(START), "Choosing boots 2, Boots on test 3, Boot camp 0, Result 4 0"],
  ["another one removed, and one added", added(removed(added(START), 0, 0)), /Boot camp 0, Result 4 0, Result 5 0$/],
  ["an example chosen", chosenIn(START, "example", "1", '[{"title": "A", "grade": 0.6}]'), "A 0.6"],
  ["a judged result retrieved", added(POOL), /Boot camp 0, Boots that last 3$/],
];

const REFUSED = [
  // why, the edit
  ["a result moves above the first rank", (/** @type {State} */ state) => moved(state, 0, 0, -1)],
  ["a result moves below the last rank", (/** @type {State} */ state) => moved(state, 0, 2, 3)],
  ["a result moves to its own rank", (/** @type {State} */ state) => moved(state, 0, 1, 1)],
  ["a grade is set to what it is", (/** @type {State} */ state) => graded(state, 0, 1, 3)],
];

describe("an edit", () => {
  for (const [name, state, expected] of EDITS) {
    it(`shows ${name}`, () => {
      if (expected instanceof RegExp) assert.match(shown(/** @type {State} */ (state)), expected);
      else assert.equal(shown(/** @type {State} */ (state)), expected);
    });
  }

  for (const [name, edit] of REFUSED) {
    it(`changes nothing where ${name}`, () => {
      assert.equal(/** @type {(state: State) => State} */ (edit)(START), START);
    });
  }

  it("leaves the state before it as it was, so that it can be undone", () => {
    const before = structuredClone(POOL);
    removed(added(graded(moved(POOL, 0, 0, 1), 0, 0, 4)), 0, 0);
    assert.deepEqual(POOL, before);
  });

  it("counts as one change, and one that is refused as none", () => {
    assert.equal(graded(moved(START, 0, 0, 1), 0, 0, 4).moves, 2);
    assert.equal(moved(START, 0, 0, -1).moves, 0);
  });

  it("of one ranking leaves the other", () => {
    assert.equal(shown(graded(TWO, 1, 0, 4), 0), shown(TWO, 0));
    assert.equal(shown(graded(TWO, 1, 0, 4), 1), "Boot brands 4");
  });

  it("leads to at most 20 results and to at least one", () => {
    let state = START;
    for (let i = 0; i < 30; i++) state = added(state);
    assert.equal(state.lists[0].length, 20);
    assert.equal(new Set(state.lists[0].map(({ title }) => title)).size, 20);
    for (let i = 0; i < 30; i++) state = removed(state, 0, 0);
    assert.equal(state.lists[0].length, 1);
  });
});

describe("the grade after a click", () => {
  for (const [grade, next] of [
    [0, 1],
    [3, 4],
    [4, 0],
    [0.6, 1],
    [9, 0],
  ]) {
    it(`is ${next} after ${grade}`, () => assert.equal(nextGrade(grade), next));
  }
});

describe("the best order", () => {
  it("has the judged results that were not retrieved, and those of equal grade in their order", () => {
    assert.deepEqual(
      bestOrder(POOL).map(({ title }) => title),
      ["Boots on test", "Boots that last", "Choosing boots", "Boot camp"],
    );
  });

  it("has the retrieved ones alone where they are chosen", () => {
    assert.equal(bestOrder(chosenIn(POOL, "ideal", "ranked")).length, 3);
  });

  it("keeps a removed result that was judged", () => {
    assert.equal(bestOrder(removed(POOL, 0, 1)).length, 4);
    assert.equal(bestOrder(removed(START, 0, 1)).length, 2);
  });
});

describe("the order of a button", () => {
  it("is that of the grades, or the reverse", () => {
    assert.equal(shown(sorted(START, "best")), "Boots on test 3, Choosing boots 2, Boot camp 0");
    assert.equal(shown(sorted(START, "worst")), "Boot camp 0, Choosing boots 2, Boots on test 3");
  });
});

describe("a link", () => {
  const CHOICES = { gain: ["linear", "exponential"], cutoff: ["", "1", "2"] };
  const edits = chosenIn(chosenIn(graded(moved(START, 0, 1, 0), 0, 2, 4), "gain", "exponential"), "cutoff", "2");

  it("leads to the state that it was made of, with no change counted", () => {
    const given = JSON.parse(JSON.stringify(forLink(edits, Object.keys(CHOICES))));
    assert.deepEqual(fromLink(START, given, CHOICES), { ...edits, moves: 0 });
  });

  it("leaves judged what is not retrieved", () => {
    const found = fromLink(POOL, { lists: [[["Boot camp", 0]]] }, {});
    assert.deepEqual(
      found.missing.map(({ title }) => title),
      ["Choosing boots", "Boots on test", "Boots that last"],
    );
  });

  it("leaves out a choice that the page does not have", () => {
    const given = { lists: [[["A", 1]]], gain: "constructor", discount: "none", cutoff: "7" };
    const { gain, discount, cutoff } = fromLink(START, given, CHOICES);
    assert.deepEqual([gain, discount, cutoff], ["linear", "log(rank+1)", null]);
  });

  for (const lists of [
    undefined,
    "A",
    [],
    [[]],
    [[["A", 1]], [["B", 1]]],
    [[["A", -1]]],
    [[["A", Number.NaN]]],
    [[["A", "1"]]],
    [[[1, 1]]],
    [[["A".repeat(101), 1]]],
    [["A"]],
    [Array(21).fill(["A", 1])],
  ]) {
    it(`to ${String(JSON.stringify(lists)).slice(0, 40)} shows what the page has`, () => {
      assert.equal(fromLink(START, { lists }, CHOICES), START);
    });
  }

  it("without a state shows what the page has", () => {
    for (const given of [null, undefined, 3, "x"]) assert.equal(fromLink(START, given, CHOICES), START);
  });
});

describe("a task", () => {
  const sorted = moved(START, 0, 1, 0);
  const retrieved = moved(moved(added(POOL), 0, 3, 0), 0, 2, 0);
  const TASKS_DONE = [
    // task, start, a state, whether it is reached
    ["best", START, START, false],
    ["best", START, sorted, true],
    ["best", START, graded(START, 0, 0, 3), false], // by a grade
    ["best", POOL, moved(POOL, 0, 1, 0), false], // one is missing
    ["best", POOL, retrieved, true],
    ["best", POOL, chosenIn(moved(POOL, 0, 1, 0), "ideal", "ranked"), false], // by a choice
    ["level", TWO, TWO, false],
    ["level", TWO, graded(graded(TWO, 1, 0, 2), 1, 0, 5), true], // one grade, in two steps
    ["level", TWO, graded(graded(TWO, 1, 0, 2), 0, 1, 0), false], // two grades
    ["level", TWO, removed(graded(TWO, 1, 0, 2), 0, 1), false], // one is gone
    ["worst", START, START, false],
    ["worst", START, moved(START, 0, 2, 0), true],
    ["worst", START, graded(graded(START, 0, 0, 0), 0, 1, 0), false],
    ["lower", START, moved(START, 0, 2, 1), false], // the top three
    ["lower", START, graded(added(START), 0, 3, 4), true], // the ideal grows by more
    ["lower", START, chosenIn(START, "gain", "exponential"), false],
  ];
  for (const [task, start, state, reached] of TASKS_DONE) {
    it(`${task} is ${reached ? "" : "not "}reached by ${shown(/** @type {State} */ (state))}`, () => {
      assert.equal(TASKS[String(task)](/** @type {State} */ (start), /** @type {State} */ (state)), reached);
    });
  }
});

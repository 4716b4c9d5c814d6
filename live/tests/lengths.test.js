import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { countOfOrders, fixed, levelOf, ribbons, shareOf } from "../src/lengths.js";

const RULE = { gain: "linear", discount: "rank", base: 2, cutoff: null };

/** @param {number[]} grades */
const docsOf = (grades) => grades.map((grade, i) => ({ title: `Result ${i + 1}`, grade }));

describe("a ribbon", () => {
  const DOCS = docsOf([2, 3, 0, 1, 2]);
  const best = { label: "Best order", docs: docsOf([3, 2, 2, 1, 0]) };
  const [own, ideal] = ribbons([{ label: "This order", docs: DOCS }, best], RULE, true);

  it("has its terms one behind the other", () => {
    // 2, 3/2, 0/3, 1/4 and 2/5 of 3 + 2/2 + 2/3 + 1/4
    assert.deepEqual(
      own.terms.map(({ text }) => text),
      ["2.00", "1.50", "0.00", "0.25", "0.40"],
    );
    assert.equal(ideal.total, "4.917");
    assert.ok(Math.abs(own.terms[1].at - 2 / (3 + 1 + 2 / 3 + 1 / 4)) < 1e-12);
    assert.equal(own.total, "4.150");
  });

  it("has gains as they are where nothing is discounted", () => {
    assert.equal(ribbons([{ label: "A", docs: DOCS }], RULE, false)[0].total, "8");
  });

  it("ends at the cutoff", () => {
    assert.equal(ribbons([{ label: "A", docs: DOCS }], { ...RULE, cutoff: 2 }, true)[0].terms.length, 2);
  });

  it("gives a share, and its place among all orders", () => {
    const share = shareOf([own, ideal], DOCS, RULE);
    assert.equal(share.text, "0.844"); // 4.15/4.9167
    assert.match(share.among?.said ?? "", /^All 60 orders of these grades: this one beats \d+$/);
    assert.equal(
      share.among?.dots.reduce((sum, [, count]) => sum + count, 0),
      60,
    );
  });

  it("without ideal gain gives no share", () => {
    const none = docsOf([0, 0]);
    const made = ribbons(
      ["This order", "Best order"].map((label) => ({ label, docs: none })),
      RULE,
      true,
    );
    assert.deepEqual(shareOf(made, none, RULE), { text: "undefined", value: 0, among: null });
  });
});

describe("the count of orders", () => {
  for (const [values, count] of /** @type {[number[], number][]} */ ([
    [[1], 1],
    [[2, 3, 0, 1, 2], 60], // 5!/2!
    [[1, 1, 0, 0], 6],
    [Array.from({ length: 20 }, (_, i) => i), 2432902008176640000],
  ])) {
    it(`is ${count} for ${values}`, () => assert.equal(countOfOrders(values), count));
  }
});

describe("a number with decimals", () => {
  for (const [value, digits, text] of /** @type {[number, number, string][]} */ ([
    [0.8125, 3, "0.812"], // an exact half, to the even digit, as in Python
    [0.8135, 3, "0.814"],
    [0.125, 2, "0.12"],
    [0.375, 2, "0.38"],
    [1.005, 2, "1.00"], // which is a little less
    [2, 0, "2"],
  ])) {
    it(`is ${text} for ${value}`, () => assert.equal(fixed(value, digits), text));
  }
});

describe("the shade of a grade", () => {
  for (const [grade, highest, shade] of [
    [0, 3, 0],
    [2, 3, 2],
    [0.6, 1, 1],
    [4, 8, 2],
  ]) {
    it(`is ${shade} for ${grade} of ${highest}`, () => assert.equal(levelOf(grade, highest), shade));
  }
});

// Lines of a working: what agrees, the first wrong step with the mistake that gives it, and what follows from it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { calculate } from "../src/arithmetic.js";
import { keyOf, SENTENCES, sentencesOf } from "../src/causes.js";
import { formulaOf, isWorking, judgeLines } from "../src/lines.js";
import { NO_TASK, readTask } from "../src/task.js";

/** @param {string} text @param {string} grades @param {Record<string, string>} [more] */
const judge = (text, grades, more = {}) => judgeLines(text, readTask({ ...NO_TASK, grades, ...more }));
/** @param {{ code: string, label: string }[]} mistakes */
const first = ([mistake]) => (mistake ? sentencesOf(mistake)[0] : "");

test("a calculation lies between the values that its decimals could have been rounded from", () => {
  // text, the least and the greatest value
  const table = /** @type {[string, number, number][]} */ ([
    ["3/log2(8) + 2", 3, 3],
    ["0.5 + 1", 1.45, 1.55],
    [String.raw`\frac{3}{\log_2 4} + 2^3 \cdot ½`, 5.5, 5.5],
    ["93 %", 0.925, 0.935],
    ["ln(1) - LOG(8;2)", -3, -3],
    ["lb 8 + ld(4)", 5, 5],
    ["log10(100) + log(9, 3)", 4, 4],
  ]);
  for (const [text, low, high] of table) {
    const [least, most] = calculate(text)?.bounds ?? [Number.NaN, Number.NaN];
    assert.ok(Math.abs(least - low) < 1e-12 && Math.abs(most - high) < 1e-12, text);
  }
  for (const text of ["", "1 +", "1/0", "log2(0)", "2 3", "alert(1)", "(".repeat(50_000), "9^9^9^9999"])
    assert.equal(calculate(text), null, text.slice(0, 20));
});

// Of 3, 2, 3, 0, 1: 3 + 2/log2(3) + 3/2 + 1/log2(6) = 6.1487, and 3 + 3/log2(3) + 2/2 + 1/log2(5) = 6.3235
const RANKING = "3, 2, 3, 0, 1";
const RIGHT = [
  "DCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 0/log2(5) + 1/log2(6) = 6.15\nNDCG = DCG/IDCG = 6.15/6.32 = 0.97",
  "DCG = 3 + 2/log₂(3) + 3·0.5 + 1×0.387 = 6.15",
  "DCG = 3/log2(2) + 2/log2(3) + 3/log2(4) + 1/log2(6) = 3 + 1.26 + 1.5 + 0.39 = 6.15",
  String.raw`$DCG_5 = \frac{3}{\log_2 2} + \frac{2}{\log_2 3} + \frac{3}{2} + \frac{1}{\log_{2} 6} = 6.15$`,
  "DCG = 3\n  + 2/log2(3)\n  + 3/2 + 1/log2(6)\n  = 6.15.",
  String.raw`\mathrm{nDCG} = \frac{6.15}{6.32} \approx 0.97`,
  "DCG@3 = 3 + 2/log2(3) + 3/2 = 5.76",
  "CG = 3 + 2 + 3 + 1 = 9\n\n\nideal DCG = 6.32",
  "NDCG = 6.15/6.32 ≈ 1",
  "DCG = 3 + 2/1,58 + 3/2 + 1/2,58 = 6,15",
];

test("a right working agrees in every line, as people write it", () => {
  for (const text of RIGHT) {
    assert.ok(isWorking(text), text);
    for (const { outcome, wrong } of judge(text, RANKING)) assert.deepEqual([outcome, wrong], ["agrees", null], text);
  }
});

// Of 3, 0, 2, 1: DCG is 3 + 2/2 + 1/log2(5) = 4.4307, ideal DCG 3 + 2/log2(3) + 1/2 = 4.7619, and NDCG 0.93045
const FORMS = [
  // a right result or working, the neighbour that is a slip
  ["ndcg@4: 0.930", "ndcg@4: 0.931"],
  ["ideal DCG at 2 is 4.262", "ideal DCG at 2 is 4.263"], // 3 + 2/log2(3)
  ["NDCG = 4.43/4.76 = 93.0 %", "NDCG = 4.43/4.76 = 93.1 %"],
  [String.raw`NDCG = \frac{4.43}{4.76} = 93.0\,\%`, String.raw`NDCG = \frac{4.43}{4.76} = 93.1\,\%`],
  ["The DCG is 4,43", "The DCG is 4,44"],
  ["DCG = 4,43, IDCG = 4,76, NDCG = 0,93", "DCG = 4,43, IDCG = 4,76, NDCG = 0,94"],
  ["DCG = 3 + 1 + 0.43 = 4.43; IDCG: 4.76 and NDCG = 0.93", "DCG = 4.43; IDCG: 4.76 and NDCG = 0.94"],
  ["DCG = 3 + 2·½ + 1/log2(5) = 4.43", "DCG = 3 + 2·¼ + 1/log2(5) = 3.93"],
  ["DCG = 3 + 2⁄2 + 1⁄log2(5) = 4.43", "DCG = 3 + 2⁄3 + 1⁄log2(5) = 4.10"],
  ["CG = 4½ + 1½ = 6", "CG = 4½ + 2½ = 7"],
  ["2/4 = ½", "2/4 = ⅔"],
  ["DCG = 3 + 2/LOG(3+1;2) + 1/LOG(5; 2) = 4.43", "DCG = 3 + 2/LOG(3;2) + 1/LOG(5;2) = 4.69"],
  ["DCG = 3 + 2/log(4,2) + 1/log(5,2) = 4,43", "DCG = 3 + 2/log(3,2) + 1/log(5,2) = 4,69"],
  ["DCG = 3 + 2/math.log2(4) + 1/math.log(5, 2) = 4.43", "DCG = 3 + 2/math.log2(3) + 1/math.log(5, 2) = 4.69"],
  ["math.log(5)/math.log(2) = 2.32", "math.log(5)/math.log2(2) = 2.32"], // the first is natural: 1.609/0.693
  ["93.0 %", "93.1 %"],
  ["IDCG = 3 + 2/log2(3) + 1/2\n≈ 4.76", "IDCG = 3 + 2/log2(3) + 1/2\n≈ 4.77"],
  ["4.762", "4.760"],
];

test("each way to write a line is read, and its neighbour is a slip", () => {
  for (const [right, neighbour] of FORMS) {
    const outcomes = [right, neighbour].map((text) => judge(text, "3, 0, 2, 1").at(-1)?.outcome);
    assert.deepEqual(outcomes, ["agrees", "slip"], right);
  }
});

test("the first wrong step is found in its line, with the mistake that gives it", () => {
  // the lines, the wrong step of the first one, what is said of it
  const table = [
    ["DCG = 3 + 2/log2(3) + 3/log2(5) + 1/log2(6) = 5.94", "3/log2(5)", "You divided rank 3 as if it were rank 4."],
    ["DCG = 3 + 2 + 3/log2(3) + 1/log2(5) = 7.32", "2", "You divided by log2(rank), and left the first ranks whole."],
    ["DCG = 3/ln(2) + 2/ln(3) + 3/ln(4) + 1/ln(6) = 8.87", "3/ln(2)", "You used the natural logarithm."],
    ["DCG = 2 + 3/log2(3) + 3/2 + 1/log2(6) = 5.78", "2", ""],
    ["IDCG = 3 + 2/log2(3) + 3/2 + 1/log2(6) = 6.15", "2/log2(3)", "You did not sort the ideal."],
    ["DCG = 3 + 1.26 + 1.5 + 0.39 = 6.51", "6.51", ""],
    ["DCG = 3 + 2/log2(3) + 3/2 + 1/log2(6) = 6.14", "6.14", "You cut the digits off."],
    ["NDCG = 1.0284", "1.0284", "You divided the ideal DCG by the DCG."], // 6.3235/6.1487
  ];
  for (const [text, step, said] of table) {
    const [line] = judge(text, RANKING);
    assert.deepEqual([line.outcome, line.wrong?.text, first(line.mistakes)], ["slip", step, said], text);
    assert.equal(text.slice(line.wrong?.start, line.wrong?.end), step);
  }
});

test("a working with a term for each rank left out none", () => {
  // of 1, 2, 0, 3, 2 to rank 3: the ideal, 3 + 2/log2(3) + 2/2, is by 1 too large without its first term, too
  const text = "IDCG = 1/log2(2) + 2/log2(3) + 0/log2(4) = 2.262";
  for (const [written, said] of [
    [text, "You did not sort the ideal."],
    ["IDCG = 2.262", "You left out rank 1."],
  ])
    assert.equal(first(judge(written, "1, 2, 0, 3, 2", { cutoff: "3" })[0].mistakes), said);
});

test("what follows from an earlier slip is told apart, also where the operands are not written", () => {
  // the lines, what the last one follows from
  const table = /** @type {[string, string[]][]} */ ([
    ["DCG = 6.51\nNDCG = 6.51/6.32 = 1.03", ["DCG"]],
    ["DCG = 6.15\nIDCG = 6.15\nNDCG = 1.00", ["IDCG"]],
    ["DCG = 6.51\nIDCG = 6.32\nNDCG = 0.91", []],
    ["DCG = 6.15\nIDCG = 6.32\nNDCG = 0.98", []],
  ]);
  for (const [text, from] of table) assert.deepEqual(judge(text, RANKING).at(-1)?.follows, from, text);
});

test("a number alone is the nearest measure, and one above 1 may be a percentage", () => {
  const found = judge("6.15\n6.32\n0.97\nNDCG = 97.2", RANKING);
  assert.deepEqual(
    found.map(({ measure, outcome, percent }) => [measure, outcome, percent]),
    [
      ["DCG", "agrees", false],
      ["IDCG", "agrees", false],
      ["NDCG", "agrees", false],
      ["NDCG", "slip", true],
    ],
  );
  assert.equal(judge("NDCG = 0.5", "0 0")[0].outcome, "undefined");
});

test("the formula is the one under which most numbers agree", () => {
  const task = readTask({ ...NO_TASK, grades: "2 3 0 1 2" });
  // NDCG under each formula, as the book says
  assert.deepEqual(
    ["0.895", "0.941", "0.832", "0.5"].map((text) => formulaOf(text, task)),
    ["STANDARD", "ORIGINAL", "EXPONENTIAL", "STANDARD"],
  );
});

test("a note is told from a working", () => {
  for (const text of ["The grades are 3, 2.\nDCG = 4.26", "# Lecture", "DCG = 1\nas we saw", "<b>1</b>"])
    assert.equal(isWorking(text), false, text);
  assert.ok(isWorking(""));
});

test("a sentence has its numbers, and each is of one cause and label", () => {
  const mistake = { code: "term", label: "rank 3 discounted as rank 4" };
  assert.equal(keyOf(mistake), "term: rank # discounted as rank #");
  assert.deepEqual(sentencesOf(mistake), [
    "You divided rank 3 as if it were rank 4.",
    "Look at the divisor of rank 3.",
  ]);
  const words = Object.values(SENTENCES).map(String);
  assert.ok(words.every((each) => /^(You|,)/.test(each)));
});

/** @param {number[]} grades @param {(grade: number, rank: number) => number} term */
const summed = (grades, term) => grades.reduce((sum, grade, i) => sum + term(grade, i + 1), 0);
/** @param {number[]} grades */
const sorted = (grades) => [...grades].sort((one, other) => other - one);
/** @param {number} grade @param {number} rank */
const linear = (grade, rank) => grade / Math.log2(rank + 1);

/** @type {[string, string, string, (grades: number[], k: number) => number][]} */
const SIX = [
  // the measure, the formula, what is said, the wrong value
  [
    "DCG",
    "STANDARD",
    "You used the natural logarithm.",
    (g, k) => summed(g.slice(0, k), (x, r) => x / Math.log(r + 1)),
  ],
  [
    "DCG",
    "EXPONENTIAL",
    "You forgot the −1 of the gain.",
    (g, k) => summed(g.slice(0, k), (x, r) => linear(2 ** x, r)),
  ],
  ["IDCG", "STANDARD", "You did not sort the ideal.", (g, k) => summed(g.slice(0, k), linear)],
  ["IDCG", "STANDARD", "You sorted only the first # results.", (g, k) => summed(sorted(g.slice(0, k)), linear)],
  ["IDCG", "STANDARD", "You did not cut the ideal.", (g) => summed(sorted(g), linear)],
  [
    "DCG",
    "STANDARD",
    "You divided rank # as if it were rank #.",
    (g, k) => summed(g.slice(0, k), (x, r) => linear(x, r === 3 ? 2 : r)),
  ],
];
// Each has a better grade behind the cutoff than before it, and none of 0 at rank 3. In none do two mistakes give the
// same value, as in 0 2 1 3 at cutoff 3, where an ideal that is not sorted is that without its rank 1
const TEN = [
  ["2 3 1 0 2 3 1", 5],
  ["1 0 2 3 3", 3],
  ["0 1 1 2 3 2", 4],
  ["3 1 2 0 3 3 1", 5],
  ["1 2 3 0 1 3 2 3", 6],
  ["1 1 1 0 2", 3],
  ["2 1 3 1 0 3 3 2", 5],
  ["1 3 2 0 2 2 3", 4],
  ["1 2 1 0 1 3", 3],
  ["2 0 1 3 2 3 1 3", 4],
];

test("ten calculations with each of six mistakes are found, and nine of ten mistakes named first", () => {
  for (const [measure, convention, said, wrong] of SIX) {
    const found = TEN.map(([typed, k]) => {
      const value = wrong(String(typed).split(" ").map(Number), Number(k));
      const [line] = judge(`${measure} = ${value.toFixed(3)}`, String(typed), { cutoff: String(k), convention });
      assert.equal(line.outcome, "slip", `${typed}: ${said}`);
      return first(line.mistakes).replace(/(rank|first) [0-9]+/g, "$1 #");
    });
    assert.ok(found.filter((each) => each === said).length >= 9, `${said} ${found}`);
  }
});

test("a working of ten lines is judged within 50 ms", () => {
  const grades = Array.from({ length: 20 }, (_, i) => (i * 7) % 4).join(" ");
  const text = "DCG = 9.99\nIDCG = 13.1\nNDCG = 0.77\n".repeat(3);
  judge(text, grades, { cutoff: "10" });
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    judge(text, grades, { cutoff: "10" });
    return performance.now() - start;
  });
  assert.ok(Math.min(...times) < 50, String(times));
});

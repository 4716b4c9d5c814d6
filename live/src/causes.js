// How a wrong number may have come about: each mistake that people make, recomputed. A part of the causes of
// ndcg_ref/stated/causes.py and of the labels of ndcg_ref/subjects/ranking.py, in their order, so that both name the
// same mistake first. What chance explains too often is left to the package.

import { dcg, discounts, gains, idcg, measured, terms } from "./formulas.js";
import { covers, wrongRoundings } from "./numbers.js";

/**
 * @typedef {import("./formulas.js").Rule} Rule
 * @typedef {import("./formulas.js").RuledRanking} Ranking
 * @typedef {{ code: string, label: string, value: number }} Candidate what comes out when one thing goes wrong
 */

/**
 * What is said of each mistake: by the code of its cause and the label of the alternative, with # for a number, what
 * you did and where to look.
 * @type {Record<string, [string, string]>}
 */
export const SENTENCES = {
  "rounded-twice": ["You rounded twice.", "Round once, from all the digits."],
  truncated: ["You cut the digits off.", "Look at the digit behind the last one, and round."],
  "rounded-up": ["You rounded up.", "Look at the digit behind the last one: below 5 it is dropped."],
  "convention: gain linear": ["You took the grade itself as the gain.", "Here the gain is 2^grade − 1."],
  "convention: gain exponential": ["You took 2^grade − 1 as the gain.", "Here the gain is the grade itself."],
  "convention: discount log(rank+1)": [
    "You divided by log2(rank + 1).",
    "This formula divides by log2(rank), and leaves ranks 1 and 2 whole.",
  ],
  "convention: discount log(rank)": [
    "You divided by log2(rank), and left the first ranks whole.",
    "Here rank 1 is divided by log2(2), rank 2 by log2(3).",
  ],
  "convention: discount none": ["You did not discount.", "Divide each gain by the discount of its rank."],
  "convention: log base e": ["You used the natural logarithm.", "The base is 2: log2(x) = ln(x)/ln(2)."],
  "convention: log base 10": ["You used the logarithm of base 10.", "The base is 2: log2(x) = log10(x)/log10(2)."],
  "convention: ideal not cut": ["You did not cut the ideal.", "It ends at the cutoff, as the ranking does."],
  "convention: ideal of the ranking alone": [
    "You took the ideal of the retrieved documents alone.",
    "The ideal takes the best of all judged documents, also of those that were not retrieved.",
  ],
  "convention: ideal of the first #": [
    "You sorted only the first # results.",
    "The ideal takes the best of all judged documents.",
  ],
  "convention: cutoff #": ["You stopped at rank #.", "Look at the cutoff, and count the terms."],
  "term: rank # discounted as rank #": ["You divided rank # as if it were rank #.", "Look at the divisor of rank #."],
  "term: the −1 forgotten at rank #": ["You forgot the −1 of the gain at rank #.", "The gain is 2^grade − 1."],
  "term: rank # dropped": ["You left out rank #.", "Count the terms."],
  "minus-one: 2^grade as the gain": [
    "You forgot the −1 of the gain.",
    "The gain is 2^grade − 1, so that grade 0 is worth 0.",
  ],
  "unsorted-ideal: the ideal in the order of the ranking": [
    "You did not sort the ideal.",
    "Sort all judged grades, best first, then cut.",
  ],
  "unsorted-ideal: the ideal in the order of the judgments": [
    "You left the ideal in the order of the judgments.",
    "Sort all judged grades, best first, then cut.",
  ],
  "unsorted-ideal: the ideal of the right documents in the order of the ranking": [
    "You chose the right documents for the ideal, and left them in the order of the ranking.",
    "Sort them, best grade first.",
  ],
  "unsorted-ideal: the ideal of the right documents in the order of the judgments": [
    "You chose the right documents for the ideal, and left them in the order of the judgments.",
    "Sort them, best grade first.",
  ],
  "exchanged: IDCG divided by DCG": ["You divided the ideal DCG by the DCG.", "The ideal DCG is the denominator."],
  "first-rank-dropped: rank 1 dropped, the others divided by log(rank)": [
    "You divided by the logarithm of the rank, and dropped rank 1.",
    "Divide rank r by log2(r + 1): then rank 1 has a divisor, too.",
  ],
};

const COUNTED = /(?<=(?:rank|first|cutoff) )[0-9]+/g; // not the 1 of −1

/**
 * The key of a mistake among the sentences.
 * @param {{ code: string, label: string }} mistake
 */
export function keyOf({ code, label }) {
  if (!label) return code;
  const whole = `${code}: ${label}`;
  return whole in SENTENCES ? whole : `${code}: ${label.replace(COUNTED, "#")}`;
}

/**
 * What you did, and where to look.
 * @param {{ code: string, label: string }} mistake
 */
export function sentencesOf(mistake) {
  const numbers = mistake.label.match(COUNTED) ?? [];
  return SENTENCES[keyOf(mistake)].map((sentence) => {
    let i = 0;
    return sentence.replaceAll("#", () => numbers[i++] ?? "");
  });
}

/**
 * The mistakes that give a wrong number, the likeliest first.
 * @param {import("./numbers.js").Printed} printed
 * @param {string} measure
 * @param {Ranking} ranking
 * @returns {{ code: string, label: string }[]}
 */
export function causesOf(printed, measure, ranking) {
  const right = measured(measure, ranking);
  const rounded = wrongRoundings(printed, right).map((code) => ({ code, label: "" }));
  return [...rounded, ...matching(measure, ranking, (value) => covers(printed, value))];
}

/**
 * The mistakes whose value fits.
 * @param {string} measure
 * @param {Ranking} ranking
 * @param {(value: number) => boolean} fits
 */
export function matching(measure, ranking, fits) {
  const right = measured(measure, ranking);
  const found = candidates(measure, ranking).filter(({ value }) => Number.isFinite(value) && !isClose(value, right));
  return found.filter(({ value }) => fits(value)).map(({ code, label }) => ({ code, label }));
}

/**
 * A term with one thing wrong, as its row has it.
 * @param {number} at the place of the term, from 0
 * @param {number[]} grades those of its sum
 * @param {Rule} rule
 * @param {(gain: number, discount: number) => number} made what the cell has: a gain, a discount or their quotient
 */
export function candidatesOfTerm(at, grades, rule, made) {
  const [gain, divisors] = [gains(grades, rule)[at], discounts(grades.length + 1, rule)];
  const rank = at + 1;
  /** @type {Candidate[]} */
  const found = otherRules(rule).map(([label, other]) => ({
    code: "convention",
    label,
    value: made(gains(grades, other)[at], discounts(rank, other)[at]),
  }));
  if (rule.gain === "exponential")
    found.push({ code: "minus-one", label: "2^grade as the gain", value: made(gain + 1, divisors[at]) });
  for (const other of [rank - 1, rank + 1])
    if (other)
      found.unshift({
        code: "term",
        label: `rank ${rank} discounted as rank ${other}`,
        value: made(gain, divisors[other - 1]),
      });
  const right = made(gain, divisors[at]);
  return found.filter(({ value }) => Number.isFinite(value) && !isClose(value, right));
}

/**
 * Every mistake, with what it gives, in the order of the package.
 * @param {string} measure DCG, IDCG or NDCG
 * @param {Ranking} ranking
 * @returns {Candidate[]}
 */
export function candidates(measure, ranking) {
  const { grades, judged, k, rule } = ranking;
  const ranked = grades.slice(0, k ?? undefined);
  const best = inOrder(judged ?? grades).slice(0, k ?? undefined);
  /** @type {Candidate[]} */
  const found = [];
  const add = (/** @type {string} */ code, /** @type {string} */ label, /** @type {number} */ value) =>
    found.push({ code, label, value });
  const of = (/** @type {Partial<Ranking>} */ changed) => measured(measure, { ...ranking, ...changed });
  /** @param {number[]} above @param {number[]} below */
  const share = (above, below) => {
    const [one, other] = [above, below].map((values) => values.reduce((total, value) => total + value, 0));
    return measure === "DCG" ? one : measure === "IDCG" ? other : one / other;
  };

  for (const [label, other] of otherRules(rule)) add("convention", label, of({ rule: other }));
  if (measure !== "DCG") {
    if (measure === "IDCG") add("convention", "ideal not cut", of({ k: null }));
    add("convention", "ideal of the ranking alone", of({ judged: null }));
    if (k !== null)
      add("convention", `ideal of the first ${ranked.length}`, of({ grades: ranked, judged: null, k: null }));
    if (measure === "NDCG") add("convention", "ideal not cut", dcg(grades, k, rule) / idcg(grades, null, rule, judged));
  }
  const cutoff = k ?? grades.length;
  for (const other of [cutoff - 1, cutoff + 1]) if (other) add("convention", `cutoff ${other}`, of({ k: other }));

  if (measure !== "NDCG") found.push(...wrongTerms(measure === "DCG" ? ranked : best, rule));
  const own = terms(ranked, rule);
  if (rule.gain === "exponential") {
    const more = discounts(Math.max(ranked.length, best.length), rule);
    const [above, below] = [ranked, best].map((list) => terms(list, rule).map((term, i) => term + 1 / more[i]));
    add("minus-one", "2^grade as the gain", share(above, below));
  }
  if (measure !== "DCG")
    for (const [label, order] of orders(ranking, best)) add("unsorted-ideal", label, share(own, terms(order, rule)));
  if (measure === "NDCG") add("exchanged", "IDCG divided by DCG", 1 / measured("NDCG", ranking));
  const [above, below] = [ranked, best].map((list) => fromRank2(list, rule));
  add("first-rank-dropped", "rank 1 dropped, the others divided by log(rank)", share(above, below));
  return found;
}

/** @param {number[]} values */
function inOrder(values) {
  return [...values].sort((one, other) => other - one);
}

/**
 * @param {number} one
 * @param {number} other
 */
function isClose(one, other) {
  return Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));
}

/**
 * The rule with another gain, discount or base, one at a time.
 * @param {Rule} rule
 * @returns {[string, Rule][]}
 */
function otherRules(rule) {
  const bases = /** @type {const} */ ([
    ["e", Math.E],
    ["10", 10],
  ]);
  return [
    ...["linear", "exponential"].map((gain) => /** @type {[string, Rule]} */ ([`gain ${gain}`, { ...rule, gain }])),
    ...["log(rank+1)", "log(rank)", "none"].map(
      (discount) => /** @type {[string, Rule]} */ ([`discount ${discount}`, { ...rule, discount }]),
    ),
    ...bases.map(([name, base]) => /** @type {[string, Rule]} */ ([`log base ${name}`, { ...rule, base }])),
  ];
}

/**
 * A sum with one of its terms wrong.
 * @param {number[]} grades
 * @param {Rule} rule
 * @returns {Candidate[]}
 */
function wrongTerms(grades, rule) {
  const [gained, divisors] = [gains(grades, rule), discounts(grades.length + 1, rule)];
  const right = gained.map((gain, i) => gain / divisors[i]);
  const total = right.reduce((sum, term) => sum + term, 0);
  return gained.flatMap((gain, i) => {
    const rank = i + 1;
    const wrong = /** @type {[string, number][]} */ ([
      ...(i ? [[`rank ${rank} discounted as rank ${rank - 1}`, gain / divisors[i - 1]]] : []),
      [`rank ${rank} discounted as rank ${rank + 1}`, gain / divisors[i + 1]],
      ...(rule.gain === "exponential" ? [[`the −1 forgotten at rank ${rank}`, (gain + 1) / divisors[i]]] : []),
      [`rank ${rank} dropped`, 0],
    ]);
    return wrong.map(([label, term]) => ({ code: "term", label, value: total - right[i] + term }));
  });
}

/**
 * Grades that may be taken for the ideal without sorting them.
 * @param {Ranking} ranking
 * @param {number[]} best
 * @returns {[string, number[]][]}
 */
function orders({ grades, judged, k }, best) {
  const pool = judged ?? grades;
  const right = "the ideal of the right documents in the order of the";
  const all = /** @type {[string, number[]][]} */ ([
    ["the ideal in the order of the ranking", grades.slice(0, k ?? undefined)],
    ["the ideal in the order of the judgments", pool.slice(0, best.length)],
    [`${right} ranking`, kept([...grades, ...pool], best)],
    [`${right} judgments`, kept(pool, best)],
  ]);
  const known = new Set();
  return all.filter(([, order]) => !known.has(String(order)) && known.add(String(order)));
}

/**
 * The grades of the ideal, in another order.
 * @param {number[]} order
 * @param {number[]} best
 */
function kept(order, best) {
  const left = [...best];
  return order.filter((grade) => {
    const at = left.indexOf(grade);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/**
 * Gains divided by the logarithm of the rank, without rank 1, where that is 0.
 * @param {number[]} grades
 * @param {Rule} rule
 */
function fromRank2(grades, rule) {
  return gains(grades, rule)
    .slice(1)
    .map((gain, i) => (gain * Math.log2(rule.base)) / Math.log2(i + 2));
}

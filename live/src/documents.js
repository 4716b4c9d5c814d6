// NDCG of documents with scores, under each choice that a library makes: a twin of `ndcg_of_scores` in
// ndcg_ref/formulas/plain.py, of the kinds of input in ndcg_ref/formulas/kinds.py, and of the walk from one convention to
// another in ndcg_ref/explaining/run_differences.py. Grades are 0 or more.

import { discounts, fsum, gains } from "./formulas.js";

/**
 * @typedef {{id: string, score: number, grade: number}} Scored
 * @typedef {{docs: Scored[], unretrieved: number[], k: number | null}} Query
 * @typedef {import("./formulas.js").Rule & Record<"zero_ideal" | "ideal" | "ideal_cut" | "ties" | "scores" | "fractional", any>} Choices
 * @typedef {{docs: Scored[], gain: number, divisor: number, term: number, counted: boolean}} Rank
 * @typedef {{ranks: Rank[], ideal: number[], sum: number, largest: number, value: number, problem: string}} Evaluated
 * @typedef {{choices: string[], rule: Choices, before: number, after: number}} Change
 */

const LONG = 15; // documents, up to which numpy keeps the order of equal scores
const LEAST = 1e-12; // sums in another order differ by less
// In the order of the parameters of `Convention`, in which they are changed
const CHANGED = ["gain", "discount", "base", "zero_ideal", "ideal", "ideal_cut", "ties", "scores", "fractional"];

/** @param {number | string} a @param {number | string} b */
const compare = (a, b) => Number(a > b) - Number(a < b);

/** Bytes sort as Python sorts texts. @param {string} id */
const asBytes = (id) => String.fromCharCode(...new TextEncoder().encode(id));

/** @type {Record<string, (a: Scored, b: Scored) => number>} */
const OF_TIED = {
  average: () => 0,
  input: () => 0,
  "id-ascending": (a, b) => compare(asBytes(a.id), asBytes(b.id)),
  "id-descending": (a, b) => compare(asBytes(b.id), asBytes(a.id)),
  best: (a, b) => b.grade - a.grade,
  worst: (a, b) => a.grade - b.grade,
};

/**
 * The documents in groups of one score, the highest first, as a rule ranks them.
 * @param {Scored[]} docs
 * @param {Choices} rule
 */
function groupsOf(docs, rule) {
  const score = rule.scores === "float32" ? Math.fround : Number;
  const order = docs.toSorted((a, b) => compare(score(b.score), score(a.score)) || OF_TIED[rule.ties](a, b));
  /** @type {Scored[][]} */
  const groups = [];
  for (const doc of order) {
    const last = groups.at(-1);
    if (last && score(last[0].score) === score(doc.score)) last.push(doc);
    else groups.push([doc]);
  }
  return groups;
}

/**
 * What a rule makes of a query: each rank, the terms of the ideal, and NDCG, not a number where there is none.
 * @param {Query} query
 * @param {Choices} rule
 * @returns {Evaluated}
 */
export function evaluated({ docs, unretrieved, k }, rule) {
  const every = [...docs.map(({ grade }) => grade), ...unretrieved];
  const fractional = every.find((grade) => !Number.isInteger(grade));
  const read = (/** @type {number} */ grade) => (rule.fractional === "truncate" ? Math.trunc(grade) : grade);
  const gainsOf = (/** @type {number[]} */ grades) => gains(grades.map(read), rule);
  const asRead = docs.map((doc) => ({ ...doc, grade: read(doc.grade) }));
  const divisors = discounts(every.length, rule);
  /** @type {Rank[]} */
  const ranks = [];
  for (const group of groupsOf(asRead, rule)) {
    const averaged = rule.ties === "average";
    const gained = gainsOf(group.map(({ grade }) => grade));
    const mean = fsum(gained) / group.length;
    group.forEach((doc, i) => {
      const gain = averaged ? mean : gained[i];
      const divisor = divisors[ranks.length];
      const counted = k === null || ranks.length < k;
      ranks.push({ docs: averaged ? group : [doc], gain, divisor, term: gain / divisor, counted });
    });
  }
  const cut = rule.ideal_cut === "hits" ? Math.min(k ?? docs.length, docs.length) : (k ?? every.length);
  const best = gainsOf(rule.ideal === "ranked" ? every.slice(0, docs.length) : every).sort((a, b) => b - a);
  const ideal = best.slice(0, cut).map((gain, i) => gain / divisors[i]);
  const sum = fsum(ranks.filter(({ counted }) => counted).map(({ term }) => term));
  const largest = fsum(ideal);
  let problem = "";
  if (rule.fractional === "error" && fractional !== undefined) problem = `a whole grade is expected, not ${fractional}`;
  else if (!Number.isFinite(sum + largest)) problem = "the gain is too large";
  return {
    ranks,
    ideal,
    sum,
    largest,
    value: problem ? Number.NaN : largest ? sum / largest : Number(rule.zero_ideal),
    problem,
  };
}

/**
 * Those of some kinds of input that a query is of.
 * @param {Query} query
 * @param {Choices} rule
 * @param {string[]} kinds
 */
export function kindsOf(query, rule, kinds) {
  const { docs, unretrieved } = query;
  const seen = [...docs.map(({ grade }) => grade), ...(rule.ideal === "ranked" ? [] : unretrieved)];
  const tied = areTied(query, rule);
  return kinds.filter((kind) => {
    if (kind === "one") return docs.length === 1;
    if (kind === "ties") return tied;
    if (kind === "long ties") return tied && docs.length > LONG;
    if (kind === "below 1") return seen.some((grade) => grade > 0 && grade < 1);
    return kind.startsWith("above ") && Math.max(...seen) > Number(kind.slice(6));
  });
}

/**
 * Whether documents with different grades share a score, one of them within the cutoff.
 * @param {Query} query
 * @param {Choices} rule
 */
function areTied({ docs, k }, rule) {
  let ranked = 0;
  for (const group of groupsOf(docs, rule)) {
    if (k !== null && ranked >= k) return false;
    if (group.some(({ grade }) => grade !== group[0].grade)) return true;
    ranked += group.length;
  }
  return false;
}

/**
 * The changes that lead from one rule to another, one choice at a time. One that would be refused at its turn, or leave
 * no value, comes after the others; if none can be made alone, the rest is changed together.
 * @param {Query} query
 * @param {Choices} start
 * @param {Choices} end
 */
export function changes(query, start, end) {
  /** @type {Record<string, any>} */
  const goal = end;
  let here = start;
  let before = evaluated(query, start).value;
  let waiting = CHANGED.filter((choice) => /** @type {any} */ (start)[choice] !== goal[choice]);
  /** @type {Change[]} */
  const made = [];
  while (waiting.length) {
    const without = Number.isNaN(before);
    const possible = waiting.find((choice) => {
      const { value, problem } = evaluated(query, { ...here, [choice]: goal[choice] });
      return waiting.length === 1 || (!problem && (without || !Number.isNaN(value)));
    });
    const choices = possible ? [possible] : waiting;
    here = { ...here, ...Object.fromEntries(choices.map((choice) => [choice, goal[choice]])) };
    const after = evaluated(query, here).value;
    made.push({ choices, rule: here, before, after });
    before = after;
    waiting = waiting.filter((choice) => !choices.includes(choice));
  }
  return made;
}

/**
 * Whether a change moves the value, or makes one or none.
 * @param {{before: number, after: number}} change
 */
export function moves({ before, after }) {
  if (Number.isNaN(before) || Number.isNaN(after)) return Number.isNaN(before) !== Number.isNaN(after);
  return Math.abs(after - before) > LEAST;
}

// The formulas of ndcg_ref/formulas/plain.py for one ranking: its grades, best rank first. Ranks count from 1.

/**
 * @typedef {object} Rule
 * @property {string} gain "linear", "exponential" or "binary"
 * @property {string} discount "log(rank+1)", "log(rank)", "rank" or "none"
 * @property {number} base of the logarithm, above 1
 */

/**
 * A ranking with its cutoff, the judged grades (those of the ranking if null), and a rule.
 * @typedef {{ grades: number[], judged: number[] | null, k: number | null, rule: Rule }} RuledRanking
 */

/** @type {{STANDARD: Rule, ORIGINAL: Rule, EXPONENTIAL: Rule}} */
export const RULES = {
  STANDARD: { gain: "linear", discount: "log(rank+1)", base: 2 },
  ORIGINAL: { gain: "linear", discount: "log(rank)", base: 2 },
  EXPONENTIAL: { gain: "exponential", discount: "log(rank+1)", base: 2 },
};

/** @type {Record<string, (grade: number) => number>} */
const GAINS = {
  linear: (grade) => grade,
  exponential: (grade) => 2 ** grade - 1,
  binary: (grade) => (grade > 0 ? 1 : 0),
};

/** @type {Record<string, (rank: number, base: number) => number>} */
const DISCOUNTS = {
  "log(rank+1)": (rank, base) => Math.log2(rank + 1) / Math.log2(base),
  "log(rank)": (rank, base) => Math.max(1, Math.log2(rank) / Math.log2(base)),
  rank: (rank) => rank,
  none: () => 1,
};

/**
 * The sum, rounded once, as Python's math.fsum has it (Shewchuk 1997); not finite where it is beyond the range.
 * @param {number[]} values
 */
export function fsum(values) {
  /** @type {number[]} */
  const parts = []; // they do not overlap, and grow
  for (let value of values) {
    let kept = 0;
    for (let part of parts) {
      if (Math.abs(value) < Math.abs(part)) [value, part] = [part, value];
      const high = value + part;
      const low = part - (high - value);
      if (low) parts[kept++] = low;
      value = high;
    }
    parts.length = kept;
    parts.push(value);
  }
  let high = parts.pop() ?? 0;
  let low = 0;
  while (parts.length && !low) {
    const value = high;
    const part = /** @type {number} */ (parts.pop());
    high = value + part;
    low = part - (high - value);
  }
  // Halfway between two doubles, what is left decides
  const left = parts.at(-1) ?? 0;
  if ((low < 0 && left < 0) || (low > 0 && left > 0)) {
    const twice = 2 * low;
    if (twice === high + twice - high) high += twice;
  }
  return high;
}

/**
 * The gain of each grade.
 * @param {number[]} grades
 * @param {Rule} rule
 */
export function gains(grades, rule) {
  return grades.map(chosen(GAINS, rule.gain));
}

/**
 * What the gain at each of the first n ranks is divided by.
 * @param {number} n
 * @param {Rule} rule
 */
export function discounts(n, rule) {
  const discount = chosen(DISCOUNTS, rule.discount);
  return Array.from({ length: n }, (_, i) => discount(i + 1, rule.base));
}

/**
 * Gain by discount at each rank.
 * @param {number[]} grades
 * @param {Rule} rule
 */
export function terms(grades, rule) {
  return divided(gains(grades, rule), rule);
}

/**
 * Cumulated gain: the grades of the first k ranks, added up as they are.
 * @param {number[]} grades
 * @param {number | null} [k]
 */
export function cg(grades, k = null) {
  return fsum(first(grades, k));
}

/**
 * Discounted cumulated gain.
 * @param {number[]} grades
 * @param {number | null} [k]
 * @param {Rule} [rule]
 */
export function dcg(grades, k = null, rule = RULES.STANDARD) {
  return fsum(terms(first(grades, k), rule));
}

/**
 * DCG of the ideal ranking: the judged documents, the largest gain first. Not a number where the judged lack a grade
 * above 0 of the ranking, see `missingGrade`.
 * @param {number[]} grades
 * @param {number | null} [k]
 * @param {Rule} [rule]
 * @param {number[] | null} [judged] the grades of all judged documents, retrieved or not; those of the ranking if null
 */
export function idcg(grades, k = null, rule = RULES.STANDARD, judged = null) {
  if (judged && missingGrade(grades, judged) !== null) return Number.NaN;
  const ideal = gains(judged ?? grades, rule).sort((one, other) => other - one);
  return fsum(divided(first(ideal, k), rule));
}

/**
 * DCG as a share of the best possible one; not a number without ideal gain.
 * @param {number[]} grades
 * @param {number | null} [k]
 * @param {Rule} [rule]
 * @param {number[] | null} [judged]
 */
export function ndcg(grades, k = null, rule = RULES.STANDARD, judged = null) {
  return dcg(grades, k, rule) / (idcg(grades, k, rule, judged) || Number.NaN);
}

/**
 * The value of CG, DCG, IDCG or NDCG.
 * @param {string} measure
 * @param {RuledRanking} ranking
 */
export function measured(measure, { grades, judged, k, rule }) {
  if (measure === "CG") return cg(grades, k);
  if (measure === "DCG") return dcg(grades, k, rule);
  return measure === "IDCG" ? idcg(grades, k, rule, judged) : ndcg(grades, k, rule, judged);
}

/**
 * A grade above 0 that occurs more often in the ranking than among the judged, which it is one of; null if there is none.
 * @param {number[]} grades
 * @param {number[]} judged
 */
export function missingGrade(grades, judged) {
  /** @type {Map<number, number>} */
  const left = new Map();
  for (const grade of judged) left.set(grade, (left.get(grade) ?? 0) + 1);
  for (const grade of grades) {
    const count = left.get(grade) ?? 0;
    if (grade !== 0 && count === 0) return grade;
    left.set(grade, count - 1);
  }
  return null;
}

/**
 * @param {number[]} gained
 * @param {Rule} rule
 */
function divided(gained, rule) {
  const divisors = discounts(gained.length, rule);
  return gained.map((gain, i) => gain / divisors[i]);
}

/**
 * @param {number[]} values
 * @param {number | null} k
 */
function first(values, k) {
  return values.slice(0, k ?? values.length);
}

/**
 * @template T
 * @param {Record<string, T>} known
 * @param {string} name
 * @returns {T}
 */
function chosen(known, name) {
  if (Object.hasOwn(known, name)) return known[name];
  throw new Error(`expected one of ${Object.keys(known).join(", ")}, got ${name}`);
}

// The orders of a tie, and the NDCG of each.

import { fsum, ndcg } from "./formulas.js";

/**
 * All orders of some items.
 * @param {number[]} items
 * @returns {number[][]}
 */
export function orders(items) {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => orders(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

/**
 * The NDCG of a ranking under each order of the tied results, which stand between those before and after.
 * @param {number[]} before
 * @param {number[]} tied
 * @param {number[]} after
 */
export function tiedValues(before, tied, after) {
  const values = orders(tied).map((order) => ndcg([...before, ...order, ...after]));
  return { values, mean: fsum(values) / values.length };
}

/**
 * The grades of the tied results as a rule of this name sorts them.
 * @param {number[]} input
 * @param {string} rule
 */
export function sorted(input, rule) {
  if (rule === "as in the input") return input;
  const best = input.toSorted((one, other) => other - one);
  return rule === "best first" ? best : best.reverse();
}

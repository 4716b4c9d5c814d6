// Two systems, part by part: their DCG as the gain of grade 3 changes, their NDCG as the weight of a query changes.

import { discounts, fsum, idcg, ndcg, RULES } from "./formulas.js";

/**
 * The DCG of a ranking, part by part, where grade 2 has the gain 1 and grade 3 the gain x.
 * @param {number[]} grades from 0 to 3
 * @param {number} x
 */
export function gained(grades, x) {
  const divisors = discounts(grades.length, RULES.STANDARD);
  const parts = grades.map((grade, i) => ({
    size: [0, 1 / 2, 1, x][grade] / divisors[i],
    label: `${grade}`,
    level: grade,
  }));
  return { parts, total: fsum(parts.map(({ size }) => size)) };
}

/**
 * The NDCG of a system over two queries, part by part, the first with this weight and the second with the rest.
 * @param {number[][]} rankings
 * @param {number} weight
 */
export function weighted([first, second], weight) {
  const parts = [
    { size: weight * ndcg(first), label: "boots", level: 3 },
    { size: (1 - weight) * ndcg(second), label: "pegs", level: 1 },
  ];
  return { parts, total: parts[0].size + parts[1].size };
}

/**
 * The weight of the first of two queries in the ratio of sums: its share of the ideal DCG.
 * @param {number[][]} rankings
 */
export function pooledWeight([first, second]) {
  return idcg(first) / (idcg(first) + idcg(second));
}

// The way to a value in words: the sums, and the ratio.

import { cg } from "./formulas.js";
import { shown, stepsOf } from "./task.js";

/**
 * The way to a measure in words, a line for each sum and one for the ratio.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {import("./task.js").Task["convention"]} convention
 * @param {(value: number) => string} [result] how the last value is written
 * @returns {string[]}
 */
export function sums(task, measure, convention, result = shown) {
  const steps = stepsOf(task, convention);
  /** @param {string} name @param {{ gain: number, discount: number, term: number }[]} rows @param {number} total */
  const sum = (name, rows, total) =>
    `${name} = ${listed(rows.map(({ term }) => term))} = ${(name === measure ? result : shown)(total)}`;
  const lines = {
    CG: [`CG = ${listed(task.grades.slice(0, task.k ?? undefined))} = ${result(cg(task.grades, task.k))}`],
    DCG: [sum("DCG", steps.rows, steps.dcg)],
    IDCG: [sum("IDCG", steps.ideal, steps.idcg)],
  };
  if (measure in lines) return lines[/** @type {keyof typeof lines} */ (measure)];
  const ratio = steps.idcg > 0 ? result(steps.dcg / steps.idcg) : "no value: there is no ideal gain";
  return [...lines.DCG, ...lines.IDCG, `NDCG = ${shown(steps.dcg)} / ${shown(steps.idcg)} = ${ratio}`];
}

const MOST_LISTED = 20;

/** @param {number[]} values */
function listed(values) {
  const left = values.length - MOST_LISTED;
  const first = values.slice(0, MOST_LISTED).map(shown).join(" + ") || "0";
  return left > 0 ? `${first} + … (${left} more)` : first;
}

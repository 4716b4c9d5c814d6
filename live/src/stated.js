// A number as printed, held against a ranking: what can be said without Python.

import { cg, RULES } from "./formulas.js";
import { covers, roundedTo } from "./numbers.js";
import { asFloat, FORMULAS, readEntry, shown, stepsOf } from "./task.js";

export const MEASURES = ["NDCG", "DCG", "IDCG", "CG"];
export const UNKNOWN = ""; // the convention of a reader who does not know it

const LEAST_PERCENTAGE = 2; // below it a number is rather a wrong NDCG

/**
 * @typedef {object} Row what one formula says of the number
 * @property {keyof typeof RULES} name
 * @property {string} words
 * @property {number} value
 * @property {"agrees" | "slip" | "undefined"} outcome
 * @property {string} correct the right value at the printed digits
 */

/**
 * The value of a measure under a formula.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {keyof typeof RULES} convention
 */
export function measured(task, measure, convention) {
  if (measure === "CG") return cg(task.grades, task.k);
  const steps = stepsOf(task, convention);
  if (measure === "DCG") return steps.dcg;
  if (measure === "IDCG") return steps.idcg;
  return steps.idcg > 0 ? steps.dcg / steps.idcg : Number.NaN;
}

/**
 * The number judged under the convention of the task, or, where the reader does not know it, under each formula.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {string} convention the name of a formula, or UNKNOWN
 * @param {string} text
 * @returns {{ state: "empty" | "unread" | "judged", comma: boolean, text: string, rows: Row[] }}
 */
export function judgeNumber(task, measure, convention, text) {
  const formulas = asked(measure, convention);
  const { printed, comma } = readEntry(text, measured(task, measure, formulas[0].name));
  if (!printed) return { state: text.trim() ? "unread" : "empty", comma: false, text, rows: [] };
  const rows = formulas.map(({ name, words }) => {
    const value = measured(task, measure, name);
    if (!Number.isFinite(value))
      return { name, words, value, outcome: /** @type {const} */ ("undefined"), correct: "" };
    const outcome = covers(printed, value) ? /** @type {const} */ ("agrees") : /** @type {const} */ ("slip");
    return { name, words, value, outcome, correct: roundedTo(printed, value) };
  });
  return { state: "judged", comma, text: printed.text, rows };
}

/**
 * An NDCG that is far above 1 and has no percent sign, judged as a percentage; null for any other number.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {string} convention the name of a formula, or UNKNOWN
 * @param {string} text
 */
export function judgePercent(task, measure, convention, text) {
  const { printed } = readEntry(text, 100); // near a percentage 98,5 has a decimal comma
  const value = printed && !printed.tail && !printed.exact ? asFloat(printed) : 0;
  if (measure !== "NDCG" || value < LEAST_PERCENTAGE || value > 100) return null;
  return judgeNumber(task, measure, convention, `${text.trim()}%`);
}

/**
 * The formulas that a number is held to; CG is the same under all.
 * @param {string} measure
 * @param {string} convention
 */
function asked(measure, convention) {
  if (measure === "CG") return FORMULAS.slice(0, 1);
  return FORMULAS.filter(({ name }) => [name, UNKNOWN].includes(convention));
}

/**
 * The last steps in words: the sums and the ratio.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {keyof typeof RULES} convention
 * @returns {string[]}
 */
export function sums(task, measure, convention) {
  const steps = stepsOf(task, convention);
  /** @param {string} name @param {{ gain: number, discount: number, term: number }[]} rows @param {number} total */
  const sum = (name, rows, total) => `${name} = ${listed(rows.map(({ term }) => term))} = ${shown(total)}`;
  const lines = {
    CG: [`CG = ${listed(task.grades.slice(0, task.k ?? undefined))} = ${shown(cg(task.grades, task.k))}`],
    DCG: [sum("DCG", steps.rows, steps.dcg)],
    IDCG: [sum("IDCG", steps.ideal, steps.idcg)],
  };
  if (measure in lines) return lines[/** @type {keyof typeof lines} */ (measure)];
  const ratio = steps.idcg > 0 ? shown(steps.dcg / steps.idcg) : "no value: there is no ideal gain";
  return [...lines.DCG, ...lines.IDCG, `NDCG = ${shown(steps.dcg)} / ${shown(steps.idcg)} = ${ratio}`];
}

const MOST_LISTED = 20;

/** @param {number[]} values */
function listed(values) {
  const left = values.length - MOST_LISTED;
  const first = values.slice(0, MOST_LISTED).map(shown).join(" + ") || "0";
  return left > 0 ? `${first} + … (${left} more)` : first;
}

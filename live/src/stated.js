// A number as printed, held against a ranking: what can be said without Python.

import { cg, RULES } from "./formulas.js";
import { covers } from "./numbers.js";
import { asFloat, FORMULAS, readEntry, readNamed, rightAt, shown, stepsOf } from "./task.js";

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
 * @typedef {object} JudgedNumber
 * @property {"empty" | "unread" | "judged"} state
 * @property {boolean} comma whether a decimal comma was read
 * @property {string} text
 * @property {string} question what to ask where another measure or cutoff is named
 * @property {import("./numbers.js").Printed | null} printed
 * @property {Row[]} rows
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
 * @returns {JudgedNumber}
 */
export function judgeNumber(task, measure, convention, text) {
  const formulas = asked(measure, convention);
  const named = readNamed(text);
  const question = questionOn(named, task, measure, formulas);
  const { printed, comma } = readEntry(named.number, measured(task, measure, formulas[0].name), measure);
  if (!printed || question)
    return { state: text.trim() ? "unread" : "empty", comma: false, text, question, printed: null, rows: [] };
  const rows = formulas.map(({ name, words }) => {
    const value = measured(task, measure, name);
    if (!Number.isFinite(value))
      return { name, words, value, outcome: /** @type {const} */ ("undefined"), correct: "" };
    const outcome = covers(printed, value) ? /** @type {const} */ ("agrees") : /** @type {const} */ ("slip");
    return { name, words, value, outcome, correct: rightAt(printed, value) };
  });
  return { state: "judged", comma, text: printed.text, question, printed, rows };
}

/**
 * What to ask of a number that is called another measure than the one asked for, or has another cutoff.
 * @param {ReturnType<typeof readNamed>} named
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {typeof FORMULAS} formulas
 */
function questionOn(named, task, measure, formulas) {
  if (named.measure && named.measure !== measure)
    return `It is called ${named.measure}: choose that under “What is it?”, or put in the number alone.`;
  const same = formulas.every(({ name }) =>
    Object.is(measured({ ...task, k: named.k }, measure, name), measured(task, measure, name)),
  );
  return named.k && !same ? `Its name has the cutoff ${named.k}: put that under “Cutoff”, too.` : "";
}

/**
 * An NDCG that is far above 1 and has no percent sign, judged as a percentage; null for any other number.
 * @param {import("./task.js").Task} task
 * @param {string} measure
 * @param {string} convention the name of a formula, or UNKNOWN
 * @param {string} text
 */
export function judgePercent(task, measure, convention, text) {
  const { number } = readNamed(text);
  const { printed } = readEntry(number, 100); // near a percentage 98,5 has a decimal comma
  const value = printed && !printed.tail && !printed.exact ? asFloat(printed) : 0;
  if (measure !== "NDCG" || value < LEAST_PERCENTAGE || value > 100) return null;
  return judgeNumber(task, measure, convention, `${number.trim()}%`);
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

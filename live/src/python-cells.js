// Asks Python about a working: the ranking and the totals in one question, the ideal order in another.

import { gainsOfTheIdeal } from "./cells.js";
import { RULES } from "./formulas.js";
import { ask } from "./python.js";
import { asFloat, readEntry, stepsOf } from "./task.js";

const COLUMNS = ["gain", "discount", "term"];
const MOST_HINTS = 2; // of the kinds of mistake that fit
const TOTALS = ["DCG", "IDCG", "NDCG"];
const IN_THE_IDEAL = { gain: "best", term: "ideal", discount: "discount", DCG: "IDCG" };

/**
 * What Python says of each cell that is filled in, by key.
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} entries by key
 * @returns {Promise<Map<string, import("./remarks.js").Answered>>}
 */
export async function askWorking(task, entries) {
  const [about, ideal] = questionsOf(task, entries);
  const answers = await Promise.all([ask(about), ...(ideal ? [ask(ideal)] : [])]);
  const refused = answers.find((answer) => answer.error);
  if (refused) throw new Error(refused.error);
  const found = new Map([...flattened(answers[0].cells, (kind) => kind), ...ofTheIdeal(answers[1], task, entries)]);
  // The order of an ideal is known to the first question alone
  const another = answers[0].cells.IDCG.kind;
  if (another?.label.startsWith("ideal of") && !found.get("IDCG")?.from.length)
    found.set("IDCG", { ...found.get("IDCG"), hint: hintText([another]) });
  for (const key of found.keys()) if (!entries[key]) found.delete(key);
  return found;
}

/**
 * The questions about a working; the second one only where a cell of the ideal order is filled in.
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} entries
 */
export function questionsOf(task, entries) {
  const steps = stepsOf(task, task.convention);
  const { grades, judged, k, convention } = task;
  /** @param {string} kind @param {unknown[]} rows */
  const column = (kind, rows) => rows.map((_, i) => entries[`${kind}-${i + 1}`] ?? "");
  const cells = Object.fromEntries([
    ...COLUMNS.map((kind) => [kind, column(kind, steps.rows)]),
    ...TOTALS.map((kind) => [kind, entries[kind] ?? ""]),
  ]);
  const about = { ask: "working", grades, judged, k, convention, cells };
  const best = column("best", steps.ideal);
  const term = column("ideal", steps.ideal);
  if (![...best, ...term].some(Boolean)) return [about];
  const idealCells = {
    gain: best.map((text, i) => ownGain(task, entries, i)?.text ?? gainText(text, steps.ideal[i].grade, convention)),
    discount: column("discount", steps.ideal),
    term,
    DCG: entries.IDCG ?? "",
  };
  const ideal = steps.ideal.map(({ grade }) => grade);
  return [about, { ask: "working", grades: ideal, judged: null, k: null, convention, cells: idealCells }];
}

/**
 * The gain of an ideal grade as the reader wrote it.
 * @param {string} text
 * @param {number} near
 * @param {import("./task.js").Task["convention"]} convention
 */
function gainText(text, near, convention) {
  if (RULES[convention].gain === "linear") return text;
  const { printed } = readEntry(text, near);
  return printed ? String(2 ** asFloat(printed) - 1) : "";
}

/**
 * The gain that the reader gave the document at a rank of the ideal order, where the grade there is right.
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} entries
 * @param {number} i from 0
 */
function ownGain(task, entries, i) {
  const steps = stepsOf(task, task.convention);
  const { grade } = steps.ideal[i];
  const { printed } = readEntry(entries[`best-${i + 1}`] || String(grade), grade);
  const key = gainsOfTheIdeal(steps)[i];
  if (!key || !entries[key] || !printed || asFloat(printed) !== grade) return null;
  return { key, text: entries[key] };
}

/**
 * @param {any} answer
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} entries
 */
function ofTheIdeal(answer, task, entries) {
  if (!answer) return new Map();
  // The cell of the ranking whose gain stood for an ideal grade
  const gainOf = (/** @type {number} */ i) => ownGain(task, entries, i)?.key;
  const retrieved = [...task.grades].sort((a, b) => b - a).map(String);
  const found = flattened(answer.cells, (kind) => IN_THE_IDEAL[/** @type {keyof typeof IN_THE_IDEAL} */ (kind)] ?? "");
  for (const [key, said] of found) {
    if (key.startsWith("discount") || !key) found.delete(key);
    const i = key.startsWith("best") ? Number(key.slice(5)) - 1 : -1;
    if (i >= 0 && said.outcome === "slip") {
      const alone = task.judged && entries[key] === retrieved[i];
      said.hint = `The ideal order has the largest grades first${alone ? ", also those of judged documents that were not retrieved" : ""}.`;
    }
    if (i >= 0 && gainOf(i)) found.delete(key); // it was asked as a gain
    said.from = said.from.map((each) => (each.startsWith("best") && gainOf(Number(each.slice(5)) - 1)) || each);
  }
  return found;
}

/**
 * The answers by key, such as gain-1 for the first of the gains.
 * @param {Record<string, any>} answered
 * @param {(kind: string) => string} renamed
 */
function flattened(answered, renamed) {
  /** @type {Map<string, import("./remarks.js").Answered>} */
  const found = new Map();
  /** @param {string} kind @param {number | null} rank */
  const keyOf = (kind, rank) => renamed(kind) && renamed(kind) + (rank ? `-${rank}` : "");
  for (const [kind, said] of Object.entries(answered)) {
    const ranked = Array.isArray(said);
    for (const [i, one] of (ranked ? said : [said]).entries()) {
      const from = (one.from ?? []).map((/** @type {any} */ { column, rank }) => keyOf(column, rank));
      const rounding = one.kind?.code === "carried-rounding";
      const hint = one.but ? `But ${one.but}.` : hintText(one.kinds ?? []);
      found.set(keyOf(kind, ranked ? i + 1 : null), {
        outcome: one.outcome,
        correct: one.correct ?? "",
        from: one.carried && !rounding ? from : [],
        hint,
      });
    }
  }
  return found;
}

/**
 * The hints as a sentence, without the name of the cell, which stands before them.
 * @param {{ hint: string }[]} kinds
 */
function hintText(kinds) {
  const hints = kinds.slice(0, MOST_HINTS).map(({ hint }) => hint.slice(hint.indexOf(": ") + 2));
  const said = hints.join("; or ");
  return said && `${said[0].toUpperCase()}${said.slice(1)}.`;
}

// Which library printed a number: what a reader entered, as a question for the package, and what its answer says.

import { readNamed, readTask } from "./task.js";

export const NO_DOCUMENTS = {
  grades: "",
  scores: "",
  ids: "",
  unretrieved: "",
  cutoff: "",
  measure: "NDCG",
  stated: "",
};
export const BOOK_EXAMPLE = {
  grades: "2, 1, 0, 3",
  scores: "0.9, 0.6, 0.6, 0.6",
  ids: "d4, d1, d2, d3",
  unretrieved: "3",
  cutoff: "3",
  measure: "NDCG",
  stated: "0.737",
};
const MOST_DOCUMENTS = 200; // for which the package tries every convention at every cutoff
const LONGEST_ID = 60;
const NUMBER = /^-?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]{1,3})?$/i;

/** @param {string} text */
const wordsOf = (text) =>
  text
    .replace(/^\s*\[|\]\s*$/g, "")
    .split(/[\s,;]+/)
    .filter(Boolean);

/**
 * The documents that the entries state, or what is wrong with them.
 * @param {typeof NO_DOCUMENTS} entries
 */
export function readDocuments(entries) {
  const task = readTask({ ...entries, convention: "STANDARD" });
  const scores = wordsOf(entries.scores.replaceAll("−", "-"));
  const ids = wordsOf(entries.ids);
  const problem = task.problem || (task.grades.length ? problemWith(task.grades.length, scores, ids) : "");
  return {
    task: { ...task, problem },
    scores: scores.length && !problem ? scores.map(Number) : null,
    ids: ids.length && !problem ? ids : null,
    problem,
  };
}

/**
 * @param {number} count
 * @param {string[]} scores
 * @param {string[]} ids
 */
function problemWith(count, scores, ids) {
  if (count > MOST_DOCUMENTS) return `Grades: expected at most ${MOST_DOCUMENTS}, got ${count}.`;
  if (scores.length && scores.length !== count)
    return `Scores: expected one for each of ${count} grades, got ${scores.length}.`;
  const unread = scores.find((word) => !NUMBER.test(word) || !Number.isFinite(Number(word)));
  if (unread !== undefined) return `Scores: expected numbers, got “${unread.slice(0, 30)}”.`;
  if (ids.length && !scores.length) return "Names: expected scores beside them, since names order equal scores.";
  if (ids.length && ids.length !== count) return `Names: expected one for each of ${count} grades, got ${ids.length}.`;
  if (new Set(ids).size < ids.length) return "Names: expected a different one for each document.";
  return ids.some((id) => id.length > LONGEST_ID) ? `Names: expected at most ${LONGEST_ID} characters in each.` : "";
}

/**
 * The grades in the order of the scores; null where equal scores leave it open.
 * @param {ReturnType<typeof readDocuments>} documents
 */
export function inOrder({ task, scores }) {
  if (!scores) return task.grades;
  if (new Set(scores).size < scores.length) return null;
  return task.grades
    .map((grade, i) => ({ grade, score: scores[i] }))
    .sort((a, b) => b.score - a.score)
    .map(({ grade }) => grade);
}

/**
 * @param {ReturnType<typeof readDocuments>} documents
 * @param {typeof NO_DOCUMENTS} entries
 */
export function whichQuestion({ task, scores, ids }, { measure, stated }) {
  const judged = measure === "DCG" ? null : task.judged;
  const { number } = readNamed(stated);
  return { ask: "which", measure, stated: number, grades: task.grades, scores, ids, judged, k: task.k };
}

/**
 * @param {ReturnType<typeof readDocuments>} documents
 * @param {string} a
 * @param {string} b
 */
export function differenceQuestion({ task, scores, ids }, a, b) {
  return { ask: "difference", grades: task.grades, scores, ids, judged: task.judged, k: task.k, a, b };
}

/**
 * Two conventions to compare at first: one that prints the number, and the other one of the book's example.
 * @param {any} answer of "which"
 */
export function firstPair(answer) {
  const names = [...answer.rows, ...answer.untried].map((/** @type {any} */ { convention }) => convention);
  const { covered, outside } = matchesOf(answer);
  const matching = (covered.length ? covered : outside).map((/** @type {any} */ { convention }) => convention);
  const libraries = ["scikit-learn", "trec_eval"];
  /** @param {string} name */
  const isKnown = (name) => libraries.some((library) => name.startsWith(library));
  const a = matching.find(isKnown) ?? matching[0] ?? names.find(isKnown);
  const other = libraries.find((library) => !a?.startsWith(library)) ?? "";
  const b = names.findLast((name) => name.startsWith(other)) ?? names[0];
  return { names: [...new Set(names)].sort(), a, b };
}

/**
 * The rows that print the number: those whose convention covers the ranking, and those of which nothing is known there.
 * @param {any} answer of "which"
 * @returns {{covered: any[], outside: any[]}}
 */
export function matchesOf({ rows }) {
  const matching = rows.filter((/** @type {any} */ row) => row.matches);
  return {
    covered: matching.filter((/** @type {any} */ row) => !row.not_covered),
    outside: matching.filter((/** @type {any} */ row) => row.not_covered),
  };
}

/**
 * The answer's rows as one for each value, in their order.
 * @param {any[]} rows of "which"
 * @returns {{value: string, cutoff: string, rows: any[]}[]}
 */
export function byValue(rows) {
  /** @type {Map<string, {value: string, cutoff: string, rows: any[]}>} */
  const found = new Map();
  for (const row of rows) {
    const value = row.computed === null ? "no value" : row.computed.toFixed(6);
    const cutoff = cutoffWords(row);
    const key = `${value} ${cutoff}`;
    if (!found.has(key)) found.set(key, { value, cutoff, rows: [] });
    found.get(key)?.rows.push(row);
  }
  return [...found.values()];
}

/** @param {any} row */
function cutoffWords({ matches, cutoffs, k }) {
  const said = (matches ? cutoffs : [k]).map((/** @type {number | null} */ each) => each ?? "none");
  return `cutoff ${said.length > 6 ? `${said.slice(0, 6).join(", ")}, …` : said.join(", ")}`;
}

/**
 * The way from one value to the other: each choice that moves it, with the value after it; and the choices that do not.
 * @param {any} answer of "difference"
 */
export function wayOf({ rows, value_a: start }) {
  let now = start;
  const moving = [];
  const still = [];
  for (const row of rows) {
    if (row.shown === "0") still.push(row.words);
    else {
      now = row.moved === null || now === null ? null : now + row.moved;
      moving.push({ ...row, after: now });
    }
  }
  return { moving, still };
}

// A query as a reader enters it: documents with grades, scores and names, those not retrieved, a cutoff, a printed number.

import { ofMeasure, readWithComma } from "./numbers.js";
import { readGrades } from "./page.js";
import { readCutoff } from "./task.js";

/** @typedef {Record<"grades" | "scores" | "names" | "unretrieved" | "cutoff" | "printed", string>} QueryEntries */

/** @type {QueryEntries} */
export const NO_QUERY = { grades: "", scores: "", names: "", unretrieved: "", cutoff: "", printed: "" };
const MOST_DOCUMENTS = 200; // for which every convention is tried at every cutoff
const LONGEST_NAME = 60;
const SCORE = /^[-−]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]{1,3})?$/i;

/** @param {string} text */
function wordsOf(text) {
  const words = text.replace(/^\s*\[|\]\s*$/g, "");
  return words.split(/[\s,;]+/).filter(Boolean);
}

/**
 * What the entries say, or what is wrong with them. Without names, the documents are d1, d2, …
 * @param {QueryEntries} entries
 */
export function readQuery(entries) {
  const { grades, problem: wrong } = readGrades(entries.grades);
  const more = readGrades(entries.unretrieved);
  const { k, problem: cutoff } = readCutoff(entries.cutoff);
  const scores = wordsOf(entries.scores);
  const names = wordsOf(entries.names);
  const read = entries.printed.trim() ? readWithComma(entries.printed).printed : null;
  const digits = String(grades.length).length;
  const docs = grades.map((grade, i) => ({
    id: names[i] ?? `d${String(i + 1).padStart(digits, "0")}`,
    score: scores.length ? Number(scores[i]?.replace("−", "-")) : grades.length - i,
    grade,
  }));
  const missed = more.problem && `Grades judged, but not retrieved: ${more.problem}`;
  const unread = entries.printed.trim() && !read ? "A printed NDCG: expected a number such as 0.737." : "";
  const problem = wrong || missed || cutoff || problemWith(grades.length, scores, names) || unread;
  const printed = read && ofMeasure(read, "NDCG");
  return { docs, unretrieved: more.grades, k, printed, scored: scores.length > 0, problem };
}

/**
 * @param {number} count
 * @param {string[]} scores
 * @param {string[]} names
 */
function problemWith(count, scores, names) {
  if (!count) return "Enter the grades of your ranking.";
  if (count > MOST_DOCUMENTS) return `Grades: expected at most ${MOST_DOCUMENTS}, got ${count}.`;
  if (scores.length && scores.length !== count)
    return `Scores: expected one for each of ${count} grades, got ${scores.length}.`;
  const unread = scores.find((word) => !SCORE.test(word) || !Number.isFinite(Number(word.replace("−", "-"))));
  if (unread !== undefined) return `Scores: expected numbers, got “${unread.slice(0, 30)}”.`;
  if (names.length && names.length !== count)
    return `Names: expected one for each of ${count} grades, got ${names.length}.`;
  if (new Set(names).size < names.length) return "Names: expected a different one for each document.";
  return names.some((name) => name.length > LONGEST_NAME) ? `Names: expected at most ${LONGEST_NAME} letters.` : "";
}

// What is said of a number on the front page, by the three formulas.

import { ndcg, RULES } from "./formulas.js";
import { covers, ofMeasure, readWithComma, roundedTo } from "./numbers.js";
import { readGrades } from "./page.js";

/** @type {["ORIGINAL" | "EXPONENTIAL", string][]} */
const OTHERS = [
  ["ORIGINAL", "ranks 1 and 2 undiscounted, then log2(rank)"],
  ["EXPONENTIAL", "the gain 2^grade − 1"],
];

/**
 * What is said of a number for grades.
 * @param {string} typed the grades
 * @param {string} text the number
 */
export function saidOfNumber(typed, text) {
  const { grades, problem } = readGrades(typed);
  if (problem) return problem;
  if (!grades.length || !text.trim()) return "Enter the grades, and the NDCG that you have.";
  const read = readWithComma(text.trim()).printed;
  if (!read) return "Expected a number such as 0.94.";
  const printed = ofMeasure(read, "NDCG");
  const right = ndcg(grades);
  if (!Number.isFinite(right)) return "Without a relevant result there is no NDCG.";
  if (covers(printed, right)) return `✓ Right by the standard formula: ${right.toFixed(6)}.`;
  const said = `✗ Not by the standard formula, which gives ${roundedTo(printed, right)}.`;
  const other = OTHERS.find(([name]) => covers(printed, ndcg(grades, null, RULES[name])));
  return other ? `${said} You get ${text.trim()} with ${other[1]}.` : said;
}

// Lines of a working as a reader wrote them: each number judged, the first wrong step, and what follows from it.

import { boundsOfSum, calculate } from "./arithmetic.js";
import { candidatesOfTerm, causesOf, matching } from "./causes.js";
import { measured, RULES, terms } from "./formulas.js";
import { covers } from "./numbers.js";
import { asFloat, FORMULAS, readEntry, rightAt } from "./task.js";

/**
 * @typedef {import("./arithmetic.js").Bounds} Bounds
 * @typedef {{ code: string, label: string }} Mistake
 * @typedef {{ text: string, start: number, end: number }} Place in the line
 * @typedef {object} Written a line that was read
 * @property {string} text
 * @property {string} measure NDCG, DCG, IDCG or CG; or nothing
 * @property {boolean} named whether the line says so
 * @property {number | null} k the cutoff that it says
 * @property {Place[]} sides what stands between the signs of equality
 * @property {boolean} about whether the result is only about equal
 * @typedef {object} JudgedLine
 * @property {string} text
 * @property {"agrees" | "slip" | "undefined" | "unread"} outcome
 * @property {string} measure
 * @property {boolean} named
 * @property {number | null} k
 * @property {number} value the exact one
 * @property {string} correct
 * @property {Place | null} wrong the first wrong step of the line
 * @property {Mistake[]} mistakes that give what is written there
 * @property {string[]} follows the measures of the earlier slips that it follows from
 * @property {boolean} percent whether the number is right as a percentage
 * @property {boolean} comma whether a decimal comma was read
 * @property {import("./numbers.js").Printed | null} printed
 */

const MOST_LINES = 40;
const NAME = String.raw`(?:(?:the|my)\s+)?(?:\\\w+\{)?(ideal\s+dcg|[ni]?dcg|cg)\}?(?:\s*(?:@|_|\bat\b)\s*\{?([1-9]\d{0,3})\}?)?`;
const BEGINS = new RegExp(String.raw`^[$&\s]*${NAME}[&\s]*(:?=|:|\bis\b|≈|\\approx)`, "i");
const BETWEEN = new RegExp(
  String.raw`(?:\s*(?:[,;]|\.\s|\band\b)\s*|(?<=[\d%)])\s+)(?=${NAME}\s*(?::?=|:|\bis\b|≈))`,
  "i",
);
const GOES_ON = /^\s*&?\s*(?:[=≈+*×·÷/−-](?!\s*$)|\\(?:approx|cdot|times))/;
const EQUALS = /=|≈|\\approx/g;
const COMMA = /(?<![\d.,])(\d+),(\d+)(?![.,]?\d)/g;
const OF_FEWER_TERMS = /dropped|^cutoff /; // or more: not where every term is written
const NAMES_ALONE = new RegExp(String.raw`^(?:${NAME}|[\s/+(){}\\]|frac)+$`, "i");

/**
 * The lines of a text, one that goes on with a sign joined to the one before.
 * @param {string} text
 * @returns {string[]}
 */
export function linesOfText(text) {
  /** @type {string[]} */
  const lines = [];
  for (const line of text.split("\n")) {
    if (GOES_ON.test(line) && lines.length) lines.push(`${lines.pop()} ${line.trim()}`);
    else lines.push(...apart(line));
  }
  return lines.map((line) => line.trim().replace(/(?:\\\\|[.;,\s])+$/, "")).filter(Boolean);
}

/** @param {string} line @returns {string[]} */
function apart(line) {
  const found = BETWEEN.exec(line);
  return found ? [line.slice(0, found.index), ...apart(line.slice(found.index + found[0].length))] : [line];
}

/**
 * A line as it is understood, or null if it is none of a working.
 * @param {string} text
 * @returns {Written | null}
 */
export function readLine(text) {
  const plain = withPoints(text);
  const [begins = "", name = "", k, sign = ""] = BEGINS.exec(plain) ?? [];
  const sides = sidesOf(text, plain, begins.length);
  const read = sides.filter((side) => !NAMES_ALONE.test(side.text));
  if (
    !read.length ||
    read.some((side) => !calculate(withPoints(side.text)) && !readEntry(entryOf(side.text), 0).printed)
  )
    return null;
  const measure = name.toUpperCase().replace(/\s+/g, " ").replace("IDEAL DCG", "IDCG");
  const about = /≈|\\approx/.test(sign + text.slice(0, read.at(-1)?.start));
  return { text, measure, named: Boolean(name), k: Number(k) || null, sides: read, about };
}

/**
 * Whether a text is lines of a working and nothing else.
 * @param {string} text
 */
export function isWorking(text) {
  const lines = linesOfText(text);
  return lines.length <= MOST_LINES && lines.every((line) => readLine(line));
}

/**
 * The formula under which most numbers of a text agree.
 * @param {string} text
 * @param {import("./task.js").Task} task
 * @returns {keyof typeof RULES}
 */
export function formulaOf(text, task) {
  const counts = FORMULAS.map(({ name }) => {
    const agreeing = judgeLines(text, { ...task, convention: name }).filter(({ outcome }) => outcome === "agrees");
    return { name, count: agreeing.length };
  });
  return counts.sort((one, other) => other.count - one.count)[0].name;
}

/**
 * What is said of each line.
 * @param {string} text
 * @param {import("./task.js").Task} task
 * @returns {JudgedLine[]}
 */
export function judgeLines(text, task) {
  /** @type {JudgedLine[]} */
  const judged = [];
  for (const line of linesOfText(text).slice(0, MOST_LINES)) judged.push(judgeLine(line, task, judged));
  return judged;
}

/**
 * @param {string} text
 * @param {import("./task.js").Task} task
 * @param {JudgedLine[]} earlier
 * @returns {JudgedLine}
 */
function judgeLine(text, task, earlier) {
  const line = readLine(text);
  /** @type {JudgedLine} */
  const judged = {
    text,
    outcome: "unread",
    measure: line?.measure ?? "",
    named: line?.named ?? false,
    k: line?.k ?? task.k,
    value: Number.NaN,
    correct: "",
    wrong: null,
    mistakes: [],
    follows: [],
    percent: false,
    comma: false,
    printed: null,
  };
  if (!line) return judged;
  const ranking = { ...task, k: judged.k, rule: RULES[task.convention] };
  const end = line.sides[line.sides.length - 1];
  if (!judged.measure && line.sides.length === 1 && !calculate(withPoints(end.text))?.terms[1])
    judged.measure = nearest(end.text, ranking);
  const { measure } = judged;
  const steps = line.sides.map((side) => ({
    ...side,
    ...(calculate(withPoints(side.text)) ?? { bounds: null, terms: [] }),
  }));
  const value = measure ? measured(measure, ranking) : middle(steps[0].bounds ?? [Number.NaN, Number.NaN]);
  judged.value = value;
  if (measure && !Number.isFinite(value)) return { ...judged, outcome: "undefined" };

  const { printed, comma } = readEntry((line.about ? "≈ " : "") + entryOf(end.text), value, measure);
  judged.comma = comma || withPoints(text) !== text;
  judged.printed = printed;
  const last = steps[steps.length - 1];
  const agrees = printed ? covers(printed, value) : last.bounds !== null && holds(last.bounds, value);
  judged.outcome = agrees ? "agrees" : "slip";
  judged.correct = printed ? rightAt(printed, value) : String(Number(value.toPrecision(6)));
  if (!agrees && printed && measure === "NDCG" && !printed.tail && asFloat(printed) >= 2) {
    const percentage = readEntry(`${end.text}%`, value, measure).printed;
    judged.percent = percentage !== null && covers(percentage, value);
  }

  // The first step that is wrong: a beginning that is not of the measure, or a side that departs from the one before
  const wrong = steps.find(({ bounds }, i) => {
    if (!bounds || (i === steps.length - 1 && agrees)) return false;
    if (i) return !meet(bounds, steps[i - 1].bounds ?? bounds);
    return Boolean(measure) && !holds(bounds, value) && !(steps.length === 1 && agrees);
  });
  if (!wrong && agrees) return judged;
  const slips = earlier.filter((each) => each.outcome === "slip" && each.measure);
  judged.follows = followed(judged, wrong ?? last, printed, slips, earlier);
  if (judged.follows.length) return judged;
  judged.wrong = wrong ?? end;
  if (!measure || measure === "CG") return judged;
  if (!agrees && printed) judged.mistakes = causesOf(printed, measure, ranking);
  if (wrong && wrong === steps[0] && wrong.bounds && wrong.terms.length && steps.length > 1) {
    const bounds = wrong.bounds;
    const own = matching(measure, ranking, (each) => holds(bounds, each));
    if (own.length) judged.mistakes = own;
    const expected = expectedTerms(wrong.terms, measure, ranking);
    const term = firstWrongTerm(wrong.terms, expected, ranking.rule);
    if (term) {
      judged.wrong = shifted(term.term, wrong.start);
      if (!own.length && term.mistakes.length) judged.mistakes = term.mistakes;
    }
    if (expected.terms) judged.mistakes = judged.mistakes.filter(({ label }) => !OF_FEWER_TERMS.test(label));
  }
  return judged;
}

/**
 * The measures of the earlier slips that a line follows from.
 * @param {JudgedLine} judged
 * @param {{ text: string }} side its wrong step
 * @param {import("./numbers.js").Printed | null} printed
 * @param {JudgedLine[]} slips
 * @param {JudgedLine[]} earlier
 */
function followed({ measure, k }, side, printed, slips, earlier) {
  const named = slips.filter(
    (slip) => slip.printed && side.text.includes(slip.printed.text) && slip.measure !== measure,
  );
  if (named.length) return named.map((slip) => slip.measure);
  if (measure !== "NDCG" || !printed) return [];
  const [above, below] = ["DCG", "IDCG"].map((name) =>
    earlier.findLast((each) => each.measure === name && each.k === k),
  );
  const own = [above, below].filter((each) => each?.outcome === "slip").map((each) => each?.measure ?? "");
  if (!own.length || !below?.printed) return [];
  const share = calculate(`${above?.printed?.text ?? "0"}/${below.printed.text}`);
  return share && meet(share.bounds, halfAround(printed)) ? own : [];
}

/**
 * The right terms of a sum, if as many are written: all, or those that are not 0.
 * @param {import("./arithmetic.js").Term[]} written
 * @param {string} measure
 * @param {import("./causes.js").Ranking} ranking
 */
function expectedTerms(written, measure, { grades, judged, k, rule }) {
  const all = measure === "DCG" ? grades : [...(judged ?? grades)].sort((a, b) => b - a);
  const summed = all.slice(0, k ?? undefined);
  const right = terms(summed, rule).map((value, at) => ({ value, at }));
  const fits = [right, right.filter(({ value }) => value)].find((each) => each.length === written.length);
  return { summed, terms: measure === "NDCG" ? undefined : fits };
}

/**
 * The first term that is not the one of its rank.
 * @param {import("./arithmetic.js").Term[]} written
 * @param {ReturnType<typeof expectedTerms>} expected
 * @param {import("./formulas.js").Rule} rule
 */
function firstWrongTerm(written, { summed, terms: expected }, rule) {
  const at = expected?.findIndex(({ value }, i) => !holds(written[i].bounds, value)) ?? -1;
  if (!expected || at < 0) return null;
  const { bounds } = written[at];
  const found = candidatesOfTerm(expected[at].at, summed, rule, (gain, discount) => gain / discount);
  return { term: written[at], mistakes: found.filter(({ value }) => holds(bounds, value)) };
}

/** @param {Place} term @param {number} by @returns {Place} */
function shifted({ text, start, end }, by) {
  return { text, start: start + by, end: end + by };
}

/**
 * The measure whose value is nearest to a number.
 * @param {string} text
 * @param {import("./causes.js").Ranking} ranking
 */
function nearest(text, ranking) {
  const { printed } = readEntry(text, 1);
  const number = printed ? asFloat(printed) : Number.NaN;
  const far = (/** @type {string} */ name) => Math.abs(measured(name, ranking) - number);
  const known = ["NDCG", "DCG", "IDCG"].filter((name) => Number.isFinite(far(name)));
  return known.sort((one, other) => far(one) - far(other))[0] ?? "NDCG";
}

/**
 * The parts of a line between its signs of equality.
 * @param {string} text
 * @param {string} plain
 * @param {number} from
 * @returns {Place[]}
 */
function sidesOf(text, plain, from) {
  const cuts = [...plain.matchAll(EQUALS)].filter(({ index }) => index >= from);
  const starts = [from, ...cuts.map(({ index, 0: sign }) => index + sign.length)];
  const stops = [...cuts.map(({ index }) => index), text.length];
  return starts.flatMap((begin, i) => {
    const side = text.slice(begin, stops[i]);
    const kept = side.trim().replace(/^[$&\s]+|[$&\s\\]+$/g, "");
    const start = begin + side.indexOf(kept);
    return kept ? [{ text: kept, start, end: start + kept.length }] : [];
  });
}

/**
 * A text of the same length with points for decimal commas, and a semicolon before the base of a logarithm.
 * @param {string} text
 */
function withPoints(text) {
  const based = text.replace(/(log\([^,()]*),(?=\s*\d+\s*\))/gi, "$1;");
  const found = [...based.matchAll(COMMA)].map(([all]) => all);
  return found.every((all) => /^[1-9]\d{0,2},\d{3}$/.test(all)) ? based : based.replace(COMMA, "$1.$2");
}

/**
 * A number without the blanks and the backslash that LaTeX has before a percent sign.
 * @param {string} text
 */
function entryOf(text) {
  return text.replace(/(?:\s|\\[,;!])*\\?%$/, "%");
}

/** @param {Bounds} bounds @param {number} value */
function holds(bounds, value) {
  return meet(bounds, [value, value]);
}

/** @param {Bounds} one @param {Bounds} other */
function meet(one, other) {
  const slack = 1e-9 * Math.max(1, Math.abs(one[0]));
  return one[0] <= other[1] + slack && other[0] <= one[1] + slack;
}

/** @param {import("./numbers.js").Printed} printed @returns {Bounds} */
function halfAround(printed) {
  const half = printed.exact ? 0 : Number(printed.numerator) / Number(printed.denominator) / 2;
  return boundsOfSum([
    [-half, half],
    [asFloat(printed), asFloat(printed)],
  ]);
}

/** @param {Bounds} bounds */
function middle([low, high]) {
  return (low + high) / 2;
}

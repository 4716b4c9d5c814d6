// A task as a reader states it: grades, documents that were not retrieved, cutoff, convention. Number and working share it.

import { dcg, discounts, gains, idcg, RULES } from "./formulas.js";
import { covers, ofMeasure, readNumber, readWithComma, roundedTo } from "./numbers.js";
import { make, readGrades } from "./page.js";

/**
 * The three formulas, each with its name and what it says in words.
 * @type {{ name: keyof typeof RULES, words: string, short: string }[]}
 */
export const FORMULAS = [
  { name: "STANDARD", words: "gain = grade, discount log2(rank + 1)", short: "discount log2(rank + 1)" },
  { name: "ORIGINAL", words: "gain = grade; rank 1 undiscounted, then log2(rank)", short: "discount log2(rank)" },
  { name: "EXPONENTIAL", words: "gain 2^grade − 1, discount log2(rank + 1)", short: "gain 2^grade − 1" },
];

/** What a reader may fill in, before anything is typed. */
export const NO_TASK = { grades: "", unretrieved: "", cutoff: "", convention: "STANDARD" };

const LONGEST_ENTRY = 40_000; // characters: 1,000 grades of 30, with room for blanks

/**
 * Entries from outside, such as a link or the history: known fields alone, and text alone.
 * @template {Record<string, string>} T
 * @param {T} known every field with its default
 * @param {any} given
 * @returns {T}
 */
export function asEntries(known, given) {
  const entries = { ...known };
  for (const field of Object.keys(known)) {
    const said = given?.[field];
    if (typeof said === "string" && said.length <= LONGEST_ENTRY)
      entries[/** @type {keyof T} */ (field)] = /** @type {any} */ (said);
  }
  return entries;
}

/**
 * A cutoff, or none where the field is empty.
 * @param {string} text
 * @returns {{ k: number | null, problem: string }}
 */
export function readCutoff(text) {
  const said = text.trim();
  if (said === "") return { k: null, problem: "" };
  if (!/^[0-9]{1,6}$/.test(said) || Number(said) === 0)
    return { k: null, problem: `Cutoff: expected a whole number from 1, got “${said.slice(0, 30)}”.` };
  return { k: Number(said), problem: "" };
}

/**
 * @typedef {object} Task
 * @property {number[]} grades
 * @property {number[] | null} judged the grades of all judged documents; those of the ranking if null
 * @property {number | null} k
 * @property {keyof typeof RULES} convention
 * @property {string} problem what is wrong with the entries, or nothing
 */

/**
 * The task that the entries state, or what is wrong with them.
 * @param {{ grades: string, unretrieved: string, cutoff: string, convention: string }} entries
 * @returns {Task}
 */
export function readTask(entries) {
  const read = readGrades(entries.grades);
  const more = entries.unretrieved.trim() ? readGrades(entries.unretrieved) : { grades: [], problem: "" };
  const { k, problem } = readCutoff(entries.cutoff);
  const missed = more.problem && `Judged, but not retrieved: ${more.problem}`;
  const known = FORMULAS.find(({ name }) => name === entries.convention) ?? FORMULAS[0];
  const task = {
    grades: read.grades,
    judged: more.grades.length ? [...read.grades, ...more.grades] : null,
    k,
    convention: known.name,
    problem: read.problem || missed || problem || "",
  };
  const large = !task.problem && totals(task).some((total) => !Number.isFinite(total));
  return large ? { ...task, problem: "Grades: expected smaller ones, these have no finite gain." } : task;
}

/** @param {Task} task */
function totals(task) {
  const steps = stepsOf(task, task.convention);
  return [steps.dcg, steps.idcg];
}

/**
 * The cells that lead to NDCG, in numbers: what a reader writes down.
 * @param {Task} task
 * @param {keyof typeof RULES} convention
 */
export function stepsOf(task, convention) {
  const rule = RULES[convention];
  const ranked = task.grades.slice(0, task.k ?? undefined);
  const best = [...(task.judged ?? task.grades)].sort((a, b) => b - a).slice(0, task.k ?? undefined);
  const table = (/** @type {number[]} */ grades) => {
    const gained = gains(grades, rule);
    const divisors = discounts(grades.length, rule);
    return grades.map((grade, i) => ({
      rank: i + 1,
      grade,
      gain: gained[i],
      discount: divisors[i],
      term: gained[i] / divisors[i],
    }));
  };
  return {
    rows: table(ranked),
    ideal: table(best),
    dcg: dcg(task.grades, task.k, rule),
    idcg: idcg(task.grades, task.k, rule, task.judged),
  };
}

const WITH_COMMA = /^\s*(?:≈[ \xa0]*)?[-−]?[0-9]+,[0-9]+%?\s*$/;

const BLANK_BEFORE_PERCENT = /\s+(?=%\s*$)/;
const LONGEST_NUMBER = 1000; // characters that are searched
const FRACTION_SIGN = /([0-9]*)([¼-¾⅐-⅞])/;
const FRACTION_SLASH = "\u2044";
/** What a field for a number takes. */
export const READABLE =
  "Write a whole number, a decimal such as 0.63, a percentage such as 97.8%, or a fraction of whole numbers such as 1/3.";

/**
 * A number as typed. A blank may stand before a percent sign, and ½ is a fraction. The comma of 4,263 may group
 * thousands or stand before decimals: it is read as what is nearer to the value that belongs there.
 * @param {string} text
 * @param {number} near
 * @param {string} [measure] what it is, of which a bare 0 or 1 may be exact
 */
export function readEntry(text, near, measure = "") {
  const typed = text.length > LONGEST_NUMBER ? text : withSlash(text.replace(BLANK_BEFORE_PERCENT, ""));
  const read = readWithComma(typed);
  const found = { ...read, printed: read.printed && ofMeasure(read.printed, measure) };
  const decimal = found.printed && !found.comma && WITH_COMMA.test(typed) ? readNumber(typed, ",") : null;
  if (!found.printed || !decimal) return found;
  const grouped = Math.abs(asFloat(found.printed) - near) < Math.abs(asFloat(decimal) - near);
  return grouped ? found : { printed: decimal, comma: true };
}

/**
 * A number with its fraction written with a slash: 7/2 for 3½.
 * @param {string} text
 */
function withSlash(text) {
  const slashed = text.replace(FRACTION_SIGN, (_, whole, sign) => {
    const [above, below] = sign.normalize("NFKC").split(FRACTION_SLASH).map(Number);
    return `${Number(whole) * below + above}/${below}`;
  });
  return slashed.replace(FRACTION_SLASH, "/");
}

/**
 * The float near a printed number, infinite where it is beyond the range of one.
 * @param {import("./numbers.js").Printed} printed
 */
export function asFloat({ units, numerator, denominator }) {
  return (Number(units) * Number(numerator)) / Number(denominator);
}

/**
 * A value for the eye: four decimals, none where it is whole.
 * @param {number} value
 * @returns {string}
 */
export function shown(value) {
  if (!Number.isFinite(value)) return "no value";
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(6)));
}

/**
 * What should be printed in the place of a number: the right rounding, or the value where the number claims to be it.
 * @param {import("./numbers.js").Printed} printed
 * @param {number} value finite
 */
export function rightAt(printed, value) {
  if (covers(printed, value)) return printed.text;
  return printed.exact ? shown(value) : roundedTo(printed, value);
}

const LEAST_DIGITS = 6;
const MOST_DIGITS = 17; // tell every double from its neighbours

/**
 * A value beside a printed number: with three digits more than that claims, and those that tell why it does not agree.
 * @param {import("./numbers.js").Printed} printed
 * @param {number} value
 */
export function beside(printed, value) {
  if (!Number.isFinite(value)) return shown(value);
  const size = Math.max(0, Math.floor(Math.log10(Math.abs(value) || 1)) + 1);
  let digits = Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, size + String(printed.denominator).length - 1 + 3));
  while (digits < MOST_DIGITS && covers(printed, Number(value.toPrecision(digits))) !== covers(printed, value))
    digits++;
  return String(Number(value.toPrecision(digits)));
}

let fields = 0;

/**
 * A labelled control.
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint = "") {
  fields += 1;
  control.id = `live-field-${fields}`;
  const below = hint ? [make("small", { id: `${control.id}-hint` }, hint)] : [];
  if (hint) control.setAttribute("aria-describedby", `${control.id}-hint`);
  return make("div", { class: "live-field" }, make("label", { for: control.id }, label), control, ...below);
}

/**
 * A field of text.
 * @param {Record<string, string>} [attributes]
 */
export function textField(attributes = {}) {
  const quiet = { type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off", placeholder: " " };
  return /** @type {HTMLInputElement} */ (make("input", { ...quiet, ...attributes }));
}

/**
 * A choice; options are pairs of value and words.
 * @param {string[][]} options
 */
export function choice(options) {
  const made = options.map(([value, words]) => make("option", { value }, words));
  return /** @type {HTMLSelectElement} */ (make("select", {}, ...made));
}

/** The conventions to choose from, as options. */
export function conventionOptions() {
  return FORMULAS.map(({ name, short }) => [name, `${name}: ${short}`]);
}

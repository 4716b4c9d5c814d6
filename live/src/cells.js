// A working cell by cell, without Python: which cells are right, and which follow from the reader's own earlier cells.

import { gains, RULES } from "./formulas.js";
import { covers } from "./numbers.js";
import { asFloat, readEntry, rightAt, stepsOf } from "./task.js";

/**
 * @typedef {[number, number]} Bounds the least and the greatest value
 * @typedef {object} Cell
 * @property {string} key
 * @property {string} name in words
 * @property {number} value the right one
 * @property {string[]} needs the cells that it is computed from
 * @property {((own: Bounds[]) => Bounds) | null} work how it is computed from them
 * @typedef {object} Judged
 * @property {"empty" | "unread" | "agrees" | "slip" | "undefined"} state
 * @property {import("./numbers.js").Printed | null} printed
 * @property {boolean} comma whether a decimal comma was read
 * @property {string} correct the right value at the printed digits
 * @property {string[]} from the keys of the reader's own slips that it follows from
 * @property {boolean} carried whether it follows from right cells as rounded
 * @property {string} coarse what to say of a number that agrees only because it has no decimals
 */

/** @param {Bounds[]} operands */
function ratioOfBounds([above, below]) {
  return /** @type {Bounds} */ (below[0] > 0 ? [above[0] / below[1], above[1] / below[0]] : [Number.NaN, Number.NaN]);
}

/** @param {Bounds[]} parts */
function sumOfBounds(parts) {
  return /** @type {Bounds} */ ([0, 1].map((end) => parts.reduce((total, each) => total + each[end], 0)));
}

/**
 * The cell of the ranking that has the gain of each rank of the ideal order; empty if no document there has its grade.
 * @param {ReturnType<typeof stepsOf>} steps
 */
export function gainsOfTheIdeal({ rows, ideal }) {
  return ideal.map(({ grade }, i) => {
    const same = rows.filter((row) => row.grade === grade);
    const before = ideal.slice(0, i).filter((each) => each.grade === grade).length;
    const row = same[before] ?? same[0];
    return row ? `gain-${row.rank}` : "";
  });
}

/**
 * The cells of a task, in the order in which they are filled in.
 * @param {import("./task.js").Task} task
 * @returns {Cell[]}
 */
export function cellsOf(task) {
  const steps = stepsOf(task, task.convention);
  const terms = steps.rows.flatMap(({ rank, gain, discount, term }) => {
    const needs = [`gain-${rank}`, `discount-${rank}`];
    return [
      { key: needs[0], name: `gain at rank ${rank}`, value: gain, needs: [], work: null },
      { key: needs[1], name: `discount at rank ${rank}`, value: discount, needs: [], work: null },
      { key: `term-${rank}`, name: `term at rank ${rank}`, value: term, needs, work: ratioOfBounds },
    ];
  });
  const gainKeys = gainsOfTheIdeal(steps);
  const ideal = steps.ideal.flatMap(({ rank, grade, gain, discount, term }, i) => {
    const divided = rank <= steps.rows.length;
    /** @param {Bounds[]} own */
    const work = ([graded, ...others]) => {
      const divisor = divided ? others[0] : /** @type {Bounds} */ ([discount, discount]);
      const right = graded.every((end) => end === grade);
      // A document has one gain, also if it is wrong: the one in the table of the ranking
      const own = gainKeys[i] ? /** @type {Bounds} */ (others.at(-1)) : /** @type {Bounds} */ ([gain, gain]);
      return ratioOfBounds([right ? own : /** @type {Bounds} */ (gains(graded, RULES[task.convention])), divisor]);
    };
    const needs = [`best-${rank}`, divided ? `discount-${rank}` : "", gainKeys[i]].filter(Boolean);
    return [
      { key: needs[0], name: `ideal grade at rank ${rank}`, value: grade, needs: [], work: null },
      { key: `ideal-${rank}`, name: `ideal term at rank ${rank}`, value: term, needs, work },
    ];
  });
  const share = steps.idcg > 0 ? steps.dcg / steps.idcg : Number.NaN;
  const added = steps.rows.map(({ rank }) => `term-${rank}`);
  const addedIdeal = steps.ideal.map(({ rank }) => `ideal-${rank}`);
  return [
    ...terms,
    { key: "DCG", name: "DCG", value: steps.dcg, needs: added, work: sumOfBounds },
    ...ideal,
    { key: "IDCG", name: "ideal DCG", value: steps.idcg, needs: addedIdeal, work: sumOfBounds },
    { key: "NDCG", name: "NDCG", value: share, needs: ["DCG", "IDCG"], work: ratioOfBounds },
  ];
}

/**
 * What the reader wrote in each cell, judged.
 * @param {Cell[]} cells
 * @param {Record<string, string>} entries by key; an empty text is a cell not filled in
 * @returns {Map<string, Judged>}
 */
export function judgeCells(cells, entries) {
  const working = new Working();
  for (const cell of cells) working.add(cell, entries[cell.key] ?? "");
  return working.judged;
}

// Each cell has bounds in two readings of the reader's work: with every earlier cell as written, or with the right ones
// unrounded. What the reader wrote wrongly lies within half a unit of what is written in both.
const READINGS = /** @type {const} */ (["written", "unrounded"]);

class Working {
  constructor() {
    /** @type {Map<string, Judged>} */
    this.judged = new Map();
    /** @type {Map<string, Record<string, Bounds>>} */
    this.bounds = new Map();
    /** @type {Map<string, string[]>} the slips that a value rests on, by the key of its cell */
    this.slips = new Map();
  }

  /**
   * @param {Cell} cell
   * @param {string} text
   */
  add(cell, text) {
    const { printed, comma } = readEntry(text, cell.value, cell.key);
    const follows = this.following(cell);
    const state = stateOf(cell, text, printed);
    const slips = [...new Set(cell.needs.flatMap((key) => this.slips.get(key) ?? []))];
    const met = state === "slip" && READINGS.some((reading) => meets(boundsOf(printed), follows[reading]));
    const own = state === "slip" && !(met && slips.length);
    this.judged.set(cell.key, {
      state,
      printed,
      comma,
      correct: printed && Number.isFinite(cell.value) ? rightAt(printed, cell.value) : "",
      from: own ? [] : state === "slip" ? slips : [],
      carried: own && met && cell.needs.length > 0,
      coarse: state === "agrees" && isCoarse(printed, cell.value) ? COARSE : "",
    });
    this.slips.set(cell.key, state === "agrees" ? [] : own ? [cell.key] : slips);
    this.bounds.set(cell.key, {
      written: own ? boundsOf(printed) : printed ? pointOf(printed) : follows.written,
      unrounded: own ? boundsOf(printed) : follows.unrounded,
    });
    if (state === "agrees")
      this.bounds.set(cell.key, { written: pointOf(printed), unrounded: [cell.value, cell.value] });
  }

  /**
   * What a cell comes to from the reader's own earlier cells.
   * @param {Cell} cell
   * @returns {Record<string, Bounds>}
   */
  following({ value, needs, work }) {
    /** @param {string} reading */
    const from = (reading) =>
      work ? work(needs.map((key) => this.bounds.get(key)?.[reading] ?? [value, value])) : [value, value];
    return Object.fromEntries(READINGS.map((reading) => [reading, /** @type {Bounds} */ (from(reading))]));
  }
}

const COARSE =
  "Your whole number agrees, since the exact value can be rounded to it. Only decimals tell it from other values nearby.";

/**
 * Whether a number has no decimals although its value is no whole number.
 * @param {import("./numbers.js").Printed | null} printed
 * @param {number} value
 */
function isCoarse(printed, value) {
  return printed !== null && !printed.exact && !printed.tail && !printed.decimals && !Number.isInteger(value);
}

/**
 * @param {Cell} cell
 * @param {string} text
 * @param {import("./numbers.js").Printed | null} printed
 */
function stateOf({ value }, text, printed) {
  if (text.trim() === "") return "empty";
  if (!printed) return "unread";
  if (!Number.isFinite(value)) return "undefined";
  return covers(printed, value) ? "agrees" : "slip";
}

/** @param {import("./numbers.js").Printed | null} printed */
function pointOf(printed) {
  const [low, high] = boundsOf(printed);
  return /** @type {Bounds} */ ([(low + high) / 2, (low + high) / 2]);
}

/**
 * The values that could have been rounded to a number, near enough to say what follows from it. A whole number, such
 * as a gain, is taken as it is: half a unit around it would hide a wrong sum.
 * @param {import("./numbers.js").Printed | null} printed
 * @returns {Bounds}
 */
function boundsOf(printed) {
  if (!printed) return [Number.NaN, Number.NaN];
  const unit = Number(printed.numerator) / Number(printed.denominator);
  const [value, half] = [asFloat(printed), printed.exact || unit >= 1 ? 0 : unit / 2];
  return [value - half, value + half];
}

/**
 * Whether two ranges have a value in common, a rounding error of the arithmetic aside.
 * @param {Bounds} one
 * @param {Bounds} other
 */
function meets(one, other) {
  const slack = 1e-12 * Math.max(1, Math.abs(one[0]));
  return one[0] <= other[1] + slack && other[0] <= one[1] + slack;
}

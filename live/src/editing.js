// A ranking that is edited, as data: what it holds, its edits, its state in a link, and the tasks. Without a page.

import { cg, ndcg } from "./formulas.js";
import { gradesOf, inBestOrder } from "./lengths.js";

/**
 * @typedef {import("./lengths.js").Doc} Doc
 *
 * @typedef {object} State
 * @property {Doc[][]} lists the rankings, best rank first
 * @property {Doc[]} missing judged, but not retrieved
 * @property {boolean} pool whether a result that is removed stays judged
 * @property {string} gain
 * @property {string} discount
 * @property {number} base
 * @property {number | null} cutoff
 * @property {string} ideal "judged" or "ranked"
 * @property {string} example which of the menu
 * @property {number} moves how many edits led here
 */

const MOST_RESULTS = 20;
const HIGHEST_GRADE = 4;
const LONGEST_TITLE = 100;
const LARGEST_GRADE = 1000;

/**
 * One edit further: some fields changed.
 * @param {State} state
 * @param {Partial<State>} changed
 * @returns {State}
 */
function edited(state, changed) {
  return { ...state, ...changed, moves: state.moves + 1 };
}

/**
 * @param {State} state
 * @param {number} at
 * @param {Doc[]} docs
 * @param {Doc[]} [missing]
 */
function replaced(state, at, docs, missing = state.missing) {
  return edited(state, { lists: state.lists.with(at, docs), missing });
}

/**
 * A choice from a menu; of the example, with its results.
 * @param {State} state
 * @param {string} name
 * @param {string} value
 * @param {string} [docs]
 */
export function chosenIn(state, name, value, docs) {
  const lists = docs ? [JSON.parse(docs)] : state.lists;
  return edited(state, { lists, [name]: name === "cutoff" ? Number(value) || null : value });
}

/**
 * A result goes to another place, counted from 0; the same state if it is there, or if there is no such place.
 * @param {State} state
 * @param {number} list
 * @param {number} from
 * @param {number} to
 */
export function moved(state, list, from, to) {
  const docs = [...state.lists[list]];
  if (from === to || to < 0 || to >= docs.length) return state;
  docs.splice(to, 0, ...docs.splice(from, 1));
  return replaced(state, list, docs);
}

/**
 * @param {State} state
 * @param {number} list
 * @param {number} at
 * @param {number} grade
 */
export function graded(state, list, at, grade) {
  const docs = state.lists[list];
  if (docs[at].grade === grade) return state;
  return replaced(state, list, docs.with(at, { ...docs[at], grade }));
}

/**
 * The grade that a click leads to: the next whole one, and 0 after the highest.
 * @param {number} grade
 */
export function nextGrade(grade) {
  return grade >= HIGHEST_GRADE ? 0 : Math.floor(grade) + 1;
}

/**
 * One more result at the end: the first of those that were judged and not retrieved, else a new one of grade 0.
 * @param {State} state
 */
export function added(state) {
  const [docs] = state.lists;
  if (docs.length >= MOST_RESULTS) return state;
  const [found, ...missing] = state.missing;
  if (found) return replaced(state, 0, [...docs, found], missing);
  const taken = new Set(docs.map((doc) => doc.title));
  let number = docs.length + 1;
  while (taken.has(`Result ${number}`)) number++;
  return replaced(state, 0, [...docs, { title: `Result ${number}`, grade: 0 }]);
}

/**
 * @param {State} state
 * @param {number} list
 * @param {number} at
 */
export function removed(state, list, at) {
  const docs = state.lists[list];
  if (docs.length < 2) return state;
  const missing = state.pool ? [...state.missing, docs[at]] : state.missing;
  return replaced(state, list, docs.toSpliced(at, 1), missing);
}

/**
 * The results of the ideal, or best, order of the first ranking.
 * @param {State} state
 */
export function bestOrder(state) {
  return inBestOrder(state.ideal === "judged" ? [...state.lists[0], ...state.missing] : state.lists[0]);
}

/**
 * The retrieved results in another order: the best, or the worst.
 * @param {State} state
 * @param {"best" | "worst"} order
 */
export function sorted(state, order) {
  const docs = inBestOrder(state.lists[0]);
  return replaced(state, 0, order === "best" ? docs : docs.reverse());
}

/**
 * What a link holds of a state: title and grade of each result, and the choices of the page.
 * @param {State} state
 * @param {string[]} choices
 */
export function forLink(state, choices) {
  const chosen = choices.map((name) => [name, state[/** @type {keyof State} */ (name)]]);
  return {
    lists: state.lists.map((docs) => docs.map(({ title, grade }) => [title, grade])),
    ...Object.fromEntries(chosen),
  };
}

/**
 * The state that a link holds, or that of the page where the link holds no ranking like it.
 * @param {State} start
 * @param {any} given
 * @param {Record<string, string[]>} choices the values of each choice of the page
 * @returns {State}
 */
export function fromLink(start, given, choices) {
  const lists = given?.lists;
  if (!Array.isArray(lists) || lists.length !== start.lists.length || !lists.every(isRanking)) return start;
  /** @param {[string, number][]} rows */
  const asDocs = (rows) => rows.map(([title, grade]) => ({ title, grade }));
  /** @type {State} */
  const state = { ...start, lists: lists.map(asDocs) };
  const titles = new Set(state.lists[0].map((doc) => doc.title));
  if (start.pool) state.missing = [...start.lists[0], ...start.missing].filter(({ title }) => !titles.has(title));
  for (const [name, values] of Object.entries(choices)) {
    const value = String(given[name] ?? "");
    if (values.includes(value)) Object.assign(state, { [name]: name === "cutoff" ? Number(value) || null : value });
  }
  return state;
}

/** @param {any} rows */
function isRanking(rows) {
  return Array.isArray(rows) && rows.length > 0 && rows.length <= MOST_RESULTS && rows.every(isResult);
}

/** @param {any} row */
function isResult(row) {
  if (!Array.isArray(row)) return false;
  const [title, grade] = row;
  return (
    typeof title === "string" &&
    title.length <= LONGEST_TITLE &&
    typeof grade === "number" &&
    grade >= 0 &&
    grade <= LARGEST_GRADE
  );
}

/**
 * Whether a task is reached, from what the page showed at the start and what it shows now.
 * @type {Record<string, (start: State, now: State) => boolean>}
 */
export const TASKS = {
  best: (start, now) => sameGrades(start, now) && sameChoices(start, now) && share(now) === 1,
  level: (start, now) => {
    const [before, after] = [start, now].map(({ lists }) => lists.flat().map((doc) => JSON.stringify(doc)));
    const [one, other] = now.lists.map((docs) => cg(gradesOf(docs)));
    const changed = after.filter((doc) => !before.includes(doc));
    return one === other && changed.length === 1 && before.length === after.length;
  },
  worst: (start, now) =>
    sameGrades(start, now) && gradesOf(now.lists[0]).every((grade, i, all) => !i || grade >= all[i - 1]),
  lower: (start, now) => sameTop(start, now) && sameChoices(start, now) && share(now) < share(start),
};

/** @param {State} state */
function share(state) {
  const judged = gradesOf([...state.lists[0], ...state.missing]);
  return ndcg(gradesOf(state.lists[0]), state.cutoff, state, state.ideal === "judged" ? judged : null);
}

/**
 * Whether something of two states is the same.
 * @param {(state: State) => any} view
 * @returns {(start: State, now: State) => boolean}
 */
function same(view) {
  return (start, now) => JSON.stringify(view(start)) === JSON.stringify(view(now));
}

const sameTop = same((state) => state.lists[0].slice(0, 3));
const sameChoices = same(({ gain, discount, cutoff, ideal }) => [gain, discount, cutoff, ideal]);
const sameGrades = same(({ lists, missing }) => gradesOf([...lists[0], ...missing]).sort());

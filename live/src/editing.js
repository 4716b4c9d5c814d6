// A ranking that is edited, as data: what it holds, its edits, its numbers, its formulas, and the tasks. Without a page.

import { cg, dcg, discounts, gains, idcg, ndcg } from "./formulas.js";

/**
 * @typedef {{title: string, grade: number}} Doc
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
 *
 * @typedef {{label: string, terms: {title: string, text: string}[], value: string}} Sum
 */

const MOST_RESULTS = 20;
const HIGHEST_GRADE = 4;

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
 * @param {number} list
 */
export function added(state, list) {
  const docs = state.lists[list];
  if (docs.length >= MOST_RESULTS) return state;
  const [found, ...missing] = state.missing;
  if (found) return replaced(state, list, [...docs, found], missing);
  const taken = new Set(docs.map((doc) => doc.title));
  let number = docs.length + 1;
  while (taken.has(`Result ${number}`)) number++;
  return replaced(state, list, [...docs, { title: `Result ${number}`, grade: 0 }]);
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
  const docs = state.ideal === "judged" ? [...state.lists[0], ...state.missing] : [...state.lists[0]];
  return docs.sort((one, other) => other.grade - one.grade);
}

/** @param {Doc[]} docs */
export function gradesOf(docs) {
  return docs.map((doc) => doc.grade);
}

/**
 * The sums of some results, as text; each by its name.
 * @param {Doc[]} docs
 * @param {Doc[]} judged
 * @param {State} state
 * @returns {Record<string, string>}
 */
export function totals(docs, judged, state) {
  const [grades, k] = [gradesOf(docs), state.cutoff];
  const reached = dcg(grades, k, state);
  const ideal = idcg(grades, k, state, gradesOf(judged));
  return {
    CG: short(dcg(grades, k, { ...state, discount: "none" })),
    DCG: reached.toFixed(3),
    IDCG: ideal.toFixed(3),
    NDCG: ideal ? (reached / ideal).toFixed(3) : "undefined",
  };
}

/**
 * A gain as the drawing has it: a whole one without decimals.
 * @param {number} value
 */
export function short(value) {
  return value.toFixed(Number.isInteger(value) ? 0 : 2);
}

/**
 * What is added up for some results: 3/1.585 for a gain of 3 at rank 2, or 3 alone without discount.
 * @param {Doc[]} docs
 * @param {State} state
 * @param {boolean} discounted whether the drawing has discounts
 */
export function termTexts(docs, state, discounted) {
  const counted = docs.slice(0, state.cutoff ?? docs.length);
  const divisors = discounts(counted.length, state);
  return gains(gradesOf(counted), state).map((gain, i) => ({
    title: counted[i].title,
    text: discounted ? `${brief(gain)}/${brief(divisors[i])}` : brief(gain),
  }));
}

/** @param {number} value */
function brief(value) {
  return String(Number(value.toFixed(3)));
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

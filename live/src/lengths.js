// Sums as lengths: a twin of ndcg_ref/sphinx_ext/lengths.py for a ranking that a reader changes. It changes the elements
// that were written there.

import { discounts, fsum, gains } from "./formulas.js";

/**
 * @typedef {{title: string, grade: number}} Doc
 * @typedef {import("./formulas.js").Rule & {cutoff: number | null}} CutRule
 * @typedef {{title: string, level: number, at: number, width: number, text: string}} Term
 * @typedef {{label: string, terms: Term[], total: string, value: number, reaches: number}} Ribbon
 * @typedef {{said: string, ends: string, low: number, at: number, dots: number[][]}} Among
 * @typedef {{text: string, value: number, among: Among | null}} Share
 */

const MOST_ORDERS = 5040; // as many as seven different results have; of more, a sample is drawn
const SAMPLE = 2000;
const PLACES = 60; // of dots, side by side
const NARROW = 0.09; // a term below this share of the whole has no room for its text
const DOT = 0.62; // em from a dot to the next
const HIGHEST = 5.6; // em of the highest pile of dots
const LEVELS = 4; // shades of the grades above 0

/** @param {Doc[]} docs */
export function gradesOf(docs) {
  return docs.map((doc) => doc.grade);
}

/**
 * The results in the best order.
 * @param {Doc[]} docs
 */
export function inBestOrder(docs) {
  return docs.toSorted((one, other) => other.grade - one.grade);
}

/**
 * The shade of a grade.
 * @param {number} grade
 * @param {number} highest
 */
export function levelOf(grade, highest) {
  return Math.ceil((grade * LEVELS) / Math.max(highest, LEVELS));
}

/**
 * A number with some decimals, as Python prints it: an exact half goes to the even digit.
 * @param {number} value
 * @param {number} digits
 */
export function fixed(value, digits) {
  const exact = value.toFixed(60);
  const cut = exact.slice(0, digits - 60);
  return /^50*$/.test(exact.slice(digits - 60)) && /[02468]$/.test(cut) ? cut : value.toFixed(digits);
}

/**
 * A gain as a drawing has it: a whole one without decimals.
 * @param {number} value
 */
export function short(value) {
  return fixed(value, Number.isInteger(value) ? 0 : 2);
}

/**
 * What each result down to the cutoff adds.
 * @param {Doc[]} docs
 * @param {CutRule} rule
 * @param {boolean} discounted
 */
export function parts(docs, rule, discounted) {
  const gained = gains(gradesOf(docs), rule).slice(0, rule.cutoff ?? docs.length);
  const divisors = discounts(gained.length, rule);
  return discounted ? gained.map((gain, i) => gain / divisors[i]) : gained;
}

/**
 * The terms of some rankings, end to end, all on one scale.
 * @param {{label: string, docs: Doc[]}[]} rankings
 * @param {CutRule} rule
 * @param {boolean} discounted
 * @returns {Ribbon[]}
 */
export function ribbons(rankings, rule, discounted) {
  const whole = Math.max(...rankings.map(({ docs }) => fsum(parts(inBestOrder(docs), rule, discounted))));
  const highest = Math.max(...rankings.flatMap(({ docs }) => gradesOf(docs)));
  return rankings.map(({ label, docs }) => {
    const values = parts(docs, rule, discounted);
    let reaches = 0;
    const terms = values.map((value, i) => {
      const at = reaches;
      const width = whole ? value / whole : 0;
      reaches += width;
      return {
        ...docs[i],
        level: levelOf(docs[i].grade, highest),
        at,
        width,
        text: discounted ? fixed(value, 2) : short(value),
      };
    });
    const value = fsum(values);
    return { label, terms, value, total: discounted ? fixed(value, 3) : short(value), reaches };
  });
}

/**
 * NDCG, and where it is among all orders of these results.
 * @param {Ribbon[]} of that of the ranking, and that of the best order
 * @param {Doc[]} docs
 * @param {CutRule} rule
 * @returns {Share}
 */
export function shareOf([own, best], docs, rule) {
  const value = best.value ? own.value / best.value : 0;
  if (!best.value) return { text: "undefined", value, among: null };
  const weights = discounts(docs.length, rule).map((divisor, i) =>
    i < (rule.cutoff ?? docs.length) ? 1 / divisor : 0,
  );
  return { text: fixed(value, 3), value, among: among(gains(gradesOf(docs), rule), weights, best.value) };
}

/**
 * @param {number[]} gained
 * @param {number[]} weights what a gain is multiplied by at each rank
 * @param {number} ideal
 * @returns {Among | null} null for a single order
 */
function among(gained, weights, ideal) {
  const count = countOfOrders(gained);
  if (count === 1) return null;
  const every = count <= MOST_ORDERS;
  /** @param {number[]} order */
  const share = (order) => order.reduce((sum, gain, i) => sum + gain * weights[i], 0) / ideal;
  const own = share(gained);
  const sorted = gained.toSorted((one, other) => one - other);
  const values = (every ? allOrders(sorted) : someOrders(sorted, SAMPLE)).map(share);
  const worst = Math.min(...values);
  const low = Math.min(Math.floor(4 * worst), 3) / 4;
  /** @type {Map<number, number>} */
  const dots = new Map();
  for (const value of values) {
    // A last bit decides nothing
    const place = Math.floor((PLACES * (value - low)) / (1 - low) + 0.5 + 1e-9);
    dots.set(place, (dots.get(place) ?? 0) + 1);
  }
  const said = (/** @type {number} */ number) => number.toLocaleString("en");
  const what = every
    ? `All ${said(count)} orders of these grades`
    : `${said(SAMPLE)} of the ${said(count)} orders, drawn at random`;
  const beaten = values.filter((value) => value < own - 1e-9).length;
  return {
    said: `${what}: this one beats ${said(beaten)}`,
    ends: `Worst ${fixed(worst, 3)}, mean ${fixed(fsum(values) / values.length, 3)}`,
    low,
    at: (own - low) / (1 - low),
    dots: [...dots],
  };
}

/** @param {number[]} values */
export function countOfOrders(values) {
  /** @type {Map<number, number>} */
  const alike = new Map();
  let count = 1;
  values.forEach((value, i) => {
    const same = (alike.get(value) ?? 0) + 1;
    alike.set(value, same);
    count = (count * (i + 1)) / same; // whole: how many orders the first ones have
  });
  return count;
}

/**
 * @param {number[]} sorted
 * @returns {number[][]}
 */
function allOrders(sorted) {
  if (!sorted.length) return [[]];
  return sorted.flatMap((first, i) =>
    first === sorted[i - 1] ? [] : allOrders(sorted.toSpliced(i, 1)).map((order) => [first, ...order]),
  );
}

/**
 * Orders drawn at random, and the same ones each time: Park and Miller's generator, Fisher and Yates's shuffle.
 * @param {number[]} sorted
 * @param {number} count
 */
function someOrders(sorted, count) {
  const order = [...sorted];
  let drawn = 1;
  return Array.from({ length: count }, () => {
    for (let last = order.length - 1; last > 0; last--) {
      drawn = (drawn * 16807) % 2147483647;
      const other = drawn % (last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return [...order];
  });
}

/**
 * Give a place as many elements of a kind as there are things to show; the last one serves as a pattern.
 * @param {Element} place
 * @param {string} kind
 * @param {number} count
 * @returns {any[]}
 */
export function asMany(place, kind, count) {
  const found = [...place.querySelectorAll(kind)];
  while (found.length > count) /** @type {Element} */ (found.pop()).remove();
  while (found.length < count) {
    const last = /** @type {Element} */ (found.at(-1));
    const next = /** @type {Element} */ (last.cloneNode(true));
    last.after(next);
    found.push(next);
  }
  return found;
}

/**
 * @param {any} element
 * @param {Record<string, string | number>} attributes numbers are shares of the width
 */
function put(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? `${(100 * value).toFixed(2)}%` : value);
  }
}

/**
 * Show lengths where others were.
 * @param {any} place
 * @param {Ribbon[]} shown
 * @param {Share | null} share
 */
export function showLengths(place, shown, share) {
  const longest = Math.max(...shown.map(({ reaches }) => reaches));
  /** @param {string} kind */
  const every = (kind) => [...place.querySelectorAll(kind)];
  const [labels, tracks, totals] = [".ndcg-label", ".ndcg-ribbon", ".ndcg-total"].map(every);
  shown.forEach(({ label, terms, total, reaches }, i) => {
    labels[i].textContent = label;
    totals[i].textContent = total;
    put(tracks[i], { "aria-label": `${label}: ${terms.map(({ text }) => text).join(" + ")} = ${total}` });
    put(tracks[i].querySelector(".ndcg-gap"), { x: reaches, width: Math.max(0, longest - reaches) });
    const left = asMany(tracks[i], ".ndcg-segment", terms.length);
    for (const { title, level, at, width, text } of terms) {
      // The segment of a result stays with it, and so moves
      const own = left.findIndex(({ dataset }) => dataset.title === title);
      const [segment] = left.splice(Math.max(0, own), 1);
      put(segment, { class: `ndcg-segment ndcg-level-${level}`, "data-title": title, x: at, width });
      segment.lastChild.textContent = width < NARROW ? "" : text;
    }
  });
  if (share) showShare(place, share);
}

/**
 * @param {any} place
 * @param {Share} share
 */
function showShare(place, { text, value, among }) {
  /** @param {string} kind */
  const find = (kind) => place.querySelector(kind);
  put(find(".ndcg-marks > line"), { x1: value, x2: value });
  put(find(".ndcg-ruler > .ndcg-here"), { x: value });
  find(".ndcg-ruler > .ndcg-here").textContent = text;
  find(".ndcg-share > strong").textContent = text;
  const orders = find(".ndcg-orders");
  for (const part of [find(".ndcg-said-of-orders"), orders]) part.classList.toggle("ndcg-none", !among);
  if (!among) return;
  find(".ndcg-said-of-orders").textContent = among.said;
  orders.querySelector("p").textContent = among.ends;
  put(orders.querySelector("circle"), { cx: among.at });
  orders.querySelectorAll("text").forEach((/** @type {any} */ tick, /** @type {number} */ i) => {
    tick.textContent = String(among.low + ((1 - among.low) * i) / 2);
  });
  const step = Math.min(DOT, HIGHEST / Math.max(...among.dots.map(([, count]) => count)));
  const piles = orders.querySelector(".ndcg-dots");
  put(piles, { "stroke-dasharray": `0 ${step.toFixed(4)}em` });
  asMany(piles, "line", among.dots.length).forEach((pile, i) => {
    const [dot, count] = among.dots[i];
    put(pile, { x1: dot / PLACES, x2: dot / PLACES, y2: `${(-0.4 - step * (count - 1) - 0.001).toFixed(4)}em` });
  });
}

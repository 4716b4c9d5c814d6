// A small explorable: a question with choices, its answer, and then something to try, with a task.
//
// The page has the question and the answer as text; the answer begins with the choice that is right. What there is to
// try comes with the answer, so that a reader predicts before looking.

import { announce, make } from "./page.js";

/**
 * What can be tried.
 * @typedef {object} Play
 * @property {Element[]} controls
 * @property {string} task
 * @property {() => Seen} look what follows from the state of the controls
 */

/**
 * @typedef {object} Seen
 * @property {Element[]} picture
 * @property {string} said the same in a sentence
 * @property {boolean} done whether the task is
 */

/**
 * Turn each box of this name into a question that is answered first, with something to try below its answer.
 * @param {string} name
 * @param {(data: DOMStringMap) => Play} start
 */
export function explore(name, start) {
  const boxes = globalThis.document?.querySelectorAll(`[data-live="${name}"]`) ?? [];
  for (const box of boxes) if (box instanceof HTMLElement) ask(box, start);
}

/**
 * @param {HTMLElement} box
 * @param {(data: DOMStringMap) => Play} start
 */
function ask(box, start) {
  const list = /** @type {HTMLElement} */ (box.querySelector(".ndcg-choices"));
  const fold = /** @type {HTMLDetailsElement} */ (box.querySelector("details"));
  const answer = /** @type {HTMLElement} */ (fold.querySelector(".ndcg-folded"));
  const choices = [...list.children].map((item) => item.textContent.trim());
  const right = rightOne(choices, answer.textContent);
  const judged = make("p", { "aria-live": "polite", class: "ndcg-judged" });
  list.after(judged);
  const question = /** @type {HTMLElement} */ (list.previousElementSibling);
  question.id ||= `${box.dataset.live}-question`;
  list.parentElement?.setAttribute("role", "group");
  list.parentElement?.setAttribute("aria-labelledby", question.id);

  const judge = () => {
    const chosen = choiceOf(list);
    if (!fold.open || chosen < 0) announce(judged);
    else if (chosen === right) announce(judged, "✓ You were right.");
    else announce(judged, `✗ You chose “${choices[chosen]}”, which is not right.`);
  };
  fold.querySelector("summary")?.addEventListener("click", (event) => {
    if (fold.open || choiceOf(list) >= 0) return;
    event.preventDefault();
    announce(judged, "Choose first, then open the answer.");
  });
  list.addEventListener("input", judge);
  const show = () => {
    judge();
    if (fold.open && !fold.querySelector(".ndcg-play")) answer.append(play(start(box.dataset)));
  };
  fold.addEventListener("toggle", show);
  show(); // the reader may have been faster
}

/** @param {Play} made */
function play({ controls, task, look }) {
  const picture = make("div", { class: "ndcg-picture" });
  const result = make("p", { "aria-live": "polite" });
  const done = make("strong", { "aria-live": "polite" });
  let reached = "";
  const show = () => {
    const seen = look();
    if (picture.firstChild !== seen.picture[0]) picture.replaceChildren(...seen.picture); // one that is dragged stays
    announce(result, seen.said);
    announce(done, seen.done ? "✓ Done." : reached);
    if (seen.done) reached = "✓ Done before.";
  };
  const all = make("div", { class: "ndcg-controls", input: show, click: show }, ...controls);
  show();
  return make("div", { class: "ndcg-play" }, all, picture, result, make("p", {}, `Your task: ${task} `, done));
}

/**
 * The place of the choice with which the answer begins.
 * @param {string[]} choices
 * @param {string} answer
 */
export function rightOne(choices, answer) {
  return choices.findIndex((choice) => answer.trim().startsWith(choice));
}

/**
 * Radio buttons in a row.
 * @param {Record<string, string>} attributes
 * @param {string[]} labels
 * @param {number} chosen the place of the one that is chosen at first
 */
export function radios(attributes, labels, chosen) {
  const name = labels.join();
  const made = labels.map((label, i) =>
    make("label", {}, make("input", { type: "radio", name, checked: i === chosen, autocomplete: "off" }), ` ${label}`),
  );
  return make("div", { role: "radiogroup", ...attributes }, ...made);
}

/**
 * The place of the radio button that is chosen, -1 if none is.
 * @param {Element} group
 */
export function choiceOf(group) {
  return [...group.querySelectorAll("input")].findIndex((input) => input.checked);
}

/**
 * A slider with its label; `value` says where it stands, and `set` moves it.
 * @param {string} label
 * @param {{min: number, max: number, step: number, value: number}} range
 * @param {number} decimals that are shown
 */
export function slider(label, range, decimals) {
  const input = make("input", { type: "range", autocomplete: "off", ...range });
  const shown = make("span", {}); // an output would take the label for itself
  const say = () => {
    shown.textContent = input.valueAsNumber.toFixed(decimals);
  };
  input.addEventListener("input", say);
  say();
  return {
    element: make("label", { class: "ndcg-slider" }, `${label} `, shown, input),
    value: () => input.valueAsNumber,
    /** @param {number} value */
    set: (value) => {
      input.value = String(value);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
  };
}

/**
 * Sums as bars, part by part.
 * @param {{name: string, parts: {size: number, label: string, level: number, marked?: boolean}[], total: number}[]} rows
 * @param {number} full the number that fills the width
 */
export function bars(rows, full) {
  const lines = rows.map(({ name, parts, total }) => {
    const bar = make("span", { class: "ndcg-stack", "aria-hidden": "true" });
    for (const { size, label, level, marked } of parts) {
      const part = make("i", { class: `ndcg-level-${level}${marked ? " ndcg-marked" : ""}` }, label);
      part.style.width = `${(100 * size) / full}%`;
      bar.append(part);
    }
    return make("li", {}, make("span", {}, name), bar, make("span", {}, total.toFixed(3)));
  });
  return make("ol", { class: "ndcg-bars" }, ...lines);
}

/**
 * Systems A and B as bars, the better one first.
 * @param {{parts: {size: number, label: string, level: number}[], total: number}[]} systems
 * @param {number} full the number that fills the width
 */
export function compare(systems, full) {
  const rows = systems.map((system, i) => ({ name: `System ${"AB"[i]}`, ...system }));
  rows.sort((one, other) => other.total - one.total);
  return { picture: [bars(rows, full)], first: rows[0].name, lead: leadOf(systems) };
}

/**
 * By how much the first of two systems is ahead.
 * @param {{total: number}[]} systems
 */
export function leadOf([one, other]) {
  return one.total - other.total;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * A lead as a line, with its zero and the place where the reader is.
 * @param {number[]} leads at equal steps
 * @param {number} at the place of the reader, from 0 to 1
 * @param {string} first who is ahead above the zero
 * @param {string} second and below
 */
export function leadLine(leads, at, first, second) {
  const [low, high] = [Math.min(...leads, 0), Math.max(...leads, 0)];
  const share = (/** @type {number} */ lead) => (100 * (high - lead)) / (high - low);
  const points = leads.map((lead, i) => `${((100 * i) / (leads.length - 1)).toFixed(2)},${share(lead).toFixed(2)}`);
  /** @param {string} kind @param {Record<string, string | number>} attributes */
  const drawn = (kind, attributes) => {
    const element = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
  };
  const svg = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" });
  svg.append(
    drawn("line", { x1: 0, x2: 100, y1: share(0), y2: share(0) }),
    drawn("polyline", { points: points.join(" ") }),
  );
  const dot = make("i");
  dot.style.left = `${100 * at}%`;
  dot.style.top = `${share(leads[Math.round(at * (leads.length - 1))])}%`;
  const kind = leads[leads.length - 1] > leads[0] ? "rises" : "falls";
  const names = [first, second].map((name) => make("b", {}, name));
  return make("div", { class: `ndcg-lead ndcg-${kind}`, "aria-hidden": "true" }, svg, dot, ...names);
}

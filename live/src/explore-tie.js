// The order of a tie, and what it does to NDCG. See book/concepts/blind-spots.ipynb.

import { choiceOf, explore, radios } from "./explore.js";
import { fsum, ndcg } from "./formulas.js";
import { make } from "./page.js";
import { sorted, tiedValues } from "./ties.js";

const ORDERS = ["as in the input", "best first", "worst first", "averaged"];

explore("explore-tie", (data) => {
  const grades = JSON.parse(data.grades ?? "");
  const [first, last] = JSON.parse(data.tied ?? "");
  const before = grades.slice(0, first - 1);
  const after = grades.slice(last);
  const input = grades.slice(first - 1, last);
  const { values, mean } = tiedValues(before, input, after);
  const rules = radios({ "aria-label": "How the tied results are sorted", class: "ndcg-choices" }, ORDERS, 0);
  const swaps = input.slice(1).map((/** @type {number} */ _, /** @type {number} */ i) =>
    make(
      "button",
      {
        type: "button",
        click: () => {
          [input[i], input[i + 1]] = [input[i + 1], input[i]];
          rules.querySelector("input").checked = true;
        },
      },
      `Swap ranks ${first + i} and ${first + i + 1}`,
    ),
  );
  return {
    controls: [rules, make("div", { role: "group", "aria-label": "The input", class: "ndcg-live-buttons" }, ...swaps)],
    task: "change the input so that its NDCG is above the mean, with the 3 not at the top of the tie.",
    look: () => {
      const rule = ORDERS[choiceOf(rules)];
      const order = sorted(input, rule);
      const value = rule === "averaged" ? mean : ndcg([...before, ...order, ...after]);
      const shown = rule === "averaged" ? input.map(() => `${(fsum(input) / input.length).toFixed(2)}`) : order;
      return {
        picture: [cards(before, shown, after), strip(values, mean, value)],
        said: `NDCG ${value.toFixed(3)}, ${rule}. The line marks the mean over all orders, ${mean.toFixed(3)}.`,
        done: rule === ORDERS[0] && value > mean && order[0] !== Math.max(...order),
      };
    },
  };
});

/**
 * @param {number[]} before
 * @param {(number | string)[]} tied
 * @param {number[]} after
 */
function cards(before, tied, after) {
  const all = [...before, ...tied, ...after];
  const made = all.map((grade, i) => {
    const isTied = i >= before.length && i < before.length + tied.length;
    return make("li", { class: `ndcg-level-${grade}${isTied ? " ndcg-tied" : ""}` }, grade);
  });
  return make("ol", { class: "ndcg-grades", "aria-label": "Grades by rank; those of the tie are framed" }, ...made);
}

/**
 * The values on a line, with the mean and the one at hand.
 * @param {number[]} values
 * @param {number} mean
 * @param {number} value
 */
function strip(values, mean, value) {
  const low = Math.min(...values);
  const high = Math.max(...values);
  /** @type {(kind: string, at: number) => Element} */
  const mark = (kind, at) => {
    const made = make("i", { class: kind });
    made.style.left = `${(100 * (at - low)) / (high - low)}%`;
    return made;
  };
  const marks = [...values.map((each) => mark("ndcg-dot", each)), mark("ndcg-mean", mean), mark("ndcg-here", value)];
  const line = make("div", { class: "ndcg-strip", "aria-hidden": "true" }, ...marks);
  return make("div", { class: "ndcg-scale" }, low.toFixed(3), line, high.toFixed(3));
}

// The discount as the width of columns, with its base and the rank at which it starts. See book/concepts/conventions.ipynb.

import { choiceOf, explore, radios, slider } from "./explore.js";
import { dcg, discounts, gains, ndcg } from "./formulas.js";
import { make } from "./page.js";

const DISCOUNTED = ["log(rank+1)", "log(rank)"];

explore("explore-base", ({ grades: given = "" }) => {
  /** @type {number[]} */
  const grades = JSON.parse(given);
  const base = slider("Base of the logarithm:", { min: 1.5, max: 10, step: 0.1, value: 2 }, 1);
  const start = radios({ class: "ndcg-choices", "aria-label": "Discount" }, ["standard", "original"], 0);
  return {
    controls: [start, base.element],
    task: "give this order an NDCG of 1, although it is not the best one.",
    look: () => {
      const rule = { gain: "linear", discount: DISCOUNTED[choiceOf(start)], base: base.value() };
      const divisors = discounts(grades.length, rule);
      const value = ndcg(grades, null, rule);
      const gained = gains(grades, rule);
      const columns = grades.map((grade, i) => {
        const column = make("i", { class: `ndcg-level-${grade}` }, grade);
        column.style.width = `${(100 * divisors[0]) / divisors[i] / grades.length}%`;
        column.style.height = `${(100 * gained[i]) / Math.max(...gained)}%`;
        return column;
      });
      const sum = dcg(grades, null, rule).toFixed(3);
      return {
        picture: [make("div", { class: "ndcg-widths", "aria-hidden": "true" }, ...columns)],
        said: `DCG ${sum}, NDCG ${value.toFixed(3)}. A column is as high as the gain, and as wide as its share, where rank 1 has 1.`,
        done: value === 1,
      };
    },
  };
});

// A result pulled down the ranks. See book/concepts/discount.ipynb.

import { explore, slider } from "./explore.js";
import { RULES, terms } from "./formulas.js";
import { make } from "./page.js";

explore("explore-rank", (data) => {
  const ranks = 20;
  const grade = Number(data.grade);
  const other = Number(data.other);
  const all = terms(Array(ranks).fill(grade), RULES.STANDARD);
  const [bar] = terms([other], RULES.STANDARD);
  const rank = slider(`Rank of a result of grade ${grade}:`, { min: 1, max: ranks, step: 1, value: 2 }, 0);
  return {
    controls: [rank.element],
    task: `find the first rank at which it adds less than a result of grade ${other} at rank 1.`,
    look: () => {
      const r = rank.value();
      const term = all[r - 1];
      const lost = r > 1 ? ` The step from rank ${r - 1} cost ${(all[r - 2] - term).toFixed(3)}.` : "";
      return {
        picture: [columns(all, r, bar)],
        said: `At rank ${r} it adds ${term.toFixed(3)}.${lost} The line is at ${bar.toFixed(3)}, what a grade ${other} adds at rank 1.`,
        done: term < bar && all[r - 2] >= bar,
      };
    },
  };
});

/**
 * @param {number[]} heights
 * @param {number} rank the one at hand
 * @param {number} level of a line across
 */
function columns(heights, rank, level) {
  const full = Math.max(...heights);
  const made = heights.map((height, i) => {
    const column = make("i", { class: i + 1 === rank ? "ndcg-here" : "" });
    column.style.height = `${(100 * height) / full}%`;
    return column;
  });
  const line = make("b");
  line.style.bottom = `${(100 * level) / full}%`;
  return make("div", { class: "ndcg-columns", "aria-hidden": "true" }, ...made, line);
}

// The discount as the width of columns, with its base and where it starts. See book/concepts/conventions.ipynb.

import { choiceOf, explore, radios, slider } from "./explore.js";
import { fsum } from "./formulas.js";
import { make } from "./page.js";

const FIRST = 2; // under the logarithm, in both discounts at base 2
const ADDED = [1, 0]; // to the rank

explore("explore-base", ({ grades: given = "" }) => {
  /** @type {number[]} */
  const grades = JSON.parse(given);
  const range = { min: 1.5, max: 10, step: 0.1, value: FIRST };
  const base = slider("Base of the logarithm:", range, 1);
  const start = slider("The discount starts at the logarithm of:", range, 1);
  const kind = radios({ class: "ndcg-choices", "aria-label": "Discount" }, ["standard", "original"], 0);
  const isOriginal = () => choiceOf(kind) === 1;
  base.element.addEventListener("input", () => isOriginal() && start.set(base.value()));
  kind.addEventListener("input", () => start.set(isOriginal() ? base.value() : FIRST));
  /** @param {number} from @returns {{divisors: number[], sum: number, value: number}} */
  const discounted = (from) => {
    const added = ADDED[choiceOf(kind)];
    const divisors = grades.map((_, i) => Math.log2(Math.max(i + 1 + added, from)) / Math.log2(base.value()));
    const total = (/** @type {number[]} */ order) => fsum(order.map((grade, i) => grade / divisors[i]));
    const sum = total(grades);
    return { divisors, sum, value: sum / total(grades.toSorted((a, b) => b - a)) };
  };
  const line = make("b");
  const drag = (/** @type {PointerEvent} */ event) => {
    if (event.type === "pointerdown") picture.setPointerCapture(event.pointerId);
    if (!picture.hasPointerCapture(event.pointerId)) return;
    const { left, width } = picture.getBoundingClientRect();
    const whole = (grades.length * (event.clientX - left)) / width; // columns before the line
    (isOriginal() ? base : start).set(whole + ADDED[choiceOf(kind)]);
  };
  const shown = { class: "ndcg-widths", "aria-hidden": "true", pointerdown: drag, pointermove: drag };
  const picture = make("div", shown); // the sliders do the same for the keyboard
  return {
    controls: [kind, base.element, start.element],
    task: "with the original discount, change the base and keep the NDCG of base 2.",
    look: () => {
      const { divisors, sum, value } = discounted(start.value());
      const columns = grades.map((grade, i) => {
        const column = make("i", { class: `ndcg-level-${grade}` }, grade);
        column.style.width = `${(100 * divisors[0]) / divisors[i] / grades.length}%`;
        column.style.height = `${(100 * grade) / Math.max(...grades)}%`;
        return column;
      });
      const whole = Math.min(Math.max(start.value() - ADDED[choiceOf(kind)], 1), grades.length);
      line.style.left = `${(100 * whole) / grades.length}%`;
      picture.replaceChildren(...columns, line);
      const alike = divisors.filter((divisor) => divisor === divisors[0]).length;
      return {
        picture: [picture],
        said: [
          `DCG ${sum.toFixed(3)}, NDCG ${value.toFixed(3)}.`,
          "A column is as high as the gain, and as wide as its share, where rank 1 has 1.",
          alike > 1 ? `Ranks 1 to ${alike} count alike.` : "Drag the line: the ranks before it count alike.",
        ].join(" "),
        done: isOriginal() && base.value() !== FIRST && Math.abs(value - discounted(FIRST).value) < 1e-9,
      };
    },
  };
});

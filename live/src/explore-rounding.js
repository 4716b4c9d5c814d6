// A value, and the printed numbers that agree with it. See book/verdicts.ipynb.

import { around } from "./around.js";
import { choiceOf, explore, radios, slider } from "./explore.js";
import { make } from "./page.js";

const DECIMALS = [1, 2, 3];

explore("explore-rounding", (data) => {
  const range = { min: Number(data.from), max: Number(data.to), step: 0.0005, value: Number(data.value) };
  const exact = slider("Exact value:", range, 4);
  const first = exact.value();
  const decimals = radios({ "aria-label": "Decimals", class: "ndcg-choices" }, DECIMALS.map(worded), 1);
  return {
    controls: [exact.element, decimals],
    task: "find another value with which two numbers of two decimals agree.",
    look: () => {
      const places = DECIMALS[choiceOf(decimals)];
      const rows = around(exact.value(), places);
      const agreeing = rows.filter(({ agrees }) => agrees).map(({ text }) => text);
      return {
        picture: [table(rows)],
        said:
          agreeing.length === 1
            ? `Only ${agreeing[0]} agrees.`
            : `${agreeing.join(" and ")} both agree: each is half a unit away.`,
        done: places === 2 && agreeing.length === 2 && exact.value() !== first,
      };
    },
  };
});

/** @param {number} count */
function worded(count) {
  return count === 1 ? "1 decimal" : `${count} decimals`;
}

/** @param {ReturnType<typeof around>} rows */
function table(rows) {
  const lines = rows.map(({ text, low, high, agrees }) =>
    make(
      "tr",
      { class: agrees ? "ndcg-agrees" : "ndcg-slip" },
      make("th", { scope: "row" }, text),
      make("td", {}, `${low} to ${high}`),
      make("td", {}, agrees ? "✓ agrees" : "✗ slip"),
    ),
  );
  const head = ["printed", "agrees with", "verdict"].map((each) => make("th", { scope: "col" }, each));
  return make(
    "table",
    { class: "ndcg-around" },
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...lines),
  );
}

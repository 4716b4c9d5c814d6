// The tables of a working, with a field in each cell that the reader fills in, and the mark beside it.

import { make, onEntry } from "./page.js";
import { shown, stepsOf } from "./task.js";

/**
 * @typedef {{ input: HTMLInputElement, mark: HTMLElement, entered: string }} Place
 */

/**
 * The tables, and the place of each cell by its key.
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} names of the cells, by key
 * @param {Record<string, string>} entries by key
 * @param {(key: string) => void} entered called with the key of a cell when its entry is to be judged
 */
export function worksheet(task, names, entries, entered) {
  /** @type {Map<string, Place>} */
  const places = new Map();

  /** @param {string} key */
  const cell = (key) => {
    const text = entries[key] ?? "";
    const input = make("input", {
      type: "text",
      id: `live-${key}`,
      class: "live-cell",
      inputmode: "decimal",
      autocomplete: "off",
      spellcheck: "false",
      "aria-label": names[key],
      "aria-describedby": `live-said-${key}`,
      maxlength: 30,
    });
    input.value = text;
    const place = { input, mark: make("span", { class: "live-mark" }), entered: text };
    places.set(key, place);
    onEntry(input, (now) => {
      place.entered = now;
      entered(key);
    });
    return make("span", { class: "live-entry" }, input, place.mark);
  };

  const steps = stepsOf(task, task.convention);
  const ranked = steps.rows.map(({ rank, grade }) => [
    shown(grade),
    ...["gain", "discount", "term"].map((kind) => cell(`${kind}-${rank}`)),
  ]);
  const ideal = steps.ideal.map(({ rank }) => [cell(`best-${rank}`), cell(`ideal-${rank}`)]);
  const tables = [
    table("The ranking", ["grade", "gain", "discount", "term"], ranked),
    total("DCG, the sum of the terms", cell("DCG")),
    table("The ideal order", ["ideal grade", "its term"], ideal),
    total("Ideal DCG, their sum", cell("IDCG")),
    total("NDCG, the ratio", cell("NDCG")),
  ];
  return { tables, places };
}

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {(Node | string)[][]} rows
 */
function table(caption, columns, rows) {
  const head = ["rank", ...columns].map((name) => make("th", { scope: "col" }, name));
  const body = rows.map((cells, i) =>
    make("tr", {}, make("th", { scope: "row" }, i + 1), ...cells.map((each) => make("td", {}, each))),
  );
  const kind = columns.length > 2 ? "live-table live-working" : "live-table live-working live-ideal";
  return make(
    "table",
    { class: kind },
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...body),
  );
}

/**
 * @param {string} words
 * @param {HTMLElement} entry
 */
function total(words, entry) {
  const input = /** @type {HTMLElement} */ (entry.firstChild);
  input.setAttribute("aria-label", words);
  return make("p", { class: "live-total" }, make("label", { for: input.id }, words), entry);
}

/**
 * Show what is said of a cell.
 * @param {Place} place
 * @param {import("./remarks.js").Remark | null} remark
 */
export function showMark({ input, mark }, remark) {
  mark.replaceChildren(...(remark ? [remark.mark, make("span", { class: "live-unseen" }, ` ${remark.word}`)] : []));
  mark.className = `live-mark live-${remark?.kind ?? "none"}`;
  input.setAttribute("aria-invalid", String(Boolean(remark) && remark?.kind !== "agrees"));
}

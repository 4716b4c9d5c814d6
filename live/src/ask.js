// The check on the front page: grades and an NDCG, judged at once by the three formulas. Its fields are there before
// the script, which is loaded when the reader comes to them.

import { saidOfNumber } from "./asked.js";
import { announce, make, onEntry } from "./page.js";

/** @param {HTMLElement} place */
function startAsking(place) {
  const [grades, stated] = /** @type {HTMLInputElement[]} */ ([...place.querySelectorAll("input")]);
  const result = /** @type {HTMLElement} */ (place.querySelector(".ndcg-live-result"));
  const link = /** @type {HTMLAnchorElement | null} */ (place.parentElement?.querySelector(".front-more a"));
  const address = link?.getAttribute("href") ?? "";
  const judge = () => {
    announce(result, make("p", {}, saidOfNumber(grades.value, stated.value)));
    const state = { check: { grades: grades.value, text: `NDCG = ${stated.value}` } };
    if (link) link.href = `${address}#live1=${encodeURIComponent(JSON.stringify(state))}`;
  };
  for (const field of [grades, stated]) onEntry(field, judge);
  judge();
}

for (const place of document.querySelectorAll('[data-live="ask"]')) startAsking(/** @type {HTMLElement} */ (place));

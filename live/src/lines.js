// Lines as the reader wrote them, each beside its verdict. A text that Python judges line by line can be shown by this.

import { announce, make, onEntry } from "./page.js";
import { ask } from "./python.js";
import { field } from "./task.js";

const LONGEST_LINES = 4000;
const READABLE_LINE =
  "A line ends in a number, or is one. It may have whole numbers, decimals, fractions such as 1/3, and terms such as 3/log2(3).";

/**
 * The section: a field for the lines, and what Python says of each.
 * @param {() => import("./task.js").Task} task the task as it stands
 * @param {() => void} keep called when the lines have changed
 */
export function linesSection(task, keep) {
  const area = make("textarea", { rows: 4, maxlength: LONGEST_LINES, spellcheck: "false" });
  const result = make("div", { class: "live-lines", "aria-live": "polite" });
  const judge = make("button", { type: "button" }, "Check these lines");
  let asked = 0;
  let opening = false;

  const check = async () => {
    asked += 1;
    const mine = asked;
    const now = task();
    const text = area.value;
    if (!text.trim() || now.problem) return result.replaceChildren(...(text.trim() ? [now.problem] : []));
    result.replaceChildren(make("p", { class: "ndcg-live-note" }, "Python is reading the lines …"));
    const question = {
      ask: "lines",
      grades: now.grades,
      judged: now.judged,
      k: now.k,
      convention: now.convention,
      text,
    };
    try {
      const answer = await ask(question);
      if (mine === asked) result.replaceChildren(...judgedLines(answer));
    } catch (error) {
      if (mine === asked)
        announce(result, make("p", { class: "ndcg-live-note" }, /** @type {Error} */ (error).message));
    }
  };

  judge.addEventListener("click", check);
  onEntry(area, () => {
    if (opening) return;
    keep();
    check();
  });
  const section = make(
    "section",
    { class: "live-paste" },
    make("h2", {}, "Or paste lines as you wrote them"),
    field(
      "Lines",
      area,
      "such as DCG = 3/log2(2) + 2/log2(3) = 4.26; they are held to the grades and the formula above",
    ),
    make("div", { class: "ndcg-live-buttons" }, judge),
    result,
  );
  return {
    section,
    check,
    text: () => area.value,
    /** @param {string} text */
    open: (text) => {
      opening = true; // the field takes note of its new text
      area.value = text.slice(0, LONGEST_LINES);
      area.dispatchEvent(new Event("change"));
      opening = false;
      result.replaceChildren();
    },
  };
}

/**
 * The lines of an answer, each beside its verdict; the first wrong step is marked. It shows the answer of any question
 * whose lines have `text`, `start`, `outcome` and `wrong`.
 * @param {any} answer
 * @returns {Node[]}
 */
export function judgedLines(answer) {
  if (answer.error) return [make("p", { class: "ndcg-live-problem" }, answer.error)];
  const comma = answer.comma ? [make("p", { class: "ndcg-live-note" }, "Decimal commas were read.")] : [];
  const lines = answer.lines.map((/** @type {any} */ line, /** @type {number} */ i) =>
    make(
      "div",
      { class: "live-line" },
      make("code", {}, ...marked(line)),
      make("div", {}, ...verdictOnLine(line, answer.first?.line === i + 1)),
    ),
  );
  return [...comma, ...lines];
}

/**
 * A line, its first wrong step marked. Places count characters, as Python does.
 * @param {any} line
 * @returns {(Node | string)[]}
 */
export function marked({ text, start, wrong }) {
  if (!wrong) return [text];
  const signs = [...text];
  const [from, to] = [wrong.start - start, wrong.end - start];
  const step = make("mark", {}, signs.slice(from, to).join(""));
  return [signs.slice(0, from).join(""), step, signs.slice(to).join("")];
}

/**
 * @param {any} line
 * @param {boolean} first whether the first wrong step of all is in it
 * @returns {(Node | string)[]}
 */
function verdictOnLine({ outcome, reason, wrong, sides }, first) {
  if (outcome === "not read") return [make("strong", {}, "? not read"), `: ${reason}. ${READABLE_LINE}`];
  if (outcome === "undefined") return [make("strong", {}, "∅ undefined"), `: ${reason}`];
  if (wrong) {
    const said = make("strong", { class: "live-slip" }, first ? "✗ slip, the first wrong step" : "✗ slip");
    return [said, `: ${wrong.kind.hint}. `, onRequest(wrong)];
  }
  if (outcome === "agrees") return [make("strong", { class: "live-agrees" }, "✓ agrees")];
  const carried = sides.some((/** @type {any} */ side) => side.carried);
  if (carried) return [make("strong", {}, "↳ slip, carried on"), ": it works with the result of an earlier slip."];
  return [
    make("strong", { class: "live-slip" }, "✗ slip"),
    ": each step follows, but the result is not what the line is of.",
  ];
}

/** @param {{ text: string, correct: string }} wrong */
function onRequest({ text, correct }) {
  const place = make("span", { class: "ndcg-right" });
  const show = () => place.replaceChildren(`Right is ${correct}.`);
  place.append(
    make(
      "button",
      { type: "button", class: "live-reveal", "aria-label": `Show the value: ${text}`, click: show },
      "Show the value",
    ),
  );
  return place;
}

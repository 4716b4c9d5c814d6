// What the package found in a whole note, shown beside it: what was understood, and each number with its remark.

import { countsInWords, isWrong, outcomeOf, piecesOf, remarkOnFinding, signOf, understoodInWords } from "./noted.js";
import { make } from "./page.js";
import { ask } from "./python.js";

/**
 * @typedef {import("./noted.js").Finding} Finding
 * @typedef {import("./noted.js").Understood} Understood
 */

/**
 * What is said of a note, in a sentence and below it. Python starts where it did not run yet.
 * @param {string} text
 * @param {(example: Understood) => void} change what is done to say in the note what was understood
 * @returns {Promise<{ words: string, shown: Node[] }>}
 */
export async function checkedNote(text, change) {
  try {
    const { error, findings, counts, understood, unread } = await ask({ ask: "note", text });
    if (error) return { words: `${error}.`, shown: [] };
    const small = findings.filter((/** @type {Finding} */ { severity }) => severity === "last digit").length;
    const shown = findings.length ? shownNote(text, findings, understood, change) : [];
    return { words: countsInWords(counts, small, unread), shown };
  } catch (error) {
    return { words: "The note was not checked.", shown: [instead(/** @type {any} */ (error))] };
  }
}

/**
 * @param {string} text
 * @param {Finding[]} findings
 * @param {Understood[]} understood
 * @param {(example: Understood) => void} change
 * @returns {Node[]}
 */
function shownNote(text, findings, understood, change) {
  /** @type {Map<number, HTMLElement>} */
  const marks = new Map();
  const pieces = piecesOf(text, findings).map((piece) => {
    if (piece.place === null) return piece.text;
    const { outcome } = findings[piece.place];
    const sign = make("span", { class: "live-sign" }, signOf(outcome));
    const mark = make("mark", { class: `live-noted-${outcome}`, tabindex: "-1" }, piece.text, sign);
    marks.set(piece.place, mark);
    return mark;
  });
  const items = findings.map((finding, place) => item(finding, marks.get(place)));
  const wrong = items.filter((_, place) => isWrong(findings[place]));
  const others = items.filter((_, place) => !isWrong(findings[place]));
  const examples = understood.map((example) => {
    const button = make("button", { type: "button", click: () => change(example) }, "Change this in the note");
    return make("li", {}, `${understoodInWords(example)} `, ...(example.comment ? [button] : []));
  });
  const shown = [make("ul", { class: "live-understood", "aria-label": "What was understood" }, ...examples)];
  if (wrong.length) shown.push(make("ol", { class: "live-noted" }, ...wrong));
  if (others.length) {
    const summary = `${wrong.length ? "The other numbers" : "All numbers"} (${others.length})`;
    shown.push(make("details", {}, make("summary", {}, summary), make("ol", { class: "live-noted" }, ...others)));
  }
  const title = make("h2", { id: "live-marked" }, "The note with its numbers marked");
  const marked = { class: "live-marked", role: "region", tabindex: "0", "aria-labelledby": "live-marked" };
  return [...shown, title, make("div", marked, ...pieces)];
}

/**
 * @param {Finding} finding
 * @param {HTMLElement | undefined} mark the number in the note
 */
function item(finding, mark) {
  const { outcome, severity, line, column, name, stated, causes } = finding;
  const go = () => {
    mark?.scrollIntoView({ block: "center" });
    mark?.focus({ preventScroll: true });
  };
  const place = make("button", { type: "button", click: go }, `line ${line}, column ${column}`);
  const remark = remarkOnFinding(finding);
  const why = causes.map(({ code, words, evidence }) =>
    make("li", {}, make("span", { class: "ndcg-cause" }, code), `: ${[words, ...evidence].join("; ")}`),
  );
  return make(
    "li",
    { class: `live-said-${outcome}` },
    make("strong", {}, outcomeOf(outcome)),
    severity === "last digit" ? " in the last digit at " : " at ",
    place,
    `: ${[name, stated].filter(Boolean).join(" ")}${remark && `; ${remark}`}`,
    ...(why.length ? [make("ul", {}, ...why)] : []),
  );
}

/**
 * What to do where Python gave no answer.
 * @param {Error & { reason: string }} error
 */
function instead({ reason, message }) {
  const why = reason === "no-worker" ? "This needs Python in the browser, which could not be loaded here." : message;
  const command = make("code", {}, "ndcg-ref check note.md");
  return make("p", {}, `${why} On your computer `, command, " checks a file in the same way.");
}

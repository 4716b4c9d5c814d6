// What the package found in a note: the text in pieces, each stated number apart, and what is said of a number.

/**
 * @typedef {object} Finding a stated number, as the package answers
 * @property {number} start in characters, as Python counts them
 * @property {number} end
 * @property {number} line
 * @property {number} column
 * @property {string} stated
 * @property {string} name
 * @property {"agrees" | "consistent" | "slip" | "impossible" | "malformed" | "undefined" | "unchecked"} outcome
 * @property {"" | "last digit" | "value"} severity
 * @property {string | null} correct
 * @property {string} reason
 * @property {{ code: string, words: string, evidence: string[] }[]} causes
 */

/**
 * @typedef {object} Understood how an example was read
 * @property {number} first the lines of its first number and of its last
 * @property {number} last
 * @property {string} words
 * @property {string} comment what says the same in the note, or nothing
 */

/** @typedef {{ text: string, place: number | null }} Piece a part of the note; the place of its finding in the list */

const OUTCOMES = /** @type {const} */ ([
  "agrees",
  "consistent",
  "slip",
  "impossible",
  "malformed",
  "undefined",
  "unchecked",
]);
const SIGNS = {
  agrees: "✓",
  consistent: "≈",
  slip: "✗",
  impossible: "‼",
  malformed: "✗",
  undefined: "∅",
  unchecked: "?",
};

/** @param {Finding["outcome"]} outcome */
export function signOf(outcome) {
  return SIGNS[outcome];
}

/** @param {Finding["outcome"]} outcome */
export function outcomeOf(outcome) {
  return `${SIGNS[outcome]} ${outcome === "unchecked" ? "not checked" : outcome}`;
}

/**
 * The note in pieces, in its order. A number inside another one is not marked again.
 * @param {string} text
 * @param {Finding[]} findings
 * @returns {Piece[]}
 */
export function piecesOf(text, findings) {
  const signs = [...text]; // characters beyond the first 65,536 count once, as in Python
  /** @type {Piece[]} */
  const pieces = [];
  let done = 0;
  const take = (/** @type {number} */ end, /** @type {number | null} */ place) => {
    if (end > done) pieces.push({ text: signs.slice(done, end).join(""), place });
    done = Math.max(done, end);
  };
  for (const [place, { start, end }] of findings.entries()) {
    if (start < done) continue;
    take(start, null);
    take(end, place);
  }
  take(signs.length, null);
  return pieces;
}

/**
 * Whether a number is wrong, or has no value.
 * @param {Finding} finding
 */
export function isWrong({ outcome }) {
  return ["slip", "impossible", "malformed", "undefined"].includes(outcome);
}

/**
 * How many numbers there are, by outcome, in words; and from which line on nothing was read.
 * @param {Record<string, number>} counts
 * @param {number} small how many slips are of the last digit
 * @param {number} unread a line, or 0
 */
export function countsInWords(counts, small, unread) {
  const rest = unread ? ` Line ${unread} and all below it were not read: the note is too long.` : "";
  const total = OUTCOMES.reduce((sum, each) => sum + counts[each], 0);
  if (!total) return `No number of a measure such as DCG, NDCG, AP or ERR was found in this text.${rest}`;
  const parts = OUTCOMES.filter((each) => counts[each]).map(
    (each) => `${counts[each]} ${outcomeOf(each)}${each === "slip" && small ? ` (${small} in the last digit)` : ""}`,
  );
  return `${total} stated ${total === 1 ? "number" : "numbers"}: ${parts.join(", ")}.${rest}`;
}

/**
 * The note with a comment before the first number of an example, and where the comment begins and ends.
 * @param {string} text
 * @param {Understood} example
 */
export function withComment(text, { first, comment }) {
  const lines = text.split("\n");
  const start = lines.slice(0, first - 1).reduce((sum, line) => sum + line.length + 1, 0);
  lines.splice(first - 1, 0, comment, "");
  return { text: lines.join("\n"), start, end: start + comment.length };
}

/**
 * What was understood of an example.
 * @param {Understood} example
 */
export function understoodInWords({ first, last, words }) {
  return `${first === last ? `Line ${first}` : `Lines ${first} to ${last}`}: ${words}.`;
}

/**
 * What is said of a number behind its place: what is right, or why it was not checked.
 * @param {Finding} finding
 */
export function remarkOnFinding({ outcome, correct, reason }) {
  if (outcome === "slip") return `right is ${correct}.`;
  return outcome === "agrees" ? "" : reason && `${reason}.`;
}

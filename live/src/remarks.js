// What a checked working says of each cell, in words.

/**
 * @typedef {{ mark: string, word: string, said: string, kind: "agrees" | "slip" | "carried" | "unread" | "undefined" }} Remark
 */

import { READABLE } from "./task.js";

const LONGEST_SHOWN = 40;
const CALCULATED = /[0-9)][-−+*×·/:^=(]|log/;
const TO_THE_LINES = " A calculation such as 3/log2(3) is read as a line.";
const ROUNDED = "It follows from your earlier cells as rounded. Compute with more digits, and round at the end.";

/**
 * What to say of a cell; null for one that is not filled in.
 * @param {import("./cells.js").Judged} judged
 * @param {string} text
 * @param {Record<string, string>} names of all cells, by key
 * @param {string} hint what may have happened, and where to look
 * @returns {Remark | null}
 */
export function remarkOn(judged, text, names, hint) {
  if (judged.state === "empty") return null;
  if (judged.state === "unread") {
    const said = `“${text.trim().slice(0, LONGEST_SHOWN)}” was not read. ${READABLE}${CALCULATED.test(text) ? TO_THE_LINES : ""}`;
    return { mark: "?", word: "not read", said, kind: "unread" };
  }
  if (judged.state === "undefined")
    return {
      mark: "∅",
      word: "undefined",
      said: "It has no value: there is no ideal gain to divide by.",
      kind: "undefined",
    };
  const comma = judged.comma ? `${text.trim()} was read with a decimal comma. ` : "";
  if (judged.state === "agrees")
    return { mark: "✓", word: "agrees", said: (comma + judged.coarse).trim(), kind: "agrees" };
  if (judged.from.length) {
    const said = `${comma}It follows from your ${listOf(judged.from.map((key) => names[key] ?? key))}. The step itself is right.`;
    return { mark: "↳", word: "slip, carried on", said, kind: "carried" };
  }
  const carried = judged.carried ? ROUNDED : "";
  return { mark: "✗", word: "slip", said: comma + (hint || carried), kind: "slip" };
}

/** @param {string[]} names */
export function listOf(names) {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * How a working stands, in a sentence.
 * @param {(Remark | null)[]} remarks
 */
export function standing(remarks) {
  /** @param {string} kind */
  const count = (kind) => remarks.filter((each) => each?.kind === kind).length;
  const filled = remarks.filter(Boolean).length;
  if (filled === 0) return "No cell is filled in yet";
  const wrong = [
    count("slip") ? `✗ ${count("slip")} ${count("slip") === 1 ? "slip" : "slips"}` : "",
    count("carried") ? `↳ ${count("carried")} carried on` : "",
    count("unread") ? `? ${count("unread")} not read` : "",
    count("undefined") ? `∅ ${count("undefined")} undefined` : "",
  ].filter(Boolean);
  const right = `✓ ${count("agrees")} of ${filled} filled in ${count("agrees") === 1 ? "agrees" : "agree"}`;
  return [right, ...wrong].join(", ");
}

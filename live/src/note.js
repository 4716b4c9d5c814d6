// The page "Check a note": a text that the reader pastes, and each number in it with what the package says of it.

import {
  countsInWords,
  isWrong,
  outcomeOf,
  piecesOf,
  remarkOnFinding,
  signOf,
  understoodInWords,
  withComment,
} from "./noted.js";
import { announce, make, onLink, readFragment, writeFragment } from "./page.js";
import { ask, pythonState } from "./python.js";

/** @typedef {import("./noted.js").Finding} Finding */
/** @typedef {{ findings: Finding[], understood: import("./noted.js").Understood[] }} Answer */

class NoteCheck {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.example = box.querySelector(".ndcg-live-without pre")?.textContent?.trimEnd() ?? "";
    this.area = make("textarea", {
      id: "live-note",
      rows: 8,
      spellcheck: "false",
      "aria-describedby": "live-note-hint",
    });
    this.counts = make("p", { class: "live-counts", role: "status" });
    this.state = make("p", { class: "ndcg-live-note" });
    this.findings = make("div", { class: "live-findings" });
    this.asked = 0;
    const button = (/** @type {string} */ words, /** @type {() => void} */ act) =>
      make("button", { type: "button", click: act }, words);
    const now = make(
      "div",
      { class: "ndcg-live-now" },
      make("label", { for: "live-note" }, "Your note"),
      this.area,
      make("small", { id: "live-note-hint" }, "Plain text, Markdown or LaTeX, at most 20,000 characters"),
      make(
        "div",
        { class: "ndcg-live-buttons" },
        button("Check this note", () => this.check()),
        button("Show the example", () => this.open(this.example)),
        button("Clear", () => {
          this.open("");
          this.area.focus();
        }),
      ),
      this.counts,
      this.state,
      this.findings,
    );
    box.append(now);
    pythonState((state, words) => this.state.replaceChildren(state === "loading" ? words : ""));
  }

  /** @param {string} text */
  open(text) {
    this.asked += 1;
    this.area.value = text;
    this.say();
  }

  /**
   * @param {string} [words]
   * @param {...Node} shown
   */
  say(words = "", ...shown) {
    announce(this.counts, words);
    this.findings.replaceChildren(...shown);
  }

  async check() {
    this.asked += 1;
    const mine = this.asked;
    const text = this.area.value;
    if (!text.trim()) return this.say("Put in a note first.");
    writeFragment({ note: text }); // a long note has no room there
    this.say("The note is being read …");
    try {
      const answer = await ask({ ask: "note", text });
      if (mine !== this.asked) return undefined;
      if (answer.error) return this.say(`${answer.error}.`);
      const small = answer.findings.filter((/** @type {Finding} */ { severity }) => severity === "last digit").length;
      return this.say(countsInWords(answer.counts, small, answer.unread), ...this.shown(text, answer));
    } catch (error) {
      if (mine === this.asked) this.say("The note was not checked.", ...instead(/** @type {any} */ (error)));
      return undefined;
    }
  }

  /**
   * What was understood, the list of what is wrong, what else was found, and the note with its numbers marked.
   * @param {string} text
   * @param {Answer} answer
   */
  shown(text, { findings, understood }) {
    if (!findings.length) return [];
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
    const lines = understood.map((each) => {
      const change = () => {
        const { text: changed, start, end } = withComment(text, each);
        this.open(changed);
        this.area.focus();
        this.area.setSelectionRange(start, end);
      };
      const button = make("button", { type: "button", click: change }, "Change this in the note");
      return make("li", {}, `${understoodInWords(each)} `, ...(each.comment ? [button] : []));
    });
    const kept = [make("ul", { class: "live-understood", "aria-label": "What was understood" }, ...lines)];
    if (wrong.length) kept.push(make("ol", { class: "live-noted" }, ...wrong));
    if (others.length)
      kept.push(
        make(
          "details",
          {},
          make("summary", {}, `${wrong.length ? "The other numbers" : "All numbers"} (${others.length})`),
          make("ol", { class: "live-noted" }, ...others),
        ),
      );
    const title = make("h2", { id: "live-marked" }, "The note with its numbers marked");
    const marked = { class: "live-marked", role: "region", tabindex: "0", "aria-labelledby": "live-marked" };
    return [...kept, title, make("div", marked, ...pieces)];
  }
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
  return [make("p", {}, `${why} On your computer `, command, " checks a file in the same way.")];
}

/** @param {NoteCheck} note */
function openNote(note) {
  const { state, problem } = readFragment();
  note.open(typeof state?.note === "string" ? state.note : note.example);
  if (problem) note.say(problem);
}

for (const box of document.querySelectorAll('.ndcg-live[data-live="note"]')) {
  const note = new NoteCheck(/** @type {HTMLElement} */ (box));
  openNote(note);
  onLink(() => openNote(note));
}

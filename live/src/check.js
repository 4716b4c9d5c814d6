// The page "Check a calculation": a number, lines, cells or a whole note, each with a remark beside it. All but a note
// is read and judged here; a note is read by the package, which is loaded when the reader asks for that.

import { candidatesOfTerm, causesOf, sentencesOf } from "./causes.js";
import { cellsOf, judgeCells } from "./cells.js";
import { RULES } from "./formulas.js";
import { formulaOf, isWorking, judgeLines } from "./lines.js";
import { checkedNote } from "./note.js";
import { withComment } from "./noted.js";
import { covers } from "./numbers.js";
import { announce, clearFragment, make, onEntry, onLink, readFragment, writeFragment } from "./page.js";
import { pythonState } from "./python.js";
import { listOf, remarkOn, standing } from "./remarks.js";
import { sums } from "./sums.js";
import { asEntries, beside, choice, conventionOptions, FORMULAS, field, readTask, stepsOf, textField } from "./task.js";
import { showMark, worksheet } from "./worksheet.js";

/**
 * @typedef {import("./lines.js").JudgedLine} JudgedLine
 * @typedef {import("./task.js").Task} Task
 * @typedef {import("./cells.js").Judged} Judged
 */

const EMPTY = { grades: "", cutoff: "", convention: "", unretrieved: "", as: "", text: "" };
const EXAMPLE = {
  ...EMPTY,
  grades: "2, 3, 0, 1, 2, 3",
  cutoff: "5",
  convention: "STANDARD",
  text: "DCG = 5.097\nIDCG = 5.693\nNDCG = 0.895",
};
const KINDS = [
  ["", "as what it looks like"],
  ["lines", "a number, or lines of a working"],
  ["cells", "cells of a table, to fill in"],
  ["note", "a whole note"],
];
const MOST_ROWS = 20; // of a table
const LONGEST_CELL = 30;
const MOST_APART = 20; // pixels that a remark may be below its line
const KEY = /^(?:(?:gain|discount|term|best|ideal)-[1-9][0-9]?|I?DCG|NDCG)$/;
const READABLE_LINE =
  "A line ends in a number, or is one. It may have whole numbers, decimals, fractions and terms such as 3/log2(3).";
const UNEXPLAINED = "None of the usual mistakes gives it. Work out this step again.";

class Check {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.fields = {
      grades: textField(),
      cutoff: textField({ inputmode: "numeric" }),
      convention: choice([["", "from my numbers"], ...conventionOptions()]),
      unretrieved: textField(),
      as: choice(KINDS),
      text: make("textarea", { rows: 7, spellcheck: "false" }),
    };
    /** @type {Record<string, string>} */
    this.cells = {};
    /** @type {Map<string, import("./worksheet.js").Place>} */
    this.places = new Map();
    this.understood = make("p", { class: "ndcg-live-note" });
    this.status = make("p", { class: "live-standing", role: "status" });
    this.python = make("p", { class: "ndcg-live-note" });
    this.copied = make("p", { class: "ndcg-live-note", role: "status" });
    this.under = make("div", { class: "check-under", "aria-hidden": "true" });
    this.remarks = make("div", { class: "check-remarks" });
    this.table = make("div", { class: "live-tables" });
    /** @type {import("./cells.js").Cell[]} */
    this.judgedCells = [];
    this.filling = false;
    this.asked = 0;
    pythonState((state, words) => this.python.replaceChildren(state === "loading" ? words : ""));
    box.append(this.built());
    for (const [name, each] of Object.entries(this.fields)) onEntry(each, () => this.entered(name));
    this.fields.text.addEventListener("input", () => this.layUnder());
    new ResizeObserver(() => this.align()).observe(this.under);
  }

  built() {
    const { grades, cutoff, convention, unretrieved, as, text } = this.fields;
    const button = (/** @type {string} */ words, /** @type {() => void} */ act) =>
      make("button", { type: "button", click: act }, words);
    const fields = make(
      "form",
      { class: "ndcg-live-fields", submit: (/** @type {Event} */ event) => event.preventDefault() },
      field("Grades, best rank first", grades, "such as 3, 2, 0, 1"),
      field("Cutoff", cutoff, "empty: every rank counts"),
      field("Formula", convention),
      field("Judged, but not retrieved", unretrieved, "they count in the ideal"),
      make(
        "div",
        { class: "ndcg-live-buttons" },
        button("Show an example", () => this.open(EXAMPLE, {}, false)),
        button("Empty it", () => {
          this.open(EMPTY, {}, false);
          grades.focus();
        }),
        button("Copy link", () => this.copyLink()),
        button("Print", () => print()),
        this.copied,
      ),
      this.understood,
    );
    this.written = field("Your number, lines or note", text, "such as 0.895, or DCG = 3/log2(2) + 2/log2(3) = 4.26");
    this.lined = make("div", { class: "check-lined" });
    text.before(this.lined);
    this.lined.append(this.under, text);
    const left = make("div", { class: "check-own" }, this.written, this.table, field("Read it as", as));
    const right = make("div", { class: "check-said" }, this.status, this.remarks, this.python);
    return make("div", { class: "ndcg-live-now check" }, fields, make("div", { class: "check-work" }, left, right));
  }

  /**
   * @param {typeof EMPTY} entries
   * @param {Record<string, string>} cells
   * @param {boolean} kept whether the address is to hold it
   */
  open(entries, cells, kept) {
    this.filling = true; // the fields take note of their new texts
    for (const [name, each] of Object.entries(this.fields)) {
      each.value = entries[/** @type {keyof typeof EMPTY} */ (name)];
      if (each instanceof HTMLSelectElement && each.selectedIndex < 0) each.selectedIndex = 0;
      each.dispatchEvent(new Event("change"));
    }
    this.filling = false;
    this.cells = cells;
    this.lay();
    if (kept) this.keep();
    else clearFragment();
  }

  async copyLink() {
    if (!this.keep()) return announce(this.copied, "This is too long for a link.");
    try {
      await navigator.clipboard.writeText(location.href);
      return announce(this.copied, "The link is copied, and holds what you entered. Nothing was sent.");
    } catch {
      return announce(this.copied, "The address of this page is the link: copy it from there.");
    }
  }

  entries() {
    return asEntries(EMPTY, Object.fromEntries(Object.entries(this.fields).map(([name, { value }]) => [name, value])));
  }

  keep() {
    this.copied.replaceChildren(); // what was said of the link is of older entries
    return writeFragment({ check: { ...this.entries(), cells: this.cells } });
  }

  /** @param {string} name of the field */
  entered(name) {
    if (this.filling) return;
    if (name === "text") this.show();
    else this.lay();
    this.keep();
  }

  /** What is read: "lines", "cells" or "note". */
  kind() {
    const { as, text } = this.entries();
    return as || (isWorking(text) ? "lines" : "note");
  }

  /** Show the table or the field for text, and what is said of it. */
  lay() {
    const cells = this.kind() === "cells";
    const { task, problem } = this.task();
    /** @type {HTMLElement} */ (this.written).hidden = cells;
    this.table.hidden = !cells;
    this.table.replaceChildren();
    this.judgedCells = [];
    if (cells && !problem) {
      this.judgedCells = cellsOf(task);
      this.names = Object.fromEntries(this.judgedCells.map(({ key, name }) => [key, name]));
      const { tables, places } = worksheet(task, this.names, this.cells, (key) => {
        this.cells[key] = places.get(key)?.entered.slice(0, LONGEST_CELL) ?? "";
        this.show();
        this.keep();
      });
      this.table.replaceChildren(...tables);
      this.places = places;
    }
    this.show();
  }

  /** The task as the entries state it, and what is wrong with it for what is below. */
  task() {
    const entries = this.entries();
    const read = readTask(entries);
    const usable = !read.problem && read.grades.length > 0;
    const found = usable && !entries.convention && this.kind() === "lines" ? formulaOf(entries.text, read) : null;
    const task = found ? { ...read, convention: found } : read;
    const rows = Math.min(Math.max(task.grades.length, task.judged?.length ?? 0), task.k ?? MOST_ROWS + 1);
    const large = this.kind() === "cells" && rows > MOST_ROWS;
    const missing = task.grades.length ? "" : "Put in the grades of your ranking.";
    const problem =
      task.problem || missing || (large ? `A table has room for ${MOST_ROWS} ranks: put in a cutoff.` : "");
    return { task, problem, found };
  }

  show() {
    this.asked += 1;
    const { text } = this.entries();
    const kind = this.kind();
    const { task, problem, found } = this.task();
    this.understood.replaceChildren();
    /** @type {HTMLElement} */ (this.lined).classList.toggle("check-note", kind === "note");
    this.layUnder();
    if (kind === "note" && text.trim()) return this.offerNote(text);
    if (problem) return this.say(text.trim() || task.problem ? problem : "What is found appears here.");
    const known = FORMULAS.find(({ name }) => name === task.convention);
    const cut = task.k ? `to rank ${task.k}` : "to the last rank";
    const ideal = `the ideal of all ${(task.judged ?? task.grades).length} judged`;
    const how = found ? ", under which most of your numbers agree" : "";
    this.understood.append(`Understood: ${task.grades.length} grades ${cut}, ${ideal}; ${known?.words}${how}.`);
    return kind === "cells" ? this.showCells(task) : this.showLines(text, task);
  }

  /**
   * @param {string} words
   * @param {...Node} remarks
   */
  say(words, ...remarks) {
    announce(this.status, words);
    this.remarks.replaceChildren(...remarks);
  }

  /** @param {string} text @param {Task} task */
  showLines(text, task) {
    if (!text.trim()) return this.say("Now put in your number, or the lines of your working.");
    const judged = judgeLines(text, task);
    const first = judged.findIndex(({ wrong }) => wrong);
    const count = (/** @type {string} */ outcome) => judged.filter((each) => each.outcome === outcome).length;
    const following = judged.filter(({ follows }) => follows.length).length;
    const parts = [
      [count("agrees"), "✓", count("agrees") === 1 ? "agrees" : "agree"],
      [count("slip") - following, "✗", "wrong"],
      [following, "↳", "carried on"],
      [count("undefined"), "∅", "undefined"],
      [count("unread"), "?", "not read"],
    ].flatMap(([many, mark, word]) => (many ? [`${mark} ${many} ${word}`] : []));
    const lines = judged.map((line, i) =>
      make(
        "li",
        { class: `check-line live-said-${line.follows.length ? "carried" : line.wrong ? "slip" : line.outcome}` },
        make("code", {}, ...marked(line)),
        make("div", {}, ...this.remarkOnLine(line, task, i === first && judged.length > 1)),
      ),
    );
    this.say(parts.join(", "), make("ol", { class: "check-lines" }, ...lines));
    this.layUnder(judged);
    return this.align();
  }

  /**
   * Lay the text of the field under it once more, each line that was judged as an element, with its mark.
   * @param {JudgedLine[]} [judged]
   */
  layUnder(judged = []) {
    let rest = this.fields.text.value;
    /** @type {(Node | string)[]} */
    const laid = [];
    for (const line of judged) {
      const found = new RegExp(line.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+")).exec(rest);
      if (!found) continue;
      const text = found[0]; // of another length where two lines were read as one
      const inside = text === line.text ? marked(line) : [text];
      laid.push(rest.slice(0, found.index), make("span", {}, ...inside));
      rest = rest.slice(found.index + text.length);
    }
    this.under.replaceChildren(...laid, `${rest}\n`);
  }

  /** Move each remark beside its line; one that has no room there, or comes below the field, repeats the line. */
  align() {
    const lines = [...this.under.querySelectorAll("span")];
    for (const [i, remark] of this.remarks.querySelectorAll(".check-line").entries()) {
      remark.classList.remove("check-apart");
      remark.style.marginTop = "0";
      const below = (lines[i]?.getBoundingClientRect().top ?? Number.NaN) - remark.getBoundingClientRect().top;
      remark.style.marginTop = `${Math.max(below, 0) || 0}px`;
      remark.classList.toggle("check-apart", !(below > -MOST_APART));
    }
  }

  /**
   * @param {JudgedLine} line
   * @param {Task} task
   * @param {boolean} first whether it has the first wrong step
   * @returns {(Node | string)[]}
   */
  remarkOnLine(line, task, first) {
    const strong = (/** @type {string} */ words) => make("strong", {}, words);
    const { outcome, measure, named, follows, wrong, comma } = line;
    const read = [comma ? "Read with a decimal comma. " : "", named || !measure ? "" : `Taken as ${measure}. `].join(
      "",
    );
    const other = named || !measure ? [] : this.otherNames(line);
    if (outcome === "unread") return [strong("? Not read."), ` ${READABLE_LINE}`];
    if (outcome === "undefined")
      return [strong("∅ Undefined."), " Without a relevant document there is no ideal gain."];
    if (follows.length) {
      const own = listOf([...new Set(follows)]);
      return [
        strong("↳ Carried on."),
        ` It follows from your ${own}; this step is right. ${read}`,
        valueAndSteps(line, task),
      ];
    }
    if (!wrong) return [strong("✓ Agrees."), ` ${read}`, ...other];
    const [what, where] = line.mistakes.length ? sentencesOf(line.mistakes[0]) : ["", UNEXPLAINED];
    const result = outcome === "agrees" ? "The result agrees, but not this step. " : "";
    const percentage = line.percent ? `As a percentage, ${line.printed?.text}%, it agrees. ` : "";
    const also = line.mistakes.slice(1, 3).map((each) => sentencesOf(each)[0]);
    return [
      strong(first ? "✗ First wrong step." : "✗ Wrong."),
      ` ${percentage}${result}${what} `,
      make("small", {}, [where, also.length ? `Or: ${also.join(" ")}` : "", read].filter(Boolean).join(" ")),
      ...other,
      " ",
      valueAndSteps(line, task),
    ];
  }

  /**
   * Buttons that say in the text what a number without a name is.
   * @param {JudgedLine} line
   */
  otherNames({ text, measure }) {
    const { text: area } = this.fields;
    return ["NDCG", "DCG", "IDCG"].flatMap((name) => {
      if (name === measure || !area.value.includes(text)) return [];
      const change = () => {
        area.value = area.value.replace(text, () => `${name} = ${text}`);
        area.dispatchEvent(new Event("change"));
        area.focus();
      };
      return [make("button", { type: "button", class: "check-other", click: change }, `It is ${name}`), " "];
    });
  }

  /** @param {Task} task */
  showCells(task) {
    const cells = this.judgedCells;
    const judged = judgeCells(cells, this.cells);
    const remarks = cells.map((cell) => {
      const found = /** @type {Judged} */ (judged.get(cell.key));
      return remarkOn(found, this.cells[cell.key] ?? "", this.names ?? {}, hintOn(cell.key, found, task));
    });
    const items = cells.flatMap((cell, i) => {
      const remark = remarks[i];
      const place = this.places.get(cell.key);
      if (place) showMark(place, remark);
      if (!remark || (remark.kind === "agrees" && !remark.said)) return [];
      const { printed, correct } = /** @type {Judged} */ (judged.get(cell.key));
      const right = printed ? `Right is ${correct}, computed ${beside(printed, cell.value)}.` : "";
      const wrong = remark.kind === "slip" || remark.kind === "carried";
      const told = [make("strong", {}, `${remark.mark} ${cell.name}: ${remark.word}.`), ` ${remark.said} `];
      const value = wrong ? [folded("Show the value", `Show the value: ${cell.name}`, [right])] : [];
      return [make("li", { id: `live-said-${cell.key}`, class: `live-said-${remark.kind}` }, ...told, ...value)];
    });
    const first = cells[remarks.findIndex((each) => each?.kind === "slip")];
    this.say(
      `${standing(remarks)}.${first ? ` The first slip: ${first.name}.` : ""}`,
      make("ol", { class: "check-lines" }, ...items),
    );
  }

  /** @param {string} text */
  offerNote(text) {
    const button = make("button", { type: "button", click: () => this.checkNote(text) }, "Check this note");
    const words = "This reads as a whole note: its own grades and formulas count, not those above.";
    const wait = "Python reads it, in your browser: about 20 MB, loaded once.";
    this.say(words, make("p", {}, wait), make("p", {}, button));
  }

  /** @param {string} text */
  async checkNote(text) {
    const mine = this.asked;
    this.say("The note is being read …");
    const { words, shown } = await checkedNote(text, (example) => this.changeNote(text, example));
    if (mine === this.asked) this.say(words, ...shown);
  }

  /** @param {string} text @param {import("./noted.js").Understood} example */
  changeNote(text, example) {
    const { text: area } = this.fields;
    const { text: changed, start, end } = withComment(text, example);
    area.value = changed;
    area.dispatchEvent(new Event("change"));
    area.focus();
    area.setSelectionRange(start, end);
  }
}

/**
 * A line with its first wrong step marked.
 * @param {JudgedLine} line
 * @returns {(Node | string)[]}
 */
function marked({ text, wrong }) {
  if (!wrong) return [text];
  return [text.slice(0, wrong.start), make("mark", {}, text.slice(wrong.start, wrong.end)), text.slice(wrong.end)];
}

/**
 * The right value of a line, on request, and the steps to it.
 * @param {JudgedLine} line
 * @param {Task} task
 */
function valueAndSteps({ text, measure, k, value, correct, printed }, task) {
  const exact = printed ? beside(printed, value) : correct;
  const steps = measure ? sums({ ...task, k }, measure, task.convention) : [];
  const said = [`Right is ${correct}, computed ${exact}.`, ...steps];
  return folded("Show the value and its steps", `Show the value and its steps: ${text}`, said);
}

/**
 * @param {string} words
 * @param {string} label with what it is of
 * @param {string[]} lines
 */
function folded(words, label, lines) {
  return make(
    "details",
    { class: "check-value" },
    make("summary", { "aria-label": label }, words),
    ...lines.map((line) => make("p", {}, line)),
  );
}

/**
 * What may have happened in a cell that is wrong, and where to look.
 * @param {string} key
 * @param {Judged} judged
 * @param {Task} task
 */
function hintOn(key, { state, printed, from }, task) {
  if (state !== "slip" || from.length || !printed) return "";
  const [mistake] = mistakesInCell(key, printed, task);
  return mistake ? sentencesOf(mistake).join(" ") : "";
}

/**
 * @param {string} key
 * @param {import("./numbers.js").Printed} printed
 * @param {Task} task
 */
function mistakesInCell(key, printed, task) {
  const rule = RULES[task.convention];
  if (/^I?DCG$|^NDCG$/.test(key)) return causesOf(printed, key, { ...task, rule });
  const [column, rank] = key.split("-");
  const { rows, ideal } = stepsOf(task, task.convention);
  const grades = (column === "ideal" ? ideal : rows).map(({ grade }) => grade);
  /** @type {Record<string, (gain: number, discount: number) => number>} */
  const made = {
    gain: (gain) => gain,
    discount: (_, discount) => discount,
    term: (gain, discount) => gain / discount,
    ideal: (gain, discount) => gain / discount,
  };
  if (!made[column]) return [];
  const found = candidatesOfTerm(Number(rank) - 1, grades, rule, made[column]);
  return found.filter(({ value }) => covers(printed, value));
}

/**
 * The cells of a state from outside: known keys, and short texts.
 * @param {any} given
 */
function readCells(given) {
  const pairs = Object.entries(given && typeof given === "object" ? given : {});
  const fits = pairs.filter(([key, text]) => KEY.test(key) && typeof text === "string" && text.length <= LONGEST_CELL);
  return /** @type {Record<string, string>} */ (Object.fromEntries(fits));
}

/** @param {Check} check */
function openLink(check) {
  const { state, problem } = readFragment();
  check.open(asEntries(EMPTY, state?.check), readCells(state?.check?.cells), Boolean(state?.check));
  if (problem) check.say(problem);
}

for (const box of document.querySelectorAll('.ndcg-live[data-live="check"]')) {
  const check = new Check(/** @type {HTMLElement} */ (box));
  openLink(check);
  onLink(() => openLink(check));
}

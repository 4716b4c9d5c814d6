// The page "Check my working": the reader's cells, judged as they are filled in, and lines as the reader wrote them.

import { cellsOf, judgeCells } from "./cells.js";
import { WORKED_EXAMPLE, withoutExample } from "./example.js";
import { linesSection } from "./lines.js";
import { announce, clearFragment, make, onEntry, onLink, readFragment, writeFragment } from "./page.js";
import { pythonState } from "./python.js";
import { askWorking } from "./python-cells.js";
import { remarkOn, standing } from "./remarks.js";
import {
  asEntries,
  beside,
  choice,
  conventionOptions,
  field,
  NO_TASK,
  readTask,
  sayFormula,
  textField,
} from "./task.js";
import { notebookOf } from "./workbook.js";
import { showMark, worksheet } from "./worksheet.js";

/** @typedef {import("./cells.js").Judged} Judged */

const MOST_ROWS = 20; // as the package has it
const LONGEST_CELL = 30;
const KEY = /^(?:(?:gain|discount|term|best|ideal)-[1-9][0-9]?|I?DCG|NDCG)$/;

/**
 * The cells of a state from outside: known keys, and short texts.
 * @param {any} given
 */
function readCells(given) {
  const pairs = Object.entries(given && typeof given === "object" ? given : {});
  const fits = pairs.filter(([key, text]) => KEY.test(key) && typeof text === "string" && text.length <= LONGEST_CELL);
  return /** @type {Record<string, string>} */ (Object.fromEntries(fits));
}

class Sheet {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.box = box;
    this.fields = {
      grades: textField(),
      cutoff: textField({ inputmode: "numeric", class: "live-short" }),
      convention: choice(conventionOptions()),
      unretrieved: textField(),
    };
    this.result = make("div", { class: "live-standing", role: "status" });
    this.tables = make("div", { class: "live-tables" });
    this.remarks = make("ol", { class: "live-remarks", tabindex: -1 });
    this.python = make("p", { class: "ndcg-live-note" });
    // Python is loaded by an entry or by this button, never by opening a page or a link
    this.explain = make("button", { type: "button", click: () => this.explainAll() }, "Explain the slips");
    pythonState((state, words) => this.python.replaceChildren(state === "loading" ? words : ""));
    this.lines = linesSection(
      () => this.task(),
      () => this.keep(),
    );
    /** @type {Record<string, string>} */
    this.entries = {};
    /** @type {Record<string, string>} */
    this.names = {};
    /** @type {Map<string, import("./worksheet.js").Place>} */
    this.places = new Map();
    /** @type {import("./cells.js").Cell[]} */
    this.cells = [];
    /** @type {Map<string, { text: string, said: import("./remarks.js").Answered }>} */
    this.answers = new Map();
    /** @type {Map<string, string>} the texts whose right value the reader asked for */
    this.revealed = new Map();
    this.asked = 0;
    this.ofExample = false;
    this.build();
  }

  build() {
    const { grades, cutoff, convention, unretrieved } = this.fields;
    const button = (/** @type {string} */ words, /** @type {() => void} */ act) =>
      make("button", { type: "button", click: act }, words);
    this.copied = make("span", { class: "ndcg-live-note", role: "status" });
    const now = make("div", { class: "ndcg-live-now" });
    now.append(
      make(
        "form",
        { class: "ndcg-live-fields", submit: (/** @type {Event} */ event) => event.preventDefault() },
        field("Grades, best rank first", grades, "such as 3, 2, 0, 1"),
        field("Cutoff", cutoff, "empty: every rank counts"),
        field("Formula", convention, " "),
        field("Grades of judged documents that were not retrieved", unretrieved, "they count in the ideal"),
        make(
          "div",
          { class: "ndcg-live-buttons" },
          button("Show the example", () => this.open(WORKED_EXAMPLE, false)),
          button("Empty the cells", () => this.open({ task: this.taskEntries(), cells: {}, lines: "" }, true)),
        ),
      ),
      this.result,
      this.tables,
      this.remarks,
      make("div", { class: "ndcg-live-buttons" }, this.explain),
      this.python,
      make(
        "div",
        { class: "ndcg-live-buttons" },
        button("Copy link", () => this.copyLink()),
        button("Print", () => print()),
        button("Download as a notebook", () => this.download()),
        this.copied,
      ),
      this.lines.section,
    );
    this.box.append(now);
    for (const each of Object.values(this.fields))
      onEntry(each, () => {
        this.leaveExample();
        this.answers.clear();
        this.lay();
        this.keep();
        this.askPython();
      });
  }

  /** @param {any} state @param {boolean} kept whether the address is to hold it */
  open(state, kept) {
    const task = asEntries(NO_TASK, state.task);
    for (const [name, each] of Object.entries(this.fields)) each.value = task[/** @type {keyof typeof task} */ (name)];
    if (this.fields.convention.selectedIndex < 0) this.fields.convention.selectedIndex = 0;
    this.entries = readCells(state.cells);
    this.ofExample = this.hasTaskOfExample();
    this.answers.clear();
    this.revealed.clear();
    this.lines.open(typeof state.lines === "string" ? state.lines : "");
    this.lay();
    this.explain.hidden = !this.remarks.children.length && !this.lines.text();
    if (kept) this.keep();
    else clearFragment();
  }

  /** Empty what is left of the example, where the task is another one. */
  leaveExample() {
    if (this.ofExample && !this.hasTaskOfExample()) {
      const { cells, lines } = withoutExample({ cells: this.entries, lines: this.lines.text() });
      this.entries = cells;
      this.lines.open(lines);
    }
    this.ofExample = this.hasTaskOfExample();
  }

  hasTaskOfExample() {
    return JSON.stringify(readTask(this.taskEntries())) === JSON.stringify(readTask(WORKED_EXAMPLE.task));
  }

  explainAll() {
    this.askPython();
    this.lines.check();
    this.remarks.focus(); // the button is gone
  }

  taskEntries() {
    return asEntries(
      NO_TASK,
      Object.fromEntries(Object.entries(this.fields).map(([name, each]) => [name, each.value])),
    );
  }

  /** @returns {import("./task.js").Task} */
  task() {
    const task = readTask(this.taskEntries());
    if (task.problem) return task;
    if (!task.grades.length) return { ...task, problem: "Put in the grades of your ranking." };
    const rows = Math.min(Math.max(task.grades.length, task.judged?.length ?? 0), task.k ?? MOST_ROWS + 1);
    if (rows <= MOST_ROWS) return task;
    return {
      ...task,
      problem: `A working has room for ${MOST_ROWS} ranks. Put in a cutoff, or check the number alone.`,
    };
  }

  keep() {
    /** @type {HTMLElement} */ (this.copied).replaceChildren(); // what was said of the link is of an older working
    return writeFragment({
      working: { task: this.taskEntries(), cells: this.entries, lines: this.lines.text() },
    });
  }

  // The tables for the task, with the entries that still belong somewhere
  lay() {
    const task = this.task();
    sayFormula(this.fields.convention);
    this.places = new Map();
    this.cells = task.problem ? [] : cellsOf(task);
    this.names = Object.fromEntries(this.cells.map(({ key, name }) => [key, name]));
    if (task.problem) this.tables.replaceChildren();
    else {
      const { tables, places } = worksheet(task, this.names, this.entries, (key) => this.entered(key));
      this.tables.replaceChildren(...tables);
      this.places = places;
    }
    this.show(task.problem);
  }

  /** @param {string} key */
  entered(key) {
    this.entries[key] = this.places.get(key)?.entered.slice(0, LONGEST_CELL) ?? "";
    if (!this.entries[key]) delete this.entries[key];
    this.show("", key);
    this.keep();
    this.askPython();
  }

  /** @param {string} problem @param {string} [last] the cell that was filled in last */
  show(problem, last = "") {
    this.judged = judgeCells(this.cells, this.entries);
    const remarks = this.cells.map(({ key }) => this.remark(key));
    for (const [i, { key }] of this.cells.entries()) showMark(/** @type {any} */ (this.places.get(key)), remarks[i]);
    const own = last ? remarks[this.cells.findIndex(({ key }) => key === last)] : null;
    const latest = own ? `${this.names[last]}: ${own.mark} ${own.word}. ` : "";
    const first = this.cells[remarks.findIndex((each) => each?.kind === "slip")];
    const begin = first ? ` The first slip: ${first.name}.` : "";
    announce(this.result, problem || `${latest}${standing(remarks)}.${begin}`);
    const items = this.cells.flatMap((cell, i) => {
      const remark = remarks[i];
      return remark && (remark.kind !== "agrees" || remark.said) ? [this.item(cell, remark)] : [];
    });
    keepInPlace(this.remarks, items);
  }

  /** @param {string} key */
  remark(key) {
    const text = this.entries[key] ?? "";
    const known = this.answers.get(key);
    const judged = /** @type {Judged} */ (this.judged?.get(key));
    return remarkOn(judged, text, this.names, known?.text === text ? known.said : undefined);
  }

  /**
   * A line below the tables, with the value on request.
   * @param {import("./cells.js").Cell} cell
   * @param {import("./remarks.js").Remark} remark
   */
  item({ key, name, value }, remark) {
    const text = this.entries[key];
    const told = [make("strong", {}, `${remark.mark} ${name}: ${remark.word}.`), ` ${remark.said} `];
    const judged = this.judged?.get(key);
    const right = `Right is ${judged?.correct} (computed ${judged?.printed ? beside(judged.printed, value) : ""}).`;
    if (remark.kind === "slip" || remark.kind === "carried") {
      const reveal = make(
        "button",
        { type: "button", class: "live-reveal", "aria-label": `Show the value: ${name}` },
        "Show the value",
      );
      reveal.addEventListener("click", () => {
        this.revealed.set(key, text);
        this.show("");
        this.places.get(key)?.input.focus();
      });
      told.push(this.revealed.get(key) === text ? make("span", { class: "ndcg-right" }, right) : reveal);
    }
    return make("li", { id: `live-said-${key}`, class: `live-said-${remark.kind}` }, ...told);
  }

  async askPython() {
    const task = this.task();
    this.explain.hidden = true;
    this.asked += 1;
    const mine = this.asked;
    if (task.problem || Object.keys(this.entries).length === 0) return;
    const sent = { ...this.entries };
    try {
      const answers = await askWorking(task, sent);
      if (mine !== this.asked) return;
      for (const [key, said] of answers) this.answers.set(key, { text: sent[key] ?? "", said });
      this.python.replaceChildren();
      this.show("");
    } catch (error) {
      if (mine === this.asked) this.python.replaceChildren(/** @type {Error} */ (error).message);
    }
  }

  async copyLink() {
    const fits = this.keep();
    const told = /** @type {HTMLElement} */ (this.copied);
    if (!fits) return announce(told, "This working is too long for a link.");
    try {
      await navigator.clipboard.writeText(location.href);
      announce(told, "The link is copied. It holds the working; nothing was sent.");
    } catch {
      announce(told, "The address of this page is now the link: copy it from the address bar.");
    }
  }

  /** What is said of the cells that are carried on. */
  following() {
    const said = this.cells.map(({ key }) => /** @type {const} */ ([key, this.remark(key)]));
    return new Map(said.flatMap(([key, remark]) => (remark?.kind === "carried" ? [[key, remark.said]] : [])));
  }

  download() {
    const task = this.task();
    if (task.problem || !this.judged) return;
    const install = new URL("../about.html#install", location.href).href;
    const address = URL.createObjectURL(
      new Blob([notebookOf(task, this.cells, this.judged, this.following(), install)], {
        type: "application/x-ipynb+json",
      }),
    );
    make("a", { href: address, download: "my-working.ipynb" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

/**
 * Show items of a list, and leave those alone that have not changed: a button keeps its focus, and a click its target.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} items
 */
function keepInPlace(list, items) {
  /** @param {Element} item */
  const said = (item) => `${item.id} ${item.textContent}`;
  const wanted = new Set(items.map(said));
  for (const old of [...list.children]) if (!wanted.has(said(old))) old.remove();
  for (const [i, item] of items.entries()) {
    const now = list.children[i];
    if (!now || said(now) !== said(item)) list.insertBefore(item, now ?? null);
  }
}

/** @param {Sheet} sheet */
function openLink(sheet) {
  const { state, problem } = readFragment();
  const shared = state?.working && typeof state.working === "object";
  sheet.open(shared ? state.working : WORKED_EXAMPLE, Boolean(shared));
  if (problem) sheet.result.prepend(make("p", {}, problem));
}

if (typeof document !== "undefined") {
  for (const box of document.querySelectorAll('.ndcg-live[data-live="working"]')) {
    const sheet = new Sheet(/** @type {HTMLElement} */ (box));
    openLink(sheet);
    onLink(() => openLink(sheet));
  }
}

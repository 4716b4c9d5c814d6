// The page "Check a number": the answer of the twin at once, and below it what Python says of causes and conventions.

import { announce, clearFragment, make, onEntry, onLink, readFragment, writeFragment } from "./page.js";
import { ask, pythonState } from "./python.js";
import { judgeNumber, judgePercent, MEASURES, sums, UNKNOWN } from "./stated.js";
import {
  asEntries,
  beside,
  choice,
  conventionOptions,
  field,
  READABLE,
  readTask,
  sayFormula,
  shown,
  stepsOf,
  textField,
} from "./task.js";

/** @typedef {import("./task.js").Task["convention"]} Formula */

const EXAMPLE = {
  grades: "3, 2, 2, 1, 2, 1, 0, 0, 1",
  stated: "8.32",
  measure: "DCG",
  convention: "ORIGINAL",
  cutoff: "",
  unretrieved: "",
};
const EMPTY = { grades: "", stated: "", measure: "NDCG", convention: UNKNOWN, cutoff: "", unretrieved: "" };
const MOST_ROWS = 50;
const MARKS = { agrees: "✓", slip: "✗", undefined: "∅" };

/** @param {string} outcome */
function wordOf(outcome) {
  return `${MARKS[/** @type {keyof typeof MARKS} */ (outcome)]} ${outcome}`;
}

class NumberCheck {
  /** @param {HTMLElement} box */
  constructor(box) {
    this.fields = {
      grades: textField(),
      stated: textField({ inputmode: "decimal" }),
      measure: choice(MEASURES.map((name) => [name, name])),
      cutoff: textField({ inputmode: "numeric" }),
      convention: choice([[UNKNOWN, "I don't know"], ...conventionOptions()]),
      unretrieved: textField(),
    };
    this.verdict = make("div", { class: "live-verdict", role: "status" });
    this.state = make("p", { class: "ndcg-live-note" });
    this.causes = make("div", { class: "live-causes", "aria-live": "polite" });
    this.steps = make("div", { class: "live-steps" });
    this.filling = false;
    this.asked = 0;
    box.append(
      make(
        "div",
        { class: "ndcg-live-now live-number" },
        this.form(),
        this.verdict,
        this.state,
        this.causes,
        this.steps,
      ),
    );
    for (const each of Object.values(this.fields)) onEntry(each, () => this.entered());
    pythonState((state, words) => this.state.replaceChildren(state === "loading" ? words : ""));
  }

  form() {
    const { grades, stated, measure, cutoff, convention, unretrieved } = this.fields;
    const button = (/** @type {string} */ words, /** @type {Record<string, string>} */ given) =>
      make("button", { type: "button", click: () => this.open(given) }, words);
    return make(
      "form",
      { class: "ndcg-live-fields", submit: (/** @type {Event} */ event) => event.preventDefault() },
      field("Grades, best rank first", grades, "such as 3, 2, 0, 1"),
      field("The number, as printed", stated, "zeros at the end count"),
      field("What is it?", measure),
      field("Cutoff", cutoff, "empty: every rank counts"),
      field("Formula", convention, " "),
      field("Grades of judged documents that were not retrieved", unretrieved, "they count in the ideal"),
      make("div", { class: "ndcg-live-buttons" }, button("Show the example", EXAMPLE), button("Clear", EMPTY)),
    );
  }

  entries() {
    return asEntries(EMPTY, Object.fromEntries(Object.entries(this.fields).map(([name, each]) => [name, each.value])));
  }

  /** @param {Record<string, string>} given */
  open(given) {
    this.filling = true; // the fields take note of their new texts
    for (const [name, each] of Object.entries(this.fields)) {
      each.value = given[name];
      if (each instanceof HTMLSelectElement && each.selectedIndex < 0) each.selectedIndex = 0;
      each.dispatchEvent(new Event("change"));
    }
    this.filling = false;
    if (given === EXAMPLE || given === EMPTY) clearFragment();
    const judged = this.show();
    if (given === EMPTY) this.fields.grades.focus();
    if (judged.state === "judged") this.causes.replaceChildren(this.offer(this.judge().percent ?? judged));
  }

  /** @param {ReturnType<typeof judgeNumber>} judged */
  offer({ rows }) {
    const words = rows.some(({ outcome }) => outcome === "agrees")
      ? "Which conventions print it?"
      : "How did it come about?";
    return make("button", { type: "button", click: () => this.explain() }, words);
  }

  entered() {
    if (this.filling) return;
    writeFragment({ number: this.entries() });
    if (this.show().state === "judged") this.explain();
  }

  judge() {
    const now = this.entries();
    const task = readTask(now);
    const ready = !task.problem && task.grades.length > 0;
    const stated = ready ? now.stated : "";
    const judged = judgeNumber(task, now.measure, now.convention, stated);
    const percent = judgePercent(task, now.measure, now.convention, stated);
    return { now, task, ready, judged, percent };
  }

  show() {
    const { now, task, ready, judged, percent } = this.judge();
    sayFormula(this.fields.convention);
    this.asked += 1;
    this.causes.replaceChildren();
    if (ready) announce(this.verdict, ...verdictOn(judged, now, percent));
    else announce(this.verdict, make("p", {}, task.problem || "Put in the grades of your ranking."));
    this.steps.replaceChildren(...(ready ? stepsFor(task, now, judged) : []));
    return judged;
  }

  async explain() {
    const { now, task, judged, percent } = this.judge();
    const meant = percent ?? judged; // a percentage without its sign can be nothing else
    this.asked += 1;
    const mine = this.asked;
    const { grades, judged: known, k } = task;
    const right = meant.rows.filter(({ outcome }) => outcome === "agrees");
    const rows = right.length ? right : meant.rows;
    this.causes.replaceChildren(make("p", { class: "ndcg-live-note" }, "Looking for causes and conventions …"));
    try {
      const answers = await Promise.all(
        rows.map(({ name }) =>
          ask({ ask: "number", measure: now.measure, grades, judged: known, k, convention: name, stated: meant.text }),
        ),
      );
      if (mine !== this.asked) return;
      for (const [i, answer] of answers.entries()) outrank(rows[i], answer);
      announce(this.verdict, ...verdictOn(judged, now, percent));
      this.causes.replaceChildren(...answered(rows.map(({ name }, i) => ({ name, answer: answers[i] }))));
    } catch (error) {
      const words = /** @type {Error} */ (error).message;
      if (mine === this.asked) this.causes.replaceChildren(make("p", { class: "ndcg-live-note" }, words));
    }
  }
}

/**
 * What Python answered counts more than what the page found.
 * @param {import("./stated.js").Row} row
 * @param {any} answer
 */
function outrank(row, answer) {
  if (answer.error) return;
  row.outcome = answer.outcome;
  row.correct = answer.correct ?? "";
}

/**
 * @param {ReturnType<typeof judgeNumber>} judged
 * @param {Record<string, string>} now
 * @param {ReturnType<typeof judgePercent>} percent the same read as a percentage, if it can be nothing else
 * @returns {Node[]}
 */
function verdictOn(judged, now, percent) {
  if (judged.state === "empty") return [make("p", {}, "Put in the number that was printed.")];
  if (judged.state === "unread")
    return [make("p", {}, `“${judged.text.slice(0, 60)}” was not read. ${judged.question || READABLE}`)];
  const comma = judged.comma
    ? [make("p", { class: "ndcg-live-note" }, `${judged.text}: read with a decimal comma.`)]
    : [];
  const known = judged.rows.find(({ outcome }) => outcome === "agrees") ?? judged.rows[0];
  const besideIt = valueBeside(judged);
  const many = judged.rows.length > 1;
  const under =
    many && known.outcome === "agrees" ? ` under ${known.name}` : many ? " under each of the three formulas" : "";
  const first = make(
    "p",
    { class: `live-outcome ndcg-${known.outcome}` },
    make("strong", { class: "ndcg-mark" }, wordOf(known.outcome)),
    `: ${now.measure} ${judged.text}${under}`,
    ...(known.outcome === "slip" && !many && !percent
      ? [", right is ", make("strong", { class: "ndcg-right" }, known.correct)]
      : []),
  );
  const value =
    known.outcome === "undefined"
      ? "There is no ideal gain to divide by, so NDCG has no value."
      : `Computed: ${besideIt(known.value)}`;
  const as = percent ? [asPercent(judged.text, percent)] : [];
  return [first, ...(many ? [byFormula(judged.rows, besideIt)] : [make("p", {}, value)]), ...comma, ...as];
}

/**
 * What an NDCG such as 98.5 is as a percentage.
 * @param {string} text
 * @param {ReturnType<typeof judgeNumber>} percent
 */
function asPercent(text, percent) {
  const found = percent.rows.map(({ name, outcome, correct }) => {
    const under = percent.rows.length > 1 ? ` under ${name}` : "";
    return `${wordOf(outcome)}${under}${outcome === "slip" ? `, right is ${correct}` : ""}`;
  });
  const said = `No NDCG is above 1, so ${text} can only be a percentage. As ${percent.text}: ${found.join("; ")}.`;
  return make("p", { class: "live-percent" }, said);
}

/**
 * How a value is written beside the number, with the digits that it is judged by.
 * @param {ReturnType<typeof judgeNumber>} judged
 * @returns {(value: number) => string}
 */
function valueBeside({ printed }) {
  return printed ? (value) => beside(printed, value) : shown;
}

/**
 * @param {import("./stated.js").Row[]} rows
 * @param {(value: number) => string} besideIt
 */
function byFormula(rows, besideIt) {
  const head = ["formula", "computed", "verdict"].map((name) => make("th", { scope: "col" }, name));
  const body = rows.map(({ name, words, value, outcome, correct }) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, name, make("small", {}, words)),
      make("td", {}, besideIt(value)),
      make(
        "td",
        { class: `ndcg-${outcome}` },
        make("span", { class: "ndcg-mark" }, wordOf(outcome)),
        outcome === "slip" ? `, right is ${correct}` : "",
      ),
    ),
  );
  return make("table", { class: "live-table" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}

/**
 * The steps that lead to the value, under the first formula that prints the number.
 * @param {import("./task.js").Task} task
 * @param {Record<string, string>} now
 * @param {ReturnType<typeof judgeNumber>} judged
 * @returns {Node[]}
 */
function stepsFor(task, now, judged) {
  const name = /** @type {Formula} */ (
    (judged.rows.find(({ outcome }) => outcome === "agrees") ?? judged.rows[0])?.name ?? task.convention
  );
  const steps = stepsOf(task, name);
  const tables = { NDCG: [steps.rows, steps.ideal], DCG: [steps.rows], IDCG: [steps.ideal], CG: [] }[now.measure] ?? [];
  const titles = now.measure === "IDCG" ? ["The ideal order"] : ["The ranking", "The ideal order"];
  return [
    make("p", { class: "live-title" }, now.measure === "CG" ? "The steps" : `The steps, under ${name}`),
    ...tables.map((rows, i) => termTable(titles[i], rows)),
    ...sums(task, now.measure, name, valueBeside(judged)).map((line) => make("p", { class: "live-sum" }, line)),
  ];
}

/**
 * @param {string} title
 * @param {ReturnType<typeof stepsOf>["rows"]} rows
 */
function termTable(title, rows) {
  const head = ["rank", "grade", "gain", "discount", "term"].map((name) => make("th", { scope: "col" }, name));
  const body = rows
    .slice(0, MOST_ROWS)
    .map((row) =>
      make(
        "tr",
        {},
        make("th", { scope: "row" }, row.rank),
        ...[row.grade, row.gain, row.discount, row.term].map((value) => make("td", {}, shown(value))),
      ),
    );
  const more = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} of ${rows.length} ranks` : "";
  return make(
    "table",
    { class: "live-table" },
    make("caption", {}, title + more),
    make("thead", {}, make("tr", {}, ...head)),
    make("tbody", {}, ...body),
  );
}

/**
 * What Python says. Of several formulas those with a cause come first, and those without are left out.
 * @param {{ name: string, answer: any }[]} asked
 * @returns {Node[]}
 */
function answered(asked) {
  const refused = asked.find(({ answer }) => answer.error);
  if (refused) return [make("p", { class: "ndcg-live-problem" }, refused.answer.error)];
  const explained = asked.filter(({ answer }) => explainedBy(answer));
  const told = (explained.length ? explained : asked.slice(0, 1)).filter(({ answer }) => answer.causes.length);
  told.sort((one, other) => Number(one.answer.weak) - Number(other.answer.weak));
  return [...told.flatMap((each) => causesOf(each, asked.length > 1)), ...printers(asked[0].answer)];
}

/**
 * The causes of a slip under one formula.
 * @param {{ name: string, answer: any }} asked
 * @param {boolean} many whether several formulas were asked
 */
function causesOf({ name, answer }, many) {
  if (!explainedBy(answer)) return [make("p", {}, "No single mistake that was tried gives this number.")];
  const chance = answer.weak ? ". This is weak evidence: chance gives such a number as well" : "";
  const items = answer.causes.map((/** @type {any} */ { code, words, evidence }) =>
    make(
      "li",
      {},
      make("span", { class: "ndcg-cause" }, code),
      ` ${words}`,
      ...evidence.map((/** @type {string} */ text) => make("small", {}, text)),
    ),
  );
  const title = `Consistent with${many ? `, under ${name}` : ""}${chance}:`;
  return [make("p", { class: "live-title" }, title), make("ul", {}, ...items)];
}

/** @param {any} answer */
function explainedBy({ causes }) {
  return causes[0]?.code !== "unexplained";
}

/**
 * The conventions that print the number.
 * @param {any} answer
 * @returns {Node[]}
 */
function printers({ printed_by: found, stated, measure }) {
  if (measure.startsWith("CG")) return [];
  const names = found.map((/** @type {any} */ each) => each.convention).join(", ");
  const said = names ? `${names}.` : "None of the conventions that the package knows, at this cutoff.";
  return [make("p", { class: "live-title" }, `Which conventions print ${stated}?`), make("p", {}, said)];
}

/** @param {NumberCheck} page */
function openFromAddress(page) {
  const { state, problem } = readFragment();
  page.open(state?.number ? asEntries(EMPTY, state.number) : EXAMPLE);
  if (problem) page.verdict.prepend(make("p", {}, problem));
}

if (typeof document !== "undefined") {
  for (const box of document.querySelectorAll('.ndcg-live[data-live="number"]')) {
    const page = new NumberCheck(/** @type {HTMLElement} */ (box));
    openFromAddress(page);
    onLink(() => openFromAddress(page));
  }
}

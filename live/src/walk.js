// All libraries on one axis, and the way from one of them to another, one choice at a time.

import { changes, evaluated, kindsOf, moves } from "./documents.js";
import { fixed, short } from "./lengths.js";
import { covers } from "./numbers.js";
import { announce, make, onEntry, onLink, readFragment, writeFragment } from "./page.js";
import { NO_QUERY, readQuery } from "./query.js";
import { asEntries, choice, field, textField } from "./task.js";

/** @typedef {import("./documents.js").Choices} Choices */
/** @typedef {{label: string, newest: string, choices: Choices, kinds: string[]}} Library */
/** @typedef {{value: number, problem: string, outside: string[], labels: string[]}} Row */

// What can be chosen: the words of each choice, and of each of its values
/** @type {[string, [string, Record<string, any>][]][]} */
const GROUPS = [
  ["gain", ["linear", "exponential", "binary"].map((gain) => [gain, { gain }])],
  [
    "discount",
    [
      ["log2(rank + 1)", { discount: "log(rank+1)" }],
      ["log2(rank), from rank 3", { discount: "log(rank)", base: 2 }],
      ["log10(rank), from rank 11", { discount: "log(rank)", base: 10 }],
      ["the rank", { discount: "rank" }],
    ],
  ],
  [
    "ideal",
    [
      ["all judged", { ideal: "judged", ideal_cut: "k" }],
      ["retrieved", { ideal: "ranked", ideal_cut: "k" }],
      ["as many as retrieved", { ideal: "judged", ideal_cut: "hits" }],
    ],
  ],
  [
    "ties",
    [
      ["averaged", { ties: "average" }],
      ["as given", { ties: "input" }],
      ["by name, Z to A", { ties: "id-descending" }],
      ["by name, A to Z", { ties: "id-ascending" }],
      ["worst first", { ties: "worst" }],
    ],
  ],
  [
    "scores",
    [
      ["double precision", { scores: "float64" }],
      ["single precision", { scores: "float32" }],
    ],
  ],
  [
    "fractions",
    [
      ["kept", { fractional: "keep" }],
      ["cut off", { fractional: "truncate" }],
      ["refused", { fractional: "error" }],
    ],
  ],
  [
    "no ideal gain",
    [
      ["no value", { zero_ideal: "nan" }],
      ["counts 0", { zero_ideal: 0 }],
      ["counts 1", { zero_ideal: 1 }],
    ],
  ],
];
const SHOWN = 4; // groups that are always shown, and not in a fold
const MOST_ROWS = 20; // of the table of ranks
const DIGITS = 3;

/** @param {number} value */
const asText = (value) => (Number.isNaN(value) ? "no value" : fixed(value, DIGITS));

/** @param {number} before @param {number} after */
const asMove = (before, after) => {
  if (Number.isNaN(after - before)) return `to ${asText(after)}`;
  return `${after < before ? "−" : "+"}${fixed(Math.abs(after - before), DIGITS)}`;
};

/** @param {any} rule @param {Record<string, any>} part */
const has = (rule, part) => Object.entries(part).every(([name, value]) => rule[name] === value);

/**
 * What a rule has for some choices, in words: "ideal: all judged".
 * @param {string[]} names
 * @param {Choices} rule
 */
function inWords(names, rule) {
  const of = GROUPS.filter(([, values]) => values.some(([, part]) => names.some((name) => name in part)));
  const said = of.map(([group, values]) => `${group}: ${values.find(([, part]) => has(rule, part))?.[0] ?? "changed"}`);
  return said.join(", ");
}

/** @param {HTMLElement} place */
function begin(place) {
  const { standard, presets, kinds, example } = JSON.parse(
    /** @type {HTMLElement} */ (place.querySelector("[data-libraries]")).dataset.libraries ?? "",
  );
  /** @type {Map<string, Library>} */
  const libraries = new Map(
    presets.map((/** @type {any} */ { name, label, newest, choices, excluded }) => [
      name,
      { label, newest, choices: { ...standard, ...choices }, kinds: excluded },
    ]),
  );
  /** @type {Record<string, any>} */
  const fields = {
    grades: textField(),
    scores: textField(),
    names: textField(),
    unretrieved: textField(),
    cutoff: textField({ inputmode: "numeric" }),
    printed: textField({ inputmode: "decimal" }),
  };
  const [from, to] = ["", ""].map(() => choice([...libraries].map(([name, { label }]) => [name, label])));
  const way = make("p", { class: "walk-way" });
  const problem = make("p", { class: "ndcg-live-problem", "aria-live": "polite" });
  const matches = make("p", { "aria-live": "polite" });
  const axis = make("ol", { class: "walk-axis" });
  const none = make("div");
  const table = make("div", { class: "walk-ranks" });
  const next = make("button", { type: "button", class: "walk-next", click: follow }, "Next change");
  /** @type {[HTMLButtonElement, Record<string, any>][]} */
  const buttons = [];
  let query = readQuery(example);
  let here = libraryOf(from).choices;
  /** @type {{words: string, moved: string}[]} */
  let made = [];

  /** @param {HTMLSelectElement} select */
  function libraryOf(select) {
    return /** @type {Library} */ (libraries.get(select.value) ?? [...libraries.values()][0]);
  }

  const groups = GROUPS.map(([group, values]) => {
    const own = values.map(([words, part]) => {
      const button = make("button", { type: "button", click: () => take(group, words, part) }, words);
      buttons.push([button, part]);
      return button;
    });
    return make(
      "div",
      { class: "walk-group", role: "group", "aria-label": group },
      make("b", {}, group),
      make("p", {}, ...own),
    );
  });
  const rarer = make("details", {}, make("summary", {}, "Rarer choices"), ...groups.slice(SHOWN));

  /** @param {string} group @param {string} words @param {Record<string, any>} part */
  function take(group, words, part) {
    const before = evaluated(query, here).value;
    here = { ...here, ...part };
    made.push({ words: `${group}: ${words}`, moved: asMove(before, evaluated(query, here).value) });
    changed();
  }

  function left() {
    return changes(query, here, libraryOf(to).choices);
  }

  function follow() {
    for (const change of left()) {
      here = change.rule;
      if (!moves(change)) continue;
      made.push({ words: inWords(change.choices, here), moved: asMove(change.before, change.after) });
      break;
    }
    changed();
  }

  function restart() {
    here = libraryOf(from).choices;
    made = [];
    changed();
  }

  function entered() {
    const read = readQuery(entries());
    announce(problem, read.problem);
    if (read.problem) return;
    query = read;
    restart();
  }

  const entries = () =>
    asEntries(NO_QUERY, Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, each.value])));

  function changed() {
    const rule = Object.fromEntries(Object.entries(here).filter(([name, value]) => value !== standard[name]));
    writeFragment({ walk: { ...entries(), from: from.value, to: to.value, rule } });
    draw();
  }

  /** The libraries, those of one value in one row, the highest first. */
  function rows() {
    /** @type {Map<string, Row>} */
    const found = new Map();
    for (const { label, newest, choices, kinds: own } of libraries.values()) {
      const { value, problem: refused } = evaluated(query, choices);
      const outside = kindsOf(query, choices, own);
      const key = JSON.stringify([value.toPrecision(12), refused, outside]);
      const row = found.get(key) ?? { value, problem: refused, outside, labels: [] };
      found.set(key, row);
      // The newest version, which comes last, speaks for the older ones of its value
      const older = label === newest ? [...libraries.values()].filter((one) => one.newest === newest) : [];
      row.labels = [...row.labels.filter((known) => !older.some((one) => one.label === known)), label];
    }
    return [...found.values()].sort((a, b) => b.value - a.value);
  }

  /** @param {Row[]} all @param {number} at */
  function drawAxis(all, at) {
    const values = [...all.map(({ value }) => value), at].filter(Number.isFinite);
    const low = Math.floor(10 * Math.min(...values, 1) - 0.3) / 10;
    const high = Math.max(Math.ceil(10 * Math.max(...values) + 0.3) / 10, low + 0.2);
    const share = (/** @type {number} */ value) => `${((100 * (value - low)) / (high - low)).toFixed(2)}%`;
    /** @param {string} kind @param {number} value @param {...string} text */
    const mark = (kind, value, ...text) => {
      const element = make("span", { class: kind }, ...text);
      element.style.left = share(value);
      return element;
    };
    const ticks = Array.from({ length: Math.round(10 * (high - low)) - 1 }, (_, i) => low + (i + 1) / 10);
    const line = () => (Number.isNaN(at) ? [] : [mark("walk-line", at)]);
    const row = (/** @type {Row} */ { value, outside, labels }) => {
      const own = labels.includes(libraryOf(from).label) || labels.includes(libraryOf(to).label);
      const said = outside.map((kind) => make("small", {}, `○ not covered: ${kinds[kind]}`));
      return make(
        "li",
        { class: [own && "walk-own", outside.length && "walk-outside"].filter(Boolean).join(" ") },
        make("span", { class: "walk-names" }, labels.join(", "), ...said),
        make("span", { class: "walk-track" }, ...line(), mark("walk-dot", value)),
        make("data", { class: "walk-value", value }, `${printedBy(value) ? "✓ " : ""}${asText(value)}`),
      );
    };
    const scale = make(
      "span",
      { class: "walk-track" },
      ...ticks.map((tick) => mark("walk-tick", tick, fixed(tick, 1))),
    );
    const foot = make(
      "span",
      { class: "walk-track" },
      ...(Number.isNaN(at) ? [] : [mark("walk-here", at, asText(at))]),
    );
    axis.replaceChildren(
      make("li", { "aria-hidden": "true" }, scale),
      ...all.filter(({ value }) => !Number.isNaN(value)).map(row),
      make("li", {}, make("span", { class: "walk-names" }, "the choices below"), foot),
    );
    const lost = all.filter(({ value }) => Number.isNaN(value));
    none.replaceChildren(
      ...lost.map(({ labels, problem: refused }) =>
        make("p", { class: "ndcg-live-note" }, `No value: ${labels.join(", ")}${refused ? ` (${refused})` : ""}`),
      ),
    );
  }

  /** @param {number} value */
  function printedBy(value) {
    return query.printed !== null && !Number.isNaN(value) && covers(query.printed, value);
  }

  /** Which libraries print the number, at this cutoff or at another one. */
  function sayMatches() {
    if (!query.printed) return announce(matches);
    const cutoffs = query.k === null ? [null, ...query.docs.map((_, i) => i + 1)] : [query.k];
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const { label, choices } of libraries.values()) {
      const at = cutoffs.filter((k) => printedBy(evaluated({ ...query, k }, choices).value));
      if (!at.length) continue;
      const said = at.includes(null) ? "without a cutoff" : `at ${at.join(", ")}`;
      found.set(said, [...(found.get(said) ?? []), label]);
    }
    const all = [...found].map(([said, labels]) => `${labels.join(", ")} ${query.k ? "" : `(${said})`}`.trim());
    const what = query.printed.text;
    announce(matches, all.length ? `✓ ${what} is printed by ${all.join("; ")}.` : `✗ No library here prints ${what}.`);
  }

  /** @param {import("./documents.js").Evaluated} now */
  function drawRanks({ ranks, ideal, sum, largest, value }) {
    const head = ["rank", "document, score", "grade", "gain", "divided by", "term"];
    const cells = ranks.slice(0, MOST_ROWS).map(({ docs, gain, divisor, term, counted }, i) => {
      const names = docs.map(({ id }) => id).join(", ");
      const score = query.scored ? `, ${docs[0].score}` : "";
      const texts = [
        i + 1,
        `${docs.length > 1 ? "one of " : ""}${names}${score}`,
        docs.map(({ grade }) => grade).join(", "),
        short(gain),
        fixed(divisor, 2),
        counted ? fixed(term, DIGITS) : "not counted",
      ];
      return make("tr", { class: counted ? "" : "walk-cut" }, ...texts.map((text) => make("td", {}, text)));
    });
    if (ranks.length > MOST_ROWS)
      cells.push(make("tr", {}, make("td", { colspan: head.length }, `and ${ranks.length - MOST_ROWS} more`)));
    const added = (/** @type {number[]} */ values) =>
      [...values.slice(0, MOST_ROWS).map(short), ...(values.length > MOST_ROWS ? ["…"] : [])].join(" + ");
    const own = ranks.filter(({ counted }) => counted).map(({ term }) => term);
    const at = query.k === null ? "" : `@${query.k}`;
    const said = [
      `DCG${at} = ${added(own)} = ${fixed(sum, DIGITS)}`,
      `IDCG${at} = ${added(ideal)} = ${fixed(largest, DIGITS)}`,
      `NDCG${at} = ${fixed(sum, DIGITS)} / ${fixed(largest, DIGITS)} = ${asText(value)}`,
    ];
    table.replaceChildren(
      make(
        "div",
        { class: "ndcg-live-scrolls", tabindex: 0, role: "region", "aria-label": "Each rank" },
        make(
          "table",
          {},
          make("thead", {}, make("tr", {}, ...head.map((text) => make("th", { scope: "col" }, text)))),
          make("tbody", {}, ...cells),
        ),
      ),
      ...said.map((text) => make("p", { class: "walk-sum" }, text)),
    );
  }

  function draw() {
    const now = evaluated(query, here);
    const [start, end] = [libraryOf(from), libraryOf(to)];
    const moving = left().filter(moves).length;
    const chips = made.map(({ words, moved }) =>
      make("span", { class: "walk-chip" }, `${words} `, make("b", {}, moved)),
    );
    const more = moving
      ? `${moving} ${moving > 1 ? "choices" : "choice"} left to ${end.label}`
      : `this is ${end.label}`;
    announce(
      way,
      make("b", {}, `${start.label} ${asText(evaluated(query, start.choices).value)}`),
      ...chips.flatMap((chip) => [" ", chip]),
      ...(made.length ? [` ${asText(now.value)}`] : []),
      `; ${more}`,
    );
    next.disabled = !moving;
    for (const [button, part] of buttons) {
      button.setAttribute("aria-pressed", String(has(here, part)));
      button.classList.toggle("walk-goal", has(end.choices, part) && !has(here, part));
    }
    drawAxis(rows(), now.value);
    sayMatches();
    drawRanks(now);
  }

  /** @param {any} given */
  function open(given) {
    const said = asEntries(given?.grades ? NO_QUERY : example, given);
    for (const [name, each] of Object.entries(fields)) each.value = said[name];
    const read = readQuery(said);
    query = read.problem ? readQuery(example) : read;
    announce(problem, read.problem);
    from.value = libraries.has(given?.from) ? given.from : example.from;
    to.value = libraries.has(given?.to) ? given.to : example.to;
    here = libraryOf(from).choices;
    made = [];
    const known = { ...standard, ...given?.rule };
    if (given?.rule)
      here = Object.assign({ ...standard }, ...buttons.map(([, part]) => (has(known, part) ? part : {})));
    draw();
  }

  /** @param {Record<string, string>} given */
  function refill(given) {
    for (const [name, each] of Object.entries(fields)) each.value = given[name];
    entered();
    fields.grades.focus();
  }

  from.addEventListener("change", restart);
  to.addEventListener("change", changed);
  for (const each of Object.values(fields)) onEntry(each, entered);
  const own = make(
    "details",
    { class: "walk-entries" },
    make("summary", {}, "Your own grades and scores, or a number that a program printed"),
    make(
      "div",
      { class: "ndcg-live-fields" },
      field("Grades", fields.grades, "best rank first, or in the order of the scores"),
      field("Scores (optional)", fields.scores, "equal scores are ties"),
      field("Names (optional)", fields.names, "some libraries rank ties by them"),
      field("Grades judged, but not retrieved", fields.unretrieved, "they count in the ideal"),
      field("Cutoff", fields.cutoff, "empty for none"),
      field("A printed NDCG (optional)", fields.printed, "who prints it is marked ✓"),
    ),
    make(
      "div",
      { class: "ndcg-live-buttons" },
      make("button", { type: "button", click: () => refill(example) }, "The example"),
      make("button", { type: "button", click: () => refill(NO_QUERY) }, "Clear"),
    ),
    problem,
    matches,
  );
  const tools = make(
    "div",
    { class: "ndcg-live-fields" },
    field("From", from),
    field("to", to),
    next,
    make("button", { type: "button", click: restart }, "Start again"),
  );
  place.append(
    make(
      "div",
      { class: "ndcg-live-now" },
      ...[tools, way, axis, none],
      make("div", { class: "walk-below" }, make("div", {}, ...groups.slice(0, SHOWN), rarer), table),
      own,
    ),
  );
  const linked = () => readFragment().state?.walk;
  own.open = Boolean(linked());
  open(linked());
  onLink(() => open(linked()));
}

for (const place of document.querySelectorAll('[data-live="walk"]')) begin(/** @type {HTMLElement} */ (place));

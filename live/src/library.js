// The page "Which library printed this?": all conventions with their values, and two of them compared.

import {
  BOOK_EXAMPLE,
  byValue,
  differenceQuestion,
  firstPair,
  inOrder,
  matchesOf,
  NO_DOCUMENTS,
  readDocuments,
  wayOf,
  whichQuestion,
} from "./found.js";
import { announce, clearFragment, make, onEntry, readFragment, writeFragment } from "./page.js";
import { ask, pythonState } from "./python.js";
import { judgeNumber, UNKNOWN } from "./stated.js";
import { asEntries, beside, choice, field, textField } from "./task.js";

const NO_PYTHON = "The libraries need Python, which is not there.";

/** @param {HTMLElement} place */
function begin(place) {
  /** @type {Record<string, any>} */
  const fields = {
    grades: textField(),
    scores: textField(),
    ids: textField(),
    unretrieved: textField(),
    cutoff: textField({ inputmode: "numeric" }),
    measure: choice([
      ["NDCG", "NDCG"],
      ["DCG", "DCG"],
    ]),
    stated: textField({ inputmode: "decimal" }),
  };
  const python = make("p", { class: "ndcg-live-note" });
  const result = make("div", { class: "ndcg-live-result", "aria-live": "polite" });
  const table = make("div", { class: "library-rows" });
  const pair = make("div", { class: "library-pair" });
  const others = make("div", { class: "library-rows" });
  let asked = 0;

  const entries = () =>
    asEntries(NO_DOCUMENTS, Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, each.value])));

  /** @param {typeof NO_DOCUMENTS} given */
  function fill(given) {
    for (const [name, each] of Object.entries(fields))
      each.value = given[/** @type {keyof typeof NO_DOCUMENTS} */ (name)];
    if (fields.measure.selectedIndex < 0) fields.measure.selectedIndex = 0;
  }

  /** @param {typeof NO_DOCUMENTS} given */
  function refill(given) {
    fill(given);
    for (const each of Object.values(fields)) each.dispatchEvent(new Event("change"));
    entered();
    fields.stated.focus();
  }

  function entered() {
    const now = entries();
    if (Object.entries(NO_DOCUMENTS).some(([name, empty]) => now[/** @type {keyof typeof now} */ (name)] !== empty))
      writeFragment({ library: now });
    else clearFragment();
    asked += 1;
    for (const each of [table, pair, others]) each.replaceChildren();
    result.classList.remove("ndcg-agrees");
    const documents = readDocuments(now);
    if (documents.problem) return announce(result, make("p", { class: "ndcg-live-problem" }, documents.problem));
    if (!documents.task.grades.length) return announce(result, make("p", {}, "Enter the grades of your ranking."));
    const said = byFormulas(documents, now);
    announce(result, ...said.nodes);
    return said.read ? find(documents, now, asked) : undefined;
  }

  /**
   * @param {ReturnType<typeof readDocuments>} documents
   * @param {typeof NO_DOCUMENTS} now
   * @param {number} mine
   */
  async function find(documents, now, mine) {
    try {
      const answer = await ask(whichQuestion(documents, now));
      if (mine !== asked) return;
      if (answer.error) {
        announce(result, make("p", { class: "ndcg-live-problem" }, answer.error));
        return;
      }
      result.classList.toggle("ndcg-agrees", matchesOf(answer).covered.length > 0);
      const comma = answer.comma
        ? [make("p", { class: "ndcg-live-note" }, `Read with a decimal comma: ${now.stated}`)]
        : [];
      const weak = answer.weak ? [make("p", {}, "Weak evidence: chance often finds as many.")] : [];
      announce(result, make("p", {}, make("strong", {}, answer.line)), ...comma, ...weak);
      table.replaceChildren(...matchingRows(answer));
      others.replaceChildren(...otherRows(answer));
      if (now.measure === "NDCG") compare(documents, answer);
    } catch (error) {
      const { reason, message } = /** @type {Error & {reason?: string}} */ (error);
      if (mine === asked) table.replaceChildren(make("p", {}, reason === "no-worker" ? NO_PYTHON : message));
    }
  }

  /**
   * @param {ReturnType<typeof readDocuments>} documents
   * @param {any} answer
   */
  function compare(documents, answer) {
    const { names, a, b } = firstPair(answer);
    const options = names.map((name) => [name, name]);
    const [from, to] = [choice(options), choice(options)];
    from.value = a;
    to.value = b;
    const way = make("div", { class: "ndcg-live-result", "aria-live": "polite" });
    let last = 0;
    const follow = async () => {
      last += 1;
      const mine = last;
      try {
        const found = await ask(differenceQuestion(documents, from.value, to.value));
        if (mine === last) announce(way, ...wayNodes(found, from.value, to.value));
      } catch (error) {
        announce(way, make("p", {}, /** @type {Error} */ (error).message));
      }
    };
    for (const each of [from, to]) each.addEventListener("change", follow);
    const chosen = make("div", { class: "ndcg-live-fields" }, field("From", from), field("To", to));
    pair.replaceChildren(make("p", { class: "library-title" }, "Why do two libraries differ?"), chosen, way);
    follow();
  }

  const buttons = make(
    "div",
    { class: "ndcg-live-buttons" },
    make("button", { type: "button", click: entered }, "Find the library"),
    make("button", { type: "button", click: () => refill(BOOK_EXAMPLE) }, "The example"),
    make("button", { type: "button", click: () => refill(NO_DOCUMENTS) }, "Clear"),
  );
  const form = make(
    "div",
    { class: "ndcg-live-fields library-form" },
    field("The number, as printed", fields.stated),
    field("Measure", fields.measure),
    field("Grades, best rank first", fields.grades, "or in the order of the scores"),
    field("Scores (optional)", fields.scores, "equal scores are ties"),
    field("Names of the documents (optional)", fields.ids, "some libraries order ties by them"),
    field("Grades judged, but not retrieved", fields.unretrieved, "they count in the ideal"),
    field("Cutoff", fields.cutoff, "empty: every cutoff is tried"),
  );
  const { state, problem } = readFragment();
  fill(state?.library ? asEntries(NO_DOCUMENTS, state.library) : BOOK_EXAMPLE);
  const example = place.querySelector(".ndcg-live-without")?.cloneNode(true);
  if (example && !state?.library) table.append(...example.childNodes);
  for (const each of Object.values(fields)) onEntry(each, entered);
  pythonState((_state, words) => python.replaceChildren(words));
  place.append(make("div", { class: "ndcg-live-now" }, form, buttons, python, result, table, pair, others));
  if (problem) announce(result, make("p", {}, problem));
  else if (state?.library) showFormulas();

  function showFormulas() {
    const now = entries();
    const documents = readDocuments(now);
    if (documents.problem || !documents.task.grades.length) return;
    const said = byFormulas(documents, now);
    const press = make("p", {}, make("strong", {}, "Press “Find the library” to try every library."));
    announce(result, ...said.nodes, ...(said.read ? [press] : []));
  }
}

/**
 * What the three formulas say at once, and whether the number could be read.
 * @param {ReturnType<typeof readDocuments>} documents
 * @param {typeof NO_DOCUMENTS} now
 * @returns {{read: boolean, nodes: Node[]}}
 */
function byFormulas(documents, now) {
  const grades = inOrder(documents);
  const judged = judgeNumber(
    { ...documents.task, grades: grades ?? documents.task.grades },
    now.measure,
    UNKNOWN,
    now.stated,
  );
  if (judged.state === "empty") return { read: false, nodes: [make("p", {}, "Enter the number that was printed.")] };
  if (judged.state === "unread")
    return {
      read: false,
      nodes: [
        make(
          "p",
          {},
          judged.question || `Not read: expected a number such as 0.737, got “${now.stated.slice(0, 40)}”.`,
        ),
      ],
    };
  if (!grades)
    return {
      read: true,
      nodes: [make("p", {}, "Some scores are equal, so the order of the documents is a choice of the library.")],
    };
  const rows = judged.rows.map(({ name, words, value, outcome }) =>
    make(
      "li",
      {},
      make("strong", {}, outcome === "agrees" ? "✓ " : "✗ "),
      `${name} (${words}): ${judged.printed ? beside(judged.printed, value) : ""}${outcome === "agrees" ? ", prints it" : ""}`,
    ),
  );
  return { read: true, nodes: [make("p", {}, "The three formulas of the book:"), make("ul", {}, ...rows)] };
}

/**
 * The conventions that print the number, and what they compute.
 * @param {any} answer
 * @returns {Node[]}
 */
function matchingRows(answer) {
  const { covered, outside } = matchesOf(answer);
  if (!covered.length && !outside.length) return [];
  const choices = [...covered, ...outside].map((/** @type {any} */ { convention, words }) =>
    make("li", {}, make("strong", {}, convention), `: ${words}`),
  );
  const folded = make("details", {}, make("summary", {}, "What they choose"), make("ul", {}, ...choices));
  const tables = [];
  if (covered.length) tables.push(valueTable(`✓ These print ${answer.stated}`, covered));
  if (outside.length) tables.push(valueTable(`○ These may print ${answer.stated}: not covered`, outside));
  return [...tables, folded];
}

/**
 * The conventions that do not print the number, and those that were not tried.
 * @param {any} answer
 * @returns {Node[]}
 */
function otherRows({ rows, untried }) {
  const others = rows.filter((/** @type {any} */ row) => !row.matches);
  const reasons = untried.map((/** @type {any} */ { convention, reason }) =>
    make("li", {}, `${convention}: ${reason}`),
  );
  const rest = reasons.length ? [make("p", { class: "library-title" }, "Not tried:"), make("ul", {}, ...reasons)] : [];
  return [...(others.length ? [valueTable("✗ These give another value, nearest first", others)] : []), ...rest];
}

/**
 * @param {string} caption
 * @param {any[]} rows
 */
function valueTable(caption, rows) {
  const values = byValue(rows);
  const same = values.every(({ cutoff }) => cutoff === values[0].cutoff);
  const body = values.map(({ value, cutoff, rows: alike }) => {
    const names = alike.map(({ convention, not_covered }) =>
      make("li", {}, convention, ...(not_covered ? [make("small", {}, not_covered)] : [])),
    );
    const head = make("th", { scope: "row" }, value, ...(same ? [] : [make("small", {}, cutoff)]));
    return make("tr", {}, head, make("td", {}, make("ul", { class: "library-names" }, ...names)));
  });
  return grid(same ? `${caption} (${values[0].cutoff})` : caption, ["value", "printed by"], body);
}

/**
 * @param {any} found
 * @param {string} a
 * @param {string} b
 * @returns {Node[]}
 */
function wayNodes(found, a, b) {
  if (found.error) return [make("p", { class: "ndcg-live-problem" }, found.error)];
  const { moving, still } = wayOf(found);
  const value = (/** @type {number | null} */ each) => (each === null ? "no value" : each.toFixed(6));
  const body = moving.map((row) =>
    make(
      "tr",
      {},
      make("th", { scope: "row" }, `${row.from} → ${row.to}`),
      ...[row.shown, value(row.after)].map((each) => make("td", {}, each)),
    ),
  );
  const said = make("p", {}, make("strong", {}, `${a} ${value(found.value_a)} → ${b} ${value(found.value_b)}`));
  const nodes = [said];
  if (body.length) nodes.push(grid("One choice changed after the other", ["changed", "moves", "value after"], body));
  else nodes.push(make("p", {}, "Nothing moves the value of this ranking."));
  if (still.length)
    nodes.push(
      make("p", { class: "ndcg-live-note" }, `They also differ in what moves nothing here: ${still.join(", ")}.`),
    );
  if (found.unseen.length)
    nodes.push(
      make("p", { class: "ndcg-live-note" }, `One ranking as entered leaves open: ${found.unseen.join(", ")}.`),
    );
  return nodes;
}

/**
 * @param {string} caption
 * @param {string[]} head
 * @param {Node[]} body
 */
function grid(caption, head, body) {
  const cells = head.map((name) => make("th", { scope: "col" }, name));
  const made = make(
    "table",
    {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...cells)),
    make("tbody", {}, ...body),
  );
  return make("div", { class: "ndcg-live-scrolls", tabindex: 0, role: "region", "aria-label": caption }, made);
}

for (const place of document.querySelectorAll('[data-live="library"]')) begin(/** @type {HTMLElement} */ (place));

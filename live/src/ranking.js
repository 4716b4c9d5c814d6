// The editable ranking: takes over a drawing, and the panel below it that tools/book/live_ext.py wrote.

import {
  added,
  bestOrder,
  chosenIn,
  graded,
  gradesOf,
  moved,
  nextGrade,
  removed,
  short,
  TASKS,
  termTexts,
  totals,
} from "./editing.js";
import { discounts, gains } from "./formulas.js";

/** @typedef {import("./editing.js").State} State */
/** @typedef {import("./editing.js").Doc} Doc */

// Shades of the grades above 0, and pixels that a pointer moves before it drags
const LEVELS = 4;
const SLOP = 4;
const ROWS = "tr[data-grade]";
// A grade that can be changed, or a term
const BUTTON = "[role=button]";

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {any[]}
 */
function all(within, selector) {
  return [...within.querySelectorAll(selector)];
}

/**
 * @param {string} tag
 * @param {string} kind
 * @param {(Node | string)[]} children
 * @returns {any}
 */
function element(tag, kind, children) {
  const made = document.createElement(tag);
  made.className = kind;
  made.append(...children);
  return made;
}

/**
 * The state that a drawing shows.
 * @param {any[]} tables
 * @param {boolean} hasBest whether the last one is the best order of the first
 * @returns {State}
 */
function drawn(tables, hasBest) {
  const lists = tables.map((table) =>
    all(table, ROWS).map((row) => ({
      title: row.querySelector(".ndcg-result").textContent,
      grade: Number(row.dataset.grade),
    })),
  );
  const best = hasBest ? (lists.pop() ?? []) : [];
  const missing = best.filter((doc) => !lists[0].some(({ title }) => title === doc.title));
  const { gain, discount, base, cutoff } = tables[0].dataset;
  const rule = { gain, discount, base: Number(base), cutoff: Number(cutoff) || null };
  return { ...rule, lists, missing, pool: missing.length > 0, ideal: "judged", example: "0", moves: 0 };
}

/**
 * Give a table as many rows as there are results, and a line where they are cut.
 * @param {any} table
 * @param {number} count
 * @param {number | null} cutoff
 * @param {string} below what the line says
 */
function setRows(table, count, cutoff, below) {
  const [body] = table.tBodies;
  const rows = all(body, ROWS);
  while (rows.length > count) rows.pop().remove();
  while (rows.length < count) rows.push(body.appendChild(rows[0].cloneNode(true)));
  body.querySelector(".ndcg-cut")?.remove();
  if (cutoff === null || cutoff >= count) return;
  const text = element("td", "", [below]);
  text.colSpan = rows[0].cells.length;
  rows[cutoff].before(element("tr", "ndcg-cut", [text]));
}

/**
 * A formula; each term names its result.
 * @param {string} label
 * @param {{title: string, text: string}[]} added
 * @param {string} value
 */
function formula(label, added, value) {
  const terms = added.flatMap(({ title, text }, i) => {
    const term = element("span", "ndcg-term", [text]);
    if (title) {
      // Arrow keys lead to the others
      Object.assign(term, { role: "button", tabIndex: i ? -1 : 0, ariaLabel: `${text}, ${title}` });
      term.dataset.title = title;
    }
    return i ? [" + ", term] : [term];
  });
  return element("p", "", [`${label} = `, element("span", "ndcg-terms", terms), " = ", element("span", "", [value])]);
}

/**
 * @param {any} cell
 * @param {string} key under which the history of the browser keeps the state
 */
function takeOver(cell, key) {
  /** @type {(name: string, within?: any) => any} */
  const find = (name, within = cell) => within.querySelector(`.ndcg-${name}`);
  /** @type {(kinds: string, handle: (event: any) => void) => void} */
  const on = (kinds, handle) => {
    for (const kind of kinds.split(" ")) cell.addEventListener(kind, handle);
  };
  const panel = find("editing");
  const tables = all(cell, ".ndcg-ranking");
  const hasBest = "best" in panel.dataset;
  // What is drawn as a bar: gain or term
  const column = find("drawn", find("ranking").tBodies[0]).classList[0].slice(5);
  const feet = tables.map((table) => all(table, "tfoot th").map((head) => head.textContent.split("@")[0]));
  const start = drawn(tables, hasBest);
  const saved = history.state?.[key];
  /** @type {State} */
  let state = saved?.lists?.length === start.lists.length ? saved : start;
  /** @type {State[]} */
  const past = [];
  let chosen = { list: 0, at: -1 };
  let lit = "";
  /** @type {Map<string, number>} the values that were shown last */
  let before = new Map();

  const docsOf = (i = chosen.list) => state.lists[i] ?? bestOrder(state);
  const judged = (i = 0) => docsOf(hasBest ? 1 : i);
  const named = (what = "") => (state.cutoff ? `${what}@${state.cutoff}` : what);
  const rowOf = () => all(tables[chosen.list], ROWS)[chosen.at];
  const sumsOf = (i = chosen.list) => {
    const every = totals(docsOf(i), judged(i), state);
    return feet[i].map((what) => ({ what, text: every[what] }));
  };

  /** Show a value; one that is more or less than before is marked. */
  const show = (
    /** @type {any} */ place,
    /** @type {string} */ text,
    /** @type {string} */ id,
    value = Number(text),
  ) => {
    const old = before.get(id) ?? value;
    place.textContent = text;
    place.classList.toggle("ndcg-changed", !Object.is(value, old));
    place.dataset.changed = value > old ? "▲" : "▼";
    return /** @type {[string, number]} */ ([id, value]);
  };

  /** Name in the buttons the result that they change. */
  function nameButtons() {
    const title = docsOf()[chosen.at]?.title ?? "the chosen result";
    const names = { up: `Move up ${title}`, down: `Move down ${title}`, remove: `Remove ${title}` };
    for (const [what, name] of Object.entries(names)) panel.querySelector(`[data-does=${what}]`).ariaLabel = name;
  }

  function draw() {
    const lists = tables.map((_, i) => docsOf(i));
    const gained = lists.map((docs) => gains(gradesOf(docs), state));
    const divisors = discounts(Math.max(...lists.map((docs) => docs.length)), state);
    const longest = Math.max(...gained.flat()) || 1;
    const best = Math.max(...lists.flat().map((doc) => doc.grade));
    /** @type {[string, number][]} */
    const now = [];
    tables.forEach((table, i) => {
      setRows(table, lists[i].length, state.cutoff, panel.dataset.below);
      all(table, ROWS).forEach((row, j) => {
        const { title, grade } = lists[i][j];
        row.className = j >= (state.cutoff ?? j + 1) ? "ndcg-uncounted" : "";
        row.classList.toggle("ndcg-chosen", row === rowOf());
        Object.assign(row.dataset, { grade, title });
        const chip = find("grade > span", row);
        chip.textContent = grade;
        chip.className = `ndcg-level-${grade && Math.ceil((LEVELS * grade) / best)}`;
        if (state.lists[i]) {
          Object.assign(chip, { role: "button", tabIndex: 0, ariaLabel: `Grade ${grade}: ${title}, rank ${j + 1}` });
        }
        const gain = gained[i][j];
        const value = column === "gain" ? gain : gain / divisors[j];
        const texts = { rank: j + 1, result: title, gain: short(gain), discount: divisors[j].toFixed(2) };
        for (const [name, text] of Object.entries(texts)) {
          const place = find(`${name}:not(.ndcg-drawn)`, row);
          if (place) place.textContent = text;
        }
        now.push(show(find("value", row), column === "gain" ? short(value) : value.toFixed(2), `${i} ${title}`, value));
        for (const [name, length] of Object.entries({ outline: gain, bar: value })) {
          find(`${name}-length`, row).style.width = `${((100 * length) / longest).toFixed(2)}%`;
        }
      });
      const widths = all(table, ".ndcg-value").map((value) => value.textContent.length);
      table.style.setProperty("--ndcg-digits", Math.max(...widths));
      sumsOf(i).forEach(({ what, text }, j) => {
        const [head, total] = table.tFoot.rows[j].cells;
        head.textContent = named(what);
        now.push(show(total, text, `${i} total ${what}`));
      });
    });
    before = new Map(now);
    for (const select of all(panel, "select")) {
      const { name, selectedOptions } = select;
      select.value = state[/** @type {keyof State} */ (name)] ?? "";
      if (name === "ideal") find("heading", tables[1]).textContent = `Ideal of ${selectedOptions[0].text}`;
    }
    drawSums(lists);
    nameButtons();
    light(lit);
  }

  function drawSums(/** @type {Doc[][]} */ lists) {
    const headings = all(cell, ".ndcg-heading").map((heading) => heading.textContent);
    const lines = lists.map((docs, i) => ({ docs, sum: sumsOf(i)[0], label: lists[1] ? `${headings[i]}: ` : "" }));
    const { IDCG: ideal, NDCG: share } = Object.fromEntries(sumsOf(0).map((sum) => [sum.what, sum]));
    if (ideal && !lists[1]) lines.push({ docs: bestOrder(state), sum: ideal, label: "" });
    const shown = lines.map(({ docs, sum, label }) =>
      formula(label + named(sum.what), termTexts(docs, state, column === "term"), sum.text),
    );
    const text = `${lines[0].sum.text}/${ideal?.text}`;
    if (share) shown.push(formula(named("NDCG"), [{ title: "", text }], share.text));
    find("sums").replaceChildren(...shown);
  }

  const say = (/** @type {string} */ words) => {
    find("said").textContent = words;
  };

  /** Go to another state, and say what changed. */
  function change(/** @type {State} */ next, /** @type {string} */ words, keep = true) {
    if (next === state) return say(words);
    const old = sumsOf();
    if (keep) past.push(state);
    state = next;
    chosen.at = Math.min(chosen.at, docsOf().length - 1);
    draw();
    const changed = sumsOf().flatMap(({ what, text }, i) => {
      const way = Number(text) < Number(old[i].text) ? "down" : "up";
      return text === old[i].text ? [] : `${what} ${way} from ${old[i].text} to ${text}`;
    });
    say(`${words} ${changed.join(", ") || `${old.at(-1)?.what} unchanged`}.${progress()}`);
    history.replaceState({ ...history.state, [key]: state }, "");
  }

  /** Say below the task how far it is. */
  function progress() {
    const moves = `${state.moves} ${state.moves === 1 ? "change" : "changes"}`;
    const reached = TASKS[panel.dataset.task](start, state);
    find("task > span").textContent = reached ? `✓ Reached after ${moves}.` : `So far ${moves}.`;
    return reached ? " ✓ Task reached." : "";
  }

  const move = (/** @type {number} */ to) => {
    const { title } = docsOf()[chosen.at];
    const next = moved(state, chosen.list, chosen.at, to);
    if (next !== state) chosen.at = to;
    change(next, `${title}, now rank ${chosen.at + 1}.`);
  };
  const grade = (/** @type {number} */ to) =>
    change(graded(state, chosen.list, chosen.at, to), `${docsOf()[chosen.at].title}, now grade ${to}.`);
  const cycle = () => grade(nextGrade(docsOf()[chosen.at].grade));
  /** @type {Record<string, () => void>} */
  const does = {
    up: () => move(chosen.at - 1),
    down: () => move(chosen.at + 1),
    remove: () => {
      const next = removed(state, chosen.list, chosen.at);
      change(next, next === state ? "One result has to stay." : `${docsOf()[chosen.at].title} removed.`);
    },
    add: () => {
      const next = added(state, chosen.list);
      chosen.at = next.lists[chosen.list].length - 1;
      const { title } = next.lists[chosen.list][chosen.at];
      change(next, next === state ? "No room for more results." : `${title} added, rank ${chosen.at + 1}.`);
    },
    undo: () => {
      const last = past.pop();
      change(last ?? state, last ? "Undone." : "Nothing to undo.", false);
    },
    reset: () => change(start, "Reset."),
  };
  /** @type {Record<string, () => void>} */
  const keys = { AltArrowUp: does.up, AltArrowDown: does.down, Delete: does.remove, Enter: cycle, " ": cycle };
  for (const digit of "01234") keys[digit] = () => grade(Number(digit));

  on("click", ({ target }) => {
    const what = target.closest("[data-does]")?.dataset.does;
    if (what) return rowOf() || !/up|down|remove/.test(what) ? does[what]() : say("First choose a result: click it.");
    const term = target.closest(`.ndcg-term${BUTTON}`);
    if (term) return find(`ranking [data-title="${CSS.escape(term.dataset.title)}"] ${BUTTON}`)?.focus();
    if (target.matches(BUTTON) && choose(target)) cycle();
  });
  on("change", ({ target }) => {
    const [{ text, dataset }] = target.selectedOptions;
    chosen.at = -1;
    change(chosenIn(state, target.name, target.value, dataset.docs), `${target.name}: ${text}.`);
  });
  on("keydown", (event) => {
    const { target, key: name, altKey, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey || !target.matches(BUTTON)) return;
    if (target.matches(".ndcg-term")) {
      if (name === "ArrowLeft") target.previousElementSibling?.focus();
      if (name === "ArrowRight") target.nextElementSibling?.focus();
      if (/Enter| /.test(name)) target.click();
      return;
    }
    const act = keys[altKey ? `Alt${name}` : name];
    if (!act || !choose(target)) return;
    event.preventDefault();
    act();
    rowOf().querySelector(BUTTON).focus();
  });

  /** Light a result wherever it is: its row, its bar, its term. */
  function light(title = "") {
    lit = title;
    for (const each of all(cell, "[data-title]")) each.classList.toggle("ndcg-lit", each.dataset.title === lit);
  }
  on("pointerover focusin", ({ target }) => light(target.closest("[data-title]")?.dataset.title));
  on("pointerleave focusout", () => light());

  /** Choose the result in which something happens, if it can be edited. */
  const choose = (/** @type {any} */ target) => {
    const row = target.closest(ROWS);
    const list = tables.indexOf(row?.closest("table"));
    if (!state.lists[list]) return false;
    rowOf()?.classList.remove("ndcg-chosen");
    row.classList.add("ndcg-chosen");
    chosen = { list, at: all(tables[list], ROWS).indexOf(row) };
    nameButtons();
    return true;
  };
  on("focusin", ({ target }) => choose(target));
  // Results change places under the pointer, and the whole way is one change
  on("pointerdown", ({ target, button, pointerType, clientY: from }) => {
    // Elsewhere than on a rank, a finger scrolls
    if (!choose(target) || button || (pointerType !== "mouse" && !target.closest(".ndcg-rank"))) return;
    const [base, marked, { list, at }] = [state, before, { ...chosen }];
    const drag = new AbortController();
    /** @type {(kind: string, handle: (event: any) => void) => void} */
    const follow = (kind, handle) => document.addEventListener(kind, handle, drag);
    follow("pointermove", ({ clientY }) => {
      const rows = all(tables[list], ROWS);
      const under = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
      const to = under < 0 ? rows.length - 1 : under;
      if (to === chosen.at || Math.abs(clientY - from) < SLOP) return;
      chosen.at = to;
      state = moved(base, list, at, to);
      before = marked;
      draw();
    });
    follow("pointerup", () => {
      drag.abort();
      const next = state;
      [state, before] = [base, marked];
      if (next !== base) change(next, `${docsOf(list)[at].title}, now rank ${chosen.at + 1}.`);
    });
    follow("pointercancel", () => {
      drag.abort();
      [state, before, chosen.at] = [base, marked, at];
      draw();
    });
  });

  cell.classList.add("ndcg-running");
  say(panel.dataset.hint);
  find("said").ariaLive = "polite";
  draw();
  progress();
}

all(document, ".tag_live-ranking").forEach((cell, i) => {
  takeOver(cell, `ranking${i}`);
});

// The editable ranking: takes over a drawing, and what tools/book/live_ext.py wrote around it.

import {
  added,
  bestOrder,
  chosenIn,
  forLink,
  fromLink,
  graded,
  moved,
  nextGrade,
  removed,
  sorted,
  TASKS,
} from "./editing.js";
import { discounts, gains } from "./formulas.js";
import { asMany, fixed, gradesOf, levelOf, parts, ribbons, shareOf, short, showLengths } from "./lengths.js";
import { make, onLink, readFragment, writeFragment } from "./page.js";

/** @typedef {import("./editing.js").State} State */
/** @typedef {import("./lengths.js").Doc} Doc */

const SLOP = 4; // pixels that a pointer moves before it drags
const MOTION = { duration: 280, easing: "ease" };
const ROWS = "tr[data-grade]";

/**
 * @param {ParentNode} within
 * @param {string} selector
 * @returns {any[]}
 */
function all(within, selector) {
  return [...within.querySelectorAll(selector)];
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
  table.querySelector(".ndcg-cut")?.remove();
  const rows = asMany(table.tBodies[0], ROWS, count);
  if (cutoff === null || cutoff >= count) return;
  rows[cutoff].before(make("tr", { class: "ndcg-cut" }, make("td", { colspan: rows[0].cells.length }, below)));
}

/** @param {any} cell */
function takeOver(cell) {
  /** @type {(name: string, within?: any) => any} */
  const find = (name, within = cell) => within.querySelector(`.ndcg-${name}`);
  /** @type {(kinds: string, handle: (event: any) => void) => void} */
  const on = (kinds, handle) => {
    for (const kind of kinds.split(" ")) cell.addEventListener(kind, handle);
  };
  const panel = find("editing");
  const guess = find("guess");
  const place = find("lengths");
  const tables = all(cell, ".ndcg-ranking");
  const hasBest = "best" in panel.dataset;
  const hasShare = Boolean(find("share"));
  const discounted = Boolean(find("of-term"));
  const labels = all(cell, ".ndcg-label").map((label) => label.textContent);
  const feet = tables.map((table) => table.querySelector("tfoot th").textContent.split("@")[0]);
  /** @type {any[]} */
  const selects = all(panel, "select");
  const choices = Object.fromEntries(selects.map(({ name, options }) => [name, [...options].map((one) => one.value)]));
  const start = drawn(tables, hasBest);
  const linked = () => fromLink(start, readFragment().state?.ranking, choices);
  let state = linked();
  /** @type {State[]} */
  let past = [];

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const docsOf = (/** @type {number} */ i) => state.lists[i] ?? bestOrder(state);
  const named = (what = "") => (state.cutoff ? `${what}@${state.cutoff}` : what);
  const handleOf = (/** @type {number} */ list, /** @type {number} */ at) =>
    find("handle", all(tables[list], ROWS)[at]);

  let shown = numbers();

  /** The lengths of the state, and the sums by name. */
  function numbers() {
    const rankings = labels.map((label, i) => ({ label, docs: docsOf(i) }));
    const made = ribbons(rankings, state, discounted);
    const share = hasShare ? shareOf(made, state.lists[0], state) : null;
    const sums = made.map(({ total }, i) => [state.lists[i] ? feet[i] : "IDCG", total]);
    if (share) sums.push(["NDCG", share.text]);
    return { made, share, sums };
  }

  function draw() {
    const lists = tables.map((_, i) => docsOf(i));
    const gained = lists.map((docs) => gains(gradesOf(docs), state));
    const divisors = discounts(Math.max(...lists.map((docs) => docs.length)), state);
    const longest = Math.max(...gained.flat()) || 1;
    const highest = Math.max(...lists.flatMap(gradesOf));
    /** @type {Map<string, number>} where each result was */
    const tops = new Map();
    tables.forEach((table, i) => {
      for (const row of all(table, ROWS)) tops.set(`${i} ${row.dataset.title}`, row.getBoundingClientRect().top);
    });
    tables.forEach((table, i) => {
      setRows(table, lists[i].length, state.cutoff, panel.dataset.below);
      all(table, ROWS).forEach((row, j) => {
        const { title, grade } = lists[i][j];
        const gain = gained[i][j];
        const value = discounted ? gain / divisors[j] : gain;
        const level = `ndcg-level-${levelOf(grade, highest)}`;
        row.className = j >= (state.cutoff ?? j + 1) ? "ndcg-uncounted" : "";
        Object.assign(row.dataset, { grade, title });
        const texts = { result: title, value: discounted ? fixed(value, 2) : short(value) };
        for (const [name, text] of Object.entries(texts)) find(name, row).textContent = text;
        find("rank", row).firstChild.lastChild.textContent = j + 1;
        const chip = find("grade", row).firstChild;
        chip.textContent = grade;
        chip.className = level;
        if (state.lists[i]) {
          find("handle", row).ariaLabel = `${title}, rank ${j + 1}: arrow keys move it`;
          chip.ariaLabel = `Grade ${grade} of ${title}: press to change it`;
        }
        for (const [name, length] of Object.entries({ outline: gain, bar: value })) {
          const bar = find(`${name}-length`, row);
          bar.style.width = `${((100 * length) / longest).toFixed(2)}%`;
          bar.className = `ndcg-${name}-length ${level}`;
        }
      });
      const [head, total] = table.tFoot.rows[0].cells;
      [head.textContent, total.textContent] = [named(feet[i]), shown.sums[i][1]];
    });
    for (const select of selects) {
      const { name, selectedOptions } = select;
      select.value = state[/** @type {keyof State} */ (name)] ?? "";
      if (name === "ideal") {
        labels[1] = `Ideal of ${selectedOptions[0].text}`;
        find("heading", tables[1]).textContent = shown.made[1].label = labels[1];
      }
    }
    showLengths(place, shown.made, shown.share);
    if (shown.share) find("share > span", place).textContent = named("NDCG");
    if (still.matches) return;
    tables.forEach((table, i) => {
      for (const row of all(table, ROWS)) {
        const up = (tops.get(`${i} ${row.dataset.title}`) ?? Number.NaN) - row.getBoundingClientRect().top;
        if (up) row.animate([{ transform: `translateY(${up}px)` }, { transform: "none" }], MOTION);
      }
    });
  }

  const say = (/** @type {string} */ words) => {
    find("said").textContent = words;
  };

  /** Go to another state. */
  function set(/** @type {State} */ next) {
    state = next;
    shown = numbers();
    draw();
  }

  /** Go to another state, and say what changed; of two rankings, in this one. */
  function change(/** @type {State} */ next, /** @type {string} */ words, list = 0, keep = true) {
    if (next === state) return say(words);
    const { sums } = shown;
    if (keep) past.push(state);
    show();
    set(next);
    const told = shown.sums.flatMap(([what, text], i) => {
      if (i !== list && state.lists[i]) return [];
      const way = Number(text) < Number(sums[i][1]) ? "down" : "up";
      return text === sums[i][1] ? [] : `${what} ${way} from ${sums[i][1]} to ${text}`;
    });
    say(`${words} ${told.join(", ") || `${shown.sums.at(-1)?.[0]} unchanged`}.${progress()}`);
    writeFragment({ ranking: forLink(state, Object.keys(choices)) });
  }

  /** Say below the task how far it is. */
  function progress() {
    const moves = `${state.moves} ${state.moves === 1 ? "change" : "changes"}`;
    const reached = TASKS[panel.dataset.task](start, state);
    find("task > span").textContent = reached ? `✓ Reached after ${moves}.` : `So far ${moves}.`;
    return reached ? " ✓ Task reached." : "";
  }

  /** Show what the reader has guessed, if anything: how far off it is. */
  function show() {
    if (!guess || cell.classList.contains("ndcg-shown")) return;
    cell.classList.add("ndcg-shown");
    const [value, text] = [Number(guess.querySelector("input").value), shown.share?.text];
    const off = value - Number(text);
    const how =
      Math.abs(off) < 0.005 ? "Well guessed" : `Too ${off < 0 ? "low" : "high"} by ${Math.abs(off).toFixed(2)}`;
    guess.replaceChildren(make("p", {}, `You guessed ${value.toFixed(2)}; it is ${text}. ${how}.`));
    say(guess.textContent);
  }

  const move = (/** @type {number} */ list, /** @type {number} */ at, /** @type {number} */ to) => {
    const { title } = docsOf(list)[at];
    const next = moved(state, list, at, to);
    const now = next === state ? at : to;
    change(next, `${title}, now rank ${now + 1}.`, list);
    handleOf(list, now).focus();
  };
  const grade = (/** @type {number} */ list, /** @type {number} */ at, /** @type {number} */ to) =>
    change(graded(state, list, at, to), `${docsOf(list)[at].title}, now grade ${to}.`, list);
  const remove = (/** @type {number} */ list, /** @type {number} */ at) => {
    const next = removed(state, list, at);
    change(next, next === state ? "One result has to stay." : `${docsOf(list)[at].title} removed.`, list);
  };
  /** @type {Record<string, () => void>} */
  const does = {
    show,
    best: () => change(sorted(state, "best"), "Best order."),
    worst: () => change(sorted(state, "worst"), "Worst order."),
    remove: () => remove(0, state.lists[0].length - 1),
    add: () => {
      const next = added(state);
      const { title } = /** @type {Doc} */ (next.lists[0].at(-1));
      change(next, next === state ? "No room for more results." : `${title} added, rank ${next.lists[0].length}.`);
    },
    undo: () => {
      const last = past.pop();
      change(last ?? state, last ? "Undone." : "Nothing to undo.", 0, false);
    },
    reset: () => change(start, "Reset."),
  };

  /** Where something is: the list and the place in it of a result that can be edited, else null. */
  const whereIs = (/** @type {any} */ target) => {
    const row = target.closest(ROWS);
    const list = tables.indexOf(row?.closest("table"));
    return state.lists[list] ? { list, at: all(tables[list], ROWS).indexOf(row) } : null;
  };
  let dragged = false;
  on("click", ({ target }) => {
    const button = target.closest("button");
    if (!button) return;
    if (button.dataset.does) return does[button.dataset.does]();
    const { list, at } = /** @type {{list: number, at: number}} */ (whereIs(button));
    if (button.matches(".ndcg-grade > *")) return grade(list, at, nextGrade(docsOf(list)[at].grade));
    if (!dragged) move(list, at, at - 1);
    dragged = false;
  });
  on("change", ({ target }) => {
    if (!selects.includes(target)) return;
    const [{ text, dataset }] = target.selectedOptions;
    change(chosenIn(state, target.name, target.value, dataset.docs), `${target.name}: ${text}.`);
  });
  on("input", ({ target }) => {
    if (target.type !== "range") return;
    guess.querySelector("output").textContent = Number(target.value).toFixed(2);
    for (const end of ["x1", "x2"]) find("guessed").setAttribute(end, `${100 * target.value}%`);
  });
  on("keydown", (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const found = target.matches(`${ROWS} button`) && !ctrlKey && !metaKey && !altKey && whereIs(target);
    if (!found) return;
    const { list, at } = found;
    if (/^[0-4]$/.test(key)) grade(list, at, Number(key));
    else if (key === "ArrowUp") move(list, at, at - 1);
    else if (key === "ArrowDown") move(list, at, at + 1);
    else if (key === "Delete") {
      remove(list, at);
      handleOf(list, Math.min(at, docsOf(list).length - 1)).focus();
    } else return;
    event.preventDefault();
  });

  /** Light a result wherever it is, and say how its term comes about. */
  function light(/** @type {string | undefined} */ title) {
    for (const each of all(cell, "[data-title]")) each.classList.toggle("ndcg-lit", each.dataset.title === title);
    const docs = tables.map((_, i) => docsOf(i)).find((one) => one.some((doc) => doc.title === title)) ?? [];
    const at = docs.findIndex((doc) => doc.title === title);
    const part = parts(docs, state, discounted)[at];
    const brief = (/** @type {number} */ value) => String(Number(value.toFixed(3)));
    const [gain, divisor] = [gains(gradesOf(docs), state)[at], discounts(docs.length, state)[at]];
    const said = () => (discounted ? `${brief(gain)}/${brief(divisor)} = ${fixed(part, 3)}` : `gain ${short(gain)}`);
    find("working").textContent = part === undefined ? "" : `${title}, rank ${at + 1}: ${said()}`;
  }
  on("pointerover focusin", ({ target }) => light(target.closest("[data-title]")?.dataset.title));
  on("pointerleave focusout", () => light(undefined));

  // Results change places under the pointer, and the whole way is one change
  on("pointerdown", ({ target, button, clientY: from }) => {
    const found = !button && target.closest(".ndcg-handle") && whereIs(target);
    if (!found) return;
    const { list, at } = found;
    const base = state;
    let now = at;
    dragged = false;
    const drag = new AbortController();
    /** @type {(kind: string, handle: (event: any) => void) => void} */
    const follow = (kind, handle) => document.addEventListener(kind, handle, drag);
    follow("pointermove", ({ clientY }) => {
      dragged ||= Math.abs(clientY - from) >= SLOP;
      const table = tables[list].tBodies[0].getBoundingClientRect();
      const count = docsOf(list).length;
      const to = Math.min(count - 1, Math.max(0, Math.floor(((clientY - table.top) * count) / table.height)));
      if (to === now || !dragged) return;
      now = to;
      set(moved(base, list, at, to));
    });
    follow("pointerup", () => {
      drag.abort();
      const next = state;
      if (next === base) return;
      state = base;
      shown = numbers();
      change(next, `${docsOf(list)[at].title}, now rank ${now + 1}.`, list);
    });
    follow("pointercancel", () => {
      drag.abort();
      if (state !== base) set(base);
    });
  });

  // From here on a rank and a grade are buttons
  tables.forEach((table, i) => {
    for (const row of all(table, ROWS)) {
      const kind = state.lists[i] ? "button" : "span";
      const type = state.lists[i] ? "button" : null;
      const [rank, chip] = [find("rank", row), find("grade", row).firstChild];
      rank.replaceChildren(make(kind, { type, class: "ndcg-handle" }, rank.textContent));
      chip.replaceWith(make(kind, { type, class: chip.className }, chip.textContent));
    }
  });
  if (guess) {
    const marks = find("marks");
    marks.append(marks.firstChild.cloneNode());
    marks.lastChild.setAttribute("class", "ndcg-guessed");
    for (const end of ["x1", "x2"]) marks.lastChild.setAttribute(end, "50%");
  }
  cell.classList.add("ndcg-running");
  say(panel.dataset.hint);
  find("said").ariaLive = "polite";
  draw();
  progress();
  onLink(() => {
    past = [];
    set(linked());
    progress();
  });
}

for (const cell of all(document, ".tag_live-ranking")) takeOver(cell);

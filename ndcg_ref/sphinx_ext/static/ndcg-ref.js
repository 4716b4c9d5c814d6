// On a page with verdicts: what a tick says, links to what is folded, and boxes that scroll.

const TICK = "a.ndcg-tick";
const SAYS = `${TICK}, [data-definition]`;
const GAP = 6; // pixels between what is explained and what explains it
const PATIENCE = 200; // milliseconds in which the pointer may get to the popover

const popover = document.createElement("div");
popover.id = "ndcg-popover";
popover.popover = "manual";
popover.setAttribute("role", "tooltip");
let shownFor = null;
let leaving = 0;

// What an element says stands in its title, for readers without a script; two of them would be one too many.
function takeTitles() {
  for (const one of document.querySelectorAll(SAYS)) {
    one.dataset.definition ||= one.title;
    one.removeAttribute("title");
  }
}

function show(one) {
  clearTimeout(leaving);
  if (shownFor === one) return;
  hide();
  const place = one.matches(TICK) && one.matches(":focus-visible") ? one.dataset.place : "";
  const text = one.matches(TICK) ? `${one.textContent} ${one.dataset.definition}` : one.dataset.definition;
  popover.replaceChildren(text);
  if (place) popover.append(Object.assign(document.createElement("small"), { textContent: place }));
  shownFor = one;
  popover.showPopover();
  one.setAttribute("aria-describedby", popover.id);
  position();
}

function hide() {
  clearTimeout(leaving);
  if (!shownFor) return;
  shownFor.removeAttribute("aria-describedby");
  shownFor = null;
  popover.hidePopover();
}

function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(() => document.activeElement !== shownFor && hide(), PATIENCE);
}

// Below what it explains, or above it where there is no room, and never over it.
function position() {
  if (!shownFor) return;
  const own = shownFor.getBoundingClientRect();
  const whole = (shownFor.closest(".ndcg-ticked, td") ?? shownFor).getBoundingClientRect();
  const box = popover.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const below = whole.bottom + GAP + box.height <= window.innerHeight;
  popover.style.left = `${Math.max(GAP, Math.min(own.left - 12, width - box.width - GAP))}px`;
  popover.style.top = `${below ? whole.bottom + GAP : Math.max(0, whole.top - GAP - box.height)}px`;
}

const explained = (event) => event.target.closest?.(SAYS);

function explain() {
  if (!popover.showPopover) return; // titles do
  takeTitles();
  document.body.append(popover);
  document.addEventListener("pointerover", (event) => {
    const one = explained(event);
    if (event.pointerType !== "touch" && one) show(one);
    else if (event.target === popover) clearTimeout(leaving);
    else if (shownFor) leave();
  });
  document.addEventListener("focusin", (event) => (explained(event) ? show(explained(event)) : hide()));
  document.addEventListener("focusout", leave);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  window.addEventListener("scroll", position, { capture: true, passive: true });
  window.addEventListener("resize", position);
  // A finger asks first, and follows the link when it taps again
  let asked = null;
  document.addEventListener("pointerdown", (event) => {
    asked = event.pointerType === "touch" ? (explained(event) === shownFor ? null : explained(event)) : null;
    if (event.pointerType === "touch" && !explained(event) && event.target !== popover) hide();
  });
  document.addEventListener("click", (event) => {
    const one = explained(event);
    if (!one) return;
    hide();
    if (one !== asked) return;
    event.preventDefault();
    show(one);
  });
}

// The ticks of a table, a fold or a section are one stop of the Tab key; arrow keys lead on.
function oneStopForEach() {
  const groups = Map.groupBy(document.querySelectorAll(TICK), (one) => one.closest("table, details, section"));
  for (const ticks of groups.values()) {
    ticks.forEach((one, i) => {
      one.tabIndex = i ? -1 : 0;
      one.setAttribute("aria-label", (one.dataset.definition ?? one.title).split(":")[0]);
      if (ticks.length > 1) one.dataset.place = `${i + 1} of ${ticks.length}, arrow keys lead on`;
      one.addEventListener("keydown", (event) => {
        const next = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: -1 };
        const to = ticks.at(next[event.key] % ticks.length);
        if (!(event.key in next)) return;
        event.preventDefault();
        for (const each of ticks) each.tabIndex = each === to ? 0 : -1;
        to.focus();
      });
    });
  }
}

// The id that the address names, as typed where it is no encoded text.
function targetName() {
  const name = location.hash.slice(1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

// A link to what is folded opens the fold.
function openTarget() {
  const target = document.getElementById(targetName());
  const folds = [];
  for (let box = target?.closest("details"); box; box = box.parentElement.closest("details")) folds.push(box);
  if (folds.every((box) => box.open)) return;
  for (const box of folds) box.open = true;
  target.scrollIntoView();
}

const BOXES = {
  "div.math :is(mjx-container, .formula)": "formula",
  "span.math": "formula",
  ".pst-scrollable-table-container, .scrolls": "table",
  ".cell_output": "output",
};
const SCROLLS = ", scrolls sideways";

// A box that scrolls sideways can be reached with the keyboard, and says what it holds.
function nameBoxes() {
  for (const [selector, kind] of Object.entries(BOXES)) {
    for (const box of document.querySelectorAll(selector)) {
      if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible") {
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", kind + SCROLLS);
      } else if (box.getAttribute("aria-label")?.endsWith(SCROLLS)) {
        for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
      }
    }
  }
}

window.addEventListener("DOMContentLoaded", () => {
  openTarget();
  explain();
  oneStopForEach();
  window.addEventListener("hashchange", openTarget);
});

window.addEventListener("load", async () => {
  await window.MathJax?.startup?.promise; // a formula has its width when it is set
  nameBoxes();
  window.addEventListener("resize", nameBoxes);
  document.addEventListener("toggle", nameBoxes, true); // what is folded has no width
});

// What every live page shares: elements, entries, results that are read aloud, and the state in the address.

const PAUSE = 700; // milliseconds without a key after which an entry is taken
const MOST_GRADES = 1000;
const LONGEST_GRADE = 30;
const LONGEST_TEXT = MOST_GRADES * (LONGEST_GRADE + 2);
const LONGEST_FRAGMENT = 20000;
const FRAGMENT = "#live1="; // the version of what follows

/**
 * An element. Text stays text, whatever is in it. A function is called at the event of its name, and null or false
 * leaves an attribute out.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | ((event: any) => void)>} [attributes]
 * @param {...(Node | string | number)} children
 * @returns {any} an element of this tag
 */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.map((child) => (typeof child === "number" ? String(child) : child)));
  return made;
}

/**
 * The grades in a text, as in [3, 2, 0] or 3 2 0; or what is wrong with it, such as two ways to read it. An empty text
 * has neither.
 * @param {string} text
 * @returns {{grades: number[], problem: string}}
 */
export function readGrades(text) {
  /** @param {string} problem */
  const refused = (problem) => ({ grades: [], problem });
  if (text.length > LONGEST_TEXT) return refused(`Expected at most ${MOST_GRADES.toLocaleString("en")} grades.`);
  const found = text
    .replace(/^\s*[[(]|[\])]\s*$/g, "")
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (found.length > MOST_GRADES) return refused(`Expected at most ${MOST_GRADES.toLocaleString("en")} grades.`);
  const question = unclear(text.trim(), found);
  if (question) return refused(question);
  const grades = [];
  for (const [i, word] of found.entries()) {
    const problem = problemOf(word);
    if (problem) return refused(`Grade ${i + 1}: ${problem}.`);
    grades.push(Math.abs(Number(word))); // -0 is 0
  }
  return { grades, problem: "" };
}

/**
 * What to ask of a text that can be read in two ways: digits without a blank, and commas beside other separators.
 * @param {string} text
 * @param {string[]} found its words
 */
function unclear(text, found) {
  const separated = [...text].join(", ");
  if (text.length <= LONGEST_GRADE && /^[0-9]{2,}$/.test(text))
    return `“${text}”: ${text.length} grades, or one? Write ${separated}, or [${text}] for one grade.`;
  const words = text.replace(/[[\]()]/g, "").split(/[\s;]+/);
  const commas = words.some((word) => /^[0-9]+,[0-9]+$/.test(word));
  if (words.length < 2 || !commas || !words.every((word) => /^[0-9]+(,[0-9]+)?$/.test(word))) return "";
  const points = words.map((word) => word.replace(",", ".")).join(" ");
  return `Decimal commas, or ${found.length} grades? Write ${points}, or ${found.join(", ")}.`;
}

/** @param {string} word */
function problemOf(word) {
  if (word.length > LONGEST_GRADE) return `expected at most ${LONGEST_GRADE} characters, got ${word.length}`;
  if (!/^[-−+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(word)) return `expected a number, got “${word}”`;
  const grade = Number(word.replace("−", "-"));
  if (!Number.isFinite(grade)) return `expected a smaller number, got “${word}”`;
  return grade < 0 ? `expected 0 or more, got “${word}”` : "";
}

/**
 * Call `handle` with the text of a field, each time that it has changed and the reader leaves it, presses Enter, or
 * has pressed no key for a while.
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field
 * @param {(text: string) => void} handle
 */
export function onEntry(field, handle) {
  let handled = field.value;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  const take = () => {
    clearTimeout(waiting);
    if (field.value === handled) return;
    handled = field.value;
    handle(handled);
  };
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(take, PAUSE);
  });
  field.addEventListener("change", take);
}

/**
 * Show a result in an element that a screen reader watches. What has not changed is not read again.
 * @param {HTMLElement} element
 * @param {...(Node | string)} said
 */
export function announce(element, ...said) {
  element.setAttribute("aria-live", "polite");
  const shown = element.cloneNode();
  /** @type {HTMLElement} */ (shown).append(...said);
  if (!shown.isEqualNode(element)) element.replaceChildren(...shown.childNodes);
}

/**
 * The state in the address: null where there is none, with the reason if it was refused.
 * @returns {{state: any, problem: string}}
 */
export function readFragment() {
  const { hash } = location;
  if (!hash.startsWith("#live")) return { state: null, problem: "" };
  const refused = { state: null, problem: "The link to this page could not be read." };
  if (!hash.startsWith(FRAGMENT) || hash.length > LONGEST_FRAGMENT) return refused;
  try {
    const text = decodeURIComponent(hash.slice(FRAGMENT.length));
    const state = JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));
    return state && typeof state === "object" && !Array.isArray(state) ? { state, problem: "" } : refused;
  } catch {
    return refused;
  }
}

/**
 * Call `open` when another link to this page is followed. One to a section of it leaves alone what was entered.
 * @param {() => void} open
 */
export function onLink(open) {
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#live")) open();
  });
}

/** Take the state out of the address, where nothing is entered any more. */
export function clearFragment() {
  history.replaceState(history.state, "", location.pathname + location.search);
}

/**
 * Put the state into the address, so that a link and the back button lead to it; a state that is too long is left out.
 * @param {object} state what JSON can hold
 * @returns {boolean} whether the address holds it
 */
export function writeFragment(state) {
  const fragment = FRAGMENT + encodeURIComponent(JSON.stringify(state));
  const fits = fragment.length <= LONGEST_FRAGMENT;
  if (fits) history.replaceState(history.state, "", fragment);
  else clearFragment();
  return fits;
}

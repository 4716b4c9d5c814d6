// A function that the reader writes in Python. It runs when the reader presses Run, never from a link and never by
// itself, in a worker of its own that is ended after its answer or after two seconds.

import { announce, make } from "./page.js";

const LONGEST_RUN = 2000; // milliseconds
const LONGEST_CODE = 20_000; // characters
const WRITE_SCRIPT = document.currentScript?.getAttribute("src") ?? "";
const INDENT = "    ";
const WAITING = "ndcg-live-note write-waiting"; // the class of what is said while there is no result
const SAYS = {
  loading: "Python is loading, about 20 MB, once.",
  running: "Your code is running.",
  folder: "Python does not run on a page that was opened as a file. The notebook has the same tests.",
  missing: "Python could not be loaded.",
  slow: "Your code ran for 2 seconds and was ended. Does a loop never end?",
  failed: "Your code ended Python, for example by calling itself without an end.",
  long: `Expected at most ${LONGEST_CODE.toLocaleString("en")} characters.`,
};

/** @param {HTMLElement} place */
function startWriting(place) {
  const printed = place.querySelector("pre");
  const given = (printed?.textContent ?? "").trimEnd();
  const code = make("textarea", {
    id: "write-code",
    class: "write-code",
    rows: given.split("\n").length + 2,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    keydown: indent,
  });
  code.value = given;
  const result = make("div", { class: "ndcg-live-result" });
  const run = make("button", { type: "button", click: start }, "Run");
  const again = make("button", { type: "button", click: reset }, "Start again");
  const now = make(
    "div",
    { class: "ndcg-live-now" },
    make("label", { for: "write-code" }, "Your code, in Python. It runs in this browser and leaves it never."),
    code,
    make("div", { class: "ndcg-live-buttons" }, run, again),
    result,
  );
  announce(result, make("p", { class: WAITING }, "Nothing has run yet."));
  // In the place of the lines alone: what is around them stays, and so does the focus
  (printed?.closest("[class^=highlight-]") ?? printed)?.replaceWith(now);

  /** @type {(() => void) | null} */
  let stop = null;

  function start() {
    stop?.();
    if (code.value.length > LONGEST_CODE) return say("long");
    if (location.protocol === "file:") return say("folder");
    const worker = ownWorker();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let limit;
    stop = () => {
      clearTimeout(limit);
      worker.terminate();
      stop = null;
    };
    /** @param {keyof typeof SAYS} words */
    const end = (words) => {
      stop?.();
      say(words);
    };
    worker.onerror = () => end(limit ? "failed" : "missing");
    worker.onmessage = ({ data }) => {
      if (data.missing) return end("missing");
      if (!data.ready) {
        stop?.();
        return announce(result, ...shownResult(data));
      }
      say("running");
      limit = setTimeout(() => end("slow"), LONGEST_RUN);
      return worker.postMessage({ source: code.value });
    };
    return say("loading");
  }

  function reset() {
    stop?.();
    code.value = given;
    announce(result, make("p", { class: WAITING }, "Nothing has run yet."));
    code.focus();
  }

  /** @param {keyof typeof SAYS} words */
  function say(words) {
    const kind = words === "loading" || words === "running" ? WAITING : "ndcg-live-problem";
    announce(result, make("p", { class: kind }, SAYS[words]));
  }
}

// A worker from a blob has the policy of this page; one from a file would have none
function ownWorker() {
  const address = new URL("live/own.js", new URL(WRITE_SCRIPT, document.baseURI)).href;
  const blob = new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" });
  const made = URL.createObjectURL(blob);
  const worker = new Worker(made, { type: "module" });
  setTimeout(() => URL.revokeObjectURL(made), 60_000);
  return worker;
}

/**
 * What the tests say, line by line; all of it is text from a worker in which anything may have run.
 * @param {any} data
 */
function shownResult(data) {
  const said = [];
  if (data.error !== undefined) said.push(make("p", { class: "ndcg-live-problem" }, String(data.error)));
  const lines = Array.isArray(data.lines) ? data.lines.slice(0, 50) : [];
  const rows = lines.map((/** @type {any} */ line) =>
    make(
      "li",
      { class: line?.[0] === true ? "write-right" : "write-wrong" },
      `${line?.[0] === true ? "✓" : "✗"} ${line?.[1]}`,
    ),
  );
  if (rows.length) said.push(make("ul", { class: "write-tests" }, ...rows));
  if (data.hint) said.push(make("p", {}, String(data.hint)));
  if (rows.length && lines.every((/** @type {any} */ line) => line?.[0] === true))
    said.push(make("p", {}, make("strong", {}, "All tests pass: this is DCG.")));
  if (data.printed) said.push(make("p", {}, "Printed:"), make("pre", {}, String(data.printed)));
  return said.length ? said : [make("p", { class: "ndcg-live-problem" }, SAYS.failed)];
}

/**
 * A new line begins as far in as the one before, and further in after a colon. Tab leads on, as on the whole page.
 * @param {KeyboardEvent} event
 */
function indent(event) {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const field = /** @type {HTMLTextAreaElement} */ (event.target);
  const before = field.value.slice(0, field.selectionStart);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const further = line.trimEnd().endsWith(":") ? INDENT : "";
  event.preventDefault();
  field.setRangeText(`\n${/^ */.exec(line)?.[0] ?? ""}${further}`, field.selectionStart, field.selectionEnd, "end");
}

for (const place of document.querySelectorAll('[data-live="write"]')) startWriting(/** @type {HTMLElement} */ (place));

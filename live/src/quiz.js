// The quiz: a line with its questions, its explanation, and a score after ten lines.

import { announce, make } from "./page.js";
import { HIGHEST_ROUND, isDone, isRight, linesOf, ROUND, readRound, scoreOf } from "./round.js";

/** @param {HTMLElement} place */
function start(place) {
  const lines = [...place.querySelectorAll("template")].map((template) => ({
    asks: JSON.parse(template.dataset.answers ?? "[]"),
    template,
  }));
  const now = make("div", { class: "ndcg-live-now" });
  const notice = make("p", { class: "quiz-notice", role: "status" });
  let round = 0;
  /** @type {any[]} */
  let asked = [];
  /** @type {number[][]} */
  let given = [];

  /** @param {{round: number | null, given: number[][]}} found */
  function begin(found) {
    round = found.round ?? Math.floor(Math.random() * (HIGHEST_ROUND + 1));
    given = found.given;
    asked = linesOf(lines.length, round).map((each) => lines[each]);
    const open = given.findIndex((chosen, i) => !isDone(asked[i].asks, chosen));
    given.length = open < 0 ? given.length : open + 1;
    show(Math.max(0, open < 0 ? given.length : open));
  }

  // The address names the round alone, so that a link gives no answers away; the history keeps them for the back button.
  // An address of another place on the page stays until there is an answer: what the place is folded in opens by it.
  function keep() {
    if (!/^(#round=.*|#live.*|)$/s.test(location.hash) && !given.flat().length) return;
    history.replaceState({ ...history.state, quiz: { round, given } }, "", `#round=${round}`);
  }

  /** @param {number} which the place of the line, or the number of lines for the score */
  function show(which) {
    keep();
    now.replaceChildren(...(which < ROUND ? shownLine(which) : shownScore()));
  }

  /** @param {number} which */
  function shownLine(which) {
    const line = asked[which];
    given[which] ??= [];
    const [question, explanation] = [...line.template.content.cloneNode(true).children];
    for (const said of question.querySelectorAll("p")) {
      if (said.textContent.trim() === line.asks[0].question) said.hidden = true; // its choices say it
    }
    const result = make("div", { class: "ndcg-live-result", "aria-live": "polite" });
    const form = make("form", { submit: answer });
    const heading = make(
      "p",
      { class: "quiz-place", tabindex: -1 },
      make("strong", {}, `Line ${which + 1} of ${ROUND}`),
    );
    const done = () => isDone(line.asks, given[which]);
    for (let i = 0; i < given[which].length; i++) form.append(choices(line.asks[i], i, given[which][i]));
    const onward = make("div", { class: "ndcg-live-buttons" });
    next();
    return [heading, question, form, result, onward, link()];

    function next() {
      if (!done()) {
        form.append(
          choices(line.asks[given[which].length], given[which].length),
          make("button", { type: "submit" }, "Answer"),
        );
        return;
      }
      announce(result, make("p", {}, make("strong", {}, saidOf(line.asks, given[which]))), explanation);
      if (line.asks.length > 1) result.classList.add("ndcg-slip");
      else if (line.asks[0].kind === "right or wrong") result.classList.add("ndcg-agrees");
      const after = which + 1 < ROUND ? "Next line" : "Score";
      onward.append(make("button", { type: "button", click: () => go(which + 1) }, after));
    }

    /** @param {SubmitEvent} event */
    function answer(event) {
      event.preventDefault();
      const chosen = form.querySelector("fieldset:last-of-type input:checked");
      if (!chosen) {
        announce(result, make("p", {}, "Choose an answer first."));
        form.querySelector("fieldset:last-of-type input").focus();
        return;
      }
      const place = given[which].push(Number(chosen.value)) - 1;
      form.querySelector("fieldset:last-of-type").replaceWith(choices(line.asks[place], place, given[which][place]));
      form.querySelector("button").remove();
      const right = given[which][place] === line.asks[place].right;
      announce(result, make("p", {}, right ? "✓ right" : "✗ not right"));
      next();
      keep();
      (done() ? onward.querySelector("button") : form.querySelector("fieldset:last-of-type input")).focus();
    }
  }

  function shownScore() {
    const asks = asked.map((line) => line.asks);
    const rows = scoreOf(asks, given).map(({ kind, right, of }) => make("li", {}, `${kind}: ${right} of ${of}`));
    const missed = asked.filter((_, i) => !isRight(asks[i], given[i]));
    /** @type {Map<string, Node>} */
    const pages = new Map();
    for (const line of missed) {
      for (const link of line.template.content.querySelectorAll(".quiz-read a")) {
        pages.set(link.getAttribute("href") ?? "", make("li", {}, link.cloneNode(true)));
      }
    }
    const reading = pages.size
      ? [make("p", {}, "Read again:"), make("ul", {}, ...pages.values())]
      : [make("p", {}, "Nothing to read again.")];
    return [
      make("p", { class: "quiz-place", tabindex: -1 }, make("strong", {}, "Your score")),
      make("ul", { class: "quiz-score" }, ...rows),
      ...reading,
      make("button", { type: "button", click: () => renew() }, "Another round"),
      link(),
    ];
  }

  /** @param {number} which */
  function go(which) {
    show(which);
    now.querySelector(".quiz-place").focus();
  }

  function renew() {
    notice.replaceChildren();
    begin({ round: null, given: [] });
    now.querySelector(".quiz-place").focus();
  }

  function link() {
    const same = make("a", { href: `#round=${round}` }, `Round ${round}`);
    return make("p", { class: "ndcg-live-note" }, same, ": this link gives everyone the same ten lines.");
  }

  const fromAddress = () => {
    const found = readRound(location.hash, history.state?.quiz);
    notice.replaceChildren(found.problem);
    return found;
  };
  addEventListener("hashchange", () => {
    const found = fromAddress();
    if (found.round !== null) begin(found);
    else if (found.problem) keep();
  });
  place.append(notice, now);
  begin(fromAddress());
}

/**
 * A question with its choices; with the answer if there is one.
 * @param {import("./round.js").Ask} ask
 * @param {number} place
 * @param {number} [chosen]
 */
function choices({ question, choices: texts, right }, place, chosen) {
  const rows = texts.map((text, value) => {
    const about = { type: "radio", name: `quiz-${place}`, value };
    const input = make("input", { ...about, checked: chosen === value, disabled: chosen !== undefined });
    const mark = chosen === undefined ? "" : value === right ? " ✓ right" : value === chosen ? " ✗ your answer" : "";
    return make("label", {}, input, ` ${text}`, make("strong", {}, mark));
  });
  return make("fieldset", { class: "quiz-choices" }, make("legend", {}, question), ...rows);
}

/**
 * What is said of the answers to a line.
 * @param {import("./round.js").Ask[]} asks
 * @param {number[]} chosen
 */
function saidOf(asks, chosen) {
  if (isRight(asks, chosen)) return asks.length === 1 ? "✓ You are right." : "✓ You found the slip and its cause.";
  if (chosen[0] === asks[0].right)
    return chosen[1] === asks[1].right
      ? "✗ You found the step. Something else happened there."
      : "✗ Another step goes wrong first.";
  if (asks[0].kind !== "right or wrong") return "✗ Another answer is right.";
  return asks.length === 1 ? "✗ The line is right." : "✗ The line is wrong.";
}

for (const place of document.querySelectorAll('[data-live="quiz"]')) start(/** @type {HTMLElement} */ (place));

// A round of the quiz: which lines it has, what was answered, and the score. The page is none of its business.

export const ROUND = 10;
export const HIGHEST_ROUND = 999999;

/**
 * @typedef {object} Ask a question of a line
 * @property {string} kind what the score counts it as
 * @property {string} question
 * @property {string[]} choices
 * @property {number} right the place of the right choice
 */

/**
 * The lines of a round, as places among all lines: the same ones for the same number.
 * @param {number} count how many lines there are
 * @param {number} round the number of the round
 */
export function linesOf(count, round) {
  const places = Array.from({ length: count }, (_, place) => place);
  const dice = random(round);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(dice() * (i + 1));
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places.slice(0, ROUND);
}

// Numbers from 0 to 1, the same ones for the same seed (mulberry32)
/** @param {number} seed */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Whether a line has no question left: all are answered, or a wrong line was taken for right.
 * @param {Ask[]} asks
 * @param {number[]} chosen
 */
export function isDone(asks, chosen) {
  return chosen.length === asks.length || (chosen.length === 1 && chosen[0] !== asks[0].right);
}

/**
 * The score: for each kind of question how many were answered rightly, and how many there were.
 * @param {Ask[][]} lines
 * @param {number[][]} given the choices for each line
 */
export function scoreOf(lines, given) {
  /** @type {Map<string, {kind: string, right: number, of: number}>} */
  const rows = new Map();
  lines.forEach((asks, i) => {
    asks.forEach(({ kind, right }, which) => {
      const row = rows.get(kind) ?? { kind, right: 0, of: 0 };
      rows.set(kind, { kind, right: row.right + Number(given[i]?.[which] === right), of: row.of + 1 });
    });
  });
  return [...rows.values()];
}

/**
 * Whether every question of a line was answered rightly.
 * @param {Ask[]} asks
 * @param {number[]} chosen
 */
export function isRight(asks, chosen) {
  return asks.every(({ right }, which) => chosen[which] === right);
}

/**
 * The round in an address, `#round=12`, with the answers that the history holds for it; null where there is none, with
 * the reason if the address names one that cannot be used.
 * @param {string} hash
 * @param {any} state
 * @returns {{round: number | null, given: number[][], problem: string}}
 */
export function readRound(hash, state) {
  const [, name] = /^#(?:round=|live)(.*)$/s.exec(hash) ?? [];
  if (name === undefined) return { round: null, given: [], problem: "" };
  if (!hash.startsWith("#round=") || !/^[0-9]{1,6}$/.test(name)) {
    const expected = `expected #round= and a whole number from 0 to ${HIGHEST_ROUND}`;
    const problem = `The number in the address was not used: ${expected}, got “${hash.slice(0, 30)}”.`;
    return { round: null, given: [], problem };
  }
  const round = Number(name);
  const given = state?.round === round && isGiven(state.given) ? state.given : [];
  return { round, given, problem: "" };
}

/** @param {any} given */
function isGiven(given) {
  /** @param {any} each */
  const isChoice = (each) => Number.isInteger(each) && each >= 0 && each < ROUND;
  /** @param {any} each */
  const isLine = (each) => Array.isArray(each) && each.length <= 3 && each.every(isChoice);
  return Array.isArray(given) && given.length <= ROUND && given.every(isLine);
}

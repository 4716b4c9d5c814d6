// A round of the quiz: which lines it has, what was answered, and the score. The page is none of its business.

export const ROUND = 10;
export const HIGHEST_ROUND = 999999;

/**
 * @typedef {object} Answers what is right of a line
 * @property {string[]} steps the names of its steps
 * @property {number | null} wrong the place of the first wrong step
 * @property {string[]} causes what may have happened there
 * @property {number | null} cause the place of the right cause
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
 * The right choices of a line, question by question: whether it holds (0) or not (1), the step, the cause.
 * @param {Answers} line
 */
export function rightOf(line) {
  return line.wrong === null || line.cause === null ? [0] : [1, line.wrong, line.cause];
}

/**
 * Whether a line has no question left: it holds, or was taken for right, or all three questions are answered.
 * @param {Answers} line
 * @param {number[]} chosen
 */
export function isDone(line, chosen) {
  return chosen.length === 3 || (chosen.length > 0 && (chosen[0] === 0 || line.wrong === null));
}

/**
 * The score: for each question how many were answered rightly, and how many there were.
 * @param {Answers[]} lines
 * @param {number[][]} given the choices for each line
 */
export function scoreOf(lines, given) {
  return ["right or wrong", "the first wrong step", "the cause"].map((question, which) => {
    const asked = lines.map((line, i) => ({ right: rightOf(line)[which], chosen: given[i]?.[which] }));
    const some = asked.filter(({ right }) => right !== undefined);
    return { question, right: some.filter(({ right, chosen }) => right === chosen).length, of: some.length };
  });
}

/**
 * Whether every question of a line was answered rightly.
 * @param {Answers} line
 * @param {number[]} chosen
 */
export function isRight(line, chosen) {
  return rightOf(line).every((right, which) => chosen[which] === right);
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

// The printed numbers around a value.

import { covers, readNumber } from "./numbers.js";

/**
 * Printed numbers with so many decimals around a value, each with the range of the values that agree with it.
 * @param {number} value
 * @param {number} decimals
 */
export function around(value, decimals) {
  const scale = 10 ** decimals;
  const below = Math.floor(value * scale);
  return [below - 1, below, below + 1, below + 2].map((units) => {
    const text = (units / scale).toFixed(decimals);
    const [low, high] = [-5, 5].map((half) => ((10 * units + half) / (10 * scale)).toFixed(decimals + 1));
    const printed = readNumber(text);
    return { text, low, high, agrees: printed !== null && covers(printed, value) };
  });
}

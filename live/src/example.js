// The working that the page "Check my working" shows at first.

// Rank 3 is divided by the logarithm of 3, as if ranks counted from 0; all else is right, or follows from it
export const WORKED_EXAMPLE = {
  task: { grades: "3, 0, 2, 1", unretrieved: "", cutoff: "", convention: "STANDARD" },
  cells: {
    "gain-1": "3",
    "discount-1": "1",
    "term-1": "3",
    "gain-2": "0",
    "discount-2": "1.58",
    "term-2": "0",
    "gain-3": "2",
    "discount-3": "1.58",
    "term-3": "1.26",
    "gain-4": "1",
    "discount-4": "2.32",
    "term-4": "0.43",
    DCG: "4.69",
    "best-1": "3",
    "ideal-1": "3",
    "best-2": "2",
    "ideal-2": "1.26",
    "best-3": "1",
    "ideal-3": "0.5",
    "best-4": "0",
    "ideal-4": "0",
    IDCG: "4.76",
    NDCG: "0.99",
  },
  lines: "DCG = 3/log2(2) + 2/log2(3) + 1/log2(5) = 4.69",
};

/**
 * What is left of a working when its grades, cutoff or formula are no longer those of the example: what the reader wrote.
 * @param {{ cells: Record<string, string>, lines: string }} working
 */
export function withoutExample({ cells, lines }) {
  const known = /** @type {Record<string, string>} */ (WORKED_EXAMPLE.cells);
  return {
    cells: Object.fromEntries(Object.entries(cells).filter(([key, text]) => text !== known[key])),
    lines: lines === WORKED_EXAMPLE.lines ? "" : lines,
  };
}

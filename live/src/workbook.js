// A working as a notebook that checks it: the grades, the convention, and a judgment of each number, in Python.

const SOURCES = {
  gain: "gain[%]",
  discount: "discount[%]",
  term: "gain[%] / discount[%]",
  best: "best[%]",
  ideal: "best_gain[%] / best_discount[%]",
  DCG: "dcg(grades, k, convention)",
  IDCG: "idcg(grades, k, convention, judged)",
  NDCG: "ndcg(grades, k, convention, judged)",
};

/**
 * The Python expression for the right value of a cell.
 * @param {string} key such as term-2 or DCG
 */
function sourceOf(key) {
  const [kind, rank] = key.split("-");
  return SOURCES[/** @type {keyof typeof SOURCES} */ (kind)].replaceAll("%", String(Number(rank) - 1));
}

/**
 * The notebook, as its file holds it. What was not read is left out.
 * @param {import("./task.js").Task} task
 * @param {import("./cells.js").Cell[]} cells
 * @param {Map<string, import("./cells.js").Judged>} judged
 * @returns {string}
 */
export function notebookOf(task, cells, judged) {
  const lists = task.judged ? JSON.stringify(task.judged) : "grades";
  const setting = [
    `from ndcg_ref import ${task.convention} as convention`,
    "from ndcg_ref import dcg, discounts, gains, idcg, ndcg",
    "from ndcg_ref.stated import judge",
    "",
    `grades = ${JSON.stringify(task.grades)}  # best rank first`,
    `judged = ${lists}  # of all judged documents, retrieved or not`,
    `k = ${task.k ?? "None"}  # the cutoff`,
    "",
    "gain, discount = gains(grades, convention), discounts(len(grades), convention)",
    "best = sorted(judged, reverse=True)",
    "best_gain, best_discount = gains(best, convention), discounts(len(best), convention)",
  ];
  const checks = cells.flatMap(({ key, name }) => {
    const printed = judged.get(key)?.printed;
    return printed
      ? [`print(judge(${JSON.stringify(withPoint(printed))}, ${sourceOf(key)}, ${JSON.stringify(name)}))`]
      : [];
  });
  const written = [
    ["markdown", ["# My working, checked", "", "Each line holds a number as I wrote it against the exact value."]],
    ["code", setting],
    ["code", checks.length ? checks : ["# No cell was filled in"]],
  ];
  const made = written.map(([kind, lines], i) => ({
    cell_type: kind,
    id: `cell-${i + 1}`,
    metadata: {},
    ...(kind === "code" ? { execution_count: null, outputs: [] } : {}),
    source: /** @type {string[]} */ (lines).map((line, at) => (at < lines.length - 1 ? `${line}\n` : line)),
  }));
  const python = { kernelspec: { display_name: "Python 3", language: "python", name: "python3" } };
  return `${JSON.stringify({ cells: made, metadata: python, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

/**
 * A number with a decimal point, as Python reads it.
 * @param {import("./numbers.js").Printed} printed
 */
function withPoint({ text, point }) {
  if (point === ".") return text;
  return text.replace(/[.,]/g, (sign) => (sign === "," ? "." : ","));
}

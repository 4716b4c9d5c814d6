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

const INTRODUCTION = [
  "# My working, checked",
  "",
  "Each number as I wrote it is held against the exact value. The package `ndcg_ref` does this; the section",
  "[Install](%) of the book has the line that installs it.",
  "",
  "A number is a **slip**, or a slip that is **carried on**: it is wrong because an earlier number is, and the step",
  "itself is right.",
];

// Lines, since the blanks at the beginning of a line of a script are dropped
const CHECK = [
  'def check(stated, exact, name, follows=""):',
  '    """Print the verdict on a number, and for a slip that is carried on, what it follows from."""',
  "    verdict = judge(stated, exact, name)",
  '    if follows and verdict.outcome == "slip":',
  '        print(f"↳ slip, carried on: {name}: stated {stated}, correct {verdict.correct}. {follows}")',
  "    else:",
  "        print(verdict)",
];

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
 * @param {Map<string, string>} follows of each cell that is carried on, by key: what is said of it
 * @param {string} install the address of the section that says how to install the package
 * @returns {string}
 */
export function notebookOf(task, cells, judged, follows, install) {
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
    const said = follows.get(key);
    if (!printed) return [];
    const words = [name, ...(said ? [said] : [])].map((each) => `, ${JSON.stringify(each)}`);
    return [`check(${JSON.stringify(withPoint(printed))}, ${sourceOf(key)}${words.join("")})`];
  });
  const written = [
    ["markdown", INTRODUCTION.map((line) => line.replace("%", install))],
    ["code", setting],
    ["code", CHECK],
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

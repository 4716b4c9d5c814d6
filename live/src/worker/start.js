// Python with the package of the book, from the files that `make live` puts beside the worker. The build runs this in
// node too, where it makes the snapshot.

/**
 * @typedef {import("pyodide").PyodideAPI} Pyodide
 * @typedef {(question: string) => string} Answered from JSON to JSON
 * @typedef {{_loadSnapshot?: Uint8Array | Promise<Uint8Array>, _makeSnapshot?: boolean}} Snapshot options of pyodide
 *   that are not public
 * @typedef {Snapshot & {load: typeof import("pyodide").loadPyodide, from: string, archive: Uint8Array}} Parts
 */

const PLACE = "/ndcg_ref.zip"; // in the file system of Python
const SAMPLE = JSON.stringify({ ask: "number", grades: [3, 2, 3, 0, 1], k: 5, measure: "NDCG", stated: "0.98" });
const IMPORTED = [
  "import json, sys",
  `sys.path.append("${PLACE}")`,
  "from ndcg_ref.live import answer",
  "def answered(text):",
  "    return json.dumps(answer(json.loads(text)))",
].join("\n");

/**
 * Python with the package imported. It has answered a question, so that all it needs is there, in a snapshot as well; and
 * a snapshot that cannot answer fails here.
 * @param {Parts} parts
 * @returns {Promise<{python: Pyodide, answered: Answered}>}
 */
export async function pythonFrom({ load, from, archive, ...snapshot }) {
  const python = await load({ indexURL: from, ...snapshot });
  python.FS.writeFile(PLACE, archive);
  if (!snapshot._loadSnapshot) python.runPython(IMPORTED);
  const answered = python.globals.get("answered");
  JSON.parse(answered(SAMPLE));
  return { python, answered };
}

// The worker in which Python answers. Its first message says that it is ready, or what is missing; then each question
// gets an answer, or the failure that ended it.

import { pythonFrom } from "./start.js";

const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
/** @param {string} name */
const here = (name) => new URL(name, import.meta.url).href;

const load = self.fetch;
// Pyodide waits for ever for a file that it does not get
self.fetch = async (...asked) => {
  try {
    const response = await load(...asked);
    if (response.ok) return response;
    throw new Error(`${response.url}: status ${response.status}`);
  } catch (error) {
    page.postMessage({ missing: String(error) });
    throw error;
  }
};

/** The memory of a Python that has imported the package already. */
async function snapshot() {
  const { body } = await load(here("snapshot.bin"));
  const unpacked = /** @type {ReadableStream} */ (body).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

async function start() {
  /** @type {[typeof import("pyodide"), ArrayBuffer]} */
  const [{ loadPyodide }, archive] = await Promise.all([
    import(here("pyodide/pyodide.mjs")),
    fetch(here("ndcg_ref.zip")).then((response) => response.arrayBuffer()),
  ]);
  const parts = { load: loadPyodide, from: here("pyodide/"), archive: new Uint8Array(archive) };
  try {
    return { from: "snapshot", ...(await pythonFrom({ ...parts, _loadSnapshot: await snapshot() })) };
  } catch {
    // Its options are not public, so whatever goes wrong with it, Python is loaded as everybody does
    return { from: "files", ...(await pythonFrom(parts)) };
  }
}

start().then(
  ({ from, answered }) => {
    page.onmessage = ({ data: { id, question } }) => {
      try {
        page.postMessage({ id, answer: answered(question) });
      } catch (error) {
        page.postMessage({ id, failed: String(error) });
      }
    };
    page.postMessage({ ready: from });
  },
  (error) => page.postMessage({ missing: String(error) }),
);

// Loads Python into a worker from the files beside it: with the snapshot, or where that does not fit without it.

import { pythonFrom } from "./start.js";

/** @param {string} name */
const here = (name) => new URL(name, import.meta.url).href;

/**
 * The memory of a Python that has imported the package already.
 * @param {typeof fetch} load
 */
async function snapshot(load) {
  const { body } = await load(here("snapshot.bin"));
  const unpacked = /** @type {ReadableStream} */ (body).pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/**
 * Python, and where its memory is from. Pyodide waits for ever for a file that it does not get, so `missing` is called
 * with the reason.
 * @param {(reason: string) => void} missing
 */
export async function loadPython(missing) {
  const load = self.fetch;
  self.fetch = async (...asked) => {
    try {
      const response = await load(...asked);
      if (response.ok) return response;
      throw new Error(`${response.url}: status ${response.status}`);
    } catch (error) {
      missing(String(error));
      throw error;
    }
  };
  /** @type {[typeof import("pyodide"), ArrayBuffer]} */
  const [{ loadPyodide }, archive] = await Promise.all([
    import(here("pyodide/pyodide.mjs")),
    fetch(here("ndcg_ref.zip")).then((response) => response.arrayBuffer()),
  ]);
  const parts = { load: loadPyodide, from: here("pyodide/"), archive: new Uint8Array(archive) };
  try {
    return { from: "snapshot", ...(await pythonFrom({ ...parts, _loadSnapshot: await snapshot(load) })) };
  } catch {
    // Its options are not public, so whatever goes wrong with it, Python is loaded as everybody does
    return { from: "files", ...(await pythonFrom(parts)) };
  }
}

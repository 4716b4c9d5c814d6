// The worker in which a reader's own code runs, once: the page starts it from a blob, so that the policy of the page
// holds here too, and ends it after its answer or after two seconds. Before the code runs, all that reaches the network
// or another worker is taken away.

import { loadPython } from "./load.js";

const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
const NAME = "your code"; // what errors call it
const LONGEST_PRINT = 2000; // characters
const REACHES_OUT =
  "fetch XMLHttpRequest WebSocket WebSocketStream WebTransport EventSource importScripts Worker SharedWorker caches " +
  "indexedDB BroadcastChannel MessageChannel navigator";

/** @param {string} name */
function forget(name) {
  for (let owner = self; owner; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, name)) Reflect.deleteProperty(owner, name);
  }
}

/** @param {unknown} error */
function saidOf(error) {
  const text = String(/** @type {Error} */ (error)?.message ?? error).trimEnd();
  const [line] = [...text.matchAll(new RegExp(`File "${NAME}", line (\\d+)`, "g"))].slice(-1);
  const last = text.slice(text.lastIndexOf("\n") + 1);
  return line ? `Line ${line[1]}: ${last}` : last;
}

/**
 * @param {import("./start.js").Pyodide} python
 * @param {(written: unknown) => string} judge what says of a function how it does, as JSON
 * @param {string} source
 */
function run(python, judge, source) {
  let printed = "";
  const batched = (/** @type {string} */ text) => {
    if (printed.length < LONGEST_PRINT) printed = `${printed}${text}\n`.slice(0, LONGEST_PRINT);
  };
  python.setStdout({ batched });
  python.setStderr({ batched });
  const names = python.toPy({ __name__: "__main__" });
  try {
    python.runPython(source, { globals: names, filename: NAME });
    return { ...JSON.parse(judge(names.get("dcg"))), printed };
  } catch (error) {
    return { error: saidOf(error), printed };
  }
}

/** @param {unknown} reason */
const missing = (reason) => page.postMessage({ missing: String(reason) });

loadPython(missing).then(({ python }) => {
  const judge = python.pyimport("ndcg_ref.live.own_dcg").as_json; // before the time of the reader's code begins
  judge(null);
  REACHES_OUT.split(" ").forEach(forget);
  page.onmessage = ({ data }) => {
    page.onmessage = null;
    page.postMessage(run(python, judge, String(data.source)));
  };
  page.postMessage({ ready: true });
}, missing);

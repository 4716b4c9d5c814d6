// The worker in which Python answers. Its first message says that it is ready, or what is missing; then each question
// gets an answer, or the failure that ended it.

import { loadPython } from "./load.js";

const page = /** @type {Worker} */ (/** @type {unknown} */ (self));
/** @param {unknown} reason */
const missing = (reason) => page.postMessage({ missing: String(reason) });

loadPython(missing).then(({ from, answered }) => {
  page.onmessage = ({ data: { id, question } }) => {
    try {
      page.postMessage({ id, answer: answered(question) });
    } catch (error) {
      page.postMessage({ id, failed: String(error) });
    }
  };
  page.postMessage({ ready: from });
}, missing);

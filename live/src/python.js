// Asks the package of the book, which runs in a worker. The worker starts at the first question, never before, and has
// one question at a time.

const LONGEST_QUESTION = 100_000; // characters as JSON
const DEEPEST_QUESTION = 4; // lists within objects within lists
const LONGEST_WAIT = 5000; // milliseconds for one answer; loading may take longer
// A classic script knows where it lies, and the worker lies beside it
const PYTHON_SCRIPT = typeof document === "undefined" ? "" : (document.currentScript?.getAttribute("src") ?? "");
const PYTHON_SAYS = {
  loading: "Python is loading, about 20 MB, once.",
  ready: "Python is ready.",
  folder: "Python does not run on a page that was opened as a file.",
  absent: "Python could not be loaded.",
};

/** @typedef {{id: number, question: string, resolve: (answer: any) => void, reject: (error: Error) => void}} Asked */
/** @typedef {"" | "loading" | "ready" | "missing"} PythonState */

/** @type {((state: PythonState, words: string) => void)[]} */
const pythonListeners = [];
/** @type {Asked[]} */
const questionQueue = [];
/** @type {Worker | null} */
let pythonWorker = null;
/** @type {Asked | null} */
let questionNow = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let questionLimit;
let questionCount = 0;
/** @type {{state: PythonState, words: string}} */
let pythonNow = { state: "", words: "" };

/**
 * An error with its reason: "no-worker", "slow" or "failed".
 * @param {string} reason
 * @param {string} message
 */
const noAnswer = (reason, message) => Object.assign(new Error(message), { reason });

/**
 * Calls the listener with the state of Python and a sentence for readers, now if there is one, and at every change.
 * @param {(state: PythonState, words: string) => void} listener
 */
export function pythonState(listener) {
  pythonListeners.push(listener);
  if (pythonNow.state) listener(pythonNow.state, pythonNow.words);
}

/**
 * @param {PythonState} state
 * @param {keyof typeof PYTHON_SAYS} words
 */
function sayPython(state, words) {
  pythonNow = { state, words: PYTHON_SAYS[words] };
  for (const listener of pythonListeners) listener(pythonNow.state, pythonNow.words);
}

/**
 * Asks the package a question, as `ndcg_ref.live` has them. The answer of a refused question has `error`. Where there
 * is no answer, the promise is rejected with an error whose `reason` is "no-worker", "slow" or "failed".
 * @param {Record<string, unknown>} question
 * @returns {Promise<any>}
 */
export function ask(question) {
  if (isNested(question, DEEPEST_QUESTION)) {
    return Promise.resolve({ error: "expected numbers, got brackets within brackets within brackets" });
  }
  const text = JSON.stringify(question);
  if (text.length > LONGEST_QUESTION) {
    const [most, got] = [LONGEST_QUESTION, text.length].map((count) => count.toLocaleString("en"));
    return Promise.resolve({ error: `expected at most ${most} characters, got ${got}` });
  }
  return new Promise((resolve, reject) => {
    questionCount += 1;
    questionQueue.push({ id: questionCount, question: text, resolve, reject });
    if (!pythonWorker) startPython();
    else sendQuestion();
  });
}

/**
 * Whether brackets lie deeper than this: the reader of JSON in Python would run out of stack.
 * @param {unknown} value
 * @param {number} deepest
 * @returns {boolean}
 */
function isNested(value, deepest) {
  if (typeof value !== "object" || value === null) return false;
  return deepest === 0 || Object.values(value).some((one) => isNested(one, deepest - 1));
}

function startPython() {
  if (pythonNow.state === "missing") return refuseQuestions();
  if (!PYTHON_SCRIPT || location.protocol === "file:") return losePython("folder");
  sayPython("loading", "loading");
  try {
    pythonWorker = new Worker(new URL("live/worker.js", new URL(PYTHON_SCRIPT, document.baseURI)), { type: "module" });
  } catch {
    return losePython("absent");
  }
  pythonWorker.onerror = () => losePython("absent");
  pythonWorker.onmessage = ({ data }) => {
    if (data.missing) return losePython("absent");
    if (data.ready) sayPython("ready", "ready");
    else settleQuestion(data);
    return sendQuestion();
  };
  return undefined;
}

function sendQuestion() {
  if (pythonNow.state !== "ready" || questionNow || !pythonWorker) return;
  questionNow = questionQueue.shift() ?? null;
  if (!questionNow) return;
  pythonWorker.postMessage({ id: questionNow.id, question: questionNow.question });
  questionLimit = setTimeout(() => {
    endQuestion("slow", `Python took longer than ${LONGEST_WAIT / 1000} seconds over this and was stopped.`);
  }, LONGEST_WAIT);
}

/** @param {{id: number, answer?: string, failed?: string}} data */
function settleQuestion({ id, answer }) {
  if (id !== questionNow?.id) return;
  if (answer === undefined) return endQuestion("failed", "Python failed over this and was started again.");
  clearTimeout(questionLimit);
  questionNow.resolve(JSON.parse(answer));
  questionNow = null;
}

/**
 * Stops the worker over the current question, and starts another for the next one.
 * @param {string} reason
 * @param {string} message
 */
function endQuestion(reason, message) {
  clearTimeout(questionLimit);
  pythonWorker?.terminate();
  pythonWorker = null;
  const ended = questionNow;
  questionNow = null;
  startPython();
  ended?.reject(noAnswer(reason, message));
}

/** @param {"folder" | "absent"} words */
function losePython(words) {
  pythonWorker?.terminate();
  pythonWorker = null;
  sayPython("missing", words);
  refuseQuestions();
}

function refuseQuestions() {
  clearTimeout(questionLimit);
  for (const one of [questionNow, ...questionQueue.splice(0)]) one?.reject(noAnswer("no-worker", pythonNow.words));
  questionNow = null;
}

// Who lost the network may ask again
if (PYTHON_SCRIPT) {
  addEventListener("online", () => {
    if (pythonNow.state === "missing") pythonNow = { state: "", words: "" };
  });
}

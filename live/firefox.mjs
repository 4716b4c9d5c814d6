// node firefox.mjs [FOLDER]: a table of steps on the live pages of the built book, in an installed Firefox (Debian's
// package firefox-esr). `make firefox` runs it; no other target needs Firefox.

import assert from "node:assert/strict";
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer from "puppeteer-core";

const BUILT = resolve(process.argv[2] ?? "../_build/html");
const FIREFOX = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path));
const PATIENCE = 120_000; // milliseconds: the machine may be busy
/** @type {Record<string, string>} */
const TYPES = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};

const server = createServer(({ url = "/" }, response) => {
  const path = join(BUILT, normalize(decodeURIComponent(new URL(url, "http://here").pathname)));
  if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "application/octet-stream" });
  return createReadStream(path).pipe(response);
});

/** @typedef {import("puppeteer-core").Page} Page */

/** @param {Page} page */
async function editOne(page) {
  const chip = ".tag_live-ranking button[aria-label^=Grade]";
  await page.waitForSelector(chip);
  const before = await page.$eval(chip, (one) => one.ariaLabel ?? "");
  const digit = before.startsWith("Grade 4") ? "1" : "4";
  await page.focus(chip);
  await page.keyboard.press(digit);
  assert.match(await page.$eval(chip, (one) => one.ariaLabel ?? ""), new RegExp(`^Grade ${digit}`));
  assert.match(await page.$eval(".ndcg-said", (one) => one.textContent ?? ""), /\w/);
}

/** @type {[string, string, (page: Page) => Promise<void>][]} what holds, the page, the step */
const STEPS = [
  ["a key gives a result of a ranking another grade, and the change is said", "book/concepts/gain.html", editOne],
  [
    "it does so on a page that was opened as a file",
    pathToFileURL(join(BUILT, "book/concepts/gain.html")).href,
    editOne,
  ],
  [
    "an answer of the quiz is judged",
    "book/live/spot-the-slip.html",
    async (page) => {
      await page.waitForSelector(".ndcg-live-now form input");
      await page.evaluate(() => {
        for (const one of document.querySelectorAll(".ndcg-live-now fieldset")) one.querySelector("input")?.click();
      });
      await page.focus(".ndcg-live-now form button");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /[✓✗]/.test(document.querySelector(".ndcg-live-result")?.textContent ?? ""));
    },
  ],
  [
    "Python starts in the worker from its snapshot, and answers",
    "book/concepts/gain.html",
    async (page) => {
      const question = { ask: "note", text: "Grades [3, 2, 3, 0, 1]. NDCG@5 = 6.15/6.32 = 0.98" };
      const [from, answer] = await page.evaluate(
        (text) =>
          new Promise((done) => {
            const worker = new Worker("../../_static/live/worker.js", { type: "module" });
            worker.onmessage = ({ data: { ready, missing } }) => {
              if (missing) return done(["missing", missing]);
              worker.onmessage = ({ data }) => done([ready, data.answer ?? data.failed]);
              return worker.postMessage({ id: 1, question: text });
            };
          }),
        JSON.stringify(question),
      );
      assert.equal(from, "snapshot", answer);
      assert.equal(JSON.parse(answer).findings.at(-1).correct, "0.97");
    },
  ],
  [
    "what is put into a page does not run",
    "book/concepts/gain.html",
    async (page) => {
      const ran = await page.evaluate(() => {
        document.body.insertAdjacentHTML("beforeend", '<button id="put" onclick="window.ran = true"></button>');
        document.getElementById("put")?.click();
        document.body.append(Object.assign(document.createElement("script"), { textContent: "window.ran = true" }));
        return "ran" in window;
      });
      assert.equal(ran, false);
    },
  ],
];

if (!FIREFOX) throw new Error("expected Firefox in /usr/bin, found none: install the package firefox-esr");
await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
const browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
let failed = 0;
for (const [holds, path, step] of STEPS) {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  /** @type {string[]} */
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  try {
    await page.goto(new URL(path, `http://127.0.0.1:${port}/`).href);
    await step(page);
    assert.deepEqual(complaints, []);
    console.log(`✓ ${holds}`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${holds}: ${error}`);
  }
  await page.close();
}
await browser.close();
server.close();
process.exitCode = failed ? 1 : 0;

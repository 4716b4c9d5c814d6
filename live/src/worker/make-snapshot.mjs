// node make-snapshot.mjs FOLDER: writes FOLDER/snapshot.bin, the memory of a Python that has imported the package, and
// then starts from it as the worker does, so that a snapshot that cannot answer is never written.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { pythonFrom } from "./start.js";

const folder = process.argv[2];
const from = join(folder, "pyodide/");
const { loadPyodide: load } = await import(pathToFileURL(join(from, "pyodide.mjs")).href);
const archive = readFileSync(join(folder, "ndcg_ref.zip"));
const { python } = await pythonFrom({ load, from, archive, _makeSnapshot: true });
const memory = /** @type {any} */ (python).makeMemorySnapshot();
await pythonFrom({ load, from, archive, _loadSnapshot: new Uint8Array(memory) });
writeFileSync(join(folder, "snapshot.bin"), gzipSync(memory, { level: 9 }));

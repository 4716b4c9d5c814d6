// Cases from the standard input, answers to the standard output.

import { stdout } from "node:process";
import { text } from "node:stream/consumers";
import "./twin.js";

/** @type {any} */
const { twin } = globalThis;
stdout.write(JSON.stringify(twin(JSON.parse(await text(process.stdin)))));

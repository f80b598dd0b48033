/**
 * Many jobs for one process: requests on stdin, answers on stdout, a line of JSON each and in order.
 *
 *     {"id": 1, "job": "fold", "captures": […], "out": "…"}
 *     {"id": 1, "ok": true, "result": {…}}
 *     {"id": 1, "ok": false, "problems": [{"path": "…", "line": 0, "found": "…", …}]}
 *     {"id": 1, "ok": false, "defect": "EMFILE: too many open files"}
 *
 * Problems are those of the input: the same request gives them again. A defect is ours or the
 * system's, and the next time it may be gone.
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { BadInput, problem } from "./problems.js";

/** @typedef {Record<string, (request: any) => object | Promise<object>>} Handlers by the job's name */

/**
 * Answer requests until stdin ends.
 *
 * @param {Handlers} handlers
 * @param {{ input?: NodeJS.ReadableStream, output?: NodeJS.WritableStream }} [streams]
 */
export async function runJobs(handlers, { input = process.stdin, output = process.stdout } = {}) {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    output.write(`${JSON.stringify(await answer(handlers, line))}\n`);
  }
}

/**
 * Answer one request; whatever goes wrong with it must not take the others with it.
 *
 * @param {Handlers} handlers
 * @param {string} line
 */
async function answer(handlers, line) {
  let id = null;
  try {
    const request = parseRequest(line);
    id = request.id ?? null;
    return { id, ok: true, result: await handlerFor(handlers, request.job)(request) };
  } catch (error) {
    if (error instanceof BadInput) return { id, ok: false, problems: error.problems };
    console.error(error);
    return { id, ok: false, defect: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {string} line */
function parseRequest(line) {
  try {
    const request = JSON.parse(line);
    if (typeof request === "object" && request !== null) return request;
  } catch {
    // told below
  }
  throw new BadInput(
    problem({ path: "stdin", found: line.slice(0, 80), expected: "an object of JSON in one line" }),
  );
}

/**
 * @param {Handlers} handlers
 * @param {unknown} job
 */
function handlerFor(handlers, job) {
  if (typeof job === "string" && Object.hasOwn(handlers, job)) return handlers[job];
  const expected = Object.keys(handlers).sort().join(", ");
  throw new BadInput(problem({ path: "stdin", found: `the job ${JSON.stringify(job)}`, expected }));
}

/**
 * Many jobs for one process: requests on stdin, answers on stdout, a line of JSON each and in order.
 *
 *     {"id": 1, "job": "fold", "captures": […], "out": "…"}
 *     {"id": 1, "ok": true, "result": {…}}
 *     {"id": 1, "ok": false, "problems": [{"path": "…", "line": 0, "found": "…", …}]}
 *     {"id": 1, "ok": false, "over": "memory"}
 *     {"id": 1, "ok": false, "defect": "EMFILE: too many open files"}
 *
 * Problems are those of the input: the same request gives them again. A defect is ours or the
 * system's, and the next time it may be gone.
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { BadInput, isSystemError, problem } from "../model/problems.js";

/**
 * @typedef {import("../../messages.js").Jobs} Jobs
 *
 * @typedef {Partial<{ [Job in keyof Jobs]: Handler<Jobs[Job]["request"], Jobs[Job]["answer"]> }>} Handlers
 *   of the jobs of a package
 */

/**
 * @template Request, Answer
 * @typedef {(request: Request) => Answer | Promise<Answer>} Handler
 */

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
    if (error instanceof RangeError && /alloc/.test(error.message)) {
      return { id, ok: false, over: "memory" };
    }
    if (!isSystemError(error)) console.error(error); // a stack trace says nothing of a full disk
    return { id, ok: false, defect: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {string} line */
function parseRequest(line) {
  try {
    const request = JSON.parse(line);
    if (typeof request === "object" && request !== null) return request;
  } catch {
    // reported below
  }
  throw new BadInput(
    problem({ path: "stdin", found: line.slice(0, 80), expected: "an object of JSON in one line" }),
  );
}

/**
 * @param {Handlers} handlers
 * @param {unknown} job
 * @returns {Handler<any, object>} of what Python checked against the schema
 */
function handlerFor(handlers, job) {
  if (typeof job === "string" && Object.hasOwn(handlers, job)) {
    return /** @type {Record<string, any>} */ (handlers)[job];
  }
  const expected = Object.keys(handlers).sort().join(", ");
  throw new BadInput(problem({ path: "stdin", found: `the job ${JSON.stringify(job)}`, expected }));
}

/** Runs the programs as `perfpress` does: each verb has its own. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** @param {string} name of a package */
const programOf = (name) =>
  fileURLToPath(new URL(`../../pipeline/${name}/cli/main.js`, import.meta.url));

const PROFILE = programOf("profile");
const FLAMEGRAPH = programOf("flamegraph");

/** For a shell. */
export const FOLD = `${process.execPath} ${PROFILE} fold`;

/**
 * @param {string} cwd
 * @param {...string} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export function run(cwd, ...args) {
  const program = ["diff", "flamegraph"].includes(args[0]) ? FLAMEGRAPH : PROFILE;
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

/**
 * Expect that a verb is refused with its usage and one error.
 *
 * @param {string} cwd
 * @param {string} verb
 * @param {...string} args
 */
export async function assertBadUsage(cwd, verb, ...args) {
  const { code, stdout, stderr } = await run(cwd, verb, ...args);
  assert.deepEqual([code, stdout], [2, ""], args.join(" "));
  const [usage, ...lines] = stderr.trimEnd().split("\n");
  assert.match(usage, new RegExp(`^usage: perfpress ${verb} [A-Z]`));
  assert.match(lines.at(-1) ?? "", /^error: /);
}

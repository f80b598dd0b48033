/**
 * Reads perf's own recordings, `perf.data`, through `perf script`. That works on the host that recorded
 * them, as the symbols are in the programs that ran.
 */

import { Buffer } from "node:buffer";
import { spawn } from "node:child_process";
import { resolve as absolute } from "node:path";
import process from "node:process";
import { BadInput, problem } from "../../model/problems.js";
import { firstBytes } from "./compression.js";

/** The first bytes of a recording, in a file or a pipe. */
const MAGIC = Buffer.from("PERFILE2");

/**
 * Inlined functions are not looked up: addr2line takes minutes for what perf script does in seconds.
 * Fields are perf's own choice: asked for one that was not recorded, it prints nothing at all.
 */
const SCRIPT = ["script", "--no-inline", "--show-lost-events", "--input"];

/** No symbols from servers, and nobody's settings. */
const ENVIRONMENT = { DEBUGINFOD_URLS: "", PERF_CONFIG: "/dev/null" };

/** Characters of perf's stderr that are reported. */
const LONGEST_COMPLAINT = 300;

/** @param {string} path */
export async function isPerfData(path) {
  return isRecording(await firstBytes(path));
}

/** @param {Buffer} bytes the first of a file */
export function isRecording(bytes) {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC);
}

/**
 * Read a recording as perf script text.
 *
 * @param {string} file the name to show
 * @param {string} path
 * @param {import("./compression.js").Take} take
 * @returns {Promise<import("./compression.js").Damage | null>} what stopped perf before the end, where
 *   something did
 * @throws {BadInput} where perf is not there, or prints nothing
 */
export async function readPerfData(file, path, take) {
  let size = 0;
  const failure = await runPerf(path, (chunk) => {
    size += chunk.length;
    take(chunk);
  });
  if (size > 0) return failure;
  throw new BadInput(
    problem({
      path: file,
      found: `a perf.data file of which perf script prints nothing${failure ? ` (${failure})` : ""}`,
      expected: "samples",
      do:
        "fold it on the host that recorded it, which has its symbols: " +
        "perfpress fold perf.data -o perf.folded.gz, or: perf script --no-inline > perf.txt; " +
        "where that fails as well, copy it again: it may not be whole",
    }),
  );
}

/**
 * @param {string} path
 * @param {import("./compression.js").Take} take
 * @returns {Promise<string | null>} how it failed, and its message
 */
function runPerf(path, take) {
  return new Promise((resolve, reject) => {
    const perf = spawn("perf", [...SCRIPT, absolute(path)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...ENVIRONMENT },
    });
    let output = "";
    perf.stderr.setEncoding("utf8").on("data", (text) => {
      if (output.length < LONGEST_COMPLAINT) output += text;
    });
    perf.stdout.on("data", (chunk) => {
      try {
        take(chunk);
      } catch (error) {
        perf.kill();
        reject(error);
      }
    });
    perf.on("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "ENOENT") resolve("perf is not installed here");
      else reject(error);
    });
    perf.on("close", (status, signal) => {
      const end = signal ? `was ended by ${signal}` : `failed with status ${status}`;
      const complaint = output
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim()
        .slice(0, LONGEST_COMPLAINT);
      resolve(status === 0 ? null : `perf script ${end}${complaint && `: ${complaint}`}`);
    });
  });
}

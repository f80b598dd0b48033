/** Reads the files that verbs and jobs name, captures and profiles alike. */

import { Buffer } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { treeOf } from "../model/event_tree.js";
import { BadInput, problem } from "../model/problems.js";
import { parseProfile } from "../model/profile_check.js";
import { readCapture, withoutWeight } from "./capture.js";
import { formatOf } from "./formats.js";
import { beginningOf, compressionOf, readDecompressed } from "./input/compression.js";
import { pipeAt } from "./input/pipe.js";
import { readOrExplain } from "./refusals.js";

/** Profiles are read whole; Node's strings end at 512 MiB. */
const LARGEST_PROFILE = 2 ** 29 - 2 ** 20;

/** A file of so many bytes is read sooner than one has waited for the threads that read. */
const SOON_READ = 2 ** 22;

/** Length of the beginning that shows whether it is speedscope's. */
const ENOUGH_TO_SEE = 2 ** 16;

/**
 * Return whether a file is a profile or, being JSON of another kind, was meant for one; what is none
 * is a capture.
 *
 * @param {import("./capture.js").CaptureFile} capture
 */
async function isProfile({ file, path, format }) {
  if (format) return false;
  const bytes = await readOrExplain(file, () => beginningOf(path, ENOUGH_TO_SEE));
  if (!/^\s*\{/.test(bytes.toString("latin1"))) return false;
  const known = formatOf(bytes, true);
  return known === null || known === "more" || known.FORMAT !== "speedscope";
}

/**
 * Return what a file or a pipe holds of each event, as readTrees() does of a file.
 *
 * @param {import("./capture.js").CaptureFile} capture
 * @returns {ReturnType<typeof readCapture>}
 * @throws {BadInput}
 */
export async function readTreesOfPipe(capture) {
  const { file, path } = capture;
  return readOrExplain(file, async () => {
    const pipe = await pipeAt(path);
    if (!pipe) return readTrees(capture);
    if (await pipe.isText()) return readCapture({ ...capture, pipe });
    return pipe.asFile((path) => readTrees({ ...capture, path, sha256: pipe.sha256() }));
  });
}

/**
 * Return what a file holds of each event: a profile's own tree, or those of a capture.
 *
 * @param {import("./capture.js").CaptureFile} capture
 * @returns {ReturnType<typeof readCapture>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function readTrees(capture) {
  if (!(await isProfile(capture))) return readCapture(capture);
  const profile = await readProfile(capture.path, capture.file);
  if (profile.total === "0") throw new BadInput(withoutWeight(capture.file, [profile]));
  return { trees: [treeOf(profile)], problems: [] };
}

/**
 * @param {string} path of a profile file, plain or compressed
 * @param {string} [name] for messages
 * @returns {Promise<import("../model/profile.js").Profile>}
 * @throws {BadInput}
 */
export async function readProfile(path, name = path) {
  const soon = await readOrExplain(name, async () => smallText(path));
  return parseProfile(soon ?? (await decompressedText(path, name)), name);
}

/**
 * Return what a small file holds, read at once; null where it is larger, compressed or no file.
 *
 * @param {string} path
 */
function smallText(path) {
  if (path.endsWith(".gz")) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > SOON_READ) return null;
  const bytes = readFileSync(path);
  return compressionOf(bytes) ? null : bytes.toString("utf8");
}

/**
 * @param {string} path
 * @param {string} name for messages
 * @throws {BadInput}
 */
async function decompressedText(path, name) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  const damage = await readOrExplain(name, () =>
    readDecompressed(path, (chunk) => {
      size += chunk.length;
      if (size <= LARGEST_PROFILE) chunks.push(Buffer.from(chunk));
    }),
  );
  if (damage) {
    throw new BadInput(problem({ path: name, found: damage, do: "fold it again" }));
  }
  if (size > LARGEST_PROFILE) {
    throw new BadInput(
      problem({ path: name, found: `${size} bytes`, expected: "at most 511 MiB" }),
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * @typedef {object} CaptureRequest
 * @property {string} profile path of a profile file
 * @property {number} exposure its part among the captures: captured seconds, or 1
 */

/** @param {CaptureRequest[]} [captures] */
export function readCaptures(captures = []) {
  return Promise.all(
    captures.map(async ({ profile, exposure }) => ({
      profile: await readProfile(profile),
      exposure,
    })),
  );
}

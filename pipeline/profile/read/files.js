/** Reads the files that verbs and jobs name, captures and profiles alike. */

import { Buffer } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { treeOf } from "../model/event_tree.js";
import { BadInput, problem } from "../model/problems.js";
import { parseProfile } from "../model/profile_check.js";
import { readCapture, withoutWeight } from "./capture.js";
import { beginningOf, compressionOf, readDecompressed } from "./input/compression.js";
import { pipeAt } from "./input/pipe.js";
import { readOrExplain } from "./refusals.js";

/** Profiles are read whole; Node's strings end at 512 MiB. */
const LARGEST_PROFILE = 2 ** 29 - 2 ** 20;

/** Up to this size, reading a file at once is faster than waiting for Node's I/O threads. */
const SOON_READ = 2 ** 22;

/** Bytes that are enough to recognise a profile, which begins with its format. */
const ENOUGH_TO_SEE = 2 ** 12;

/**
 * Return whether a file is a profile of ours, or a broken one; any other file is a capture.
 *
 * @param {import("./capture.js").CaptureFile} capture
 */
async function isProfile({ file, path, format }) {
  if (format) return false;
  const bytes = await readOrExplain(file, () => beginningOf(path, ENOUGH_TO_SEE));
  return /^\s*\{\s*"format"\s*:\s*"perfpress/.test(bytes.toString("latin1"));
}

/**
 * Return one tree per event of a file or a pipe.
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
 * Return one tree per event of a file: the tree of a profile, or those of a capture.
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
 * Read a small file at once; null where it is larger, compressed or not a file.
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
 * @property {number} exposure captured seconds, or 1 where they are unknown
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

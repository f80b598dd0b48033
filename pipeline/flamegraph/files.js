/** Reads and writes the files that verbs and jobs name. */

import { Buffer } from "node:buffer";
import {
  createWriteStream,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { formatColumns } from "./columns.js";
import { treeOf } from "./event_tree.js";
import { BadInput, problem } from "./problems.js";
import { parseProfile } from "./profile_check.js";
import { readCapture } from "./read/capture.js";
import { withoutWeight } from "./read/capture_problems.js";
import { beginningOf, packingOf, readUnpacked } from "./read/compression.js";
import { formatOf } from "./read/formats.js";
import { pipeAt } from "./read/pipe.js";
import { readOrExplain } from "./read/refusals.js";

/** Profiles are read whole; Node's strings end at 512 MiB. */
const LARGEST_PROFILE = 2 ** 29 - 2 ** 20;

/** A file of so many bytes is read sooner than one has waited for the threads that read. */
const SOON_READ = 2 ** 22;

/** Nothing waits in front of it: a piece is packed before the next is asked for. */
const PACKING = { level: 9, highWaterMark: 0, chunkSize: 2 ** 18 };

/** So much of a file tells whether it is speedscope's. */
const ENOUGH_TO_SEE = 2 ** 16;

/**
 * Tell whether a file is a profile or, being JSON of another kind, was meant for one; what is none
 * is a capture.
 *
 * @param {import("./read/capture.js").CaptureFile} capture
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
 * @param {import("./read/capture.js").CaptureFile} capture
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
 * @param {import("./read/capture.js").CaptureFile} capture
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
 * @returns {Promise<import("./profile.js").Profile>}
 * @throws {BadInput}
 */
export async function readProfile(path, name = path) {
  const soon = await readOrExplain(name, async () => smallText(path));
  return parseProfile(soon ?? (await unpackedText(path, name)), name);
}

/**
 * Return what a small file holds, read at once; null where it is larger, packed or no file.
 *
 * @param {string} path
 */
function smallText(path) {
  if (path.endsWith(".gz")) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size > SOON_READ) return null;
  const bytes = readFileSync(path);
  return packingOf(bytes) ? null : bytes.toString("utf8");
}

/**
 * @param {string} path
 * @param {string} name for messages
 * @throws {BadInput}
 */
async function unpackedText(path, name) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  const damage = await readOrExplain(name, () =>
    readUnpacked(path, (chunk) => {
      size += chunk.length;
      if (size <= LARGEST_PROFILE) chunks.push(Buffer.from(chunk));
    }),
  );
  if (damage && damage.kind !== "behind") {
    throw new BadInput(problem({ path: name, found: damage.found, do: "fold it again" }));
  }
  if (size > LARGEST_PROFILE) {
    throw new BadInput(
      problem({ path: name, found: `${size} bytes`, expected: "at most 511 MiB" }),
    );
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * @param {string} path compressed where it ends in `.gz`
 * @param {import("./profile.js").Profile} profile
 */
export async function writeProfile(path, profile) {
  await writeText(path, formatColumns(profile));
}

/**
 * @param {string} path compressed where it ends in `.gz`
 * @param {string} text
 */
export async function writeText(path, text) {
  if (path.endsWith(".gz")) return writePieces(path, [text]);
  const partial = `${path}.partial`;
  try {
    // At once: for a small file, waiting for the threads that write takes longer than writing.
    writeFileSync(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Write a file under a temporary name, then rename it: it is there whole or not at all. The same text
 * gives the same bytes, compressed too: Node's gzip writes no name and no time.
 *
 * @param {string} path compressed where it ends in `.gz`
 * @param {Iterable<string | Uint8Array>} pieces each good until the next is asked for
 */
export async function writePieces(path, pieces) {
  const partial = `${path}.partial`;
  try {
    if (path.endsWith(".gz"))
      await pipeline(pieces, createGzip(PACKING), createWriteStream(partial));
    else await writeFile(partial, pieces);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

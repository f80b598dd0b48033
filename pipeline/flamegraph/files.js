/** Reads and writes the files that verbs and jobs name. */

import { Buffer } from "node:buffer";
import { rename, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { formatColumns } from "./columns.js";
import { BadInput, problem } from "./problems.js";
import { parseProfile } from "./profile_check.js";
import { foldCapture, readOrExplain, withoutWeight } from "./read/capture.js";
import { readUnpacked } from "./read/compression.js";

/** Profiles are read whole; Node's strings end at 512 MiB. */
const LARGEST_PROFILE = 2 ** 29 - 2 ** 20;

/**
 * Tell whether a file is a profile, by its name; what is none is a capture.
 *
 * @param {string} path
 */
function isProfile(path) {
  return /\.json(?:\.gz|\.zst|\.xz)?$/.test(path);
}

/**
 * Return the profiles in a file, one an event: a profile's own, or those of a capture.
 *
 * @param {import("./read/capture.js").CaptureFile} capture
 * @returns {Promise<{ profiles: import("./profile.js").Profile[], problems: import("./problems.js").Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function readProfiles(capture) {
  if (!isProfile(capture.path)) return foldCapture(capture);
  const profile = await readProfile(capture.path, capture.file);
  if (profile.total === "0") throw new BadInput(withoutWeight(capture.file, [profile]));
  return { profiles: [profile], problems: [] };
}

/**
 * @param {string} path of a profile file, plain or compressed
 * @param {string} [name] for messages
 * @returns {Promise<import("./profile.js").Profile>}
 * @throws {BadInput}
 */
export async function readProfile(path, name = path) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  const damage = await readOrExplain(name, () =>
    readUnpacked(path, (chunk) => {
      size += chunk.length;
      if (size <= LARGEST_PROFILE) chunks.push(Uint8Array.from(chunk));
    }),
  );
  if (damage) throw new BadInput(problem({ path: name, found: damage, do: "fold it again" }));
  if (size > LARGEST_PROFILE) {
    throw new BadInput(
      problem({ path: name, found: `${size} bytes`, expected: "at most 511 MiB" }),
    );
  }
  return parseProfile(Buffer.concat(chunks).toString("utf8"), name);
}

/**
 * @param {string} path compressed where it ends in `.gz`
 * @param {import("./profile.js").Profile} profile
 */
export async function writeProfile(path, profile) {
  await writeText(path, formatColumns(profile));
}

/**
 * Write a file under a temporary name, then rename it: it is there whole or not at all. The same text
 * gives the same bytes, compressed too: Node's gzip writes no name and no time.
 *
 * @param {string} path compressed where it ends in `.gz`
 * @param {string} text
 */
export async function writeText(path, text) {
  const partial = `${path}.partial`;
  try {
    await writeFile(partial, path.endsWith(".gz") ? gzipSync(text, { level: 9 }) : text);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

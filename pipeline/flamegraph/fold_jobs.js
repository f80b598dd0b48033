/** The jobs that make call trees: `fold`, `merge`, `folded`. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { readProfile, readProfiles, writeProfile, writeText } from "./files.js";
import { mergeProfiles } from "./merge.js";
import { BadInput } from "./problems.js";
import { formatFolded } from "./write/folded.js";

/**
 * @typedef {object} FoldRequest
 * @property {import("./read/capture.js").CaptureFile[]} captures
 * @property {string} out directory for the profiles, `0.json` and so on
 *
 * @typedef {object} WrittenProfile
 * @property {string} event
 * @property {string} unit
 * @property {string} path within the job's `out`, or as the request names it
 * @property {string} total exact and unscaled, in decimal digits
 * @property {number | null} samples
 * @property {import("./profile.js").Capture[]} captures
 */

/**
 * Fold captures into one profile an event. A capture that cannot be read is a problem, the others
 * still fold.
 *
 * @param {FoldRequest} request
 */
export async function fold({ captures, out }) {
  const { profiles, problems } = await foldFiles(captures);
  await mkdir(out, { recursive: true });
  const written = [];
  for (const [index, profile] of profiles.entries()) {
    await writeProfile(join(out, `${index}.json`), profile);
    written.push(writtenProfile(profile, `${index}.json`));
  }
  return { profiles: written, problems };
}

/**
 * Return the profiles of several files, those of one event merged, by event.
 *
 * @param {import("./read/capture.js").CaptureFile[]} files
 */
export async function foldFiles(files) {
  /** @type {Map<string, import("./profile.js").Profile[]>} */
  const byEvent = new Map();
  /** @type {import("./problems.js").Problem[]} */
  const problems = [];
  for (const file of files) {
    try {
      const read = await readProfiles(file);
      problems.push(...read.problems);
      for (const profile of read.profiles) {
        const same = byEvent.get(profile.event);
        if (same) same.push(profile);
        else byEvent.set(profile.event, [profile]);
      }
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.problems);
    }
  }
  const events = [...byEvent.keys()].sort();
  const profiles = events.map((event) => mergeProfiles(byEvent.get(event) ?? []));
  return { profiles, problems };
}

/**
 * Merge profiles of one event.
 *
 * @param {{ profiles: string[], out: string }} request paths of profile files
 */
export async function merge({ profiles: paths, out }) {
  const profiles = [];
  for (const path of paths) profiles.push(await readProfile(path));
  const merged = mergeProfiles(profiles, paths);
  await writeProfile(out, merged);
  return writtenProfile(merged, out);
}

/**
 * Write a profile as folded stacks.
 *
 * @param {{ profile: string, out: string }} request paths; compressed where `out` ends in `.gz`
 */
export async function folded({ profile: path, out }) {
  const text = formatFolded(await readProfile(path));
  await writeText(out, text);
  return { bytes: Buffer.byteLength(text) };
}

/**
 * @param {import("./profile.js").Profile} profile
 * @param {string} path
 * @returns {WrittenProfile}
 */
function writtenProfile({ event, unit, total, samples, captures }, path) {
  return { event, unit, path, total, samples, captures };
}

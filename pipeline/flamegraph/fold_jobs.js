/** The jobs that make call trees: `fold`, `merge`, `folded`; and `recognise`, which tells captures. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { addTree, profilesOf, treeOf } from "./event_tree.js";
import { readProfile, readTrees, writePieces, writeProfile } from "./files.js";
import { BadInput } from "./problems.js";
import { recogniseFile } from "./read/recognise.js";
import { foldedProfile } from "./write/folded.js";

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
  const { trees, problems } = await foldFiles(captures);
  await mkdir(out, { recursive: true });
  const written = [];
  for (const [index, profile] of (await profilesOf(trees)).entries()) {
    await writeProfile(join(out, `${index}.json`), profile);
    written.push(writtenProfile(profile, `${index}.json`));
  }
  return { profiles: written, problems };
}

/**
 * Return a tree for each event of several files, sorted by event. A file is added and forgotten before the
 * next is read.
 *
 * @param {import("./read/capture.js").CaptureFile[]} files
 */
export async function foldFiles(files) {
  /** @type {Map<string, import("./event_tree.js").EventTree>} */
  const byEvent = new Map();
  /** @type {import("./problems.js").Problem[]} */
  const problems = [];
  for (const file of files) {
    try {
      const read = await readTrees(file);
      problems.push(...read.problems);
      for (const tree of read.trees) {
        const sum = byEvent.get(tree.event);
        if (sum) addTree(sum, tree, file.file);
        else byEvent.set(tree.event, tree);
      }
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.problems);
    }
  }
  const trees = [...byEvent.values()].sort((a, b) => (a.event < b.event ? -1 : 1));
  return { trees, problems };
}

/**
 * Merge profiles of one event: a profile is added and forgotten before the next is read.
 *
 * @param {{ profiles: string[], out: string }} request paths of profile files
 */
export async function merge({ profiles: [first, ...others], out }) {
  const sum = treeOf(await readProfile(first));
  for (const path of others) addTree(sum, treeOf(await readProfile(path)), path);
  const [merged] = await profilesOf([sum]);
  await writeProfile(out, merged);
  return writtenProfile(merged, out);
}

/**
 * Write a profile as folded stacks.
 *
 * @param {{ profile: string, out: string }} request paths; compressed where `out` ends in `.gz`
 */
export async function folded({ profile, out }) {
  await writePieces(out, foldedProfile(await readProfile(profile)));
  return {};
}

/**
 * @param {import("./profile.js").Profile} profile
 * @param {string} path
 * @returns {WrittenProfile}
 */
function writtenProfile({ event, unit, total, samples, captures }, path) {
  return { event, unit, path, total, samples, captures };
}

/**
 * Tell which format a file is of; null where it is no capture.
 *
 * @param {{ path: string }} request
 */
export async function recognise({ path }) {
  return { format: await recogniseFile(path) };
}

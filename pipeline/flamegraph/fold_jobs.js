/** The jobs that make call trees: `fold`, `merge`, `folded`; and `recognise`, which tells captures. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EventSums } from "./event_sums.js";
import { profilesOf, treeOf } from "./event_tree.js";
import { readProfile, readTrees, writePieces, writeProfile } from "./files.js";
import { BadInput, problem } from "./problems.js";
import { recogniseFile } from "./read/recognise.js";
import { readOrExplain } from "./read/refusals.js";
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
 * @param {typeof readTrees} read a pipe keeps waiting who reads it, so jobs read files only
 */
export async function foldFiles(files, read = readTrees) {
  const sums = new EventSums();
  /** @type {import("./problems.js").Problem[]} */
  const problems = [];
  for (const file of files) {
    try {
      const { trees, problems: told } = await read(file);
      problems.push(...told);
      for (const tree of trees) sums.add(tree, file.file);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.problems);
    }
  }
  const { trees, problems: unlike } = sums.finish();
  return { trees, problems: [...problems, ...unlike] };
}

/**
 * Merge profiles of one event: a profile is added and forgotten before the next is read.
 *
 * @param {{ profiles: string[], out: string }} request paths of profile files
 */
export async function merge({ profiles: paths, out }) {
  const sums = new EventSums();
  for (const path of paths) {
    const profile = await readProfile(path);
    sums.add(treeOf(profile), profile.captures[0]?.file ?? path);
  }
  const { trees, problems } = sums.finish();
  if (trees.length > 1) throw new BadInput(severalEvents(paths, trees));
  const [merged] = await profilesOf(trees);
  await writeProfile(out, merged);
  return { ...writtenProfile(merged, out), problems };
}

/**
 * @param {string[]} paths
 * @param {import("./event_tree.js").EventTree[]} trees
 */
function severalEvents(paths, trees) {
  return problem({
    path: paths[0],
    found: `the events ${trees.map(({ event }) => event).join(", ")}`,
    expected: "profiles of one event",
  });
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
  return { format: await readOrExplain(path, () => recogniseFile(path)) };
}

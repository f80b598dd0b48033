/** The jobs that make profiles and files of them, and `recognise`, which names the format of a capture. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { captureWeights, overdispersionOf } from "../diff/capture_weights.js";
import { EventSums, treeOf } from "../model/event_tree.js";
import { BadInput, problem } from "../model/problems.js";
import { recogniseFile } from "../read/detection.js";
import { readCaptures, readProfile } from "../read/files.js";
import { foldFiles, profilesOf } from "../read/fold.js";
import { readOrExplain } from "../read/refusals.js";
import { writePieces, writeProfile } from "../write/files.js";
import { foldedProfile } from "../write/folded.js";

/** @typedef {import("../../messages.js").Jobs} Jobs */

/**
 * Fold captures into one profile an event. A capture that cannot be read is a problem, the others
 * still fold.
 *
 * @param {Jobs["fold"]["request"]} request
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
 * Merge profiles of one event: a profile is added and forgotten before the next is read.
 *
 * @param {Jobs["merge"]["request"]} request
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
  return { profile: writtenProfile(merged, out), problems };
}

/**
 * @param {string[]} paths
 * @param {import("../model/event_tree.js").EventTree[]} trees
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
 * @param {Jobs["folded"]["request"]} request
 * @returns {Promise<Jobs["folded"]["answer"]>}
 */
export async function folded({ profile, out }) {
  await writePieces(out, foldedProfile(await readProfile(profile)));
  return {};
}

/**
 * @param {import("../model/profile.js").Profile} profile
 * @param {string} path
 * @returns {import("../../messages.js").WrittenProfile}
 */
function writtenProfile({ event, unit, total, samples, captures }, path) {
  return { event, unit, path, total, samples, captures };
}

/**
 * Return the format of a file; null where it is not a capture.
 *
 * @param {Jobs["recognise"]["request"]} request
 * @returns {Promise<Jobs["recognise"]["answer"]>}
 */
export async function recognise({ path }) {
  return { format: await readOrExplain(path, () => recogniseFile(path)) };
}

/**
 * Write what the single captures of a profile weigh on its nodes.
 *
 * @param {Jobs["captures"]["request"]} request
 * @returns {Promise<Jobs["captures"]["answer"]>}
 */
export async function captures({ profile, captures: parts, out }) {
  const whole = await readProfile(profile);
  const weighed = captureWeights(whole, await readCaptures(parts));
  await writePieces(out, [JSON.stringify(weighed)]);
  return { captures: weighed.captures.length, overdispersion: overdispersionOf(whole, weighed) };
}

/** Folds captures and profiles into one tree an event, and trees into profiles. */

import { EventSums } from "../model/event_tree.js";
import { BadInput } from "../model/problems.js";
import { readTrees } from "./files.js";
import { sha256Of } from "./input/compression.js";

/** @typedef {import("../model/event_tree.js").EventTree} EventTree */

/**
 * Return one tree per event of several files, sorted by event. Only one file is in memory at a time.
 *
 * @param {import("./capture.js").CaptureFile[]} files
 * @param {typeof readTrees} read jobs read files only: reading a pipe could wait forever
 */
export async function foldFiles(files, read = readTrees) {
  const sums = new EventSums();
  /** @type {import("../model/problems.js").Problem[]} */
  const problems = [];
  for (const file of files) {
    try {
      const { trees, problems: found } = await read(file);
      problems.push(...found);
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
 * Return the profiles of trees. Files whose checksum is unknown are read once more to compute it, which
 * is why trees do not have it.
 *
 * @param {EventTree[]} trees
 * @returns {Promise<import("../model/profile.js").Profile[]>}
 */
export async function profilesOf(trees) {
  /** @type {Map<string, string>} */
  const checksums = new Map();
  for (const { sha256, path } of trees.flatMap(({ captures }) => captures)) {
    if (sha256 === null && !checksums.has(path)) checksums.set(path, await sha256Of(path));
  }
  return trees.map(({ builder, captures, ...about }) =>
    builder.build({
      ...about,
      captures: captures.map(({ path, ...capture }) => ({
        ...capture,
        sha256: capture.sha256 ?? checksums.get(path) ?? "",
      })),
    }),
  );
}

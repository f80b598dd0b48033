/** What captures hold of one event, before it is a profile: it can still grow by other captures. */

import { BadInput, problem } from "./problems.js";
import { exactWeight, selfWeights } from "./profile.js";
import { ProfileBuilder } from "./profile_builder.js";
import { sha256Of } from "./read/compression.js";
import { decimalsOf, wholeUnit } from "./units.js";

/**
 * @typedef {object} EventTree
 * @property {string} event
 * @property {string} unit what a weight of 1 counts, with the builder's decimals
 * @property {ProfileBuilder} builder
 * @property {number | null} samples how many there were, where the captures tell
 * @property {boolean} samplesByNode whether the builder knows the samples of each node
 * @property {UncheckedCapture[]} captures
 *
 * @typedef {Omit<import("./profile.js").Capture, "sha256"> & Unchecked} UncheckedCapture
 *
 * @typedef {object} Unchecked
 * @property {string | null} sha256 null where nobody has asked for it yet
 * @property {string} path where the file lies
 */

/**
 * Return the profiles of trees. The files whose checksums are not known are read once more; who
 * writes no profile is spared that.
 *
 * @param {EventTree[]} trees
 * @returns {Promise<import("./profile.js").Profile[]>}
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

/**
 * Return the tree of a profile.
 *
 * @param {import("./profile.js").Profile} profile
 * @returns {EventTree}
 */
export function treeOf(profile) {
  const { event, unit, samples, self_samples } = profile;
  const builder = new ProfileBuilder();
  builder.refine(decimalsOf(unit));
  addNodes(builder, { ...profile, self: selfWeights(profile) }, self_samples);
  const captures = profile.captures.map((capture) => ({ ...capture, path: "" }));
  return { event, unit, builder, samples, samplesByNode: self_samples !== null, captures };
}

/**
 * Add nodes in columns, parents first, to a builder that counts in the same unit.
 *
 * @param {ProfileBuilder} builder
 * @param {import("./write/folded.js").WeighedNodes} nodes
 * @param {ArrayLike<number> | null} samples of each node, where they are known
 */
export function addNodes(builder, { names, classes, parent, name, self, scale }, samples) {
  const frames = names.map((text, index) => builder.frame(text, classes[index]));
  const nodes = new Int32Array(parent.length);
  for (let node = 0; node < nodes.length; node++) {
    if (node > 0) nodes[node] = builder.child(nodes[parent[node]], frames[name[node]]);
    const quick = Number(self[node]) * scale;
    const weight = Number.isSafeInteger(quick) ? quick : exactWeight({ scale }, self[node]);
    builder.add(nodes[node], weight, samples?.[node] ?? 0);
  }
}

/**
 * Add a tree to another that counts the same. The order in which trees are added does not matter.
 *
 * @param {EventTree} sum
 * @param {EventTree} tree
 * @param {string} path of the tree's file, for messages
 * @throws {BadInput} where it counts another event, or in another unit
 */
export function addTree(sum, tree, path) {
  const [found, expected] = [tree, sum].map(countedIn);
  if (found !== expected) {
    const todo = "choose profiles of one event and unit";
    throw new BadInput(problem({ path, found, expected, do: todo }));
  }
  const finest = decimalsOf(tree.unit) > decimalsOf(sum.unit) ? tree.unit : sum.unit;
  sum.captures = [...capturesIn(sum, finest), ...capturesIn(tree, finest)];
  sum.unit = finest;
  sum.builder.refine(decimalsOf(finest));
  sum.builder.addAll(tree.builder);
  sum.samplesByNode &&= tree.samplesByNode;
  sum.samples = sum.samples === null || tree.samples === null ? null : sum.samples + tree.samples;
}

/**
 * Return the captures of a tree, their weights in another unit, as fine or finer.
 *
 * @param {EventTree} tree
 * @param {string} unit
 */
function capturesIn({ captures, unit: own }, unit) {
  if (unit === own) return captures;
  const finer = 10n ** BigInt(decimalsOf(unit) - decimalsOf(own));
  return captures.map((each) => ({ ...each, weight: String(BigInt(each.weight) * finer) }));
}

/** @param {EventTree} tree */
function countedIn({ event, unit }) {
  return `the event ${event} in ${wholeUnit(unit)}`;
}

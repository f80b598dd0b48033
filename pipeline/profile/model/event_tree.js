/** Call trees of one event each, merged from captures before they become profiles. */

import { libraryNames } from "./libraries.js";
import { BadInput, problem } from "./problems.js";
import { exactWeight, selfWeights } from "./profile.js";
import { ProfileBuilder } from "./profile_builder.js";
import { decimalsOf, unitOf, wholeUnit } from "./units.js";

/**
 * @typedef {object} EventTree
 * @property {string} event
 * @property {string} unit what a weight of 1 counts, with the builder's decimals
 * @property {ProfileBuilder} builder
 * @property {number | null} samples how many there were, null where a capture does not state it
 * @property {boolean} samplesByNode whether the builder knows the samples of each node
 * @property {UncheckedCapture[]} captures
 *
 * @typedef {Omit<import("./profile.js").Capture, "sha256"> & Unchecked} UncheckedCapture
 *
 * @typedef {object} Unchecked
 * @property {string | null} sha256 null until it is computed
 * @property {string} path where the file is
 *
 * @typedef {object} WeighedNodes
 * @property {string[]} names
 * @property {number[]} classes
 * @property {string[]} library by name (libraries.js)
 * @property {ArrayLike<number>} parent
 * @property {ArrayLike<number>} name
 * @property {import("../model/profile.js").Weights} self
 * @property {number} scale
 */

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
  const nodes = { ...profile, library: libraryNames(profile), self: selfWeights(profile) };
  addNodes(builder, nodes, self_samples);
  const captures = profile.captures.map((capture) => ({ ...capture, path: "" }));
  return { event, unit, builder, samples, samplesByNode: self_samples !== null, captures };
}

/**
 * Add nodes in columns, parents first, to a builder that counts in the same unit.
 *
 * @param {ProfileBuilder} builder
 * @param {WeighedNodes} nodesOfTree
 * @param {ArrayLike<number> | null} samples of each node, where they are known
 */
export function addNodes(builder, nodesOfTree, samples) {
  const { names, classes, library, parent, name, self, scale } = nodesOfTree;
  const frames = names.map((text, index) => builder.frame(text, classes[index], library[index]));
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

/**
 * The merged captures of one event and unit.
 *
 * @typedef {object} EventSum
 * @property {EventTree} tree
 * @property {string[]} files
 */

/** Merges the captures of each event. */
export class EventSums {
  /** @type {Map<string, Map<string, EventSum>>} by event, then by unit */
  #events = new Map();

  /**
   * @param {EventTree} tree
   * @param {string} file that it was read from
   */
  add(tree, file) {
    const unit = wholeUnit(tree.unit);
    let units = this.#events.get(tree.event);
    if (!units) {
      units = new Map();
      this.#events.set(tree.event, units);
    }
    const sum = units.get(unit);
    if (!sum) {
      units.set(unit, { tree, files: [file] });
      return;
    }
    addTree(sum.tree, tree, file);
    sum.files.push(file);
  }

  /**
   * Return a tree an event, sorted by event. Where captures of one event count different things,
   * such as samples and cycles, which cannot be added, the unit of most captures is kept.
   */
  finish() {
    const trees = [];
    const problems = [];
    for (const [event, units] of [...this.#events].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [[unit, chosen], ...others] = [...units].sort(
        ([unitA, a], [unitB, b]) =>
          b.files.length - a.files.length ||
          Number(unitB === unitOf(event)) - Number(unitA === unitOf(event)) ||
          (unitA < unitB ? -1 : 1),
      );
      trees.push(chosen.tree);
      for (const [other, { files }] of others) {
        for (const file of files) problems.push(leftOut(file, event, other, unit));
      }
    }
    return { trees, problems };
  }
}

/**
 * @param {string} file
 * @param {string} event
 * @param {string} unit
 * @param {string} expected
 */
function leftOut(file, event, unit, expected) {
  return problem({
    path: file,
    found: `${event} measured in ${unit}`,
    expected: `${expected}, as most captures beside it have it`,
    do: "it is left out, because the two cannot be added: fold it again as the others were",
  });
}

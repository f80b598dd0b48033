/**
 * The inverted tree: every function by its own weight, with its callers, the leaves first and the
 * heaviest of them on the left.
 *
 *     all                all
 *       main               memcmp          own weight
 *         sort               sort            called from
 *           memcmp             main
 *         scan               scan
 *           memcmp             main
 *
 * Call paths that hold less than `THIN` of the weight end where they become so thin: a tree of all
 * callers of all leaves has a multiple of the frames, and they could not be seen.
 */

import { withRestInSelf } from "./function_tree.js";
import { NewTree, rebuilt, SELF } from "./rebuild.js";

/** @typedef {import("./rebuild.js").Columns} Columns */

/** Part of the whole below which callers are not followed. */
export const THIN = 1 / 5000;

/**
 * @param {Columns} data
 * @returns {Columns} with the same weights
 */
export function leafTree(data) {
  const { parent, name } = data;
  const own = withRestInSelf(data);
  const weights = ownWeights(own);
  const least = THIN * weights.reduce((sum, weight) => sum + weight, 0);
  const tree = new NewTree(name[0]);
  const target = new Int32Array(parent.length);
  /** @type {[number, number][]} */
  const frames = [[0, 0]];
  /** Of the new nodes. */
  const sums = [0];
  /** Groups of leaves with one call path so far: their frames there, and the new node of it. */
  const leaves = Array.from(weights.keys()).filter((node) => node > 0 && weights[node] > 0);
  const waiting = [{ leaves, at: leaves, end: 0 }];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    for (const [child, below] of byName(group, tree, name)) {
      let weight = 0;
      for (let i = 0; i < below.leaves.length; i++) {
        target[below.leaves[i]] = child;
        frames.push([below.at[i], child]);
        weight += weights[below.leaves[i]];
      }
      sums[child] = weight;
      if (weight < least) continue;
      const goesOn = below.leaves.map((_, i) => parent[below.at[i]] > 0);
      waiting.push({
        leaves: below.leaves.filter((_, i) => goesOn[i]),
        at: below.at.filter((_, i) => goesOn[i]).map((node) => parent[node]),
        end: child,
      });
    }
  }
  return {
    ...rebuilt(withNoiseOfSelf(own), tree, { weight: target, frames }, sums),
    sections: [
      { first: 0, end: tree.parent.length, callers: true, continues: false, title: "Leaf first" },
    ],
  };
}

/**
 * @param {{ leaves: number[], at: number[], end: number }} group
 * @param {NewTree} tree
 * @param {number[]} name
 * @returns {Map<number, { leaves: number[], at: number[] }>} by the new node
 */
function byName({ leaves, at, end }, tree, name) {
  const found = new Map();
  for (let i = 0; i < leaves.length; i++) {
    const child = tree.child(end, name[at[i]]);
    const known = found.get(child);
    if (known) {
      known.leaves.push(leaves[i]);
      known.at.push(at[i]);
    } else found.set(child, { leaves: [leaves[i]], at: [at[i]] });
  }
  return found;
}

/**
 * @param {Columns} data
 * @returns {Float64Array} by node: of both sides of a diff together
 */
function ownWeights(data) {
  /** @type {Record<string, any>} */
  const columns = data;
  const weights = new Float64Array(data.parent.length);
  for (const key of SELF) {
    columns[key]?.forEach((/** @type {number | string} */ weight, /** @type {number} */ node) => {
      weights[node] += Number(weight);
    });
  }
  return weights;
}

/**
 * Let the noise of each frame's own weight be that of the frame, which it goes on as.
 *
 * @param {Columns} data
 * @returns {Columns} whose frames have no callers, so that what two of them add is counted twice nowhere
 */
function withNoiseOfSelf(data) {
  const leaves = { ...data, parent: data.parent.map(() => 0) };
  /** @type {Record<string, unknown>} */
  const columns = leaves;
  for (const key of Object.keys(columns)) {
    const ofSelf = columns[`self_${key}`];
    if (!key.startsWith("noise_") || !Array.isArray(columns[key]) || !Array.isArray(ofSelf))
      continue;
    const [whole] = columns[key];
    columns[key] = [whole, ...ofSelf.slice(1)];
  }
  return leaves;
}

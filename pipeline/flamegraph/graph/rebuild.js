/**
 * Rebuilds a call tree after nodes were merged, moved or dropped: every weight column follows, to the
 * unit. `function_tree.js`, the merging below and `edits.js` say which.
 *
 * @typedef {import("./profile_graph.js").DrawnProfile | import("./diff_graph.js").DrawnDiff} Columns
 *   a profile, a diff, or an excerpt of either
 */

import { functionIds } from "../../profile/model/function_names.js";
import { NOISE_COLUMNS } from "./basis.js";

/** Weights of nodes alone, in whatever file; of what an excerpt left out below, with `rest` for `self`. */
export const SELF = ["self", "base_self", "after_self"];

/** Weights per node: they add up where nodes merge. */
const WEIGHTS = [
  ...SELF,
  ...SELF.map((key) => key.replace("self", "rest")),
  "self_samples",
  "gone_rest",
  "new_rest",
];

/** Bits per node: what is true of one of the merged is true of the new. */
const MARKS = /** @type {const} */ (["present", "shared_out"]);

/** The columns that have a value for each node. */
export const PER_NODE = new Set(["parent", "name", ...WEIGHTS, ...MARKS, ...NOISE_COLUMNS]);

/** A tree of names that grows from its root, which is node 0. */
export class NewTree {
  /** @param {number} name index of the root's name */
  constructor(name) {
    /** @type {number[]} */
    this.parent = [-1];
    this.name = [name];
    /** @type {Map<number, number>[]} by node: its children by name */
    this.children = [new Map()];
  }

  /**
   * Return the child of that name, a new one where there is none.
   *
   * @param {number} node
   * @param {number} name
   */
  child(node, name) {
    const known = this.children[node].get(name);
    if (known !== undefined) return known;
    const made = this.parent.length;
    this.parent.push(node);
    this.name.push(name);
    this.children.push(new Map());
    this.children[node].set(name, made);
    return made;
  }
}

/**
 * @typedef {object} Moves where the nodes of a tree go
 * @property {ArrayLike<number>} weight by old node: the new one that gets its weight, or -1
 * @property {[number, number][]} frames old and new nodes that are the same frame
 */

/**
 * @param {Columns} data
 * @param {NewTree} tree
 * @param {Moves} moves
 * @param {ArrayLike<number>} [weights] by new node: the heavier of two siblings comes first
 * @returns {Columns} in preorder, siblings in the order of their weights, then of their names
 */
export function rebuilt(data, tree, moves, weights = []) {
  const byName = siblingOrder(data);
  const { name } = tree;
  const order = preorder(
    tree,
    (a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || byName(name[a], name[b]),
  );
  const position = new Int32Array(order.length);
  order.forEach((node, index) => {
    position[node] = index;
  });
  return withNodes(data, {
    parent: order.map((node) => (node === 0 ? -1 : position[tree.parent[node]])),
    name: order.map((node) => tree.name[node]),
    weight: Int32Array.from(moves.weight, (to) => (to < 0 ? -1 : position[to])),
    frames: moves.frames.map(([from, to]) => [from, position[to]]),
  });
}

/**
 * Give the weights of a tree to other nodes.
 *
 * @param {Columns} data
 * @param {{ parent: number[], name: number[] } & Moves} nodes in preorder, and what goes to which
 * @returns {Columns}
 */
export function withNodes(data, { parent, name, weight, frames }) {
  const grown = { ...data, parent, name };
  /** @type {Record<string, unknown>} columns of either format, by their names */
  const columns = grown;
  for (const key of WEIGHTS) {
    const column = columns[key];
    if (Array.isArray(column)) columns[key] = gathered(column, weight, parent.length);
  }
  for (const key of MARKS) {
    const column = columns[key];
    if (!Array.isArray(column)) continue;
    const marks = parent.map(() => 0);
    for (const [from, to] of frames) marks[to] |= column[from];
    columns[key] = marks;
  }
  const noise = rebuiltNoise(data.parent, parent, weight);
  for (const key of NOISE_COLUMNS) {
    const column = columns[key];
    if (Array.isArray(column)) columns[key] = noise(column, key.startsWith("self_"));
  }
  return grown;
}

/**
 * Add up a column of weights; those in decimal digits stay so, and exact.
 *
 * @param {(number | string)[]} column
 * @param {ArrayLike<number>} target
 * @param {number} count of new nodes
 * @returns {(number | string)[]}
 */
function gathered(column, target, count) {
  if (typeof column[0] === "string") {
    const sums = new Array(count).fill(0n);
    column.forEach((weight, node) => {
      if (target[node] >= 0) sums[target[node]] += BigInt(weight);
    });
    return sums.map(String);
  }
  const sums = new Array(count).fill(0);
  column.forEach((weight, node) => {
    if (target[node] >= 0) sums[target[node]] += Number(weight);
  });
  return sums;
}

/**
 * Compute the noise of a rebuilt diff. How captures differ on calls that are one frame now is not in the
 * file for all of them together: here it is as if they varied by themselves, as samples do, so that
 * variances add up.
 *
 * @param {number[]} parent of the tree as it was
 * @param {number[]} grown parent of the new one
 * @param {ArrayLike<number>} target by old node: the new one that gets its weight, or -1
 * @returns {(noise: number[], ofSelf: boolean) => number[]} gives a column of the old tree its new rows
 */
function rebuiltNoise(parent, grown, target) {
  return (noise, ofSelf) => {
    const squares = grown.map(() => 0);
    for (let node = 1; node < parent.length; node++) {
      const [to, above] = [target[node], target[parent[node]]];
      if (to < 0) continue;
      const square = noise[node] ** 2;
      if (ofSelf) squares[to] += square;
      // What was below the caller and is so still counts there already.
      else if (to !== above) {
        squares[to] += square;
        for (let at = grown[to]; at > 0 && at !== above; at = grown[at]) squares[at] += square;
      }
    }
    const sums = squares.map(Math.sqrt);
    if (!ofSelf) sums[0] = noise[0];
    return sums;
  };
}

/**
 * Compare names as the files order siblings: a profile by name and class, a diff by key and class.
 *
 * @param {Columns} data
 * @returns {(a: number, b: number) => number}
 */
function siblingOrder({ format, names, keys, classes }) {
  const texts =
    format === "perfpress-diff" ? names.map((name, index) => keys[index] ?? name) : names;
  return (a, b) => {
    if (texts[a] !== texts[b]) return texts[a] < texts[b] ? -1 : 1;
    return classes[a] - classes[b] || a - b;
  };
}

/**
 * @param {NewTree} tree
 * @param {(a: number, b: number) => number} compare nodes
 */
function preorder({ children }, compare) {
  const order = [];
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node);
    // The last first, so that the first is the next.
    const below = [...children[node].values()].sort((a, b) => compare(b, a));
    for (const child of below) waiting.push(child);
  }
  return order;
}

/**
 * Return the key of each name: what decides what is the same function.
 *
 * @param {Columns} data
 * @returns {string[]}
 */
export function keysOf({ names, keys }) {
  return names.map((name, index) => keys[index] ?? name);
}

/**
 * Merge frames into their callers, which get their weight and their callees: `a > b > c` without `b` is
 * `a > c`, and without direct recursion `a > a > b` is `a > b`.
 *
 * @param {Columns} data
 * @param {ArrayLike<number>} isMerged by name
 * @param {boolean} mergesRecursion
 * @returns {Columns} with the same weights
 */
export function merged(data, isMerged, mergesRecursion) {
  const { parent, name } = data;
  const ids = functionIds(data);
  const tree = new NewTree(name[0]);
  const weight = new Int32Array(parent.length);
  /** @type {[number, number][]} */
  const frames = [[0, 0]];
  for (let node = 1; node < parent.length; node++) {
    const caller = weight[parent[node]];
    const recurs = mergesRecursion && caller !== 0 && ids[tree.name[caller]] === ids[name[node]];
    weight[node] = recurs || isMerged[name[node]] ? caller : tree.child(caller, name[node]);
    if (!isMerged[name[node]]) frames.push([node, weight[node]]);
  }
  return rebuilt(data, tree, { weight, frames });
}

/**
 * Trees grown anew from a profile's or a diff's columns: nodes merge, move or go, and every weight
 * column follows, to the unit. `function_tree.js`, `recursion.js` and `idle.js` say how.
 *
 * @typedef {import("./profile_graph.js").DrawnProfile | import("./diff_graph.js").DrawnDiff} Columns
 *   a profile, a diff, or an excerpt of either
 */

import { NOISE_COLUMNS } from "./basis.js";
import { regrownNoise } from "./regrown_noise.js";

/** Weights per node, in whatever file: they add up where nodes merge. */
const WEIGHTS = /** @type {const} */ ([
  "self",
  "rest",
  "self_samples",
  "base_self",
  "after_self",
  "base_rest",
  "after_rest",
  "gone_rest",
  "new_rest",
]);

/** Bits per node: what is true of one of the merged is true of the new. */
const MARKS = /** @type {const} */ (["present", "shared_out"]);

/** The columns that have a value for each node. */
export const PER_NODE = new Set(["parent", "name", ...WEIGHTS, ...MARKS, ...NOISE_COLUMNS]);

/** A tree of names that grows from its root, which is node 0. */
export class Growing {
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
 * @param {Growing} tree
 * @param {Moves} moves
 * @returns {Columns} in preorder, siblings in the order of their names
 */
export function regrown(data, tree, moves) {
  const order = preorder(tree, siblingOrder(data));
  const position = new Int32Array(order.length);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const grown = { ...data };
  grown.parent = order.map((node) => (node === 0 ? -1 : position[tree.parent[node]]));
  grown.name = order.map((node) => tree.name[node]);
  /** @type {Record<string, unknown>} columns of either format, by their names */
  const columns = grown;
  for (const key of WEIGHTS) {
    const column = columns[key];
    if (Array.isArray(column)) columns[key] = gathered(column, moves.weight, position);
  }
  for (const key of MARKS) {
    const column = columns[key];
    if (!Array.isArray(column)) continue;
    const marks = order.map(() => 0);
    for (const [from, to] of moves.frames) marks[position[to]] |= column[from];
    columns[key] = marks;
  }
  const noise = regrownNoise(
    data.parent,
    grown.parent,
    (node) => position[moves.weight[node]] ?? -1,
  );
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
 * @param {Int32Array} position
 * @returns {(number | string)[]}
 */
function gathered(column, target, position) {
  if (typeof column[0] === "string") {
    const sums = Array.from(position, () => 0n);
    column.forEach((weight, node) => {
      if (target[node] >= 0) sums[position[target[node]]] += BigInt(weight);
    });
    return sums.map(String);
  }
  const sums = Array.from(position, () => 0);
  column.forEach((weight, node) => {
    if (target[node] >= 0) sums[position[target[node]]] += Number(weight);
  });
  return sums;
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
 * @param {Growing} tree
 * @param {(a: number, b: number) => number} compare names
 */
function preorder({ name, children }, compare) {
  const order = [];
  const waiting = [0];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node);
    // The last first, so that the first is the next.
    const below = [...children[node].values()].sort((a, b) => compare(name[b], name[a]));
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

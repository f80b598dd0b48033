/** A profile as places, each reached by calls from another. */

import { selfWeights } from "../model/profile.js";
import { callTree, subtreeEnd } from "../model/tree.js";

/**
 * The whole of a profile. Shares are counted in these units, so that no sum depends on the order in
 * which it is added up: swapping the sides of a diff must change nothing.
 */
export const WHOLE = 2 ** 40;

/**
 * All nodes of one function below one call path.
 *
 * @typedef {object} Place
 * @property {Side} side
 * @property {number} function see functions.js
 * @property {number[]} nodes
 * @property {number} part of the nodes' weight; below 1 where the place continues in several of the
 *   other side's
 * @property {number} total in units of WHOLE
 * @property {number} self in units of WHOLE
 * @property {Place[]} [calls]
 * @property {Map<number, number>} [selfs]
 */

export class Side {
  /**
   * @param {import("../model/profile.js").Profile} profile
   * @param {number} bit that of its side
   * @param {import("./functions.js").Functions} functions of both sides
   * @param {(key: string) => string} joinedKey
   */
  constructor(profile, bit, functions, joinedKey) {
    const { names, keys, classes, class_names } = profile;
    this.profile = profile;
    this.bit = bit;
    this.functions = functions;
    this.tree = callTree(profile.parent, Array.from(selfWeights(profile), Number));
    this.unit = (this.tree.total[0] || 1) / WHOLE;
    /** @type {number[]} by name */
    this.functionOf = names.map((name, index) =>
      functions.add(class_names[classes[index]], joinedKey(keys[index] ?? name), bit),
    );
  }

  /**
   * @param {Iterable<number>} nodes
   * @param {number} [part]
   * @returns {Place[]} a place for each function
   */
  group(nodes, part = 1) {
    /** @type {Map<number, Place>} */
    const places = new Map();
    for (const node of nodes) {
      const number = this.functionOf[this.profile.name[node]];
      let place = places.get(number);
      if (place === undefined) {
        place = { side: this, function: number, nodes: [], part, total: 0, self: 0 };
        places.set(number, place);
      }
      place.nodes.push(node);
      place.total += this.share(this.tree.total[node], part);
      place.self += this.share(this.tree.self[node], part);
    }
    return [...places.values()];
  }

  /**
   * @param {number} weight
   * @param {number} part
   */
  share(weight, part) {
    return Math.round((weight / this.unit) * part);
  }

  /** @param {number} node */
  *children(node) {
    const { firstChild, nextSibling } = this.tree;
    for (let at = firstChild[node]; at >= 0; at = nextSibling[at]) yield at;
  }
}

/**
 * @param {Place} place
 * @returns {Place[]}
 */
export function calls(place) {
  const { side, nodes, part } = place;
  place.calls ??= side.group(
    nodes.flatMap((node) => [...side.children(node)]),
    part,
  );
  return place.calls;
}

/**
 * @param {Place} place
 * @param {number} part
 * @returns {Place} that part of it
 */
export function partOf(place, part) {
  const { side, nodes, function: number, total, self } = place;
  return {
    side,
    nodes,
    function: number,
    part: place.part * part,
    total: Math.round(total * part),
    self: Math.round(self * part),
  };
}

/** @param {Place} place */
export function size({ side, nodes }) {
  return nodes.reduce((sum, node) => sum + subtreeEnd(side.tree, node) - node, 0);
}

/**
 * Return how much of the weight of two places belongs to the same functions, whoever calls them.
 *
 * @param {Place} some
 * @param {Place} others
 */
export function overlap(some, others) {
  const [ofSome, ofOthers] = [selfs(some), selfs(others)];
  const [few, many] = ofSome.size < ofOthers.size ? [ofSome, ofOthers] : [ofOthers, ofSome];
  let sum = 0;
  for (const [group, weight] of few) sum += Math.min(weight, many.get(group) ?? 0);
  return sum;
}

/**
 * @param {Place} place
 * @returns {Map<number, number>} by group of functions: their self weight in and below the place
 */
function selfs(place) {
  if (place.selfs) return place.selfs;
  const { side, nodes, part } = place;
  const { tree, functionOf, profile, functions } = side;
  /** @type {Map<number, number>} */
  const selfs = new Map();
  for (const node of nodes) {
    const end = subtreeEnd(tree, node);
    for (let at = node; at < end; at++) {
      if (tree.self[at] === 0) continue;
      const group = functions.group[functionOf[profile.name[at]]];
      selfs.set(group, (selfs.get(group) ?? 0) + side.share(tree.self[at], part));
    }
  }
  place.selfs = selfs;
  return selfs;
}

/**
 * The parts of a tree that are drawn by themselves: all of it, or a function with its callees, with
 * its callers, or both (function_tree.js).
 */

import { pathTo } from "../../profile/model/tree.js";

/**
 * @typedef {object} Section a part of a tree that is drawn by itself
 * @property {number} first the node that it begins with
 * @property {number} end the node after its last
 * @property {boolean} callers whether what is below `first` in the tree are its callers
 * @property {boolean} continues whether the section before it has the callers of the same function
 * @property {string} title empty for the whole tree
 */

/**
 * @param {{ parent: number[], sections?: Section[] }} data
 * @returns {Section[]}
 */
export function sectionsOf({ parent, sections }) {
  return (
    sections ?? [{ first: 0, end: parent.length, callers: false, continues: false, title: "" }]
  );
}

/**
 * Return the weight of the whole tree that a section is of. In a function's tree, the root's own is
 * what is outside the function.
 *
 * @param {Section} section
 * @param {import("../../profile/model/tree.js").CallTree} tree
 */
export function wholeOf({ first }, { total, self, rest }) {
  return first === 0 ? total[0] : self[0] + rest[0] + total[first];
}

/**
 * Find the function whose callers a frame is among: the one that its section begins with, or in the
 * inverted tree the one below the root.
 *
 * @param {Section} section
 * @param {ArrayLike<number>} parent
 * @param {number} node
 */
export function calledFrom({ first }, parent, node) {
  if (first > 0) return first;
  let at = node;
  while (parent[at] > 0) at = parent[at];
  return at;
}

/**
 * Return the frames of the call path that a frame stands for, root first: in a tree of callers they
 * are in the other order.
 *
 * @param {{ lanes: import("./graph.js").Lane[] }} graph
 * @param {number} node
 */
export function callPath({ lanes }, node) {
  const path = pathTo(lanes[0].tree, node).slice(1);
  const { callers } = sectionOf(
    lanes.map(({ section }) => section),
    node,
  );
  return callers ? path.reverse() : path;
}

/**
 * @param {Section} section
 * @param {number} node that its function begins with
 * @returns {boolean} whether the frame is as wide as the function alone, as in the inverted tree
 */
export function isLeaf({ first, callers }, node) {
  return callers && first === 0 && node > 0;
}

/**
 * Find the section that a node is in: the first one for the root.
 *
 * @param {Section[]} sections
 * @param {number} node
 */
export function sectionOf(sections, node) {
  return sections.find(({ first, end }) => node >= first && node < end) ?? sections[0];
}

/**
 * Return the frame that fills a section's width: the zoomed one where it is in the section.
 *
 * @param {Section} section
 * @param {number} zoomed
 */
export function filling({ first, end }, zoomed) {
  return zoomed >= first && zoomed < end ? zoomed : first;
}

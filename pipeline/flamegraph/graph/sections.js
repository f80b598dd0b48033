/**
 * The parts of a tree that are drawn by themselves: all of it, or a function with its callees, with
 * its callers, or both (function_tree.js).
 */

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

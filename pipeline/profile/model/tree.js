/**
 * A call tree in columns, with the totals that its self weights imply.
 *
 * Nodes are numbered in preorder (a parent before its children), as in the profile file, so totals
 * are one pass backwards. Node 0 is the root. Weights are doubles: exact up to 2^53, which the
 * profile's scale ensures for all but absurd totals.
 *
 * @typedef {object} CallTree
 * @property {ArrayLike<number>} parent -1 for the root
 * @property {Float64Array} self
 * @property {Float64Array} rest weight of callees that this tree does not list (see excerpt.js)
 * @property {Float64Array} total self, rest and the totals of the children
 * @property {Int32Array} depth 0 for the root
 * @property {Int32Array} firstChild -1 where there is none
 * @property {Int32Array} nextSibling -1 where there is none
 */

/**
 * @param {ArrayLike<number>} parent
 * @param {ArrayLike<number>} self
 * @param {ArrayLike<number>} [rest]
 * @returns {CallTree}
 */
export function callTree(parent, self, rest) {
  const size = parent.length;
  const total = new Float64Array(size);
  const depth = new Int32Array(size);
  const firstChild = new Int32Array(size).fill(-1);
  const nextSibling = new Int32Array(size).fill(-1);
  for (let node = size - 1; node >= 0; node--) {
    total[node] += self[node] + (rest ? rest[node] : 0);
    const above = parent[node];
    if (above < 0) continue;
    total[above] += total[node];
    nextSibling[node] = firstChild[above];
    firstChild[above] = node;
  }
  for (let node = 1; node < size; node++) depth[node] = depth[parent[node]] + 1;
  return {
    parent,
    self: new Float64Array(self),
    rest: rest ? new Float64Array(rest) : new Float64Array(size),
    total,
    depth,
    firstChild,
    nextSibling,
  };
}

/**
 * Return what each node weighs with all that it calls.
 *
 * @param {ArrayLike<number>} parent
 * @param {ArrayLike<number>} self
 * @returns {Float64Array}
 */
export function totalsOf(parent, self) {
  const total = Float64Array.from(self);
  for (let node = total.length - 1; node > 0; node--) total[parent[node]] += total[node];
  return total;
}

/**
 * Return the node after the last one of a subtree: in preorder, a subtree is `[node, subtreeEnd)`.
 *
 * @param {CallTree} tree
 * @param {number} node
 */
export function subtreeEnd(tree, node) {
  for (let at = node; at >= 0; at = tree.parent[at]) {
    if (tree.nextSibling[at] >= 0) return tree.nextSibling[at];
  }
  return tree.parent.length;
}

/**
 * Return the callers of a node, root first, the node itself last.
 *
 * @param {CallTree} tree
 * @param {number} node
 */
export function pathTo(tree, node) {
  /** @type {number[]} */
  const path = [];
  for (let at = node; at >= 0; at = tree.parent[at]) path.push(at);
  return path.reverse();
}

/**
 * Where the frames of a call tree stand: pure arithmetic on the tree, shared by the renderer and the
 * viewer. Nothing here knows of pixels, labels or colours.
 *
 * The children of a frame stand side by side from its left edge, in the tree's order, each as wide
 * as its total. At the right end is what is not drawn: the frame's own weight and the children too
 * thin to draw. So an excerpt of a tree and the whole tree put the same frames at the same places.
 */

import { pathTo, subtreeEnd } from "./tree.js";

/**
 * @typedef {object} View
 * @property {number} root the frame that fills the width; its callers stand above it, as wide
 * @property {number} [full] the weight that fills the width; default: the total of `root`
 * @property {number} [minimumWidth] fraction of the width below which a frame is left out
 * @property {number} [maximumFrames] at most so many frames are drawn, the heaviest
 *
 * @typedef {object} Box
 * @property {number} node
 * @property {number} depth depth in the whole tree, so 0 is always the root
 * @property {number} start left edge, fraction of the width
 * @property {number} width fraction of the width
 *
 * @typedef {object} Layout
 * @property {Box[]} boxes in preorder, callers of `root` included
 * @property {number} rows depth of the deepest box plus one
 * @property {{ frames: number, weight: number }} leftOut frames below `root` that are not drawn, and
 *   the weight of the largest of them without counting any weight twice
 */

/**
 * @param {import("./tree.js").CallTree} tree
 * @param {View} view
 * @returns {Layout}
 */
export function layout(tree, view) {
  const { total, depth, firstChild, nextSibling } = tree;
  const { root } = view;
  const full = view.full ?? total[root];
  if (!(full > 0)) return { boxes: [], rows: 0, leftOut: { frames: 0, weight: 0 } };
  const callers = pathTo(tree, root);
  const threshold = Math.max((view.minimumWidth ?? 0) * full, Number.MIN_VALUE);
  const drawn = drawnNodes(tree, view, threshold, callers.length);

  /** @type {Box[]} */
  const boxes = callers.map((node) => ({
    node,
    depth: depth[node],
    start: 0,
    width: total[root] / full,
  }));
  let rows = depth[root] + 1;
  const leftOut = { frames: 0, weight: 0 };

  // Offsets are sums of weights, divided once: a child's edge is exactly its parent's.
  const waiting = [{ node: root, offset: 0 }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    let offset = place.offset;
    const placed = [];
    for (let child = firstChild[place.node]; child >= 0; child = nextSibling[child]) {
      if (drawn(child)) {
        placed.push({ node: child, offset });
        offset += total[child];
      } else if (total[child] > 0) {
        leftOut.weight += total[child];
        leftOut.frames += weighted(tree, child);
      }
    }
    if (place.node !== root) {
      boxes.push(box(tree, place.node, place.offset, full));
      rows = Math.max(rows, depth[place.node] + 1);
    }
    for (let index = placed.length - 1; index >= 0; index--) waiting.push(placed[index]);
  }
  return { boxes, rows, leftOut };
}

/**
 * @param {import("./tree.js").CallTree} tree
 * @param {number} node
 * @param {number} offset
 * @param {number} full
 * @returns {Box}
 */
function box(tree, node, offset, full) {
  return {
    node,
    depth: tree.depth[node],
    start: offset / full,
    width: tree.total[node] / full,
  };
}

/**
 * Choose which nodes are drawn. A parent weighs at least as much as its child and comes first, so
 * the heaviest nodes, ties in preorder, always include the parents of all of them.
 *
 * @param {import("./tree.js").CallTree} tree
 * @param {View} view
 * @param {number} threshold
 * @param {number} callers how many frames the view's root and its callers are
 * @returns {(node: number) => boolean}
 */
function drawnNodes(tree, view, threshold, callers) {
  const { total } = tree;
  const room = view.maximumFrames;
  if (room === undefined) return (node) => total[node] >= threshold;
  const candidates = [];
  const end = subtreeEnd(tree, view.root);
  for (let node = view.root + 1; node < end; node++) {
    if (total[node] >= threshold) candidates.push(node);
  }
  if (candidates.length + callers <= room) return (node) => total[node] >= threshold;
  candidates.sort((a, b) => total[b] - total[a] || a - b);
  const chosen = new Set(candidates.slice(0, Math.max(0, room - callers)));
  return (node) => chosen.has(node);
}

/**
 * Count the frames of a subtree that weigh anything.
 *
 * @param {import("./tree.js").CallTree} tree
 * @param {number} node
 */
function weighted(tree, node) {
  let frames = 0;
  const end = subtreeEnd(tree, node);
  for (let at = node; at < end; at++) if (tree.total[at] > 0) frames++;
  return frames;
}

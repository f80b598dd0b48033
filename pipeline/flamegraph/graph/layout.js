/**
 * Where the frames of a call tree are drawn: pure arithmetic on the tree, shared by the renderer and the
 * viewer. Nothing here knows of pixels, labels or colours.
 *
 * The children of a frame are side by side from its left edge, in the tree's order, each as wide
 * as its total. At the right end is what is not drawn: the frame's own weight and the children too
 * thin to draw. So an excerpt of a tree and the whole tree put the same frames at the same places.
 */

import { pathTo, subtreeEnd } from "../../profile/model/tree.js";

/**
 * @typedef {object} View
 * @property {number} root the frame that fills the width; its callers are above it, as wide
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
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {View} view
 * @returns {Layout}
 */
export function layout(tree, view) {
  const { total, depth, parent } = tree;
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

  // Position of the next callee of a frame, in weight. Offsets are sums of weights, divided once: a
  // child's edge is exactly its parent's.
  const end = subtreeEnd(tree, root);
  const edges = new Float64Array(end - root);
  for (let node = root + 1; node < end; ) {
    if (!drawn(node)) {
      const next = subtreeEnd(tree, node);
      leftOut.weight += total[node];
      for (; node < next; node++) if (total[node] > 0) leftOut.frames++;
      continue;
    }
    const offset = edges[parent[node] - root];
    edges[node - root] = offset;
    edges[parent[node] - root] += total[node];
    boxes.push({ node, depth: depth[node], start: offset / full, width: total[node] / full });
    rows = Math.max(rows, depth[node] + 1);
    node++;
  }
  return { boxes, rows, leftOut };
}

/**
 * Choose which nodes are drawn. A parent weighs at least as much as its child and comes first, so
 * the heaviest nodes, ties in preorder, always include the parents of all of them.
 *
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {View} view
 * @param {number} threshold
 * @param {number} callers how many frames the view's root and its callers are
 * @returns {(node: number) => boolean}
 */
function drawnNodes(tree, view, threshold, callers) {
  const { total } = tree;
  const room = view.maximumFrames;
  if (room === undefined) return (node) => total[node] >= threshold;
  const slots = Math.max(0, room - callers);
  const end = subtreeEnd(tree, view.root);
  // Few of a large tree are wide enough to be asked for.
  let wide = 0;
  for (let node = view.root + 1; node < end; node++) if (total[node] >= threshold) wide++;
  if (slots >= wide) return (node) => total[node] >= threshold;
  const weights = new Float64Array(wide);
  for (let node = view.root + 1, at = 0; node < end; node++) {
    if (total[node] >= threshold) weights[at++] = total[node];
  }
  weights.sort();
  // Of those that weigh as little as the lightest that has a place, the first ones have it.
  const least = weights[weights.length - slots] ?? Infinity;
  let ties = slots;
  for (let at = weights.length - 1; at >= 0 && weights[at] > least; at--) ties--;
  const chosen = new Uint8Array(end);
  for (let node = view.root + 1; node < end; node++) {
    if (total[node] > least || (total[node] === least && ties-- > 0)) chosen[node] = 1;
  }
  return (node) => chosen[node] === 1;
}

/** Search by text or, between slashes, by regular expression: `hash`, `/^ExecHash(Join)?$/`. */

import { subtreeEnd } from "../tree.js";

/**
 * @param {string} query
 * @returns {((name: string) => boolean) | null} null where a regular expression cannot be read
 */
export function matcher(query) {
  const expression = /^\/(.+)\/$/s.exec(query)?.[1];
  if (expression === undefined) {
    const text = query.toLowerCase();
    return (name) => name.toLowerCase().includes(text);
  }
  try {
    const regex = new RegExp(expression, "iu");
    return (name) => regex.test(name);
  } catch {
    return null;
  }
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {(name: string) => boolean} matches
 * @returns {Set<number>}
 */
export function matchingNodes(graph, matches) {
  /** @type {Map<string, boolean>} */
  const known = new Map();
  const found = new Set();
  const nodes = graph.lanes[0].tree.parent.length;
  // The root is no function.
  for (let node = 1; node < nodes; node++) {
    const name = graph.name(node);
    let hit = known.get(name);
    if (hit === undefined) {
      hit = matches(name);
      known.set(name, hit);
    }
    if (hit) found.add(node);
  }
  return found;
}

/**
 * Return the share of a subtree's weight that lies in or below matching frames; a sample counts
 * once.
 *
 * @param {import("../tree.js").CallTree} tree
 * @param {Set<number>} matching
 * @param {number} zoomed
 */
export function matchedShare(tree, matching, zoomed) {
  const end = subtreeEnd(tree, zoomed);
  let weight = 0;
  for (let node = zoomed; node < end; ) {
    if (matching.has(node)) {
      weight += tree.total[node];
      node = subtreeEnd(tree, node);
    } else node++;
  }
  return tree.total[zoomed] > 0 ? weight / tree.total[zoomed] : 0;
}

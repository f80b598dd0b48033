/** Search by text or, between slashes, by regular expression: `hash`, `/^ExecHash(Join)?$/`. */

import { formatShare } from "../numbers.js";
import { filling } from "../sections.js";
import { subtreeEnd } from "../tree.js";

/**
 * @typedef {object} Matcher
 * @property {((name: string) => boolean) | null} matches null where the query cannot be read
 * @property {string} problem why, in words
 */

/**
 * @param {string} query
 * @returns {Matcher}
 */
export function matcher(query) {
  const expression = /^\/(.+)\/$/s.exec(query)?.[1];
  if (expression === undefined) {
    const text = query.toLowerCase();
    return { matches: (name) => name.toLowerCase().includes(text), problem: "" };
  }
  try {
    const regex = new RegExp(expression, "iu");
    return { matches: (name) => regex.test(name), problem: "" };
  } catch (error) {
    const why = String(error).replace(/^.*: /s, "");
    return { matches: null, problem: `Not a regular expression: ${why}` };
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
 * Say how much of what is shown lies in or below matching frames.
 *
 * @param {import("../graph.js").Graph} graph
 * @param {Matcher | null} matcher
 * @param {Set<number>} matching
 * @param {number} zoomed
 */
export function foundWords({ lanes }, matcher, matching, zoomed) {
  if (matcher?.problem) return matcher.problem;
  const shares = lanes.flatMap(({ tree, title, section }) => {
    const whole = filling(section, zoomed);
    if (!(tree.total[whole] > 0)) return [];
    const share = formatShare(matchedShare(tree, matching, whole));
    const of = title || (lanes.length > 1 ? section.title : "");
    return [of ? `${share} of “${of}”` : share];
  });
  return `Matched: ${shares.join(", ")}`;
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

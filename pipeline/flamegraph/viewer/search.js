/** Search by text or, between slashes, by regular expression: `hash`, `/^ExecHash(Join)?$/`. */

import { formatShare } from "../numbers.js";
import { filling } from "../sections.js";
import { subtreeEnd } from "../tree.js";
import { expression, NotUnderstood } from "./expression.js";

/** Milliseconds after which a search is given up. */
const LONGEST_SEARCH = 1000;

/**
 * @typedef {object} Found
 * @property {Set<number>} nodes
 * @property {((name: string) => boolean) | null} matches null where there is nothing to match
 * @property {string} problem why the query has no answer, in words
 */

/**
 * @param {import("../graph.js").Graph} graph
 * @param {string} query
 * @returns {Found}
 */
export function search(graph, query) {
  if (!query) return { nodes: new Set(), matches: null, problem: "" };
  try {
    const matches = matcher(query);
    return { nodes: matchingNodes(graph, matches), matches, problem: "" };
  } catch (error) {
    const why = String(error).replace(/^.*: /s, "");
    const what =
      error instanceof NotUnderstood
        ? "This expression cannot be searched for"
        : "Not a regular expression";
    return { nodes: new Set(), matches: null, problem: `${what}: ${why}` };
  }
}

/**
 * @param {string} query
 * @returns {(name: string) => boolean}
 * @throws {SyntaxError | NotUnderstood} where it is an expression that cannot be read
 */
export function matcher(query) {
  const source = /^\/(.+)\/$/s.exec(query)?.[1];
  if (source !== undefined) return expression(source);
  const text = query.toLowerCase();
  return (name) => name.toLowerCase().includes(text);
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {(name: string) => boolean} matches
 * @returns {Set<number>}
 * @throws {NotUnderstood} where it takes longer than a reader waits
 */
export function matchingNodes(graph, matches) {
  const until = performance.now() + LONGEST_SEARCH;
  /** @type {boolean[]} by name: most frames have the name of another one */
  const known = [];
  const found = new Set();
  const nodes = graph.lanes[0].tree.parent.length;
  // The root is no function.
  for (let node = 1; node < nodes; node++) {
    const name = graph.nameIndex(node);
    if (known[name] === undefined) {
      if (performance.now() > until) throw new NotUnderstood("it takes too long");
      known[name] = matches(graph.name(node));
    }
    if (known[name]) found.add(node);
  }
  return found;
}

/**
 * Say how much of what is shown lies in or below matching frames.
 *
 * @param {import("../graph.js").Graph} graph
 * @param {Found} found
 * @param {number} zoomed
 */
export function foundWords({ lanes }, { nodes, problem }, zoomed) {
  if (problem) return problem;
  const shares = lanes.flatMap(({ tree, title, section }) => {
    const whole = filling(section, zoomed);
    if (!(tree.total[whole] > 0)) return [];
    const share = formatShare(matchedShare(tree, nodes, whole));
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

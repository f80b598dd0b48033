/**
 * Frames by name instead of by position, so that a link outlives the next build: the shortest end
 * of a frame's call path that finds the frame again, in the path language of the drilldowns:
 *
 *     ExecScan
 *     ExecProcNode > ExecScan
 *     "operator > (int)" > memcmp
 *
 * Names are name-match keys. Where a path fits several frames, the widest is meant.
 */

import { pathTo } from "../tree.js";

/** Names that mean themselves without quotes; the path language has other uses for the rest. */
const PLAIN = /^(?!(?:of|>|>>)$)[\w$~.:@+\-<>,&]+$/;

/** @param {string} name */
function quoted(name) {
  return PLAIN.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Return the path that finds the widest frame of a function.
 *
 * @param {string} key the function's name-match key
 */
export function functionPath(key) {
  return quoted(key);
}

/**
 * @param {string} path
 * @returns {string[]} the names in it
 */
function namesIn(path) {
  return [...path.matchAll(/(?:^| > )(?:"((?:[^"\\]|\\.)*)"|((?:(?! > ).)+))/gs)].map(
    ([, literal, plain]) => literal?.replace(/\\(["\\])/g, "$1") ?? plain,
  );
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {number} node
 * @returns {string}
 */
export function framePath(graph, node) {
  const keys = pathTo(graph.lanes[0].tree, node).map(graph.key);
  let length = 1;
  while (length < keys.length && widestMatch(graph, keys.slice(-length)) !== node) length++;
  return keys.slice(-length).map(quoted).join(" > ");
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {string} path
 * @returns {number} the frame, or -1 where this graph has none
 */
export function findFrame(graph, path) {
  const names = namesIn(path);
  return names.length > 0 ? widestMatch(graph, names) : -1;
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {string[]} names the end of a call path
 */
function widestMatch(graph, names) {
  const { parent } = graph.lanes[0].tree;
  let widest = -1;
  let weight = -1;
  for (let node = 0; node < parent.length; node++) {
    if (!endsWith(graph, node, names)) continue; // most nodes, so it comes first
    const total = graph.lanes.reduce((sum, { tree }) => sum + tree.total[node], 0);
    if (total <= weight) continue;
    widest = node;
    weight = total;
  }
  return widest;
}

/**
 * @param {import("../graph.js").Graph} graph
 * @param {number} node
 * @param {string[]} names
 */
function endsWith(graph, node, names) {
  const { parent } = graph.lanes[0].tree;
  let at = node;
  for (let index = names.length - 1; index >= 0; index--) {
    if (at < 0 || graph.key(at) !== names[index]) return false;
    at = parent[at];
  }
  return true;
}

/**
 * Find the node of another graph (the whole of which this one is an excerpt) at the same call
 * path.
 *
 * @param {import("../graph.js").Graph} from
 * @param {number} node
 * @param {import("../graph.js").Graph} to
 * @returns {number} the root where there is none
 */
export function sameFrame(from, node, to) {
  let at = 0;
  for (const step of pathTo(from.lanes[0].tree, node).slice(1)) {
    const { firstChild, nextSibling } = to.lanes[0].tree;
    let child = firstChild[at];
    while (child >= 0 && !sameName(from, step, to, child)) child = nextSibling[child];
    if (child < 0) return 0;
    at = child;
  }
  return at;
}

/**
 * @param {import("../graph.js").Graph} a
 * @param {number} nodeOfA
 * @param {import("../graph.js").Graph} b
 * @param {number} nodeOfB
 */
function sameName(a, nodeOfA, b, nodeOfB) {
  return a.name(nodeOfA) === b.name(nodeOfB) && a.className(nodeOfA) === b.className(nodeOfB);
}

/**
 * Frames by name instead of by position, so that a link outlives the next build: the shortest end
 * of a frame's call path that finds the frame again, in the path language of the drilldowns:
 *
 *     ExecScan
 *     ExecProcNode > ExecScan
 *     "operator > (int)" > memcmp
 *     [thread]postgres
 *
 * Names are name-match keys; the family of a function's class is written before one where a thread or the
 * kernel has the same. Where a path fits several frames, the widest is meant. Python writes the same
 * (pipeline/perfpress/analysis/paths/frame_path.py): tests/vectors/frame_paths.json holds for both.
 */

import { functionId, matchClass, partsOf, withFamily } from "./function_names.js";
import { shownName } from "./shown_names.js";
import { pathTo } from "./tree.js";

/**
 * @typedef {{ key: string, family: string | null }} Named `family` is null where any will do
 *
 * @typedef {Pick<import("./naming.js").Naming, "name" | "key" | "className">
 *   & { lanes: { tree: import("./tree.js").CallTree }[] }} NamedTrees trees over the same nodes
 */

/** Names that need no quotes in the path language. */
const PLAIN = /^(?!(?:of|>|>>)$)[\w$~.:@+\-<>,&]+$/;

/** @param {string} name */
function quoted(name) {
  return PLAIN.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/**
 * Return the path that finds the widest frame of a function.
 *
 * @param {string} id of the function
 */
export function functionPath(id) {
  return written(partsOf(id));
}

/** @param {Named[]} names each called by the one before */
export function writtenPath(names) {
  return names.map(written).join(" > ");
}

/** @param {Named} named */
function written({ key, family }) {
  return family === null ? quoted(key) : `[${family}]${quoted(key)}`;
}

/**
 * @param {string} path
 * @returns {Named[]} the names in it
 */
function namesIn(path) {
  const names = /(?:^| > )((?:\[\w+\])?(?:"(?:[^"\\]|\\.)*"|(?:(?! > ).)+))/gs;
  return Array.from(path.matchAll(names), ([, text]) => {
    const { family, key } = withFamily(text);
    const literal = /^"(.*)"$/s.exec(key)?.[1];
    // Python writes names as they are, and graphs have them as they show them.
    return { family, key: shownName(literal?.replace(/\\(["\\])/g, "$1") ?? key) };
  });
}

/**
 * @param {NamedTrees} graph
 * @param {number} node
 * @returns {string}
 */
export function framePath(graph, node) {
  const names = pathTo(graph.lanes[0].tree, node).map((at) => ({
    key: graph.key(at),
    family: matchClass(graph.className(at)),
  }));
  const plain = names.map(({ key }) => ({ key, family: null }));
  const alike = framesOf(graph, names[names.length - 1].key);
  for (let length = 1; length < names.length; length++) {
    const end = plain.slice(-length);
    const whole = [...end.slice(0, -1), names[names.length - 1]];
    const path = [end, whole].find((each) => widestMatch(graph, each, alike) === node);
    if (path) return writtenPath(path);
  }
  const path = widestMatch(graph, plain, alike) === node ? plain : names;
  return writtenPath(path);
}

/**
 * @param {NamedTrees} graph
 * @param {string} key
 * @returns {number[]} nodes
 */
function framesOf(graph, key) {
  const nodes = [];
  for (let node = 0; node < graph.lanes[0].tree.parent.length; node++) {
    if (graph.key(node) === key) nodes.push(node);
  }
  return nodes;
}

/**
 * @param {NamedTrees} graph
 * @param {string} path
 * @returns {number} the frame, or -1 where this graph has none
 */
export function findFrame(graph, path) {
  const names = namesIn(path);
  const last = names[names.length - 1];
  return last ? widestMatch(graph, names, framesOf(graph, last.key)) : -1;
}

/**
 * @param {NamedTrees} graph
 * @param {Named[]} names the end of a call path
 * @param {number[]} among nodes
 */
function widestMatch(graph, names, among) {
  let widest = -1;
  let weight = -1;
  for (const node of among) {
    if (!endsWith(graph, node, names)) continue;
    const total = graph.lanes.reduce((sum, { tree }) => sum + tree.total[node], 0);
    if (total <= weight) continue;
    widest = node;
    weight = total;
  }
  return widest;
}

/**
 * @param {NamedTrees} graph
 * @param {number} node
 * @param {Named[]} names
 */
function endsWith(graph, node, names) {
  const { parent } = graph.lanes[0].tree;
  let at = node;
  for (let index = names.length - 1; index >= 0; index--) {
    if (at < 0 || graph.key(at) !== names[index].key) return false;
    const { family } = names[index];
    if (family !== null && matchClass(graph.className(at)) !== family) return false;
    at = parent[at];
  }
  return true;
}

/**
 * Find the frame at the same call path in another form of the tree: the whole of an excerpt, or one
 * in which recursion is merged or what waits is hidden.
 *
 * @param {NamedTrees} from
 * @param {number} node
 * @param {NamedTrees} to
 * @returns {number} the nearest caller that is there, where the frame is not
 */
export function sameFrame(from, node, to) {
  let at = 0;
  for (const step of pathTo(from.lanes[0].tree, node).slice(1)) {
    const child = childLike(from, step, to, at);
    if (child >= 0) at = child;
    // What calls itself has become one frame.
    else if (at === 0 || idIn(from, step) !== idIn(to, at)) break;
  }
  return at;
}

/**
 * @param {NamedTrees} from
 * @param {number} step
 * @param {NamedTrees} to
 * @param {number} caller
 * @returns {number} -1 where there is none
 */
function childLike(from, step, to, caller) {
  const same = childrenOf(to, caller).filter((child) => sameName(from, step, to, child));
  if (same.length > 0) {
    // A function's callers and its callees both begin with it.
    const alike = childrenOf(from, from.lanes[0].tree.parent[step]).filter((child) =>
      sameName(from, step, from, child),
    );
    return same[Math.min(alike.indexOf(step), same.length - 1)];
  }
  const known = childrenOf(to, caller).find((child) => idIn(from, step) === idIn(to, child));
  if (known !== undefined) return known;
  // What was one frame calls itself now, and the callee may be that of an inner call.
  const inner = childrenOf(to, caller).find((child) => idIn(to, child) === idIn(to, caller));
  return inner === undefined || caller === 0 ? -1 : childLike(from, step, to, inner);
}

/**
 * @param {NamedTrees} graph
 * @param {number} node
 */
function childrenOf({ lanes }, node) {
  const { firstChild, nextSibling } = lanes[0].tree;
  const children = [];
  for (let child = firstChild[node]; child >= 0; child = nextSibling[child]) children.push(child);
  return children;
}

/**
 * @param {NamedTrees} graph
 * @param {number} node
 */
function idIn(graph, node) {
  return functionId(graph.className(node), graph.key(node));
}

/**
 * @param {NamedTrees} a
 * @param {number} nodeOfA
 * @param {NamedTrees} b
 * @param {number} nodeOfB
 */
function sameName(a, nodeOfA, b, nodeOfB) {
  return a.name(nodeOfA) === b.name(nodeOfB) && a.className(nodeOfA) === b.className(nodeOfB);
}

/**
 * A flame graph as the renderer and the viewer see it: lanes of frames with names, colours and
 * words. `profile_graph.js` and `diff_graph.js` make one from a profile and from a diff.
 *
 * Nodes are numbered the same in all lanes of a graph; a node that weighs nothing in a lane is not
 * drawn there.
 *
 * @typedef {object} Lane
 * @property {string} title empty where the graph has one lane
 * @property {import("./tree.js").CallTree} tree
 * @property {import("./sections.js").Section} section what of the tree is drawn; lanes of one section
 *   are drawn to one scale
 * @property {boolean} [continues] whether it goes on below the lane before it, which has callers of
 *   the same function
 * @property {(node: number) => boolean} [isContext] what only shows where frames of the lane were
 *   called from; the lane begins below the context that all of them share
 *
 * @typedef {object} Graph
 * @property {Lane[]} lanes
 * @property {(node: number) => number} nameIndex frames of one index have one name, key and class
 * @property {(node: number) => string} name
 * @property {(node: number) => string} key the function's name-match key, stable across builds
 * @property {(node: number) => string} className one of the profile's `class_names`
 * @property {(node: number) => string} kind the class in words
 * @property {(node: number, lane: Lane) => string} colour colour class
 * @property {(node: number, lane: Lane) => string} mark said after the name where there is room; often empty
 * @property {(node: number, lane: Lane) => string} [sign] said before the name where there is no room for
 *   the mark: a character or none
 * @property {(node: number, zoomed: number) => string[]} facts lines about a frame, without its name
 */

import { shownName } from "./labels.js";

/** @type {Record<string, string>} the classes of a profile, for readers */
const KINDS = {
  thread: "thread",
  user: "user code",
  library: "library",
  kernel: "kernel",
  jit: "compiled at run time",
  inlined: "inlined",
};

/**
 * The columns that name the nodes of a tree, shared by profiles, diffs and excerpts of them.
 *
 * @typedef {object} NamedNodes
 * @property {string[]} class_names
 * @property {string[]} names
 * @property {(string | null)[]} keys
 * @property {number[]} classes
 * @property {number[]} parent
 * @property {number[]} name
 */

/**
 * Say what the nodes are called. Long names and keys are cut here and in excerpts alike, so that a
 * picture and the file that it is an excerpt of agree on names, colours and links.
 *
 * @param {NamedNodes} nodes
 * @returns {Pick<Graph, "nameIndex" | "name" | "key" | "className" | "kind">}
 */
export function naming({ names, keys, classes, class_names, name }) {
  const shown = names.map(shownName);
  const shownKeys = keys.map((key, index) => (key === null ? shown[index] : shownName(key)));
  return {
    nameIndex: (node) => name[node],
    name: (node) => shown[name[node]],
    key: (node) => shownKeys[name[node]],
    className: (node) => class_names[classes[name[node]]],
    kind: (node) => (node === 0 ? "everything" : KINDS[class_names[classes[name[node]]]]),
  };
}

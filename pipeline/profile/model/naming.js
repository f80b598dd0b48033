/** The names of a tree's nodes, for readers and in links. */

import { shownName } from "./shown_names.js";

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
 *
 * @typedef {object} Naming
 * @property {(node: number) => number} nameIndex frames of one index have one name, key and class
 * @property {(node: number) => string} name
 * @property {(node: number) => string} key the function's name-match key, stable across builds
 * @property {(node: number) => string} className one of the profile's `class_names`
 * @property {(node: number) => string} kind the class in words
 */

/**
 * Return the names of nodes. Long names and keys are cut here and in excerpts alike, so that a
 * picture and the file that it is an excerpt of agree on names, colours and links.
 *
 * @param {NamedNodes} nodes
 * @returns {Naming}
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

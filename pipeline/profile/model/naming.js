/** The names of a tree's nodes, for readers and in links. */

import { libraryNames } from "./libraries.js";
import { shownName } from "./shown_names.js";

/** @type {Record<string, string>} the classes of a profile, for readers */
export const KINDS = {
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
 * @property {string[]} [libraries] absent, with `library`, where none is known (libraries.js)
 * @property {number[]} [library]
 *
 * @typedef {object} Naming
 * @property {(node: number) => number} nameIndex frames of one index have one name, key and class
 * @property {(node: number) => string} name
 * @property {(node: number) => string} key the function's name-match key, stable across builds
 * @property {(node: number) => string} className one of the profile's `class_names`
 * @property {(node: number) => string} kind the class in words
 * @property {(node: number) => string} library of its function; empty where it is not known
 * @property {(node: number) => string} place kind and library in words
 */

/**
 * Return the names of nodes. Long names and keys are cut here and in excerpts alike, so that a
 * picture and the file that it is an excerpt of agree on names, colours and links.
 *
 * @param {NamedNodes} nodes
 * @returns {Naming}
 */
export function naming(nodes) {
  const { names, keys, classes, class_names, name } = nodes;
  const libraries = libraryNames(nodes).map(shownName);
  const shown = names.map(shownName);
  const shownKeys = keys.map((key, index) => (key === null ? shown[index] : shownName(key)));
  /** @param {number} node */
  const kind = (node) => (node === 0 ? "everything" : KINDS[class_names[classes[name[node]]]]);
  /** @param {number} node */
  const library = (node) => libraries[name[node]];
  return {
    nameIndex: (node) => name[node],
    name: (node) => shown[name[node]],
    key: (node) => shownKeys[name[node]],
    className: (node) => class_names[classes[name[node]]],
    kind,
    library,
    place: (node) => placeWords(kind(node), library(node)),
  };
}

/**
 * Say of what kind code is, and in which library: `program postgres`, `library libc.so.6`, `kernel in [ext4]`.
 *
 * @param {string} kind in words
 * @param {string} library empty where it is not known
 */
function placeWords(kind, library) {
  if (library === "" || library === `[${kind}]`) return kind;
  if (kind === KINDS.user) return `program ${library}`;
  return kind === KINDS.library ? `${kind} ${library}` : `${kind} in ${library}`;
}

/** The names in a diff, and the names that were taken for one function though they differ. */

import { stem } from "../match/similarity.js";
import { compareText } from "../match/union.js";
import { joinedLibrary, libraryColumns, libraryNames, withoutVersion } from "../model/libraries.js";
import { CLASS_NAMES, ROOT_NAME } from "../model/profile.js";

/**
 * Why names are one function:
 *   name     they differ in what compilers, linkers and CPUs add: `f.cold`, `__memcmp_avx2`
 *   alias    the author says so
 *   scope    the same function of the same class, in another namespace or with other template
 *            arguments, and neither name is on both sides
 *   renamed  alike in name, callees and weight at the same place, and neither is on both sides
 *
 * @typedef {"name" | "alias" | "scope" | "renamed"} How
 *
 * @typedef {object} Joined names that are one function here, though they differ
 * @property {string} key
 * @property {string} base_key that of the names in the base; differs by `scope` and `renamed`
 * @property {string} class
 * @property {How} how
 * @property {string[]} base
 * @property {string[]} after
 *
 * @typedef {import("../match/alignment.js").Alignment} Alignment
 * @typedef {import("../model/profile.js").Profile} Profile
 *
 * @typedef {Pick<import("../model/naming.js").NamedNodes, "class_names" | "names" | "keys" | "classes" | "name">
 *   & { joined: Joined[], join: (number | null)[] } & Partial<import("../model/libraries.js").LibraryColumns>} NameColumns
 */

/**
 * @param {Alignment} alignment
 * @param {Profile} base
 * @param {Profile} after
 * @param {number[]} order of the union's nodes
 * @returns {NameColumns}
 */
export function nameColumns(alignment, base, after, order) {
  const { union } = alignment;
  const found = {
    base: namesAt(union, base, alignment.base),
    after: namesAt(union, after, alignment.after),
  };
  const joins = joinedNames(union, found, order);
  const libraries = libraryIn(found);
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {string[]} by name */
  const library = [];
  const columns = {
    class_names: CLASS_NAMES,
    names: /** @type {string[]} */ ([]),
    keys: /** @type {(string | null)[]} */ ([]),
    classes: /** @type {number[]} */ ([]),
    name: /** @type {number[]} */ ([]),
    joined: joins.list,
    join: /** @type {(number | null)[]} */ ([]),
  };
  for (const node of order) {
    const { name, key } = nameOf(union, found, node);
    const join = joins.of.get(node) ?? null;
    const identity = `${union.className[node]} ${join} ${name}`;
    let index = known.get(identity);
    if (index === undefined) {
      index = columns.names.push(name) - 1;
      known.set(identity, index);
      columns.keys.push(key === name ? null : key);
      columns.classes.push(CLASS_NAMES.indexOf(union.className[node]));
      columns.join.push(join);
      library.push("");
    }
    columns.name.push(index);
    for (const each of libraries(node)) library[index] = joinedLibrary(library[index], each);
  }
  return { ...columns, ...libraryColumns(library) };
}

/**
 * Return what has the libraries at a node. Those that are the same without their version are one here: under the name
 * that all have, else without the version.
 *
 * @param {FoundOnSides} found
 * @returns {(node: number) => string[]}
 */
function libraryIn({ base, after }) {
  /** @type {Map<string, Set<string>>} */
  const names = new Map();
  for (const side of [base, after]) {
    for (const at of side) {
      for (const library of at?.libraries ?? []) {
        const plain = withoutVersion(library);
        names.set(plain, (names.get(plain) ?? new Set()).add(library));
      }
    }
  }
  return (node) =>
    [base[node], after[node]].flatMap((at) =>
      Array.from(at?.libraries ?? [], (library) => {
        const plain = withoutVersion(library);
        return names.get(plain)?.size === 1 ? library : plain;
      }),
    );
}

/**
 * The names that one release has at a node of the union, their keys before any alias, and their libraries.
 *
 * @typedef {{ names: Set<string>, keys: Set<string>, libraries: Set<string> }} Found
 * @typedef {{ base: (Found | undefined)[], after: (Found | undefined)[] }} FoundOnSides
 */

/**
 * @param {import("../match/union.js").Union} union
 * @param {Profile} profile
 * @param {import("../match/union.js").Image[]} images
 * @returns {(Found | undefined)[]} by node of the union
 */
function namesAt(union, profile, images) {
  const { name, names, keys } = profile;
  const libraries = libraryNames(profile);
  /** @type {(Found | undefined)[]} */
  const found = new Array(union.parent.length);
  for (const { node, at } of images) {
    // Merged threads are at the root.
    if (at === 0) continue;
    const index = name[node];
    const here = found[at] ?? nothing();
    here.names.add(names[index]);
    here.keys.add(keys[index] ?? names[index]);
    if (libraries[index]) here.libraries.add(libraries[index]);
    found[at] = here;
  }
  return found;
}

/**
 * Name a node: the name where all its names are one; that of the profile after where functions were
 * joined; else the key that the names have in common.
 *
 * @param {import("../match/union.js").Union} union
 * @param {FoundOnSides} found
 * @param {number} node
 * @returns {{ name: string, key: string }}
 */
function nameOf(union, found, node) {
  if (node === 0) return { name: ROOT_NAME, key: ROOT_NAME };
  const [keyOfBase, key] = union.keys(node);
  const names = new Set(found.after[node]?.names);
  if (keyOfBase === key) for (const name of found.base[node]?.names ?? []) names.add(name);
  const [only] = names;
  return { name: names.size === 1 ? only : key, key };
}

/**
 * @param {import("../match/union.js").Union} union
 * @param {FoundOnSides} found
 * @param {number[]} order
 * @returns {{ list: Joined[], of: Map<number, number> }} and by node its index in the list
 */
function joinedNames(union, found, order) {
  /** @type {Map<string, { nodes: number[], base: Found, after: Found }>} */
  const groups = new Map();
  for (const node of order) {
    const sides = [found.base[node], found.after[node]];
    const names = new Set(sides.flatMap((side) => [...(side?.names ?? [])]));
    if (names.size < 2) continue;
    const identity = [union.className[node], ...union.keys(node)].join("\n");
    const group = groups.get(identity) ?? { nodes: [], base: nothing(), after: nothing() };
    group.nodes.push(node);
    add(group.base, found.base[node]);
    add(group.after, found.after[node]);
    groups.set(identity, group);
  }
  /** @type {Map<number, number>} */
  const of = new Map();
  const list = [...groups]
    .sort(([a], [b]) => compareText(a, b))
    .map(([, { nodes, base, after }], index) => {
      for (const node of nodes) of.set(node, index);
      const [keyOfBase, key] = union.keys(nodes[0]);
      return {
        key,
        base_key: keyOfBase,
        class: union.className[nodes[0]],
        how: how(keyOfBase, key, new Set([...base.keys, ...after.keys])),
        base: [...base.names].sort(compareText),
        after: [...after.names].sort(compareText),
      };
    });
  return { list, of };
}

/** @returns {Found} */
function nothing() {
  return { names: new Set(), keys: new Set(), libraries: new Set() };
}

/**
 * @param {Found} to
 * @param {Found} [from]
 */
function add(to, from) {
  for (const name of from?.names ?? []) to.names.add(name);
  for (const key of from?.keys ?? []) to.keys.add(key);
}

/**
 * @param {string} keyOfBase
 * @param {string} key
 * @param {Set<string>} keys before any alias
 * @returns {How}
 */
function how(keyOfBase, key, keys) {
  if (keyOfBase === key) return keys.size > 1 ? "alias" : "name";
  return stem(keyOfBase) === stem(key) ? "scope" : "renamed";
}

/**
 * An excerpt of a tree: the frames that a picture draws, with the weight of what it leaves out, so
 * that totals stay true. A profile or a diff cut to an excerpt is drawn like a whole one.
 */

import { libraryColumns, libraryNames } from "../../profile/model/libraries.js";
import { shownName } from "../../profile/model/shown_names.js";

/**
 * Cut the names to those of an excerpt, and long ones in the middle.
 *
 * @param {import("../../profile/model/naming.js").NamedNodes} nodes
 * @param {number[]} kept nodes in preorder, each with its parent
 * @returns {import("../../profile/model/naming.js").NamedNodes}
 */
export function excerptNames(nodes, kept) {
  const { class_names, names, keys, classes, parent, name } = nodes;
  const libraries = libraryNames(nodes);
  const position = new Int32Array(parent.length).fill(-1);
  kept.forEach((node, index) => {
    position[node] = index;
  });
  const namePosition = new Int32Array(names.length).fill(-1);
  /** @type {number[]} */
  const usedNames = [];
  for (const node of kept) {
    if (namePosition[name[node]] < 0) namePosition[name[node]] = usedNames.push(name[node]) - 1;
  }
  return {
    class_names,
    names: usedNames.map((used) => shownName(names[used])),
    keys: usedNames.map((used) => {
      const key = keys[used];
      return key === null ? null : shownName(key);
    }),
    classes: usedNames.map((used) => classes[used]),
    ...libraryColumns(usedNames.map((used) => libraries[used])),
    parent: kept.map((node) => (parent[node] < 0 ? -1 : position[parent[node]])),
    name: kept.map((node) => namePosition[name[node]]),
  };
}

/**
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {number[]} kept nodes in preorder, each with its parent
 * @returns {{ self: number[], rest: number[] }} per kept node
 */
export function excerptWeights(tree, kept) {
  const listed = new Float64Array(tree.parent.length);
  for (const node of kept) {
    const above = tree.parent[node];
    if (above >= 0) listed[above] += tree.total[node];
  }
  return {
    self: kept.map((node) => tree.self[node]),
    rest: kept.map((node) => tree.total[node] - tree.self[node] - listed[node]),
  };
}

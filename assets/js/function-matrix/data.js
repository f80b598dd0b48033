// What is fetched, as the matrix works with it.

/** @typedef {import("../data.js").MatrixData} MatrixData */

/**
 * @typedef {Omit<MatrixData, "name" | "depth"> & { name: string[], parent: number[] }} Data
 *   `parent` of the nodes of the tree, -1 of the root
 */

/**
 * @param {MatrixData} fetched
 * @param {string} root that addresses start at: the site may be published below a path
 * @returns {Data}
 */
export function unpacked({ name, depth, releases, ...columns }, root) {
  /** @type {number[]} the node before and its callers, root first */
  const path = [];
  return {
    ...columns,
    releases: releases.map((each) => ({ ...each, graph: each.graph && root + each.graph })),
    name: name.map((other, at) => other ?? columns.key[at]),
    parent: depth.map((level, node) => {
      path[level] = node;
      return level > 0 ? path[level - 1] : -1;
    }),
  };
}

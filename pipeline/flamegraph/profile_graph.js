/** The flame graph of one profile. */

import { colourClass } from "./colours.js";
import { naming } from "./graph.js";
import { formatShare, formatWeight } from "./numbers.js";
import { callTree } from "./tree.js";

/**
 * A profile, or an excerpt of one: then `rest` has the weight of the callees left out.
 *
 * @typedef {import("./graph.js").NamedNodes & {
 *   format: "perfpress-profile", unit: string, scale: number, self: (number | string)[], rest?: number[] }} DrawnProfile
 */

/**
 * @param {DrawnProfile} profile
 * @returns {import("./graph.js").Graph}
 */
export function profileGraph(profile) {
  const tree = callTree(profile.parent, profile.self.map(Number), profile.rest);
  const named = naming(profile);
  /** @param {number} weight */
  const words = (weight) => formatWeight(weight * profile.scale, profile.unit);
  return {
    ...named,
    lanes: [{ title: "", tree }],
    colour: (node) => (node === 0 ? "r" : colourClass(named.key(node), named.className(node))),
    mark: () => "",
    facts: (node, zoomed) => {
      const { total, self } = tree;
      const shares = [`${formatShare(total[node] / total[0])} of all`];
      if (zoomed !== 0 && node !== 0) {
        shares.push(`${formatShare(total[node] / total[zoomed])} of the zoomed frame`);
      }
      return [
        `total ${words(total[node])}, ${shares.join(", ")}`,
        `self ${words(self[node])}, ${formatShare(self[node] / total[0])} of all`,
        named.kind(node),
      ];
    },
  };
}

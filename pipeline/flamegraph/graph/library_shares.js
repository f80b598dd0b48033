/** How much each library and each kind of code weighs by itself, which adds up to all that they are known of. */

import { KINDS } from "../../profile/model/naming.js";
import { shownName } from "../../profile/model/shown_names.js";
import { IN_LIBRARY } from "./edits.js";

/**
 * @typedef {object} Share
 * @property {string} term by which links name it
 * @property {string} name
 * @property {number[]} parts of all, 0 to 1: of a profile, or of base and after
 */

/**
 * @param {import("./rebuild.js").Columns} data
 * @returns {{ libraries: Share[], kinds: Share[], rest: number }} the largest first; `rest`: the part of all, 0
 *   to 1, that an excerpt says nothing of
 */
export function libraryShares(data) {
  const { libraries = [], library = [], class_names, classes, name } = data;
  const sides =
    data.format === "perfpress-diff"
      ? [data.base_self, data.after_self].map((self, at) => ({
          self,
          rest: [data.base_rest, data.after_rest][at],
        }))
      : [{ self: data.self, rest: data.rest }];
  const sums = sides.map(({ self, rest = [] }) => {
    const ofLibrary = new Float64Array(libraries.length);
    const ofClass = new Float64Array(class_names.length);
    let [all, left] = [0, 0];
    self.forEach((weight, node) => {
      const own = Number(weight);
      const at = library[name[node]];
      if (at >= 0) ofLibrary[at] += own;
      ofClass[classes[name[node]]] += own;
      all += own;
      left += rest[node] ?? 0;
    });
    return { ofLibrary, ofClass, left, all: all + left || 1 };
  });
  return {
    rest: Math.max(...sums.map(({ left, all }) => left / all)),
    libraries: sorted(
      libraries.map((each, at) => ({
        term: IN_LIBRARY + shownName(each),
        name: shownName(each),
        parts: sums.map(({ ofLibrary, all }) => ofLibrary[at] / all),
      })),
    ),
    kinds: sorted(
      class_names.map((each, at) => ({
        term: `[${each}]`,
        name: KINDS[each],
        parts: sums.map(({ ofClass, all }) => ofClass[at] / all),
      })),
    ),
  };
}

/** @param {Share[]} shares */
function sorted(shares) {
  /** @param {Share} share */
  const size = ({ parts }) => Math.max(...parts);
  return shares
    .filter((share) => size(share) > 0)
    .sort((a, b) => size(b) - size(a) || (a.name < b.name ? -1 : 1));
}

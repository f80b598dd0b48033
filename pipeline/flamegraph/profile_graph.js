/** The flame graph of one profile. */

import { colourClass } from "./colours.js";
import { naming } from "./graph.js";
import { formatShare, formatWeight } from "./numbers.js";
import { filling, sectionOf, sectionsOf, wholeOf } from "./sections.js";
import { callTree } from "./tree.js";

/**
 * A profile, or an excerpt of one: then `rest` has the weight of the callees left out.
 *
 * @typedef {import("./graph.js").NamedNodes & {
 *   format: "perfpress-profile", unit: string, scale: number, self: (number | string)[], rest?: number[],
 *   sections?: import("./sections.js").Section[], work?: Work }} DrawnProfile
 *
 * @typedef {object} Work what the weight was spent on, where that is known
 * @property {number} operations done while the profile was captured
 * @property {string} operation what one is called: `insert`
 */

/**
 * @param {DrawnProfile} profile
 * @returns {import("./graph.js").Graph}
 */
export function profileGraph(profile) {
  const { unit, scale, work } = profile;
  const sections = sectionsOf(profile);
  // Weights that are text become numbers too.
  const self = new Float64Array(/** @type {number[]} */ (profile.self));
  const tree = callTree(profile.parent, self, profile.rest);
  const named = naming(profile);
  /** @type {string[]} by name: a function has the same colour wherever it stands */
  const colours = [];
  /** @param {number} node */
  const colour = (node) =>
    (colours[profile.name[node]] ??= colourClass(named.key(node), named.className(node)));
  /** @param {number} weight */
  const words = (weight) => formatWeight(weight * scale, unit);
  /** @param {number} weight */
  const cost = (weight) =>
    work && weight > 0
      ? [formatWeight((weight * scale) / work.operations, `${unit} per ${work.operation}`)]
      : [];
  return {
    ...named,
    lanes: sections.map((section) => ({
      title: section.continues ? "" : section.title,
      continues: section.continues,
      section,
      tree,
    })),
    colour: (node) => (node === 0 ? "r" : colour(node)),
    mark: () => "",
    facts: (node, zoomed) => {
      const { total, self } = tree;
      const section = sectionOf(sections, node);
      const all = wholeOf(section, tree);
      const shares = [`${shareOf(total[node], all)} of all`];
      const whole = filling(section, zoomed);
      if (whole !== 0 && node !== 0 && node !== whole) {
        const of = whole === zoomed ? "the zoomed frame" : named.name(whole);
        shares.push(`${shareOf(total[node], total[whole])} of ${of}`);
      }
      const inAll = [words(total[node]), ...shares, ...cost(total[node])].join(", ");
      if (section.callers && node > section.first) {
        return [`${named.name(section.first)} from here: ${inAll}`, named.kind(node)];
      }
      const own = [`${shareOf(self[node], all)} of all`, ...cost(self[node])];
      return [
        `total ${inAll}`,
        // In the tree of its callers, a function's own weight is not to be told from its callees'.
        ...(section.callers ? [] : [`self ${words(self[node])}, ${own.join(", ")}`]),
        named.kind(node),
      ];
    },
  };
}

/**
 * @param {number} weight
 * @param {number} whole may be nothing, where all that there is waits and is hidden
 */
function shareOf(weight, whole) {
  return formatShare(whole > 0 ? weight / whole : 0);
}

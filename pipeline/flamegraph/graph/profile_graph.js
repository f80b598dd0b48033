/** The flame graph of one profile. */

import { naming } from "../../profile/model/naming.js";
import { formatShare, formatWeight } from "../../profile/model/numbers.js";
import { callTree } from "../../profile/model/tree.js";
import { calledFrom, filling, isLeaf, sectionOf, sectionsOf, wholeOf } from "./sections.js";

/**
 * A profile, or an excerpt of one: then `rest` has the weight of the callees left out.
 *
 * @typedef {import("../../profile/model/naming.js").NamedNodes & {
 *   format: "perfpress-profile", unit: string, scale: number, self: (number | string)[], rest?: number[],
 *   sections?: import("./sections.js").Section[], work?: Work }} DrawnProfile
 *
 * @typedef {object} Work what the weight was spent on, where that is known
 * @property {number} operations done while the profile was captured
 * @property {string} cost_unit of weight ÷ operations: `cycles per insert`
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
  /** @type {string[]} by name: a function has the same colour everywhere */
  const colours = [];
  /** @param {number} node */
  const colour = (node) =>
    (colours[profile.name[node]] ??= colourClass(named.key(node), named.className(node)));
  /** @param {number} weight */
  const words = (weight) => formatWeight(weight * scale, unit);
  /** @param {number} weight */
  const cost = (weight) =>
    work && weight > 0 ? [formatWeight((weight * scale) / work.operations, work.cost_unit)] : [];
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
      const called = section.callers ? calledFrom(section, tree.parent, node) : node;
      if (called !== node) return [`${named.name(called)} from here: ${inAll}`, named.place(node)];
      const own = [`${shareOf(self[node], all)} of all`, ...cost(self[node])];
      return [
        `${isLeaf(section, node) ? "self" : "total"} ${inAll}`,
        // In the tree of its callers, a function's own weight cannot be separated from its callees'.
        ...(section.callers ? [] : [`self ${words(self[node])}, ${own.join(", ")}`]),
        named.place(node),
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

/** How many tints each class of the profile has, and by which letter its colour classes begin. */
export const TINTS = /** @type {Record<string, { letter: string, tints: number }>} */ ({
  thread: { letter: "t", tints: 1 },
  user: { letter: "u", tints: 6 },
  library: { letter: "l", tints: 4 },
  kernel: { letter: "k", tints: 4 },
  jit: { letter: "j", tints: 3 },
  inlined: { letter: "i", tints: 3 },
});

/**
 * Hash by FNV-1a over the UTF-16 code units (http://www.isthe.com/chongo/tech/comp/fnv/).
 *
 * @param {string} text
 */
function hash(text) {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  }
  return state >>> 0;
}

/**
 * @param {string} key the function's name-match key
 * @param {string} className one of the profile's `class_names`
 * @returns {string} `u3`
 */
export function colourClass(key, className) {
  const { letter, tints } = TINTS[className] ?? TINTS.user;
  // The low bits of FNV-1a are its weakest: fold the high half in.
  const state = hash(key);
  return letter + (((state ^ (state >>> 16)) >>> 0) % tints);
}

/**
 * @param {string} colour of code of any kind
 * @returns {string} of the same shade, in the hue of the program's own code
 */
export function plainClass(colour) {
  return colour === "t0" ? "r" : colour.replace(/^[ijkl]/, "u");
}

/**
 * The flame graph of a diff: above, every frame of the profile after; below, in a lane of its own and
 * on the same scale, what of the base is gone. Colour is the change of a frame's total, or of the
 * frame alone where the reader asks for it.
 */

import { noiseOf, swapped, valuesOf } from "../../profile/diff/values.js";
import { IN_AFTER, IN_BASE } from "../../profile/match/union.js";
import { naming } from "../../profile/model/naming.js";
import { formatShare } from "../../profile/model/numbers.js";
import { subtreeEnd } from "../../profile/model/tree.js";
import { basisWords, overallWords } from "./basis.js";
import { aboutWords, joinedWords } from "./diff_words.js";
import { MINIMUM_PIXELS, REFERENCE_WIDTH, scene } from "./scene.js";
import { calledFrom, filling, isLeaf, sectionOf, sectionsOf } from "./sections.js";

/** Shades of growth and of shrinking. */
export const SHADES = 5;
/** The least change, as a part of a whole profile, that gets the strongest colour: none is pale noise. */
const LEAST_SCALE = 0.02;

/**
 * @typedef {import("../../profile/diff/diff.js").DiffTree
 *   & { colour_scale?: number, sections?: import("./sections.js").Section[] }} DrawnDiff `colour_scale`:
 *   the change with the strongest colour, in the basis; excerpts have that of the whole
 *
 * @typedef {object} DiffView how a diff is looked at, where it is not as the file says
 * @property {import("../../profile/diff/diff.js").ShownBasis} [basis]
 * @property {number} [of] the frame that `share_of_frame` is of; default: the root
 * @property {boolean} [bySelf] whether colour is the change of the frame alone
 * @property {boolean} [flipped] whether base and after change places
 *
 * @typedef {import("./graph.js").Graph & {
 *   baseTree: import("../../profile/model/tree.js").CallTree, afterTree: import("../../profile/model/tree.js").CallTree,
 *   goneTree: import("../../profile/model/tree.js").CallTree, colourScale: number, about: string,
 *   legend: LegendEntry[], strongest: string, goneTitle: string }} DiffGraph values in the basis;
 *   `about` says what width and colour are, `legend` which colour is which, `strongest` from which
 *   change on it is the strongest, `goneTitle` what the lanes of what is gone show
 *
 * @typedef {{ colour: string, text: string }} LegendEntry
 */

/**
 * @param {DrawnDiff} given
 * @param {DiffView} [view]
 * @returns {DiffGraph}
 */
export function diffGraph(given, { basis = given.basis, of = 0, bySelf = false, flipped } = {}) {
  const diff = flipped ? swapped(given) : given;
  const { base, after } = diff;
  const values = valuesOf(diff, basis, of);
  const { baseTree, afterTree, goneTree, isGone } = values;
  const named = naming(diff);
  const words = basisWords(basis, diff);
  const isShare = basis === "share" || basis === "share_of_frame";
  const sections = sectionsOf(diff);
  const lanes = lanesOf(diff, values, sections);
  const [was, is] = bySelf ? [baseTree.self, afterTree.self] : [baseTree.total, afterTree.total];
  /** @param {number} node */
  const change = (node) => is[node] - was[node];
  const noise = noiseOf(diff, values, basis, of);
  const shownNoise = bySelf ? noise.self : noise.total;
  /** @param {number} node */
  const isNoise = (node) => Math.abs(change(node)) <= shownNoise(node);
  const isAsGiven = basis === given.basis && !bySelf && !diff.sections;
  const end = basis === "share_of_frame" ? subtreeEnd(baseTree, of) : diff.parent.length;
  /** @param {number} node whether it is not in the frame that shares are of */
  const isOutside = (node) => basis === "share_of_frame" && (node < of || node >= end);
  const scale =
    (isAsGiven && diff.colour_scale) ||
    scaleOf(
      { ...named, lanes },
      (node) => (isOutside(node) ? 0 : change(node)),
      Math.max(baseTree.total[of], afterTree.total[of]),
    );
  /** @param {number} node */
  const hasMark = (node) => !isOutside(node) && !isNoise(node);
  /** @param {number} node */
  const status = (node) => {
    const [total, limit] = [afterTree.total[node] - baseTree.total[node], noise.total(node)];
    const isSmall = Math.abs(total) <= limit;
    const status = statusWords(diff, baseTree.total[node], afterTree.total[node], node);
    if (total === 0) return status;
    const size = words.size(limit);
    if (!isSmall) return `${status}, by more than the noise (±${size})`;
    const isPlain = status === "grown" || status === "shrunk";
    return `${isPlain ? "" : `${status}; `}no change above the noise (±${size})`;
  };
  /** @param {number} whole @param {boolean} isZoomed @param {number} node */
  const ofWhole = (whole, isZoomed, node) => {
    const [share, now] = [baseTree, afterTree].map(({ total }) =>
      total[whole] > 0 ? formatShare(total[node] / total[whole]) : "none",
    );
    const name = isZoomed ? "the zoomed frame" : named.name(whole);
    return `of ${name}: ${share} in ${base.label}, ${now} in ${after.label}`;
  };
  return {
    ...named,
    baseTree,
    afterTree,
    goneTree,
    lanes,
    colourScale: scale,
    about: aboutWords(diff, words, { bySelf, scale, isShare }),
    legend: legendOf(diff, words, { bySelf, isShare }),
    strongest: words.size(scale),
    goneTitle: goneTitle(diff),
    colour: (node, lane) => {
      if (lane.isContext?.(node) || isOutside(node)) return "x";
      if (isNoise(node)) return "n";
      const shade = Math.ceil((Math.abs(change(node)) / scale) * SHADES);
      return `${change(node) > 0 ? "g" : "s"}${Math.min(Math.max(shade, 1), SHADES)}`;
    },
    sign: (node, lane) => {
      if (lane.isContext || !hasMark(node)) return "";
      return change(node) > 0 ? "+" : "−";
    },
    mark: (node, lane) => {
      if (lane.isContext?.(node) || isOutside(node)) return "";
      if (isGone(node)) return "gone";
      if (baseTree.total[node] === 0) return "new";
      return hasMark(node) ? words.shortChange(was[node], is[node]) : "";
    },
    facts: (node, zoomed) => {
      if (isOutside(node)) return ["not in the frame that the shares are of", named.place(node)];
      const section = sectionOf(sections, node);
      const whole = filling(section, zoomed);
      /** @param {string} what @param {number} was @param {number} is */
      const line = (what, was, is) =>
        `${what} ${words.value(was)} in ${base.label}, ${words.value(is)} in ${after.label}: ${words.change(was, is)}`;
      const called = section.callers ? calledFrom(section, diff.parent, node) : node;
      const own = isLeaf(section, node)
        ? "self"
        : totalWords(diff, baseTree.total[node], afterTree.total[node], node);
      const what = called === node ? own : `${named.name(called)} from here`;
      const isPart = whole !== 0 && node !== 0 && node !== whole && basis !== "share_of_frame";
      return [
        status(node),
        line(what, baseTree.total[node], afterTree.total[node]),
        ...(section.callers ? [] : [line("self", baseTree.self[node], afterTree.self[node])]),
        ...(isPart ? [ofWhole(whole, whole === zoomed, node)] : []),
        ...matchFacts(diff, node),
        named.place(node),
      ];
    },
  };
}

/**
 * Return a diff with what its colours are measured by, for files: excerpts of it have the same colours.
 *
 * @template {DrawnDiff} T
 * @param {T} diff
 * @returns {T & { colour_scale: number }}
 */
export function withColourScale(diff) {
  return { ...diff, colour_scale: diffGraph(diff).colourScale };
}

/**
 * @param {DrawnDiff} diff
 * @param {import("../../profile/diff/values.js").Values} values
 * @param {import("./sections.js").Section[]} sections
 * @returns {import("./graph.js").Lane[]}
 */
function lanesOf({ base, after }, { afterTree, goneTree, isGone }, sections) {
  /** @param {import("./sections.js").Section} section @param {string} text */
  const title = (section, text) => (section.title ? `${section.title}. ${text}` : text);
  const afterLanes = sections.map((section) => ({
    title: section.continues ? "" : title(section, `${after.label}: every frame it has`),
    continues: section.continues,
    section,
    tree: afterTree,
  }));
  const goneLanes = sections.map((section) => ({
    title: title(section, goneTitle({ base, after })),
    section,
    tree: goneTree,
    isContext: (/** @type {number} */ node) => !isGone(node),
  }));
  return [...afterLanes, ...goneLanes];
}

/** @param {Pick<DrawnDiff, "base" | "after">} diff */
function goneTitle({ base, after }) {
  return `Gone: in ${base.label}, not in ${after.label}`;
}

/**
 * Say what the totals of a frame are of: a side that lacks it has what it calls on the other.
 *
 * @param {DrawnDiff} diff
 * @param {number} was
 * @param {number} is
 * @param {number} node
 */
function totalWords({ base, after, present }, was, is, node) {
  if (was === 0 || is === 0 || present[node] === (IN_BASE | IN_AFTER)) return "total";
  return `total, in ${present[node] === IN_BASE ? after.label : base.label} of what it calls,`;
}

/**
 * @param {DrawnDiff} diff
 * @param {number} was
 * @param {number} is
 * @param {number} node
 */
function statusWords({ base, after, present }, was, is, node) {
  if (is === 0 && was > 0) return "gone";
  if (was === 0) return "new";
  if (present[node] === IN_BASE) return `only ${base.label} has it, what it calls goes on`;
  if (present[node] === IN_AFTER) return `only ${after.label} has it, what it calls was there`;
  if (was === is) return "unchanged";
  return is > was ? "grown" : "shrunk";
}

/**
 * Say which colour is which; beside a larger share, whether an operation costs more at all.
 *
 * @param {DrawnDiff} diff
 * @param {import("./basis.js").BasisWords} words
 * @param {{ bySelf: boolean, isShare: boolean }} shown
 * @returns {LegendEntry[]}
 */
function legendOf(diff, { name }, { bySelf, isShare }) {
  const { base, after } = diff;
  const than = isShare ? `of ${after.label} than of` : `in ${after.label} than in`;
  const what = bySelf ? `own ${name}` : name;
  const overall = isShare && overallWords(diff);
  const cost = overall ? `; cost per operation ${overall}` : "";
  return [
    { colour: "g4", text: `red, +: larger ${what} ${than} ${base.label}${cost}` },
    { colour: "s4", text: "blue, −: smaller" },
    { colour: "n", text: "grey: within the noise" },
  ];
}

/**
 * Say what was matched at a node although it differs.
 *
 * @param {DrawnDiff} diff
 * @param {number} node
 */
function matchFacts({ base, after, joined, join, name, shared_out }, node) {
  const index = join[name[node]];
  const facts = index === null ? [] : [joinedWords(joined[index], base, after)];
  for (const [side, bit] of /** @type {const} */ ([
    [base, IN_BASE],
    [after, IN_AFTER],
  ])) {
    if (shared_out[node] & bit) {
      facts.push(`${side.label} has it on one call path; its weight is shared out to several here`);
    }
  }
  return facts;
}

/**
 * Find the change that gets the strongest colour: the largest of a frame that is drawn, as what nobody
 * sees must not pale what everybody sees; but at least a part of the larger side, so that a diff of
 * nothing but noise is pale.
 *
 * @param {Pick<import("./graph.js").Graph, "lanes" | keyof import("../../profile/model/naming.js").Naming>} graph
 * @param {(node: number) => number} change
 * @param {number} whole
 * @returns {number} in the basis; 1 where both sides weigh nothing
 */
function scaleOf(graph, change, whole) {
  const plain = { ...graph, colour: () => "", mark: () => "", sign: () => "", facts: () => [] };
  const { frames } = scene(plain, {
    width: REFERENCE_WIDTH,
    zoomed: 0,
    direction: "icicle",
    minimumPixels: MINIMUM_PIXELS,
  });
  const largest = frames.reduce((size, { node }) => Math.max(size, Math.abs(change(node))), 0);
  return Math.max(largest, LEAST_SCALE * whole) || 1;
}

/**
 * The flame graph of a diff: above, every frame of the profile after; below, in a lane of its own and
 * on the same scale, what of the base is gone. Colour is the change of a frame's total.
 */

import { joinedWords } from "./diff_words.js";
import { naming } from "./graph.js";
import { formatChange, formatShare, formatWeight, grouped } from "./numbers.js";
import { MINIMUM_PIXELS, REFERENCE_WIDTH, scene } from "./scene.js";
import { filling, sectionOf, sectionsOf } from "./sections.js";
import { IN_AFTER, IN_BASE } from "./sides.js";
import { callTree } from "./tree.js";

/** Shades of growth and of shrinking. */
export const SHADES = 5;
/** Changes smaller than this part of the scale get no number in their label. */
const LEAST_MARKED = 0.04;
/**
 * The least change, as a part of a whole profile, that gets the strongest colour. Two profiles of one
 * build differ by a point or two where functions weigh much: with 5000 samples a side, two shares of
 * 50 % differ by up to ±2 points (twice √(2 · 0.5 · 0.5 / 5000)), which is two shades of five.
 */
export const LEAST_SCALE = 0.05;

/**
 * A diff, or an excerpt of one: then the `…_rest` columns have the weight of what was left out.
 *
 * @typedef {Pick<import("./diff.js").Diff, "format" | "basis" | "unit" | "noise_floor"
 *   | "colour_scale" | "base" | "after" | "joined" | "join" | "present" | "shared_out" | "base_self"
 *   | "after_self">
 *   & import("./graph.js").NamedNodes
 *   & { base_rest?: number[], after_rest?: number[], gone_rest?: number[],
 *   sections?: import("./sections.js").Section[] }} DrawnDiff
 *
 * @typedef {import("./graph.js").Graph & {
 *   baseTree: import("./tree.js").CallTree, afterTree: import("./tree.js").CallTree,
 *   goneTree: import("./tree.js").CallTree }} DiffGraph
 *   values in the diff's basis
 */

/**
 * @param {DrawnDiff} diff
 * @returns {DiffGraph}
 */
export function diffGraph(diff) {
  const { base, after, basis } = diff;
  const baseTree = sideTree(diff, base, diff.base_self, diff.base_rest);
  const afterTree = sideTree(diff, after, diff.after_self, diff.after_rest);
  /** @param {number} node */
  const isGone = (node) => afterTree.total[node] === 0 && baseTree.total[node] > 0;
  const goneSelf = diff.base_self.map((weight, node) => (isGone(node) ? weight : 0));
  const goneRest = diff.gone_rest ?? diff.base_rest?.map((rest, node) => (isGone(node) ? rest : 0));
  const goneTree = sideTree(diff, base, goneSelf, goneRest);
  const named = naming(diff);
  const words = basisWords(basis, diff.unit);
  const sections = sectionsOf(diff);
  /** @param {import("./sections.js").Section} section @param {string} text */
  const title = (section, text) => (section.title ? `${section.title}. ${text}` : text);
  const afterLanes = sections.map((section) => ({
    title: section.continues ? "" : title(section, `${after.label}: every frame it has`),
    continues: section.continues,
    section,
    tree: afterTree,
  }));
  const goneLanes = sections.map((section) => ({
    title: title(section, `Gone: in ${base.label}, not in ${after.label}`),
    section,
    tree: goneTree,
    isContext: (/** @type {number} */ node) => !isGone(node),
  }));
  /** @param {number} node */
  const change = (node) => afterTree.total[node] - baseTree.total[node];
  /** @param {number} node */
  const isNoise = (node) => Math.abs(change(node)) <= diff.noise_floor;
  /** @param {number} node */
  const status = (node) => {
    if (isGone(node)) return "gone";
    if (baseTree.total[node] === 0) return "new";
    if (diff.present[node] === IN_BASE) return `only ${base.label} has it, what it calls goes on`;
    if (diff.present[node] === IN_AFTER)
      return `only ${after.label} has it, what it calls was there`;
    if (change(node) === 0) return "unchanged";
    if (isNoise(node)) return "no change above the noise";
    return change(node) > 0 ? "grown" : "shrunk";
  };
  /** @param {number} whole @param {boolean} isZoomed @param {number} node */
  const ofWhole = (whole, isZoomed, node) => {
    const [was, is] = [baseTree, afterTree].map(({ total }) =>
      total[whole] > 0 ? formatShare(total[node] / total[whole]) : "none",
    );
    const of = isZoomed ? "the zoomed frame" : named.name(whole);
    return `of ${of}: ${was} in ${base.label}, ${is} in ${after.label}`;
  };
  return {
    ...named,
    baseTree,
    afterTree,
    goneTree,
    lanes: [...afterLanes, ...goneLanes],
    colour: (node, lane) => {
      if (lane.isContext?.(node)) return "x";
      if (isNoise(node)) return "n";
      const shade = Math.ceil((Math.abs(change(node)) / diff.colour_scale) * SHADES);
      return `${change(node) > 0 ? "g" : "s"}${Math.min(Math.max(shade, 1), SHADES)}`;
    },
    mark: (node, lane) => {
      if (lane.isContext?.(node)) return "";
      const said = status(node);
      if (said === "new" || said === "gone") return said;
      if (isNoise(node) || Math.abs(change(node)) < LEAST_MARKED * diff.colour_scale) return "";
      return words.shortChange(baseTree.total[node], afterTree.total[node]);
    },
    facts: (node, zoomed) => {
      const section = sectionOf(sections, node);
      const whole = filling(section, zoomed);
      /** @param {string} what @param {number} was @param {number} is */
      const line = (what, was, is) =>
        `${what} ${words.value(was)} in ${base.label}, ${words.value(is)} in ${after.label}: ${words.change(was, is)}`;
      const isCaller = section.callers && node > section.first;
      const what = isCaller ? `${named.name(section.first)} from here` : "total";
      return [
        status(node),
        line(what, baseTree.total[node], afterTree.total[node]),
        ...(section.callers ? [] : [line("self", baseTree.self[node], afterTree.self[node])]),
        ...(whole === 0 || node === 0 ? [] : [ofWhole(whole, whole === zoomed, node)]),
        ...matchFacts(diff, node),
        named.kind(node),
      ];
    },
  };
}

/**
 * Return what was taken for the same at a node though it differs, in words.
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
 * sees must not pale what everybody sees; but at least LEAST_SCALE of the larger side, so that a diff
 * of nothing but noise is pale.
 *
 * @param {Omit<DrawnDiff, "colour_scale">} diff
 * @returns {number} in the basis; 1 where both sides weigh nothing
 */
export function colourScale(diff) {
  const graph = diffGraph({ ...diff, colour_scale: 1 });
  const { frames } = scene(graph, {
    width: REFERENCE_WIDTH,
    zoomed: 0,
    direction: "icicle",
    minimumPixels: MINIMUM_PIXELS,
  });
  const { baseTree, afterTree } = graph;
  const largest = frames.reduce(
    (size, { node }) => Math.max(size, Math.abs(afterTree.total[node] - baseTree.total[node])),
    0,
  );
  const whole = Math.max(baseTree.total[0], afterTree.total[0]);
  return Math.max(largest, LEAST_SCALE * whole) || 1;
}

/**
 * Return the tree of one side, its values in the basis. Totals are summed as weights, which are
 * whole, and converted last: all of a side is 100 % exactly, and what weighs nothing is 0.
 *
 * @param {DrawnDiff} diff
 * @param {import("./diff.js").DiffSide} side
 * @param {(number | string)[]} self
 * @param {number[]} [rest]
 */
function sideTree({ parent, basis }, { total, scale, factor }, self, rest) {
  const tree = callTree(parent, self.map(Number), rest);
  /** @param {number} weight */
  const value = (weight) =>
    basis === "share" ? (weight * scale) / (Number(total) || 1) : weight * scale * factor;
  return {
    ...tree,
    self: tree.self.map(value),
    rest: tree.rest.map(value),
    total: tree.total.map(value),
  };
}

/**
 * Return how values and changes of a basis are said.
 *
 * @param {import("./diff.js").Basis} basis
 * @param {string} unit
 */
export function basisWords(basis, unit) {
  if (basis === "share") {
    /** @param {number} change */
    const points = (change) => formatChange(change, (size) => grouped(size * 100, 2));
    return {
      name: "share",
      value: formatShare,
      /** @param {number} was @param {number} is */
      change: (was, is) => `${points(is - was)} points`,
      /** @param {number} was @param {number} is */
      shortChange: (was, is) => points(is - was),
    };
  }
  const per = basis === "cost_per_operation" ? "operation" : "second";
  /** @param {number} value */
  const value = (value) => formatWeight(value, `${unit} per ${per}`);
  /** @param {number} was @param {number} is */
  const relative = (was, is) =>
    was > 0 ? formatChange(is / was - 1, (size) => `${grouped(size * 100, 1)} %`) : "new";
  return {
    name: basis === "cost_per_operation" ? "cost per operation" : "weight per second",
    value,
    /** @param {number} was @param {number} is */
    change: (was, is) => `${formatChange(is - was, value)} (${relative(was, is)})`,
    shortChange: relative,
  };
}

/**
 * What each frame and function grew by, in the basis that says most, beyond what everything grew by.
 *
 * @typedef {object} Growth
 * @property {import("./diff.js").Basis} basis
 * @property {import("../model/tree.js").CallTree} tree whose weights are those of the side after
 * @property {number} even how many times what it was all code costs; 1 where it does not grow
 * @property {number[]} whole of base and after
 * @property {Float64Array} before by node: total in the base, times `even`
 * @property {Float64Array} after by node: total
 * @property {Float64Array} change by node: `after` less `before`
 * @property {Float64Array} ownChange by node: of what the frame does itself
 * @property {Sums} functions
 *
 * @typedef {object} Sums by function: outermost calls added up
 * @property {Float64Array} base as it was, not times `even`
 * @property {Float64Array} after
 * @property {Float64Array} change beyond `even`
 * @property {Float64Array} risen `change` of the calls that grew
 */

import { valuesOf } from "./values.js";

/** @typedef {import("./diff.js").Basis} Basis */
/** @typedef {import("./functions.js").Functions} Functions */

/** The most informative basis comes first: shares cannot show whether anything costs more. */
const BASES = /** @type {Basis[]} */ ([
  "cost_per_operation",
  "relative_cost",
  "weight_per_second",
  "share",
]);

/**
 * What counts of one function when it is asked what all code grew by, as a part of all: then no single
 * function, however heavy, is taken for everything, as twenty have to agree.
 */
const MOST_OF_ONE = 0.05;
/** Of what differs by more, one side has next to nothing: it is inlined there, or called otherwise. */
const MOST_TIMES = 4;
/** The normal's quantile at 5 %, two-sided: the median is more than luck if its interval is above 1. */
const Z = 1.96;

/**
 * @param {import("./diff.js").DiffTree} diff
 * @param {Functions} functions
 * @param {number} known what single functions are known to have grown by, in the basis: not all code
 * @param {Basis} [basis]
 * @returns {Growth}
 */
export function growthOf(diff, functions, known, basis = mostInformative(diff)) {
  const { baseTree, afterTree } = valuesOf(diff, basis, 0);
  const whole = [baseTree.total[0], afterTree.total[0]];
  // All shares are 100 % on either side, and those of most functions grow where others shrink.
  const most = basis === "share" ? Number.POSITIVE_INFINITY : (whole[1] - known) / (whole[0] || 1);
  const even = Math.min(evenGrowth(functions, baseTree, afterTree), Math.max(1, most));
  const before = baseTree.total.map((weight) => weight * even);
  const after = afterTree.total;
  const change = after.map((weight, node) => weight - before[node]);
  return {
    basis,
    tree: afterTree,
    even,
    whole,
    before,
    after,
    change,
    ownChange: afterTree.self.map((weight, node) => weight - even * baseTree.self[node]),
    functions: sums(functions, baseTree.total, after, change),
  };
}

/**
 * @param {import("./function_samples.js").Sides} sides
 * @returns {Basis} in which changes are listed
 */
function mostInformative({ base, after }) {
  return BASES.find((each) => base.factors[each] && after.factors[each]) ?? "share";
}

/**
 * @param {Functions} functions
 * @param {Float64Array} base
 * @param {Float64Array} after
 * @param {Float64Array} change
 * @returns {Sums}
 */
function sums({ calls }, base, after, change) {
  /** @param {(node: number) => number} value */
  const summed = (value) =>
    Float64Array.from(calls, (nodes) => nodes.reduce((sum, node) => sum + value(node), 0));
  return {
    base: summed((node) => base[node]),
    after: summed((node) => after[node]),
    change: summed((node) => change[node]),
    risen: summed((node) => Math.max(0, change[node])),
  };
}

/**
 * Return what most code grew by: the middle of what the functions that both sides have grew by, by their
 * own weight after ÷ before, where it is more than luck. What was
 * inlined on one side counts as its callers' on both. What most code shrank by is not made up for: what
 * costs no more than it did is not a suspect, though all the rest costs less.
 *
 * @param {Functions} functions
 * @param {import("../model/tree.js").CallTree} baseTree
 * @param {import("../model/tree.js").CallTree} afterTree
 */
function evenGrowth({ at, count, isThread }, baseTree, afterTree) {
  const [plainWas, plainIs] = [baseTree.self, afterTree.self].map((self) =>
    ownSums(at, self, count),
  );
  const isOfBoth = Uint8Array.from(plainWas, (was, index) => {
    const is = plainIs[index];
    return Number(!isThread[index] && was <= MOST_TIMES * is && is <= MOST_TIMES * was);
  });
  const owner = new Int32Array(at.length).fill(-1);
  for (let node = 1; node < at.length; node++) {
    owner[node] = isOfBoth[at[node]] ? at[node] : owner[baseTree.parent[node]];
  }
  const [was, is] = [baseTree.self, afterTree.self].map((self) => ownSums(owner, self, count));
  const ratios = Array.from(was, (weight, index) => ({
    ratio: is[index] / weight,
    part: Math.min((weight / baseTree.total[0] + is[index] / afterTree.total[0]) / 2, MOST_OF_ONE),
  }));
  const known = ratios.filter((_, index) => was[index] > 0 && is[index] > 0);
  const all = known.reduce((sum, { part }) => sum + part, 0);
  // As many functions of one weight would say as much (Kish).
  const asMany = all ** 2 / known.reduce((sum, { part }) => sum + part ** 2, 0);
  const least = 0.5 - Z / (2 * Math.sqrt(asMany));
  // Below 0 they are too few: they may all have grown by luck.
  return least > 0 && quantile(known, least) > 1 ? middle(known) : 1;
}

/**
 * @param {ArrayLike<number>} at by node: a function, or -1
 * @param {Float64Array} self
 * @param {number} count
 */
function ownSums(at, self, count) {
  const sums = new Float64Array(count);
  self.forEach((weight, node) => {
    if (at[node] >= 0) sums[at[node]] += weight;
  });
  return sums;
}

/**
 * Return the mean of the middle half: nearly as sure as the mean of all, and as hard to lead astray as
 * the median.
 *
 * @param {{ ratio: number, part: number }[]} ratios
 */
function middle(ratios) {
  const [least, most] = [0.25, 0.75].map((below) => quantile(ratios, below));
  const inside = ratios.filter(({ ratio }) => ratio >= least && ratio <= most);
  const parts = inside.reduce((sum, { part }) => sum + part, 0);
  return inside.reduce((sum, { ratio, part }) => sum + ratio * part, 0) / parts;
}

/**
 * @param {{ ratio: number, part: number }[]} ratios
 * @param {number} below what part of the weight is to lie below
 * @returns {number} NaN of nothing
 */
function quantile(ratios, below) {
  const ordered = ratios.sort((a, b) => a.ratio - b.ratio);
  let left = below * ordered.reduce((sum, { part }) => sum + part, 0);
  for (const { ratio, part } of ordered) {
    left -= part;
    if (left <= 0) return ratio;
  }
  return Number.NaN;
}

/** What shrank to less than half may be what was renamed, inlined or left; less is a change like others. */
const LEFT = 0.5;

/**
 * Return whether something is gone or nearly gone; with the arguments swapped, whether it is new.
 *
 * @param {number} was
 * @param {number} is
 */
export function isGone(was, is) {
  return is < LEFT * was;
}

/** What the captures of both sides have of each function, and how much that varies by chance. */

import { fixedWhole } from "./bases.js";
import { represented } from "./noise.js";
import { overdispersions } from "./overdispersion.js";

/**
 * @typedef {import("./growth.js").Growth} Growth
 * @typedef {Pick<import("./diff.js").Diff, "base" | "after">} Sides
 *
 * @typedef {object} Sample one capture
 * @property {Float64Array} weight by tested function
 * @property {number} per operations, seconds or weight that it represents
 *
 * @typedef {object} Samples the captures of a side
 * @property {Sample[]} each
 * @property {import("./overdispersion.js").Overdispersions} overdispersion by tested function
 */

/**
 * @param {Sides} sides
 * @param {Growth["basis"]} basis
 * @returns {number[]} what a sample weighs in the basis, by side
 */
export function unitsOf({ base, after }, basis) {
  return [base, after].map(({ sample_weight, factors }) => sample_weight * (factors[basis] ?? 0));
}

/**
 * Return what gives the variance of the difference of two counts of that weight, in the basis.
 *
 * @param {Sides} sides
 * @param {Growth} growth
 * @returns {(before: number, after: number) => number} `before` without the growth of all code
 */
export function countVariance(sides, { basis, even, whole }) {
  const units = unitsOf(sides, basis);
  /** @param {number} side @param {number} weight */
  const varianceOf = (side, weight) =>
    units[side] * weight * Math.max(0, 1 - weight / (fixedWhole(basis, whole[side]) || 1));
  return (before, after) => even ** 2 * varianceOf(0, before) + varianceOf(1, after);
}

/**
 * @param {Sides} sides
 * @param {import("./diff.js").Captures} captures
 * @param {Growth} growth
 * @param {number[][]} calls by function
 * @param {number[]} tested functions
 * @returns {Samples[]} by side
 */
export function samplesOf(sides, captures, { basis, whole }, calls, tested) {
  const units = unitsOf(sides, basis);
  return /** @type {const} */ (["base", "after"]).map((side, at) => {
    const all = fixedWhole(basis, whole[at]);
    const per = represented(captures[side], sides[side].factors[basis] ?? 0, all);
    const rows = captures[side].total.map((row) =>
      Float64Array.from(tested, (index) => calls[index].reduce((sum, node) => sum + row[node], 0)),
    );
    return {
      each: rows.map((weight, capture) => ({ weight, per: per[capture] })),
      overdispersion: overdispersions(rows, per, units[at], all),
    };
  });
}

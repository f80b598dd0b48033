/**
 * How much more than counts of samples the weights of all functions of a diff vary: the number on which
 * its colours and its list of changes rest. Each basis has its own: where captures weigh unlike, so do
 * costs, and shares need not.
 *
 * Captures show it; with one capture a side, other captures of the archive do, or DOCUMENTED. Few captures
 * do not show load that comes in waves, but the difference of the two sides does: most functions do not
 * change, so what their middle differs by is noise (an empirical null: Efron, Large-Scale Simultaneous
 * Hypothesis Testing, JASA 99, 2004).
 *
 * @typedef {import("./bases.js").Basis} Basis
 *
 * @typedef {object} CommonNoise
 * @property {number} factor not below 1
 * @property {number} degrees of freedom: how alike functions are
 * @property {number} quantile of the normal: more standard errors than any of the functions differs by
 *   chance, in all but one of 40 comparisons (Bonferroni), half of them in either direction
 * @property {import("../../messages.js").Noise["shown_by"]} from what shows it
 */

import { examined } from "./examined.js";
import { countVariance, samplesOf, unitsOf } from "./function_samples.js";
import { functionsOf } from "./functions.js";
import { growthOf } from "./growth.js";
import { ALIKE, commonOf, DOCUMENTED, normalQuantile } from "./overdispersion.js";
import { splitsOf } from "./splits.js";
import { swapped } from "./values.js";

/** A function of fewer samples on both sides together says nothing of how the sides differ. */
const ENOUGH_SAMPLES = 10;
/** Fewer functions have no middle. */
const FEWEST_FUNCTIONS = 8;
/**
 * The most that the difference of two sides counts as noise: where most of a program did change, their
 * middle is no noise. Of programs in waves of 0.2 s, 3 s a capture, it is 9 to 17 (node, Python, SQLite).
 */
const MOST_BETWEEN = 10;
/** Of comparisons without a change, so many show one in one direction. */
const FALSE = 1 / 80;
/** The median of the square of a standard normal. */
const MEDIAN_OF_SQUARES = 0.4549;

/**
 * @param {import("./functions.js").NamedDiff & import("./diff.js").DiffTree} diff
 * @param {import("./diff.js").Captures} captures
 * @param {number} [known] the factor of other captures of the report
 * @returns {Partial<Record<Basis, CommonNoise>>} of each basis
 */
export function commonNoise(diff, captures, known) {
  const functions = functionsOf(diff);
  const bases = /** @type {Basis[]} */ (Object.keys(diff.base.factors));
  return Object.fromEntries(
    bases.map((basis) => [basis, ofBasis(diff, captures, functions, basis, known)]),
  );
}

/**
 * @param {import("./diff.js").DiffTree} diff
 * @param {import("./diff.js").Captures} captures
 * @param {import("./functions.js").Functions} functions
 * @param {Basis} basis
 * @param {number} [known]
 * @returns {CommonNoise}
 */
function ofBasis(diff, captures, functions, basis, known) {
  const directions = [diff, swapped(diff)].map((sides) => ({
    sides,
    growth: growthOf(sides, functions, Number.NEGATIVE_INFINITY, basis),
  }));
  const [{ growth }] = directions;
  const tested = examined(growth, functions);
  const samples = samplesOf(diff, captures, growth, functions.calls, tested);
  // To as many digits as it is known.
  const quantile = Number(normalQuantile(FALSE / Math.max(1, tested.length)).toFixed(3));
  const shown = commonOf(samples.map(({ overdispersion }) => overdispersion));
  const { factor, degrees } = shown ?? { factor: Math.max(1, known ?? DOCUMENTED), degrees: ALIKE };
  // What all code grew or fell by is no noise: one of the directions has it made up for.
  const between = Math.min(
    ...directions.map((each) => betweenSides(each.sides, each.growth, tested)),
  );
  if (between > factor && splitsOf(captures).level === null) {
    return { factor: between, degrees, quantile, from: between < MOST_BETWEEN ? "sides" : "limit" };
  }
  if (shown) return { factor, degrees, quantile, from: "captures" };
  return { factor, degrees, quantile, from: known ? "report" : "archives" };
}

/**
 * Return by how much more than counts the two sides differ in most functions: not below 1.
 *
 * @param {import("./function_samples.js").Sides} sides
 * @param {import("./growth.js").Growth} growth from the one to the other
 * @param {number[]} tested functions
 */
function betweenSides(sides, growth, tested) {
  const { even } = growth;
  const { base, after } = growth.functions;
  const units = unitsOf(sides, growth.basis);
  const variance = countVariance(sides, growth);
  const squares = tested
    .filter((index) => base[index] / units[0] + after[index] / units[1] >= ENOUGH_SAMPLES)
    .map((index) => (after[index] - even * base[index]) ** 2 / variance(base[index], after[index]))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (squares.length < FEWEST_FUNCTIONS) return 1;
  const middle = squares[Math.floor(squares.length / 2)];
  return Math.min(MOST_BETWEEN, Math.max(1, middle / MEDIAN_OF_SQUARES));
}

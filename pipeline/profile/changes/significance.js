/**
 * Which functions changed by more than captures of one program differ.
 *
 * The weight of a function in a capture varies as counts of samples do, times its overdispersion: what a
 * server does comes in bursts. Functions borrow it from each other where there are few captures (variances
 * moderated as in limma: Smyth 2004); with one capture a side, all have that of other captures of the
 * archive, or DOCUMENTED. Few captures do not show load that comes in waves, but the difference of the two
 * sides does: most functions do not change, so what their middle differs by is noise (an empirical null:
 * Efron, Large-Scale Simultaneous Hypothesis Testing, JASA 99, 2004). A change counts where it exceeds what any of the functions would show by chance in
 * one of 40 comparisons (Student's t, Bonferroni).
 *
 * Enough captures must pass a permutation test as well. Captures are permuted, not samples, which have in
 * common what went on meanwhile: all captures are split in two in every other way, and each split counts
 * with the largest difference of any function (Westfall and Young, Resampling-Based Multiple Testing, 1993).
 *
 * @typedef {object} Significance
 * @property {number} ways to split the captures in two
 * @property {number} tried of them
 * @property {number | null} level that p must not be above; null where there are too few ways
 * @property {Float64Array | null} p by function; NaN where it was not looked at; null as `level`
 * @property {Float64Array} noise by function: a smaller change may be chance, in the basis
 * @property {(index: number) => boolean} isLikely whether the captures let a function have changed
 * @property {(before: number, after: number) => number} variance of the difference of two counts of that
 *   weight, in the basis, `before` without the growth of all code
 * @property {Float64Array} factor by function: by which its weight varies more
 * @property {number} overdispersion the same of all code
 * @property {Float64Array} limit by function: standard errors that one of all exceeds by chance
 * @property {number} quantile the same of all code
 */

import { fixedWhole } from "../diff/bases.js";
import { represented } from "../diff/noise.js";
import { normalQuantile, overdispersions, pooled, studentOf } from "../diff/overdispersion.js";
import { combinations, permutations } from "./permutations.js";

/** Of comparisons without a change, so many name something in one direction. */
const FALSE = 1 / 80;
/** The most that p may be, strictest first. */
const LEVELS = [0.01, 0.05];
/** A function of fewer samples on both sides together says nothing of how the sides differ. */
const ENOUGH_SAMPLES = 10;
/** Fewer functions have no middle. */
const FEWEST_FUNCTIONS = 8;
/**
 * The most that the difference of two sides counts as noise: where most of a program did change, their
 * middle is no noise. Of programs in waves of 0.2 s, 3 s a capture, it is 9 to 17 (node, Python, SQLite).
 */
const MOST_BETWEEN = 10;
/** The median of the square of a standard normal. */
const MEDIAN_OF_SQUARES = 0.4549;
/** Ways tried where there are more; drawn by chance, always the same. */
const MOST_WAYS = 2000;
/** Ways × functions × captures: some tenths of a second. */
const MOST_WORK = 4_000_000;

/**
 * @typedef {object} Sample one capture
 * @property {Float64Array} weight by tested function
 * @property {number} per operations, seconds or weight that it represents
 */

/**
 * @param {import("../diff/diff.js").DiffTree} diff
 * @param {import("../diff/diff.js").Captures} captures
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @param {number[]} tested functions
 * @returns {Significance}
 */
export function significanceOf(diff, captures, growth, { calls, count }, tested) {
  const { basis, even, whole } = growth;
  const wholes = whole.map((each) => fixedWhole(basis, each));
  const sides = /** @type {const} */ (["base", "after"]).map((side, at) =>
    samplesOf(captures[side], diff[side].factors[basis] ?? 0, wholes[at], calls, tested),
  );
  const units = [diff.base, diff.after].map(
    ({ sample_weight, factors }) => sample_weight * (factors[basis] ?? 0),
  );
  /** @param {number} side @param {number} weight */
  const varianceOf = (side, weight) =>
    units[side] * weight * Math.max(0, 1 - weight / (wholes[side] || 1));
  const variance = (/** @type {number} */ before, /** @type {number} */ after) =>
    even ** 2 * varianceOf(0, before) + varianceOf(1, after);
  const ways = combinations(sides[0].length + sides[1].length, sides[1].length);
  // Each way has its mirror image, in which all that grew shrank.
  const level = LEVELS.find((each) => ways * each >= 2) ?? null;
  const model = pooled(
    sides.map((samples, side) =>
      overdispersions(
        samples.map(({ weight }) => weight),
        samples.map(({ per }) => per),
        units[side],
        wholes[side],
      ),
    ),
    diff.overdispersion,
    level === null ? betweenSides(growth, variance, units, tested) : undefined,
  );
  const quantile = normalQuantile(FALSE / Math.max(1, tested.length));
  const noise = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const factor = new Float64Array(count).fill(model.typical);
  const limit = new Float64Array(count).fill(quantile);
  const errors = Float64Array.from(tested, (index, at) => {
    const { base, after } = growth.functions;
    factor[index] = model.factorOf(at);
    const error = Math.sqrt(factor[index] * variance(base[index], after[index]));
    limit[index] = studentOf(quantile, model.degreesOf(at));
    noise[index] = limit[index] * error;
    return error;
  });
  const found = {
    noise,
    quantile,
    overdispersion: model.typical,
    variance,
    factor,
    limit,
  };
  if (level === null) return { ...found, ways, tried: 0, level, p: null, isLikely: () => true };
  const [before, after] = sides.map(inOrder);
  for (const sample of before) sample.weight = sample.weight.map((each) => even * each);
  const samples = [...before, ...after];
  const most = Math.min(MOST_WAYS, Math.floor(MOST_WORK / (tested.length * samples.length)));
  const { values, tried } = permuted(samples, after.length, errors, {
    ways,
    most: Math.max(most, Math.ceil(2 / level)),
  });
  const p = new Float64Array(count).fill(Number.NaN);
  tested.forEach((index, at) => {
    p[index] = values[at];
  });
  return { ...found, ways, tried, level, p, isLikely: (index) => p[index] <= level };
}

/**
 * Return by how much more than counts the two sides differ in most functions: not below 1.
 *
 * @param {import("./growth.js").Growth} growth
 * @param {(before: number, after: number) => number} variance
 * @param {number[]} units what a sample weighs in the basis, by side
 * @param {number[]} tested
 */
function betweenSides({ functions: { base, after }, even }, variance, units, tested) {
  const squares = tested
    .filter((index) => base[index] / units[0] + after[index] / units[1] >= ENOUGH_SAMPLES)
    .map((index) => (after[index] - even * base[index]) ** 2 / variance(base[index], after[index]))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (squares.length < FEWEST_FUNCTIONS) return 1;
  const middle = squares[Math.floor(squares.length / 2)];
  return Math.min(MOST_BETWEEN, Math.max(1, middle / MEDIAN_OF_SQUARES));
}

/**
 * @param {import("../diff/capture_weights.js").CaptureRows} rows
 * @param {number} factor an exact weight × factor = its value in the basis
 * @param {number} whole of the side, infinite where it varies
 * @param {number[][]} calls by function
 * @param {number[]} tested
 * @returns {Sample[]}
 */
function samplesOf(rows, factor, whole, calls, tested) {
  const per = represented(rows, factor, whole);
  return rows.total.map((row, capture) => ({
    weight: Float64Array.from(tested, (index) =>
      calls[index].reduce((sum, node) => sum + row[node], 0),
    ),
    per: per[capture],
  }));
}

/**
 * Put captures in an order of their own, so that theirs in the bundle decides nothing.
 *
 * @param {Sample[]} samples
 */
function inOrder(samples) {
  return samples.sort((a, b) => {
    if (a.per !== b.per) return a.per - b.per;
    const at = a.weight.findIndex((weight, index) => weight !== b.weight[index]);
    return at < 0 ? 0 : a.weight[at] - b.weight[at];
  });
}

/**
 * Step down from the largest difference: where functions did change, those that changed less are compared
 * with what remains (Westfall and Young, algorithm 4.1).
 *
 * @param {Sample[]} samples those of the side after last
 * @param {number} taken how many these are
 * @param {Float64Array} errors by tested function: the standard error of its difference
 * @param {{ ways: number, most: number }} limits
 * @returns {{ values: Float64Array, tried: number }} p by tested function
 */
function permuted(samples, taken, errors, { ways, most }) {
  const all = samples.reduce((sum, { per }) => sum + per, 0);
  const sums = errors.map((_, at) => samples.reduce((sum, { weight }) => sum + weight[at], 0));
  /** @param {Uint8Array} isTaken @returns {Float64Array} how large differences are, in standard errors */
  const differences = (isTaken) => {
    const of = new Float64Array(errors.length);
    let per = 0;
    samples.forEach((sample, index) => {
      if (!isTaken[index]) return;
      per += sample.per;
      for (let at = 0; at < of.length; at++) of[at] += sample.weight[at];
    });
    return of.map((sum, at) =>
      errors[at] > 0 ? Math.abs(sum / per - (sums[at] - sum) / (all - per)) / errors[at] : 0,
    );
  };
  const found = differences(
    Uint8Array.from(samples, (_, at) => Number(at >= samples.length - taken)),
  );
  const smallestFirst = Array.from(found.keys()).sort((a, b) => found[a] - found[b]);
  const reached = new Float64Array(errors.length);
  let tried = 0;
  for (const isTaken of permutations(samples.length, taken, ways <= most ? null : most)) {
    const each = differences(isTaken);
    let largest = 0;
    for (const at of smallestFirst) {
      largest = Math.max(largest, each[at]);
      // A hair less, as the way that it really was adds up in another order.
      if (largest >= found[at] * (1 - 1e-9)) reached[at]++;
    }
    tried++;
  }
  let p = 0;
  for (const at of smallestFirst.reverse()) {
    p = Math.max(p, reached[at] / tried);
    reached[at] = p;
  }
  return { values: reached, tried };
}

/**
 * Which functions changed by more than captures of one program differ.
 *
 * The weight of a function in a capture varies as counts of samples do, times its overdispersion: what
 * captures show of it, drawn to what all functions of the diff have in common (common_noise.js). A change
 * counts where it exceeds the standard errors that any of the functions would by chance (Student's t),
 * as it does where frames are coloured (noise.js).
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

import { countVariance, samplesOf } from "../diff/function_samples.js";
import { moderated, studentOf } from "../diff/overdispersion.js";
import { splitsOf } from "../diff/splits.js";
import { permutations } from "./permutations.js";

/** @typedef {import("../diff/function_samples.js").Sample} Sample */
/** @typedef {import("../diff/diff.js").DiffTree & Pick<import("../diff/diff.js").Diff, "noise">} ComparedTree */

/** Ways tried where there are more; drawn by chance, always the same. */
const MOST_WAYS = 2000;
/** Ways × functions × captures: some tenths of a second. */
const MOST_WORK = 4_000_000;

/**
 * @param {ComparedTree} diff
 * @param {import("../diff/diff.js").Captures} captures
 * @param {import("../diff/growth.js").Growth} growth
 * @param {import("../diff/functions.js").Functions} functions
 * @param {number[]} tested functions
 * @returns {Significance}
 */
export function significanceOf(diff, captures, growth, { calls, count }, tested) {
  const samples = samplesOf(diff, captures, growth, calls, tested);
  const { ways, level } = splitsOf(captures);
  const variance = countVariance(diff, growth);
  const common = /** @type {import("../diff/common_noise.js").CommonNoise} */ (
    diff.noise[growth.basis]
  );
  const model = moderated(
    samples.map(({ overdispersion }) => overdispersion),
    common,
  );
  const { quantile } = common;
  const noise = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const factor = new Float64Array(count).fill(common.factor);
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
    overdispersion: common.factor,
    variance,
    factor,
    limit,
  };
  if (level === null) return { ...found, ways, tried: 0, level, p: null, isLikely: () => true };
  const [before, after] = samples.map(({ each }) => inOrder(each));
  for (const sample of before) sample.weight = sample.weight.map((each) => growth.even * each);
  const all = [...before, ...after];
  const most = Math.min(MOST_WAYS, Math.floor(MOST_WORK / (tested.length * all.length)));
  const { values, tried } = permuted(all, after.length, errors, {
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

/**
 * How large a change of a frame may be by chance: as counts of samples vary, times the overdispersion that
 * the single captures show of it, drawn to what all functions have in common (common_noise.js).
 *
 * It is as many standard errors as the list of changes asks of a function (common_noise.js): a picture that
 * colours what the list calls noise contradicts it. Nothing is corrected for the number of frames beyond
 * that of functions, as the totals of callers and callees are nearly the same number.
 *
 * Captures of one run are not repeats: the noise shows what captures of the same runs would show, not
 * what another run or another build of the same sources would.
 */

import { fixedWhole } from "./bases.js";
import { moderated, overdispersions, studentOf } from "./overdispersion.js";

/** The noise is known to no more digits than these. */
const DIGITS = 2;

/**
 * @typedef {import("./diff.js").Basis} Basis
 * @typedef {import("./capture_weights.js").CaptureRows} CaptureRows
 * @typedef {import("./overdispersion.js").Common & { quantile: number }} Threshold of common_noise.js
 *
 * @typedef {object} NoisySide
 * @property {number} sampleWeight what a sample weighs, exact
 * @property {Partial<Record<Basis, number>>} factors an exact weight × factor = its value in the basis
 * @property {Record<"total" | "self", ArrayLike<number>>} weights by node, exact
 * @property {CaptureRows} rows
 */

/**
 * Return the noise of each node, in each basis that both sides have.
 *
 * @param {[NoisySide, NoisySide]} sides
 * @param {Partial<Record<Basis, Threshold>>} common of each basis that both have
 * @returns {Partial<Record<`noise_${Basis}` | `self_noise_${Basis}`, number[]>>}
 */
export function noiseColumns(sides, common) {
  return Object.fromEntries(
    /** @type {[Basis, Threshold][]} */ (Object.entries(common)).flatMap(([basis, each]) => [
      [`noise_${basis}`, noise(sides, "total", basis, each)],
      [`self_noise_${basis}`, noise(sides, "self", basis, each)],
    ]),
  );
}

/**
 * @param {[NoisySide, NoisySide]} sides
 * @param {"total" | "self"} which
 * @param {Basis} basis
 * @param {Threshold} common
 */
function noise(sides, which, basis, common) {
  const wholes = sides.map(({ weights, factors }) =>
    fixedWhole(basis, weights.total[0] * (factors[basis] ?? 0)),
  );
  const units = sides.map(({ sampleWeight, factors }) => sampleWeight * (factors[basis] ?? 0));
  const model = moderated(
    sides.map(({ rows, factors }, side) =>
      overdispersions(
        rows[which],
        represented(rows, factors[basis] ?? 0, wholes[side]),
        units[side],
        wholes[side],
      ),
    ),
    common,
  );
  return Array.from(sides[0].weights[which], (_, node) => {
    const variance = sides.reduce((sum, { weights, factors }, side) => {
      const value = weights[which][node] * (factors[basis] ?? 0);
      return sum + units[side] * value * Math.max(0, 1 - value / wholes[side]);
    }, 0);
    const limit = studentOf(common.quantile, model.degreesOf(node));
    return Number((limit * Math.sqrt(model.factorOf(node) * variance)).toPrecision(DIGITS));
  });
}

/**
 * Return what each capture represents: its weight, operations or seconds.
 *
 * @param {CaptureRows} rows
 * @param {number} factor
 * @param {number} whole of the side, infinite where it varies
 */
export function represented({ exposures, total }, factor, whole) {
  if (Number.isFinite(whole)) return total.map((row) => row[0] / whole);
  const all = exposures.reduce((sum, each) => sum + each, 0);
  return exposures.map((each) => each / all / factor);
}

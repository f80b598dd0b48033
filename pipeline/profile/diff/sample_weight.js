/** What one sample of a profile weighs, from which its sampling error follows. */

import { selfWeights } from "../model/profile.js";

/** Weights of a finer unit than samples, such as cycles, have no such factor in common by chance. */
const LEAST_PERIOD = 100;
/** Of the frames, so many weigh less than what is taken for one sample where periods vary. */
const SMALL = 0.1;

/**
 * Estimate it where the captures do not state their samples, as an SVG: all weights are multiples of a
 * fixed period. Where periods vary, it is as much as the smallest frames weigh, but for the first samples
 * of a recording, whose periods are nearly nothing: more than it is, rather than less.
 *
 * @param {import("../model/profile.js").Profile} profile
 * @returns {number} exact and unscaled
 */
export function sampleWeight(profile) {
  const { samples, total, scale, unit } = profile;
  if (unit === "samples") return 1;
  if (samples) return Number(total) / samples;
  const weights = Array.from(selfWeights(profile), Number)
    .filter((weight) => weight > 0)
    .sort((a, b) => a - b);
  if (weights.length === 0) return 0;
  const period = scale * weights.reduce(commonDivisor);
  return period >= LEAST_PERIOD ? period : scale * weights[Math.floor(SMALL * weights.length)];
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number}
 */
function commonDivisor(a, b) {
  let [larger, smaller] = [a, b];
  while (smaller > 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

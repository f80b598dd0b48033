/** A logarithmic scale of times, as percentiles need it: the slow ones take a thousand times longer. */

import { extent } from "d3-array";
import { scaleLog } from "d3-scale";

/**
 * Return a scale that holds all times, with the ticks that a chart has room for: powers of ten, and
 * what is between them where those are few.
 *
 * @param {number[]} all above 0
 * @param {[number, number]} range
 * @returns {import("./drawing.js").Scale & ((value: number) => number)}
 */
export function timeScale(all, range) {
  const [least = 1, most = 10] = extent(all);
  const scale = scaleLog([least, Math.max(most, least * 1.01)], range).nice();
  const ticks = scale.ticks(5);
  const tens = ticks.filter((value) => /^1(\.0*)?e/.test(value.toExponential()));
  const some = ticks.filter((value) => /^[125](\.0*)?e/.test(value.toExponential()));
  const format = scale.tickFormat(Number.POSITIVE_INFINITY, ",~g");
  return Object.assign((/** @type {number} */ value) => scale(value), {
    ticks: () => (tens.length >= 3 ? tens : some),
    tickFormat: () => format,
  });
}

/**
 * Whole weights from percentages of two decimals.
 *
 * A printed percentage represents all weights that round to it. Of a report that leaves nothing
 * out, weights can be found that round to what is printed, each of them, and add up to the event
 * count; rounded percentages cannot be read more exactly.
 */

/** A percentage is printed in hundredths, and of these a half may have been rounded off. */
const WHOLE = 10_000n;

/**
 * The weights that a row can have.
 *
 * @typedef {object} WeightRange
 * @property {bigint} low
 * @property {bigint} nearest
 * @property {bigint} high
 */

/**
 * Return the weights that round to a percentage.
 *
 * @param {number} percent in hundredths
 * @param {bigint} count what 100 % are
 * @returns {WeightRange}
 */
export function rangeOf(percent, count) {
  const twice = 2n * BigInt(percent) * count;
  const low = percent === 0 ? 0n : (twice - count + 2n * WHOLE - 1n) / (2n * WHOLE);
  const high = (twice + count) / (2n * WHOLE);
  const nearest = (twice + WHOLE) / (2n * WHOLE);
  // Where a hundredth of a percent is less than 1, no whole number may round to the percentage.
  return low <= high ? { low, nearest, high } : { low: nearest, nearest, high: nearest };
}

/**
 * Return a weight for each range, so that they add up to the total where they can: all at the same
 * part of the way from low to high. Where they cannot, each is the nearest: their sum then falls
 * short of the total because rows were left out, or passes it.
 *
 * @param {WeightRange[]} ranges the same in whatever order, if equal ones are adjacent
 * @param {bigint} total
 */
export function fill(ranges, total) {
  const least = sum(ranges.map(({ low }) => low));
  const most = sum(ranges.map(({ high }) => high));
  if (total < least || total > most) return ranges.map(({ nearest }) => nearest);
  const room = most - least;
  const weights = ranges.map(({ low, high }) =>
    room === 0n ? low : low + ((high - low) * (total - least)) / room,
  );
  let left = total - sum(weights);
  for (let at = 0; at < weights.length && left > 0n; at++) {
    if (weights[at] === ranges[at].high) continue;
    weights[at] += 1n;
    left -= 1n;
  }
  return weights;
}

/** @param {bigint[]} weights */
export function sum(weights) {
  return weights.reduce((total, weight) => total + weight, 0n);
}

/** Points over time, in pieces between gaps. */

/**
 * @typedef {[seconds: number, value: number]} Point
 *
 * @typedef {[seconds: number, median: number, lowest: number, highest: number]} Stretch what the
 * runs of a release did in a stretch of time, at its middle
 */

/**
 * Return the highest of all values that are drawn.
 *
 * @param {{ pieces: Stretch[][], runs: Point[][][] }[]} series
 * @param {boolean} extremes whether the highest values of stretches are drawn
 */
export function highestOf(series, extremes) {
  let highest = 0;
  for (const { pieces, runs } of series) {
    for (const piece of pieces) {
      for (const [, median, , most] of piece) highest = Math.max(highest, extremes ? most : median);
    }
    for (const [, value] of runs.flat(2)) highest = Math.max(highest, value);
  }
  return highest;
}

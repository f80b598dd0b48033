/** Points over time, in pieces between gaps, and those of them that a picture can show. */

/**
 * @typedef {[seconds: number, value: number]} Point
 *
 * @typedef {[seconds: number, median: number, lowest: number, highest: number]} Stretch what the
 * runs of a release did in a stretch of time, at its middle
 */

/**
 * Keep at most four points for each of `buckets` equal stretches of time: the first, the lowest,
 * the highest and the last. A line through them covers the same pixels as one through all points,
 * so a stall of a single second stays in the picture of an hour. (Jugel et al., "M4: a
 * visualization-oriented time series data aggregation", VLDB 2014.)
 *
 * @param {Point[]} points
 * @param {number} end where the last stretch ends
 * @param {number} buckets
 * @returns {Point[]}
 */
export function visiblePoints(points, end, buckets) {
  if (points.length <= buckets * 4 || end <= 0) return points;
  /** @type {Point[]} */
  const visible = [];
  for (let start = 0; start < points.length; ) {
    const bucket = Math.floor((points[start][0] / end) * buckets);
    let stop = start;
    let lowest = start;
    let highest = start;
    while (stop < points.length && Math.floor((points[stop][0] / end) * buckets) === bucket) {
      if (points[stop][1] < points[lowest][1]) lowest = stop;
      if (points[stop][1] > points[highest][1]) highest = stop;
      stop += 1;
    }
    const kept = [...new Set([start, lowest, highest, stop - 1])].sort((a, b) => a - b);
    visible.push(...kept.map((index) => points[index]));
    start = stop;
  }
  return visible;
}

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

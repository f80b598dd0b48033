/** Interval series: their median over repeats and time, and the points that a picture can show. */

import { median } from "d3-array";

/**
 * @typedef {object} Run one run's rate over time
 * @property {(number | null)[]} seconds ends of the intervals since the start of the step, ascending
 * @property {(number | null)[]} values the rate in each interval; null where the log has none
 *
 * @typedef {[seconds: number, value: number]} Point
 */

/**
 * Return the run's points that have both a time and a value.
 *
 * @param {Run} run
 * @returns {Point[]}
 */
export function pointsOf({ seconds, values }) {
  /** @type {Point[]} */
  const points = [];
  for (const [index, second] of seconds.entries()) {
    const value = values[index];
    if (Number.isFinite(second) && Number.isFinite(value)) {
      points.push([/** @type {number} */ (second), /** @type {number} */ (value)]);
    }
  }
  return points;
}

/**
 * Return how many seconds one point of a median line stands for: a whole number of the logs'
 * intervals, so that at most `most` points lead to `end`.
 *
 * @param {Point[][]} runs
 * @param {number} end
 * @param {number} most
 * @returns {{ interval: number, intervals: number }} seconds of one interval; intervals in a stretch
 */
export function stretchOf(runs, end, most) {
  const distances = runs.flatMap((points) =>
    points.slice(1).map(([second], index) => second - points[index][0]),
  );
  const interval = median(distances.filter((distance) => distance > 0)) ?? 1;
  return { interval, intervals: Math.max(1, Math.ceil(Math.round(end / interval) / most)) };
}

/**
 * Return the median of all values of all repeats in every stretch of time. A stretch that fewer
 * than half of the repeats reached has none, so that one long run does not pass for all of them.
 *
 * @param {Point[][]} runs
 * @param {{ interval: number, intervals: number }} stretch
 * @returns {Point[]}
 */
export function medianLine(runs, { interval, intervals }) {
  /** @type {Map<number, { values: number[], runs: Set<number> }>} */
  const stretches = new Map();
  for (const [run, points] of runs.entries()) {
    for (const [second, value] of points) {
      // The clocks of runs are a little off: 10.001 s and 9.998 s end the same interval.
      const number = Math.ceil(Math.round(second / interval) / intervals);
      const stretch = stretches.get(number) ?? { values: [], runs: new Set() };
      stretches.set(number, stretch);
      stretch.values.push(value);
      stretch.runs.add(run);
    }
  }
  // A point stands in the middle of the ends of its intervals: that of 16 s, 17 s, … 30 s at 23 s.
  const middle = (intervals - 1) / 2;
  return [...stretches]
    .filter(([, stretch]) => stretch.runs.size * 2 >= runs.length)
    .map(([number, { values }]) => {
      const second = (number * intervals - middle) * interval;
      return /** @type {Point} */ ([second, median(values) ?? 0]);
    })
    .sort(([a], [b]) => a - b);
}

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

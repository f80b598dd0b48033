import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { medianLine, pointsOf, stretchOf, visiblePoints } from "../../pipeline/charts/series.js";

/** @typedef {import("../../pipeline/charts/series.js").Point} Point */

const everySecond = { interval: 1, intervals: 1 };

test("an interval without a value is a gap, not a zero", () => {
  const points = pointsOf({ seconds: [1, 2, null, 4], values: [10, null, 30, 40] });
  assert.deepEqual(points, [
    [1, 10],
    [4, 40],
  ]);
});

test("clocks that are a little off still meet in one interval", () => {
  /** @type {Point[][]} */
  const runs = [
    [[0.999, 10]], //
    [[1.002, 30]],
    [[1, 20]],
  ];
  assert.deepEqual(medianLine(runs, everySecond), [[1, 20]]);
});

test("what fewer than half of the repeats reached has no median", () => {
  /** @type {Point[][]} */
  const runs = [
    [
      [1, 10],
      [2, 11],
      [3, 12],
    ],
    [
      [1, 10],
      [2, 13],
    ],
    [[1, 10]],
  ];
  assert.deepEqual(medianLine(runs, everySecond), [
    [1, 10],
    [2, 12],
  ]);
});

test("an hour of seconds becomes medians of whole numbers of seconds", () => {
  const run = Array.from({ length: 3600 }, (_, index) => /** @type {Point} */ ([index + 1, index]));
  const stretch = stretchOf([run], 3600, 120);
  assert.deepEqual(stretch, { interval: 1, intervals: 30 });
  const line = medianLine([run], stretch);
  assert.equal(line.length, 120);
  assert.deepEqual(line[0], [15.5, 14.5]);
  assert.deepEqual(line[119], [3585.5, 3584.5]);
});

test("a short run keeps every interval, also where they are ten seconds long", () => {
  const run = Array.from({ length: 6 }, (_, index) => /** @type {Point} */ ([10 * index + 10, 5]));
  assert.deepEqual(stretchOf([run], 60, 120), { interval: 10, intervals: 1 });
});

test("a run of one interval has a length all the same", () => {
  assert.deepEqual(stretchOf([[[30, 5]]], 30, 120), { interval: 1, intervals: 1 });
  assert.deepEqual(stretchOf([], 0, 120), { interval: 1, intervals: 1 });
});

test("a stall of one second in an hour stays visible", () => {
  const run = Array.from(
    { length: 3600 },
    (_, index) => /** @type {Point} */ ([index + 1, index === 1777 ? 0 : 100]),
  );
  const visible = visiblePoints(run, 3600, 100);
  assert.ok(visible.length <= 404, String(visible.length));
  assert.ok(visible.some(([second, value]) => second === 1778 && value === 0));
});

test("the points that are shown are some of the run's, in order, with its extremes", () => {
  const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 20 }), (rates, buckets) => {
      const points = rates.map((rate, index) => /** @type {Point} */ ([index + 1, rate]));
      const visible = visiblePoints(points, points.length, buckets);
      const seconds = visible.map(([second]) => second);
      assert.deepEqual(
        seconds,
        [...new Set(seconds)].sort((a, b) => a - b),
      );
      for (const [second, rate] of visible) assert.equal(rates[second - 1], rate);
      const shown = visible.map(([, rate]) => rate);
      assert.equal(Math.max(...shown), Math.max(...rates));
      assert.equal(Math.min(...shown), Math.min(...rates));
    }),
  );
});

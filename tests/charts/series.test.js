import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { highestOf, visiblePoints } from "../../pipeline/charts/series.js";

/** @typedef {import("../../pipeline/charts/series.js").Point} Point */

test("a stall of one second in an hour stays visible", () => {
  const run = Array.from(
    { length: 3600 },
    (_, index) => /** @type {Point} */ ([index + 1, index === 1777 ? 0 : 100]),
  );
  const visible = visiblePoints(run, 3600, 100);
  assert.ok(visible.length <= 404, String(visible.length));
  assert.ok(visible.some(([second, value]) => second === 1778 && value === 0));
});

test("the points that are shown are some of the run's, in order, with every stretch's extremes", () => {
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
      const all = byStretch(points);
      const kept = byStretch(visible);
      assert.deepEqual([...kept.keys()], [...all.keys()]);
      for (const [stretch, inIt] of all) {
        const shown = kept.get(stretch) ?? [];
        assert.equal(Math.max(...shown), Math.max(...inIt));
        assert.equal(Math.min(...shown), Math.min(...inIt));
      }

      /** @param {Point[]} some */
      function byStretch(some) {
        /** @type {Map<number, number[]>} */
        const found = new Map();
        for (const [second, rate] of some) {
          const stretch = Math.floor((second / points.length) * buckets);
          found.set(stretch, [...(found.get(stretch) ?? []), rate]);
        }
        return found;
      }
    }),
  );
});

test("the scale holds the highest value that is drawn, also of runs and of stretches", () => {
  /** @type {{ pieces: [number, number, number, number][][], runs: Point[][][] }[]} */
  const series = [{ pieces: [[[1, 5, 0, 9]]], runs: [] }];
  assert.equal(highestOf(series, true), 9);
  assert.equal(highestOf(series, false), 5);
  assert.equal(highestOf([...series, { pieces: [], runs: [[[[1, 12]]]] }], false), 12);
  assert.equal(highestOf([], true), 0);
});

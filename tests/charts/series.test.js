import assert from "node:assert/strict";
import { test } from "node:test";
import { highestOf } from "../../pipeline/charts/series.js";

/** @typedef {import("../../pipeline/charts/series.js").Point} Point */

test("the scale holds the highest value that is drawn, also of runs and of stretches", () => {
  /** @type {{ pieces: [number, number, number, number][][], runs: Point[][][] }[]} */
  const series = [{ pieces: [[[1, 5, 0, 9]]], runs: [] }];
  assert.equal(highestOf(series, true), 9);
  assert.equal(highestOf(series, false), 5);
  assert.equal(highestOf([...series, { pieces: [], runs: [[[[1, 12]]]] }], false), 12);
  assert.equal(highestOf([], true), 0);
});

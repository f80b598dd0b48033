import assert from "node:assert/strict";
import { test } from "node:test";
import { percentilesChart } from "../../pipeline/charts/percentiles.js";
import { assertFitForPages, assertGolden, pathsOf, textsOf } from "./drawings.js";

/** @typedef {[part: number, value: number][]} Points */

/** @type {Points} */
const POINTS = [
  [0.5, 1],
  [0.9, 2],
  [0.99, 10],
  [0.999, 100],
];

const request = {
  series: [
    { label: "12", points: POINTS },
    {
      label: "18",
      current: true,
      points: POINTS.map(([part, value]) => /** @type {[number, number]} */ ([part, value / 2])),
    },
  ],
  unit: "ms",
  title: "Percentiles of the latency of select",
  description: "One curve a release.",
};

/**
 * @param {string} svg
 * @returns {[number, number][]}
 */
function firstCurve(svg) {
  return pathsOf(svg, "chart-line")[0];
}

test("all releases are on one scale, each named where its curve ends", () => {
  const svg = percentilesChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-label"), ["12", "18"]);
  assert.deepEqual(textsOf(svg, "chart-axis-title"), [
    "ms, logarithmic",
    "percentile: so many percent took no longer",
  ]);
  assert.match(svg, /chart-colour-current/);
  assertGolden("percentiles", svg);
});

test("each nine more is as wide as the one before, each tenfold time as high", () => {
  const curve = firstCurve(percentilesChart(request));
  const [, [x90], [x99, y10], [x999, y100]] = curve;
  assert.ok(Math.abs(x999 - x99 - (x99 - x90)) < 0.3);
  const [[, y1]] = curve;
  assert.ok(Math.abs(y10 - y100 - (y1 - y10)) < 0.3);
});

test("the percentiles that the curves reach are named on the axis", () => {
  const svg = percentilesChart(request);
  const named = textsOf(svg, "chart-ticks").filter((text) =>
    ["50", "90", "99", "99.9"].includes(text),
  );
  assert.deepEqual(named, ["50", "90", "99", "99.9"]);
  assert.ok(!textsOf(svg, "chart-ticks").includes("99.99"));
});

test("many releases have a row each, and the same percentile is a line down the rows", () => {
  const series = Array.from({ length: 35 }, (_, index) => ({
    label: `10.${index}`,
    current: index === 3,
    points: index === 20 ? POINTS.slice(0, 2) : POINTS,
  }));
  const svg = percentilesChart({ ...request, series });
  assertFitForPages(svg);
  assert.equal(textsOf(svg, "chart-label").length, 35);
  assert.deepEqual(textsOf(svg, "chart-tick").slice(-4), ["50", "90", "99", "99.9"]);
  const paths = [...svg.matchAll(/class="chart-line"[^>]* d="([^"]*)"/g)].map(([, d]) => d);
  // One release reaches 90 % only: there the lines of 99 and 99.9 % are broken.
  assert.deepEqual(
    paths.map((path) => path.match(/M/g)?.length),
    [1, 1, 2, 2],
  );
  assert.equal(svg.match(/<circle /g)?.length, 4 * 35 - 2);
  assertGolden("percentile-rows", svg);
});

test("times of nothing, a single time, none and hostile names still give a chart", () => {
  const label = '"><script>\u0007'.repeat(999);
  for (const points of [
    [],
    [[0.5, 0]],
    [[0.5, 3]],
    [
      [0, 1e-9],
      [0.999999999, 1e9],
    ],
  ]) {
    const series = [{ label, points: /** @type {Points} */ (points) }];
    assertFitForPages(percentilesChart({ ...request, series, title: label }));
  }
});

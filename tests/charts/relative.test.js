import assert from "node:assert/strict";
import { test } from "node:test";
import { relativeChart } from "../../pipeline/charts/relative.js";
import { assertFitForPages, assertGolden, pathsOf, textsOf } from "./drawings.js";

const request = {
  title: "select: throughput relative to 14",
  description: "18 does 4 % less.",
  base: "14",
  releases: [
    { label: "14", ratio: 1, interval: null, runs: [0.99, 1, 1.02] },
    {
      label: "16",
      ratio: 1.031,
      interval: /** @type {[number, number]} */ ([1.01, 1.05]),
      runs: [],
    },
    { label: "17", ratio: null, runs: [] },
    { label: "18", current: true, ratio: 0.956, interval: null, runs: [0.94, 0.956, 0.97] },
  ],
};

/** @param {string} svg */
function xOfRuns(svg) {
  return [...svg.matchAll(/<path class="chart-runs"[^>]* d="([^"]*)"/g)].flatMap(([, dots]) =>
    [...dots.matchAll(/M([\d.]+),/g)].map(([, x]) => Number(x)),
  );
}

test("every release has a row with its ratio and its single runs", () => {
  const svg = relativeChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-label"), ["14", "16", "17", "18"]);
  assert.deepEqual(textsOf(svg, "chart-value"), ["1.000", "1.031", "–", "0.956"]);
  assert.equal(xOfRuns(svg).length, 6);
  assertGolden("relative", svg);
});

test("places on the axis are in proportion to the ratios", () => {
  const svg = relativeChart(request);
  const [base, faster, slower] = [...svg.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) =>
    Number(x),
  );
  const [, middle] = xOfRuns(svg);
  assert.equal(middle, base);
  assert.ok(Math.abs((faster - base) / (base - slower) - 0.031 / 0.044) < 0.01);
});

test("an interval is drawn only where there is one", () => {
  const svg = relativeChart(request);
  assert.equal(svg.match(/chart-interval/g)?.length, 1);
});

test("the axis says that it does not begin at zero", () => {
  assert.match(textsOf(relativeChart(request), "chart-axis-title")[0], /does not begin at zero/);
});

test("a base alone, no release and hostile names still give a chart", () => {
  const label = '"><script>\u0007'.repeat(999);
  const alone = [{ label, ratio: 1, interval: null, runs: [1] }];
  for (const releases of [[], alone]) {
    assertFitForPages(relativeChart({ ...request, releases, base: label, title: label }));
  }
});

test("a change of level is above the release that begins it, in words", () => {
  const releases = request.releases.map((release, index) => ({
    ...release,
    mark: index === 2 ? "level −4.4 % from here on" : "",
  }));
  const svg = relativeChart({ ...request, releases });
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-mark-label"), ["level −4.4 % from here on"]);
  const [[[, mark]]] = pathsOf(svg, "chart-mark");
  const heights = [...svg.matchAll(/<text class="chart-label"[^>]* y="([\d.]+)"/g)].map(([, y]) =>
    Number(y),
  );
  assert.ok(heights[1] < mark && mark < heights[2]);
  assertGolden("relative-changed", svg);
});

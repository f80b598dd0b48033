import assert from "node:assert/strict";
import { test } from "node:test";
import { releasesChart } from "../../pipeline/charts/releases.js";
import { assertFitForPages, assertGolden, pathsOf, textsOf } from "./drawings.js";

/** @typedef {import("../../pipeline/charts/releases.js").StepRow} StepRow */

/**
 * @param {string} label
 * @param {(number | null)[]} ratios
 * @param {Partial<StepRow>} [more]
 * @returns {StepRow}
 */
function step(label, ratios, more) {
  return { label, group: "", ratios, marks: [], mark: "", ...more };
}

const request = {
  releases: ["12", "14", "16", "17", "18"],
  steps: [
    step("select", [1, 1.02, null, 0.98, 0.97], { group: "Reads" }),
    step("scan", [1, 0.95, 0.9, 0.4, 0.41], { marks: [3], mark: "−56.0 % from 17 on" }),
    step("insert", [1, 1.1, 1.2, 1.25, 1.3], { group: "Writes" }),
  ],
  base: "12",
  title: "Throughput of all steps relative to 12, release by release",
  description: "One strip a step.",
};

/** @param {string} svg */
function dotsOf(svg) {
  const [...paths] = svg.matchAll(/<path class="chart-points"[^>]* d="([^"]*)"/g);
  const dots = paths.flatMap(([, path]) => [...path.matchAll(/M([\d.]+),([\d.]+)h0/g)]);
  return dots.map(([, x, y]) => [Number(x), Number(y)]);
}

test("every step has a strip with its name, its releases and its last ratio", () => {
  const svg = releasesChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-label"), ["select", "scan", "insert"]);
  assert.deepEqual(textsOf(svg, "chart-heading"), ["Reads", "Writes"]);
  assert.deepEqual(textsOf(svg, "chart-value"), ["0.97", "0.41", "1.30"]);
  assert.deepEqual(textsOf(svg, "chart-tick").slice(0, 5), request.releases);
  assertGolden("releases", svg);
});

test("all strips have one scale, on which equal ratios are equally far apart", () => {
  const steps = [step("a", [1, 1.1, 1.21]), step("b", [1, 1 / 1.1, 1.1])];
  const heights = dotsOf(releasesChart({ ...request, steps })).map(([, y]) => y);
  const [base, once, twice, other, less, same] = heights;
  assert.ok(Math.abs(base - once - (once - twice)) < 0.2);
  assert.ok(Math.abs(less - other - (base - once)) < 0.2);
  assert.ok(Math.abs(other - same - (base - once)) < 0.2);
});

test("a release without a ratio is a gap, not a line", () => {
  const svg = releasesChart(request);
  const [path] = [...svg.matchAll(/class="chart-line"[^>]* d="([^"]*)"/g)].map(([, d]) => d);
  assert.equal(path.match(/M/g)?.length, 2);
  assert.equal(dotsOf(svg).filter(([x]) => x === dotsOf(svg)[2][0]).length > 0, true);
});

test("what is beyond the scale is a triangle at the edge, and its number stands in words", () => {
  const svg = releasesChart(request);
  assert.equal(svg.match(/class="chart-beyond"/g)?.length, 2);
  assert.deepEqual(textsOf(svg, "chart-axis-title"), [
    "strips: 0.75 to 1.30 × 12, logarithmic",
    "triangles: beyond this range",
  ]);
  assert.match(svg, /class="chart-beyond"[^>]*><title>17: 0\.400<\/title>/);
  const [only] = [releasesChart({ ...request, steps: [request.steps[0]] })];
  assert.doesNotMatch(only, /beyond/);
});

test("a change of level is marked at its release, in words beside the name", () => {
  const svg = releasesChart(request);
  assert.deepEqual(textsOf(svg, "chart-mark-label"), ["−56.0 % from 17 on"]);
  const [[[x]]] = pathsOf(svg, "chart-mark");
  const columns = dotsOf(svg).map(([column]) => column);
  assert.ok(x > columns[1] && x < columns[2]);
});

test("of many releases those that there is room for are named, the first and the last too", () => {
  const releases = Array.from({ length: 35 }, (_, index) => `10.11.${index}`);
  const steps = Array.from({ length: 38 }, (_, index) =>
    step(
      `step ${index}`,
      releases.map((_, at) => 1 + ((at * index) % 7) / 100),
    ),
  );
  const svg = releasesChart({ ...request, releases, steps });
  assertFitForPages(svg);
  const named = textsOf(svg, "chart-tick");
  assert.equal(named[0], "10.11.0");
  assert.equal(named.at(-1), "10.11.34");
  assert.ok(named.length > 6 && named.length < 20, String(named.length));
  assert.equal(dotsOf(svg).length, 35 * 38);
  // On a phone elements cost more than what they show.
  assert.ok((svg.match(/<[a-z]/g)?.length ?? 0) < 500);
});

test("a release is named wherever the pointer is above it", () => {
  const svg = releasesChart(request);
  const bands = [
    ...svg.matchAll(/"chart-release"[^>]*d="M([\d.]+) [^H]*H([\d.]+)[^>]*><title>([^<]*)</g),
  ];
  assert.deepEqual(
    bands.map(([, , , name]) => name),
    request.releases,
  );
  for (const [at, [, from, to]] of bands.entries()) {
    const [x] = dotsOf(svg)[at > 2 ? at - 1 : at];
    if (at !== 2) assert.ok(Number(from) < x && x < Number(to));
  }
});

test("a few releases with long names are named in two lines by turns", () => {
  const releases = ["12", "14", "16", "18"].map((version) => `PostgreSQL ${version}`);
  const steps = [step("select", [1, 1.02, 1.03, 1.04])];
  const svg = releasesChart({ ...request, releases, steps });
  assert.deepEqual(textsOf(svg, "chart-tick"), [...releases, ...releases]);
  const heights = [...svg.matchAll(/<text class="chart-tick"[^>]* y="([\d.]+)"/g)].map(
    ([, y]) => y,
  );
  assert.equal(heights[0], heights[2]);
  assert.equal(heights[1], heights[3]);
  assert.notEqual(heights[0], heights[1]);
});

test("hostile names, no step and one release still give a chart", () => {
  const label = '"><script>\u0007'.repeat(999);
  const steps = [step(label, [1], { group: label, mark: label, marks: [0] })];
  assertFitForPages(releasesChart({ ...request, steps: [] }));
  assertFitForPages(releasesChart({ ...request, releases: [label], steps, base: label }));
  const none = [step("a", [null, 0, null, null, null])];
  assertFitForPages(releasesChart({ ...request, steps: none }));
});

test("long names of releases are not repeated whole for every step", () => {
  const releases = Array.from({ length: 20 }, (_, index) => `${index} ${"x".repeat(10_000)}`);
  const steps = Array.from({ length: 20 }, (_, index) =>
    step(
      `step ${index}`,
      releases.map(() => 1),
    ),
  );
  assert.ok(releasesChart({ ...request, releases, steps }).length < 200_000);
});

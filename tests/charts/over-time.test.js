import assert from "node:assert/strict";
import { test } from "node:test";
import { highestOf, overTimeChart } from "../../pipeline/charts/over-time.js";
import { assertFitForPages, assertGolden, pathsOf, textsOf } from "./drawings.js";

/** @typedef {import("../../pipeline/charts/over-time.js").Series} Series */
/** @typedef {import("../../pipeline/charts/over-time.js").Point} Point */

const seconds = Array.from({ length: 12 }, (_, index) => index + 1);

/**
 * @param {number} rate
 * @param {number} [stall] the second in which next to nothing is done
 * @returns {Point[]}
 */
function run(rate, stall) {
  return seconds.map((second) => [
    second,
    second === stall ? rate / 10 : rate + ((second * 37) % 11),
  ]);
}

/**
 * @param {string} label
 * @param {number} rate
 * @param {Partial<Series>} [more]
 * @returns {Series}
 */
function series(label, rate, more) {
  const line = seconds.map(
    (second) => /** @type {[number, number, number, number]} */ ([second, rate, 0, rate + 50]),
  );
  return { label, pieces: [line], runs: [], ...more };
}

const request = {
  title: "select: throughput over time",
  description: "Medians of the runs of each release.",
  unit: "transactions per second",
  end: 12,
  stretch: /** @type {number | null} */ (null),
  series: [
    series("14", 900),
    series("16", 910),
    series("18", 700, { current: true, runs: [[run(700)], [run(720, 5)], [run(690)]] }),
  ],
};

test("all releases of a step are drawn on one scale from zero", () => {
  const svg = overTimeChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-ticks").slice(0, 6), [
    ...["0", "200", "400", "600", "800", "1,000"],
  ]);
  assert.deepEqual(textsOf(svg, "chart-axis-title"), [
    "transactions per second",
    "seconds since the start of the step",
  ]);
  assertGolden("over-time", svg);
});

test("a release that would lie on the bottom makes the scale logarithmic", () => {
  const falling = seconds.map(
    (second) => /** @type {[number, number, number, number]} */ ([second, 99 / second, 0, 99]),
  );
  const slow = series("unbounded", 99, { pieces: [falling] });
  const svg = overTimeChart({ ...request, series: [slow, series("bounded", 900)] });
  assertFitForPages(svg);
  assert.equal(textsOf(svg, "chart-axis-title")[0], "transactions per second, logarithmic");
  assert.deepEqual(textsOf(svg, "chart-ticks").slice(0, 4), ["1", "10", "100", "1,000"]);
  const [path] = pathsOf(svg, "chart-line");
  assert.ok(path[path.length - 1][1] - path[0][1] > 50);
});

test("a scale is linear where all lines can be seen, or one touches zero", () => {
  const standing = seconds.map(
    (second) => /** @type {[number, number, number, number]} */ ([second, second % 2, 0, 1]),
  );
  for (const other of [series("a", 50), series("a", 1, { pieces: [standing] })]) {
    const svg = overTimeChart({ ...request, series: [other, series("b", 900)] });
    assert.equal(textsOf(svg, "chart-axis-title")[0], "transactions per second");
  }
});

test("the current release is in front, solid, with its single runs", () => {
  const svg = overTimeChart({ ...request, series: [...request.series].reverse() });
  assert.deepEqual(textsOf(svg, "chart-label"), ["16", "14", "18"]);
  const groups = svg.split(/(?=<g class="chart-series)/).slice(1);
  assert.match(groups[2], /chart-colour-current/);
  assert.doesNotMatch(groups[2], /stroke-dasharray/);
  assert.equal(pathsOf(groups[2], "chart-runs").length, 3);
  assert.equal(pathsOf(groups[0], "chart-runs").length, 0);
  const dashes = groups.slice(0, 2).map((group) => /stroke-dasharray="([^"]*)"/.exec(group)?.[1]);
  assert.equal(new Set(dashes).size, 2);
  assert.ok(!dashes.includes(undefined));
});

test("the median passes over a stall of one run, the run's own line shows it", () => {
  const svg = overTimeChart(request);
  const group = svg.split("chart-colour-current")[1];
  const lowest = (/** @type {[number, number][]} */ path) => Math.max(...path.map(([, y]) => y));
  const [line] = pathsOf(group, "chart-line");
  const [, stalled] = pathsOf(group, "chart-runs");
  assert.ok(lowest(stalled) - lowest(line) > 50);
});

test("a line is broken where values are missing, and a single value is a dot", () => {
  const [line] = request.series[0].pieces;
  const broken = series("14", 900, { pieces: [line.slice(0, 4), line.slice(6, 7)] });
  const svg = overTimeChart({ ...request, series: [broken] });
  const path = /class="chart-line"[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? "";
  assert.equal(path.match(/M/g)?.length, 2);
  assert.match(path, /M[\d.]+,[\d.]+Z$/);
  assert.match(svg, /class="chart-line"[^>]*stroke-linecap="round"/);
});

test("what is of several values shows the lowest and the highest, and says so", () => {
  const svg = overTimeChart({ ...request, end: 7200, stretch: 90 });
  assert.equal(pathsOf(svg, "chart-band").length, 3);
  assert.match(textsOf(svg, "chart-axis-title")[2], /^medians of 90 s; shade: lowest to highest$/);
  assert.equal(pathsOf(overTimeChart(request), "chart-band").length, 0);
});

test("the lowest and the highest value of every stretch are the edges of the shade", () => {
  const spiky = series("14", 900);
  spiky.pieces[0][6] = [7, 900, 100, 950];
  const svg = overTimeChart({ ...request, series: [spiky], stretch: 1 });
  const edges = [
    ...(/class="chart-band"[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? "").matchAll(/,([\d.]+)/g),
  ];
  const heights = edges.map(([, y]) => Number(y));
  assert.equal(heights.length, 24);
  assert.equal(heights.filter((y) => y === Math.max(...heights)).length, 11);
});

test("many releases have a strip each, all on one scale, each with its name", () => {
  const many = Array.from({ length: 35 }, (_, index) => series(`10.${index}`, 500 + 10 * index));
  many[20].current = true;
  const svg = overTimeChart({ ...request, series: many });
  assertFitForPages(svg);
  assert.equal(textsOf(svg, "chart-label").length, 35);
  assert.equal(
    textsOf(svg, "chart-axis-title")[0],
    "every strip: 0 to 1,000 transactions per second",
  );
  const heights = pathsOf(svg, "chart-base").map(([[, base]], index) => {
    const [[[, y]]] = [pathsOf(svg, "chart-line")[index].map(([x, y]) => [x, y])];
    return base - y;
  });
  assert.ok(Math.abs(heights[0] / heights[34] - 500 / 840) < 0.02, String(heights));
  assertGolden("over-time-strips", svg);
});

test("names of releases are text, whatever they hold", () => {
  const label = '</text><script>alert("1")</script>\u0000'.repeat(1000);
  const svg = overTimeChart({ ...request, series: [series(label, 5)], title: label, unit: label });
  assertFitForPages(svg);
  assert.equal(textsOf(svg, "chart-label")[0], "&lt;/text&gt;&lt;script&gt;…");
});

test("nothing measured still gives a chart", () => {
  for (const none of [[], [series("18", 0, { pieces: [] })], [series("18", 0)]]) {
    assertFitForPages(overTimeChart({ ...request, series: none, end: 0 }));
  }
});

test("the scale holds the highest value that is drawn, also of runs and of stretches", () => {
  /** @type {{ pieces: [number, number, number, number][][], runs: Point[][][] }[]} */
  const series = [{ pieces: [[[1, 5, 0, 9]]], runs: [] }];
  assert.equal(highestOf(series, true), 9);
  assert.equal(highestOf(series, false), 5);
  assert.equal(highestOf([...series, { pieces: [], runs: [[[[1, 12]]]] }], false), 12);
  assert.equal(highestOf([], true), 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { throughputChart } from "../../pipeline/charts/throughput.js";
import { assertFitForPages, assertGolden, pathsOf, textsOf } from "./drawings.js";

const seconds = Array.from({ length: 12 }, (_, index) => index + 1);

/**
 * @param {number} rate
 * @param {number} [stall] the second in which next to nothing is done
 */
function run(rate, stall) {
  return {
    seconds,
    values: seconds.map((second) => (second === stall ? rate / 10 : rate + ((second * 37) % 11))),
  };
}

const request = {
  title: "select: throughput over time",
  description: "Medians of the runs of each release.",
  unit: "transactions per second",
  series: [
    { label: "14", runs: [run(900), run(920), run(880)] },
    { label: "16", runs: [run(910)] },
    { label: "18", current: true, runs: [run(700), run(720, 5), run(690)] },
  ],
};

test("all releases of a step are drawn on one scale from zero", () => {
  const svg = throughputChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-tick").slice(0, 6), [
    ...["0", "200", "400", "600", "800", "1,000"],
  ]);
  assert.deepEqual(textsOf(svg, "chart-axis-title"), [
    "transactions per second",
    "seconds since the start of the step",
  ]);
  assertGolden("throughput", svg);
});

test("the current release is in front, solid, with its single runs", () => {
  const svg = throughputChart(request);
  assert.deepEqual(textsOf(svg, "chart-label"), ["14", "16", "18"].map(String));
  const groups = svg.split("<g ").filter((group) => group.startsWith('class="chart-series'));
  assert.match(groups[2], /chart-colour-current/);
  assert.doesNotMatch(groups[2], /stroke-dasharray/);
  assert.equal(pathsOf(groups[2], "chart-run").length, 3);
  assert.equal(pathsOf(groups[0], "chart-run").length, 0);
  const dashes = groups.slice(0, 2).map((group) => /stroke-dasharray="([^"]*)"/.exec(group)?.[1]);
  assert.equal(new Set(dashes).size, 2);
  assert.ok(!dashes.includes(undefined));
});

test("the median passes over a stall of one run, the run's own line shows it", () => {
  const svg = throughputChart(request);
  const group = svg.split("chart-colour-current")[1];
  const lowest = (/** @type {[number, number][]} */ path) => Math.max(...path.map(([, y]) => y));
  const [line] = pathsOf(group, "chart-line");
  const [, stalled] = pathsOf(group, "chart-run");
  assert.ok(lowest(stalled) - lowest(line) > 50);
});

test("names of releases are text, whatever they hold", () => {
  const label = '</text><script>alert("1")</script>\u0000'.repeat(1000);
  const svg = throughputChart({ ...request, series: [{ label, runs: [run(5)] }], title: label });
  assertFitForPages(svg);
  assert.equal(textsOf(svg, "chart-label")[0], "&lt;/text&gt;&lt;script&gt;…");
});

test("nothing measured still gives a chart", () => {
  for (const series of [[], [{ label: "18", current: true, runs: [] }]]) {
    assertFitForPages(throughputChart({ ...request, series }));
  }
  const zero = { seconds: [1], values: [0] };
  assertFitForPages(throughputChart({ ...request, series: [{ label: "18", runs: [zero] }] }));
});

test("long runs become a chart of bounded size that says what its points are", () => {
  const long = Array.from({ length: 7200 }, (_, index) => index + 1);
  const noisy = { seconds: long, values: long.map((second) => 1000 + ((second * 7919) % 97)) };
  const series = ["a", "b", "c", "d"].map((label) => ({
    label,
    current: label === "d",
    runs: [noisy],
  }));
  const svg = throughputChart({ ...request, series });
  assert.ok(svg.length < 20_000, String(svg.length));
  assert.match(textsOf(svg, "chart-axis-title")[1], /medians of 60 s$/);
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { relativeChart } from "../../pipeline/charts/relative.js";
import { COLOURS, standaloneChart } from "../../pipeline/charts/standalone.js";
import { assertWellFormed } from "../flamegraph/well_formed.js";

const CHART = relativeChart({
  releases: [
    { label: "16", ratio: 1, interval: null, runs: [0.99, 1.01] },
    { label: "$& <script>", current: true, ratio: 1.2, interval: [1.1, 1.3], runs: [1.2] },
  ],
  base: "16",
  title: "Throughput",
  description: "$& and $`",
});

test("a chart by itself has its size, its paper and its colours", () => {
  const { svg, width, height } = standaloneChart(CHART);
  assertWellFormed(svg);
  const [, across, down] = /viewBox="-16 -16 (\d+) (\d+)"/.exec(svg) ?? [];
  assert.deepEqual([width, height].map(String), [across, down]);
  assert.match(svg, new RegExp(`width="${width}" height="${height}"`));
  assert.match(svg, new RegExp(`<rect [^>]*fill="${COLOURS.paper}"`));
  assert.equal(svg.match(/<style>/g)?.length, 1);
  assert.ok(svg.includes("<desc>$&amp; and $`</desc>"), "words stay as they are");
});

test("its colours are those of the site's light pages", () => {
  const sheet = readFileSync(
    new URL("../../assets/css/components/tokens.css", import.meta.url),
    "utf8",
  );
  const light = sheet.split("@media (prefers-color-scheme: dark)")[0];
  for (const [name, colour] of Object.entries(COLOURS)) {
    assert.ok(light.includes(`--${name}: ${colour};`), name);
  }
});

test("every class of a chart that the site colours is coloured in a file too", () => {
  const sheet = readFileSync(
    new URL("../../assets/css/components/chart.css", import.meta.url),
    "utf8",
  );
  const { svg } = standaloneChart(CHART);
  for (const [, rule] of sheet.matchAll(/(\.chart-colour-[\w-]+) \{\s*color/g)) {
    assert.ok(svg.includes(rule), rule);
  }
});

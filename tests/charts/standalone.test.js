import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Resvg } from "@resvg/resvg-js";
import { overTimeChart } from "../../pipeline/charts/over-time.js";
import { relativeChart } from "../../pipeline/charts/relative.js";
import { standaloneChart } from "../../pipeline/charts/standalone.js";
import { pictureOf } from "../../pipeline/flamegraph/png/png.js";
import { COLOURS } from "../../pipeline/flamegraph/svg/colours.js";
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

const WORDS = { title: "Throughput <of> all", source: "example.org/perf/reports/r/18/select/" };

test("a chart by itself has its size, its paper and its colours", () => {
  const svg = standaloneChart(CHART, WORDS);
  assertWellFormed(svg);
  const [, across, down] = /viewBox="-16 -50 (\d+) (\d+)"/.exec(svg) ?? [];
  assert.match(svg, new RegExp(`width="${across}" height="${down}"`));
  assert.match(svg, new RegExp(`<rect [^>]*height="${down}" fill="${COLOURS.paper}"`));
  assert.equal(svg.match(/<style>/g)?.length, 1);
  assert.ok(svg.includes("<desc>$&amp; and $`</desc>"), "words stay as they are");
});

test("it says what it shows and where it comes from", () => {
  const svg = standaloneChart(CHART, WORDS);
  assert.deepEqual(textsOf(svg, "chart-title"), ["Throughput &lt;of&gt; all"]);
  assert.deepEqual(textsOf(svg, "chart-source"), [WORDS.source]);
});

test("a long address goes on in another line after a slash, and the file is as much higher", () => {
  const parts = ["example.org/", `${"r".repeat(60)}/`, `${"s".repeat(60)}/`, `${"t".repeat(999)}/`];
  const svg = standaloneChart(CHART, { ...WORDS, source: parts.join("") });
  const [first, second, third] = textsOf(svg, "chart-source");
  assert.equal(first, parts[0] + parts[1]);
  assert.equal(second, parts[2]);
  assert.match(third, /^t+…$/);
  const heights = [svg, standaloneChart(CHART, WORDS)].map((each) =>
    Number(/<svg [^>]* height="(\d+)"/.exec(each)?.[1]),
  );
  assert.equal(heights[0] - heights[1], 2 * 14);
});

test("a picture has the colours of its lines", () => {
  const { png, width } = pictureOf(standaloneChart(CHART, WORDS), 800);
  assert.equal(width, 800);
  assert.equal(Buffer.from(png).toString("latin1", 1, 4), "PNG");
  const chart = overTimeChart({
    series: [
      {
        label: "a",
        pieces: [
          [
            [0, 1, 1, 1],
            [9, 1, 1, 1],
          ],
        ],
        runs: [],
      },
    ],
    end: 9,
    stretch: null,
    unit: "u",
    title: "t",
    description: "d",
  });
  assert.ok(coloursOf(standaloneChart(chart, WORDS)).has(COLOURS["line-0"]));
});

test("its colours are those of the site's light pages", () => {
  const sheet = readFileSync(
    new URL("../../assets/css/components/tokens.css", import.meta.url),
    "utf8",
  );
  const [light] = sheet.split("@media");
  for (const [name, colour] of Object.entries(COLOURS)) {
    assert.ok(light.includes(`--${name}: ${colour};`), name);
  }
});

test("every class of a chart that the site colours is coloured in a file too", () => {
  const sheet = readFileSync(
    new URL("../../assets/css/components/chart.css", import.meta.url),
    "utf8",
  );
  const svg = standaloneChart(CHART, WORDS);
  for (const [, rule] of sheet.matchAll(/(\.chart-colour-[\w-]+) \{\s*color/g)) {
    assert.ok(svg.includes(rule), rule);
  }
});

/**
 * @param {string} svg
 * @param {string} kind class of the texts
 */
function textsOf(svg, kind) {
  return [...svg.matchAll(new RegExp(`<text class="${kind}"[^>]*>([^<]*)<`, "g"))].map(
    ([, text]) => text,
  );
}

/**
 * @param {string} svg
 * @returns {Set<string>} the colours that are drawn but for texts, as `#rrggbb`
 */
function coloursOf(svg) {
  const withoutTexts = svg.replace(/<text .*<\/text>/g, "");
  const { pixels } = new Resvg(withoutTexts, { fitTo: { mode: "zoom", value: 4 } }).render();
  const found = new Set();
  for (let at = 0; at < pixels.length; at += 4) {
    found.add(`#${pixels.subarray(at, at + 3).toString("hex")}`);
  }
  return found;
}

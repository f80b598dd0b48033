import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { timelineChart } from "../../pipeline/charts/timeline.js";
import { assertFitForPages, assertGolden, textsOf } from "./drawings.js";

const request = {
  title: "Timeline of INSERT",
  description: "Marked as slow: a span whose own time is at least 10 % of the whole.",
  unit: "ms",
  spans: [
    { label: "Planning", place: "", start: 0, time: 0.4, depth: 0, slow: false },
    { label: "Execution", place: "", start: 0.4, time: 3.6, depth: 0, slow: false },
    { label: "Seq Scan", place: "orders", start: 0.4, time: 2.4, depth: 1, slow: true },
    {
      label: "a name that is longer than there is room",
      place: "",
      start: 4,
      time: 0,
      depth: 2,
      slow: false,
    },
  ],
};

/**
 * Left edge and width of the bars.
 *
 * @param {string} svg
 */
function barsOf(svg) {
  return [...svg.matchAll(/<path class="chart-bar" d="M([\d.]+) [\d.]+h([\d.]+)v/g)].map(
    ([, left, width]) => [Number(left), Number(width)],
  );
}

test("every span has a row with its name, its bar and its time", () => {
  const svg = timelineChart(request);
  assertFitForPages(svg);
  assert.deepEqual(textsOf(svg, "chart-label"), [
    "Planning",
    "Execution",
    "Seq Scan",
    "a name that is longer t…",
  ]);
  assert.deepEqual(textsOf(svg, "chart-value"), ["0.400", "3.60", "2.40 slow", "0"]);
  assertGolden("timeline", svg);
});

test("bars are in proportion to the times, and begin where the spans do", () => {
  const [planning, execution, scan, nothing] = barsOf(timelineChart(request));
  assert.ok(Math.abs(execution[1] / planning[1] - 9) < 0.1);
  assert.ok(Math.abs(execution[0] - (planning[0] + planning[1])) < 0.2);
  assert.equal(scan[0], execution[0]);
  assert.equal(nothing[1], 1);
});

test("a slow span differs by a word and by its filling, not by colour alone", () => {
  const rows = timelineChart(request).split('<g class="chart-series ').slice(1);
  assert.deepEqual(
    rows.map((row) => [row.startsWith("chart-colour-slow"), / slow<.text>/.test(row)]),
    [
      [false, false],
      [false, false],
      [true, true],
      [false, false],
    ],
  );
  assert.match(rows[2], /fill-opacity="1"/);
});

test("a short time is not shown as none", () => {
  const [span] = request.spans;
  const svg = timelineChart({ ...request, spans: [{ ...span, time: 0.000417 }] });
  assert.deepEqual(textsOf(svg, "chart-value"), ["0.000417"]);
});

test("the whole name, the place and the start are shown on request", () => {
  assert.match(timelineChart(request), /<title>Seq Scan \(orders\): 2\.40 ms, slow, from 0\.400</);
});

test("names and times of any kind make a drawing inside its box", () => {
  const span = fc.record({
    label: fc.string({ maxLength: 60 }),
    place: fc.string({ maxLength: 9 }),
    start: fc.double({ min: 0, max: 1e9, noNaN: true }),
    time: fc.double({ min: 0, max: 1e9, noNaN: true }),
    depth: fc.nat(40),
    slow: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), (spans) => {
      const svg = timelineChart({ ...request, spans });
      assert.ok(barsOf(svg).length === spans.length);
      for (const [left, width] of barsOf(svg)) assert.ok(left >= 0 && left + width <= 560.2);
    }),
  );
});

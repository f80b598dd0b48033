import assert from "node:assert/strict";
import { test } from "node:test";
import { colourClass, TINTS } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { formatPixels } from "../../../pipeline/flamegraph/svg/markup.js";
import {
  columnUnit,
  decimalsFor,
  formatChange,
  formatShare,
  formatWeight,
  grouped,
  number,
  percentChange,
  signed,
} from "../../../pipeline/profile/model/numbers.js";
import { vectors } from "../../vectors/vectors.js";

test("numbers without a unit read as those that Python writes", () => {
  /** @type {Record<string, (...input: any[]) => string | number>} JSON has no NaN: it is text there */
  const written = {
    fixed: (value, decimals) => grouped(Number(value), decimals),
    decimals_for: (values, digits) => decimalsFor(values.map(Number), digits),
    number: (value, digits) => number(Number(value), digits),
    signed: (value, decimals) => signed(Number(value), decimals),
    percent_change: (ratio) => percentChange(Number(ratio)),
  };
  const all = vectors("numbers");
  assert.deepEqual(Object.keys(all), Object.keys(written));
  for (const [name, rows] of Object.entries(all)) {
    for (const row of rows) {
      assert.equal(written[name](...row.slice(0, -1)), row.at(-1), `${name} ${row}`);
    }
  }
});

test("weights are shown in their own unit", () => {
  assert.equal(formatWeight(1_234_500_000, "cycles"), "1,234.5 M cycles");
  assert.equal(formatWeight(7_100_000_000_000, "cycles"), "7,100.0 G cycles");
  assert.equal(formatWeight(42, "samples"), "42 samples");
  assert.equal(formatWeight(999_999, "cycles"), "999,999 cycles");
  assert.equal(formatWeight(250, "0.01 samples"), "2.50 samples");
  assert.equal(formatWeight(1.2345, "cycles per operation"), "1.23 cycles per operation");
  assert.equal(formatWeight(0.00123, "cycles per operation"), "0.00123 cycles per operation");
});

test("a weight that is whole or has four digits before the point has no decimals", () => {
  assert.equal(formatWeight(0, "events"), "0 events");
  assert.equal(formatWeight(7, "events"), "7 events");
  assert.equal(formatWeight(999.5, "events"), "1,000 events");
  assert.equal(formatWeight(99.96, "events"), "100.0 events");
  assert.equal(formatWeight(56.78, "events"), "56.8 events");
  assert.equal(formatWeight(1000.4, "events"), "1,000 events");
  assert.equal(formatWeight(-0.0456, "events"), "−0.0456 events");
  assert.equal(formatWeight(1e-12, "events"), "0.000000000001 events");
});

test("a prefix begins where the number without it would be too long to read", () => {
  assert.equal(formatWeight(1_000_000, "cycles"), "1.0 M cycles");
  assert.equal(formatWeight(-1_000_000, "cycles"), "−1.0 M cycles");
  assert.equal(formatWeight(9_999_000_000, "cycles"), "9,999.0 M cycles");
  assert.equal(formatWeight(10_000_000_000, "cycles"), "10.0 G cycles");
  assert.equal(formatWeight(9_999_000_000_000, "cycles"), "9,999.0 G cycles");
  assert.equal(formatWeight(10_000_000_000_000, "cycles"), "10.0 T cycles");
});

test("a time has the largest unit of which it is one or more", () => {
  assert.equal(formatWeight(1e9, "ns"), "1.00 s");
  assert.equal(formatWeight(999e6, "ns"), "999.00 ms");
  assert.equal(formatWeight(1e6, "ns"), "1.00 ms");
  assert.equal(formatWeight(1e3, "ns"), "1.00 µs");
  assert.equal(formatWeight(500, "ns"), "500.00 ns");
  assert.equal(formatWeight(-500, "CPU ns"), "−500.00 CPU ns");
  assert.equal(formatWeight(0, "CPU ns"), "0 CPU ns");
  assert.equal(formatWeight(999.99e9, "ns"), "999.99 s");
  assert.equal(formatWeight(1e15, "ps"), "1,000 s");
  assert.equal(formatWeight(5, "nseconds"), "5 nseconds");
  assert.equal(formatWeight(5, "ns perhaps"), "5 ns perhaps");
});

test("a column is written with the digits that shares have, or to the whole unit", () => {
  assert.deepEqual(columnUnit(4_200_000, "cycles"), {
    factor: 1e-6,
    unit: "M cycles",
    decimals: 4,
  });
  assert.deepEqual(columnUnit(999_999, "cycles"), { factor: 1, unit: "cycles", decimals: 0 });
  assert.deepEqual(columnUnit(1e10, "cycles"), { factor: 1e-9, unit: "G cycles", decimals: 3 });
  assert.deepEqual(columnUnit(5e13, "cycles"), { factor: 1e-12, unit: "T cycles", decimals: 3 });
  assert.deepEqual(columnUnit(0, "cycles"), { factor: 1, unit: "cycles", decimals: 0 });
  assert.deepEqual(columnUnit(0.25, "events"), { factor: 1, unit: "events", decimals: 5 });
  assert.deepEqual(columnUnit(1e-15, "events"), { factor: 1, unit: "events", decimals: 12 });
});

test("a column of times has the unit of its largest", () => {
  const unit = "CPU ns per operation";
  const column = columnUnit(2e6, unit);
  assert.deepEqual([column.unit, column.decimals], ["CPU ms per operation", 4]);
  assert.ok(Math.abs(column.factor - 1e-6) < 1e-15);
  assert.equal(columnUnit(1e9, "ns").unit, "s");
  assert.equal(columnUnit(1e3, "ns").unit, "µs");
  assert.equal(columnUnit(2, "ns").unit, "ns");
  assert.deepEqual(columnUnit(5, "ns perhaps"), { factor: 1, unit: "ns perhaps", decimals: 4 });
});

test("a column of fractions of a unit is written in the unit", () => {
  const { factor, unit, decimals } = columnUnit(250, "0.01 samples");
  assert.deepEqual([unit, decimals], ["samples", 4]);
  assert.equal(factor * 250, 2.5);
});

test("times are shown in seconds, whatever was counted", () => {
  assert.equal(formatWeight(812_000_000, "CPU ns"), "812.00 CPU ms");
  assert.equal(formatWeight(1_250, "CPU ns per operation"), "1.25 CPU µs per operation");
  assert.equal(formatWeight(5e12, "ps"), "5.00 s");
});

test("shares say when something is there but small", () => {
  assert.equal(formatShare(0.12345), "12.35 %");
  assert.equal(formatShare(0.00001), "<0.01 %");
  assert.equal(formatShare(0.00005), "0.01 %");
  assert.equal(formatShare(-0.00001), "0.00 %");
  assert.equal(formatShare(-0.5), "−50.00 %");
  assert.equal(formatShare(0.9999), "99.99 %");
  assert.equal(formatShare(0), "0 %");
  assert.equal(formatShare(1), "100 %");
});

test("changes always have a sign", () => {
  const digits = (/** @type {number} */ size) => size.toFixed(1);
  assert.equal(formatChange(1.25, digits), "+1.3");
  assert.equal(formatChange(-1.25, digits), "−1.3");
  assert.equal(formatChange(0, digits), "±0");
});

test("pixels are rounded to a tenth and short", () => {
  assert.deepEqual([12, 0.04, 0.45, 3.08159].map(formatPixels), ["12", "0", ".5", "3.1"]);
});

test("a function has one colour, by its key and kind", () => {
  assert.equal(colourClass("ExecScan", "user"), colourClass("ExecScan", "user"));
  assert.match(colourClass("ExecScan", "user"), /^u\d$/);
  assert.match(colourClass("schedule", "kernel"), /^k\d$/);
  assert.equal(colourClass("postgres", "thread"), "t0");
});

test("every tint is used, by functions that differ in a letter only too", () => {
  for (const [className, { tints }] of Object.entries(TINTS)) {
    const used = new Set(
      Array.from({ length: 200 }, (_, index) => colourClass(`row_search_${index}`, className)),
    );
    assert.equal(used.size, tints);
  }
});

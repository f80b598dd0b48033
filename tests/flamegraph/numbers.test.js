import assert from "node:assert/strict";
import { test } from "node:test";
import { colourClass, TINTS } from "../../pipeline/flamegraph/colours.js";
import {
  formatChange,
  formatPixels,
  formatShare,
  formatWeight,
} from "../../pipeline/flamegraph/numbers.js";

test("weights are said in their own unit", () => {
  assert.equal(formatWeight(1_234_500_000, "cycles"), "1,234.5 M cycles");
  assert.equal(formatWeight(7_100_000_000_000, "cycles"), "7,100.0 G cycles");
  assert.equal(formatWeight(42, "samples"), "42 samples");
  assert.equal(formatWeight(999_999, "cycles"), "999,999 cycles");
  assert.equal(formatWeight(250, "0.01 samples"), "2.50 samples");
  assert.equal(formatWeight(1.2345, "cycles per operation"), "1.23 cycles per operation");
  assert.equal(formatWeight(0.00123, "cycles per operation"), "0.00123 cycles per operation");
});

test("times are said in seconds, whatever was counted", () => {
  assert.equal(formatWeight(812_000_000, "CPU ns"), "812.00 CPU ms");
  assert.equal(formatWeight(1_250, "CPU ns per operation"), "1.25 CPU µs per operation");
  assert.equal(formatWeight(5e12, "ps"), "5.00 s");
});

test("shares say when something is there but small", () => {
  assert.equal(formatShare(0.12345), "12.35 %");
  assert.equal(formatShare(0.00001), "<0.01 %");
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

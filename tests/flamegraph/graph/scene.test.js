import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pathData } from "../../../pipeline/flamegraph/graph/scene.js";

/** @typedef {import("../../../pipeline/flamegraph/graph/scene.js").Drawn} Drawn */

/**
 * The tenths of a pixel that a path covers, by row.
 *
 * @param {string} data
 */
function covered(data) {
  const cells = new Set();
  let [end, middle] = [0, 0];
  for (const [, right, down, width] of data.matchAll(/m(-?[\d.]+) ?(-?\d+)h([\d.]+)/g)) {
    const start = end + Math.round(Number(right) * 10);
    middle += Number(down);
    end = start + Math.round(Number(width) * 10);
    for (let at = start; at < end; at++) cells.add(`${at},${middle}`);
  }
  return cells;
}

/** Frames of two rows, left to right. */
const FRAMES = fc
  .array(fc.record({ gap: fc.nat(20), width: fc.integer({ min: 1, max: 30 }), row: fc.nat(1) }))
  .map((steps) => {
    let x = 0;
    return steps.map(({ gap, width, row }) => {
      x += gap / 10;
      const frame = { x, y: row * 17, width: width / 10 };
      x += frame.width;
      return /** @type {Drawn} */ (/** @type {unknown} */ (frame));
    });
  });

test("a path covers what its frames cover one by one, whatever they are rounded to", () => {
  fc.assert(
    fc.property(FRAMES, fc.constantFrom(1, 5), (frames, step) => {
      if (frames.length > 0) assert.notEqual(covered(pathData(frames, step)).size, 0);
      const alone = frames.flatMap((frame) => [...covered(pathData([frame], step))]);
      assert.deepEqual([...covered(pathData(frames, step))].sort(), [...new Set(alone)].sort());
    }),
  );
});

test("frames that are rounded to one place are drawn once", () => {
  const frames = [10.05, 10.1, 10.15].map((x) => ({ x, y: 17, width: 0.05 }));
  const path = pathData(/** @type {any} */ (frames), 5);
  assert.equal(path, "m10 25h.5");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { spreadLabels } from "../../pipeline/charts/drawing.js";

test("labels that do not collide stay where they belong", () => {
  assert.deepEqual(spreadLabels([100, 20, 60], 18, [0, 200]), [100, 20, 60]);
});

test("labels that collide part around their middle", () => {
  assert.deepEqual(spreadLabels([100, 100], 18, [0, 200]), [91, 109]);
});

test("labels keep their lines' order, do not cover each other and stay inside", () => {
  const heights = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 11 });
  fc.assert(
    fc.property(heights, (wanted) => {
      const places = spreadLabels(wanted, 18, [0, 200]);
      const order = [...wanted.keys()].sort((a, b) => wanted[a] - wanted[b] || a - b);
      for (const [position, index] of order.entries()) {
        assert.ok(places[index] >= -1e-9 && places[index] <= 200 + 1e-9);
        if (position === 0) continue;
        assert.ok(places[index] - places[order[position - 1]] >= 18 - 1e-9);
      }
    }),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { noiseOf, swapped, valuesOf } from "../../../pipeline/profile/diff/values.js";

/**
 * Weights of both sides; `c` is gone.
 *
 *     0 ─┬─ 1 a ─── 2 b
 *        └─ 3 c
 */
const DIFF = /** @type {any} */ ({
  parent: [-1, 0, 1, 0],
  base_self: [0, 10, 20, 10],
  after_self: ["0", "6", "18", "0"],
  base: { total: "80", scale: 2, factors: { cost_per_operation: 0.5 } },
  after: { total: "24", scale: 1, factors: { cost_per_operation: 0.25 } },
  present: [3, 3, 3, 1],
  shared_out: [0, 3, 2, 1],
  joined: [{ base: "x", after: "y", by: "alias" }],
});

/** @param {import("../../../pipeline/profile/model/tree.js").CallTree} tree */
const numbersOf = ({ self, total }) => [[...self], [...total]];

test("shares are of all that a side has, whatever the scale of its weights", () => {
  const { baseTree, afterTree } = valuesOf(DIFF, "share", 0);
  assert.deepEqual(numbersOf(baseTree), [
    [0, 0.25, 0.5, 0.25],
    [1, 0.75, 0.5, 0.25],
  ]);
  assert.deepEqual(numbersOf(afterTree), [
    [0, 0.25, 0.75, 0],
    [1, 1, 0.75, 0],
  ]);
});

test("shares of a frame are of what that frame has on the same side", () => {
  const { baseTree, afterTree, ofAll } = valuesOf(DIFF, "share_of_frame", 1);
  assert.deepEqual([...baseTree.total], [40 / 30, 1, 20 / 30, 10 / 30]);
  assert.deepEqual([...afterTree.total], [1, 1, 0.75, 0]);
  assert.equal(ofAll, 0.75);
  const ofGone = valuesOf(DIFF, "share_of_frame", 3);
  assert.deepEqual([...ofGone.afterTree.total], [0, 0, 0, 0]);
  assert.equal(ofGone.ofAll, 0);
  assert.equal(valuesOf(swapped(DIFF), "share_of_frame", 1).ofAll, 0.75, "of the smaller side");
});

test("costs are weights by the factor of their side", () => {
  const { baseTree, afterTree } = valuesOf(DIFF, "cost_per_operation", 0);
  assert.deepEqual([...baseTree.total], [40, 30, 20, 10]);
  assert.deepEqual([...afterTree.total], [6, 6, 4.5, 0]);
  assert.deepEqual([...valuesOf(DIFF, "weight_per_second", 0).baseTree.total], [0, 0, 0, 0]);
});

test("what has no weight any more is gone, with what it had", () => {
  const { goneTree, isGone } = valuesOf(DIFF, "share", 0);
  assert.deepEqual([0, 1, 2, 3].map(isGone), [false, false, false, true]);
  assert.deepEqual([...goneTree.total], [0.25, 0, 0, 0.25]);
  const neither = { ...DIFF, base_self: [0, 10, 20, 0] };
  assert.equal(valuesOf(neither, "share", 0).isGone(3), false);
});

test("weights of callees that are not listed are in totals, and are gone with their caller", () => {
  const listed = { ...DIFF, base_rest: [0, 0, 0, 40], after_rest: [0, 0, 6, 0] };
  const { baseTree, afterTree, goneTree } = valuesOf(listed, "cost_per_operation", 0);
  assert.deepEqual([...baseTree.rest], [0, 0, 0, 40]);
  assert.deepEqual([...baseTree.total], [80, 30, 20, 50]);
  assert.deepEqual([...afterTree.total], [7.5, 7.5, 6, 0]);
  assert.deepEqual([...goneTree.total], [50, 0, 0, 50]);
  const known = valuesOf({ ...listed, gone_rest: [0, 0, 5, 2] }, "cost_per_operation", 0);
  assert.deepEqual([...known.goneTree.total], [17, 5, 5, 12]);
});

test("a side without weight has shares of nothing", () => {
  const empty = { ...DIFF, after_self: [0, 0, 0, 0], after: { ...DIFF.after, total: "0" } };
  const { afterTree, ofAll } = valuesOf(empty, "share", 1);
  assert.deepEqual([...afterTree.total], [0, 0, 0, 0]);
  assert.equal(ofAll, 0);
});

test("noise is that of the basis", () => {
  const noisy = { ...DIFF, noise_share: [0, 1, 2, 3], self_noise_share: [4, 5, 6, 7] };
  const values = valuesOf(noisy, "share", 0);
  const noise = noiseOf(noisy, values, "share", 0);
  assert.deepEqual([noise.total(2), noise.self(2)], [2, 6]);
  assert.deepEqual([noiseOf(noisy, values, "share", 1).total(2)], [2]);
  const costs = { ...noisy, noise_cost_per_operation: [9, 8, 7, 6] };
  assert.equal(noiseOf(costs, values, "cost_per_operation", 0).total(2), 7);
  assert.equal(noiseOf(costs, values, "weight_per_second", 0).total(0), undefined);
  assert.equal(noiseOf(costs, values, "weight_per_second", 0).self(0), undefined);
});

test("of a side without weight, the share of all has the noise that shares have", () => {
  const empty = { ...DIFF, after_self: [0, 0, 0, 0], noise_share: [0, 0.3, 0.06, 0.02] };
  const values = valuesOf(empty, "share_of_frame", 0);
  assert.equal(noiseOf(empty, values, "share_of_frame", 0).total(1), 0.3);
});

test("the share of a frame varies with the frame and with its part", () => {
  const noisy = {
    ...DIFF,
    noise_share: [0, 0.3, 0.06, 0.02],
    self_noise_share: [0, 0.1, 0.06, 0.02],
  };
  const all = noiseOf(noisy, valuesOf(noisy, "share_of_frame", 0), "share_of_frame", 0);
  assert.deepEqual([all.total(1), all.self(1)], [0.3, 0.1]);
  const values = valuesOf(noisy, "share_of_frame", 1);
  const noise = noiseOf(noisy, values, "share_of_frame", 1);
  assert.equal(noise.total(1), 0);
  const [total, self] = [(20 / 30 + 0.75) / 2, (10 / 30 + 0.25) / 2];
  assert.equal(noise.total(2), Math.hypot(0.06, total * 0.3) / 0.75);
  assert.equal(noise.self(1), Math.hypot(0.1, self * 0.3) / 0.75);
  const gone = noiseOf(noisy, valuesOf(noisy, "share_of_frame", 3), "share_of_frame", 3);
  assert.equal(gone.total(2), Number.POSITIVE_INFINITY);
  assert.equal(gone.self(0), Number.POSITIVE_INFINITY, "though nothing varies");
});

test("swapped, each side has what the other had", () => {
  const listed = {
    ...DIFF,
    base_rest: [1],
    after_rest: [2],
    gone_rest: [3],
    new_rest: [4],
    present: [3, 1, 2, 0],
  };
  const other = swapped(listed);
  assert.deepEqual([other.base, other.after], [DIFF.after, DIFF.base]);
  assert.deepEqual([other.base_self, other.after_self], [DIFF.after_self, DIFF.base_self]);
  assert.deepEqual(
    [other.base_rest, other.after_rest, other.gone_rest, other.new_rest],
    [[2], [1], [4], [3]],
  );
  assert.deepEqual(other.present, [3, 2, 1, 0]);
  assert.deepEqual(other.shared_out, [0, 3, 1, 2]);
  assert.deepEqual(other.joined, [{ base: "y", after: "x", by: "alias" }]);
  assert.deepEqual(swapped(other), listed);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleWeight } from "../../../pipeline/profile/diff/sample_weight.js";
import { profileOfStacks } from "../profiles.js";

/**
 * @param {number[]} weights of frames, one each
 * @param {{ samples?: number }} [options]
 */
const weightOf = (weights, options) =>
  sampleWeight(
    profileOfStacks(
      weights.map((weight, at) => `t;f${at} ${weight}`),
      options,
    ),
  );

test("a sample weighs the mean of all where the captures state their samples", () => {
  assert.equal(weightOf([700, 500], { samples: 4 }), 300);
  const counted = { ...profileOfStacks(["t;f 700"], { samples: 4 }), unit: "samples" };
  assert.equal(sampleWeight(counted), 1);
});

test("where they do not, it is the period that all weights are multiples of", () => {
  assert.equal(weightOf([70000, 30000, 20000]), 10000);
  assert.equal(weightOf([300, 200]), 100);
  assert.equal(weightOf([0, 5000]), 5000);
});

test("where periods vary, a tenth of the frames weigh less than what is taken for a sample", () => {
  // 99 is too small for a period: that all are multiples of it may be chance.
  assert.equal(weightOf([297, 198]), 198);
  const weights = Array.from({ length: 20 }, (_, at) => 1001 + 7 * at);
  assert.equal(weightOf(weights), 1001 + 7 * 2);
  // Frames without weight are none, and weights that are stored divided by a factor count whole.
  assert.equal(weightOf([0, 0, ...weights].reverse()), 1001 + 7 * 2);
  assert.equal(weightOf(weights.map((each) => each * 10)), 10 * (1001 + 7 * 2));
});

test("a sample of a profile without weight weighs nothing", () => {
  assert.equal(weightOf([]), 0);
});

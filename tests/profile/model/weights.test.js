import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ExactSums,
  exactSum,
  greatestDivisor,
  numberOf,
  scaled,
} from "../../../pipeline/profile/model/weights.js";

const DIGIT = 2 ** 52;

/** @param {(number | bigint)[]} weights one sum of each */
function sumsOf(weights) {
  const sums = new ExactSums();
  for (const weight of weights) sums.add(sums.append(), weight);
  return sums;
}

/** @param {(number | bigint)[]} weights of a node each */
function scaledSums(weights) {
  return scaled(
    sumsOf(weights),
    Int32Array.from(weights, (_, node) => node),
  );
}

test("digits are a number while every one of so many is exact, and a bigint from then on", () => {
  assert.equal(numberOf("7"), 7);
  assert.equal(numberOf("999999999999999"), 999_999_999_999_999);
  assert.equal(numberOf("9007199254740993"), 9007199254740993n);
});

test("sums start at zero and are numbers while those are exact", () => {
  const sums = sumsOf([0, 5, DIGIT - 1]);
  assert.equal(sums.append(), 3);
  assert.deepEqual([...sums.values()], [0, 5, DIGIT - 1, 0]);
  sums.add(1, 7);
  assert.equal(sums.get(1), 12);
});

test("sums beyond what doubles hold lose no unit", () => {
  const sums = sumsOf([DIGIT - 1, DIGIT - 1, DIGIT, 2n ** 70n + 1n]);
  sums.add(0, 1);
  assert.equal(sums.get(0), 2n ** 52n);
  for (let times = 0; times < 5; times++) sums.add(1, DIGIT - 1);
  assert.equal(sums.get(1), 6n * (2n ** 52n - 1n));
  sums.add(2, DIGIT - 1);
  assert.equal(sums.get(2), 2n ** 53n - 1n);
  sums.add(3, 2);
  assert.equal(sums.get(3), 2n ** 70n + 3n);
  sums.add(3, 2n ** 52n - 3n);
  assert.equal(sums.get(3), 2n ** 70n + 2n ** 52n);
  assert.equal(sums.total(), 2n ** 70n + 8n * 2n ** 52n + 2n ** 53n - 7n);
});

test("sums are multiplied exactly", () => {
  const sums = sumsOf([3, 0, DIGIT - 1]);
  sums.multiply(1000n);
  assert.deepEqual([...sums.values()], [3000, 0, 1000n * (2n ** 52n - 1n)]);
});

test("sums are kept however many there are", () => {
  for (const count of [16, 17, 100]) {
    const weights = Array.from({ length: count }, (_, at) => at + 1);
    const sums = sumsOf(weights);
    sums.multiply(2n);
    assert.deepEqual(
      [...sums.values()],
      weights.map((weight) => 2 * weight),
    );
  }
});

test("many weights are added up exactly, whatever their kind", () => {
  assert.equal(exactSum([]), 0n);
  assert.equal(exactSum([1, 2n, 2 ** 53 - 2]), 2n ** 53n + 1n);
});

test("the greatest divisor is that of all weights, large ones too", () => {
  assert.equal(greatestDivisor([]), 0);
  assert.equal(greatestDivisor([0, 0]), 0);
  assert.equal(greatestDivisor([0, 12, 18]), 6);
  assert.equal(greatestDivisor([8, 12, 9]), 1);
  assert.equal(greatestDivisor([2n ** 60n, 2n ** 61n]), 2n ** 60n);
  assert.equal(greatestDivisor([2n ** 60n, 48]), 16);
  assert.equal(greatestDivisor([2n ** 53n - 1n]), Number.MAX_SAFE_INTEGER);
});

test("self weights are divided by what they have in common, and the total is not", () => {
  const { scale, total, self } = scaledSums([250_000, 0, 750_000]);
  assert.deepEqual([scale, total, [...self]], [250_000, 1_000_000n, [1, 0, 3]]);
  assert.ok(self instanceof Float64Array);
});

test("nodes may share a sum, in any order", () => {
  const { self } = scaled(sumsOf([2, 3]), Int32Array.of(1, 0, 1));
  assert.deepEqual([...self], [3, 2, 3]);
});

test("a profile without weight has scale 1", () => {
  assert.deepEqual(scaledSums([0, 0]), { scale: 1, total: 0n, self: Float64Array.of(0, 0) });
});

test("a common divisor makes numbers of weights beyond what doubles hold", () => {
  const large = 2n ** 60n;
  const { scale, total, self } = scaledSums([large, 3n * large, 2 ** 20]);
  assert.deepEqual([scale, total], [2 ** 20, 4n * large + 2n ** 20n]);
  assert.deepEqual(self, Float64Array.of(2 ** 40, 3 * 2 ** 40, 1));
});

test("weights that no scale makes exact in doubles stay whole numbers", () => {
  const { scale, self } = scaledSums([2n ** 60n + 1n, 1]);
  assert.deepEqual([scale, self], [1, [2n ** 60n + 1n, 1n]]);
  const most = scaledSums([Number.MAX_SAFE_INTEGER - 1, 1]);
  assert.deepEqual(most.self, Float64Array.of(Number.MAX_SAFE_INTEGER - 1, 1));
  const more = scaledSums([Number.MAX_SAFE_INTEGER, 1]);
  assert.deepEqual(more.self, [2n ** 53n - 1n, 1n]);
  const scaledDown = scaledSums([3n * 2n ** 60n, 3]);
  assert.deepEqual([scaledDown.scale, scaledDown.self], [3, [2n ** 60n, 1n]]);
});

test("a divisor that is no exact number in doubles scales nothing", () => {
  const { scale, self } = scaledSums([2n ** 60n, 2n ** 61n]);
  assert.deepEqual([scale, self], [1, [2n ** 60n, 2n ** 61n]]);
});

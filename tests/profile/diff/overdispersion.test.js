import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ALIKE,
  commonOf,
  moderated,
  normalQuantile,
  overdispersions,
  studentOf,
} from "../../../pipeline/profile/diff/overdispersion.js";
import { sampleWeight } from "../../../pipeline/profile/diff/sample_weight.js";
import { chance, poisson } from "../changes/programs.js";
import { profileOf, profileOfStacks } from "../profiles.js";

/**
 * What sides have in common, and the factors of functions that are drawn to it.
 *
 * @param {import("../../../pipeline/profile/diff/overdispersion.js").Overdispersions[]} sides
 */
function pooled(sides) {
  const common = commonOf(sides);
  assert.ok(common);
  return { typical: common.factor, ...moderated(sides, common) };
}

/** @param {number} captures @param {number} times by which variances are more than a count's */
function side(captures, times) {
  const random = chance(captures + times);
  const rows = Array.from({ length: captures }, () =>
    Array.from({ length: 200 }, (_, at) => times * poisson((100 + at) / times, random)),
  );
  return overdispersions(
    rows,
    rows.map(() => 1),
    1 / captures,
    Number.POSITIVE_INFINITY,
  );
}

test("a factor is the variance of the captures over that of counts", () => {
  const rows = [
    [10, 0],
    [14, 0],
  ];
  const { degrees, factors } = overdispersions(rows, [1, 1], 0.5, Number.POSITIVE_INFINITY);
  // 2 off the expected 12, twice; counts of samples that weigh 1/2 have 24 of the sum's square.
  assert.deepEqual([degrees, factors[0]], [1, (8 * 2) / (0.5 * 12 * 4)]);
  assert.ok(Number.isNaN(factors[1]), "nothing varies where nothing is");
  const three = overdispersions([...rows, [12, 0]], [1, 1, 1], 0.5, Number.POSITIVE_INFINITY);
  assert.deepEqual([three.degrees, three.factors[0]], [2, (8 * 3) / 2 / (0.5 * 12 * 9)]);
  const share = overdispersions([[10], [14]], [20, 20], 0.01, 1);
  assert.ok(Math.abs(share.factors[0] - (8 * 2) / (0.01 * 0.6 * 0.4 * 40 ** 2)) < 1e-12);
  const longer = overdispersions([[10], [20]], [1, 2], 1, Number.POSITIVE_INFINITY);
  assert.equal(longer.factors[0], 0, "a capture twice as long has twice as much");
});

test("how alike functions are is what their factors vary by beyond chance", () => {
  // Of one degree a logarithm has the variance π²/2; trigamma's inverse of one more is near 3 degrees.
  const off = Math.sqrt(Math.PI ** 2 / 2 + 1);
  const factors = Float64Array.from([off, -off, off, -off, off, -off], Math.exp);
  const { degrees } = commonOf([{ degrees: 1, factors }]) ?? { degrees: 0 };
  assert.ok(Math.abs(degrees - 3) < 0.005, `${degrees}`);
});

test("a single capture shows no factor", () => {
  assert.deepEqual(overdispersions([[1, 2]], [1], 1, Number.POSITIVE_INFINITY), {
    degrees: 0,
    factors: new Float64Array(0),
  });
});

test("factors of both sides count by their degrees, and are drawn to what all have", () => {
  const high = Math.exp(2);
  const factors = Float64Array.from([1, 1, 1, 1, high, high, high, high]);
  const { typical, degreesOf, factorOf } = pooled([
    { degrees: 1, factors },
    { degrees: 3, factors },
  ]);
  // Logarithms are 1 off their mean; trigamma(2) = 0.6449 of that is chance: 1 + 2 / 0.3551.
  const degrees = 1 + 2 / (1 - 0.644934);
  // digamma(2) - log(2), and the same of half of these degrees.
  const expected = Math.exp(1 + 0.270363 - 0.15838);
  assert.ok(Math.abs(typical / expected - 1) < 0.005, `${typical}`);
  assert.ok(Math.abs(degreesOf(0) - degrees - 4) < 0.05, `${degreesOf(0)}`);
  for (const [at, own] of [
    [0, 1],
    [7, high],
  ]) {
    const drawn = (degrees * expected + 4 * own) / (degrees + 4);
    assert.ok(Math.abs(factorOf(at) / drawn - 1) < 0.005, `${factorOf(at)}`);
  }
});

test("a function that one side lacks has the factor of the other", () => {
  const all = Float64Array.from([2, 2, 2, 2, 40, 40, 0.1, 8]);
  const lacking = Float64Array.from(all, (factor, at) => (at === 4 ? Number.NaN : factor));
  const both = pooled([
    { degrees: 3, factors: all },
    { degrees: 5, factors: lacking },
  ]);
  assert.equal(Math.round(both.degreesOf(3) - both.degreesOf(4)), 5);
  const four = [
    { degrees: 1, factors: Float64Array.of(1, 1, 1, 1) },
    { degrees: 3, factors: Float64Array.of(5, 5, 5, 5) },
  ];
  assert.equal(commonOf(four), null, "four functions show nothing in common");
  const unlike = moderated(four, { factor: 2, degrees: 9 });
  assert.equal(unlike.degreesOf(0), 9 + 4);
  assert.equal(unlike.factorOf(0), (9 * 2 + 1 * 1 + 3 * 5) / (9 + 4));
});

test("five functions show what they have in common, though one side has a single capture", () => {
  const alone = { degrees: 0, factors: new Float64Array(0) };
  const factors = Float64Array.of(4, 4, 4, 4, 4);
  const { typical, degreesOf, factorOf } = pooled([alone, { degrees: 2, factors }]);
  // digamma(1) - log(1) is -0.577216, and of 17 / 2, as alike as functions are elsewhere, -0.059977.
  assert.ok(Math.abs(typical / (4 * Math.exp(0.577216 - 0.059977)) - 1) < 0.001, `${typical}`);
  assert.deepEqual(
    [degreesOf(0), factorOf(0)],
    [ALIKE + 2, (ALIKE * typical + 2 * 4) / (ALIKE + 2)],
  );
});

test("two captures say little about the factor of a function, and what all have counts for more", () => {
  const factors = Float64Array.of(1, 1, 1, Math.exp(6), Math.exp(6), Math.exp(6));
  const { degreesOf } = pooled([{ degrees: 1, factors }]);
  // Logarithms are 3 off their mean; trigamma(1/2) = 4.9348 of its square is chance.
  const degrees = degreesOf(0) - 1;
  assert.ok(Math.abs(degrees - (1 + 2 / (9 - 4.9348))) < 0.001, `${degrees}`);
});

test("a function of which all captures have as much varies by no more than counts do", () => {
  const factors = Float64Array.of(0, 0.05, 0.05, 40, 40, 40);
  const { degreesOf, factorOf } = pooled([{ degrees: 3, factors }]);
  assert.equal(degreesOf(0), degreesOf(1), "it is an estimate as others are");
  assert.ok(factorOf(0) < factorOf(1));
});

test("all of a side has no factor, however its sums are rounded", () => {
  // 0.1 + 0.2 is not 0.3.
  const { factors } = overdispersions([[0.1], [0.2]], [0.1 / 0.3, 0.2 / 0.3], 1, 0.3);
  assert.ok(!(factors[0] > 1), `${factors[0]}`);
});

for (const times of [1, 3]) {
  test(`the factor of captures that vary ${times} times as counts do is found again`, () => {
    const { typical, degreesOf } = pooled([side(5, times), side(4, times)]);
    assert.ok(Math.abs(typical / times - 1) < 0.15, `${typical}`);
    assert.equal(degreesOf(0), ALIKE + 7, "all functions agree");
  });
}

test("a function that varies more than the others has a factor of its own", () => {
  const sides = [side(5, 1), side(5, 1)];
  for (const { factors } of sides) {
    for (let at = 0; at < 200; at += 10) factors[at] *= 20;
  }
  const { factorOf, typical } = pooled(sides);
  assert.ok(factorOf(0) > 3 * typical);
});

test("single captures have nothing in common, and the factor that is given", () => {
  const alone = { degrees: 0, factors: new Float64Array(0) };
  assert.equal(commonOf([alone, alone]), null);
  const { factorOf, degreesOf } = moderated([alone, alone], { factor: 2.5, degrees: 9 });
  assert.deepEqual([factorOf(7), degreesOf(7)], [2.5, 9]);
});

test("quantiles are those of tables", () => {
  assert.ok(Math.abs(normalQuantile(0.005) - 2.5758) < 1e-3);
  assert.ok(Math.abs(normalQuantile(1e-5) - 4.2649) < 1e-3);
  assert.ok(Math.abs(studentOf(2.5758, 10) - 3.169) < 0.02);
  assert.ok(Math.abs(studentOf(3.719, 20) - 4.539) < 0.03);
});

test("a sample weighs what the capture says, or what all weights are multiples of", () => {
  const stacks = [3, 4, 10].map((samples, at) => ({
    frames: ["t", `f${at}`],
    weight: 500_000 * samples,
    samples,
  }));
  assert.equal(sampleWeight(profileOf(stacks)), 500_000);
  const unstated = stacks.map(({ frames, weight }) => ({ frames, weight }));
  assert.equal(sampleWeight(profileOf(unstated)), 500_000);
});

test("where periods vary, a sample is taken to weigh as much as small frames do", () => {
  const weights = Array.from({ length: 30 }, (_, at) => 1_000_003 + 7919 * at);
  const stacks = [1, ...weights].map((weight, at) => `t;f${at} ${weight}`);
  const weight = sampleWeight(profileOfStacks(stacks));
  assert.ok(weight >= weights[0] && weight <= weights[5], `${weight}`);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { describeFindings } from "../../../pipeline/profile/changes/findings.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import {
  ALIKE,
  DOCUMENTED,
  normalQuantile,
  studentOf,
} from "../../../pipeline/profile/diff/overdispersion.js";
import { merged } from "../changes/programs.js";
import { profileOfStacks } from "../profiles.js";

const LABELS = { baseLabel: "16", afterLabel: "18" };

/** @param {number[]} weights of functions of their own */
const capture = (weights) =>
  profileOfStacks(
    weights.map((weight, at) => `t;main;f${at} ${weight}`),
    { samples: weights.reduce((sum, each) => sum + each, 0) },
  );

/**
 * @param {number[][]} base a capture a row
 * @param {number[][]} after
 * @param {number} [overdispersion] of other captures of the report
 */
function compared(base, after, overdispersion) {
  const [was, is] = [base, after].map((rows) => {
    const profiles = rows.map(capture);
    return {
      profile: merged(profiles),
      captures: profiles.map((profile) => ({ profile, exposure: 1 })),
    };
  });
  return compareProfiles(was.profile, is.profile, {
    ...LABELS,
    overdispersion,
    bases: { weight_per_second: { base: 1 / base.length, after: 1 / after.length } },
    baseCaptures: was.captures,
    afterCaptures: is.captures,
  });
}

/** @param {Parameters<typeof compared>} sides */
function noiseOf(...sides) {
  const { noise } = compared(...sides).diff;
  assert.ok(noise.weight_per_second);
  return noise.weight_per_second;
}

/** Twenty functions of which every other one grew by as much as the next one shrank. */
const EVEN = new Array(20).fill(1000);
/** Standard errors that none of the twenty, nor what calls them, differs by. */
const QUANTILE = Number(normalQuantile(1 / 80 / 20).toFixed(3));
/** @param {number} change */
const swayed = (change) => EVEN.map((weight, at) => weight + (at % 2 ? change : -change));

test("of single captures the noise is the documented one, or that of the report", () => {
  assert.deepEqual(noiseOf([EVEN], [EVEN]), {
    factor: DOCUMENTED,
    degrees: ALIKE,
    quantile: QUANTILE,
    from: "archives",
  });
  assert.deepEqual(noiseOf([EVEN], [EVEN], 3.5), {
    factor: 3.5,
    degrees: ALIKE,
    quantile: QUANTILE,
    from: "report",
  });
});

test("what most functions differ by between the sides is noise of few captures, up to a limit", () => {
  const { factor, from } = noiseOf([EVEN], [swayed(70)]);
  assert.equal(from, "sides");
  // 70 off, of a variance of 1000 + 930 or 1070; half of the squares of a normal are below 0.4549.
  assert.ok(factor > 70 ** 2 / 2070 / 0.4549 - 0.1 && factor < 10, `${factor}`);
  const most = noiseOf([EVEN], [swayed(400)]);
  assert.deepEqual([most.factor, most.from], [10, "limit"], "no estimate");
  assert.equal(noiseOf([EVEN], [swayed(20)]).from, "archives");
  const two = noiseOf([EVEN, EVEN], [swayed(70), swayed(70)]);
  assert.equal(two.from, "limit", "captures that agree by luck do not outweigh it");
  const five = noiseOf(new Array(5).fill(EVEN), new Array(5).fill(swayed(70)));
  assert.equal(five.from, "captures", "enough captures have a test of their own");
});

test("sides that differ by no more than counts leave the noise to the report", () => {
  assert.deepEqual(noiseOf([EVEN], [EVEN], 1), {
    factor: 1,
    degrees: ALIKE,
    quantile: QUANTILE,
    from: "report",
  });
});

test("the middle of what functions differ by is the noise, in whatever order they come", () => {
  // A third differ by 120, a third by 80 and a third by 40: the middle is 80.
  const changes = EVEN.slice(2).map((_, at) => [120, 40, 80][at % 3] * (at % 2 ? 1 : -1));
  for (const order of [changes, [...changes].reverse()]) {
    const { factor, from } = noiseOf([EVEN.slice(2)], [order.map((change) => EVEN[0] + change)]);
    assert.equal(from, "sides");
    const expected = [-1, 1].map((sign) => 80 ** 2 / (2000 + sign * 80) / 0.4549);
    assert.ok(factor > expected[1] - 0.1 && factor < expected[0] + 0.1, `${factor}`);
  }
});

test("functions are counted in samples, whatever a sample weighs", () => {
  /** @param {number} each samples of a function that weigh 100 */
  const ofHeavy = (each) => {
    const weights = (/** @type {number} */ change) =>
      EVEN.map((_, at) => 100 * (each + (at % 2 ? change : -change)));
    const [base, after] = [weights(0), weights(4)].map((row) => {
      const profile = profileOfStacks(
        row.map((weight, at) => `t;main;f${at} ${weight}`),
        { samples: 20 * each },
      );
      return { profile, captures: [{ profile, exposure: 1 }] };
    });
    const { noise } = compareProfiles(base.profile, after.profile, {
      ...LABELS,
      bases: { weight_per_second: { base: 1, after: 1 } },
      baseCaptures: base.captures,
      afterCaptures: after.captures,
    }).diff;
    return noise.weight_per_second?.from;
  };
  assert.equal(ofHeavy(4), "archives", "eight samples on both sides, or four and twelve");
  assert.equal(ofHeavy(7), "sides", "ten or more on both sides");
});

test("ten samples of a function on both sides are enough", () => {
  const five = new Array(20).fill(5);
  const swayedTo = (/** @type {number} */ most) => five.map((_, at) => (at % 2 ? most : 10 - most));
  assert.equal(noiseOf([swayedTo(8)], [swayedTo(2)]).from, "sides");
});

test("what all code grew or fell by is no noise between the sides", () => {
  const half = EVEN.map((weight) => weight / 2);
  assert.equal(noiseOf([EVEN], [half]).from, "archives");
  assert.equal(noiseOf([half], [EVEN]).from, "archives");
});

test("seven functions, or fewer than ten samples of each, show no difference of the sides", () => {
  assert.equal(noiseOf([EVEN.slice(0, 7)], [swayed(400).slice(0, 7)]).from, "archives");
  assert.equal(noiseOf([EVEN.slice(0, 8)], [swayed(400).slice(0, 8)]).from, "limit");
  const few = new Array(20).fill(3);
  assert.equal(noiseOf([few], [few.map((_, at) => (at % 2 ? 1 : 5))]).from, "archives");
});

test("frames are coloured from the change on that the list of changes asks of a function", () => {
  const { diff, captures } = compared([EVEN], [swayed(70)]);
  const { noise } = describeFindings(diff, findChanges(diff, captures));
  const factor = diff.noise.weight_per_second?.factor ?? 0;
  assert.deepEqual([noise.overdispersion, noise.shown_by], [factor, "sides"]);
  assert.ok(factor > DOCUMENTED);
  const variance = 1000 + 930;
  const coloured = studentOf(QUANTILE, ALIKE) * Math.sqrt(factor * variance);
  const node = diff.name.findIndex((name) => diff.names[name] === "f0");
  assert.equal(diff.noise_weight_per_second?.[node], Number(coloured.toPrecision(2)));
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { significanceOf } from "../../../pipeline/profile/changes/significance.js";
import { samplesOf } from "../../../pipeline/profile/diff/function_samples.js";
import {
  ALIKE,
  commonOf,
  DOCUMENTED,
  normalQuantile,
  studentOf,
} from "../../../pipeline/profile/diff/overdispersion.js";

/**
 * What captures show, by capture and function. Functions call nothing; their nodes are 1, 2, …
 *
 * @typedef {object} Captured
 * @property {number[][]} rows a capture a row
 * @property {number[]} [exposures]
 */

const sum = (/** @type {number[]} */ values) => values.reduce((all, value) => all + value, 0);

/**
 * @param {Captured} base
 * @param {Captured} after
 * @param {{ even?: number, basis?: import("../../../pipeline/profile/diff/diff.js").Basis, tested?: number[],
 *   factor?: number, sampleWeight?: number, overdispersion?: number }} [options]
 */
function shown(base, after, options = {}) {
  const { even = 1, basis = "weight_per_second", factor = 1, sampleWeight = 1 } = options;
  const count = base.rows[0].length;
  const [was, is] = [base, after].map(({ rows }) =>
    Float64Array.from(rows[0], (_, at) => sum(rows.map((row) => row[at]))),
  );
  /** @param {Captured} of */
  const captures = ({ rows, exposures = rows.map(() => 1) }) => {
    const all = rows.map((row) => Float64Array.of(sum(row), ...row));
    return { exposures, self: all, total: all };
  };
  const growth = {
    basis,
    even,
    whole: [was, is].map((values) => factor * sum([...values])),
    functions: {
      base: was.map((weight) => factor * weight),
      after: is.map((weight) => factor * weight),
    },
  };
  const side = { sample_weight: sampleWeight, factors: { [basis]: factor } };
  const sides = /** @type {any} */ ({ base: side, after: side });
  const both = { base: captures(base), after: captures(after) };
  const calls = Array.from({ length: count }, (_, at) => [at + 1]);
  const { tested = Array.from({ length: count }, (_, at) => at) } = options;
  const samples = samplesOf(sides, both, /** @type {any} */ (growth), calls, tested);
  const common = commonOf(samples.map(({ overdispersion }) => overdispersion)) ?? {
    factor: options.overdispersion ?? DOCUMENTED,
    degrees: ALIKE,
  };
  const noise = { ...common, quantile: normalQuantile(1 / 80 / Math.max(1, tested.length)) };
  return significanceOf(
    /** @type {any} */ ({ ...sides, noise: { [basis]: noise } }),
    both,
    /** @type {any} */ (growth),
    /** @type {any} */ ({ calls, count }),
    tested,
  );
}

/** @param {number} one @param {number} other */
const isClose = (one, other) =>
  assert.ok(Math.abs(one - other) <= 1e-9 * Math.abs(other), `${one}, not ${other}`);

test("of single captures, noise is that of counts times what all have in common", () => {
  const [one, other] = [{ rows: [[400, 100]] }, { rows: [[500, 200]] }];
  const { noise, quantile, overdispersion, factor, limit, p, level, tried, isLikely } = shown(
    one,
    other,
  );
  // One in 80 of comparisons may name something in one direction, whichever of two functions.
  isClose(quantile, normalQuantile(1 / 160));
  const student = studentOf(quantile, ALIKE);
  isClose(noise[0], student * Math.sqrt(DOCUMENTED * 900));
  isClose(noise[1], student * Math.sqrt(DOCUMENTED * 300));
  assert.deepEqual([overdispersion, factor[1], limit[1]], [DOCUMENTED, DOCUMENTED, student]);
  assert.deepEqual([p, level, tried, isLikely(0)], [null, null, 0, true]);
  const known = shown(one, other, { overdispersion: 5 });
  isClose(known.noise[0], student * Math.sqrt(5 * 900));
});

test("a function that is not tested has no bound that it could exceed", () => {
  const { noise, quantile, factor, limit } = shown(
    { rows: [[1, 2, 3]] },
    { rows: [[1, 2, 3]] },
    {
      tested: [1],
      overdispersion: 2,
    },
  );
  assert.deepEqual([noise[0], noise[2]], [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  assert.deepEqual([factor[0], limit[0]], [2, quantile]);
  isClose(quantile, normalQuantile(1 / 80));
  const none = shown({ rows: [[1]] }, { rows: [[1]] }, { tested: [] });
  isClose(none.quantile, normalQuantile(1 / 80));
});

test("the variance is in the basis: of counts of samples, and of shares of the parts alone", () => {
  const [one, other] = [{ rows: [[400, 100]] }, { rows: [[300, 200]] }];
  const { variance } = shown(one, other, { factor: 0.1, sampleWeight: 5, even: 2 });
  // A sample is half a unit; the growth of all code, which the base is taken times, is squared.
  isClose(variance(40, 30), 4 * 0.5 * 40 + 0.5 * 30);
  const shares = shown(one, other, { basis: "share", factor: 1 / 500 });
  isClose(shares.variance(0.8, 0.6), (0.8 * 0.2 + 0.6 * 0.4) / 500);
  isClose(shares.variance(0.8, 1), (0.8 * 0.2) / 500);
  const relative = shown(one, other, { basis: "relative_cost", factor: 100 / 500 });
  isClose(relative.variance(80, 60), 0.2 * (80 * 0.2 + 60 * 0.4));
});

/** Captures of six functions of unlike weight that hardly vary; one of them may be heavier. */
const STEADY = [
  [100, 200, 300, 400, 500, 600],
  [101, 199, 302, 398, 501, 599],
  [99, 201, 298, 402, 499, 601],
  [100, 198, 301, 400, 502, 600],
  [102, 200, 299, 401, 498, 602],
];
const heavier = (/** @type {number[]} */ more) =>
  STEADY.toReversed().map((row) => row.map((weight, at) => weight + (more[at] ?? 0)));

test("of captures, functions have a factor, degrees and a limit of their own", () => {
  const bursts = STEADY.map((row, at) => [row[0] + 40 * ((at % 3) - 1), ...row.slice(1)]);
  const { factor, limit, noise, quantile, variance, overdispersion } = shown(
    { rows: bursts },
    { rows: bursts },
  );
  assert.equal(overdispersion, 1);
  assert.ok(factor[0] > 3 && factor[1] < 2, `${factor}`);
  assert.ok(limit[1] > quantile && limit[1] < studentOf(quantile, 8));
  const base = sum(bursts.map(([weight]) => weight));
  isClose(noise[0], limit[0] * Math.sqrt(factor[0] * variance(base, base)));
});

test("p is the part of all splits in which some function differs by as much", () => {
  const { ways, tried, level, p, isLikely } = shown(
    { rows: STEADY.slice(0, 4) },
    { rows: heavier([0, 50]).slice(0, 4) },
  );
  assert.deepEqual([ways, tried, level], [70, 70, 0.05]);
  // The split that it really was, and its mirror image.
  isClose(Number(p?.[1]), 2 / 70);
  assert.ok(Number(p?.[0]) > 0.5);
  assert.deepEqual([isLikely(1), isLikely(0)], [true, false]);
});

test("five captures a side must pass at 1 %, three cannot pass at all", () => {
  const five = shown({ rows: STEADY }, { rows: heavier([0, 50]) });
  assert.deepEqual([five.ways, five.tried, five.level], [252, 252, 0.01]);
  isClose(Number(five.p?.[1]), 2 / 252);
  const three = shown({ rows: STEADY.slice(2) }, { rows: heavier([0, 50]).slice(2) });
  assert.deepEqual([three.ways, three.tried, three.level, three.p], [20, 0, null, null]);
  const uneven = shown({ rows: STEADY.slice(0, 2) }, { rows: heavier([]) });
  assert.deepEqual([uneven.ways, uneven.level], [21, null]);
});

test("where one function changed, another that changed less is compared with what remains", () => {
  const { p } = shown({ rows: STEADY }, { rows: heavier([0, 500, 0, 30]) });
  isClose(Number(p?.[1]), 2 / 252);
  isClose(Number(p?.[3]), 2 / 252);
  assert.ok(Number(p?.[4]) > 0.1);
});

test("functions are compared in standard errors: one in bursts does not outweigh a steady one", () => {
  const bursts = [9000, 200, 8000, 100, 5000, 7000, 300, 9500, 400, 6000];
  const rows = (/** @type {number} */ more, /** @type {number} */ first) =>
    STEADY.map((row, at) => [row[0] + more, bursts[first + at]]);
  const { p } = shown({ rows: rows(0, 0) }, { rows: rows(50, 5) });
  isClose(Number(p?.[0]), 2 / 252);
  assert.ok(Number(p?.[1]) > 0.1);
});

test("a function is not surer of its change than those that changed more", () => {
  const { p } = shown(
    { rows: [10, 10, 10, 60, 10].map((odd, at) => [odd, STEADY[at][1], 1000]) },
    { rows: [110, 10, 110, 110, 110].map((odd, at) => [odd, STEADY[at][1] + 30, 1000]) },
  );
  const [odd, sure] = [p?.[0], p?.[1]].map(Number);
  assert.ok(odd > 2 / 252 && sure >= odd, `${odd} ${sure}`);
});

test("only tested functions have a p, and where all weigh nothing it is 1", () => {
  const { p } = shown(
    { rows: STEADY.map((row) => [0, ...row]) },
    {
      rows: heavier([0, 50]).map((row) => [0, ...row]),
    },
    { tested: [0, 2] },
  );
  assert.deepEqual([p?.[0], p?.[1]], [1, Number.NaN]);
  isClose(Number(p?.[2]), 2 / 252);
});

test("captures of unlike length are compared by what they have in each second", () => {
  const lengths = [1, 2, 3, 4, 5];
  /** @param {number[][]} rows */
  const longer = (rows) => rows.map((row, at) => row.map((weight) => weight * lengths[at]));
  const same = shown(
    { rows: longer(STEADY), exposures: lengths },
    { rows: longer(heavier([])), exposures: lengths },
  );
  assert.ok(
    (same.p ?? []).every((each) => each > 0.05),
    `${same.p}`,
  );
  const grown = shown(
    { rows: longer(STEADY), exposures: lengths },
    { rows: longer(heavier([0, 50])), exposures: lengths },
  );
  isClose(Number(grown.p?.[1]), 2 / 252);
});

test("the growth of all code is no growth of a function", () => {
  const rows = heavier([]).map((row) => row.map((weight) => 1.5 * weight));
  const { p } = shown({ rows: STEADY }, { rows }, { even: 1.5 });
  assert.ok(
    (p ?? []).every((each) => each > 0.05),
    `${p}`,
  );
  const plain = shown({ rows: STEADY }, { rows });
  isClose(Number(plain.p?.[5]), 2 / 252);
});

test("of very many splits two thousand are drawn, or fewer where there are many functions", () => {
  const rows = [...STEADY, ...STEADY, ...STEADY];
  const many = [...heavier([0, 50]), ...heavier([0, 50]), ...heavier([0, 50])];
  const few = shown({ rows }, { rows: many });
  assert.deepEqual([few.tried, few.ways], [2000, 1_000_000]);
  isClose(Number(few.p?.[1]), 1 / 2000);
  const wide = (/** @type {number[][]} */ all) =>
    all.map((row) => Array.from({ length: 300 }, (_, at) => row[at % 6]));
  // 300 functions of 30 captures: 9,000 differences a split, of four million.
  assert.equal(shown({ rows: wide(rows) }, { rows: wide(many) }).tried, 444);
  const huge = (/** @type {number[][]} */ all) =>
    all.map((row) => Array.from({ length: 3000 }, (_, at) => row[at % 6]));
  assert.equal(shown({ rows: huge(rows) }, { rows: huge(many) }).tried, 200, "enough for 1 %");
});

test("the order of captures decides nothing, and that of equal ones neither", () => {
  const rows = [...STEADY, ...STEADY, ...heavier([3])];
  const many = heavier([0, 5, 2]).flatMap((row) => [row, row, row]);
  const there = shown({ rows }, { rows: many });
  const back = shown({ rows: rows.toReversed() }, { rows: many.toSorted() });
  assert.equal(there.tried, 2000);
  assert.deepEqual(back.p, there.p);
  const lengths = rows.map((_, at) => 1 + (at % 4));
  const long = shown({ rows, exposures: lengths }, { rows: many });
  const longBack = shown(
    { rows: rows.toReversed(), exposures: lengths.toReversed() },
    { rows: many },
  );
  assert.deepEqual(longBack.p, long.p);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { noiseColumns } from "../../../pipeline/profile/diff/noise.js";
import { ALIKE, DOCUMENTED, studentOf } from "../../../pipeline/profile/diff/overdispersion.js";

/** The root calls a and b. */
const SELF = [0, 300, 100];
const TOTAL = [400, 300, 100];
const QUANTILE = 2.5758;
/** Standard errors that are noise, of single captures and of two a side. */
const [T, T_OF_TWO] = [ALIKE, ALIKE + 2].map((degrees) => studentOf(QUANTILE, degrees));

/**
 * @param {Record<string, number>} factors
 * @param {{ sampleWeight?: number, rows?: number[][] }} [of]
 * @returns {import("../../../pipeline/profile/diff/noise.js").NoisySide}
 */
function side(factors, { sampleWeight = 1, rows = [] } = {}) {
  return {
    sampleWeight,
    factors,
    weights: { self: SELF, total: TOTAL },
    rows: {
      exposures: rows.map(() => 1),
      self: rows.map(([, ...row]) => Float64Array.from([0, ...row])),
      total: rows.map((row) => Float64Array.from(row)),
    },
  };
}

/** What single captures of a report without others have in common. */
const SINGLE = { factor: DOCUMENTED, degrees: ALIKE, quantile: QUANTILE };

/** @param {number} variance */
const noise = (variance) => Number((T * Math.sqrt(DOCUMENTED * variance)).toPrecision(2));

test("of weights per second counts vary by their square root, in samples", () => {
  const per = { weight_per_second: 0.1 };
  const found = noiseColumns([side(per), side(per, { sampleWeight: 4 })], {
    weight_per_second: SINGLE,
  });
  const variances = [400, 300, 100].map((weight) => 0.01 * (1 + 4) * weight);
  assert.deepEqual(found.noise_weight_per_second, variances.map(noise));
  assert.deepEqual(found.self_noise_weight_per_second, [0, ...variances.slice(1).map(noise)]);
});

test("of shares all of a side never varies", () => {
  const of = { share: 1 / 400 };
  const { noise_share, self_noise_share } = noiseColumns([side(of), side(of)], { share: SINGLE });
  const either = noise((2 * 0.75 * 0.25) / 400);
  assert.deepEqual(noise_share, [0, either, either]);
  assert.deepEqual(self_noise_share, [0, either, either]);
});

test("each side has its own factor", () => {
  const found = noiseColumns(
    [side({ share: 1 / 400, cost_per_operation: 3 }), side({ cost_per_operation: 4 })],
    { cost_per_operation: SINGLE },
  );
  assert.deepEqual(Object.keys(found), [
    "noise_cost_per_operation",
    "self_noise_cost_per_operation",
  ]);
  assert.equal(found.noise_cost_per_operation?.[1], noise(300 * (9 + 16)));
});

test("what captures show of a frame is drawn to what all have in common", () => {
  const per = { weight_per_second: 1 };
  const rows = [1, 3, 2, 2].map((times) => [50 * times, 40 * times, 10 * times]);
  const [alone, shown] = [[], rows].map((each) => {
    const one = side(per, { rows: each });
    return (
      noiseColumns([one, one], { weight_per_second: SINGLE }).noise_weight_per_second?.[1] ?? 0
    );
  });
  assert.equal(alone, Number((T * Math.sqrt(DOCUMENTED * 2 * 300)).toPrecision(2)));
  assert.ok(shown > alone, "of three frames, each has its own");
});

/** Six functions of 28 hundred samples; of two captures one has as many more as the other has fewer. */
const COUNTS = [100, 400, 900, 100, 400, 900];
const MORE = [20, 40, -60, -20, -40, 60];

/** @param {number} own @param {number} common */
const drawn = (own, common) => (ALIKE * common + 2 * own) / (ALIKE + 2);

/**
 * @param {Record<string, number>} factors
 * @param {number[]} exposures
 * @param {number[][]} captures weights of the functions
 * @returns {import("../../../pipeline/profile/diff/noise.js").NoisySide}
 */
function ofCaptures(factors, exposures, captures) {
  const self = [0, ...COUNTS.map((_, at) => captures.reduce((sum, row) => sum + row[at], 0))];
  const all = self.reduce((sum, weight) => sum + weight, 0);
  /** @param {number[]} row @param {number} root */
  const row = (row, root) => Float64Array.from([root, ...row]);
  return {
    sampleWeight: 1,
    factors,
    weights: { self, total: [all, ...self.slice(1)] },
    rows: {
      exposures,
      self: captures.map((each) => row(each, 0)),
      total: captures.map((each) => row(each, all / captures.length)),
    },
  };
}

const BURSTS = [1, -1].map((sign) => COUNTS.map((count, at) => count + sign * MORE[at]));

test("of weights per second, captures are compared by the time that each took", () => {
  const per = { weight_per_second: 0.01 };
  const of = [30, 10].map((length) => COUNTS.map((count) => count * length));
  const steady = ofCaptures(per, [30, 10], of);
  const { self_noise_weight_per_second: found } = noiseColumns([steady, steady], {
    weight_per_second: { factor: 1, degrees: ALIKE, quantile: QUANTILE },
  });
  // They have as much in each second, so that nothing varies by more than counts do.
  const expected = COUNTS.map((count) =>
    Number(
      (T_OF_TWO * Math.sqrt((ALIKE / (ALIKE + 2)) * 2 * 0.01 ** 2 * 40 * count)).toPrecision(2),
    ),
  );
  assert.deepEqual(found, [0, ...expected]);
});

test("a frame that varies more than counts has more noise than all have in common", () => {
  const per = { weight_per_second: 0.01 };
  const side = ofCaptures(per, [5, 5], BURSTS);
  const found =
    noiseColumns([side, side], { weight_per_second: SINGLE }).self_noise_weight_per_second ?? [];
  // Two differences of 2 √n each from n: a variance of 16 n where counts have 2 n.
  for (const [at, count] of COUNTS.entries()) {
    const factor = drawn(8, DOCUMENTED);
    const expected = T_OF_TWO * Math.sqrt(factor * 2 * 0.01 ** 2 * 2 * count);
    assert.ok(Math.abs(found[at + 1] / expected - 1) < 0.05, `${found[at + 1]}, not ${expected}`);
  }
});

test("of shares, a capture of twice the weight is expected to have twice as much", () => {
  const steady = ofCaptures(
    { share: 1 / (3 * 2800) },
    [5, 5],
    [COUNTS, COUNTS.map((count) => 2 * count)],
  );
  for (const [at, row] of steady.rows.total.entries()) row[0] = (at + 1) * 2800;
  const { self_noise_share: found } = noiseColumns([steady, steady], {
    share: { factor: 1, degrees: ALIKE, quantile: QUANTILE },
  });
  const expected = COUNTS.map((count) => {
    const variance = ((count / 2800) * (1 - count / 2800)) / (3 * 2800);
    return Number((T_OF_TWO * Math.sqrt((ALIKE / (ALIKE + 2)) * 2 * variance)).toPrecision(2));
  });
  assert.deepEqual(found, [0, ...expected]);
});

test("of shares, captures are compared by their weight, and vary about their parts", () => {
  const all = 2 * 2800;
  const side = ofCaptures({ share: 1 / all, relative_cost: 100 / all }, [5, 5], BURSTS);
  const columns = noiseColumns([side, side], { share: SINGLE, relative_cost: SINGLE });
  const found = columns.self_noise_share ?? [];
  for (const [at, count] of COUNTS.entries()) {
    const share = count / 2800;
    const factor = drawn(8 / (1 - share), DOCUMENTED);
    const expected = T_OF_TWO * Math.sqrt((factor * 2 * share * (1 - share)) / all);
    assert.ok(Math.abs(found[at + 1] / expected - 1) < 0.05, `${found[at + 1]}, not ${expected}`);
  }
  assert.deepEqual(
    columns.self_noise_relative_cost,
    found.map((noise) => Number((100 * noise).toPrecision(2))),
  );
});

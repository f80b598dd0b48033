import assert from "node:assert/strict";
import { test } from "node:test";
import { noiseColumns } from "../../../pipeline/profile/diff/noise.js";
import { DOCUMENTED } from "../../../pipeline/profile/diff/overdispersion.js";

/** The root calls a and b. */
const SELF = [0, 300, 100];
const TOTAL = [400, 300, 100];
const Z = 2.5758;

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

/** @param {number} variance */
const noise = (variance) => Number((Z * Math.sqrt(DOCUMENTED * variance)).toPrecision(2));

test("of weights per second counts vary by their square root, in samples", () => {
  const per = { weight_per_second: 0.1 };
  const found = noiseColumns([side(per), side(per, { sampleWeight: 4 })]);
  const variances = [400, 300, 100].map((weight) => 0.01 * (1 + 4) * weight);
  assert.deepEqual(found.noise_weight_per_second, variances.map(noise));
  assert.deepEqual(found.self_noise_weight_per_second, [0, ...variances.slice(1).map(noise)]);
});

test("of shares all of a side never varies", () => {
  const of = { share: 1 / 400 };
  const { noise_share, self_noise_share } = noiseColumns([side(of), side(of)]);
  const either = noise((2 * 0.75 * 0.25) / 400);
  assert.deepEqual(noise_share, [0, either, either]);
  assert.deepEqual(self_noise_share, [0, either, either]);
});

test("each side has its own factor, and a basis of one side alone has no noise", () => {
  const found = noiseColumns([
    side({ share: 1 / 400, cost_per_operation: 3 }),
    side({ cost_per_operation: 4 }),
  ]);
  assert.deepEqual(Object.keys(found), [
    "noise_cost_per_operation",
    "self_noise_cost_per_operation",
  ]);
  assert.equal(found.noise_cost_per_operation?.[1], noise(300 * (9 + 16)));
});

test("what captures show takes the place of what others do", () => {
  const per = { weight_per_second: 1 };
  const rows = [1, 3, 2, 2].map((times) => [50 * times, 40 * times, 10 * times]);
  const [alone, shown] = [[], rows].map((each) => {
    const one = side(per, { rows: each });
    return noiseColumns([one, one], 2).noise_weight_per_second?.[1] ?? 0;
  });
  assert.equal(alone, Number((Z * Math.sqrt(2 * 2 * 300)).toPrecision(2)));
  assert.equal(shown, alone, "three frames are too few to show it");
});

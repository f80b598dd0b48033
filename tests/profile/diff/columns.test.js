import assert from "node:assert/strict";
import { test } from "node:test";
import { compareProfiles, diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { ALIKE, DOCUMENTED } from "../../../pipeline/profile/diff/overdispersion.js";
import { profileOf, profileOfStacks } from "../profiles.js";

const LABELS = { baseLabel: "16", afterLabel: "18" };

/**
 * @param {string[]} base
 * @param {string[]} after
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 */
const diffOf = (base, after, options) =>
  diffProfiles(profileOfStacks(base), profileOfStacks(after), { ...LABELS, ...options });

test("a diff has the frames of either side with the weights of both", () => {
  const diff = diffProfiles(
    profileOfStacks(["t;f 30", "t;f;stop 10", "t;g 60"], { samples: 100 }),
    profileOfStacks(["t;f 50", "t;fresh@kernel 30", "t;g 40"], { samples: 60 }),
    {
      ...LABELS,
      bases: { weight_per_second: { base: 0.5, after: 0.25 } },
      basis: "weight_per_second",
    },
  );
  assert.deepEqual(diff.names, ["all", "t", "f", "stop", "fresh", "g"]);
  assert.deepEqual(diff.keys, [null, null, null, null, null, null]);
  assert.deepEqual(
    diff.classes.map((each) => diff.class_names[each]),
    ["thread", "thread", "user", "user", "kernel", "user"],
  );
  assert.deepEqual(diff.name, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(diff.parent, [-1, 0, 1, 2, 1, 1]);
  assert.deepEqual(diff.present, [3, 3, 3, 1, 2, 3]);
  assert.deepEqual(diff.shared_out, [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(diff.join, [null, null, null, null, null, null]);
  // Stored in tens, as all weights are multiples of ten.
  assert.deepEqual(diff.base_self, [0, 0, 3, 1, 0, 6]);
  assert.deepEqual(diff.after_self, [0, 0, 5, 0, 3, 4]);
  assert.deepEqual(diff.base, {
    label: "16",
    unit: "cycles",
    total: "100",
    samples: 100,
    sample_weight: 1,
    scale: 10,
    factors: { share: 1 / 100, weight_per_second: 0.5 },
    captures: 0,
  });
  assert.deepEqual(diff.after, {
    label: "18",
    unit: "cycles",
    total: "120",
    samples: 60,
    sample_weight: 2,
    scale: 10,
    factors: { share: 1 / 120, weight_per_second: 0.25 },
    captures: 0,
  });
  assert.deepEqual(diff.matched, { percent: 82.5, base_percent: 90, after_percent: 75 });
  const { format, version, event, unit, basis, joined } = diff;
  assert.deepEqual(
    [format, version, event, unit, basis, joined],
    ["perfpress-diff", 1, "cycles", "cycles", "weight_per_second", []],
  );
  assert.equal("cost_of" in diff, false);
});

test("noise is that of the weights as they are, whatever they are stored in", () => {
  /** @param {number} factor */
  const noise = (factor) => {
    const [base, after] = [
      [30, 70],
      [50, 50],
    ].map(([f, g]) =>
      profileOfStacks([`t;f ${f * factor}`, `t;g ${g * factor}`], { samples: 100 }),
    );
    const { noise_share, self_noise_share } = diffProfiles(base, after, LABELS);
    return { noise_share, self_noise_share };
  };
  assert.deepEqual(noise(1), noise(1000));
  assert.ok((noise(1).noise_share ?? [])[2] > 0);
});

test("two events are both named, and of two units only shares are compared", () => {
  const [base, after] = ["cycles", "cpu-clock"].map((event) =>
    profileOfStacks(["t;f 5"], { event }),
  );
  const diff = diffProfiles(base, after, LABELS);
  assert.deepEqual([diff.event, diff.basis], ["cycles and cpu-clock", "share"]);
  assert.deepEqual([diff.unit, diff.base.unit, diff.after.unit], ["weight", "cycles", "CPU ns"]);
  const bases = { weight_per_second: { base: 1, after: 1 } };
  assert.throws(() => diffProfiles(base, after, { ...LABELS, bases }), {
    message:
      "16 and 18: 16 counts cycles, 18 counts CPU ns; expected the same unit on both sides; " +
      "compare profiles of the same event, or compare shares",
  });
});

test("other captures' overdispersion counts where these do not show it", () => {
  const options = { overdispersion: 2.5, costOf: "one insert on 17" };
  const diff = diffOf(["t;f 100"], ["t;f 100"], options);
  assert.deepEqual([diff.noise.share?.factor, diff.cost_of], [2.5, "one insert on 17"]);
  /** @param {number} count */
  const withCaptures = (count) => {
    const profile = profileOfStacks(["t;f 100"], { samples: 100 });
    const captures = new Array(count).fill({ profile, exposure: 1 });
    const found = compareProfiles(profile, profile, {
      ...LABELS,
      ...options,
      afterCaptures: captures,
    });
    assert.equal(found.diff.after.captures, count);
    assert.equal(found.diff.base.captures, 0);
    assert.equal(found.captures.after.exposures.length, count);
    return found.diff.noise.share;
  };
  const { factor, degrees, from } = withCaptures(1) ?? {};
  assert.deepEqual([factor, degrees, from], [2.5, ALIKE, "report"]);
  assert.equal(withCaptures(2)?.factor, DOCUMENTED);
});

test("frames of a place that goes on in several are marked, and their weights shared out to the unit", () => {
  const diff = diffOf(
    ["t;main;memcmp 101", "t;main 100"],
    ["t;main;find;memcmp 50", "t;main;insert;memcmp 50", "t;main 100"],
  );
  assert.deepEqual(
    diff.name.map((each) => diff.names[each]),
    ["all", "t", "main", "find", "memcmp", "insert", "memcmp"],
  );
  assert.deepEqual(diff.base_self, [0, 0, 100, 0, 51, 0, 50]);
  assert.deepEqual(
    diff.after_self.map((each) => Number(each) * diff.after.scale),
    [0, 0, 100, 0, 50, 0, 50],
  );
  assert.deepEqual(diff.shared_out, [0, 0, 0, 0, 1, 0, 1]);
});

test("weights past 2^53 are shared out to the unit, too, and stored as text", () => {
  const huge = 2n ** 60n + 1n;
  const diff = diffProfiles(
    profileOf([
      { frames: ["t", "main", "memcmp"], weight: huge },
      { frames: ["t", "main"], weight: huge },
    ]),
    profileOf([
      { frames: ["t", "main", "find", "memcmp"], weight: 1n },
      { frames: ["t", "main", "insert", "memcmp"], weight: 1n },
      { frames: ["t", "main"], weight: 3n },
    ]),
    LABELS,
  );
  const half = 2n ** 59n;
  assert.equal(diff.base.scale, 1);
  assert.deepEqual(diff.base_self, [0n, 0n, huge, 0n, half + 1n, 0n, half].map(String));
  assert.deepEqual(diff.after_self, [0, 0, 3, 0, 1, 0, 1]);
});

test("labels are shown as names are, without what would confuse a terminal or a page", () => {
  const diff = diffOf(["t;f 1"], ["t;f 1"], { afterLabel: "18\u202e" });
  assert.equal(diff.after.label, "18[U+202E]");
});

test("a side without weight has a share of nothing", () => {
  const diff = diffProfiles(profileOf([]), profileOfStacks(["t;f 4"]), LABELS);
  assert.deepEqual([diff.base.factors.share, diff.after.factors.share], [0, 0.25]);
  assert.deepEqual(diff.matched, { percent: 0, base_percent: 0, after_percent: 0 });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { captureProfiles, captureWeights } from "../../pipeline/flamegraph/capture_weights.js";
import { diffProfiles } from "../../pipeline/flamegraph/diff.js";
import { profileOfStacks } from "./profiles.js";

const STACKS = [
  ["t;a;b 30", "t;c 10", "t;d 5"],
  ["t;a;b 36", "t;a 3", "t;c 8"],
  ["t;a;b 27", "t;c 14", "t;d 2"],
];
const CAPTURES = STACKS.map((stacks, at) => ({
  profile: profileOfStacks(stacks),
  exposure: at + 1,
}));
const PROFILE = profileOfStacks(["t;a;b 93", "t;a 3", "t;c 32", "t;d 7"]);
const LABELS = { baseLabel: "16", afterLabel: "18" };

/** @param {import("../../pipeline/flamegraph/capture_rows.js").CaptureProfile[]} captures */
function compared(captures) {
  const bases = { weight_per_second: { base: 1, after: 1 } };
  const both = { baseCaptures: captures, afterCaptures: captures };
  return diffProfiles(PROFILE, PROFILE, { ...LABELS, bases, ...both });
}

test("a diff of published captures has the noise of the captures themselves", () => {
  const published = JSON.parse(JSON.stringify(captureWeights(PROFILE, CAPTURES)));
  const own = compared(CAPTURES);
  assert.ok(own.noise_share?.some((noise) => noise > 0));
  assert.deepEqual(compared(captureProfiles(PROFILE, published)), own);
});

test("a capture that ends too early is not published", () => {
  const [first, ...others] = CAPTURES;
  const partial = { ...first.profile, captures: [/** @type {any} */ ({ partial: true })] };
  const { captures } = captureWeights(PROFILE, [{ profile: partial, exposure: 1 }, ...others]);
  assert.deepEqual(
    captures.map(({ exposure }) => exposure),
    [2, 3],
  );
});

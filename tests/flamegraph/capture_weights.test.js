import assert from "node:assert/strict";
import { test } from "node:test";
import { captureWeights, parseCaptures } from "../../pipeline/flamegraph/capture_weights.js";
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
  const published = JSON.stringify(captureWeights(PROFILE, CAPTURES));
  const own = compared(CAPTURES);
  assert.ok(own.noise_share?.some((noise) => noise > 0));
  assert.deepEqual(compared(parseCaptures(PROFILE, published, "captures.json")), own);
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

test("captures of something else are refused, and it is said what they are", () => {
  const published = captureWeights(PROFILE, CAPTURES);
  const [capture] = published.captures;
  /** @param {unknown} file */
  const parse = (file) => () => parseCaptures(PROFILE, JSON.stringify(file), "captures.json");
  assert.throws(parse({ captures: [] }), /captures.json: no captures; expected "format"/);
  assert.throws(() => parseCaptures(PROFILE, '{"format": ', "captures.json"), /no captures/);
  const far = { ...capture, steps: capture.steps.map(() => 9) };
  assert.throws(
    parse({ ...published, captures: [capture, far] }),
    /capture 1 with weight \d+ at node 9; expected a weight at one of the profile's 6 nodes/,
  );
  const less = { ...capture, weights: capture.weights.map((weight) => -weight) };
  assert.throws(parse({ ...published, captures: [less] }), /capture 0 with weight -\d+ at node/);
});

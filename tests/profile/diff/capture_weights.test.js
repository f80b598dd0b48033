import assert from "node:assert/strict";
import { test } from "node:test";
import {
  captureRows,
  captureWeights,
  overdispersionOf,
  parseCaptures,
} from "../../../pipeline/profile/diff/capture_weights.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../profiles.js";

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

/** @param {import("../../../pipeline/profile/diff/capture_weights.js").CaptureProfile[]} captures */
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

/** @param {number} burst by how much five functions differ between two captures of ten thousand samples */
function varying(burst) {
  const names = ["a", "b", "c", "d", "e", "f"];
  return [1, -1].map((sign) =>
    profileOfStacks(
      names.map((name, at) => `t;${name} ${2000 + (at % 2 ? 1 : -1) * sign * burst}`),
      { event: "wall-clock" },
    ),
  );
}

test("captures vary by more than counts as far as their functions do", () => {
  const factor = (/** @type {number} */ burst) => {
    const profiles = varying(burst);
    const whole = profileOfStacks(
      ["a", "b", "c", "d", "e", "f"].map((name) => `t;${name} 4000`),
      { event: "wall-clock" },
    );
    const captures = profiles.map((profile) => ({ profile, exposure: 1 }));
    return overdispersionOf(whole, captureWeights(whole, captures));
  };
  // A sum of two that are each 100 off has the variance 2 × 2 × 100²; counts of 4000, 4000 × 5/6.
  // All alike, they are the middle of a chi-square of one degree, in logarithms: 1.27036,
  // which is log(1/2) - digamma(1/2), below its mean; on 17 degrees that is 0.059977.
  const expected = (40000 / (4000 * (5 / 6))) * Math.exp(1.27036 - 0.059977);
  assert.ok(Math.abs((factor(100) ?? 0) / expected - 1) < 0.002, String(factor(100)));
  assert.equal(factor(10), 1, "never by less");
  assert.equal(
    overdispersionOf(PROFILE, captureWeights(PROFILE, CAPTURES)),
    null,
    "four functions",
  );
});

test("a capture is published with the nodes that it has by themselves", () => {
  const [first, second] = captureWeights(PROFILE, CAPTURES).captures;
  assert.deepEqual([first.exposure, first.weights], [1, [30, 10, 5]]);
  assert.deepEqual([second.exposure, second.weights.toSorted()], [2, [3, 36, 8]]);
  assert.ok(first.steps.every((step) => step > 0));
});

test("a frame that the profile lacks counts as its caller's own", () => {
  const profile = profileOfStacks(["t;a;b 30", "t;a;zz 7", "u;a 1"]);
  const { weights, steps } = captureWeights(PROFILE, [{ profile, exposure: 1 }]).captures[0];
  const frames = new Map();
  let node = 0;
  for (const [at, step] of steps.entries()) {
    node += step;
    frames.set(node === 0 ? "all" : PROFILE.names[PROFILE.name[node]], weights[at]);
  }
  assert.deepEqual(Object.fromEntries(frames), { all: 1, a: 7, b: 30 });
});

test("a capture of functions that call themselves has its weights where the profile has them", () => {
  const stacks = [
    "t;a 1",
    "t;a;a 2",
    "t;a;a;a 3",
    "t;a;a;a;a 4",
    "t;a;a;a;a;a 5",
    "t;a;a;a;a;a;b 6",
  ];
  const profile = profileOfStacks(stacks);
  const [{ weights }] = captureWeights(profile, [{ profile, exposure: 1 }]).captures;
  assert.deepEqual(weights, [1, 2, 3, 4, 5, 6]);
});

test("weights of a capture are in the unit of the profile", () => {
  const [capture] = CAPTURES;
  const finer = { ...PROFILE, unit: "0.01 cycles" };
  const [{ weights }] = captureWeights(finer, [capture]).captures;
  assert.deepEqual(weights, [3000, 1000, 500]);
  const inTenths = { ...capture, profile: { ...capture.profile, unit: "0.1 cycles" } };
  assert.deepEqual(captureWeights(finer, [inTenths]).captures[0].weights, [300, 100, 50]);
  const scaled = { ...capture, profile: { ...capture.profile, scale: 4 } };
  const [other] = captureWeights(PROFILE, [scaled]).captures;
  const { self, scale } = capture.profile;
  assert.equal(scale, 5);
  assert.deepEqual(other.weights, [24, 8, 4], `${self}`);
});

test("rows have the weights of each capture where the union has its nodes, and their totals", () => {
  const parent = PROFILE.parent;
  const position = Int32Array.from(parent, (_, node) => node);
  const names = Array.from(PROFILE.name, (name) => PROFILE.names[name]);
  // Half of b is elsewhere in the union.
  const images = names.map((name, node) => ({ node, at: node, part: name === "b" ? 0.5 : 1 }));
  const [capture] = CAPTURES;
  const unknown = { ...capture, exposure: 0 };
  const rows = captureRows(PROFILE, [unknown, capture], images, parent, position);
  assert.deepEqual(rows.exposures, [1]);
  /** @param {Float64Array} row */
  const byName = (row) => Object.fromEntries(names.map((name, node) => [name, row[node]]));
  const root = names[0];
  assert.deepEqual(byName(rows.self[0]), { [root]: 0, t: 0, a: 0, b: 15, c: 10, d: 5 });
  assert.deepEqual(byName(rows.total[0]), { [root]: 30, t: 30, a: 15, b: 15, c: 10, d: 5 });
});

test("a capture of no time or no weight is not published", () => {
  const [{ profile }] = CAPTURES;
  const nothing = { ...profile, total: "0", self: profile.self.map(() => 0) };
  const captures = [
    { profile, exposure: 0 },
    { profile: nothing, exposure: 1 },
  ];
  assert.deepEqual(captureWeights(PROFILE, captures).captures, []);
});

test("a node of a capture may weigh nothing", () => {
  const published = captureWeights(PROFILE, CAPTURES);
  const [capture] = published.captures;
  const [first, ...others] = capture.weights;
  const text = JSON.stringify({
    ...published,
    captures: [{ ...capture, weights: [0, ...others] }],
  });
  const [read] = parseCaptures(PROFILE, text, "captures.json");
  assert.equal(read.profile.self[capture.steps[0]], 0);
  assert.equal(Number(read.profile.total), 45 - first);
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

test("captures of something else are refused, and the message says what they are", () => {
  const published = captureWeights(PROFILE, CAPTURES);
  const [capture] = published.captures;
  /** @param {unknown} file */
  const parse = (file) => () => parseCaptures(PROFILE, JSON.stringify(file), "captures.json");
  assert.throws(parse({ captures: [] }), /captures.json: no captures; expected "format"/);
  const newer = { ...published, version: 2 };
  assert.throws(parse(newer), /no captures; expected .*version 1; build the site again/);
  assert.throws(() => parseCaptures(PROFILE, '{"format": ', "captures.json"), /no captures/);
  const far = { ...capture, steps: capture.steps.map(() => 9) };
  assert.throws(
    parse({ ...published, captures: [capture, far] }),
    /capture 1 with weight \d+ at node 9; expected a weight at one of the profile's 6 nodes/,
  );
  const less = { ...capture, weights: capture.weights.map((weight) => -weight) };
  assert.throws(parse({ ...published, captures: [less] }), /capture 0 with weight -\d+ at node/);
});

test("each node of a capture is found, however many there are of few functions", () => {
  const frames = ["a", "b"];
  const paths = frames.flatMap((one) =>
    frames.flatMap((two) => frames.map((three) => `t;${one};${two};${three}`)),
  );
  const profile = profileOfStacks(paths.map((path, at) => `${path} ${at + 1}`));
  const { captures } = captureWeights(profile, [{ profile, exposure: 1 }]);
  assert.deepEqual(
    captures[0].weights,
    profile.self.map(Number).filter((weight) => weight > 0),
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatColumns } from "../../../pipeline/profile/model/columns.js";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { CLASS_NAMES, selfWeights } from "../../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../../pipeline/profile/model/profile_builder.js";
import { parseProfile } from "../../../pipeline/profile/model/profile_check.js";
import { exactSum, greatestDivisor } from "../../../pipeline/profile/model/weights.js";
import { vectors } from "../../vectors/vectors.js";

/** @typedef {[string[], number | bigint]} Stack frames from the outside in, and the weight */

/** @param {Stack[]} stacks */
function profileOf(stacks) {
  const builder = new ProfileBuilder();
  for (const [frames, weight] of stacks) {
    let node = 0;
    for (const [depth, name] of frames.entries()) {
      const frameClass = depth === 0 ? 0 : 1 + (name.length % 4);
      node = builder.child(node, builder.frame(name, frameClass));
    }
    builder.add(node, weight, 1);
  }
  return builder.build({
    event: "cycles",
    unit: "cycles",
    samples: stacks.length,
    samplesByNode: true,
    captures: [],
  });
}

const weights = fc.oneof(fc.integer({ min: 0, max: 1e6 }), fc.bigInt({ min: 0n, max: 2n ** 60n }));
const names = fc.oneof(fc.constantFrom("a", "b", "a.b", "é", "\u{1f525}", "\uffee"), fc.string());
const stacks = fc.array(fc.tuple(fc.array(names, { minLength: 1, maxLength: 6 }), weights), {
  maxLength: 20,
});

/** @param {Stack[]} list */
function sumOf(list) {
  return list.reduce((sum, [, weight]) => sum + BigInt(weight), 0n);
}

test("a profile is what its stacks are", () => {
  const profile = profileOf([
    [["t", "f", "g"], 6],
    [["t", "f"], 4],
    [["s", "f"], 2],
    [["t", "f", "g"], 8],
  ]);
  assert.deepEqual(profile, {
    format: "perfpress-profile",
    version: 1,
    event: "cycles",
    unit: "cycles",
    scale: 2,
    total: "20",
    samples: 4,
    class_names: CLASS_NAMES,
    names: ["all", "s", "f", "t", "g"],
    keys: [null, null, null, null, null],
    classes: [0, 0, 2, 0, 2],
    parent: [-1, 0, 1, 0, 3, 4],
    name: [0, 1, 2, 3, 2, 4],
    self: [0, 0, 1, 0, 2, 7],
    self_samples: [0, 0, 1, 0, 1, 2],
    captures: [],
  });
});

test("siblings stand in the order of their UTF-8 bytes", () => {
  // UTF-16 puts U+1F525, a surrogate pair, before U+FFEE
  const profile = profileOf([
    [["\u{1f525}"], 1],
    [["\uffee"], 1],
    [["a"], 1],
    [["a.b"], 1],
  ]);
  assert.deepEqual(profile.names.slice(1), ["a", "a.b", "\uffee", "\u{1f525}"]);
});

test("the order of stacks changes nothing, and no weight is lost", () => {
  fc.assert(
    fc.property(stacks, (list) => {
      const profile = profileOf(list);
      assert.equal(formatColumns(profileOf([...list].reverse())), formatColumns(profile));
      assert.equal(profile.total, String(sumOf(list)));
      assert.equal(exactSum(selfWeights(profile)) * BigInt(profile.scale), sumOf(list));
    }),
  );
});

test("what is written is read again, the same", () => {
  fc.assert(
    fc.property(stacks, (list) => {
      const profile = profileOf(list);
      assert.deepEqual(parseProfile(formatColumns(profile), "p.json"), profile);
    }),
  );
});

test("the scale is the greatest that keeps weights whole", () => {
  assert.equal(
    profileOf([
      [["a"], 1001001],
      [["b"], 3003003],
    ]).scale,
    1001001,
  );
  assert.equal(profileOf([[["a"], 0]]).scale, 1);
  assert.equal(profileOf([]).scale, 1);
  const huge = 2n ** 80n;
  const profile = profileOf([
    [["a"], huge],
    [["b"], 3n * huge],
  ]);
  assert.equal(profile.scale, 1);
  assert.deepEqual(profile.self, ["0", String(huge), String(3n * huge)]);
  assert.equal(profile.total, String(4n * huge));
});

test("weights are text exactly where their scaled total passes 2^53 - 1", () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(
    profileOf([
      [["a"], most - 1],
      [["b"], 1],
    ]).self,
    [0, most - 1, 1],
  );
  assert.deepEqual(
    profileOf([
      [["a"], most],
      [["b"], 1],
    ]).self,
    ["0", String(most), "1"],
  );
  assert.equal(
    profileOf([
      [["a"], most],
      [["b"], 1],
    ]).total,
    "9007199254740992",
  );
});

test("sums of weights are exact", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(weights, fc.maxSafeNat())), (list) => {
      assert.equal(
        exactSum(list),
        list.reduce((/** @type {bigint} */ sum, weight) => sum + BigInt(weight), 0n),
      );
      const divisor = greatestDivisor(list);
      for (const weight of list) if (divisor) assert.equal(BigInt(weight) % BigInt(divisor), 0n);
    }),
  );
});

const VECTORS = vectors("profile_faults");

/**
 * @param {any} value
 * @param {(string | number)[]} place
 * @param {any[]} replacement none: nothing is there
 */
function spoilt(value, place, replacement) {
  const copy = structuredClone(value);
  let at = copy;
  for (const key of place.slice(0, -1)) at = at[key];
  const last = /** @type {string} */ (place.at(-1));
  if (replacement.length > 0) [at[last]] = replacement;
  else delete at[last];
  return copy;
}

test("a profile with a fault is refused, as in Python", () => {
  for (const [what, place, ...replacement] of VECTORS.faults) {
    const text = JSON.stringify(spoilt(VECTORS.profile, place, replacement));
    assert.throws(
      () => parseProfile(text, "l.i1/profile.json"),
      (error) => error instanceof BadInput && error.message.startsWith("l.i1/profile.json: "),
      what,
    );
  }
});

test("a sound profile is read, as in Python", () => {
  for (const [what, change] of VECTORS.sound) {
    const profile = { ...VECTORS.profile, ...change };
    assert.deepEqual(parseProfile(JSON.stringify(profile), "p.json"), profile, what);
  }
});

/** @type {[(string | number)[], any, RegExp][]} where, the value there, the message */
const SAID = [
  [["version"], 2, /version 2; expected version 1/],
  [["keys"], [null], /1 keys; expected 5/],
  [["name", 2], 5, /name\[2\] 5; expected an index below 5/],
  [["parent", 1], 2, /parent\[1\] 2; expected nodes in preorder/],
  [["classes", 4], 1, /a name twice in one class/],
  [["self", 2], 0.5, /self\[2\] 0.5; expected a whole number from 0/],
  [["total"], "9", /total 9; expected 16/],
  [["captures"], [{}], /captures\[0\]/],
];

test("what is wrong with a profile is reported with its place", () => {
  for (const [place, value, message] of SAID) {
    const text = JSON.stringify(spoilt(VECTORS.profile, place, [value]));
    assert.throws(() => parseProfile(text, "p.json"), message);
  }
});

test("what is no profile is refused, whatever it is", () => {
  for (const text of VECTORS.texts) assert.throws(() => parseProfile(text, "p.json"), BadInput);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { CLASS_NAMES } from "../../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../../pipeline/profile/model/profile_builder.js";
import { parseProfile } from "../../../pipeline/profile/model/profile_check.js";
import {
  ANNOTATIONS,
  annotated,
  bySamples,
} from "../../../pipeline/profile/model/tree_conversions.js";
import { profilesOf } from "../../../pipeline/profile/read/fold.js";
import { stacksOf } from "../captures.js";

/** @typedef {{ frames: [string, number][], weight: bigint, samples: number }} Stack */

/**
 * @param {Stack[]} stacks
 * @returns {import("../../../pipeline/profile/model/event_tree.js").EventTree}
 */
function treeOf(stacks) {
  const builder = new ProfileBuilder();
  for (const { frames, weight, samples } of stacks) {
    let node = builder.child(0, builder.frame("main", 0));
    for (const [name, frameClass] of frames) {
      node = builder.child(node, builder.frame(name, frameClass));
    }
    builder.add(node, weight, samples);
  }
  const samples = stacks.reduce((sum, stack) => sum + stack.samples, 0);
  return { event: "cycles", unit: "cycles", builder, samples, samplesByNode: true, captures: [] };
}

const stacks = fc.array(
  fc.record({
    frames: fc.array(fc.tuple(fc.constantFrom("f", "g", "h"), fc.integer({ min: 1, max: 5 })), {
      maxLength: 5,
    }),
    weight: fc.bigInt({ min: 1n, max: 2n ** 70n }),
    samples: fc.integer({ min: 1, max: 1000 }),
  }),
  { minLength: 1, maxLength: 20 },
);

test("by samples, a profile weighs what it has samples", async () => {
  await fc.assert(
    fc.asyncProperty(stacks, async (list) => {
      const tree = treeOf(list);
      const [profile] = await profilesOf([bySamples(tree, "a")]);
      assert.equal(profile.unit, "samples");
      assert.equal(profile.total, String(tree.samples));
      assert.equal(profile.samples, tree.samples);
      const exact = profile.self.map((weight) => Number(weight) * profile.scale);
      assert.deepEqual(exact, profile.self_samples);
      assert.deepEqual(parseProfile(JSON.stringify(profile), "a"), profile);
    }),
  );
});

test("stacks without numbers of samples cannot be weighed by them", () => {
  const tree = treeOf([{ frames: [["f", 1]], weight: 3n, samples: 0 }]);
  for (const unknown of [{ samples: null }, { samplesByNode: false }]) {
    assert.throws(
      () => bySamples({ ...tree, ...unknown }, "a.folded"),
      (error) => {
        assert.ok(error instanceof BadInput);
        assert.match(error.message, /^a\.folded: stacks without numbers of samples; .*--samples/);
        return true;
      },
    );
  }
});

test("weights with decimals stay what they are", async () => {
  const tree = treeOf([{ frames: [["f", 3]], weight: 150n, samples: 1 }]);
  tree.builder.refine(2);
  const scaled = annotated({ ...tree, unit: "0.01 cycles" }, []);
  assert.equal(scaled.builder.decimals, 2);
  const [profile] = await profilesOf([scaled]);
  assert.deepEqual(stacksOf(profile), ["main;f 150.00"]);
});

test("without some marks, what differs by them only is one, and nothing is lost", async () => {
  await fc.assert(
    fc.asyncProperty(stacks, fc.subarray(ANNOTATIONS), async (list, kept) => {
      const [profile] = await profilesOf([annotated(treeOf(list), kept)]);
      const classes = new Set(profile.classes.map((each) => CLASS_NAMES[each]));
      assert.deepEqual(
        [...classes].filter((name) => !["thread", "user", ...kept].includes(name)),
        [],
      );
      const sum = list.reduce((total, { weight }) => total + weight, 0n);
      assert.equal(profile.total, String(sum));
      const lines = stacksOf(profile).map((line) => line.slice(0, line.lastIndexOf(" ")));
      assert.equal(new Set(lines).size, lines.length);
    }),
  );
});

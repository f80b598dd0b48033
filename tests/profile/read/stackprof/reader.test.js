/** What StackProf wrote as JSON of a program that it sampled every 2 ms of wall-clock time, with raw: true. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as stackprof from "../../../../pipeline/profile/read/stackprof/reader.js";
import { foldBytes, readAs } from "../../captures.js";
import { readFixture, selfWeight, totalWeight } from "../../fixtures.js";

test("functions have the samples that StackProf counts for them", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "w.stackprof.json",
    import.meta.url,
  );
  assert.equal(format, "stackprof");
  assert.deepEqual(problems, []);
  const profile = profiles["wall-clock"];
  assert.deepEqual([profile.total, profile.samples, profile.unit], ["117", 117, "samples"]);
  const lines = stacks["wall-clock"];
  assert.equal(selfWeight(lines, "Object#inner (tmp/readers/w.rb)"), 48);
  assert.equal(selfWeight(lines, "Range#each_[l]"), 22);
  assert.equal(totalWeight(lines, "Object#heavy (tmp/readers/w.rb)"), 106);
  assert.equal(totalWeight(lines, "Object#light (tmp/readers/w.rb)"), 11);
});

test("a result without stacks says how to get them, and damaged ones are counted", async () => {
  const frames = '"gc_samples":0,"frames":{"1":{"name":"a"}}';
  await assert.rejects(foldBytes(`{${frames}}`), /StackProf without stacks; run it with raw: true/);
  const { stacks, skipped } = readAs(stackprof, `{${frames},"raw":[1,1,3, 1,9,2, 5,1]}`);
  assert.deepEqual(stacks.unknown, ["[process];a 3"]);
  assert.deepEqual(
    skipped.map(({ count }) => count),
    [1, 1],
  );
});

/** Nine samples of what `perf data convert --to-json` wrote of `node --perf-basic-prof w.js`. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as perfJson from "../../../../pipeline/profile/read/perf_json/reader.js";
import { readAs } from "../../captures.js";
import { readFixture, totalWeight } from "../../fixtures.js";

test("each sample counts once, and V8's functions have no tier and no line", async () => {
  const { format, profiles, stacks, problems } = await readFixture("perf.json", import.meta.url);
  assert.equal(format, "perf-json");
  assert.deepEqual(problems, []);
  assert.deepEqual([profiles.unknown.total, profiles.unknown.unit], ["9", "samples"]);
  assert.equal(totalWeight(stacks.unknown, "inner (tmp/readers/w.js)_[j]"), 9);
});

test("the kernel is known by its addresses", () => {
  const chain = [
    { ip: "0xffffffff810013aa", symbol: "schedule", dso: "[kernel.kallsyms]" },
    { ip: "0x401000", dso: "w" },
  ];
  const samples = [
    { comm: "a b", callchain: chain },
    { comm: "a b", callchain: [] },
  ];
  const { stacks, skipped } = readAs(perfJson, JSON.stringify({ samples }));
  assert.deepEqual(stacks.unknown, ["a_b;[w];schedule_[k] 1"]);
  assert.deepEqual(
    skipped.map(({ reason }) => reason),
    ["sample without a stack"],
  );
});

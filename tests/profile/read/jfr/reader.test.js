/**
 * Recordings of one program by the JDK's Flight Recorder (17, samples and allocations only) and by async-profiler 3.0,
 * against what `jfr summary` and `jfr print` print of them.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as jfr from "../../../../pipeline/profile/read/jfr/reader.js";
import { readAs } from "../../captures.js";
import { bytesOf, readFixture, totalWeight } from "../../fixtures.js";

test("the JDK's samples are those that jfr summary counts", async () => {
  const { format, profiles, stacks, problems } = await readFixture("jdk.jfr.xz", import.meta.url);
  assert.equal(format, "jfr");
  assert.deepEqual(problems, []);
  const samples = profiles["jdk.ExecutionSample"];
  assert.deepEqual([samples.total, samples.samples, samples.unit], ["18", 18, "samples"]);
  assert.equal(totalWeight(stacks["jdk.ExecutionSample"], "Main.main_[j]"), 18);
  assert.ok(
    stacks["jdk.ExecutionSample"].some((line) =>
      line.includes("Main$$Lambda.applyAsLong_[j];Main.lambda$heavy$0_[j]"),
    ),
  );
  const allocated = profiles["jdk.ObjectAllocationSample"];
  assert.deepEqual([allocated.total, allocated.unit], ["19519656", "bytes"]); // the sum of weight
});

test("async-profiler's samples have native and Java frames", async () => {
  const { profiles, stacks, problems } = await readFixture(
    "async-profiler.jfr.xz",
    import.meta.url,
  );
  assert.deepEqual(problems, []);
  assert.equal(profiles["jdk.ExecutionSample"].total, "60");
  const lines = stacks["jdk.ExecutionSample"];
  assert.ok(lines.some((line) => line.startsWith("DestroyJavaVM;Main.main_[j];Main.heavy_[j];")));
  assert.ok(
    lines.some((line) =>
      line.startsWith("C2 CompilerThre;start_thread_[l];thread_native_entry_[l]"),
    ),
  );
});

test("a recording that is cut off, or damaged, is refused or said to be partial, in little time", async () => {
  const packed = await bytesOf("async-profiler.jfr.xz", import.meta.url);
  for (const size of [0, 4, 60, 68, 500, packed.length - 1]) {
    assert.equal(Object.keys(readAs(jfr, packed.subarray(0, size)).stacks).length, 0);
  }
  for (let at = 4; at < packed.length; at += 97) {
    const damaged = Buffer.from(packed);
    damaged[at] ^= 0x5a;
    const started = performance.now();
    readAs(jfr, damaged);
    assert.ok(performance.now() - started < 2000, `${at}`);
  }
});

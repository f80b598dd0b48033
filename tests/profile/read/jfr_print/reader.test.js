/** What `jfr print --stack-depth 3 --events jdk.ExecutionSample` wrote of the recording in ../jfr. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as jfrPrint from "../../../../pipeline/profile/read/jfr_print/reader.js";
import { readAs } from "../../captures.js";
import { readFixture, selfWeight } from "../../fixtures.js";

test("stacks are cut off where jfr print stopped", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "jfr.print.txt",
    import.meta.url,
  );
  assert.equal(format, "jfr-print");
  assert.deepEqual(problems, []);
  assert.equal(profiles["jdk.ExecutionSample"].total, "18");
  assert.ok(stacks["jdk.ExecutionSample"].some((line) => line.startsWith("main;[stack cut off];")));
  assert.ok(selfWeight(stacks["jdk.ExecutionSample"], "Main.lambda$heavy$0_[j]") > 0);
});

test("events that are no samples are counted, and an event without an end too", () => {
  const text =
    'jdk.GCPhasePause {\n  startTime = 1\n}\n\njdk.ExecutionSample {\n  startTime = 2\n  sampledThread = "a" (javaThreadId = 1)\n  stackTrace = [\n    A.run(int) line: 3\n  ]\n}\njdk.ExecutionSample {\n  stackTrace = [\n';
  const { stacks, skipped } = readAs(jfrPrint, text);
  assert.deepEqual(stacks["jdk.ExecutionSample"], ["a;A.run_[j] 1"]);
  assert.deepEqual(skipped.map(({ reason }) => reason).sort(), [
    "event cut off by the end of the file",
    "event that is no sample of a running method",
  ]);
});

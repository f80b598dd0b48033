/** What `memray run w.py` and `memray transform gprof2dot` wrote. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFixture } from "../../fixtures.js";

test("bytes are the peak that memray stats prints", async () => {
  const { format, profiles, stacks, problems } = await readFixture("memray.json", import.meta.url);
  assert.equal(format, "gprof2dot");
  assert.deepEqual(problems, []);
  assert.equal(profiles.memory.unit, "bytes");
  assert.equal(profiles.memory.total, "89404"); // Peak memory usage: 89.404kB
  assert.ok(
    stacks.memory.some((line) =>
      line.startsWith("[process];_run_tracker (memray/commands/run.py)"),
    ),
  );
});

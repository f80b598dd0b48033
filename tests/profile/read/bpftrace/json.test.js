/** Twelve stacks of what `bpftrace -f json` wrote of a busy host, and an error before them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as bpftrace from "../../../../pipeline/profile/read/bpftrace/reader.js";
import { readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

test("maps in JSON have the stacks that they have as text", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "bpftrace.json",
    import.meta.url,
  );
  assert.equal(format, "bpftrace");
  assert.deepEqual(problems, ["line that is no part of a map with stacks"]);
  assert.equal(profiles.unknown.total, "12");
  assert.ok(stacks.unknown.includes("perfpress;[unknown];[unknown];PyUnicode_FSConverter 1"));
});

test("maps without stacks, and what is no count, are counted as skipped", () => {
  const text = [
    '{"type": "attached_probes", "data": {"probes": 2}}',
    '{"type": "map", "data": {"@n": 5}}',
    '{"type": "map", "data": {"@": {"\\n    work+12\\n    main+1\\n,a": 3, "\\n    work+1\\n,b": "x"}}}',
    "{",
    "",
  ].join("\n");
  const { stacks, skipped } = readAs(bpftrace, text);
  assert.deepEqual(stacks.unknown, ["a;main;work 3"]);
  assert.deepEqual(skipped.map(({ reason }) => reason).sort(), [
    "entry of a map whose value is no count",
    "line that is no part of a map with stacks",
  ]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compressed, decompressed } from "../../../pipeline/flamegraph/graph/compressed.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks, profiles } from "../../profile/profiles.js";

test("what is compressed is there again, through JSON too", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
      for (const columns of [base, diff]) {
        const written = JSON.stringify(compressed({ ...columns }));
        assert.deepEqual(decompressed(JSON.parse(written)), JSON.parse(JSON.stringify(columns)));
      }
    }),
  );
});

test("a column that is nearly all zeros, and callers in the order of nodes, take little room", () => {
  const stacks = Array.from({ length: 500 }, (_, index) => `t;main;f${index};g${index} 1`);
  const { parent, name } = profileOfStacks(stacks);
  const rest = parent.map((_, node) => (node === 700 ? 5 : 0));
  const size = JSON.stringify(compressed({ parent, name, rest })).length;
  assert.ok(size < 0.5 * JSON.stringify({ parent, name, rest }).length, `${size}`);
  assert.deepEqual(decompressed(compressed({ parent, name, rest })), { parent, name, rest });
});

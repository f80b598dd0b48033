import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffProfiles } from "../../pipeline/flamegraph/diff.js";
import { packed, unpacked } from "../../pipeline/flamegraph/packed.js";
import { profileOfStacks, profiles } from "./profiles.js";

test("what is packed is there again, through JSON too", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
      for (const columns of [base, diff]) {
        const written = JSON.stringify(packed({ ...columns }));
        assert.deepEqual(unpacked(JSON.parse(written)), JSON.parse(JSON.stringify(columns)));
      }
    }),
  );
});

test("a column that is nearly all zeros, and callers in the order of nodes, take little room", () => {
  const stacks = Array.from({ length: 500 }, (_, index) => `t;main;f${index};g${index} 1`);
  const { parent, name } = profileOfStacks(stacks);
  const rest = parent.map((_, node) => (node === 700 ? 5 : 0));
  const size = JSON.stringify(packed({ parent, name, rest })).length;
  assert.ok(size < 0.5 * JSON.stringify({ parent, name, rest }).length, `${size}`);
  assert.deepEqual(unpacked(packed({ parent, name, rest })), { parent, name, rest });
});

/** What `valgrind --tool=dhat` wrote of a program that keeps half of what it allocates. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readFixture } from "../../fixtures.js";

test("a stack has what it allocated, in bytes and objects, and what lived at the peak", async () => {
  const { format, profiles, stacks, problems } = await readFixture("w.dhat.json", import.meta.url);
  assert.equal(format, "dhat");
  assert.deepEqual(problems, []);
  // the same numbers as Massif has for the peak, and 30 calls of 1000 to 1029 bytes and printf's 4096
  assert.equal(profiles.alloc_space.total, String(30 * 1000 + (29 * 30) / 2 + 4096));
  assert.equal(profiles.alloc_objects.total, "31");
  assert.equal(profiles.alloc_objects.unit, "objects");
  assert.deepEqual(
    stacks.alloc_space.filter((line) => line.includes("keep")),
    ["w;main;keep;malloc_[l] 30435"],
  );
});

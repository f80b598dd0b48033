/** What `valgrind --tool=massif --detailed-freq=1` wrote of a program that keeps half of what it allocates. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as massif from "../../../../pipeline/profile/read/massif/reader.js";
import { readAs } from "../../captures.js";
import { readFixture, totalWeight } from "../../fixtures.js";

test("the stacks of the peak are read, their callers outermost", async () => {
  const { format, profiles, stacks, problems } = await readFixture("w.massif", import.meta.url);
  assert.equal(format, "massif");
  assert.deepEqual(problems, []);
  assert.equal(profiles.peak_space.total, "19306"); // mem_heap_B of the snapshot that is the peak
  assert.equal(totalWeight(stacks.peak_space, "main"), 19306);
  assert.ok(stacks.peak_space.includes("w;main;keep 15210"));
});

const HEAD = "desc: --massif-out-file=x\ncmd: /bin/w 3\ntime_unit: i\n";

test("callers below the threshold are cut off, and weigh what they do", () => {
  const tree = [
    "heap_tree=peak",
    "n2: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.",
    " n1: 90 0x1: keep (w.c:6)",
    "  n0: 60 0x2: main (w.c:8)",
    " n0: 10 in 3 places, all below massif's threshold (1.00%)",
  ];
  const { stacks } = readAs(massif, `${HEAD}#---\n${tree.join("\n")}\n`);
  assert.deepEqual(stacks.peak_space, ["w;[stack cut off] 10", "w;keep 30", "w;main;keep 60"]);
});

test("calls that allocate more than the whole are skipped, and no snapshot is said", () => {
  const tree = "heap_tree=peak\nn1: 10 (heap)\n n0: 90 0x1: keep (w.c:6)\n";
  const { profiles, skipped } = readAs(massif, `${HEAD}${tree}`);
  assert.equal(profiles.peak_space.total, "10");
  assert.deepEqual(
    skipped.map(({ first_line }) => first_line),
    [6],
  );
  assert.match(readAs(massif, HEAD).skipped[0].reason, /no snapshot/);
});

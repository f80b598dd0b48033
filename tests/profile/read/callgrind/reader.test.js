/**
 * What `valgrind --tool=callgrind --toggle-collect=main` and `valgrind --tool=cachegrind` wrote of one program, against
 * what callgrind_annotate and cg_annotate print of them.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as callgrind from "../../../../pipeline/profile/read/callgrind/reader.js";
import { answerTo, readAs } from "../../captures.js";
import { readFixture, selfWeight } from "../../fixtures.js";

test("functions have the costs that callgrind_annotate prints", async () => {
  const { format, profiles, stacks, problems } = await readFixture("w.callgrind", import.meta.url);
  assert.equal(format, "callgrind");
  assert.deepEqual(problems, []);
  const { total, unit } = profiles.instructions;
  assert.deepEqual({ total, unit }, { total: "511263", unit: "instructions" });
  assert.equal(selfWeight(stacks.instructions, "inner"), 495014);
  assert.equal(selfWeight(stacks.instructions, "keep"), 184);
  assert.equal(selfWeight(stacks.instructions, "main"), 303);
  assert.equal(selfWeight(stacks.instructions, "_int_malloc_[l]"), 2026);
});

test("functions have the costs that cg_annotate prints, an event a cost", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "w.cachegrind.xz",
    import.meta.url,
  );
  assert.equal(format, "callgrind");
  assert.deepEqual(problems, []);
  const totals = Object.entries(profiles).map(([event, { total }]) => [event, Number(total)]);
  assert.deepEqual(Object.fromEntries(totals), {
    instructions: 634979,
    I1mr: 1254,
    ILmr: 1253,
    Dr: 31937,
    D1mr: 1151,
    DLmr: 998,
    Dw: 12896,
    D1mw: 391,
    DLmw: 367,
  });
  assert.equal(selfWeight(stacks.instructions, "inner"), 495014);
  assert.equal(selfWeight(stacks.Dr, "do_lookup_x"), 6756);
});

test("calls cost what the called function does, which is not counted twice", () => {
  const text = [
    "version: 1",
    "creator: xdebug 3.2.0 (PHP 8.2.7)",
    "cmd: /srv/index.php",
    "events: Time_(10ns) Memory_(bytes)",
    "fl=(1) php:internal",
    "fn=(1) php::strlen",
    "3 40 32",
    "",
    "fl=(2) /srv/index.php",
    "fn=(2) {main}",
    "1 100 0",
    "cfl=(1)",
    "cfn=(1)",
    "calls=1 0 0",
    "3 40 32",
    "summary: 140 32",
    "",
  ].join("\n");
  assert.equal(answerTo(callgrind, text), "yes");
  const { stacks, profiles, skipped } = readAs(callgrind, text);
  assert.deepEqual(stacks.time, ["index.php;php::strlen 400", "index.php;{main} 1000"]);
  assert.equal(profiles.memory.unit, "bytes");
  assert.deepEqual(skipped, []);
});

test("units of pprof and yappi are those of the profile, and lines of functions are left out", () => {
  const head = ["version: 1", "creator: yappi", "events: Ticks cpu(ms) inuse_space(MB)"];
  const text = [...head, "fl=(0) /srv/shop/w.py", "fn=(0) heavy /srv/shop/w.py:4", "4 7 2 1", ""];
  const { stacks, profiles } = readAs(callgrind, text.join("\n"));
  const frame = "[process];heavy (srv/shop/w.py)";
  assert.deepEqual(stacks, {
    time: [`${frame} 7000`],
    cpu: [`${frame} 2000000`],
    inuse_space: [`${frame} 1048576`],
  });
  assert.equal(profiles.inuse_space.unit, "bytes");
  assert.equal(profiles.cpu.unit, "ns");
});

test("sums that are not the file's are reported, and so are lines of another kind", () => {
  const text = "events: Ir\nfn=main\n1 5\n2 x\nwhat\ntotals: 9\n";
  const { skipped } = readAs(callgrind, text);
  const found = skipped.map(({ reason, first_line }) => `${first_line}: ${reason}`).sort();
  assert.deepEqual(found, [
    "4: cost that is no number, or of no event",
    "5: line that is no cost and no name",
    "6: instructions: lines that add up to 5, not to the file's total of 9",
  ]);
});

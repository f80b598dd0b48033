/** Reports in the layout of macOS's sample, written by hand: no macOS was at hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as macosSample from "../../../../pipeline/profile/read/macos_sample/reader.js";
import { readAs } from "../../captures.js";
import { readFixture, totalWeight } from "../../fixtures.js";

test("the call graph is read, each function with the samples of its own", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "shop.sample.txt",
    import.meta.url,
  );
  assert.equal(format, "macos-sample");
  assert.deepEqual(problems, []);
  assert.equal(profiles["wall-clock"].total, "1718");
  const own = stacks["wall-clock"];
  assert.equal(totalWeight(own, "find_order"), 600);
  assert.deepEqual(own, [
    "com.apple.main-thread;start;main;find_order 300",
    "com.apple.main-thread;start;main;find_order;[shop] 100",
    "com.apple.main-thread;start;main;find_order;read_[l] 200",
    "com.apple.main-thread;start;main;std::sort<int*> 254",
    "shop;start_wqthread_[l] 10",
    "worker;thread_start_[l];__psynch_cvwait_[l] 854",
  ]);
});

/** @param {string[]} lines */
const report = (...lines) =>
  `Analysis of sampling shop (pid 8) every 1 millisecond\nCall graph:\n${lines.join("\n")}\n`;

const END = "Sort by top of stack, same collapsed (when >= 5):";

test("calls with more samples than their caller, and other lines, are skipped", () => {
  const { stacks, skipped } = readAs(
    macosSample,
    report("    5 Thread_1", "    + 9 main  (in shop) + 4  [0x1]", "what is this", END),
  );
  assert.deepEqual(stacks["wall-clock"], ["shop 5"]);
  assert.deepEqual(
    skipped.map(({ reason, first_line }) => [first_line, reason]),
    [
      [4, "call with more samples than its caller"],
      [5, "line that is no call"],
    ],
  );
});

test("a report that breaks off, or has no call graph, says so", () => {
  const cut = readAs(macosSample, report("    5 Thread_1", "      5 main  (in shop)"));
  assert.deepEqual(cut.stacks["wall-clock"], ["shop;main 5"]);
  assert.match(cut.skipped[0].reason, /call graph cut off by the end of the file/);
  const [none] = readAs(macosSample, "Analysis of sampling shop (pid 8) every 1 ms\n").skipped;
  assert.equal(none.reason, "no call graph");
});

test("a report is known behind what the command prints before it", () => {
  const text = `Sampling process 8 for 3 seconds\n${report("    5 Thread_1", END)}`;
  const lines = text.split("\n");
  const bytes = Buffer.from(text);
  assert.equal(macosSample.recognise({ bytes, lines }), "yes");
  assert.equal(macosSample.recognise({ bytes, lines: lines.slice(0, 1) }), "more");
  assert.equal(macosSample.recognise({ bytes, lines: ["server;main 5"] }), "no");
});

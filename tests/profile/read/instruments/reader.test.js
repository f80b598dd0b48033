/** Call trees in the layouts of several versions of Instruments, written by hand: no macOS was at hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as instruments from "../../../../pipeline/profile/read/instruments/reader.js";
import { answerTo, readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

/**
 * @param {string[]} lines in which | is a tab
 * @param {string} [event]
 */
function read(lines, event) {
  return readAs(instruments, lines.join("\n").replaceAll("|", "\t"), { event });
}

test("each function has the weight of its own code, in the unit that it is printed in", async () => {
  const { format, profiles, stacks, problems } = await readFixture("cycles.txt", import.meta.url);
  assert.equal(format, "instruments");
  assert.deepEqual(problems, []);
  assert.equal(profiles.cycles.unit, "cycles");
  assert.deepEqual(stacks.cycles, [
    "shop;start;shop::main 190550000",
    "shop;start;shop::main;shop::find_order;std::time::Instant::elapsed 404750000",
    "shop;start;shop::main;shop::find_order;std::time::Instant::elapsed;mach_absolute_time 45920000000",
    "shop;start;shop::main;std::io::stdio::_print;core::fmt::write 532",
  ]);
});

test("times are nanoseconds of CPU, with a unit in the number, in the head, or a decimal comma", () => {
  const newest = read([
    "Weight|Self Weight|Symbol Names",
    "4.93 s  100.0%|0 s|   start",
    "4.93 s  99.9%|1.00 ms|    main(int, char**)",
    "2.45 s   0.0%|846.50 ms|     delta()",
  ]);
  assert.equal(newest.profiles.cpu.unit, "CPU ns");
  assert.deepEqual(newest.stacks.cpu, [
    "[process];start;main 1000000",
    "[process];start;main;delta 846500000",
  ]);
  const oldest = read([
    "Running Time|Self (ms)||Symbol Name",
    "4273.0ms   99.9%|0| |start",
    "4273.0ms   99.9%|1,693.5| | main",
  ]);
  assert.deepEqual(oldest.stacks.cpu, ["[process];start;main 1693500000"]);
  const comma = read(["Weight|Self Weight||Symbol Name", "4,93 s  100,0%|4,93 s| |start"]);
  assert.deepEqual(comma.stacks.cpu, ["[process];start 4930000000"]);
});

test("without weights of their own, functions have what callees leave of theirs, never less than nothing", () => {
  const { stacks, profiles } = read([
    "Bytes Used|Count||Symbol Name",
    " 3.00 MB     100.0%|84671| |start",
    " 2.00 MB      66.7%|42749| | main",
    " 1.50 MB      50.0%|14337| |  leak()",
    " 0.51 MB      17.0%|14337| |  store()",
  ]);
  assert.equal(profiles.bytes.unit, "bytes");
  assert.deepEqual(stacks.bytes, [
    "[process];start 1048576",
    "[process];start;main;leak 1572864",
    "[process];start;main;store 534774",
  ]);
});

test("processes and threads are threads, without their numbers", () => {
  const { stacks } = read([
    "Weight|Self Weight||Symbol Name",
    "5.00 ms  100.0%|-| |shop (812)",
    "3.00 ms   60.0%|-| | Main Thread  0xbb9c4",
    "3.00 ms   60.0%|3.00 ms| |  main",
    "2.00 ms   40.0%|-| | writer  0xbb9d1",
    "2.00 ms   40.0%|2.00 ms| |  flush",
  ]);
  assert.deepEqual(stacks.cpu, ["shop;main 3000000", "writer;flush 2000000"]);
});

test("plain numbers are samples of the event that is asked for", () => {
  const { stacks, profiles } = read(
    ["Sample Count|Self Weight||Symbol Name", "7 100.0%|7| |main"],
    "syscalls",
  );
  assert.equal(profiles.syscalls.unit, "samples");
  assert.deepEqual(stacks.syscalls, ["[process];main 7"]);
});

test("other lines, and units that are not known, are skipped with their line", () => {
  const { skipped, stacks } = read([
    "Weight|Self Weight||Symbol Name",
    "5.00 ms|5.00 ms| |main",
    "what is this",
    "5.00 parsecs|5.00 parsecs| | drift",
    "1.00 ms|1.00 ms| |",
  ]);
  assert.deepEqual(stacks.cpu, ["[process];main 5000000"]);
  assert.deepEqual(skipped, [
    { reason: "line that is no function with its weight", count: 3, first_line: 3 },
  ]);
});

test("a call tree is known by its head", () => {
  assert.equal(answerTo(instruments, "Weight\tSelf Weight\t\tSymbol Name\n"), "yes");
  assert.equal(answerTo(instruments, "\n"), "more");
  assert.equal(answerTo(instruments, "Weight\tHeight\n1\t2\n"), "no");
});

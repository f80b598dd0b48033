/** Aggregations in the layout of DTrace, written by hand: no system with DTrace was at hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as dtrace from "../../../../pipeline/profile/read/dtrace/reader.js";
import { answerTo, readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

test("stacks of the kernel are below those of the program that entered it, under their thread", async () => {
  const { format, profiles, stacks, problems } = await readFixture("stacks.txt", import.meta.url);
  assert.equal(format, "dtrace");
  assert.deepEqual(problems, []);
  assert.deepEqual(stacks.unknown, [
    "mysqld;[unknown];[mysqld];memcpy_[l] 7",
    "mysqld;main;JOIN::exec;os_file_flush_func;__fsync_[l];sys_syscall_[k];zil_commit_[k];cv_wait_sig_[k] 19",
    "sched;idle_[k];[unix]_[k] 1024",
  ]);
  assert.deepEqual(
    profiles.unknown.libraries?.toSorted(),
    ["libc.so.1", "mysqld", "unix", "genunix", "zfs"].toSorted(),
  );
});

/** @param {string[]} lines */
const read = (...lines) => readAs(dtrace, `${lines.join("\n")}\n`);

const FRAME = "              mysqld`main+0x61";

test("keys behind stacks are read, and numbers of processes are not", () => {
  const { stacks, skipped } = read(
    FRAME,
    "  writer                      812               17",
    "      812  reader",
    FRAME,
    "                3",
  );
  assert.deepEqual(stacks.unknown, ["reader;main 3", "writer;main 17"]);
  assert.deepEqual(skipped, []);
});

test("two stacks whose names do not say which is the kernel's are in the order of stack(), ustack()", () => {
  const { stacks } = read("              ufs`ufs_read+0x1", "", FRAME, "                2");
  assert.deepEqual(stacks.unknown, ["[all threads];main;ufs_read_[k] 2"]);
});

test("distributions, counts without stacks and lines of scripts are skipped with their line", () => {
  const { stacks, skipped } = read(
    FRAME,
    "           value  ------------- Distribution ------------- count    ",
    "            1024 |                                         0        ",
    "            2048 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 12       ",
    "",
    "                5",
    "tracing for 10 s",
    FRAME,
    "                4",
  );
  assert.deepEqual(stacks.unknown, ["[all threads];main 4"]);
  assert.deepEqual(
    skipped.map(({ reason, count, first_line }) => [first_line, count, reason]),
    [
      [6, 1, "count without a stack"],
      [7, 1, "line that is no part of a stack"],
      [2, 1, "stack with a distribution and no count"],
    ],
  );
});

test("a file that breaks off loses the stack that it breaks, and says so", () => {
  const { stacks, skipped } = readAs(dtrace, `${FRAME}\n   4\n\n${FRAME}`, { partial: true });
  assert.deepEqual(stacks.unknown, ["[all threads];main 4"]);
  assert.match(skipped[0].reason, /cut off by the end of the file/);
  const { skipped: cut } = read(FRAME, "   4", "", FRAME);
  assert.deepEqual(
    cut.map(({ reason }) => reason),
    ["stack cut off by the end of the file"],
  );
});

test("what is counted is what the author says, where that can be", () => {
  const text = `${FRAME}\n  5000000\n`;
  assert.equal(readAs(dtrace, text, { event: "off-cpu" }).profiles["off-cpu"].unit, "ns");
  const doubted = readAs(dtrace, `${FRAME}\n  97\n`, { event: "cpu-clock" });
  assert.equal(doubted.profiles["cpu-clock"].unit, "samples");
});

test("stacks are known by their frames, and folded stacks of DTrace are not taken for them", () => {
  assert.equal(
    answerTo(dtrace, `CPU     ID                    FUNCTION:NAME\n\n${FRAME}\n`),
    "yes",
  );
  assert.equal(answerTo(dtrace, "CPU     ID                    FUNCTION:NAME\n"), "more");
  assert.equal(answerTo(dtrace, "mysqld`main;mysqld`run 4\n"), "no");
});

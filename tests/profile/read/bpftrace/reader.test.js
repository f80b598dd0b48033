/** The maps here are real, of bpftrace 0.17 and programs made for it, trimmed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as bpftrace from "../../../../pipeline/profile/read/bpftrace/reader.js";
import { formatOf } from "../../../../pipeline/profile/read/formats.js";
import { answerTo, foldBytes, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";

/** profile:hz:29 { @[kstack, ustack, comm] = count(); } */
const MAP = `Attaching 2 probes...


@[, 
    compare_keys+22
    search_row+22
    worker+33
    start_thread+773
, worker 1]: 40
@[
    vfs_write+115
    ksys_write+102
    do_syscall_64+113
    entry_SYSCALL_64_after_hwframe+118
, 
    0x7f1708ee7350
    commit+35
, writer]: 12
`;

/** profile:hz:29 { @cpu[comm, pid, ustack(perf), kstack(perf)] = count(); @n = count(); } */
const PERF_MODE = `Attaching 2 probes...


@cpu[writer, 22975, 
\t7fb26c947340 __GI___write+0 (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t557542f051cd commit+35 (/srv/writer)
, ]: 1
@cpu[writer, 22980, 
\t7fb26c947350 __GI___write+16 (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t557542f051cd commit+35 (/srv/writer)
, 
\tffffffff816bb5ef vfs_write+559
\tffffffff816bb9d6 ksys_write+102
]: 3

@n: 4
@z[writer]: 5
`;

/**
 * @param {string} text
 * @param {Parameters<typeof readAs>[2]} [options]
 */
function read(text, options) {
  return readAs(bpftrace, text, options);
}

test("the stacks of a map are of the thread among its keys, the kernel's innermost", () => {
  const { stacks, skipped } = read(MAP);
  assert.deepEqual(stacks, {
    unknown: [
      "worker_1;start_thread;worker;search_row;compare_keys 40",
      "writer;commit;[unknown];entry_SYSCALL_64_after_hwframe_[k];do_syscall_64_[k];ksys_write_[k];vfs_write_[k] 12",
    ],
  });
  assert.deepEqual(skipped, []);
});

test("the order of keys does not matter, nor the mode in which stacks are printed", () => {
  const { stacks, skipped } = read(PERF_MODE);
  assert.deepEqual(stacks, {
    unknown: [
      "writer;commit;__GI___write_[l] 1",
      "writer;commit;__GI___write_[l];ksys_write_[k];vfs_write_[k] 3",
    ],
  });
  assert.deepEqual(skipped, [
    { reason: "entry of a map without stacks", count: 2, first_line: 16 },
  ]);
});

test("without a thread among the keys there is one for all", () => {
  const { stacks } = read(
    "@[\n    vfs_write+115\n    ret_from_fork+9\n]: 5\n@[\n    main+1\n]: 2\n",
  );
  assert.deepEqual(stacks.unknown, [
    "[all threads];main 2",
    "[all threads];ret_from_fork_[k];vfs_write_[k] 5",
  ]);
});

test("an entry whose stack is empty counts for its thread", () => {
  const { stacks, skipped } = read(`${MAP}@[, writer]: 3\n@[writer, 7, ]: 2\n`);
  assert.equal(stacks.unknown[1], "writer 5");
  assert.deepEqual(skipped, []);
});

test("several maps are several events; what run.toml states is that of a single one", () => {
  const one = MAP.replaceAll("@[", "@on[");
  const two = read(one + MAP.replaceAll("@[", "@off["), { event: "off-cpu" });
  assert.deepEqual(Object.keys(two.stacks).sort(), ["@off", "@on"]);
  assert.deepEqual(Object.keys(read(one, { event: "off-cpu" }).stacks), ["off-cpu"]);
});

test("numbers of samples are not taken for nanoseconds", async () => {
  const { profiles, problems } = await foldBytes(MAP, "cpu-clock");
  assert.deepEqual([profiles[0].event, profiles[0].unit], ["cpu-clock", "samples"]);
  assert.equal(problems.length, 1);
});

test("an entry that has no end, or no count, is reported and costs no other", () => {
  const text = `@[\n    a+1\nlost 3 events\n@[\n    b+1\n]: (3, 4)\n${MAP}@[\n    c+1\n`;
  const { stacks, skipped } = read(text);
  assert.deepEqual(stacks, read(MAP).stacks);
  assert.deepEqual(
    skipped.map(({ reason, first_line }) => [reason, first_line]),
    [
      ["entry of a map cut off by the end of the file", 25],
      ["entry of a map that has no end", 1],
      ["entry of a map whose value is no count", 4],
      ["line that is no part of a map with stacks", 3],
    ],
  );
});

test("of a very deep stack the innermost frames are kept", () => {
  const frames = Array.from({ length: 100_000 }, (_, depth) => `    f${depth % 10}+1\n`).join("");
  const { stacks, skipped } = read(`@[\n${frames}, a]: 1\n`);
  assert.match(stacks.unknown[0], /^a;\[stack cut off\];f4;f3;.*;f1;f0 1$/);
  assert.equal(skipped[0].count, 100_000 - 4095);
});

test("maps with stacks are recognised by content", () => {
  assert.equal(formatOf(Buffer.from(MAP), true), bpftrace);
  assert.equal(answerTo(bpftrace, PERF_MODE), "yes");
  assert.equal(answerTo(bpftrace, "Attaching 1 probe...\n"), "more");
  assert.equal(answerTo(bpftrace, "a;b 1\n"), "no");
  assert.equal(answerTo(bpftrace, "@a[mysqld]: 3\nprocs\n"), "no");
});

test("the order of entries and the size of chunks change nothing", () => {
  const entry = fc.record({
    comm: fc.constantFrom("a", "b c"),
    user: fc.array(fc.constantFrom("f", "g", "main"), { maxLength: 4 }),
    weight: fc.bigInt({ min: 1n, max: 10n ** 20n }),
  });
  fc.assert(
    fc.property(
      fc.array(entry, { minLength: 1 }),
      fc.integer({ min: 1, max: 60 }),
      (list, size) => {
        const entries = list.map(({ comm, user, weight }) => {
          const stack =
            user.length > 0 ? `\n${user.map((name) => `    ${name}+3\n`).join("")}` : "";
          return `@[${stack}, ${comm}]: ${weight}\n`;
        });
        const { profiles } = read(entries.join(""));
        assert.deepEqual(read(entries.reverse().join(""), { chunkSize: size }).profiles, profiles);
        const total = list.reduce((sum, { weight }) => sum + weight, 0n);
        assert.equal(profiles.unknown.total, String(total));
      },
    ),
  );
});

fuzzReader("bpftrace", bpftrace, [MAP, PERF_MODE], {
  words: ["@[", "]: 3\n", ", ", "\n    f+1\n", "@x[1, \n", "\t7fb2 f+1 (/x)\n"],
});

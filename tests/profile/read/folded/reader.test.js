import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CLASS_NAMES } from "../../../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../../../pipeline/profile/model/profile_builder.js";
import * as folded from "../../../../pipeline/profile/read/folded/reader.js";
import { answerTo, foldBytes, foldedText, readFolded, stacksOf } from "../../captures.js";

test("lines of one stack add up", () => {
  const { stacks } = readFolded("mysqld;a;b 3\nmysqld;a 1\nmysqld;a;b 4\n");
  assert.deepEqual(stacks, { unknown: ["mysqld;a 1", "mysqld;a;b 7"] });
});

test("line ends, comments and spaces do not matter", () => {
  const text = "# a comment 7\r\n\r\nmysqld;std::f<int, g> 3\r\n  mysqld;std::f<int, g>   4  ";
  assert.deepEqual(readFolded(text).stacks, { unknown: ["mysqld;std::f<int, g> 7"] });
});

test("suffixes give the class, but not of a thread", () => {
  const { profiles, stacks } = readFolded("t_[k];a_[k];a_[j];a_[i];a_[l];a 1\n");
  const { names, classes } = profiles.unknown;
  assert.deepEqual(names, ["all", "t_[k]", "a", "a", "a", "a", "a"]);
  assert.deepEqual(
    classes.map((at) => CLASS_NAMES[at]),
    ["thread", "thread", "kernel", "jit", "inlined", "library", "user"],
  );
  assert.deepEqual(stacks, { unknown: ["t_[k];a_[k];a_[j];a_[i];a_[l];a 1"] });
});

test("our own head has event, samples and what was lost", () => {
  const { profiles, lost, skipped } = readFolded(
    "# perfpress-folded event=cpu-clock samples=812 lost=7 skipped=2\nmysqld;a 3\n",
  );
  assert.equal(profiles["cpu-clock"].unit, "CPU ns");
  assert.equal(profiles["cpu-clock"].samples, 812);
  assert.equal(profiles["cpu-clock"].self_samples, null);
  assert.equal(lost, 7);
  assert.deepEqual(skipped, [
    { reason: "left out when the capture was folded", count: 2, first_line: 1 },
  ]);
});

test("files of ours that were put together keep their events apart", () => {
  const { stacks, profiles, lost } = readFolded(
    [
      "# perfpress-folded event=cycles samples=2 lost=1",
      "a;b 3",
      "# perfpress-folded event=instructions samples=5 lost=0",
      "a;b 4",
      "# perfpress-folded event=cycles samples=4 lost=1",
      "a;b 5",
    ].join("\n"),
  );
  assert.deepEqual(stacks, { cycles: ["a;b 8"], instructions: ["a;b 4"] });
  assert.equal(profiles.cycles.samples, 6);
  assert.equal(lost, 2);
});

test("the caller may know the event", () => {
  const { profiles } = readFolded("a;b 3000000\n", { event: "cycles:ppp" });
  assert.equal(profiles.cycles.unit, "cycles");
  assert.equal(profiles.cycles.samples, null);
});

test("fractions are counted in smaller units, exactly", () => {
  const { profiles, stacks } = readFolded("a;b 1\na;c 0.250\na;b 1.5\na;d 0.30000000\n");
  assert.equal(profiles.unknown.unit, "0.01 samples");
  assert.equal(profiles.unknown.total, "305");
  assert.equal(profiles.unknown.scale, 5);
  assert.deepEqual(stacks, { unknown: ["a;b 2.50", "a;c 0.25", "a;d 0.30"] });
});

test("weights beyond 2^53 are exact", () => {
  const { stacks } = readFolded("a;b 18446744073709551615\na;b 1\na;c 3\n");
  assert.deepEqual(stacks, { unknown: ["a;b 18446744073709551616", "a;c 3"] });
});

test("lines that are no stacks are counted with the first of them", () => {
  const { stacks, skipped } = readFolded("a;b 3\na;b\n7\na;b -3\na;b 0.1234567890123456789\n");
  assert.deepEqual(stacks, { unknown: ["a;b 3"] });
  assert.deepEqual(skipped, [
    { reason: "line that does not end in a weight", count: 1, first_line: 2 },
    { reason: "weight below zero", count: 1, first_line: 4 },
    { reason: "weight with more than 18 decimals", count: 1, first_line: 5 },
    { reason: "weight without a stack", count: 1, first_line: 3 },
  ]);
});

test("an empty frame is an unknown one", () => {
  assert.deepEqual(readFolded("a;;b 3\n").stacks, { unknown: ["a;[unknown];b 3"] });
});

test("of a very deep stack, the thread and the inner frames are kept", () => {
  const frames = Array.from({ length: 100_000 }, (_, depth) => `f${depth % 10}`);
  const { stacks, skipped } = readFolded(`a;${frames.join(";")} 3\n`);
  assert.match(stacks.unknown[0], /^a;\[stack cut off\];f6;.*;f8;f9 3$/);
  assert.equal(skipped[0].reason, "frame of a stack deeper than 4096");
});

test("a line behind a very deep one has a call path of its own", () => {
  const deep = Array.from({ length: 5000 }, (_, depth) => `f${depth}`).join(";");
  const { stacks } = readFolded(`a;x;y 1\na;${deep} 3\na;f0;f1;g 4\n`);
  assert.ok(stacks.unknown.includes("a;f0;f1;g 4"));
  assert.ok(stacks.unknown.includes("a;x;y 1"));
});

test("of a text that ends too early, the last line does not count", () => {
  const { stacks, skipped } = readFolded("a;b 3\na;b 12", { partial: true });
  assert.deepEqual(stacks, { unknown: ["a;b 3"] });
  assert.deepEqual(skipped, [
    { reason: "line cut off by the end of the file", count: 1, first_line: 2 },
  ]);
});

test("a name that is not UTF-8 is read with replacements and reported", () => {
  const { stacks, skipped } = readFolded(Buffer.from("a;r\xffn 3\n", "latin1"));
  assert.deepEqual(stacks, { unknown: ["a;r\ufffdn 3"] });
  assert.equal(skipped[0].count, 1);
});

test("folded stacks are recognised in a few lines", () => {
  assert.equal(answerTo(folded, "# perfpress-folded event=cycles samples=0 lost=0"), "yes");
  assert.equal(answerTo(folded, [":1343111 14000000", ":1343111;clone3 3"].join("\n")), "yes");
  assert.equal(answerTo(folded, "# nothing yet"), "more");
  assert.equal(answerTo(folded, "mysqld 12"), "more");
  assert.equal(answerTo(folded, ["procs ---memory---", " 1 0 0 123"].join("\n")), "no");
  assert.equal(answerTo(folded, `WARNING: no symbols\na;b 1\nmysqld 12\n`), "yes");
});

test("a diff of two captures is no capture, but a name may end in a number", async () => {
  const diff = "main;read page 7 30 12\nmain;write 4 0\n";
  assert.equal(answerTo(folded, diff), "more");
  await assert.rejects(foldBytes(diff), (error) => {
    assert.match(String(error), /two weights a line.*give the captures themselves/);
    return true;
  });
  const { profiles } = await foldBytes("main;sleep 7 12\nmain 5\n");
  assert.deepEqual(stacksOf(profiles[0]), ["main 5", "main;sleep 7 12"]);
});

test("tabs, spaces at the end and frames without a name are read", () => {
  const text = "a;b\t3 \na;0;7 4\t\r\na;;b 1\n;b 2\n";
  const { stacks, skipped } = readFolded(text);
  assert.deepEqual(stacks, { unknown: ["[unknown];b 2", "a;0;7 4", "a;[unknown];b 1", "a;b 3"] });
  assert.deepEqual(skipped, []);
});

test("bcc's delimiters mark the kernel's frames, and those of a thread that woke another", () => {
  const text = [
    "mysqld;futex_wait;-;do_syscall_64;schedule 7",
    "mysqld;futex_wait;-;do_syscall_64 5",
    "mysqld;futex_wait;-;schedule;--;try_to_wake_up;do_syscall_64;-;notify;mysqld 3",
    "mysqld;futex_wait;-;schedule;--;try_to_wake_up;mysqld 2",
    "mysqld;- 1",
  ];
  const { stacks } = readFolded(`${text.join("\n")}\n`);
  const expected = [
    "mysqld;- 1",
    "mysqld;futex_wait;do_syscall_64_[k] 5",
    "mysqld;futex_wait;do_syscall_64_[k];schedule_[k] 7",
    "mysqld;futex_wait;schedule_[k];--;try_to_wake_up;mysqld 2",
    "mysqld;futex_wait;schedule_[k];--;try_to_wake_up_[k];do_syscall_64_[k];notify;mysqld 3",
  ];
  assert.deepEqual(stacks.unknown, expected);
  assert.deepEqual(readFolded(text.reverse().join("\n")).stacks.unknown, expected);
});

test("in files of ours, a function may be called as bcc's delimiters are", () => {
  const text = "# perfpress-folded event=cycles samples=1 lost=0\na;-;b;--;c 3\n";
  assert.deepEqual(readFolded(text).stacks, { cycles: ["a;-;b;--;c 3"] });
});

test("a weight of hundreds of digits is none", () => {
  const { stacks, skipped } = readFolded(`a;b ${"9".repeat(301)}\na;b ${"9".repeat(300)}\n`);
  assert.deepEqual(stacks, { unknown: [`a;b ${"9".repeat(300)}`] });
  assert.deepEqual(skipped, [
    { reason: "weight with more than 300 digits", count: 1, first_line: 1 },
  ]);
});

test("numbers of samples are not taken for what run.toml says was counted", async () => {
  /** @type {[string, string, string][]} */
  const cases = [
    ["cpu-clock", "a;b 30\na;c 4000\n", "samples"],
    ["cpu-clock", "a;b 1.5\n", "0.1 samples"],
    ["cpu-clock", "a;b 1001001\na;c 2002002\n", "CPU ns"],
    ["cycles", "a;b 1\na;c 4000\n", "samples"],
    ["cycles", "a;b 1\na;c 40000000\n", "cycles"],
    ["page-faults", "a;b 1\n", "events"],
  ];
  for (const [event, text, unit] of cases) {
    const { profiles, problems } = await foldBytes(text, event);
    assert.equal(profiles[0].unit, unit, text);
    assert.equal(profiles[0].event, event);
    assert.equal(problems.length, unit.endsWith("samples") ? 1 : 0, text);
  }
  const { problems } = await foldBytes("a;b 30\n", "cpu-clock");
  assert.equal(problems[0].found, "weights from 30 on, which cannot be nanoseconds of cpu-clock");
  assert.equal(problems[0].severity, "warning");
});

test("a unit that does not follow from the event survives, and so does what makes weights mere shares", async () => {
  const text =
    "# perfpress-folded event=cycles unit=samples samples=3 lost=0 shares_only=a%20ring\na;b 3\n";
  const { profiles, problems } = await foldBytes(text);
  assert.deepEqual(problems, []);
  assert.equal(profiles[0].unit, "samples");
  assert.equal(profiles[0].captures[0].shares_only, "a ring");
  assert.equal(foldedText(profiles[0]), text);
});

const name = fc
  .oneof(fc.constantFrom("a", "b", "std::c<int, d>"), fc.string({ minLength: 1 }))
  .map((text) => text.replace(/[;\r\n\ufffd]/g, "").trim())
  .filter((text) => text !== "" && !/_\[[kjil]\]$/.test(text) && !/\p{Surrogate}/u.test(text));
const stack = fc.tuple(
  name.filter((text) => !text.startsWith("#")),
  fc.array(fc.tuple(name, fc.integer({ min: 1, max: 5 })), { maxLength: 5 }),
  fc.oneof(fc.integer({ min: 1, max: 1e6 }), fc.bigInt({ min: 1n, max: 2n ** 64n })),
);

test("what is written as folded stacks is read again, the same", () => {
  fc.assert(
    fc.property(fc.array(stack, { minLength: 1, maxLength: 12 }), (list) => {
      const builder = new ProfileBuilder();
      for (const [thread, frames, weight] of list) {
        let node = builder.child(0, builder.frame(thread, 0));
        for (const frame of frames) node = builder.child(node, builder.frame(...frame));
        builder.add(node, weight, 1);
      }
      const profile = builder.build({
        event: "cycles",
        unit: "cycles",
        samples: list.length,
        samplesByNode: false,
        captures: [],
      });
      const text = foldedText(profile);
      assert.deepEqual(readFolded(text).profiles.cycles, profile);
    }),
  );
});

test("a head gives the unit where the event does not, and that weights are shares only", () => {
  const head = "# perfpress-folded event=alloc_space unit=heap%20bytes lost=0";
  const { profiles, sharesOnly } = readFolded(`${head} shares_only=a%20full%20ring\nt;f 1.5\n`);
  assert.equal(profiles.alloc_space.unit, "0.1 heap bytes");
  assert.equal(sharesOnly, "a full ring");
  assert.equal(foldedText(profiles.alloc_space), `${head}\nt;f 1.5\n`);
});

test("heads of ever new events are counted, and cost no memory", () => {
  const heads = Array.from({ length: 70 }, (_, at) => `# perfpress-folded event=e${at}\nt;f 1\n`);
  const { profiles, skipped } = readFolded(heads.join(""));
  assert.equal(Object.keys(profiles).length, 64);
  assert.deepEqual(skipped, [
    { reason: "stack of an event beyond the first 64", count: 6, first_line: 130 },
  ]);
});

test("the order of lines and the size of chunks change nothing", () => {
  const line = fc.tuple(
    fc.constantFrom("a;b", "a;b;c_[k]", "d", "d;e"),
    fc.constantFrom("1", "2.5", "0.125"),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1 }),
      fc.integer({ min: 1, max: 30 }),
      (list, chunkSize) => {
        const lines = list.map(([path, weight]) => `${path} ${weight}\n`);
        const { profiles } = readFolded(lines.join(""));
        const turned = readFolded([...lines].reverse().join(""), { chunkSize });
        assert.deepEqual(turned.profiles, profiles);
        const total = list.reduce((sum, [, weight]) => sum + Number(weight), 0);
        const decimals = Number(/^0\.\d+/.exec(profiles.unknown.unit)?.[0] ?? 1);
        assert.equal(Number(profiles.unknown.total) * decimals, total);
        assert.deepEqual(stacksOf(turned.profiles.unknown), stacksOf(profiles.unknown));
      },
    ),
  );
});

test("pprof of gperftools writes no threads, and addresses that are left out of names", () => {
  const main = "_start<0000000000401020>;__libc_start_main_impl;main<0000000000401157>";
  const text = `${main};light<0000000000401132> 1\n${main};heavy<0000000000401106> 3\n`;
  assert.deepEqual(readFolded(text).stacks.unknown, [
    "[process];_start;__libc_start_main_impl;main;heavy 3",
    "[process];_start;__libc_start_main_impl;main;light 1",
  ]);
});

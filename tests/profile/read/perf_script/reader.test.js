import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import * as perfScript from "../../../../pipeline/profile/read/perf_script/reader.js";
import { answerTo, readPerf } from "../../captures.js";

const FRAMES = `\t          3d6b4c inner+0x8c (/usr/sbin/mysqld)\n\t    7f4e9c0541a0 outer (/usr/sbin/mysqld)\n`;

/** @type {[string, string, string, string, number][]} what, header, event, thread, period */
const HEADERS = [
  [
    "time, period",
    "mysqld  4152 75695.008865:    1001001 cpu-clock: ",
    "cpu-clock",
    "mysqld",
    1001001,
  ],
  ["cpu", "mysqld 4152 [003] 75695.008865: 7 cycles:", "cycles", "mysqld", 7],
  ["pid/tid", "mysqld  4152/4153  [003] 75695.008865: 7 cycles:", "cycles", "mysqld", 7],
  ["no period", "V8 WorkerThread 25607 4794564.109216: cycles: ", "cycles", "V8_WorkerThread", 1],
  ["modifier", "mysqld 1 1.5: 7 cycles:u:", "cycles:u", "mysqld", 7],
  ["precision", "mysqld 1 1.5: 7 cycles:ppp: ", "cycles", "mysqld", 7],
  ["pmu", "mysqld 1 1.5: 7 cpu_core/cycles/P:", "cycles", "mysqld", 7],
  ["pmu and modifier", "mysqld 1 1.5: 7 cpu_atom/cycles/uP:", "cycles:u", "mysqld", 7],
  ["a thread like a CPU", "  wal [001] 280 11486.9:  7 cycles:", "cycles", "wal_[001]", 7],
  ["raw event", "mysqld 1 1.5: 7 cpu_core/event=0xc2/:", "cpu_core/event=0xc2/", "mysqld", 7],
  ["raw event of old", "mysqld 1 1.5: 7 raw 0x1a8: ", "raw 0x1a8", "mysqld", 7],
  ["VM and its CPU", "qemu 41 VM:   42 VCPU:001 [003] 1.5:  7 cycles:", "cycles", "qemu", 7],
  ["date", "mysqld 41 2026-11-21 17:20:50.112345 1.5:  7 cycles:", "cycles", "mysqld", 7],
  ["fields like a frame", "m 9 [001] 1.7: 25 shop:sold: add 5 (x)", "shop:sold", "m", 25],
  ["flags", "mysqld 41 1.5:   7 cycles:                         ", "cycles", "mysqld", 7],
  ["data's address", "mysqld 41 1.5:   7 cycles:     7f4e9c0541a0", "cycles", "mysqld", 7],
  [
    "tracepoint with a period",
    "m 9 [001]  1.7: 25 syscalls:sys_enter_read: fd: 0x3, buf: 0x7ffe (count 5)",
    "syscalls:sys_enter_read",
    "m",
    25,
  ],
  ["digits in the thread", "IO 2 bg 77 [000] 1.5: 3 cycles:", "cycles", "IO_2_bg", 3],
  ["thread of digits", "42 77 [000] 1.5: 3 cycles:", "cycles", "42", 3],
  ["thread of one letter", "m 1/2 [000] 1.0: 3 cycles:", "cycles", "m", 3],
  [
    "thread like an address",
    "dd 29776 666709.771979:   10101010 cpu-clock: ",
    "cpu-clock",
    "dd",
    10101010,
  ],
  ["spaces and colons", "rocksdb:low 0 x 9 [001] 1.0: 3 cycles:", "cycles", "rocksdb:low_0_x", 3],
  ["exited thread", ":1343111 1343111 [000] 1.0: 3 cycles:", "cycles", ":1343111", 3],
  ["dead task", ":-1    -1 [000]   949.208866:    1001001 cpu-clock:", "cpu-clock", ":-1", 1001001],
  ["neither time nor cpu", "java 19983 cycles:", "cycles", "java", 1],
  ["only a period", "func ab 15294/15294  10101010 cpu-clock:", "cpu-clock", "func_ab", 10101010],
  ["misc flags", "mysqld 4152 [003] U 75695.008865: 9 cycles:", "cycles", "mysqld", 9],
  ["no thread", "4152 [003] 75695.008865: 9 cycles:", "cycles", "[unknown]", 9],
  ["no thread id", "mysqld [003] 75695.008865: 9 cycles:", "cycles", "mysqld", 9],
  ["no event", "mysqld 4152 75695.008865: 9", "unknown", "mysqld", 9],
  ["only thread and time", "mysqld 4152 75695.008865:", "unknown", "mysqld", 1],
  ["nanoseconds", "mysqld 4152 75695.008865123: 9 cycles:", "cycles", "mysqld", 9],
  ["aligned right", "          mysqld  4152 [003] 75695.008865: 9 cycles: ", "cycles", "mysqld", 9],
  [
    "aligned right, like an address",
    "    dd  4152 [003] 75695.008865: 9 cycles: ",
    "cycles",
    "dd",
    9,
  ],
  [
    "tracepoint",
    "swapper     0 [001]  1333.768770: sched:sched_switch: prev_comm=swapper/1 prev_pid=0 ==> next: 3",
    "sched:sched_switch",
    "swapper",
    1,
  ],
  ["semicolon", "a;b 4152 [003] 75695.008865: 9 cycles:", "cycles", "a:b", 9],
];

for (const [what, header, event, thread, period] of HEADERS) {
  for (const newline of ["\n", "\r\n"]) {
    test(`header with ${what}${newline === "\n" ? "" : " and CRLF"}`, () => {
      const { stacks, skipped } = readPerf(`${header}\n${FRAMES}\n`.replaceAll("\n", newline));
      assert.deepEqual(stacks, { [event]: [`${thread};outer;inner ${period}`] });
      assert.deepEqual(skipped, []);
    });
  }
}

/** @type {[string, string, string][]} what, line, folded frames from the outside in */
const FRAME_LINES = [
  ["a program", "\t  3d6b4c vfs_read (/usr/sbin/mysqld)", "vfs_read"],
  ["an offset", "\t  3d6b4c vfs_read+0xffff018fd5dce000 (/usr/sbin/mysqld)", "vfs_read"],
  ["a library", "\t  3d6b4c read (/lib/libc-2.15.so)", "read_[l]"],
  ["a versioned library", "\t  3d6b4c read (/lib/libc.so.6)", "read_[l]"],
  ["the kernel", "\tffffffff810013aa schedule ([kernel.kallsyms])", "schedule_[k]"],
  ["a kernel module", "\tffffffff810013aa nf_hook ([nf_conntrack])", "nf_hook_[k]"],
  ["a module's file", "\tffffffff810013aa nf_hook (/lib/modules/5.4/nf.ko.xz)", "nf_hook_[k]"],
  ["vmlinux", "\tffffffff810013aa schedule (/usr/lib/debug/vmlinux-5.4)", "schedule_[k]"],
  ["the kernel without an object", "\tffffffff810013aa schedule", "schedule_[k]"],
  [
    "eBPF",
    "\tffffffffc0 bpf_prog_6deef7357e7b4530 (bpf_prog_6deef7357e7b4530)",
    "bpf_prog_6deef7357e7b4530_[k]",
  ],
  ["the vdso", "\t 7ffd clock_gettime ([vdso])", "clock_gettime_[l]"],
  [
    "a JIT",
    "\t 7f1e LazyCompile:*next router/index.js:130 (/tmp/perf-7539.map)",
    "next (router/index.js)_[j]",
  ],
  ["a dumped JIT", "\t 7f1e Foo.bar (/root/.debug/jit/jitted-123-4.so)", "Foo.bar_[j]"],
  ["inlined code", "\t 3d6b4c rec_get_n_fields (inlined)", "rec_get_n_fields_[i]"],
  [
    "a JIT's inlined code",
    "\t 7f1e Lsun/Net::read->Lio/Netty::do (/tmp/perf-1.map)",
    "Lsun/Net::read_[j];Lio/Netty::do_[i]",
  ],
  ["an arrow that inlines nothing", "\t 7f1e A::operator-> (/usr/sbin/mysqld)", "A::operator->"],
  ["a deleted file", "\t 7f1e work (/usr/sbin/mysqld (deleted))", "work"],
  ["a deleted library", "\t 7f1e work (/lib/x.so (deleted))", "work_[l]"],
  ["a path with brackets", "\t 7f1e work (/opt/db (old)/lib/x.so.1)", "work_[l]"],
  [
    "an anonymous namespace",
    "\t 7f1e (anonymous namespace)::run (/usr/sbin/mysqld)",
    "(anonymous namespace)::run",
  ],
  [
    "brackets in the name",
    "\t 7f1e std::function<void (int)>::operator() (/usr/sbin/mysqld)",
    "std::function<void (int)>::operator()",
  ],
  ["parameters", "\t 7f1e run(int, char**) const (/usr/sbin/mysqld)", "run"],
  ["parameters and no object", "\t 7f1e run(int)", "run"],
  ["a semicolon", "\t 7f1e Lfoo;::bar (/usr/sbin/mysqld)", "Lfoo:::bar"],
  ["no symbol", "\t 7f1e [unknown] (/usr/sbin/mysqld)", "[mysqld]"],
  ["no symbol in a deleted file", "\t 7f1e [unknown] (/usr/sbin/mysqld (deleted))", "[mysqld]"],
  ["no symbol in the kernel", "\tffffffff8 [unknown] ([kernel.kallsyms])", "[kernel.kallsyms]_[k]"],
  ["no symbol and no object", "\t 7f1e [unknown] ([unknown])", "[unknown]"],
  ["only an address", "\t 7f1e", "[unknown]"],
  ["nothing but an object", "\t 7f1e  (/usr/sbin/mysqld)", "[mysqld]"],
  ["an object's offset", "\t 7f1e run+0x12 (/lib/x.so+0x8f)", "run_[l]"],
  ["a space before its end", "\t 7f1e run (/usr/sbin/mysqld) ", "run"],
  ["spaces in front", "          7f1e run (/usr/sbin/mysqld)", "run"],
  ["nothing in front", "ffffffff8103d0ca run ([kernel.kallsyms])", "run_[k]"],
];

for (const [what, line, frames] of FRAME_LINES) {
  test(`frame with ${what}`, () => {
    // twice: the second time it is found by its bytes
    const { stacks, skipped } = readPerf(`a 1 1.0: 3 cycles:\n${line}\n${line}\n\n`);
    const outsideIn = frames.split(";");
    assert.deepEqual(stacks, { cycles: [`a;${[...outsideIn, ...outsideIn].join(";")} 3`] });
    assert.deepEqual(skipped, []);
  });
}

const SAMPLE = `mysqld 1 [000] 1.0: 3 cycles:\n${FRAMES}\n`;

test("frame lines that differ in their last letter are different frames", () => {
  for (let length = 1; length < 30; length++) {
    const name = "x".repeat(length);
    const lines = `\t 7f1e ${name}a\n\t 7f1e ${name}b\n`;
    const { stacks } = readPerf(`m 1 1.0: 3 cycles:\n${lines}${lines}\n`);
    assert.deepEqual(stacks, { cycles: [`m;${name}b;${name}a;${name}b;${name}a 3`] });
  }
});

test("a last sample needs no empty line, and its last line no end", () => {
  for (const text of [SAMPLE, SAMPLE.trimEnd(), `${SAMPLE.trimEnd()}\n`]) {
    assert.deepEqual(readPerf(text).stacks, { cycles: ["mysqld;outer;inner 3"] });
  }
});

test("a line of white space ends a sample", () => {
  const text = `${SAMPLE.trimEnd()}\n \t \nmysqld 1 1.0: 3 cycles:\n${FRAMES}`;
  assert.deepEqual(readPerf(text).stacks, { cycles: ["mysqld;outer;inner 6"] });
});

test("a sample without frames counts for its thread", () => {
  const { stacks, profiles } = readPerf(`a b 1 1.0: 3 cycles:\n\n${SAMPLE}`);
  assert.deepEqual(stacks, { cycles: ["a_b 3", "mysqld;outer;inner 3"] });
  assert.equal(profiles.cycles.samples, 2);
});

test("a sample may have its only frame in its header's line", () => {
  const line = "  mysqld 1 [000] 1.0: 3 cycles:  ffffffff810013aa schedule ([kernel.kallsyms])\n";
  assert.deepEqual(readPerf(line + line).stacks, { cycles: ["mysqld;schedule_[k] 6"] });
});

test("what is before the frame in its header's line is no frame", () => {
  const [header, frame] = [
    "  m 1 [000] 1.0: 3 cycles: ",
    "ffffffff810013aa schedule ([kernel.kallsyms])",
  ];
  const line = `${header} 7f4e9c0541a0 ${frame}\n${header} add1e55 beef (/bin/m)\n`;
  assert.deepEqual(readPerf(line).stacks, { cycles: ["m;beef 3", "m;schedule_[k] 3"] });
});

test("what is inlined may be behind its place in the source", () => {
  const lines = [
    "w 27457 14266.286285:    5025125 cpu-clock: ",
    "\t            11f4 spin+0x1a (/tmp/shop/w)",
    "  w.cc:6",
    "\t            1ab6 shop::twice<long>(long)::{lambda(long)#1}::operator()+0x26",
    "  w.cc:11 (inlined)",
    "\t            1ab6 shop::twice<long>+0x26 (/tmp/shop/w)",
    "  w.cc:11 (discriminator 3)",
    "\tffffffff8103d0ca vfs_read ([kernel.kallsyms])",
    "  [kernel.kallsyms][ffffffff8103d0ca]",
    "\t            1110 _start+0x20 (/tmp/shop/w)",
    "  ??:0",
    "",
    "",
  ];
  const { stacks, skipped } = readPerf(lines.join("\n").repeat(2));
  const lambda = "shop::twice<long>::{lambda(long)#1}::operator()_[i]";
  const stack = `w;_start;vfs_read_[k];shop::twice<long>;${lambda};spin 10050250`;
  assert.deepEqual(stacks, { "cpu-clock": [stack] });
  assert.deepEqual(skipped, []);
});

test("a stack that lost its header is reported, and no thread", () => {
  const cut = "+0x38 (/usr/sbin/mysqld)\n\t          3d6b4c outer+0x8c (/usr/sbin/mysqld)\n\n";
  const { stacks, skipped } = readPerf(cut + SAMPLE);
  assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 3"] });
  assert.deepEqual(skipped, [{ reason: "stack without a header", count: 1, first_line: 2 }]);
});

test("a capture is recognised behind other lines, prose is none", () => {
  const noise = Array.from({ length: 200 }, (_, at) => `warning ${at}: x\n\n`).join("");
  const stack = "\t          3d6b4c outer+0x8c (/usr/sbin/mysqld)\n".repeat(127);
  for (const text of [
    `${noise}${SAMPLE}`,
    `cut off\n${stack}\n${SAMPLE}`,
    `[ perf record: Woken up 1 times to write data ]\r\n${SAMPLE.replaceAll("\n", "\r\n")}`,
    "Processed 5 events\n  mysqld 1 [000] 1.0: 3 cycles:  ffffffff810013aa schedule ([k])\n",
    "perf 23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34\n",
  ]) {
    assert.equal(answerTo(perfScript, text), "yes", text.slice(0, 40));
  }
  for (const text of [
    "Running the test with 16 threads:\nInitializing 5 workers:\n",
    "2026-01-01 12:00:00.123 UTC [123] LOG:  statement: select 1\n".repeat(3),
    "[ 10s ] thds: 16 tps: 52.1 qps: 5.2\n[ 20s ] thds: 16 tps: 52.2 qps: 5.3\n",
    "all:\n\tadd one\n\tbe 2\n",
    "main;query;read_page 30\nmain;query 12\n",
    `${"line 5 of 6 words:\n".repeat(2000)}${SAMPLE}`,
  ]) {
    assert.notEqual(answerTo(perfScript, text), "yes", text.slice(0, 40));
  }
});

test("the name of a record that is skipped is short, however long it is", () => {
  const { skipped } = readPerf(`${SAMPLE}perf 1 1.0: PERF_RECORD_${"0".repeat(463)} 1\n`);
  const reason = `record that is no sample: PERF_RECORD_${"0".repeat(40)}`;
  assert.deepEqual(
    skipped.map((each) => each.reason),
    [reason],
  );
});

test("each event has a profile of its own", () => {
  const text = `a 1 1.0: 3 cycles:\n${FRAMES}\na 1 1.0: 5 instructions:\n${FRAMES}\n`;
  const { stacks, profiles } = readPerf(text);
  assert.deepEqual(stacks, { cycles: ["a;outer;inner 3"], instructions: ["a;outer;inner 5"] });
  assert.equal(profiles.instructions.unit, "instructions");
});

test("events of several kinds of cores are one", () => {
  const pmus = fc.constantFrom("cpu_core/cycles/P", "cpu_atom/cycles/", "cpu_lowpower/cycles/P");
  fc.assert(
    fc.property(fc.array(fc.tuple(pmus, fc.nat(10 ** 9)), { minLength: 1 }), (list) => {
      const samples = list.map(([event, period]) => `a 1 1.0: ${period} ${event}:\n${FRAMES}\n`);
      const { profiles } = readPerf(samples.join(""));
      assert.deepEqual(Object.keys(profiles), ["cycles"]);
      const { total, unit, samples: count } = profiles.cycles;
      const sum = list.reduce((sum, [, period]) => sum + period, 0);
      assert.deepEqual([total, unit, count], [String(sum), "cycles", list.length]);
      assert.deepEqual(readPerf(samples.reverse().join("")).profiles, profiles);
    }),
  );
});

test("samples that lack an event count what the caller says", () => {
  const sample = "mysqld 1 1.0:     250000 \n\t            1173 spin\n\n";
  const { profiles } = readPerf(sample, { event: "cpu-clock" });
  assert.equal(profiles["cpu-clock"].unit, "CPU ns");
});

test("samples of cpu-clock without a period are samples, and no nanoseconds", () => {
  const sample = "gp 28566  6854.800014: cpu-clock: \n\t           14645 handle_amd\n\n";
  const profile = readPerf(sample.repeat(2)).profiles["cpu-clock"];
  assert.deepEqual([profile.total, profile.unit], ["2", "samples"]);
});

test("periods of no event are events, and samples without a period are samples", () => {
  const [period, none] = ["mysqld 1    1001001 \n", "mysqld 1 \n"].map((header) => {
    const frame = "\t            1173 spin\n\n";
    return readPerf(`${header}${frame}${header}${frame}`).profiles.unknown;
  });
  assert.deepEqual([period.total, period.unit], ["2002002", "events"]);
  assert.deepEqual([none.total, none.unit], ["2", "samples"]);
});

test("the head that perf prints is no sample", () => {
  const head =
    "# ========\n# captured on    : Sat Nov 21\n# cmdline : /usr/bin/perf record -a 1 2.0: x:\n#\n";
  const { stacks, skipped } = readPerf(`${head}\n${SAMPLE}`);
  assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 3"] });
  assert.deepEqual(skipped, []);
});

test("lost samples are counted, other records reported", () => {
  const { stacks, lost, skipped } = readPerf(
    [
      "perf     23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34",
      "mysqld   23 [000] 12.4: PERF_RECORD_LOST_SAMPLES lost 8",
      "mysqld   23 [000] 12.5: PERF_RECORD_COMM: mysqld:23/24",
      "mysqld   23 [000] 12.5: PERF_RECORD_COMM exec: mysqld:23/24",
      SAMPLE,
    ].join("\n"),
  );
  assert.equal(lost, 42);
  assert.deepEqual(skipped, [
    { reason: "record that is no sample: PERF_RECORD_COMM", count: 2, first_line: 3 },
  ]);
  assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 3"] });
});

test("records of a thousand names are reported in few problems, and all counted", () => {
  const records = Array.from({ length: 1000 }, (_, at) => `m 1 1.0: PERF_RECORD_X${at} 1\n`);
  const { skipped } = readPerf(`${records.join("")}m 1 1.0: 3 cycles:\n\n`);
  assert.ok(skipped.length < 100);
  assert.equal(
    skipped.reduce((sum, { count }) => sum + count, 0),
    1000,
  );
});

test("lines that cannot be read are counted with the first of them", () => {
  const text = `WARNING: out of order\n${SAMPLE.trimEnd()}\n\t  main.c:12\n\t  main.c:13\n\nnonsense\n${FRAMES}\n`;
  const { stacks, skipped } = readPerf(text);
  assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 3"] });
  assert.deepEqual(skipped, [
    { reason: "line outside of a sample that is no header", count: 4, first_line: 1 },
    { reason: "line within a sample that is no frame", count: 2, first_line: 5 },
  ]);
});

test("a name that is not UTF-8 is read with replacements and reported", () => {
  const line = Buffer.concat([Buffer.from("\t 7f1e r"), Buffer.of(0xff), Buffer.from("n (/x)\n")]);
  const text = Buffer.concat([Buffer.from("a 1 1.0: 3 cycles:\n"), line, line]);
  const { stacks, skipped } = readPerf(text);
  assert.deepEqual(stacks, { cycles: ["a;r\ufffdn;r\ufffdn 3"] });
  assert.deepEqual(skipped, [
    { reason: "name that is not UTF-8: its bad bytes", count: 1, first_line: 2 },
  ]);
});

test("periods beyond 2^53 add up exactly", () => {
  const sample = `a 1 1.0: 18446744073709551615 cycles:\n${FRAMES}\n`;
  assert.deepEqual(readPerf(sample + sample + SAMPLE).stacks, {
    cycles: ["a;outer;inner 36893488147419103230", "mysqld;outer;inner 3"],
  });
});

test("of a very deep stack the inner frames are kept", () => {
  const frames = Array.from(
    { length: 100_000 },
    (_, depth) => `\t ${depth.toString(16)} f${depth % 10} (/x)`,
  );
  const { stacks, skipped } = readPerf(`a 1 1.0: 3 cycles:\n${frames.join("\n")}\n`);
  const [stack] = stacks.cycles;
  assert.match(stack, /^a;\[stack cut off\];f4;f3;.*;f1;f0 3$/);
  assert.equal(stack.split(";").length, 1 + 4096);
  assert.deepEqual(skipped, [
    { reason: "frame of a stack deeper than 4096", count: 100_000 - 4095, first_line: 1 },
  ]);
});

test("a sample whose period nothing counted is skipped with its frames, and no other", () => {
  for (const period of ["9".repeat(401), "-5"]) {
    const bad = `mysqld 1 [000] 1.0: ${period} cycles:\n${FRAMES}\n`;
    const { stacks, skipped } = readPerf(SAMPLE + bad + SAMPLE);
    assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 6"] });
    const reason = "sample whose period is below zero, or has more than 300 digits";
    assert.deepEqual(skipped, [{ reason, count: 1, first_line: 5 }]);
  }
});

test("samples of more events than are distinguished are counted once each, with the limit", () => {
  const samples = Array.from({ length: 66 }, (_, at) => `a 1 1.0: 3 e${at}:\n${FRAMES}\n`);
  const { profiles, skipped } = readPerf(samples.join(""));
  assert.equal(Object.keys(profiles).length, 64);
  const reason = "sample of an event beyond the first 64";
  assert.deepEqual(skipped, [{ reason, count: 2, first_line: 64 * 4 + 1 }]);
});

test("a thread whose name begins like a comment has samples", () => {
  const text = SAMPLE.replace("mysqld", "#c");
  const { stacks, skipped } = readPerf(text);
  assert.deepEqual([stacks, skipped], [{ cycles: ["#c;outer;inner 3"] }, []]);
  assert.equal(answerTo(perfScript, text), "yes");
});

test("frames whose blanks were lost are frames behind a header", () => {
  const text =
    "java 7 cycles:\nffffffff8103d0ca inner ([kernel.kallsyms])\n7f7241fbe6d8 outer (/usr/lib/x.so)\n";
  assert.equal(answerTo(perfScript, text), "yes");
  assert.deepEqual(readPerf(text).stacks, { cycles: ["java;outer_[l];inner_[k] 1"] });
  assert.notEqual(answerTo(perfScript, text.replaceAll(/ \(.*\)/g, "")), "yes");
});

test("a place in the source that perf does not know is no line of its own", () => {
  const { stacks, skipped } = readPerf(SAMPLE.replaceAll(")\n", ")\n  :0\n"));
  assert.deepEqual([stacks, skipped], [{ cycles: ["mysqld;outer;inner 3"] }, []]);
});

test("a line longer than 1 MiB is left out, whatever is beside it", () => {
  const long = `\t 7f1e ${"x".repeat(2 ** 20)} (/x)\n`;
  const text = `a 1 1.0: 3 cycles:\n${long}${FRAMES}\n`;
  for (const chunkSize of [2 ** 20, 2 ** 16, 2 ** 20 + 3]) {
    const { stacks, skipped } = readPerf(text, { chunkSize });
    assert.deepEqual(stacks, { cycles: ["a;outer;inner 3"] });
    assert.deepEqual(skipped, [{ reason: "line longer than 1 MiB", count: 1, first_line: 2 }]);
  }
});

test("of a text that ends too early, the last sample does not count", () => {
  const { stacks, skipped } = readPerf(SAMPLE + SAMPLE.slice(0, 60), { partial: true });
  assert.deepEqual(stacks, { cycles: ["mysqld;outer;inner 3"] });
  assert.equal(skipped[0].reason, "sample cut off by the end of the file");
});

test("a last line without an end is whole if it ends as frames do", () => {
  const text = SAMPLE + SAMPLE.trimEnd();
  for (const [kept, cutOff, weight] of /** @type {const} */ ([
    [text.length, false, 6],
    [text.length - 1, true, 3],
    [SAMPLE.length + 29, true, 3],
    [SAMPLE.length + 20, true, 3],
  ])) {
    const reader = new perfScript.Reader();
    reader.push(Buffer.from(text.slice(0, kept)));
    const folded = reader.finish(false, true);
    assert.equal(folded.cutOff, cutOff, text.slice(SAMPLE.length, kept));
    assert.equal(folded.events[0].builder.total(), BigInt(weight));
  }
});

const names = fc.constantFrom("a", "b", "std::c<int>", "d", "[unknown]");
const samples = fc.array(
  fc.record({
    thread: fc.constantFrom("mysqld", "IO 2 bg", ":77", "dd"),
    event: fc.constantFrom("cycles", "instructions:u", "sched:sched_switch"),
    period: fc.oneof(fc.integer({ min: 0, max: 2 ** 31 }), fc.bigInt({ min: 0n, max: 2n ** 64n })),
    frames: fc.array(
      fc.tuple(names, fc.constantFrom("/bin/x", "/lib/y.so.1", "[kernel.kallsyms]")),
      {
        maxLength: 6,
      },
    ),
    cpu: fc.boolean(),
  }),
  { maxLength: 12 },
);

/** @param {typeof samples extends fc.Arbitrary<infer T> ? T : never} list */
function perfText(list) {
  return list.map(({ thread, event, period, frames, cpu }) => {
    const lines = frames.map(
      ([name, dso], depth) => `\t ${(depth + 4096).toString(16)} ${name} (${dso})\n`,
    );
    return `${thread} 12 ${cpu ? "[001] " : ""}1.5: ${period} ${event}: \n${lines.join("")}\n`;
  });
}

test("no weight is lost or made, and no order or chunk changes a byte", () => {
  fc.assert(
    fc.property(samples, fc.integer({ min: 1, max: 90 }), fc.boolean(), (list, chunkSize, crlf) => {
      const blocks = perfText(list);
      const whole = readPerf(blocks.join(""));
      const turned = [...blocks]
        .reverse()
        .join("")
        .replaceAll("\n", crlf ? "\r\n" : "\n");
      const { profiles, skipped } = readPerf(turned, { chunkSize });
      for (const event of Object.keys(whole.profiles)) {
        assert.deepEqual(profiles[event], whole.profiles[event]);
        const own = list.filter((sample) => sample.event === event);
        const weight = own.reduce((sum, sample) => sum + BigInt(sample.period), 0n);
        assert.equal(profiles[event].total, String(weight));
        assert.equal(profiles[event].samples, own.length);
      }
      assert.deepEqual(skipped, []);
      assert.equal(Object.keys(profiles).length, Object.keys(whole.profiles).length);
    }),
    { numRuns: 200 },
  );
});

test("no bytes bring the reader down", () => {
  const pieces = fc.constantFrom(
    ...[
      "a 1 1.0: 3 cycles:",
      "\n",
      "\t7f f (x)",
      "\0",
      "\r",
      " ",
      "PERF_RECORD_LOST",
      ":",
      "->",
      "(",
      "#",
    ],
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array)),
    fc.array(pieces, { maxLength: 40 }).map((list) => Buffer.from(list.join(""))),
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 40 }), (text, chunkSize) => {
      assert.deepEqual(readPerf(text, { chunkSize }), readPerf(text));
    }),
    { numRuns: 300 },
  );
});

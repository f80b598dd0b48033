/** The reports here are real, of perf 6.1 and a program made for it, trimmed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { CLASS_NAMES } from "../../../../pipeline/profile/model/profile.js";
import { formatOf } from "../../../../pipeline/profile/read/formats.js";
import * as perfReport from "../../../../pipeline/profile/read/perf_report/reader.js";
import { rangeOf } from "../../../../pipeline/profile/read/perf_report/weights.js";
import { answerTo, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";
import { realData, skipWithout } from "../../real_data.js";

const HEAD = `# To display the perf.data header info, please use --header/--header-only options.
#
#
# Total Lost Samples: 3
#
# Samples: 104  of event 'cpu-clock'
# Event count (approx.): 104104104
#
`;

/** perf report --stdio --no-children -g none */
const FLAT = `${HEAD}# Overhead  Command   Shared Object      Symbol                         
# ........  ........  .................  ...............................
#
    45.19%  purge 2   burn               [.] compare_keys
    45.19%  worker 1  burn               [.] compare_keys
     3.85%  burn      [kernel.kallsyms]  [k] do_syscall_64
     1.92%  burn      libc.so.6          [.] _IO_fflush
     0.96%  burn      [kernel.kallsyms]  [k] x64_sys_call
     0.96%  burn      libc.so.6          [.] __vfprintf_internal
     0.96%  worker 1  [kernel.kallsyms]  [k] _raw_spin_unlock_irqrestore
     0.96%  worker 1  [kernel.kallsyms]  [k] sbitmap_queue_wake_up


#
# (Tip: To count events in every 1000 msec: perf stat -I 1000)
#
`;

/** What perf report -F overhead,sample,period,comm,dso,sym prints of the same. */
const EXACT = {
  "burn;_IO_fflush_[l]": 2002002,
  "burn;__vfprintf_internal_[l]": 1001001,
  "burn;do_syscall_64_[k]": 4004004,
  "burn;x64_sys_call_[k]": 1001001,
  "purge_2;compare_keys": 47047047,
  "worker_1;_raw_spin_unlock_irqrestore_[k]": 1001001,
  "worker_1;compare_keys": 47047047,
  "worker_1;sbitmap_queue_wake_up_[k]": 1001001,
};

/**
 * @param {string | Buffer} text
 * @param {Parameters<typeof readAs>[2]} [options]
 */
function read(text, options) {
  return readAs(perfReport, text, options);
}

/** @param {string[]} stacks */
function weights(stacks) {
  return Object.fromEntries(
    stacks.map((line) => {
      const [, stack, weight] = /^(.*) (\S+)$/.exec(line) ?? [];
      return [stack, Number(weight)];
    }),
  );
}

test("a flat report is threads and functions, which weigh what rounds to their percentages", () => {
  const { stacks, profiles, lost, sharesOnly, skipped } = read(FLAT);
  const found = weights(stacks["cpu-clock"]);
  assert.deepEqual(Object.keys(found), Object.keys(EXACT));
  for (const [stack, weight] of Object.entries(EXACT)) {
    assert.ok(Math.abs(found[stack] - weight) <= 104104104 / 10000, stack);
    const printed = ((weight / 104104104) * 100).toFixed(2);
    assert.equal(((found[stack] / 104104104) * 100).toFixed(2), printed);
  }
  assert.equal(profiles["cpu-clock"].total, "104104104");
  assert.equal(profiles["cpu-clock"].unit, "CPU ns");
  assert.equal(profiles["cpu-clock"].samples, 104);
  assert.deepEqual([lost, sharesOnly, skipped], [3, null, []]);
});

test("a report with periods is exact, and has the samples of each function", () => {
  const { stacks, profiles } = read(`${HEAD}\
# Overhead       Samples        Period  Command   Shared Object      Symbol                 
# ........  ............  ............  ........  .................  .......................
#
    45.19%            47      47047047  purge 2   burn               [.] compare_keys
    54.81%            57      57057057  worker 1  burn               [.] compare_keys
`);
  assert.deepEqual(stacks["cpu-clock"], [
    "purge_2;compare_keys 47047047",
    "worker_1;compare_keys 57057057",
  ]);
  assert.deepEqual(profiles["cpu-clock"].self_samples, [0, 0, 47, 0, 57]);
});

test("level and object give the class", () => {
  const { profiles } = read(`${HEAD}\
# Overhead  Command  Shared Object      Symbol
# ........  .......  .................  ......
#
    50.00%  a        [kernel.kallsyms]  [k] inkernel
    10.00%  a        libx.so.1          [.] inlibrary
    10.00%  a        perf-12.map        [.] injit
    10.00%  a        [vdso]             [.] 0x00000000000006e8
    10.00%  a        prog               [.] inprogram
    10.00%  a        [guest.kernel]     [g] inguest
`);
  const { names, classes } = profiles["cpu-clock"];
  const classOf = Object.fromEntries(names.map((name, at) => [name, CLASS_NAMES[classes[at]]]));
  assert.deepEqual(classOf, {
    all: "thread",
    a: "thread",
    inkernel: "kernel",
    inlibrary: "library",
    injit: "jit",
    "[vdso]": "library",
    inprogram: "user",
    inguest: "kernel",
  });
});

test("of a report with children, the functions' own weights count", () => {
  const { stacks, skipped } = read(`${HEAD}\
# Children      Self  Command   Shared Object      Symbol                            
# ........  ........  ........  .................  ..................................
#
    54.81%    54.81%  worker 1  burn               [.] compare_keys
    54.81%     0.00%  worker 1  burn               [.] search_row
54.81% search_row;compare_keys
    45.19%    45.19%  purge 2   burn               [.] compare_keys
`);
  assert.deepEqual(
    stacks["cpu-clock"].map((line) => line.replace(/ \d+$/, "")),
    ["purge_2;compare_keys", "worker_1;compare_keys"],
  );
  assert.deepEqual(skipped, [
    {
      reason: "call chain of a report with children; perf report --no-children",
      count: 1,
      first_line: 14,
    },
  ]);
});

test("what a report leaves out is there, and is called so", () => {
  const { stacks, profiles } = read(`# comm: worker 1
${HEAD}# Overhead  Shared Object      Symbol                 
# ........  .................  .......................
#
    45.19%  burn               [.] compare_keys
     0.96%  [kernel.kallsyms]  [k] vfs_read
`);
  const found = weights(stacks["cpu-clock"]);
  assert.deepEqual(Object.keys(found), [
    "[not in the report]",
    "worker_1;compare_keys",
    "worker_1;vfs_read_[k]",
  ]);
  assert.equal((found["[not in the report]"] / 104104104).toFixed(4), "0.5385");
  assert.equal(profiles["cpu-clock"].total, "104104104");
});

test("a report may have fewer columns, and others between", () => {
  const { stacks } = read(`${HEAD}\
# Overhead  Symbol                           IPC   [IPC Coverage]
# ........  ...............................  ....................
#
    90.38%  [.] std::less<int, long>::run    -      -            
     9.62%  [k] do_syscall_64                -      -            
`);
  assert.deepEqual(Object.keys(weights(stacks["cpu-clock"])), [
    "[all threads];do_syscall_64_[k]",
    "[all threads];std::less<int, long>::run",
  ]);
});

test("a report without symbols names threads and files", () => {
  const { stacks } = read(`${HEAD}\
# Overhead      Pid:Command   Shared Object    
# ........  ................  .................
#
    90.38%    26552:worker 1  burn             
     9.62%    26550:burn      [kernel.kallsyms]
`);
  assert.deepEqual(Object.keys(weights(stacks["cpu-clock"])), [
    "burn;[kernel.kallsyms]_[k]",
    "worker_1;[burn]",
  ]);
});

for (const separator of [",", "|", "\t"]) {
  test(`columns may be separated by ${JSON.stringify(separator)}`, () => {
    const text = `${HEAD}# Overhead,Command ,Shared Object    ,Symbol                 
 90.00% ,worker 1,burn             ,[.] compare_keys
 10.00% ,burn    ,[kernel.kallsyms],[k] do_syscall_64
`.replaceAll(",", separator);
    assert.deepEqual(read(text).stacks["cpu-clock"], [
      "burn;do_syscall_64_[k] 10410410",
      "worker_1;compare_keys 93693694",
    ]);
    assert.equal(answerTo(perfReport, text), "yes");
  });
}

test("a report of several events makes a profile of each", () => {
  const { stacks, profiles } = read(`${FLAT}
# Samples: 12K of event 'page-faults:u'
# Event count (approx.): 157
#
# Overhead  Command   Shared Object         Symbol                  
# ........  ........  ....................  ........................
#
    78.34%  burn      ld-linux-x86-64.so.2  [.] handle_amd
    12.10%  worker 1  libc.so.6             [.] clone3
     9.56%  purge 2   libc.so.6             [.] clone3
`);
  assert.deepEqual(stacks["page-faults:u"], [
    "burn;handle_amd_[l] 123",
    "purge_2;clone3_[l] 15",
    "worker_1;clone3_[l] 19",
  ]);
  assert.equal(profiles["page-faults:u"].samples, null);
  assert.equal(profiles["cpu-clock"].total, "104104104");
});

test("reports of one event in a file add up, each by its event count", () => {
  const one = (/** @type {number} */ count, /** @type {string} */ name) => `\
# Samples: 5  of event 'cycles:P'
# Event count (approx.): ${count}
#
# Overhead  Command  Symbol
# ........  .......  ......
   100.00%  a        [.] ${name}
`;
  const { stacks, profiles } = read(one(3000, "f") + one(1000, "g"));
  assert.deepEqual(stacks, { cycles: ["a;f 3000", "a;g 1000"] });
  assert.equal(profiles.cycles.samples, 10);
});

test("without an event count, percentages give shares", () => {
  const text = `# Overhead  Command  Symbol
# ........  .......  ......
    75.50%  a        [.] f
    20.00%  a        [.] g
`;
  const { stacks, profiles, sharesOnly } = read(text, { event: "cycles" });
  assert.deepEqual(stacks, { cycles: ["[not in the report] 4.50", "a;f 75.50", "a;g 20.00"] });
  assert.equal(profiles.cycles.unit, "0.01 %");
  assert.equal(sharesOnly, "a perf report without its event count has shares only");
  assert.equal(answerTo(perfReport, text), "yes");
});

const CHAINS = {
  // perf report --no-children -g folded
  percent: `${HEAD}# Overhead  Command   Shared Object      Symbol                         
# ........  ........  .................  ...............................
#
    90.38%  worker 1  burn               [.] compare_keys
72.12% compare_keys;search_row;search_row;worker;start_thread
18.26% compare_keys;search_row;worker;start_thread
     4.81%  burn      [kernel.kallsyms]  [k] do_syscall_64
4.81% do_syscall_64;entry_SYSCALL_64;__GI___libc_write;0
     3.85%  burn      [kernel.kallsyms]  [k] x64_sys_call
3.85% x64_sys_call;do_syscall_64;__GI___libc_write (inlined)
     0.96%  burn      [kernel.kallsyms]  [k] new_sync_write
`,
  // perf report --no-children -n -g folded,0.5,callee,function,count
  count: `${HEAD}# Overhead       Samples  Command   Shared Object      Symbol                         
# ........  ............  ........  .................  ...............................
#
    90.38%            94  worker 1  burn               [.] compare_keys
75 compare_keys;search_row;search_row;worker;start_thread
19 compare_keys;search_row;worker;start_thread
     4.81%             5  burn      [kernel.kallsyms]  [k] do_syscall_64
5 do_syscall_64;entry_SYSCALL_64;__GI___libc_write;0
     3.85%             4  burn      [kernel.kallsyms]  [k] x64_sys_call
4 x64_sys_call;do_syscall_64;__GI___libc_write (inlined)
     0.96%             1  burn      [kernel.kallsyms]  [k] new_sync_write
`,
  // perf report --no-children -g folded,0.5,caller,function,period
  period: `${HEAD}# Overhead  Command   Shared Object      Symbol                         
# ........  ........  .................  ...............................
#
    90.38%  worker 1  burn               [.] compare_keys
75075075 start_thread;worker;search_row;search_row;compare_keys
19019019 start_thread;worker;search_row;compare_keys
     4.81%  burn      [kernel.kallsyms]  [k] do_syscall_64
5005005 0;__GI___libc_write;entry_SYSCALL_64;do_syscall_64
     3.85%  burn      [kernel.kallsyms]  [k] x64_sys_call
4004004 __GI___libc_write (inlined);do_syscall_64;x64_sys_call
     0.96%  burn      [kernel.kallsyms]  [k] new_sync_write
`,
};

for (const [kind, text] of Object.entries(CHAINS)) {
  test(`call chains that -g folded writes as ${kind} are read with their callers`, () => {
    const { stacks, profiles, skipped } = read(text);
    assert.deepEqual(skipped, []);
    const found = weights(stacks["cpu-clock"]);
    const expected = {
      "burn;[stack cut off];new_sync_write_[k]": 1001001,
      "burn;[unknown];__GI___libc_write;entry_SYSCALL_64;do_syscall_64_[k]": 5005005,
      "burn;__GI___libc_write_[i];do_syscall_64_[k];x64_sys_call_[k]": 4004004,
      "worker_1;start_thread;worker;search_row;compare_keys": 19019019,
      "worker_1;start_thread;worker;search_row;search_row;compare_keys": 75075075,
    };
    assert.deepEqual(Object.keys(found), Object.keys(expected));
    const slack = kind === "period" ? 0 : 104104104 / 10000;
    for (const [stack, weight] of Object.entries(expected)) {
      // what the periods leave is for the row without any
      const isRest = stack.includes("cut off");
      assert.ok(Math.abs(found[stack] - weight) <= (isRest ? 104104104 / 10000 : slack), stack);
    }
    assert.equal(profiles["cpu-clock"].total, "104104104");
  });
}

test("chains that are not printed leave a stack that is cut off", () => {
  const { stacks } = read(CHAINS.period.replace(/19019019 .*\n/, ""));
  const found = weights(stacks["cpu-clock"]);
  assert.equal(found["worker_1;start_thread;worker;search_row;search_row;compare_keys"], 75075075);
  const rest = found["worker_1;[stack cut off];compare_keys"];
  assert.ok(Math.abs(rest - 19019019) < 104104104 / 10000);
});

test("chains that cannot be weighed are left out and reported; the functions count", () => {
  const text = CHAINS.count.replace("      Samples", "").replace(".  ............", ".");
  const flat = read(text.replace(/%( {12})\s*\d+ {2}/g, "%  "));
  assert.equal(
    flat.skipped[0].reason.split(";")[0],
    "call chain that counts samples, of a report without their column",
  );
  assert.deepEqual(Object.keys(weights(flat.stacks["cpu-clock"])), [
    "burn;do_syscall_64_[k]",
    "burn;new_sync_write_[k]",
    "burn;x64_sys_call_[k]",
    "worker_1;compare_keys",
  ]);
  const strange = read(CHAINS.percent.replaceAll("compare_keys;", "compare_keys burn.c:6;"));
  assert.match(strange.skipped[0].reason, /neither begins nor ends/);
  assert.equal(strange.profiles["cpu-clock"].total, "104104104");
});

test("of a report with drawn call trees, the functions are read and the trees counted", () => {
  const { stacks, skipped } = read(`${HEAD}\
# Overhead  Command   Shared Object      Symbol                         
# ........  ........  .................  ...............................
#
   100.00%  purge 2   burn               [.] compare_keys
            |
            ---compare_keys
               search_row
               |          
               |--36.54%--worker
               |          start_thread
               |          
                --63.46%--search_row
                          worker

`);
  assert.deepEqual(stacks["cpu-clock"], ["purge_2;compare_keys 104104104"]);
  assert.equal(skipped[0].count, 9);
  assert.match(skipped[0].reason, /-g folded/);
});

test("rows that say nothing of one event's functions are counted, with what would", () => {
  const group = read(`# Samples: 12  of events 'anon group { cpu-clock, task-clock }'
# Event count (approx.): 121212120
#
#         Overhead  Command   Shared Object  Symbol          
# ................  ........  .............  ................
#
    50.00%  50.00%  purge 2   burn           [.] compare_keys
`);
  assert.deepEqual(group.stacks, {});
  assert.match(group.skipped[0].reason, /--no-group/);
  const hierarchy = read(`${HEAD}\
#       Overhead       Samples  Command / Shared Object / Symbol
# ............................  .....................................
#
    47.12%            49        worker 1
`);
  assert.deepEqual(hierarchy.stacks, {});
  assert.equal(hierarchy.skipped[0].count, 1);
});

test("lines of no report are counted; line ends and bytes beyond ASCII move no column", () => {
  const text = `Failed to open /tmp/perf-1.map, continuing without symbols
${HEAD}# Overhead  Command   Symbol
# ........  ........  ......
#
    50.00%  wörker    [.] größe
    50.00%  b         [.] f
Processed 12 events
`.replaceAll("\n", "\r\n");
  const { stacks, skipped } = read(text);
  assert.deepEqual(stacks["cpu-clock"], ["b;f 52052052", "wörker;größe 52052052"]);
  assert.deepEqual(
    skipped.map(({ reason, first_line }) => [reason, first_line]),
    [
      ["line of a report that is no row", 15],
      ["line outside of a report's table", 1],
    ],
  );
  assert.equal(answerTo(perfReport, text), "yes");
});

test("rows cost what they hold, however many columns a report claims", () => {
  const many = 100_000;
  const rows = "    50.00%  a  [.] f\n".repeat(20_000);
  const dots = `# ........  .  .....${"  .".repeat(many)}`;
  const text = `${HEAD}# Overhead  C  Symbol${"  C".repeat(many)}\n${dots}\n#\n${rows}`;
  const begin = performance.now();
  const { profiles } = read(text);
  assert.ok(performance.now() - begin < 5000);
  assert.ok(Number(profiles["cpu-clock"].total) > 0);
});

test("rows that add up to more than the event count are reported, and make no costs", () => {
  const head = `${HEAD}# Overhead  Symbol\n# ........  .......\n#\n`;
  const { stacks, profiles, sharesOnly, skipped } = read(head + "    62.68%  [.] f\n".repeat(5));
  const reason = "rows of a perf report that add up to more than its event count";
  assert.deepEqual([sharesOnly, skipped], [reason, [{ reason, count: 1, first_line: 12 }]]);
  assert.equal(profiles["cpu-clock"].total, "326262260");
  assert.deepEqual(stacks["cpu-clock"], ["[all threads];f 326262260"]);
});

test("of a very deep chain the inner callers are kept", () => {
  const callers = Array.from({ length: 100_000 }, (_, depth) => `f${depth % 10}`).join(";");
  const { stacks, skipped } = read(CHAINS.percent.replace("worker;start_thread", callers));
  const deep = stacks["cpu-clock"].find((line) => line.includes("cut off];f"));
  assert.match(
    deep ?? "",
    /^worker_1;\[stack cut off\];.*;f1;f0;search_row;search_row;compare_keys /,
  );
  assert.equal(skipped[0].reason, "frame of a stack deeper than 4096");
});

test("of a text that ends too early, the last row does not count", () => {
  const { stacks, skipped } = read(FLAT.slice(0, FLAT.indexOf("keys\n     3.85")), {
    partial: true,
  });
  assert.deepEqual(Object.keys(weights(stacks["cpu-clock"])), [
    "[not in the report]",
    "purge_2;compare_keys",
  ]);
  assert.equal(skipped[0].reason, "line cut off by the end of the file");
});

test("other text is no report", () => {
  assert.equal(answerTo(perfReport, "# a comment\n"), "more");
  assert.equal(answerTo(perfReport, "a;b 1\n".repeat(100)), "no");
  assert.equal(formatOf(Buffer.from(FLAT), true), perfReport);
});

const counts = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.bigInt({ min: 1n, max: 10n ** 20n }));

test("whatever the periods were, weights round to their percentages and add up", () => {
  const cells = fc.tuple(fc.constantFrom("a", "b c"), fc.integer({ min: 0, max: 99 }), counts);
  fc.assert(
    fc.property(
      fc.uniqueArray(cells, { minLength: 1, maxLength: 40, selector: ([a, b]) => `${a} ${b}` }),
      fc.integer({ min: 1, max: 50 }),
      (list, chunkSize) => {
        const total = list.reduce((sum, [, , period]) => sum + BigInt(period), 0n);
        const share = (/** @type {number | bigint} */ period) =>
          ((Number(period) / Number(total)) * 100).toFixed(2);
        const rows = list.map(
          ([comm, name, period]) =>
            `${share(period).padStart(9)}%  ${comm.padEnd(7)}  [.] f${name}\n`,
        );
        const head = `# Samples: 1K of event 'cycles'\n# Event count (approx.): ${total}\n#\n\
# Overhead  Command  Symbol\n# ........  .......  ......\n#\n`;
        const { stacks, profiles, skipped } = read(head + rows.join(""));
        assert.equal(profiles.cycles.total, String(total));
        assert.deepEqual(skipped, []);
        assert.ok(!stacks.cycles.some((line) => line.startsWith("[not in")));
        const turned = read(head + [...rows].reverse().join(""), { chunkSize });
        assert.deepEqual(turned.profiles, profiles);
        const found = new Map(
          stacks.cycles.map((line) => /** @type {[string, string]} */ (line.split(/ (?=\d+$)/))),
        );
        for (const [comm, name, period] of list) {
          const weight = BigInt(found.get(`${comm.replace(" ", "_")};f${name}`) ?? 0);
          const apart = weight > period ? weight - BigInt(period) : BigInt(period) - weight;
          assert.ok(apart * 10000n <= total + 10000n, `${weight} of ${period}`);
        }
      },
    ),
  );
});

test("a percentage stands for all weights that round to it, and for no other", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10_000n, max: 10n ** 15n }),
      fc.integer({ min: 1, max: 10_000 }),
      (count, percent) => {
        const { low, nearest, high } = rangeOf(percent, count);
        // twice as many hundredths as a weight is of the count, exactly, times the count
        const twice = (/** @type {bigint} */ weight) => weight * 20_000n;
        const [from, to] = [count * BigInt(2 * percent - 1), count * BigInt(2 * percent + 1)];
        assert.ok(twice(low) >= from && twice(low - 1n) < from);
        assert.ok(twice(high) <= to && twice(high + 1n) > to);
        assert.ok(low <= nearest && nearest <= high);
      },
    ),
  );
});

fuzzReader("perf report", perfReport, [FLAT, CHAINS.percent, CHAINS.count, CHAINS.period], {
  words: [
    "100.00%",
    "  0.00%  ",
    "Self",
    "Period",
    "# Samples: 1K of event 'x'\n",
    ",",
    "[k]",
    "12 a;b\n",
  ],
});

const LAB = "pg-sysbench-feb25/host-logs.tar.zst";

/**
 * Return the files in a tar archive: a header of 512 bytes, the file, and zeros up to the next 512.
 *
 * @param {Buffer} tar
 */
function* filesOf(tar) {
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const name = tar.toString("utf8", at, at + 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(tar.toString("latin1", at + 124, at + 136), 8);
    yield { name, bytes: tar.subarray(at + 512, at + 512 + size) };
    at += 512 + Math.ceil(size / 512) * 512;
  }
}

test("every report that a lab host kept is read whole", {
  skip: skipWithout(LAB),
}, () => {
  let reports = 0;
  for (const { name, bytes } of filesOf(zstdDecompressSync(readFileSync(realData(LAB))))) {
    if (!name.includes("sb.perf.rep.f.")) continue;
    reports++;
    assert.equal(formatOf(bytes, true), perfReport, name);
    const { profiles, stacks, skipped } = read(bytes);
    assert.deepEqual(skipped, [], name);
    const count = /Event count \(approx\.\): (\d+)/.exec(bytes.toString("latin1"))?.[1];
    assert.equal(profiles.cycles.total, count, name);
    assert.ok(!stacks.cycles.some((line) => line.startsWith("[not in the report]")), name);
  }
  assert.equal(reports, 138);
});

/**
 * What stackcollapse-perf.pl prints: its published description and, where they are there, its own
 * expected outputs, which are not ours to republish.
 */
import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { CompatFold, foldCompat } from "../../../pipeline/profile/cli/stackcollapse.js";
import { inDirectory } from "../captures.js";
import { realData, skipWithout } from "../real_data.js";

/** @typedef {import("../../../pipeline/profile/cli/stackcollapse.js").CompatOptions} CompatOptions */

/**
 * @param {string | Buffer} text
 * @param {CompatOptions} [options]
 * @param {number} [chunkSize]
 */
function fold(text, options = {}, chunkSize = 2 ** 20) {
  const compat = new CompatFold(options);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) {
    compat.push(bytes.subarray(at, at + chunkSize));
  }
  const skipped = compat.endFile();
  const printed = Buffer.concat([...compat.pieces()]).toString("latin1");
  return { lines: printed.split("\n").slice(0, -1), skipped, others: compat.otherEvents };
}

const FRAMES = "\t 3d6b4c inner+0x8c (/usr/sbin/mysqld)\n\t 7f4e9c outer (/usr/sbin/mysqld)\n";

/** @type {[string, string, string][]} what, header, the stack's first frame and weight */
const HEADERS = [
  ["a period", "mysqld  4152 [003] 75695.008865:    1001001 cpu-clock: ", "mysqld 1001001"],
  ["no period", "mysqld  4152 75695.008865: cycles:", "mysqld 1"],
  ["a period of nothing", "mysqld  4152 75695.008865: 0 cycles:", "mysqld 1"],
  ["no time, whose period does not count", "func ab 15294/15294  10101010 cpu-clock:", "func_ab 1"],
  [
    "fields of a tracepoint",
    "mysqld 1 [0] 1.5: 7 sched:sched_switch: prev=1 ==> next: 3",
    "mysqld 1",
  ],
  ["a number in the thread", "IO 2 bg 77 [000] 1.5: 3 cycles:", "IO 3"],
  ["a thread of one letter", "m 1/2 [000] 1.0: 3 cycles:", "m_1/2_[000]_1.0: 3"],
  ["a thread of one letter and spaces", "m  1/2 [000] 1.0: 3 cycles:", "m_ 3"],
  ["spaces", "V8 WorkerThread 25607 4794564.109216: 5 cycles: ", "V8_WorkerThread 5"],
  [
    "a period beyond doubles",
    "mysqld 1 1.5: 18446744073709551615 cycles:",
    "mysqld 18446744073709551615",
  ],
];

for (const [what, header, expected] of HEADERS) {
  test(`header with ${what}`, () => {
    const at = expected.lastIndexOf(" ");
    const stack = `${expected.slice(0, at)};outer;inner${expected.slice(at)}`;
    assert.deepEqual(fold(`${header}\n${FRAMES}\n`).lines, [stack]);
  });
}

/** @type {[string, string, string, CompatOptions?][]} what, line, frames, options */
const FRAME_LINES = [
  ["an offset", "\t 3d6b4c vfs_read+0x8c (/x)", "vfs_read"],
  ["a function type", "\t 7f1e std::function<void (int)>::operator() (/x)", "std::function<void "],
  ["a lambda", "\t 7f1e Foo::{lambda(T)#1}::operator() (/x)", "Foo::{lambda"],
  ["decltype", "\t 7f1e decltype(auto) x<int> (/x)", "decltype"],
  [
    "an anonymous namespace",
    "\t 7f1e ns::(anonymous namespace)::f(int) (/x)",
    "ns::(anonymous namespace)::f",
  ],
  ["an anonymous namespace in front", "\t 7f1e (anonymous namespace)::f (/x)", ""],
  ["a receiver of Go's", "\t 7f1e main.(*T).Method (/x)", "main.(*T).Method"],
  ["a deleted file", "\t 7f1e work (/x (deleted))", "work "],
  ["quotes", "\t 7f1e f<'a'>\"b\" (/x)", "f<a>b"],
  ["semicolons", "\t 7f1e Lfoo;::bar (/x)", "Lfoo:::bar"],
  ["no symbol", "\t 7f1e [unknown] (/usr/sbin/mysqld)", "[mysqld]"],
  ["no symbol and its address", "\t 7f1e [unknown] (/bin/x)", "[x <7f1e>]", { addrs: true }],
  ["no symbol and no object", "\t 7f1e [unknown] ([unknown])", "[unknown]"],
  ["the kernel, unknown", "\t ffff8 [unknown] ([kernel.kallsyms])", "[[kernel.kallsyms]]"],
  ["the kernel", "\t ffff8 f ([kernel.kallsyms])", "f"],
  ["the kernel, asked for", "\t ffff8 f ([kernel.kallsyms])", "f_[k]", { kernel: true }],
  ["vmlinux", "\t ffff8 f (/build/vmlinux)", "f_[k]", { all: true }],
  ["vmlinux of a version", "\t ffff8 f (/boot/vmlinux-5.4)", "f", { all: true }],
  ["a module's file", "\t ffff8 f (/lib/modules/nf.ko)", "f", { all: true }],
  ["the vdso", "\t 7ffd f ([vdso])", "f_[k]", { all: true }],
  ["a JIT", "\t 7f1e f (/tmp/perf-75.map)", "f_[j]", { jit: true }],
  ["another's JIT", "\t 7f1e f (/root/jitted-1-2.so)", "f", { jit: true }],
  ["inlined code", "\t 7f1e a->b->c (/tmp/perf-75.map)", "a_[j];b_[i];c_[i]", { all: true }],
  ["an arrow at its end", "\t 7f1e A::operator-> (/x)", "A::operator"],
];

for (const [what, line, frames, options] of FRAME_LINES) {
  test(`frame with ${what}`, () => {
    const { lines, skipped } = fold(`mysqld 1 1.0: 3 cycles:\n${line}\n${line}\n\n`, options);
    const stack = frames === "" ? "mysqld" : `mysqld;${frames};${frames}`;
    assert.deepEqual(lines, [`${stack} 3`]);
    assert.deepEqual(skipped, []);
  });
}

test("the program java drops the letter before the names of its classes", () => {
  const frames = "\t 7f1e Lcom/shop/Cart;::add (/tmp/perf-7.map)\n\n";
  assert.deepEqual(fold(`java 7 1.0: cycles:\n${frames}`).lines, ["java;com/shop/Cart:::add 1"]);
  assert.deepEqual(fold(`jvm 7 1.0: cycles:\n${frames}`).lines, ["jvm;Lcom/shop/Cart:::add 1"]);
});

test("processes and threads are distinguished where asked for", () => {
  const both = `mysqld 7/8 1.0: 3 cycles:\n${FRAMES}\n`;
  const thread = `mysqld 8 1.0: 3 cycles:\n${FRAMES}\n`;
  const first = (/** @type {string} */ text, /** @type {CompatOptions} */ options) =>
    fold(text, options).lines[0].split(";")[0];
  assert.equal(first(both, { pid: true }), "mysqld-7");
  assert.equal(first(both, { tid: true }), "mysqld-7/8");
  assert.equal(first(thread, { pid: true }), "mysqld-?");
  assert.equal(first(thread, { tid: true }), "mysqld-?/8");
});

test("the first event counts, unless another is asked for; one is named that does not", () => {
  const text = `aa 1 1.0: 3 cpu_core/cycles/P:\n${FRAMES}\naa 1 1.0: 5 cpu_atom/cycles/P:\n${FRAMES}\n`;
  const first = fold(text);
  assert.deepEqual([first.lines, first.others], [["aa;outer;inner 3"], ["cpu_atom/cycles/P"]]);
  const asked = fold(text, { eventFilter: "cpu_atom/cycles/P" });
  assert.deepEqual([asked.lines, asked.others], [["aa;outer;inner 5"], []]);
});

test("only an empty line ends a sample", () => {
  const sample = `aa 1 1.0: 3 cycles:\n${FRAMES}`;
  assert.deepEqual(fold(sample).lines, []);
  assert.deepEqual(fold(`${sample}\n`).lines, ["aa;outer;inner 3"]);
  assert.deepEqual(fold("aa 1 1.0: 3 cycles:\n\n").lines, ["aa 3"]);
  const { lines, skipped } = fold(`${sample}\n`.replaceAll("\n", "\r\n"));
  assert.deepEqual(lines, []);
  assert.deepEqual(skipped, [{ reason: "line that is not recognised", count: 1, first_line: 4 }]);
  assert.equal(fold(`${sample} \n`).skipped.length, 1);
});

test("unreadable lines are reported, as threads that are aligned to the right", () => {
  const text = "  mysqld  1 [000] 1.0: 3 cycles: \n\n# comment\n";
  assert.deepEqual(fold(text), {
    lines: [],
    skipped: [{ reason: "line that is not recognised", count: 1, first_line: 1 }],
    others: [],
  });
});

test("stacks come in the order of their bytes, which stay as they are", () => {
  const sample = (/** @type {string} */ name) => `aa 1 1.0: 3 cycles:\n\t 7f ${name} (/x)\n\n`;
  const text = Buffer.concat([
    Buffer.from(sample("é") + sample("z") + sample("f.cold") + sample("f")),
    Buffer.from(sample("\xff"), "latin1"),
  ]);
  const { lines } = fold(text);
  const names = lines.map((line) => line.slice(3, -2));
  assert.deepEqual(names, ["f", "f.cold", "z", "\xc3\xa9", "\xff"]);
});

test("files are folded as if they were one, compressed or not; the rest goes on", async () => {
  await inDirectory(async (directory) => {
    const [a, b] = [join(directory, "a"), join(directory, "b.gz")];
    await writeFile(a, `aa 1 1.0: 3 cycles:\n${FRAMES}\n`);
    await writeFile(b, gzipSync(`aa 1 1.0: 4 cycles:\n${FRAMES}\naa 1 1.0: 5 branches:\n\n`));
    const { pieces, problems } = await foldCompat([a, join(directory, "no"), b], {});
    assert.equal(Buffer.concat([...pieces]).toString(), "aa;outer;inner 7\n");
    assert.deepEqual(
      problems.map(({ found, severity }) => [found, severity]),
      [
        ["no such file", "error"],
        ["the event branches, which is left out", "warning"],
      ],
    );
  });
});

test("a stack that nothing closes is bounded, and reported", () => {
  const frames = `\t7f ${"f".repeat(900_000)} (/x)\r\n`.repeat(60);
  const { lines, skipped } = fold(`aa 1 1.0: 3 cycles:\r\n${frames}\nbb 1 1.0: 4 cycles:\n\n`);
  assert.deepEqual(lines, ["bb 4"]);
  assert.deepEqual(skipped, [{ reason: "stack longer than 33554432", count: 1, first_line: 62 }]);
});

test("hostile lines take no time, and chunks change nothing", () => {
  for (const piece of ["1", " ", "a ", "1/", "(", ")", " (", "->", ".(", ": ", "\t", "\xff"]) {
    const before = process.cpuUsage(); // of this process: others may keep the machine busy
    const line = piece.repeat(900_000 / piece.length);
    fold(`aa 1 1.0: 1 cycles:\n\t7f ${line} (/x)\n${line}\naa ${line} (x)\n\n`);
    assert.ok(process.cpuUsage(before).user < 3_000_000, piece);
  }
  const bytes = fc.array(
    fc.constantFrom(
      "aa 1 1.0: 3 cycles:",
      "\n",
      "\t7f f (x)",
      "\r",
      " ",
      "->",
      "(",
      "#",
      "bb 2/3 ",
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(bytes, fc.integer({ min: 1, max: 40 }), (list, chunkSize) => {
      const text = list.join("");
      assert.deepEqual(fold(text, {}, chunkSize), fold(text));
    }),
  );
});

const CAPTURES = "stackcollapse-conformance";
const skip = skipWithout(CAPTURES);
const OPTIONS = /** @type {const} */ (["pid", "tid", "kernel", "jit", "all", "addrs"]);

/**
 * Their expected outputs of java's captures with --pid and --tid are of the time before the tool
 * dropped the letter L before names of classes, and their first frame, `java-PID`, begins with java
 * as it does without: what the tool prints today differs from them in these letters only. Their
 * other four options were printed again.
 */
const STALE = /^perf-(?:java-(?:faults|stacks)-\d+|vertx-stacks-\d+)-collapsed-(?:pid|tid)\.txt$/;

/** @param {string} line of a stale file */
function renewed(line) {
  const [, stack, weight] = /^(.*) (\d+)$/.exec(line) ?? [];
  const frames = stack
    .split(";")
    .map((name) => (name.includes("/") ? name.replace(/^L/, "") : name));
  return `${frames.join(";")} ${weight}`;
}

/** @param {string[]} lines */
function summed(lines) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const line of lines) {
    const at = line.lastIndexOf(" ");
    sums[line.slice(0, at)] = (sums[line.slice(0, at)] ?? 0) + Number(line.slice(at));
  }
  return sums;
}

test("captures fold to what the tool prints, with each of its options", { skip }, async (t) => {
  const captures = (await readdir(realData(CAPTURES))).filter((name) => name.endsWith(".txt"));
  assert.equal(captures.length, 13);
  let stale = 0;
  for (const capture of captures) {
    const text = await readFile(realData(`${CAPTURES}/${capture}`));
    for (const option of OPTIONS) {
      const name = capture.replace(".txt", `-collapsed-${option}.txt`);
      await t.test(name, async () => {
        const expected = (await readFile(realData(`${CAPTURES}/expected/${name}`), "latin1"))
          .trimEnd()
          .split("\n");
        const { lines } = fold(text, { [option]: true });
        if (STALE.test(name)) {
          stale++;
          assert.notDeepEqual(lines, expected.sort());
          assert.deepEqual(summed(lines), summed(expected.map(renewed)));
        } else {
          assert.deepEqual([...lines].sort(), expected.sort());
        }
      });
    }
  }
  assert.equal(stale, 8);
});

/** The files beside this one are what gdb 13 and eu-stack 0.188 print of one program of five threads. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { parseFrame } from "../../../../pipeline/profile/read/debugger_stacks/frame.js";
import * as debuggerStacks from "../../../../pipeline/profile/read/debugger_stacks/reader.js";
import * as folded from "../../../../pipeline/profile/read/folded/reader.js";
import * as perfScript from "../../../../pipeline/profile/read/perf_script/reader.js";
import { answerTo, foldBytes, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";

/** @param {string} name */
const output = (name) => readFileSync(new URL(`${name}`, import.meta.url), "utf8");

const GDB = output("gdb.txt");
const GDB_FULL = output("gdb_full.txt");
const EU_STACK = output("eu_stack.txt");
const EU_STACK_VERBOSE = output("eu_stack_verbose.txt");
const AGGREGATED = [
  "Sat Oct 29 17:32:34 CST 2016",
  "    598 poll(libc.so.6),vio_io_wait(viosocket.c:945),std::find<int, int>(int),start_thread",
  "     12 pthread_cond_wait,os_event_wait,::??,start_thread,",
  "      1 ",
  "      1 main",
  "",
].join("\n");

/** @type {(text: string, options?: Parameters<typeof readAs>[2]) => import("../../captures.js").Read} */
const read = (text, options) => readAs(debuggerStacks, text, options);

/** @param {...string} lines */
const stacksOf = (...lines) => read(lines.map((line) => `${line}\n`).join("")).stacks["wall-clock"];

test("each thread's stack is a sample, whatever it does", () => {
  const { stacks, profiles, sharesOnly, skipped } = read(GDB);
  const profile = profiles["wall-clock"];
  assert.equal(profile.samples, 5);
  assert.equal(profile.unit, "samples");
  assert.match(sharesOnly ?? "", /not for how long/);
  assert.deepEqual(skipped, []);
  const [spinning, waiting] = [/^shop;clone3;/, /^shop_waiter;/].map((start) =>
    stacks["wall-clock"].find((line) => start.test(line)),
  );
  assert.match(
    spinning ?? "",
    /;spin;__GI_raise;.*;<signal handler called>;on_signal;__sleep;__GI___nanosleep;\w+ 1$/,
  );
  assert.match(waiting ?? "", /;wait_for_stop;___pthread_cond_wait;.* 2$/);
});

test("what gdb prints without an address was called by what inlined it", () => {
  const { stacks } = read(GDB);
  assert.ok(
    stacks["wall-clock"].some((line) =>
      line.includes(
        ";(anonymous namespace)::look_up<std::__cxx11::basic_string<char>, int>" +
          ";std::function<int (int)>::operator()_[i]" +
          ";std::_Function_handler<int(int), main()::<lambda()>::<lambda(int)> >::_M_invoke;",
      ),
    ),
  );
  assert.deepEqual(
    stacksOf("#0  inner () at a.c:1", "#1  outer () at a.c:2"),
    ["[unknown];outer;inner 1"],
    "no addresses at all mean nothing",
  );
});

test("variables of bt full are passed over", () => {
  const { profiles, skipped, stacks } = read(GDB_FULL);
  assert.equal(profiles["wall-clock"].samples, 2);
  assert.deepEqual(skipped, []);
  const others = read(GDB).stacks["wall-clock"];
  for (const line of stacks["wall-clock"]) assert.ok(others.includes(line), line);
});

test("eu-stack's threads have numbers and no names", () => {
  const { stacks, skipped } = read(EU_STACK);
  assert.deepEqual(skipped, []);
  assert.equal(
    stacks["wall-clock"][0],
    "[unknown];__clone3;start_thread;[unknown]" +
      ";std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::_M_run" +
      ";wait_for_stop;pthread_cond_wait@@GLIBC_2.3.2;__futex_abstimed_wait_common 2",
  );
});

test("eu-stack -v has objects, and source lines that are no frames", () => {
  const { stacks, skipped } = read(EU_STACK_VERBOSE);
  assert.deepEqual(skipped, []);
  assert.equal(
    stacks["wall-clock"][1],
    "[unknown];_start;__libc_start_main_impl_[l];__libc_start_call_main_[l];main" +
      ";std::thread::join_[l];__pthread_clockjoin_ex_[l];__futex_abstimed_wait_common_[l]" +
      ";__futex_abstimed_wait_common64_[l] 1",
  );
});

test("a line of aggregated stacks stands for as many threads as it counts", () => {
  const { stacks, profiles, skipped } = read(AGGREGATED);
  assert.deepEqual(stacks["wall-clock"], [
    "[unknown];main 1",
    "[unknown];start_thread;[unknown];os_event_wait;pthread_cond_wait 12",
    "[unknown];start_thread;std::find<int, int>;vio_io_wait;poll_[l] 598",
  ]);
  assert.equal(profiles["wall-clock"].samples, 611);
  assert.deepEqual(skipped, []);
});

test("names are distinguished from arguments by their brackets", () => {
  /** @type {[string, string][]} */
  const names = [
    ["#3  0x12 in f (why=0x5 \"a (b\", c=40 '(') at a.c:3", "f"],
    ["#3  0x12 in (anonymous namespace)::g(int) (x=...) at a.c:3", "(anonymous namespace)::g"],
    ["#3  0x12 in operator() (n=3) at a.c:3", "operator()"],
    ["#3  0x12 in A::operator-> (this=0x1) at a.c:3", "A::operator->"],
    ["#3  0x12 in A::operator< <int> (this=0x1, b=...) at a.c:3", "A::operator< <int>"],
    [
      "#3  0x12 in std::function<int (int)>::operator()(int) const () from /lib/a.so",
      "std::function<int (int)>::operator()",
    ],
    ["#3  f (...) at a.c:3", "f"],
    ["#3  f at a.c:3", "f"],
    ["#3  0x12 in main.(*Shop).Sell (s=0xc, n=1) at /a/shop.go:3", "main.(*Shop).Sell"],
    [
      "#3  0x12 in core::ops::FnOnce::call_once<fn(), ()> () at a.rs:1",
      "core::ops::FnOnce::call_once<fn(), ()>",
    ],
    ["#3  <signal handler called>", "<signal handler called>"],
    ["#3  0x12 in ?? ()", "[unknown]"],
    ["#3  0x12 in ?? () from /usr/lib/libz.so.1", "[libz.so.1]"],
    ["#3  0x12 wait_for(int (*)(int), char const*)", "wait_for"],
    ["#3  0x12", "[unknown]"],
    ["#3  0x12 - 1 - /usr/lib/libz.so.1", "[libz.so.1]"],
  ];
  for (const [line, name] of names) assert.equal(parseFrame(line)?.frame.name, name, line);
  assert.equal(parseFrame("No locals."), null);
});

test("a frame goes on in the next line", () => {
  assert.deepEqual(
    stacksOf(
      "Thread 1 (process 7):",
      "#0  0x12 in wait_for_a_condition_of_a_long_name",
      "   (cond=0x12 <stop+40>,",
      "    why=...) at /src/wait.c:12",
      "#1  0x12 in ??",
      "   () from /usr/lib/libz.so.1",
    ),
    ["[unknown];[libz.so.1]_[l];wait_for_a_condition_of_a_long_name 1"],
  );
});

test("stacks of one thread need no thread's line", () => {
  const once = ["#0  0x12 in poll () from /lib/libc.so.6", "#1  0x13 in main () at a.c:1"];
  assert.deepEqual(stacksOf(...once, "", ...once, ...once), ["[unknown];main;poll_[l] 3"]);
});

test("a frame that gdb repeats behind the last thread is no stack", () => {
  const { stacks, skipped } = read(
    [
      'Thread 1 (Thread 0x7f (LWP 5) "shop"):',
      "#0  0x12 in poll () from /lib/libc.so.6",
      "#1  0x13 in main () at a.c:1",
      "#0  0x12 in poll () from /lib/libc.so.6",
      "",
    ].join("\n"),
  );
  assert.deepEqual(stacks["wall-clock"], ["shop;main;poll_[l] 1"]);
  assert.deepEqual(skipped, [
    { reason: "frame outside of a thread's stack", count: 1, first_line: 4 },
  ]);
});

test("what is no frame within a stack is counted", () => {
  const { skipped } = read(
    [
      "Thread 2 (LWP 6):",
      "",
      "Thread 1 (LWP 5):",
      "#0  0x12 in f () at a.c:1",
      "warning: (Internal error: pc 0x0 in read in psymtab, but not in symtab.)",
      "Backtrace stopped: previous frame inner to this frame (corrupt stack?)",
      "",
    ].join("\n"),
  );
  assert.deepEqual(skipped, [
    { reason: "line within a stack that is no frame", count: 1, first_line: 5 },
    { reason: "rest of a stack: gdb gave up", count: 1, first_line: 6 },
    { reason: "thread without a stack", count: 1, first_line: 1 },
  ]);
});

test("of a very deep stack, the thread and the inner frames are kept", () => {
  const frames = Array.from({ length: 100_000 }, (_, at) => `#${at}  0x12 in f${at} ()`);
  const { stacks, skipped } = read(["Thread 1 (LWP 5):", ...frames, ""].join("\n"));
  assert.match(stacks["wall-clock"][0], /^\[unknown\];\[stack cut off\];f4094;f4093;.*;f1;f0 1$/);
  assert.deepEqual(skipped, [
    { reason: "frame of a stack deeper than 4096", count: 100_000 - 4095, first_line: 1 },
  ]);
});

test("of a text that ends too early, the last stack does not count", () => {
  const { profiles, skipped } = read(GDB.slice(0, GDB.indexOf("#2  ", 4000)), { partial: true });
  assert.equal(profiles["wall-clock"].samples, 2);
  assert.equal(skipped[0].reason, "stack cut off by the end of the file");
  const lines = read(AGGREGATED.slice(0, -3), { partial: true });
  assert.equal(lines.profiles["wall-clock"].samples, 610);
});

test("stacks of a debugger are recognised by content", () => {
  for (const text of [GDB, GDB_FULL, EU_STACK, EU_STACK_VERBOSE, AGGREGATED]) {
    assert.equal(answerTo(debuggerStacks, text), "yes");
    assert.notEqual(answerTo(perfScript, text), "yes");
    assert.notEqual(answerTo(folded, text), "yes");
  }
  for (const text of ["a;b 5\n", "# a comment\n", " 1 0 0 123\n", "1,2,3\n", "7 a,b;c\n"]) {
    assert.equal(answerTo(debuggerStacks, text), "more", text);
  }
});

test("a debugger's stacks are folded into a profile", async () => {
  const { profiles } = await foldBytes(GDB, "cycles");
  assert.deepEqual([profiles[0].event, profiles[0].unit], ["wall-clock", "samples"]);
  assert.equal(profiles[0].captures[0].format, "debugger-stacks");
});

test("the order of threads and the size of chunks change nothing", () => {
  const threads = GDB.slice(GDB.indexOf("Thread 5")).split(/\n(?=Thread)/);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...threads), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 3000 }),
      (list, chunkSize) => {
        const { profiles } = read(list.join("\n"));
        assert.deepEqual(read([...list].reverse().join("\n"), { chunkSize }).profiles, profiles);
        assert.equal(profiles["wall-clock"].total, String(list.length));
      },
    ),
    { numRuns: 30 },
  );
});

fuzzReader(
  "stacks of debuggers",
  debuggerStacks,
  [GDB, GDB_FULL, EU_STACK, EU_STACK_VERBOSE, AGGREGATED],
  { words: ["Thread 1 (", '"):', "TID 1:", "#0  ", "#1  0x12 in ", " (a=", "<lambda()>", ","] },
);

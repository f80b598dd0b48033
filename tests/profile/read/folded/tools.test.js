/** Folded stacks of profilers that write more than names: what each tool wrote of small programs. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { diffProfiles } from "../../../../pipeline/profile/diff/diff.js";
import { readFolded } from "../../captures.js";

/** @param {string} file */
const read = async (file) => readFolded(await readFile(new URL(file, import.meta.url)));

test("py-spy's functions have no lines, and its first frame is no thread", async () => {
  const { stacks } = await read("py-spy.folded");
  assert.deepEqual(stacks.unknown.slice(0, 4), [
    "[process];<module> (w.py);heavy (w.py);inner (w.py) 40",
    "[process];<module> (w.py);heavy (w.py);inner (w.py);inner.<locals>.<genexpr> (w.py) 92",
    "[process];<module> (w.py);light (w.py);inner (w.py) 4",
    "[process];<module> (w.py);light (w.py);inner (w.py);inner.<locals>.<genexpr> (w.py) 12",
  ]);
});

test("a comment above all functions, and another name of the file, unmatch none of them", async () => {
  const [base, after] = await Promise.all(["py-spy.folded", "py-spy-2.folded"].map(read));
  const { matched } = diffProfiles(base.profiles.unknown, after.profiles.unknown, {
    baseLabel: "w.py",
    afterLabel: "w2.py",
  });
  assert.ok(matched.percent > 99, `${matched.percent}`);
});

test("Austin's weights are time in microseconds, and its processes and threads are no functions", async () => {
  const { profiles, stacks } = await read("austin.folded");
  const text = await readFile(new URL("austin.folded", import.meta.url), "utf8");
  const sum = text.split("\n").filter((line) => line.startsWith("P"));
  const microseconds = sum.reduce((all, line) => all + Number(line.split(" ").at(-1)), 0);
  assert.equal(profiles.time.unit, "ns");
  assert.equal(profiles.time.total, String(microseconds * 1000));
  assert.ok(stacks.time.every((line) => /^\[process\](;|$)/.test(line)));
  assert.ok(stacks.time.every((line) => !/;[PT]\d+|:\d+(;| )/.test(line)));
  assert.ok(stacks.time.some((line) => /;heavy \([\w/]+w\.py\);inner \(/.test(line)));
});

test("HotSpot's tiers and addresses are no part of async-profiler's names", async () => {
  const { stacks, profiles } = await read("async-profiler.folded");
  for (const line of stacks.unknown) {
    assert.ok(!/0x|_\[[01]\]|;java\//.test(line), line);
    assert.ok(line.startsWith("[process];"), line);
  }
  assert.ok(
    stacks.unknown.some((line) =>
      line.includes("Main$$Lambda.applyAsLong_[j];Main.lambda$heavy$0_[j]"),
    ),
  );
  const text = await readFile(new URL("async-profiler.folded", import.meta.url), "utf8");
  const samples = text
    .trim()
    .split("\n")
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
  assert.equal(profiles.unknown.total, String(samples));
});

test("a class without a package is no thread where threads of the machine begin as functions", async () => {
  const { stacks } = await readFolded(
    [
      "App.main;App$$Lambda$1.0x00007f5914000a08.apply;java/lang/String.split 27",
      "start_thread;thread_native_entry;Thread::call_run 32",
    ].join("\n"),
  );
  assert.deepEqual(stacks.unknown, [
    "[process];App.main;App$$Lambda.apply;java.lang.String.split 27",
    "[process];start_thread;thread_native_entry;Thread::call_run 32",
  ]);
});

test("two runs of one Java program have the same methods", async () => {
  const runs = ["async-profiler.folded", "async-profiler-2.folded"].map(async (file) => {
    const text = await readFile(new URL(file, import.meta.url), "utf8");
    const methods = text.split("\n").filter((line) => /^Main\.main.*_\[\w\] \d+$/.test(line));
    return readFolded(`${methods.join("\n")}\n`).profiles.unknown;
  });
  const [base, after] = await Promise.all(runs);
  const { matched } = diffProfiles(base, after, { baseLabel: "first", afterLabel: "second" });
  assert.ok(matched.percent > 85, `${matched.percent}`);
});

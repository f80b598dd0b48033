/**
 * Against what stackcollapse-perf.pl prints of captures of many perf versions, events and runtimes,
 * and against one large recording. They are not ours to republish: where they are absent, the tests
 * are skipped.
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { plainName } from "../../../../pipeline/profile/model/languages/languages.js";
import { repairRust } from "../../../../pipeline/profile/model/languages/rust.js";
import { foldCapture, readPerf } from "../../captures.js";
import { realData, skipWithout } from "../../real_data.js";

const CAPTURES = "stackcollapse-conformance";
const RECORDING = "captures/mariadb-76mb.perf-script.zst";

/**
 * Our stack as stackcollapse-perf.pl has it with `--all`. What we do otherwise, knowingly:
 * names keep their brackets, quotes and Java's leading L; libraries have a class of their own;
 * the kernel's unknown frames have one pair of brackets.
 *
 * @param {string} stack
 */
function inTheirWords(stack) {
  const [thread, ...frames] = stack.split(";");
  const words = frames.map((frame) => {
    const [, name, suffix = ""] = /^(.*?)(_\[[kjil]\])?$/.exec(frame) ?? [];
    const short = cut(name);
    const java = thread.startsWith("java") && short.includes("/") ? short.replace(/^L/, "") : short;
    const kernel = java === "[kernel.kallsyms]" ? `[${java}]` : java;
    return kernel + (suffix === "_[l]" ? "" : suffix);
  });
  return [thread, ...words].join(";");
}

/** @param {string} name */
function cut(name) {
  return name.replace(/\((?!anonymous namespace\)).*/, "").replace(/['"]/g, "");
}

/**
 * Their stack, where it does not depend on our wording: a frame without a symbol, which we name by
 * its object, has no name at all; the vdso is the kernel; names of Rust and JavaScript are as the compilers have
 * them.
 *
 * @param {string} stack
 */
function inOurWords(stack) {
  return stack
    .replace(/; $/, ";[libc-2.15.so]")
    .replace("__vdso_gettimeofday_[k]", "__vdso_gettimeofday")
    .split(";")
    .map((frame) => {
      const [, name, suffix = ""] = /^(.*?)(_\[j\])?$/.exec(frame) ?? [];
      const plain = suffix === "" ? repairRust(name) : plainName(name);
      return plain === name ? frame : cut(plain) + suffix;
    })
    .join(";");
}

/**
 * @param {string[]} lines
 * @param {(stack: string) => string} words
 */
function sumByStack(lines, words) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const line of lines) {
    const [, stack, weight] = /^(.*) (\d+)$/.exec(line) ?? ["", line, "0"];
    sums[words(stack)] = (sums[words(stack)] ?? 0) + Number(weight);
  }
  return sums;
}

test("captures fold to the stacks that stackcollapse-perf.pl prints", {
  skip: skipWithout(CAPTURES),
}, async (t) => {
  const directory = `${realData(CAPTURES)}/`;
  const files = (await readdir(directory)).filter((name) => name.endsWith(".txt"));
  assert.ok(files.length > 0);
  for (const file of files) {
    await t.test(file, async () => {
      const text = await readFile(directory + file, "utf8");
      // it drops a last sample that no empty line follows; we do not
      const closed = text.slice(0, text.lastIndexOf("\n\n") + 2);
      const { stacks, skipped } = readPerf(closed);
      const expected = file.replace(".txt", "-collapsed-all.txt");
      const theirs = await readFile(`${directory}expected/${expected}`, "utf8");
      const [first] = Object.values(stacks); // it drops all events but the first
      assert.deepEqual(
        sumByStack(first, inTheirWords),
        sumByStack(theirs.trimEnd().split("\n"), inOurWords),
      );
      assert.deepEqual(skipped, []);
    });
  }
});

test("a recording of 76 MB folds to the sum of its periods", {
  skip: skipWithout(RECORDING),
}, async () => {
  const path = realData(RECORDING);
  const { profiles, problems } = await foldCapture({ file: "mariadb", path });
  assert.deepEqual(problems, []);
  const [{ event, unit, samples, total, scale, names }] = profiles;
  assert.deepEqual(
    { event, unit, samples, total, scale },
    {
      event: "cpu-clock",
      unit: "CPU ns",
      samples: 74454, // grep -c cpu-clock
      total: String(74454n * 1001001n), // all have the one period
      scale: 1001001,
    },
  );
  assert.ok(names.includes("handler::index_read_idx_map"));
});

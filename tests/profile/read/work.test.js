/** Twice the capture is at most two and a half times the work, whatever its shape, for every reader. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { CaptureHead } from "../../../pipeline/profile/read/detection.js";
import { FORMAT_NAMES, formatNamed } from "../../../pipeline/profile/read/formats.js";
import { bytesOf } from "../fixtures.js";

/** Times the work of half the input. */
const MOST = 2.5;

/** Bytes to begin with, and how often they are doubled: much work is compared with less noise. */
const SIZE = 2 ** 17;
const DOUBLINGS = 4;

/** CPU seconds that decide nothing: the compiler and the garbage collector take as much. */
const NOISE = 0.3;

/** @param {string} path */
const sample = (path) => readFile(new URL(path, import.meta.url));

const FIREFOX = {
  meta: { preprocessedProfileVersion: 48, interval: 1 },
  threads: [
    {
      name: "main",
      samples: { stack: [1, 0, 1], length: 3 },
      stackTable: { frame: [0, 1], prefix: [null, 0], length: 2 },
      frameTable: { func: [0, 1], length: 2 },
      funcTable: { name: [0, 1], resource: [-1, -1], fileName: [null, null], length: 2 },
      resourceTable: { lib: [], name: [], length: 0 },
      stringArray: ["main", "work"],
    },
  ],
};

/**
 * A good capture of each format, and a piece of it that may be repeated.
 *
 * @type {Record<string, Uint8Array | string>}
 */
const SAMPLES = {
  pprof: gunzipSync(await sample("pprof/cpu.pb.gz")),
  otlp: await sample("otlp/cpu.otlp.json"),
  jfr: await bytesOf("jfr/async-profiler.jfr.xz", import.meta.url),
  speedscope: await sample("speedscope/py-spy.speedscope.json"),
  "chrome-trace": await sample("chrome_trace/chrome.trace.json"),
  cpuprofile: await sample("cpuprofile/w.cpuprofile"),
  heapprofile: await sample("heapprofile/w.heapprofile"),
  "firefox-profiler": JSON.stringify(FIREFOX),
  dhat: await sample("dhat/w.dhat.json"),
  gprof2dot: await sample("gprof2dot/memray.json"),
  stackprof: await sample("stackprof/w.stackprof.json"),
  "perf-json": await sample("perf_json/perf.json"),
  "flamegraph-svg": await sample("flamegraph_svg/plain.svg"),
  "perf-report":
    "# Samples: 2  of event 'cycles'\n# Event count (approx.): 7\n#\n# Children      Self  Command  Shared Object  Symbol\n" +
    "    60.00%    40.00%  mysqld   mysqld         [.] main\n            |\n            ---main\n               work\n\n",
  massif: await sample("massif/w.massif"),
  "macos-sample": await sample("macos_sample/shop.sample.txt"),
  instruments: await sample("instruments/cycles.txt"),
  dtrace: await sample("dtrace/stacks.txt"),
  "jfr-print": await sample("jfr_print/jfr.print.txt"),
  callgrind: await sample("callgrind/w.callgrind"),
  bpftrace: "@[\n    inner+62\n    main+12\n, writer]: 3\n",
  "perf-script":
    "mysqld 1/2 [003] 1.0: 3 cycles:u:\n\t 7f1e inner+0x8c (/x)\n\t 7f1f outer (/lib/c.so.6)\n\n",
  "debugger-stacks": await sample("debugger_stacks/gdb.txt"),
  "performance-schema": await sample("performance_schema/events_waits_history_long.tsv"),
  folded: "mysqld;main;read_[k] 11\nmysqld;main;write 5\n",
};

/** @typedef {(text: Buffer, size: number) => Buffer} Shape */

/** @type {Record<string, Shape>} */
const SHAPES = {
  repeated: (text, size) => Buffer.alloc(size, text),
  "empty lines": (text, size) => Buffer.concat([text, Buffer.alloc(size, "\n"), text]),
  "one long line": (text, size) => {
    const lines = text.toString("latin1").split("\n");
    const longest = lines.reduce((long, line) => (line.length > long.length ? line : long));
    return Buffer.concat([text, Buffer.alloc(size, longest || "x", "latin1")]);
  },
  "a long name": (text, size) => {
    const word = /[A-Za-z_]{4,}(?=\W*$)/m.exec(text.toString("latin1"))?.[0] ?? "main";
    return changed(text, (all) => all.replace(word, word.repeat(size / word.length)));
  },
  "distinct names": (text, size) =>
    copies(text, size, (all, at) => all.replaceAll(/\b[A-Za-z_]{4,}\b/g, `$&${at}`)),
  "names of one hash": (text, size) =>
    copies(text, size, (all, at) => all.replaceAll(/\b[A-Za-z_]{4,}\b/g, `$&${nameOfOneHash(at)}`)),
  "distinct numbers": (text, size) =>
    copies(text, size, (all, at) => all.replaceAll(/\b\d+\b/g, String(at + 1))),
  "deep stacks": (text, size) =>
    changed(text, (all) => {
      const frame = /^.*(?:main|inner|work).*$/m.exec(all)?.[0] ?? ";main";
      return all.replace(frame, () => `${frame}\n`.repeat(size / (frame.length + 1)).trimEnd());
    }),
  "open brackets": (text, size) => Buffer.concat([text, Buffer.alloc(size, "[")]),
  "zero bytes": (text, size) => Buffer.concat([text, Buffer.alloc(size)]),
};

/**
 * Return one of many names that are the same number where their letters are added up times powers of 31, as
 * hashes of text are often made.
 *
 * @param {number} at
 */
function nameOfOneHash(at) {
  return Array.from({ length: 16 }, (_, bit) => (at & (1 << bit) ? "BB" : "Aa")).join("");
}

/**
 * @param {Buffer} text
 * @param {(text: string) => string} change
 */
function changed(text, change) {
  return Buffer.from(change(text.toString("latin1")), "latin1");
}

/**
 * @param {Buffer} text
 * @param {number} size
 * @param {(text: string, at: number) => string} change
 */
function copies(text, size, change) {
  const count = Math.ceil(size / text.length);
  const one = text.toString("latin1");
  const all = Array.from({ length: count }, (_, at) => change(one, at));
  return Buffer.from(all.join(""), "latin1").subarray(0, 2 * size);
}

/**
 * Return the CPU seconds in which a capture is recognised and read.
 *
 * @param {import("../../../pipeline/profile/read/formats.js").Format} format
 * @param {Buffer} bytes
 */
function secondsOf(format, bytes) {
  const start = process.cpuUsage();
  const head = new CaptureHead();
  const reader = new format.Reader();
  let isOpen = true;
  try {
    for (let at = 0; at < bytes.length; at += 2 ** 16) {
      const chunk = bytes.subarray(at, at + 2 ** 16);
      if (isOpen) isOpen = head.push(chunk) === "more";
      reader.push(chunk);
    }
    for (const { builder } of reader.finish(false).events) builder.tree();
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

for (const name of FORMAT_NAMES) {
  for (const [shape, make] of Object.entries(SHAPES)) {
    test(`${name}: work grows with the capture: ${shape}`, () => {
      const format = formatNamed(name);
      assert.ok(format && SAMPLES[name], `no sample of ${name}`);
      const text = Buffer.from(SAMPLES[name]);
      const [small, large] = [SIZE, SIZE << DOUBLINGS].map((size) => make(text, size));
      const times = large.length / small.length; // some shapes grow by less
      const least = Math.min(...[1, 2, 3].map(() => secondsOf(format, small)));
      const bound = MOST ** Math.log2(times) * least + NOISE;
      let most = secondsOf(format, large);
      // Other work may make one time long.
      if (most > bound) most = Math.min(most, secondsOf(format, large));
      assert.ok(
        most <= bound,
        `${most} s for ${large.length} bytes, ${least} s for ${small.length}`,
      );
    });
  }
}

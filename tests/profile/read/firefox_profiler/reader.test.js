import assert from "node:assert/strict";
import { test } from "node:test";
import * as firefox from "../../../../pipeline/profile/read/firefox_profiler/reader.js";
import { answerTo, readAs } from "../../captures.js";
import { readFixture } from "../../fixtures.js";

/** `samply import perf.data`, of a recording of `node --perf-basic-prof w.js` at 200 Hz, in which perf script has 36 samples. */
test("samply's samples are those of perf, and V8's compiled functions are there once", async () => {
  const { format, profiles, stacks, problems } = await readFixture(
    "samply.json.gz",
    import.meta.url,
  );
  assert.equal(format, "firefox-profiler");
  assert.deepEqual([profiles.unknown.total, profiles.unknown.unit], ["36", "samples"]);
  assert.deepEqual([profiles.cpu.total, profiles.cpu.unit], [String(36 * 5_000_000), "CPU ns"]);
  assert.match(problems[0], /address only/);
  const ends = stacks.unknown.filter((line) => /;inner \(tmp\/readers\/w\.js\) \d+$/.test(line));
  assert.ok(ends.length > 0 && !ends.some((line) => /inner.*inner/.test(line)));
});

/** A thread of two functions, one in a library, in the processed form. */
const THREAD = {
  name: "worker",
  samples: { stack: [1, 0, 1, null], weight: null, threadCPUDelta: [5, 7, 11, 13], length: 4 },
  stackTable: { frame: [0, 1], prefix: [null, 0], length: 2 },
  frameTable: { func: [0, 1], length: 2 },
  funcTable: { name: [0, 1], resource: [0, 1], fileName: [null, 2], length: 2 },
  resourceTable: { lib: [0, null], name: [3, 2], length: 2 },
  stringArray: ["0x1234", "next", "https://a.org/router.js", "libc.so.6"],
};
const META = { preprocessedProfileVersion: 48, sampleUnits: { threadCPUDelta: "µs" } };
const LIBS = [{ name: "libc.so.6", path: "/usr/lib/libc.so.6" }];

test("samples count once, and CPU time between them is an event of its own", () => {
  const text = JSON.stringify({ meta: META, libs: LIBS, threads: [THREAD] });
  assert.equal(answerTo(firefox, text), "yes");
  const { stacks, profiles, skipped } = readAs(firefox, text);
  assert.deepEqual(stacks.unknown, [
    "worker;[libc.so.6]_[l] 1",
    "worker;[libc.so.6]_[l];next (router.js) 2",
  ]);
  assert.deepEqual(stacks.cpu, [
    "worker;[libc.so.6]_[l] 7000",
    "worker;[libc.so.6]_[l];next (router.js) 16000",
  ]);
  assert.equal(profiles.cpu.unit, "CPU ns");
  assert.match(skipped[0].reason, /address only.*Firefox Profiler/);
});

test("tables that threads share are found, and weights that the file has", () => {
  const { stringArray, stackTable, frameTable, funcTable, resourceTable } = THREAD;
  const shared = { stringArray, stackTable, frameTable, funcTable, resourceTable };
  const samples = { stack: [1, 0], weight: [64, 8], weightType: "bytes", length: 2 };
  const text = JSON.stringify({
    meta: META,
    shared,
    libs: LIBS,
    threads: [{ name: "a", samples }],
  });
  const { stacks } = readAs(firefox, text);
  assert.deepEqual(stacks.bytes, ["a;[libc.so.6]_[l] 8", "a;[libc.so.6]_[l];next (router.js) 64"]);
});

test("what Firefox itself writes has rows and a schema, and processes within processes", () => {
  const thread = {
    name: "GeckoMain",
    samples: {
      schema: { stack: 0, time: 1 },
      data: [
        [1, 0],
        [0, 1],
      ],
    },
    stackTable: {
      schema: { prefix: 0, frame: 1 },
      data: [
        [null, 0],
        [0, 1],
      ],
    },
    frameTable: { schema: { location: 0 }, data: [[0], [1]] },
    stringTable: ["(root)", "next (https://a.org/router.js:130:12)"],
  };
  const text = JSON.stringify({
    meta: { processType: 0 },
    threads: [],
    processes: [{ threads: [thread] }],
  });
  const { stacks } = readAs(firefox, text);
  assert.deepEqual(stacks.unknown, ["GeckoMain;(root) 1", "GeckoMain;(root);next (router.js) 1"]);
});

test("stacks that call each other in a circle, or are not listed, are counted as skipped", () => {
  const circle = { ...THREAD, stackTable: { frame: [0, 1], prefix: [1, 0], length: 2 } };
  const beyond = { ...THREAD, samples: { stack: [7, -1, "x"], length: 3 } };
  for (const thread of [circle, beyond]) {
    const { stacks, skipped } = readAs(firefox, JSON.stringify({ meta: META, threads: [thread] }));
    assert.deepEqual(stacks.unknown ?? [], []);
    assert.match(skipped[0].reason, /stack that is not listed/);
  }
  for (const damaged of ['{"threads":[null,{}]}', '{"threads":[{"samples":{"stack":[0]}}]}'])
    readAs(firefox, damaged);
});

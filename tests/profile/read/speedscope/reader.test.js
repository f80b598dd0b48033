/**
 * speedscope's files. py-spy.speedscope.json beside this test is what py-spy 0.4 made of a program
 * with two threads; evented profiles are written by the schema.
 */

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { formatColumns } from "../../../../pipeline/profile/model/columns.js";
import { readTrees } from "../../../../pipeline/profile/read/files.js";
import * as speedscope from "../../../../pipeline/profile/read/speedscope/reader.js";
import { answerTo, foldBytes, inDirectory, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";
import { profileOfStacks } from "../../profiles.js";

const PY_SPY = await readFile(new URL("py-spy.speedscope.json", import.meta.url));

const $schema = "https://www.speedscope.app/file-format-schema.json";
const shared = {
  frames: [{ name: "main" }, { name: "read", file: "io.rb", line: 3 }, { name: "wait" }],
};

/** @param {...object} profiles */
function fileOf(...profiles) {
  return JSON.stringify({ $schema, shared, profiles });
}

/**
 * @param {unknown[]} samples
 * @param {unknown[]} weights
 * @param {string} [unit]
 */
function sampled(samples, weights, unit = "none") {
  return { type: "sampled", name: "worker", unit, startValue: 0, endValue: 9, samples, weights };
}

/**
 * @param {[string, number, number][]} events
 * @param {number} endValue
 */
function evented(events, endValue, unit = "microseconds") {
  const list = events.map(([type, frame, at]) => ({ type, frame, at }));
  return { type: "evented", name: "worker", unit, startValue: 0, endValue, events: list };
}

test("py-spy's threads are the first frames, by their names alone", async () => {
  const { profiles, problems } = await foldBytes(PY_SPY);
  assert.deepEqual(problems, []);
  const [{ event, unit, total, names, captures }] = profiles;
  assert.deepEqual([event, unit, total], ["time", "ns", String(130 * 20_000_000)]);
  assert.ok(names.includes("MainThread") && names.includes("scanner"), names.join());
  assert.equal(captures[0].format, "speedscope");
});

test("an event that is stated is that of a file's only unit", () => {
  const read = (/** @type {string} */ unit, /** @type {string} */ event) => {
    const { profiles } = readAs(speedscope, fileOf(sampled([[0, 1]], [5], unit)), { event });
    return Object.values(profiles).map((each) => [each.event, each.unit, each.total]);
  };
  assert.deepEqual(read("none", "cycles"), [["cycles", "cycles", "5"]]);
  assert.deepEqual(read("none", "unknown"), [["unknown", "samples", "5"]]);
  assert.deepEqual(read("milliseconds", "cpu-clock"), [["cpu-clock", "CPU ns", "5000000"]]);
  assert.deepEqual(read("bytes", "unknown"), [["bytes", "bytes", "5"]]);
});

test("profiles of several units are several events", () => {
  const profiles = [
    sampled([[0]], [5]),
    sampled([[0]], [6], "bytes"),
    sampled([[1]], [7], "bytes"),
  ];
  assert.deepEqual(readAs(speedscope, fileOf(...profiles)).stacks, {
    unknown: ["worker;main 5"],
    bytes: ["worker;main 6", "worker;read (io.rb) 7"],
  });
  const stated = readAs(speedscope, fileOf(...profiles), { event: "cycles" });
  assert.deepEqual(Object.keys(stated.stacks), ["cycles", "bytes"]);
});

test("fractions are exact", () => {
  const { stacks, profiles } = readAs(
    speedscope,
    fileOf(sampled([[0], [0], [0, 1]], [0.1, 0.2, 1e-7])),
  );
  assert.equal(profiles.unknown.unit, "0.0000001 samples");
  assert.deepEqual(stacks, {
    unknown: ["worker;main 0.3000000", "worker;main;read (io.rb) 0.0000001"],
  });
});

test("what passes while a frame is the innermost one that is open weighs on it", () => {
  const events = /** @type {[string, number, number][]} */ ([
    ["O", 0, 1],
    ["O", 1, 1.5],
    ["C", 1, 3],
    ["O", 1, 3],
    ["C", 1, 3.25],
    ["C", 0, 4],
    ["O", 2, 10],
  ]);
  const { stacks, profiles, skipped } = readAs(speedscope, fileOf(evented(events, 12)));
  assert.deepEqual(skipped, []);
  assert.equal(profiles.time.unit, "ns");
  assert.deepEqual(stacks, {
    time: ["worker;main 1250", "worker;main;read (io.rb) 1750", "worker;wait 2000"],
  });
});

test("what is wrong is counted, and the rest is read", () => {
  const bad = [
    sampled([[0], [7], [1], ["length"], "x", [0]], [3, 4, -1, 5, 6]),
    evented(
      [
        ["O", 0, 5],
        ["C", 1, 6],
        ["X", 0, 7],
        ["O", 0, 6],
        ["C", 0, 9],
        ["C", 0, 9],
      ],
      9,
      "none",
    ),
    { type: "other" },
  ];
  const { stacks, skipped } = readAs(speedscope, fileOf(...bad));
  assert.deepEqual(stacks, { unknown: ["worker;main 5", "worker;main;main 2"] });
  assert.deepEqual(
    skipped.map(({ reason, count }) => [reason, count]),
    [
      ["end of a frame that is not open", 1],
      ["event that neither opens nor closes a frame", 1],
      ["profile that is neither sampled nor evented", 1],
      ["sample of frames that are not listed", 3],
      ["sample without a weight, or weight without a sample", 1],
      ["time of a frame that is before the one before it", 1],
      ["weight that is no number from 0", 1],
    ],
  );
});

test("frames without an end are cut off, sampled or open", () => {
  const deep = Array.from({ length: 100_000 }, () => 0);
  const opened = deep.map(
    (frame, at) => /** @type {[string, number, number]} */ (["O", frame, at]),
  );
  const one = readAs(speedscope, fileOf(sampled([deep], [3])));
  const other = readAs(speedscope, fileOf(evented(opened, 100_000, "none")));
  assert.equal(one.profiles.unknown.parent.length, 1 + 4096);
  assert.equal(other.profiles.unknown.parent.length, 1 + 4096);
  assert.equal(other.profiles.unknown.total, "100000");
  assert.match(one.skipped[0].reason, /deeper than 4096/);
  assert.match(other.skipped[0].reason, /deeper than 4096/);
});

test("sampled stacks in any order give the same profile, and lose no weight", () => {
  const pair = fc.tuple(
    fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }),
    fc.double({ min: 0, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(pair, { minLength: 1, maxLength: 12 }), (pairs) => {
      const read = (/** @type {typeof pairs} */ list) =>
        readAs(
          speedscope,
          fileOf(
            sampled(
              list.map(([stack]) => stack),
              list.map(([, weight]) => weight),
            ),
          ),
        );
      const { profiles, skipped } = read(pairs);
      assert.deepEqual(read([...pairs].reverse()).profiles, profiles);
      if (skipped.length > 0) return; // finer than 18 decimals
      const decimals = /^0\.(0*1) /.exec(profiles.unknown.unit)?.[1].length ?? 0;
      const sum = pairs.reduce((all, [, weight]) => all + weight, 0);
      const total = Number(profiles.unknown.total) / 10 ** decimals;
      assert.ok(Math.abs(total - sum) <= sum * 1e-12, `${total} ${sum}`);
    }),
  );
});

test("JSON is recognised by its content: a profile, speedscope's, or what should have been a profile", async () => {
  assert.equal(answerTo(speedscope, PY_SPY), "yes");
  assert.equal(answerTo(speedscope, '{"format": "perfpress-profile"'), "more");
  assert.equal(answerTo(speedscope, "mysqld;main 12\n"), "no");
  await inDirectory(async (directory) => {
    const read = async (/** @type {string} */ name, /** @type {string | Buffer} */ content) => {
      const path = join(directory, name);
      await writeFile(path, content);
      return (await readTrees({ file: name, path })).trees.map(({ event }) => event);
    };
    const profile = formatColumns(profileOfStacks(["t;f 6"]));
    assert.deepEqual(await read("a.json", profile), ["cycles"]);
    assert.deepEqual(await read("b", profile), ["cycles"]);
    assert.deepEqual(await read("c.json", PY_SPY), ["time"]);
    assert.deepEqual(await read("d", PY_SPY), ["time"]);
    await assert.rejects(
      () => read("e.json", '{"traceEvents": []}'),
      /Chrome trace without samples/,
    );
    await assert.rejects(
      () => read("f.json", PY_SPY.subarray(0, 900)),
      /f\.json: file that is no JSON/,
    );
  });
});

fuzzReader(
  "speedscope",
  speedscope,
  [
    PY_SPY,
    fileOf(
      evented(
        [
          ["O", 0, 1],
          ["O", 1, 1.5],
          ["C", 1, 3],
          ["C", 0, 4],
        ],
        9,
      ),
    ),
    fileOf(sampled([[0, 1], [2]], [0.5, 3])).replace(
      "{",
      '{"exporter": "perfpress-folded event=cycles lost=3",',
    ),
  ],
  {
    words: [
      "null",
      "[]",
      "{}",
      '"',
      ",",
      "-1",
      "0.1",
      '{"type":"O","frame":0,"at":5},',
      '"length"',
    ],
  },
);

test("pyinstrument's own time of a function is the function's, and its program is the thread", async () => {
  const text = await readFile(new URL("pyinstrument.speedscope.json", import.meta.url));
  const { stacks, profiles } = readAs(speedscope, text);
  assert.ok(stacks.time.every((line) => line.startsWith("w.py;<module> (w.py)")));
  assert.ok(!stacks.time.some((line) => line.includes("[self]")));
  // endValue is 4.063 s; for 2 ms nothing is open
  assert.equal(profiles.time.unit, "0.00000001 ns");
  assert.equal((Number(profiles.time.total) / 1e17).toFixed(3), "4.061");
});

/**
 * pprof files. cpu.pb.gz, heap.pb.gz and mutex.pb.gz beside this test are Go 1.26's profiles of
 * store.go; what Go does not write is put together here by the description of the format.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import fc from "fast-check";
import * as pprof from "../../../../pipeline/profile/read/pprof/reader.js";
import { answerTo, foldBytes, readAs } from "../../captures.js";
import { fuzzReader } from "../../fuzz.js";

/** @param {string} name */
function goProfile(name) {
  return readFile(new URL(`${name}.pb.gz`, import.meta.url));
}

const cpu = gunzipSync(await goProfile("cpu"));
const heap = gunzipSync(await goProfile("heap"));
const mutex = gunzipSync(await goProfile("mutex"));

/**
 * @typedef {object} Parts
 * @property {[string, string][]} types of samples, with their units
 * @property {[string[], (number | bigint)[], Record<string, string | number>?][]} samples their
 *   locations by name, innermost first, values and labels
 * @property {Record<string, { object?: string, lines?: string[], address?: bigint }>} [locations]
 *   where a location is more than a function of its name
 * @property {string[]} [comments]
 */

/**
 * @param {Parts} parts
 * @returns {Buffer}
 */
function pprofOf({ types, samples, locations = {}, comments = [] }) {
  const file = new BinaryWriter();
  const strings = [""];
  const text = (/** @type {string} */ one) => {
    if (!strings.includes(one)) strings.push(one);
    return strings.indexOf(one);
  };
  const message = (
    /** @type {number} */ field,
    /** @type {[number, number | bigint][]} */ values,
  ) => {
    file.tag(field, 2).fork();
    for (const [at, value] of values) file.tag(at, 0).int64(value);
    file.join();
  };
  for (const [type, unit] of types)
    message(1, [
      [1, text(type)],
      [2, text(unit)],
    ]);
  const names = [...new Set(samples.flatMap(([stack]) => stack))];
  for (const [stack, values, labels = {}] of samples) {
    file.tag(2, 2).fork();
    for (const name of stack) file.tag(1, 0).uint64(names.indexOf(name) + 1);
    file.tag(2, 2).fork();
    for (const value of values) file.int64(value);
    file.join();
    for (const [key, value] of Object.entries(labels)) {
      const isText = typeof value === "string";
      message(3, [[1, text(key)], isText ? [2, text(value)] : [3, value]]);
    }
    file.join();
  }
  const objects = [...new Set(Object.values(locations).map(({ object }) => object ?? ""))];
  for (const [at, object] of objects.entries()) {
    message(3, [
      [1, at + 1],
      [5, text(object)],
    ]);
  }
  let functions = 0;
  names.forEach((name, at) => {
    const { object = "", lines = [name], address = 0n } = locations[name] ?? {};
    file.tag(4, 2).fork();
    file
      .tag(1, 0)
      .uint64(at + 1)
      .tag(2, 0)
      .uint64(objects.indexOf(object) + 1);
    file.tag(3, 0).uint64(address);
    for (const _ of lines) message(4, [[1, ++functions]]);
    file.join();
    lines.forEach((line, each) => {
      message(5, [
        [1, functions - lines.length + each + 1],
        [2, text(line)],
      ]);
    });
  });
  for (const one of comments) file.tag(13, 0).int64(text(one));
  for (const one of strings) file.tag(6, 2).string(one);
  return Buffer.from(file.finish());
}

test("Go's CPU profile is one event, with the samples that its other type counts", async () => {
  const { profiles, problems } = await foldBytes(await goProfile("cpu"));
  assert.deepEqual(problems, []);
  const [{ event, unit, total, samples, self, self_samples: selfSamples, scale, captures }] =
    profiles;
  assert.equal(profiles.length, 1);
  // go tool pprof -top: Total samples = 880ms; -sample_index=samples: 88
  assert.deepEqual(
    { event, unit, total, samples },
    {
      event: "cpu",
      unit: "CPU ns",
      total: "880000000",
      samples: 88,
    },
  );
  assert.deepEqual(
    selfSamples,
    self.map((weight) => (Number(weight) * scale) / 1e7),
  );
  assert.deepEqual([captures[0].format, captures[0].lost], ["pprof", 0]);
});

test("functions that Go inlined are frames of their own, below the program's name", () => {
  const { stacks } = readAs(pprof, cpu);
  const head = "store;main.main.func1;runtime/pprof.Do;main.main.func1.1;main.(*table).insert;";
  const found = stacks.cpu.filter((stack) => stack.startsWith(`${head}crypto/sha256.Sum256;`));
  assert.ok(
    found.some((stack) => stack.includes(";crypto/sha256.New_[i];")),
    found.join("\n"),
  );
});

test("Go's heap profile is four events in objects and bytes", () => {
  const { profiles } = readAs(pprof, heap);
  // the columns of `go tool pprof -raw`, added up
  assert.deepEqual(
    Object.values(profiles).map(({ event, unit, total, samples }) => [event, unit, total, samples]),
    [
      ["alloc_objects", "objects", "1088844", null],
      ["alloc_space", "bytes", "42966367", null],
      ["inuse_objects", "objects", "1321", null],
      ["inuse_space", "bytes", "3656174", null],
    ],
  );
});

test("Go's mutex profile is two events, a count and a time", () => {
  const { profiles } = readAs(pprof, mutex);
  assert.deepEqual(
    Object.values(profiles).map(({ event, unit }) => [event, unit]),
    [
      ["contentions", "contentions"],
      ["delay", "ns"],
    ],
  );
});

test("labels are distinguished by key, and are frames below the thread where that is asked for", async () => {
  const labels = [
    { key: "statement", values: 2 },
    { key: "worker", values: 2 },
  ];
  const { profiles } = await foldBytes(await goProfile("cpu"));
  assert.deepEqual(profiles[0].captures[0].labels, labels);
  const folded = new pprof.Reader("unknown", ["statement"]);
  folded.push(cpu);
  const [{ builder }] = folded.finish(false).events;
  assert.equal(String(builder.total()), profiles[0].total);
  const { names, parent, name } = builder.tree();
  const below = parent.reduce((/** @type {string[]} */ list, above, node) => {
    if (above === 1) list.push(names[name[node]]);
    return list;
  }, []);
  assert.ok(below.includes("statement=insert") && below.includes("statement=scan"), below.join());
});

test("a sample without the label asked for is beside the label's frames", () => {
  const samples = [
    [["f"], [3], { bytes: 96 }],
    [["f"], [4]],
  ];
  const types = [["space", "bytes"]];
  const bytes = pprofOf(/** @type {any} */ ({ types, samples }));
  const reader = new pprof.Reader("unknown", ["other", "bytes"]);
  reader.push(bytes);
  const { names, parent, name } = reader.finish(false).events[0].builder.tree();
  const paths = Array.from(name, (own, node) => `${names[name[parent[node]]]};${names[own]}`);
  assert.deepEqual(paths.slice(2), ["[process];bytes=96", "bytes=96;f", "[process];f"]);
});

test("a label that names the thread is the first frame", () => {
  for (const key of ["thread", "comm", "thread name"]) {
    const bytes = pprofOf({
      types: [["cpu", "milliseconds"]],
      samples: [
        [["f"], [3], { [key]: "writer" }],
        [["f"], [4], { number: 7 }],
      ],
    });
    const { stacks, profiles } = readAs(pprof, bytes);
    assert.deepEqual(stacks, { cpu: ["[process];f 4000000", "writer;f 3000000"] });
    assert.equal(profiles.cpu.unit, "CPU ns");
  }
});

test("the object gives the class, and names what has no function", () => {
  const { stacks } = readAs(
    pprof,
    pprofOf({
      types: [
        ["cycles_sample", "count"],
        ["cycles_event", "count"],
      ],
      samples: [
        [
          ["schedule", "nothing", "read", "main"],
          [2, 5000],
        ],
      ],
      locations: {
        main: { object: "/usr/sbin/mysqld" },
        read: { object: "/lib/libc.so.6", lines: ["memcpy", "read"] },
        nothing: { object: "/tmp/perf-12.map", lines: [] },
        schedule: { object: "[kernel.kallsyms]" },
      },
    }),
  );
  assert.deepEqual(stacks, {
    cycles: ["mysqld;main;read_[l];memcpy_[i];[perf-12.map]_[j];schedule_[k] 5000"],
  });
});

/** @type {[string, [string, string][], [string, string][]][]} what, types, events and units */
const TYPES = [
  ["samples alone", [["samples", "count"]], [["samples", "samples"]]],
  [
    "perf_to_profile",
    [
      ["cycles_sample", "count"],
      ["cycles_event", "count"],
    ],
    [["cycles", "cycles"]],
  ],
  [
    "wall time",
    [
      ["sample", "count"],
      ["wall", "nanoseconds"],
    ],
    [["wall", "ns"]],
  ],
  ["seconds", [["cpu", "seconds"]], [["cpu", "CPU ns"]]],
  ["another unit", [["energy", "microjoules"]], [["energy", "microjoules"]]],
  ["no unit", [["goroutine", ""]], [["goroutine", "goroutine"]]],
];

for (const [what, types, expected] of TYPES) {
  test(`the events of ${what}`, () => {
    const values = types.map((_, at) => at + 1);
    const { profiles } = readAs(pprof, pprofOf({ types, samples: [[["f"], values]] }));
    assert.deepEqual(
      Object.values(profiles).map(({ event, unit }) => [event, unit]),
      expected,
    );
  });
}

test("values are exact up to 64 bits, and beyond that in their sum", () => {
  const most = 2n ** 63n - 1n;
  const { profiles } = readAs(
    pprof,
    pprofOf({
      types: [["space", "bytes"]],
      samples: [
        [["f"], [most]],
        [["g"], [most]],
        [["f"], [2n ** 53n + 1n]],
      ],
    }),
  );
  assert.equal(profiles.space.total, String(2n * most + 2n ** 53n + 1n));
});

test("a value below zero, of a difference of two profiles, is counted and not folded", () => {
  const { stacks, skipped } = readAs(
    pprof,
    pprofOf({
      types: [["space", "bytes"]],
      samples: [
        [["f"], [-5]],
        [["f"], [3]],
      ],
    }),
  );
  assert.deepEqual(stacks, { space: ["[process];f 3"] });
  assert.deepEqual(skipped, [
    { reason: "value below zero, as in a difference of two profiles", count: 1, first_line: 0 },
  ]);
});

test("a name that is not UTF-8 is read with replacements and reported", () => {
  const bytes = pprofOf({
    types: [["space", "bytes"]],
    samples: [
      [["r_n"], [3]],
      [["\ufffd"], [4]],
    ],
  });
  bytes[bytes.indexOf("r_n") + 1] = 0xff;
  const { stacks, skipped } = readAs(pprof, bytes);
  assert.deepEqual(stacks, { space: ["[process];r\ufffdn 3", "[process];\ufffd 4"] });
  assert.deepEqual(skipped, [
    { reason: "name that is not UTF-8: its bad bytes", count: 1, first_line: 0 },
  ]);
});

test("a stack without an end is cut off, its innermost frames kept", () => {
  const samples = [
    [Array(100_000).fill("f"), [3]],
    [["g", ...Array(4094).fill("f")], [4]],
  ];
  const { profiles, stacks, skipped } = readAs(
    pprof,
    pprofOf({ types: [["space", "bytes"]], samples: /** @type {any} */ (samples) }),
  );
  assert.ok(stacks.space.some((stack) => stack.startsWith("[process];[stack cut off];f;f;")));
  assert.equal(profiles.space.parent.length, 1 + 1 + 4095 + 4095);
  assert.equal(profiles.space.total, "7");
  assert.deepEqual(skipped, [
    { reason: "frame of a stack deeper than 4096", count: 100_000 - 4094, first_line: 0 },
  ]);
});

test("a small file does not get millions of millions of frames out of its locations", () => {
  const samples = Array.from({ length: 1200 }, (_, at) => [["heavy", `outer${at}`], [1]]);
  const locations = { heavy: { lines: Array(4000).fill("f") } };
  const types = [["space", "bytes"]];
  const file = pprofOf(/** @type {any} */ ({ types, samples, locations }));
  const reader = new pprof.Reader();
  reader.push(file);
  const { events, skipped } = reader.finish(false);
  const [{ builder }] = events;
  assert.equal(builder.total(), 1200n);
  assert.ok(builder.withoutRoom().weight > 600n, "the tree has no room for most of them");
  assert.deepEqual(skipped, []);
});

test("a file of many types of samples takes no more memory than one of a single type", () => {
  const samples = Array.from({ length: 70 }, (_, at) => [
    ["heavy", `outer${at}`],
    Array(20).fill(1),
  ]);
  const locations = { heavy: { lines: Array(4000).fill("f") } };
  const types = Array.from({ length: 20 }, (_, at) => [`space${at}`, "bytes"]);
  const reader = new pprof.Reader();
  reader.push(pprofOf(/** @type {any} */ ({ types, samples, locations })));
  const { events } = reader.finish(false);
  const nodes = events.reduce((sum, { builder }) => sum + builder.tree().parent.length, 0);
  assert.ok(nodes < 2 ** 21 + 20 * 100, `${nodes} nodes`);
  assert.ok(events.every(({ builder }) => builder.total() === 70n));
});

test("a file cut short is reported with what is missing, and no sample without names counts", async () => {
  const { stacks, skipped } = readAs(pprof, cpu.subarray(0, cpu.length >> 1));
  assert.deepEqual(stacks, {});
  assert.ok(skipped.some(({ reason }) => /^what follows damage \(premature EOF\)$/.test(reason)));
  assert.ok(skipped.some(({ reason }) => /location or name that the file lacks/.test(reason)));
  await assert.rejects(
    () => foldBytes(cpu.subarray(0, 900)),
    /premature EOF[\s\S]*copy the file again/,
  );
});

test("pprof is distinguished from text and from other binary data", () => {
  for (const whole of [cpu, heap, mutex]) {
    assert.equal(answerTo(pprof, whole), "yes");
    assert.equal(answerTo(pprof, whole.subarray(0, 30)), "yes");
    assert.equal(answerTo(pprof, whole.subarray(0, 5)), "more");
  }
  assert.equal(answerTo(pprof, "mysqld;main 12\n"), "no");
  assert.equal(answerTo(pprof, "\n\nstore;main 12\n"), "no");
  assert.equal(answerTo(pprof, "PERFILE2\0\0"), "no");
  assert.equal(answerTo(pprof, '{"format": "perfpress-profile"}'), "no");
  fc.assert(fc.property(fc.string(), (text) => answerTo(pprof, `t;${text}`) !== "yes"));
});

fuzzReader("pprof", pprof, [cpu, heap, mutex], {
  words: [Buffer.alloc(10, 0xff), Buffer.from([0x12, 0]), Buffer.from([0x0a, 4, 8, 1, 16, 2])],
});

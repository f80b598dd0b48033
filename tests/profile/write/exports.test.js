/** What is exported for other viewers is read again, the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { treeOf } from "../../../pipeline/profile/model/event_tree.js";
import { BadInput } from "../../../pipeline/profile/model/problems.js";
import { KERNEL, LIBRARY, THREAD, USER } from "../../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../../pipeline/profile/model/profile_builder.js";
import { decimalsOf, unitOf } from "../../../pipeline/profile/model/units.js";
import * as firefox from "../../../pipeline/profile/read/firefox_profiler/reader.js";
import * as folded from "../../../pipeline/profile/read/folded/reader.js";
import { Tables } from "../../../pipeline/profile/read/pprof/message.js";
import * as pprof from "../../../pipeline/profile/read/pprof/reader.js";
import * as speedscope from "../../../pipeline/profile/read/speedscope/reader.js";
import { firefoxTree } from "../../../pipeline/profile/write/firefox_profiler.js";
import { foldedTree } from "../../../pipeline/profile/write/folded.js";
import { pprofTree } from "../../../pipeline/profile/write/pprof.js";
import { speedscopeTree } from "../../../pipeline/profile/write/speedscope.js";
import { readAs } from "../captures.js";
import { HOSTILE_NAMES } from "../profiles.js";

/** @typedef {import("../../../pipeline/profile/model/event_tree.js").EventTree} EventTree */

const EXPORTS = [
  { name: "pprof", format: pprof, write: pprofTree },
  { name: "speedscope", format: speedscope, write: speedscopeTree },
];

/**
 * @param {Iterable<string | Uint8Array>} pieces each good until the next is asked for
 */
function joined(pieces) {
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
}

/** Half a letter, which no UTF-8 holds: exports have U+FFFD instead. */
const HALF = /\p{Surrogate}/u;

const names = fc.oneof(
  fc.constantFrom("main", "read", "memcmp", ...HOSTILE_NAMES.filter((one) => !HALF.test(one))),
  fc.string({ unit: "binary", minLength: 1 }),
);
/** As folded stacks can hold them. */
const plainNames = fc.constantFrom("main", "std::map<int, int>", "größe", "operator()", "read");

const counted = fc.oneof(
  fc
    .constantFrom("cycles", "cpu-clock", "unknown", "50 % off & more+")
    .map((event) => ({ event, unit: unitOf(event) })),
  fc.constantFrom(
    { event: "alloc_space", unit: "bytes" },
    { event: "unknown", unit: "0.01 samples" },
    { event: "delay", unit: "ns" },
    { event: "energy", unit: "an odd unit" },
  ),
);

const libraries = fc.constantFrom(
  "",
  "",
  "libc.so.6",
  "postgres",
  "[ext4]",
  "größe 2 (old).py",
  "a]",
);

/**
 * @param {fc.Arbitrary<string>} name
 * @param {bigint} heaviest
 */
function trees(name, heaviest) {
  const stack = fc.record({
    thread: name,
    frames: fc.array(fc.tuple(name, fc.integer({ min: 1, max: 5 }), libraries), { maxLength: 6 }),
    weight: fc.oneof(fc.bigInt({ min: 1n, max: 1000n }), fc.bigInt({ min: 1n, max: heaviest })),
    samples: fc.nat(1000),
  });
  return fc
    .record({
      counted,
      stacks: fc.array(stack, { minLength: 1, maxLength: 12 }),
      counting: fc.constantFrom("by node", "in all", "not at all"),
      lost: fc.nat(100),
      partial: fc.boolean(),
      sharesOnly: fc.constantFrom(null, "the last 10,000 waits: a full ring"),
    })
    .map(({ counted: { event, unit }, stacks, counting, lost, partial, sharesOnly }) => {
      const builder = new ProfileBuilder();
      builder.refine(decimalsOf(unit));
      for (const { thread, frames, weight, samples } of stacks) {
        let node = builder.child(0, builder.frame(thread, THREAD));
        for (const frame of frames) node = builder.child(node, builder.frame(...frame));
        builder.add(node, weight, samples);
      }
      const sum = stacks.reduce((all, { samples }) => all + samples, 0);
      return {
        event,
        unit,
        builder,
        samples: counting === "not at all" ? null : sum,
        samplesByNode: counting === "by node",
        captures: [capture(builder, { lost, partial, shares_only: sharesOnly })],
      };
    });
}

/**
 * @param {ProfileBuilder} builder
 * @param {Partial<import("../../../pipeline/profile/model/profile.js").Capture>} [about]
 */
function capture(builder, about = {}) {
  return {
    file: "perf.txt",
    path: "perf.txt",
    sha256: "",
    format: "perf-script",
    samples: null,
    weight: String(builder.total()),
    lost: 0,
    partial: false,
    shares_only: null,
    skipped: [],
    ...about,
  };
}

/** @param {EventTree} tree */
function profileOf({ builder, event, unit, samples, samplesByNode }) {
  return builder.build({ event, unit, samples, samplesByNode, captures: [] });
}

for (const { name, format, write } of EXPORTS) {
  const heaviest = name === "pprof" ? 2n ** 58n : 2n ** 49n;

  test(`a profile through ${name} is the same: names, classes, libraries, weights, samples, unit`, () => {
    fc.assert(
      fc.property(trees(names, heaviest), fc.integer({ min: 1, max: 500 }), (tree, chunkSize) => {
        const bytes = joined(write(tree));
        const read = readAs(format, bytes, { chunkSize });
        assert.deepEqual(read.skipped, []);
        assert.deepEqual(read.profiles, { [tree.event]: profileOf(tree) });
        const [{ lost, partial, shares_only: sharesOnly }] = tree.captures;
        assert.deepEqual([read.lost, read.sharesOnly], [lost, sharesOnly]);
        const reader = new format.Reader();
        reader.push(bytes);
        assert.equal(reader.finish(false).partial, partial);
      }),
    );
  });

  test(`the same profile gives the same ${name} file`, () => {
    fc.assert(
      fc.property(trees(names, heaviest), (tree) => {
        assert.deepEqual(
          joined(write(treeOf({ ...profileOf(tree), captures: tree.captures }))),
          joined(write(tree)),
        );
      }),
    );
  });

  test(`what ${name} cannot count exactly is refused, not rounded`, () => {
    const builder = new ProfileBuilder();
    builder.add(builder.child(0, builder.frame("main", THREAD)), heaviest * 64n, 1);
    const captures = [capture(builder)];
    const tree = {
      event: "cycles",
      unit: "cycles",
      builder,
      samples: 1,
      samplesByNode: true,
      captures,
    };
    assert.throws(
      () => joined(write(tree)),
      (error) =>
        error instanceof BadInput && /^perf\.txt: .*; write folded stacks/.test(error.message),
    );
  });
}

test("a profile through the Firefox Profiler's format is the same, but for the numbers of samples and losses", () => {
  fc.assert(
    fc.property(trees(names, 2n ** 49n), (tree) => {
      const read = readAs(firefox, joined(firefoxTree(tree)));
      assert.deepEqual(read.skipped, []);
      const expected = profileOf({ ...tree, samples: null, samplesByNode: false });
      assert.deepEqual(read.profiles, { [tree.event]: expected });
    }),
  );
});

test("what the Firefox Profiler cannot count exactly is refused, not rounded", () => {
  const builder = new ProfileBuilder();
  builder.add(builder.child(0, builder.frame("main", THREAD)), 2n ** 54n, 1);
  const tree = { event: "cycles", unit: "cycles", builder, samples: 1, samplesByNode: true };
  assert.throws(() => joined(firefoxTree({ ...tree, captures: [capture(builder)] })), BadInput);
});

test("a profile through folded stacks is the same, but for libraries and the samples of each stack", () => {
  fc.assert(
    fc.property(trees(plainNames, 2n ** 80n), (tree) => {
      fc.pre(decimalsOf(tree.unit) === 0); // 1.00 is read as 1: the unit may be coarser then
      const read = readAs(folded, joined(foldedTree(tree)));
      const {
        libraries: _,
        library: __,
        ...profile
      } = profileOf({
        ...tree,
        samplesByNode: false,
      });
      assert.deepEqual(read.profiles, { [tree.event]: profile });
      const [{ lost, shares_only: sharesOnly }] = tree.captures;
      assert.deepEqual([read.lost, read.sharesOnly], [lost, sharesOnly]);
    }),
  );
});

/** A program, a library of it and the kernel, each with one function. */
function treeOfLibraries() {
  const builder = new ProfileBuilder();
  const main = builder.child(
    builder.child(0, builder.frame("postgres", THREAD)),
    builder.frame("main", USER, "postgres"),
  );
  builder.add(builder.child(main, builder.frame("memcpy", LIBRARY, "libc.so.6")), 2, 2);
  builder.add(builder.child(main, builder.frame("vfs_read", KERNEL, "[kernel]")), 1, 1);
  const about = { event: "cycles", unit: "cycles", samples: 3, samplesByNode: true };
  return { ...about, builder, captures: [capture(builder)] };
}

test("pprof's mappings are the libraries, the program's own among them", () => {
  const bytes = joined(pprofTree(treeOfLibraries()));
  const tables = new Tables(bytes);
  const files = [...tables.mappings.values()].map(({ object }) => tables.string(object));
  assert.deepEqual(files.slice(6), ["postgres", "libc.so.6", "[kernel]"]);
  const ofFunction = Object.fromEntries(
    [...tables.locations.values()].map(({ id, mapping }) => [
      tables.string(tables.functions.get(id)?.name ?? 0),
      tables.string(tables.mappings.get(mapping)?.object ?? 0),
    ]),
  );
  assert.equal(ofFunction.memcpy, "libc.so.6");
  assert.equal(ofFunction.main, "postgres");
});

test("the Firefox Profiler's libraries are resources of the functions", () => {
  const json = JSON.parse(joined(firefoxTree(treeOfLibraries())).toString());
  const [{ funcTable, resourceTable, stringArray }] = json.threads;
  assert.deepEqual(
    json.libs.map((/** @type {{ name: string }} */ { name }) => name),
    ["postgres", "libc.so.6", "[kernel]"],
  );
  const found = Object.fromEntries(
    funcTable.name.map((/** @type {number} */ name, /** @type {number} */ at) => {
      const resource = funcTable.resource[at];
      const lib = json.libs[resourceTable.lib[resource]];
      assert.equal(lib?.name, stringArray[resourceTable.name[resource]]);
      return [stringArray[name], lib?.name];
    }),
  );
  assert.deepEqual(found, {
    postgres: undefined,
    main: "postgres",
    memcpy: "libc.so.6",
    vfs_read: "[kernel]",
  });
});

test("speedscope's files are class and library", () => {
  const { shared } = JSON.parse(joined(speedscopeTree(treeOfLibraries())).toString());
  assert.deepEqual(
    shared.frames.map((/** @type {{ file: string }} */ { file }) => file),
    ["[thread]", "[thread]", "[user] postgres", "[library] libc.so.6", "[kernel] [kernel]"],
  );
});

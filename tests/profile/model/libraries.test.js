import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addTree, treeOf } from "../../../pipeline/profile/model/event_tree.js";
import {
  joinedLibrary,
  LONGEST_LIBRARY,
  libraryColumns,
  libraryNames,
  MOST_LIBRARIES,
  SEVERAL,
  withoutVersion,
} from "../../../pipeline/profile/model/libraries.js";
import { LIBRARY, THREAD, USER } from "../../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../../pipeline/profile/model/profile_builder.js";

/** @typedef {[name: string, frameClass: number, library?: string]} Frame */

/** @param {Frame[][]} stacks */
function treeOfStacks(stacks) {
  const builder = new ProfileBuilder();
  for (const frames of stacks) {
    let node = builder.child(0, builder.frame("t", THREAD));
    for (const frame of frames) node = builder.child(node, builder.frame(...frame));
    builder.add(node, 1, 1);
  }
  const about = { event: "cycles", unit: "cycles", samples: stacks.length, samplesByNode: true };
  return { ...about, builder, captures: [] };
}

/** @param {Frame[][]} stacks */
function profileOf(stacks) {
  const { builder, ...about } = treeOfStacks(stacks);
  return builder.build(about);
}

/** @param {Frame[][][]} captures */
function merged(captures) {
  const [sum, ...others] = captures.map((stacks) => treeOf(profileOf(stacks)));
  for (const other of others) addTree(sum, other, "b.json");
  return sum.builder.build({ ...sum, captures: [] });
}

/** @param {ReturnType<typeof profileOf>} profile */
function byName(profile) {
  const libraries = libraryNames(profile);
  return Object.fromEntries(profile.names.map((name, index) => [name, libraries[index]]));
}

test("libraries are in the order of their first name, and have one index a name", () => {
  const profile = profileOf([
    [
      ["z", USER, "postgres"],
      ["a", LIBRARY, "libc.so.6"],
    ],
    [["b", LIBRARY, "libc.so.6"]],
    [["c", USER]],
  ]);
  assert.deepEqual(profile.names, ["all", "t", "b", "c", "z", "a"]);
  assert.deepEqual(profile.libraries, ["libc.so.6", "postgres"]);
  assert.deepEqual(profile.library, [-1, -1, 0, -1, 1, 0]);
  assert.deepEqual(Object.keys(profile).slice(9, 14), [
    "keys",
    "classes",
    "libraries",
    "library",
    "parent",
  ]);
});

test("a profile of captures that state no library has no columns for them", () => {
  const profile = profileOf([[["f", USER]]]);
  assert.ok(!("libraries" in profile) && !("library" in profile));
});

test("a function that two objects claim has no library, but its namesake of another class has", () => {
  const profile = profileOf([
    [["f", LIBRARY, "libc.so.6"]],
    [["f", LIBRARY, "libm.so.6"]],
    [["f", USER, "libc.so.6"]],
  ]);
  assert.deepEqual(profile.library, [-1, -1, 0, -1]);
});

test("merging keeps libraries, takes those that only one capture states, and none where they differ", () => {
  const profile = merged([
    [[["f", LIBRARY, "libc.so.6"]], [["g", USER]], [["h", USER, "postgres"]]],
    [[["f", LIBRARY, "libm.so.6"]], [["g", USER, "postgres"]], [["h", USER, "postgres"]]],
  ]);
  assert.deepEqual(byName(profile), { all: "", t: "", f: "", g: "postgres", h: "postgres" });
});

const frame = fc.tuple(
  fc.constantFrom("f", "g", "h"),
  fc.constantFrom(USER, LIBRARY),
  fc.constantFrom("", "a.so", "b.so"),
);
const stacks = fc.array(fc.array(frame, { maxLength: 4 }), { minLength: 1, maxLength: 8 });

test("libraries are the same in any order of stacks, of captures and through files", () => {
  fc.assert(
    fc.property(stacks, stacks, (one, other) => {
      const all = profileOf([...one, ...other]);
      assert.deepEqual(profileOf([...other, ...one].reverse()), all);
      assert.deepEqual(merged([one, other]), merged([other, one]));
      assert.deepEqual(treeOf(all).builder.build({ ...treeOf(all), captures: [] }), all);
      const halves = treeOfStacks(one);
      halves.builder.addAll(treeOfStacks(other).builder);
      assert.deepEqual(halves.builder.build({ ...halves, samples: all.samples }), all);
    }),
  );
});

test("names and numbers of libraries are bounded", () => {
  assert.equal(joinedLibrary("", "l".repeat(LONGEST_LIBRARY)), "l".repeat(LONGEST_LIBRARY));
  assert.equal(joinedLibrary("", "l".repeat(LONGEST_LIBRARY + 1)), "");
  const many = Array.from({ length: MOST_LIBRARIES + 2 }, (_, at) => `l${at}`);
  const { libraries, library } = libraryColumns([...many, "l1"]);
  assert.deepEqual(libraries, many.slice(0, MOST_LIBRARIES));
  assert.deepEqual(library?.slice(-3), [-1, -1, 1]);
});

test("what is of several libraries stays so", () => {
  assert.equal(joinedLibrary("a.so", "b.so"), SEVERAL);
  assert.equal(joinedLibrary(SEVERAL, "a.so"), SEVERAL);
  assert.equal(joinedLibrary("a.so", SEVERAL), SEVERAL);
  assert.equal(joinedLibrary("a.so", ""), "a.so");
  assert.deepEqual(libraryColumns(["", SEVERAL]), {});
});

/** @type {[string, string][]} */
const VERSIONS = [
  ["libstdc++.so.6.0.30", "libstdc++"],
  ["libstdc++.so.6.0.33", "libstdc++"],
  ["libc.so.6", "libc"],
  ["libc-2.31.so", "libc"],
  ["libpython3.11.so.1.0", "libpython3.11"],
  ["libluajit-5.1.so.2.1.0", "libluajit"],
  ["libcrypto.dylib", "libcrypto"],
  ["libcrypto.1.1.dylib", "libcrypto"],
  ["netty-common-4.1.100.Final.jar", "netty-common"],
  ["mysqld-8.0.39", "mysqld"],
  ["ld-linux-x86-64.so.2", "ld-linux-x86-64"],
  ["postgres", "postgres"],
  ["[ext4]", "[ext4]"],
  ["python3.11", "python3.11"],
];

for (const [library, plain] of VERSIONS) {
  test(`${library} without its version is ${plain}`, () => {
    assert.equal(withoutVersion(library), plain);
  });
}

test("a name that is hostile takes no longer to be without its version", () => {
  const start = performance.now();
  for (const text of ["-1.".repeat(85), ".so".repeat(85), "-1.1a".repeat(51), ".1".repeat(127)]) {
    withoutVersion(text);
  }
  assert.ok(performance.now() - start < 50);
});

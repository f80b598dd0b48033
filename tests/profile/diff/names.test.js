import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { libraryNames } from "../../../pipeline/profile/model/libraries.js";
import { profileOfStacks } from "../profiles.js";

/**
 * @param {string[]} base
 * @param {string[]} after
 * @param {Record<string, string[]>} [aliases]
 */
function named(base, after, aliases = {}) {
  const options = { baseLabel: "16", afterLabel: "18", aliases };
  const diff = diffProfiles(profileOfStacks(base), profileOfStacks(after), options);
  const { names, keys, classes, name, join, joined } = diff;
  return {
    joined,
    /** By node: name, key where it differs, class, and what it was joined as. */
    nodes: name.map((each) =>
      [names[each], keys[each], diff.class_names[classes[each]], join[each]].filter(
        (fact) => fact !== null,
      ),
    ),
    names,
  };
}

/**
 * @param {string} key
 * @param {import("../../../pipeline/profile/diff/names.js").How} how
 * @param {string[]} base
 * @param {string[]} after
 * @param {{ base_key?: string, class?: string }} [other]
 */
const joined = (key, how, base, after, other = {}) => ({
  key,
  base_key: key,
  class: "user",
  how,
  base,
  after,
  ...other,
});

test("a frame with one name on both sides has that, and its key beside it where that differs", () => {
  const found = named(["t;g.cold 3", "t;u;g.cold 1"], ["t;g.cold 3", "t;u;g.cold 1"]);
  assert.deepEqual(found.nodes, [
    ["all", "thread"],
    ["t", "thread"],
    ["g.cold", "g", "user"],
    ["u", "user"],
    ["g.cold", "g", "user"],
  ]);
  assert.deepEqual(found.names, ["all", "t", "g.cold", "u"]);
  assert.deepEqual(found.joined, []);
});

test("names that compilers and linkers make of one are joined under their key, in order", () => {
  const found = named(["t;g.part.0 1", "t;f.part.0 2", "t;f.cold 1"], ["t;f 5", "t;g.cold 1"]);
  assert.deepEqual(found.joined, [
    joined("f", "name", ["f.cold", "f.part.0"], ["f"]),
    joined("g", "name", ["g.part.0"], ["g.cold"]),
  ]);
  assert.deepEqual(found.nodes.slice(2), [
    ["f", "user", 0],
    ["g", "user", 1],
  ]);
});

test("what was joined is in the order of keys, and names in theirs, wherever they are called", () => {
  const found = named(
    ["t;a;z.part.1 1", "t;b;f.part.1 1", "t;b;z.cold 1", "t;c;z.part.0 1"],
    ["t;a;z 1", "t;b;f 1", "t;b;z.part.2 1", "t;c;z.cold 1"],
  );
  assert.deepEqual(found.joined, [
    joined("f", "name", ["f.part.1"], ["f"]),
    joined("z", "name", ["z.cold", "z.part.0", "z.part.1"], ["z", "z.cold", "z.part.2"]),
  ]);
});

test("several names on one side alone are joined, too", () => {
  const { joined: only } = named(["t;x;f.cold 1", "t;x;f.part.0 1", "t;x 9"], ["t;x 9"]);
  assert.deepEqual(only, [joined("f", "name", ["f.cold", "f.part.0"], [])]);
});

test("frames of one function are joined where their names differ, and listed once", () => {
  const found = named(
    ["t;f.cold 1", "t;u;f.cold 1", "t;v;f.part.1 1"],
    ["t;f.cold 1", "t;u;f.part.0 1", "t;v;f 1"],
  );
  assert.deepEqual(found.joined, [joined("f", "name", ["f.cold", "f.part.1"], ["f", "f.part.0"])]);
  // The first has one name; the others have the same name, key and join.
  assert.deepEqual(found.names, ["all", "t", "f.cold", "u", "f", "v"]);
  assert.deepEqual(
    found.nodes.filter((facts) => facts.includes(0)),
    [
      ["f", "user", 0],
      ["f", "user", 0],
    ],
  );
});

test("a name is one of each class, and joined in the class that has several", () => {
  const found = named(["t;f 1", "t;f.cold@kernel 1"], ["t;f 1", "t;f@kernel 1"]);
  assert.deepEqual(found.nodes.slice(2), [
    ["f", "user"],
    ["f", "kernel", 0],
  ]);
  assert.deepEqual(found.joined, [joined("f", "name", ["f.cold"], ["f"], { class: "kernel" })]);
});

test("an author's aliases are said to be that, whatever else differs", () => {
  const found = named(["t;f 1", "t;b 1"], ["t;g.cold 1", "t;b.cold 1"], { f: ["g"] });
  assert.deepEqual(found.joined, [
    joined("b", "name", ["b"], ["b.cold"]),
    joined("f", "alias", ["f"], ["g.cold"]),
  ]);
  // What only one name stands for is shown as that, and matched by the alias.
  const one = named(["t;g 1"], ["t;g 1"], { f: ["g"] });
  assert.deepEqual(one.nodes[2], ["g", "f", "user"]);
  assert.deepEqual(one.joined, []);
});

test("a function that moved to another namespace has the name and key of the release after", () => {
  const found = named(
    ["t;a::Table::seek 50", "t;a::Table::seek;x 10"],
    ["t;b::Table::seek 50", "t;b::Table::seek;x 10"],
  );
  assert.deepEqual(found.joined, [
    joined("b::Table::seek", "scope", ["a::Table::seek"], ["b::Table::seek"], {
      base_key: "a::Table::seek",
    }),
  ]);
  assert.deepEqual(found.nodes[2], ["b::Table::seek", "user", 0]);
});

test("a function that was renamed has the name of the release after, or its key for several", () => {
  /** @param {string[]} suffixes */
  const found = (suffixes) =>
    named(
      ["t;page_get_offsets_func;x 50", "t;page_get_offsets_func;y 50"],
      suffixes.flatMap((each) => [
        `t;page_get_offsets${each};x 25`,
        `t;page_get_offsets${each};y 25`,
      ]),
    );
  const one = found([".cold"]);
  assert.deepEqual(one.joined, [
    joined("page_get_offsets", "renamed", ["page_get_offsets_func"], ["page_get_offsets.cold"], {
      base_key: "page_get_offsets_func",
    }),
  ]);
  assert.deepEqual(one.nodes[2], ["page_get_offsets.cold", "page_get_offsets", "user", 0]);
  assert.deepEqual(found([".cold", ""]).nodes[2], ["page_get_offsets", "user", 0]);
});

test("threads that are compared together have no names", () => {
  const found = named(["one;f 1"], ["two;f 1"]);
  assert.deepEqual(found.nodes, [
    ["all", "thread"],
    ["f", "user"],
  ]);
  assert.deepEqual(found.joined, []);
});

/**
 * @param {string[]} base
 * @param {string[]} after
 * @returns {Record<string, string>} the library of each name that has one
 */
function librariesOf(base, after) {
  const options = { baseLabel: "16", afterLabel: "18" };
  const diff = diffProfiles(profileOfStacks(base), profileOfStacks(after), options);
  const names = libraryNames(diff);
  return Object.fromEntries(
    diff.names.map((name, at) => [name, names[at]]).filter(([, library]) => library),
  );
}

test("a library that only its version distinguishes is the same on both sides", () => {
  assert.deepEqual(
    librariesOf(
      [
        "t;main@user=postgres;sort@libc=libstdc++.so.6.0.30 1",
        "t;main@user=postgres;f@libc=a.so.1 1",
      ],
      [
        "t;main@user=postgres;sort@libc=libstdc++.so.6.0.33 1",
        "t;main@user=postgres;f@libc=a.so.1 1",
      ],
    ),
    { main: "postgres", sort: "libstdc++", f: "a.so.1" },
  );
});

test("in a diff a function has the library that one side states, and none where the sides differ", () => {
  assert.deepEqual(
    librariesOf(
      ["t;main;f@libc=a.so;g@libc=a.so 1", "t;gone@user=postgres 1"],
      ["t;main@user=postgres;f@libc=b.so;g@libc 1"],
    ),
    { main: "postgres", g: "a.so", gone: "postgres" },
  );
});

test("a diff of profiles without libraries has no columns for them", () => {
  const options = { baseLabel: "16", afterLabel: "18" };
  const diff = diffProfiles(profileOfStacks(["t;f 1"]), profileOfStacks(["t;f 1"]), options);
  assert.ok(!("libraries" in diff) && !("library" in diff));
});

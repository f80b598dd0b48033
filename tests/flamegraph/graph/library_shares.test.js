import assert from "node:assert/strict";
import { test } from "node:test";
import { libraryShares } from "../../../pipeline/flamegraph/graph/library_shares.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../../profile/profiles.js";

const STACKS = [
  "t;main@user=db 10",
  "t;main@user=db;memcmp@libc=libc.so.6 30",
  "t;main@user=db;write@kernel=[kernel] 40",
  "t;main@user=db;anything 20",
];

test("libraries and kinds of code have the shares of their own weight, the largest first", () => {
  const { libraries, kinds } = libraryShares(profileOfStacks(STACKS));
  assert.deepEqual(libraries, [
    { term: "lib:[kernel]", name: "[kernel]", parts: [0.4] },
    { term: "lib:libc.so.6", name: "libc.so.6", parts: [0.3] },
    { term: "lib:db", name: "db", parts: [0.1] },
  ]);
  assert.deepEqual(
    kinds.map(({ term, name, parts }) => [term, name, ...parts]),
    [
      ["[kernel]", "kernel", 0.4],
      ["[library]", "library", 0.3],
      ["[user]", "user code", 0.3],
    ],
  );
});

test("in a diff a library has a share on each side, whatever its version", () => {
  const base = profileOfStacks(STACKS);
  const after = profileOfStacks([
    "t;main@user=db 10",
    "t;main@user=db;memcmp@libc=libc-2.42.so 90",
    "t;main@user=db;zip@libc=libz.so.1 100",
  ]);
  const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
  const { libraries } = libraryShares(diff);
  assert.deepEqual(
    libraries.map(({ name, parts }) => [name, ...parts]),
    [
      ["libz.so.1", 0, 0.5],
      ["libc", 0.3, 0.45],
      ["[kernel]", 0.4, 0],
      ["db", 0.1, 0.05],
    ],
  );
});

test("the weight that an excerpt leaves out is given apart, and belongs to no library", () => {
  const whole = profileOfStacks(STACKS);
  assert.equal(libraryShares(whole).rest, 0);
  const rest = whole.parent.map((_, node) => (node === 2 ? 10 : 0));
  const { libraries, rest: left } = libraryShares({ ...whole, rest });
  assert.equal(left, 0.5);
  assert.deepEqual(libraries[0].parts, [0.2]);
});

test("a profile without libraries has none, and without weight no share", () => {
  assert.deepEqual(libraryShares(profileOfStacks(["t;main 1"])).libraries, []);
  assert.deepEqual(libraryShares(profileOfStacks(["t;main@user=db 0"])).libraries, []);
});

test("names of libraries are shown as those of functions", () => {
  const [{ term, name }] = libraryShares(profileOfStacks(["t;f@libc=a\u202eb.so 1"])).libraries;
  assert.deepEqual([term, name], ["lib:a[U+202E]b.so", "a[U+202E]b.so"]);
});

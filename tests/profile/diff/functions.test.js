import assert from "node:assert/strict";
import { test } from "node:test";
import { outermost } from "../../../pipeline/profile/diff/functions.js";
import { pairOf } from "../changes/pairs.js";

test("a function is all frames of one key, whatever compilers and folded stacks say of its class", () => {
  const { functions } = pairOf([
    "t;load@user 1 1",
    "t;load@inlined 1 1",
    "t;load@jit 1 1",
    "t;load@library 1 1",
    "t;load@kernel 1 1",
    "thread x;thread@kernel 1 1",
  ]);
  assert.deepEqual(functions.ids, [
    "thread t",
    "code load",
    "kernel load",
    "thread thread x",
    "kernel thread",
  ]);
  assert.deepEqual([...functions.at], [-1, 0, 1, 1, 1, 1, 2, 3, 4]);
  assert.deepEqual(functions.calls, [[1], [2, 3, 4, 5], [6], [7], [8]]);
  assert.deepEqual([...functions.isThread], [1, 0, 0, 1, 0]);
  assert.equal(functions.count, 5);
});

/** @param {string} base_key @param {string} key */
const joined = (base_key, key) => ({
  key,
  base_key,
  class: "user",
  how: /** @type {const} */ ("renamed"),
  base: [],
  after: [],
});

test("names that the diff has joined are one function, also where one was joined with several", () => {
  const { functions } = pairOf(
    ["t;scan 1 -", "t;scan_first - 1", "t;scan_rest - 1", "t;other 1 1"],
    [joined("scan", "scan_first"), joined("scan", "scan_rest"), joined("same", "same")],
  );
  assert.deepEqual(functions.ids, ["thread t", "code scan_rest", "code other"]);
  assert.deepEqual([...functions.at], [-1, 0, 1, 1, 1, 2]);
});

test("joining goes on through a chain of names", () => {
  const { functions } = pairOf(
    ["t;one 1 1", "t;two 1 1", "t;three 1 1"],
    [joined("one", "two"), joined("two", "three"), joined("one", "three")],
  );
  assert.deepEqual(functions.ids, ["thread t", "code three"]);
});

test("calls are the frames of a group that are below no other of it, again after that has ended", () => {
  // 0: the root; 1 > 2 > 3, of groups 0, 1, 0; then 4 > 5 of groups 0, 0; 6 of none; 7 of group 1.
  const parent = [-1, 0, 1, 2, 0, 4, 0, 6];
  assert.deepEqual(outermost(parent, [-1, 0, 1, 0, 0, 0, -1, 1], 2), [
    [1, 4],
    [2, 7],
  ]);
});

test("a call of a sibling's function is a call of its own", () => {
  // 1 calls 2 and 3, which are of one group; 4 is below 3.
  assert.deepEqual(outermost([-1, 0, 1, 1, 3], [-1, 0, 1, 1, 1], 2), [[1], [2, 3]]);
});

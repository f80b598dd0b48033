import assert from "node:assert/strict";
import { test } from "node:test";
import { callTree, pathTo, subtreeEnd, totalsOf } from "../../../pipeline/profile/model/tree.js";

/**
 *     0 ─┬─ 1 ─┬─ 2
 *        │     └─ 3 ── 4
 *        └─ 5
 */
const PARENT = [-1, 0, 1, 1, 3, 0];
const SELF = [1, 2, 4, 8, 16, 32];
const NODES = PARENT.map((_, node) => node);

test("a total is the node's own weight and that of all that it called", () => {
  const { self, rest, total } = callTree(PARENT, SELF);
  assert.deepEqual([...total], [63, 30, 4, 24, 16, 32]);
  assert.deepEqual([...self], SELF);
  assert.deepEqual([...rest], [0, 0, 0, 0, 0, 0]);
});

test("totals of a row of weights are those of the tree, and the row stays as it is", () => {
  const row = Float64Array.from(SELF);
  assert.deepEqual([...totalsOf(PARENT, row)], [63, 30, 4, 24, 16, 32]);
  assert.deepEqual([...row], SELF);
});

test("callees that are not listed are in the totals of their callers", () => {
  const unlisted = [0, 0, 100, 0, 1000, 0];
  const { self, rest, total } = callTree(PARENT, SELF, unlisted);
  assert.deepEqual([...total], [1163, 1130, 104, 1024, 1016, 32]);
  assert.deepEqual([...self], SELF);
  assert.deepEqual([...rest], unlisted);
});

test("the root has depth 0, and a callee one more than its caller", () => {
  assert.deepEqual([...callTree(PARENT, SELF).depth], [0, 1, 2, 2, 3, 1]);
});

test("callees follow each other in the order of their numbers", () => {
  const { firstChild, nextSibling } = callTree(PARENT, SELF);
  assert.deepEqual([...firstChild], [1, 2, -1, 4, -1, -1]);
  assert.deepEqual([...nextSibling], [-1, 5, 3, -1, -1, -1]);
});

test("a subtree ends where the next node is not below it", () => {
  const tree = callTree(PARENT, SELF);
  assert.deepEqual(
    NODES.map((node) => subtreeEnd(tree, node)),
    [6, 5, 3, 5, 5, 6],
  );
});

test("the path to a node starts at the root and ends with the node", () => {
  const tree = callTree(PARENT, SELF);
  assert.deepEqual(pathTo(tree, 4), [0, 1, 3, 4]);
  assert.deepEqual(pathTo(tree, 0), [0]);
});

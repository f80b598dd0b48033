import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { layout } from "../../../pipeline/flamegraph/graph/layout.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { excerptNames, excerptWeights } from "../../../pipeline/flamegraph/svg/excerpt.js";
import { callTree, pathTo, subtreeEnd } from "../../../pipeline/profile/model/tree.js";
import { profileOfStacks, profiles } from "../../profile/profiles.js";

/** @param {import("../../../pipeline/profile/model/profile.js").Profile} profile */
const treeOf = (profile) => profileGraph(profile).lanes[0].tree;

test("totals are self weights with those of everything called", () => {
  //     all ─ t ─ a ─ b        self: all 0, t 1, a 2, b 4, c 8
  //               └── c
  const tree = callTree([-1, 0, 1, 2, 2], [0, 1, 2, 4, 8]);
  assert.deepEqual([...tree.total], [15, 15, 14, 4, 8]);
  assert.deepEqual([...tree.depth], [0, 1, 2, 3, 3]);
  assert.deepEqual(pathTo(tree, 4), [0, 1, 2, 4]);
  assert.equal(subtreeEnd(tree, 3), 4);
  assert.equal(subtreeEnd(tree, 1), 5);
});

test("children are side by side from their parent's left edge, in proportion to their totals", () => {
  const tree = callTree([-1, 0, 1, 1], [0, 25, 25, 50]);
  const { boxes, rows, leftOut } = layout(tree, { root: 0 });
  assert.deepEqual(
    boxes.map(({ node, start, width }) => ({ node, start, width })),
    [
      { node: 0, start: 0, width: 1 },
      { node: 1, start: 0, width: 1 },
      { node: 2, start: 0, width: 0.25 },
      { node: 3, start: 0.25, width: 0.5 },
    ],
  );
  assert.equal(rows, 3);
  assert.deepEqual(leftOut, { frames: 0, weight: 0 });
});

test("a parent covers its children, and they do not overlap", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const tree = treeOf(profile);
      const { boxes } = layout(tree, { root: 0 });
      const byNode = new Map(boxes.map((box) => [box.node, box]));
      const right = new Map(boxes.map((box) => [box.node, box.start]));
      for (const box of boxes) {
        assert.equal(box.width, tree.total[box.node] / tree.total[0]);
        if (box.node === 0) continue;
        const parent = byNode.get(tree.parent[box.node]);
        assert.ok(parent, "a box without its parent");
        assert.ok(box.start >= (right.get(parent.node) ?? 0) - 1e-12, "siblings overlap");
        assert.ok(box.start + box.width <= parent.start + parent.width + 1e-12);
        right.set(parent.node, box.start + box.width);
      }
    }),
  );
});

test("every weighted frame is a box or counted as left out, by width or by number", () => {
  fc.assert(
    fc.property(
      profiles,
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
      (profile, minimumWidth, maximumFrames) => {
        const tree = treeOf(profile);
        const { boxes, leftOut } = layout(tree, { root: 0, minimumWidth, maximumFrames });
        const weighted = [...tree.total].filter((total) => total > 0).length;
        assert.equal(boxes.length + leftOut.frames, weighted);
        if (maximumFrames !== undefined) assert.ok(boxes.length <= maximumFrames);
        const drawn = new Set(boxes.map(({ node }) => node));
        const selfs = boxes.reduce((sum, { node }) => sum + tree.self[node], 0);
        assert.equal(selfs + leftOut.weight, tree.total[0], "weight lost");
        for (const { node } of boxes) assert.ok(node === 0 || drawn.has(tree.parent[node]));
      },
    ),
  );
});

test("a zoomed frame fills the width, its callers too, and only its callees are drawn", () => {
  const profile = profileOfStacks(["t;a;b 30", "t;a;c 10", "t;d 60"]);
  const graph = profileGraph(profile);
  const { tree } = graph.lanes[0];
  const zoomed = profile.name.findIndex((name) => profile.names[name] === "a");
  const { boxes } = layout(tree, { root: zoomed });
  assert.deepEqual(
    boxes.map(({ node, start, width }) => [graph.name(node), start, width]),
    [
      ["all", 0, 1],
      ["t", 0, 1],
      ["a", 0, 1],
      ["b", 0, 0.75],
      ["c", 0.75, 0.25],
    ],
  );
});

test("an excerpt is drawn where the whole tree is drawn", () => {
  fc.assert(
    fc.property(profiles, fc.integer({ min: 1, max: 20 }), (profile, maximumFrames) => {
      const tree = treeOf(profile);
      const whole = layout(tree, { root: 0, maximumFrames });
      const kept = whole.boxes.map(({ node }) => node);
      const excerpt = { ...profile, ...excerptNames(profile, kept), ...excerptWeights(tree, kept) };
      const again = layout(treeOf(excerpt), { root: 0 });
      assert.deepEqual(
        again.boxes.map(({ node, ...place }) => ({ ...place, self: treeOf(excerpt).self[node] })),
        whole.boxes.map(({ node, ...place }) => ({ ...place, self: tree.self[node] })),
      );
      const graph = profileGraph(excerpt);
      assert.deepEqual(
        kept.map((_, index) => graph.name(index)),
        kept.map((node) => profileGraph(profile).name(node)),
      );
    }),
  );
});

test("a tree without weight has no boxes", () => {
  assert.deepEqual(layout(callTree([-1], [0]), { root: 0 }).boxes, []);
});

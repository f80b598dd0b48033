import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffProfiles } from "../../pipeline/flamegraph/diff.js";
import { diffFolded } from "../../pipeline/flamegraph/diff_folded.js";
import { diffGraph } from "../../pipeline/flamegraph/diff_graph.js";
import { diffLegend } from "../../pipeline/flamegraph/diff_svg.js";
import { exactWeight, totalWeights } from "../../pipeline/flamegraph/profile.js";
import { profileOf, profileOfStacks, profiles } from "./profiles.js";

const LABELS = { beforeLabel: "16", afterLabel: "18" };

/**
 * @param {import("../../pipeline/flamegraph/profile.js").Profile} before
 * @param {import("../../pipeline/flamegraph/profile.js").Profile} after
 * @param {Partial<import("../../pipeline/flamegraph/diff.js").DiffOptions>} [options]
 */
const graphOf = (before, after, options) =>
  diffGraph(diffProfiles(before, after, { ...LABELS, ...options }));

/**
 * @param {import("../../pipeline/flamegraph/graph.js").Graph} graph
 * @param {string} name
 */
function nodeNamed(graph, name) {
  const { parent } = graph.lanes[0].tree;
  const node = Array.from(parent, (_, index) => index).find((index) => graph.name(index) === name);
  assert.ok(node !== undefined, name);
  return node;
}

test("a profile differs from itself in nothing", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const diff = diffProfiles(profile, profile, LABELS);
      const graph = diffGraph({ ...diff, colour_scale: 1 });
      assert.deepEqual(diff.before_self, diff.after_self);
      assert.equal(diff.matched.percent, 100);
      for (let node = 0; node < diff.parent.length; node++) {
        assert.equal(graph.colour(node, graph.lanes[0]), "n");
        assert.equal(graph.mark(node, graph.lanes[0]), "");
      }
      assert.equal(graph.lanes[1].tree.total[0], 0);
    }),
  );
});

test("swapping the sides negates every change and keeps the tree", () => {
  fc.assert(
    fc.property(profiles, profiles, (a, b) => {
      const there = diffProfiles(a, b, LABELS);
      const back = diffProfiles(b, a, LABELS);
      assert.deepEqual(there.names, back.names);
      assert.deepEqual(there.parent, back.parent);
      assert.deepEqual(there.name, back.name);
      assert.deepEqual(there.before_self, back.after_self);
      assert.deepEqual(there.after_self, back.before_self);
      assert.equal(there.matched.percent, back.matched.percent);
      const [forwards, backwards] = [there, back].map((diff) =>
        diffGraph({ ...diff, colour_scale: 1 }),
      );
      for (let node = 0; node < there.parent.length; node++) {
        const change = forwards.afterTree.total[node] - forwards.beforeTree.total[node];
        const negated = backwards.afterTree.total[node] - backwards.beforeTree.total[node];
        assert.equal(change, 0 - negated);
      }
    }),
  );
});

test("the sums agree with both profiles, to the unit", () => {
  fc.assert(
    fc.property(profiles, profiles, (before, after) => {
      const diff = diffProfiles(before, after, LABELS);
      /** @param {(number | string)[]} self @param {number} scale */
      const sum = (self, scale) =>
        self.reduce((total, weight) => total + BigInt(weight), 0n) * BigInt(scale);
      assert.equal(sum(diff.before_self, diff.before.scale), BigInt(before.total));
      assert.equal(sum(diff.after_self, diff.after.scale), BigInt(after.total));
    }),
  );
});

test("weights past 2^53 stay exact", () => {
  const huge = 2n ** 60n + 1n;
  const before = profileOf([
    { frames: ["t", "a"], weight: huge },
    { frames: ["t", "b"], weight: 2n },
  ]);
  const after = profileOf([{ frames: ["t", "a"], weight: 3n }]);
  const diff = diffProfiles(before, after, LABELS);
  assert.equal(exactWeight(before, totalWeights(before)[0]), huge + 2n);
  assert.ok(diffFolded(diff).includes(`t;a ${huge} 3\n`));
});

test("frames are matched by key and class along their path; what was joined is listed", () => {
  const before = profileOfStacks(["t;f;__memcmp_evex_movbe@libc 60", "t;g.part.0 40"]);
  const after = profileOfStacks(["t;f;__memcmp_avx2@libc 50", "t;g 50"]);
  const diff = diffProfiles(before, after, LABELS);
  const graph = diffGraph({ ...diff, colour_scale: 1 });
  assert.equal(diff.matched.percent, 100);
  assert.deepEqual(
    diff.joined.map(({ key, before: was, after: is }) => [key, was, is]),
    [
      ["memcmp", ["__memcmp_evex_movbe"], ["__memcmp_avx2"]],
      ["g", ["g.part.0"], ["g"]],
    ],
  );
  assert.ok(nodeNamed(graph, "memcmp"));
});

test("a function of another class is another function", () => {
  const diff = diffProfiles(
    profileOfStacks(["t;read@libc 1"]),
    profileOfStacks(["t;read@kernel 1"]),
    LABELS,
  );
  assert.equal(diff.parent.length, 4);
  assert.equal(diff.matched.percent, 0);
});

test("new, gone, grown and shrunk are told in words with both sides' numbers", () => {
  const graph = graphOf(
    profileOfStacks(["t;shrinks 500", "t;grows 300", "t;goes 200"]),
    profileOfStacks(["t;shrinks 400", "t;grows 350", "t;comes 250"]),
  );
  /** @param {string} name */
  const facts = (name) => graph.facts(nodeNamed(graph, name), 0);
  assert.deepEqual(facts("grows").slice(0, 2), [
    "grown",
    "total 30.00 % in 16, 35.00 % in 18: +5.00 points",
  ]);
  assert.equal(facts("shrinks")[1], "total 50.00 % in 16, 40.00 % in 18: −10.00 points");
  assert.deepEqual(facts("goes").slice(0, 2), [
    "gone",
    "total 20.00 % in 16, 0 % in 18: −20.00 points",
  ]);
  assert.equal(facts("comes")[0], "new");
});

test("a caller has the colour of the change of its total, though its own weight did not change", () => {
  const graph = graphOf(
    profileOfStacks(["t;caller 10", "t;caller;callee 10", "t;other 80"]),
    profileOfStacks(["t;caller 10", "t;caller;callee 50", "t;other 40"]),
  );
  assert.equal(graph.colour(nodeNamed(graph, "caller"), graph.lanes[0]), "g5");
  assert.equal(graph.colour(nodeNamed(graph, "other"), graph.lanes[0]), "s5");
});

test("what is gone keeps its width in a lane of its own", () => {
  const graph = graphOf(
    profileOfStacks(["t;stays 700", "t;goes 100", "t;goes;below 200"]),
    profileOfStacks(["t;stays 900"]),
  );
  const [afterLane, goneLane] = graph.lanes;
  const goes = nodeNamed(graph, "goes");
  assert.equal(afterLane.tree.total[goes], 0);
  assert.equal(goneLane.tree.total[goes], 0.3);
  assert.equal(goneLane.tree.total[nodeNamed(graph, "below")], 0.2);
  assert.equal(goneLane.tree.total[nodeNamed(graph, "stays")], 0);
});

test("a change within the noise floor is neutral, in colour and in words", () => {
  const graph = graphOf(
    profileOfStacks(["t;a 500", "t;b 500"]),
    profileOfStacks(["t;a 510", "t;b 490"]),
    { noiseFloor: 0.02 },
  );
  const a = nodeNamed(graph, "a");
  assert.equal(graph.colour(a, graph.lanes[0]), "n");
  assert.equal(graph.facts(a, 0)[0], "no change above the noise");
});

test("the colour scale is set by frames that are drawn", () => {
  // `thin` is new but below a tenth of a pixel; `a` moved by more than that.
  const before = profileOfStacks(["t;a 400000", "t;b 600000"]);
  const after = profileOfStacks(["t;a 400030", "t;b 599950", "t;thin 20"]);
  const { colour_scale } = diffProfiles(before, after, LABELS);
  assert.ok(Math.abs(colour_scale - 50 / 1_000_000) < 1e-9);
});

test("by cost per operation, the same share of more work is growth", () => {
  const before = profileOfStacks(["t;a 500", "t;b 500"]);
  const after = profileOfStacks(["t;a 1000", "t;b 1000"]);
  const graph = graphOf(before, after, {
    basis: "cost_per_operation",
    beforeFactor: 1 / 100,
    afterFactor: 1 / 125,
  });
  assert.equal(
    graph.facts(nodeNamed(graph, "a"), 0)[1],
    "total 5 cycles per operation in 16, 8 cycles per operation in 18: +3 cycles per operation (+60.0 %)",
  );
});

test("costs of different units are refused, shares are not", () => {
  const cycles = profileOfStacks(["t;a 1"]);
  const time = profileOfStacks(["t;a 1"], { event: "cpu-clock" });
  assert.throws(() => diffProfiles(cycles, time, { ...LABELS, basis: "cost_per_operation" }), {
    message: /16 counts cycles, 18 counts CPU ns; expected the same unit/,
  });
  assert.equal(diffProfiles(cycles, time, LABELS).matched.percent, 100);
});

test("the legend names both releases", () => {
  const diff = diffProfiles(profileOfStacks(["t;a 1"]), profileOfStacks(["t;a 1"]), LABELS);
  assert.deepEqual(
    diffLegend(diff).map(({ text }) => text),
    [
      "red: larger share of 18 than of 16",
      "blue: smaller share of 18 than of 16",
      "grey: no change",
    ],
  );
});

test("a profile without weight can stand on either side", () => {
  const empty = profileOf([]);
  const other = profileOfStacks(["t;a 5"]);
  for (const [before, after] of [
    [empty, other],
    [other, empty],
    [empty, empty],
  ]) {
    assert.equal(diffProfiles(before, after, LABELS).matched.percent, 0);
    graphOf(before, after);
  }
});

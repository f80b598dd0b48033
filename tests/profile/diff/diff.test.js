import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph, withColourScale } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { diffFolded, normalizedDiffFolded } from "../../../pipeline/profile/diff/folded.js";
import { readFolded } from "../captures.js";
import { profileOf, profileOfStacks, profiles } from "../profiles.js";

const LABELS = { baseLabel: "16", afterLabel: "18" };
/** So many that nothing here is chance. */
const MANY = { samples: 1e8 };

/**
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} base
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} after
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 */
const graphOf = (base, after, options) =>
  diffGraph(diffProfiles(base, after, { ...LABELS, ...options }));

/**
 * @param {import("../../../pipeline/flamegraph/graph/graph.js").Graph} graph
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
      assert.deepEqual(diff.base_self, diff.after_self);
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
      assert.deepEqual(there.base_self, back.after_self);
      assert.deepEqual(there.after_self, back.base_self);
      assert.equal(there.matched.percent, back.matched.percent);
      const [forwards, backwards] = [there, back].map((diff) =>
        diffGraph({ ...diff, colour_scale: 1 }),
      );
      for (let node = 0; node < there.parent.length; node++) {
        const change = forwards.afterTree.total[node] - forwards.baseTree.total[node];
        const negated = backwards.afterTree.total[node] - backwards.baseTree.total[node];
        assert.equal(change, 0 - negated);
      }
    }),
  );
});

test("the sums agree with both profiles, to the unit", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const diff = diffProfiles(base, after, LABELS);
      /** @param {(number | string)[]} self @param {number} scale */
      const sum = (self, scale) =>
        self.reduce((total, weight) => total + BigInt(weight), 0n) * BigInt(scale);
      assert.equal(sum(diff.base_self, diff.base.scale), BigInt(base.total));
      assert.equal(sum(diff.after_self, diff.after.scale), BigInt(after.total));
    }),
  );
});

test("weights past 2^53 stay exact", () => {
  const huge = 2n ** 60n + 1n;
  const base = profileOf([
    { frames: ["t", "a"], weight: huge },
    { frames: ["t", "b"], weight: 2n },
  ]);
  const after = profileOf([{ frames: ["t", "a"], weight: 3n }]);
  const diff = diffProfiles(base, after, LABELS);
  assert.ok(diffFolded(diff).includes(`t;a ${huge} 3\n`));
});

test("frames are matched by key and class along their path; what was joined is listed", () => {
  const base = profileOfStacks(["t;f;__memcmp_evex_movbe@libc 60", "t;g.part.0 40"]);
  const after = profileOfStacks(["t;f;__memcmp_avx2@libc 50", "t;g 50"]);
  const diff = diffProfiles(base, after, LABELS);
  const graph = diffGraph({ ...diff, colour_scale: 1 });
  assert.equal(diff.matched.percent, 100);
  assert.deepEqual(
    diff.joined.map(({ key, base: was, after: is }) => [key, was, is]),
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

test("new, gone, grown and shrunk are described with both sides' numbers", () => {
  const graph = graphOf(
    profileOfStacks(["t;shrinks 500", "t;grows 300", "t;goes 200"], MANY),
    profileOfStacks(["t;shrinks 400", "t;grows 350", "t;comes 250"], MANY),
  );
  /** @param {string} name */
  const facts = (name) => graph.facts(nodeNamed(graph, name), 0);
  assert.deepEqual(facts("grows").slice(0, 2), [
    "grown, by more than the noise (±0.03 points)",
    "total 30.00 % in 16, 35.00 % in 18: +5.00 points",
  ]);
  assert.equal(facts("shrinks")[1], "total 50.00 % in 16, 40.00 % in 18: −10.00 points");
  assert.deepEqual(facts("goes").slice(0, 2), [
    "gone, by more than the noise (±0.02 points)",
    "total 20.00 % in 16, 0 % in 18: −20.00 points",
  ]);
  assert.match(facts("comes")[0], /^new, by more than the noise/);
});

test("a caller has the colour of the change of its total, though its own weight did not change", () => {
  const graph = graphOf(
    profileOfStacks(["t;caller 10", "t;caller;callee 10", "t;other 80"], MANY),
    profileOfStacks(["t;caller 10", "t;caller;callee 50", "t;other 40"], MANY),
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

test("the colour scale is set by frames that are drawn", () => {
  // `thin` lost 30 points and is below a tenth of a pixel now; each of the others grew by 6.
  const others = ["a", "b", "c", "d", "e"];
  const base = profileOfStacks([...others.map((name) => `t;${name} 140000`), "t;thin 300000"]);
  const after = profileOfStacks([...others.map((name) => `t;${name} 199998`), "t;thin 10"]);
  const { colour_scale } = withColourScale(diffProfiles(base, after, LABELS));
  assert.ok(Math.abs(colour_scale - 0.059998) < 1e-9);
});

/**
 * A profile of samples drawn by chance, the same for the same seed.
 *
 * @param {number} seed
 * @param {number} samples
 */
function sampled(seed, samples) {
  const counts = [0, 0, 0, 0, 0];
  let state = seed;
  for (let sample = 0; sample < samples; sample++) {
    state = (state * 48271) % 2147483647;
    // Half of the samples are of the first function, a quarter of the second, and so on.
    counts[Math.min(counts.length - 1, Math.floor(-Math.log2(state / 2147483647)))]++;
  }
  return profileOfStacks(counts.map((count, index) => `t;caller;f${index} ${count}`));
}

test("two profiles of one build make a pale diff, by share and by cost", () => {
  const pairs = Array.from({ length: 20 }, (_, index) =>
    [2 * index + 1, 2 * index + 2].map((number) => sampled(number * 1_000_003, 5000)),
  );
  for (const options of [
    {},
    {
      basis: /** @type {const} */ ("cost_per_operation"),
      bases: { cost_per_operation: { base: 1e-3, after: 1.01e-3 } },
    },
  ]) {
    const strongest = pairs.map(([base, after]) => {
      const graph = graphOf(base, after, options);
      const shades = base.parent.map((_, node) => graph.colour(node, graph.lanes[0]).slice(1));
      return Math.max(...shades.map(Number));
    });
    assert.ok(Math.max(...strongest) <= 3, String(strongest));
    assert.ok(strongest.filter((shade) => shade === 3).length <= 2, String(strongest));
  }
});

test("a change above the noise has the strongest colour where it is the only one", () => {
  const graph = graphOf(
    profileOfStacks(["t;a 500", "t;b 500"], MANY),
    profileOfStacks(["t;a 550", "t;b 450"], MANY),
  );
  assert.equal(graph.colour(nodeNamed(graph, "a"), graph.lanes[0]), "g5");
});

test("a function may call as many others as there are", () => {
  const stacks = Array.from({ length: 150_000 }, (_, index) => `t;f${index} 1`);
  const profile = profileOfStacks(stacks);
  assert.equal(diffProfiles(profile, profile, LABELS).parent.length, 150_002);
});

test("two-column stacks fold to the profiles that were compared", () => {
  const base = readFolded("t;f;memcpy_[l] 1.25\nt;read_[k] 3\n").profiles.unknown;
  const after = readFolded("t;f;memcpy_[l] 2\nt;f;g_[i] 4\n").profiles.unknown;
  const lines = diffFolded(diffProfiles(base, after, LABELS))
    .trimEnd()
    .split("\n");
  assert.deepEqual(lines, ["t;f;g_[i] 0.00 4", "t;f;memcpy_[l] 1.25 2", "t;read_[k] 3.00 0"]);
  const [first, second] = [1, 2].map((column) =>
    lines
      .map((line) => [line.split(" ")[0], line.split(" ")[column]])
      .filter(([, weight]) => Number(weight) > 0)
      .map((parts) => `${parts.join(" ")}\n`),
  );
  assert.deepEqual(readFolded(first.join("")).profiles.unknown, base);
  assert.deepEqual(readFolded(second.join("")).profiles.unknown, after);
});

test("normalized, the base's column adds up to the other's total, each weight within a unit", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const diff = diffProfiles(base, after, LABELS);
      /** @param {string} text @param {number} column from the end */
      const weights = (text, column) =>
        new Map(
          text
            .split("\n")
            .slice(0, -1)
            .map((line) => line.split(" "))
            .map((words) => [words.slice(0, -2).join(" "), Number(words.at(column))]),
        );
      const exact = weights(diffFolded(diff), -2);
      const normalized = weights(normalizedDiffFolded(diff), -2);
      const sum = [...normalized.values()].reduce((total, weight) => total + weight, 0);
      assert.equal(String(sum), after.total);
      for (const [stack, weight] of exact) {
        const expected = (weight * Number(after.total)) / Number(base.total);
        assert.ok(Math.abs((normalized.get(stack) ?? 0) - expected) <= 1, stack);
      }
    }),
  );
});

test("by cost per operation, the same share of more work is growth", () => {
  const base = profileOfStacks(["t;a 500", "t;b 500"]);
  const after = profileOfStacks(["t;a 1000", "t;b 1000"]);
  const graph = graphOf(base, after, {
    basis: "cost_per_operation",
    bases: { cost_per_operation: { base: 1 / 100, after: 1 / 125 } },
  });
  assert.equal(
    graph.facts(nodeNamed(graph, "a"), 0)[1],
    "total 5 cycles per operation in 16, 8 cycles per operation in 18: +3 cycles per operation (+60.0 %)",
  );
});

test("costs of different units are refused, shares are not", () => {
  const cycles = profileOfStacks(["t;a 1"]);
  const time = profileOfStacks(["t;a 1"], { event: "cpu-clock" });
  assert.throws(
    () =>
      diffProfiles(cycles, time, {
        ...LABELS,
        bases: { cost_per_operation: { base: 1, after: 1 } },
      }),
    {
      message: /16 counts cycles, 18 counts CPU ns; expected the same unit/,
    },
  );
  assert.equal(diffProfiles(cycles, time, LABELS).matched.percent, 100);
});

test("the legend names both releases", () => {
  const { legend } = graphOf(profileOfStacks(["t;a 1"]), profileOfStacks(["t;a 1"]));
  assert.deepEqual(
    legend.map(({ text }) => text),
    ["red, +: larger share of 18 than of 16", "blue, −: smaller", "grey: within the noise"],
  );
});

test("a profile without weight can be on either side", () => {
  const empty = profileOf([]);
  const other = profileOfStacks(["t;a 5"]);
  for (const [base, after] of [
    [empty, other],
    [other, empty],
    [empty, empty],
  ]) {
    assert.equal(diffProfiles(base, after, LABELS).matched.percent, 0);
    graphOf(base, after);
  }
});

test("names that an author joins are one function, under either name", () => {
  const base = profileOfStacks(["t;main;internal_flush;send 60", "t;main;other 40"]);
  const after = profileOfStacks(["t;main;flush_buffer;send 70", "t;main;other 30"]);
  const aliases = { internal_flush: ["flush_buffer"] };
  const diff = diffProfiles(base, after, { ...LABELS, aliases });
  assert.equal(diff.matched.percent, 100);
  assert.deepEqual(diff.joined, [
    {
      key: "internal_flush",
      base_key: "internal_flush",
      class: "user",
      how: "alias",
      base: ["internal_flush"],
      after: ["flush_buffer"],
    },
  ]);
  assert.deepEqual(diffProfiles(base, after, LABELS).joined, []);
});

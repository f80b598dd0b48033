/** The inverted tree: weights stay, each function is as wide as it is alone, callers lead to threads. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { leafTree, THIN } from "../../../pipeline/flamegraph/graph/leaf_tree.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { callTree } from "../../../pipeline/profile/model/tree.js";
import { profileOfStacks, profiles } from "../../profile/profiles.js";

/** @param {any} data @param {string} [column] */
function outline(data, column = "self") {
  const tree = callTree(data.parent, data[column].map(Number));
  return data.parent.map(
    (/** @type {number} */ _, /** @type {number} */ node) =>
      `${"  ".repeat(tree.depth[node])}${data.names[data.name[node]]} ${tree.total[node]}`,
  );
}

const SORTING = profileOfStacks([
  "t;main;sort;memcmp 5",
  "t;main;scan;memcmp 7",
  "t;main;scan 11",
  "t;main;scan;sort 2",
]);

test("each function is as wide as its own weight, its callers beyond it", () => {
  assert.deepEqual(outline(leafTree(SORTING)), [
    "all 25",
    "  memcmp 12",
    "    scan 7",
    "      main 7",
    "        t 7",
    "    sort 5",
    "      main 5",
    "        t 5",
    "  scan 11",
    "    main 11",
    "      t 11",
    "  sort 2",
    "    scan 2",
    "      main 2",
    "        t 2",
  ]);
});

test("the heavier is on the left, of functions and of callers", () => {
  const data = profileOfStacks(["t;a;z 9", "t;b;z 1", "t;c;y 3", "t;a;y 1"]);
  assert.deepEqual(
    outline(leafTree(data)).map((/** @type {string} */ line) => line.trim()),
    [...["all 14", "z 10", "a 9", "t 9", "b 1", "t 1"], ...["y 4", "c 3", "t 3", "a 1", "t 1"]],
  );
});

test("facts say what is of the function alone, and what of its calls from where", () => {
  const { facts } = profileGraph(/** @type {any} */ (leafTree(SORTING)));
  assert.equal(facts(1, 0)[0], "self 12 cycles, 48.00 % of all");
  assert.equal(facts(3, 0)[0], "memcmp from here: 7 cycles, 28.00 % of all");
  assert.equal(
    facts(5, 1)[0],
    "memcmp from here: 5 cycles, 20.00 % of all, 41.67 % of the zoomed frame",
  );
  assert.equal(facts(0, 0)[0], "total 25 cycles, 100 % of all");
});

test("callers of next to nothing are not followed, and no weight is lost", () => {
  const tree = leafTree(profileOfStacks([`t;main;hot ${2 / THIN}`, "t;main;rare 1", "t;b;rare 1"]));
  assert.deepEqual(outline(tree), [
    `all ${2 / THIN + 2}`,
    `  hot ${2 / THIN}`,
    `    main ${2 / THIN}`,
    `      t ${2 / THIN}`,
    "  rare 2",
  ]);
});

test("all weights stay, and the first row is what each function weighs alone", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const tree = /** @type {any} */ (leafTree(profile));
      const { total } = callTree(tree.parent, tree.self.map(Number));
      /** @type {Map<number, number>} */
      const alone = new Map();
      profile.name.forEach((name, node) => {
        const own = Number(profile.self[node]);
        if (node > 0 && own > 0) alone.set(name, (alone.get(name) ?? 0) + own);
      });
      const first = tree.parent.flatMap(
        (/** @type {number} */ parent, /** @type {number} */ node) =>
          parent === 0 ? [[tree.name[node], total[node]]] : [],
      );
      const byName = (/** @type {[number, number]} */ [a], /** @type {[number, number]} */ [b]) =>
        a - b;
      assert.deepEqual(first.sort(byName), [...alone].sort(byName));
      assert.equal(
        total[0],
        profile.self.reduce((/** @type {number} */ sum, own) => sum + Number(own), 0),
      );
    }),
  );
});

test("the leaves of a diff change by their own weight", () => {
  const base = profileOfStacks(["t;main;memcmp 60", "t;main 40"]);
  const after = profileOfStacks(["t;main;memcmp 80", "t;main 20"]);
  const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
  const tree = /** @type {any} */ (leafTree(/** @type {any} */ (diff)));
  assert.deepEqual(outline(tree, "base_self"), outline(leafTree(base)));
  assert.deepEqual(outline(tree, "after_self"), outline(leafTree(after)));
  const { facts } = diffGraph(tree);
  const memcmp = tree.name.findIndex((/** @type {number} */ name) => tree.names[name] === "memcmp");
  assert.match(facts(memcmp, 0)[1], /^self 60.00 % in 16, 80.00 % in 18: \+20/);
});

test("the noise of a leaf is that of its own weight", () => {
  const base = profileOfStacks(["t;main;memcmp 50", "t;main 50"]);
  const diff = /** @type {any} */ (diffProfiles(base, base, { baseLabel: "16", afterLabel: "18" }));
  diff.noise_share = [9, 8, 5, 4];
  diff.self_noise_share = [0, 0, 3, 4];
  const tree = /** @type {any} */ (leafTree(diff));
  const at = (/** @type {string} */ wanted) =>
    tree.parent.findIndex(
      (/** @type {number} */ parent, /** @type {number} */ node) =>
        parent === 0 && tree.names[tree.name[node]] === wanted,
    );
  assert.deepEqual(
    [at("main"), at("memcmp")].map((node) => tree.noise_share[node]),
    [3, 4],
  );
  assert.equal(tree.noise_share[0], 9);
});

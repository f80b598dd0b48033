/** Trees of a function, without recursion, without what waits: no weight is lost or counted twice. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decompressed } from "../../../pipeline/flamegraph/graph/compressed.js";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { edited, NO_EDITS } from "../../../pipeline/flamegraph/graph/edits.js";
import { functionTree, outermost } from "../../../pipeline/flamegraph/graph/function_tree.js";
import { isIdle } from "../../../pipeline/flamegraph/graph/idle.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { keysOf } from "../../../pipeline/flamegraph/graph/rebuild.js";
import { scene } from "../../../pipeline/flamegraph/graph/scene.js";
import { sectionsOf } from "../../../pipeline/flamegraph/graph/sections.js";
import { diffSvg } from "../../../pipeline/flamegraph/svg/diff_svg.js";
import { profileSvg } from "../../../pipeline/flamegraph/svg/profile_svg.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { functionIds, linkName } from "../../../pipeline/profile/model/function_names.js";
import { callTree, pathTo } from "../../../pipeline/profile/model/tree.js";
import { profileOf, profileOfStacks, profiles } from "../../profile/profiles.js";

const IDLE = { ...NO_EDITS, hide: "idle" };
/** @param {Columns} data */
const withoutRecursion = (data) => edited(data, { ...NO_EDITS, merge: "recursion" }).data;

/** @typedef {import("../../../pipeline/flamegraph/graph/rebuild.js").Columns} Columns */

/** @param {unknown} columns */
const asColumns = (columns) => /** @type {Columns} */ (columns);

/**
 * @param {unknown} columns
 * @returns {Record<string, any>}
 */
const loose = (columns) => /** @type {Record<string, any>} */ (columns);

/**
 * Write a tree as lines, with the weights of a column.
 *
 * @param {Columns} data
 * @param {string} [column]
 */
function outline(data, column = "self") {
  const tree = callTree(data.parent, loose(data)[column].map(Number), loose(data).rest);
  return data.parent.map(
    (_, node) =>
      `${"  ".repeat(tree.depth[node])}${data.names[data.name[node]]} ${tree.total[node]}`,
  );
}

/**
 * Return what a function weighs, each sample once, from the stacks of a tree.
 *
 * @param {Columns} data
 * @param {string} id
 * @param {string} [column]
 */
function weightOf(data, id, column = "self") {
  const ids = functionIds(data);
  const tree = callTree(data.parent, loose(data)[column].map(Number));
  return data.parent.reduce((sum, _, node) => {
    const hit = pathTo(tree, node).some((at) => at > 0 && ids[data.name[at]] === id);
    return hit ? sum + tree.self[node] : sum;
  }, 0);
}

const SORTING = profileOfStacks([
  "t;main;sort;memcmp 5",
  "t;main;sort;sort;memcmp;page_fault@kernel 2",
  "t;main;scan;memcmp 7",
  "t;main;scan 11",
]);

test("the callees of a function are those of all its call sites", () => {
  assert.deepEqual(outline(/** @type {Columns} */ (functionTree(SORTING, "memcmp", "callees"))), [
    "all 25",
    "  memcmp 14",
    "    page_fault 2",
  ]);
});

test("a function that calls itself is among its callees, and counts once", () => {
  assert.deepEqual(outline(/** @type {Columns} */ (functionTree(SORTING, "sort", "callees"))), [
    "all 25",
    "  sort 7",
    "    memcmp 5",
    "    sort 2",
    "      memcmp 2",
    "        page_fault 2",
  ]);
});

test("the callers of a function are below it, to the threads", () => {
  assert.deepEqual(outline(/** @type {Columns} */ (functionTree(SORTING, "memcmp", "callers"))), [
    "all 25",
    "  memcmp 14",
    "    scan 7",
    "      main 7",
    "        t 7",
    "    sort 7",
    "      main 5",
    "        t 5",
    "      sort 2",
    "        main 2",
    "          t 2",
  ]);
});

test("both stand in sections of one numbering", () => {
  const both = /** @type {Columns} */ (functionTree(SORTING, "memcmp", "both"));
  const [callers, callees] = sectionsOf(both);
  assert.deepEqual([callers.first, callers.end, callees.first], [1, 11, 11]);
  assert.equal(callees.end, both.parent.length);
  const { facts } = profileGraph(/** @type {any} */ (both));
  assert.equal(facts(callees.first, 0)[0], "total 14 cycles, 56.00 % of all");
  assert.equal(facts(2, 0)[0], "memcmp from here: 7 cycles, 28.00 % of all, 50.00 % of memcmp");
});

test("a thread and a function, or the kernel's, of one name are distinguished", () => {
  const data = profileOfStacks([
    "postgres;postgres;write;write@kernel 5",
    "postgres;main 2",
    "u;write@libc 3",
  ]);
  /** @param {string} of */
  const callees = (of) => outline(/** @type {Columns} */ (functionTree(data, of, "callees")));
  assert.deepEqual(callees("[thread]postgres"), [
    "all 10",
    "  postgres 7",
    "    main 2",
    "    postgres 5",
    "      write 5",
    "        write 5",
  ]);
  assert.deepEqual(callees("[user]postgres").slice(0, 2), ["all 10", "  postgres 5"]);
  assert.deepEqual(callees("[kernel]write"), ["all 10", "  write 5"]);
  // Folded stacks do not mark frames of libraries: they count as the program's.
  assert.deepEqual(callees("write"), ["all 10", "  write 8", "    write 5"]);
  assert.deepEqual(outline(withoutRecursion(data)), outline(data));
  const ids = functionIds(data);
  assert.deepEqual(
    ids
      .slice(1)
      .map((id) => linkName(ids, id))
      .toSorted(),
    [
      "[kernel]write",
      "[thread]postgres",
      "[user]postgres",
      "[user]write",
      "[user]write",
      "main",
      "u",
    ],
  );
});

test("a function that is not there has no tree", () => {
  assert.equal(functionTree(SORTING, "vanished", "both"), null);
  assert.equal(functionTree(SORTING, "all", "both"), null);
});

/** @param {(data: Columns, columns: string[]) => void} check of profiles, diffs and their excerpts */
function forAny(check) {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      check(base, ["self"]);
      const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
      check(diff, ["base_self", "after_self"]);
    }),
    { numRuns: 60 },
  );
}

test("whatever the function, no weight is lost, and its total counts each sample once", () => {
  forAny((data, columns) => {
    const ids = functionIds(data);
    for (const id of new Set(data.name.slice(1).map((name) => ids[name]))) {
      for (const column of columns) {
        const weights = callTree(data.parent, loose(data)[column].map(Number));
        const weight = weightOf(data, id, column);
        for (const side of /** @type {const} */ (["callees", "callers", "both"])) {
          const made = /** @type {Columns} */ (functionTree(data, linkName(ids, id), side));
          const tree = callTree(made.parent, loose(made)[column].map(Number));
          for (const { first } of sectionsOf(made)) {
            assert.equal(tree.total[first], weight, `${side} of ${id}`);
            assert.equal(tree.self[0] + tree.total[first], weights.total[0]);
          }
        }
      }
    }
  });
});

test("what calls a function directly is what the function is called from", () => {
  forAny((data, [column]) => {
    const ids = functionIds(data);
    const tree = callTree(data.parent, loose(data)[column].map(Number));
    const of = linkName(ids, ids[data.name[data.parent.length - 1]]);
    const made = /** @type {Columns} */ (functionTree(data, of, "callers"));
    const weights = callTree(made.parent, loose(made)[column].map(Number));
    /** @type {Map<number, number>} */
    const expected = new Map();
    for (const call of outermost(data, of)) {
      const caller = data.parent[call];
      if (caller === 0) continue;
      const name = data.name[caller];
      expected.set(name, (expected.get(name) ?? 0) + tree.total[call]);
    }
    const found = new Map();
    for (let node = weights.firstChild[1]; node >= 0; node = weights.nextSibling[node]) {
      found.set(made.name[node], weights.total[node]);
    }
    assert.deepEqual(found, expected);
  });
});

test("where nothing recurs or waits, nothing moves", () => {
  const plain = profileOfStacks(["t;main;sort 5", "t;main;scan;memcmp@libc 7", "u;main 3"]);
  assert.deepEqual(withoutRecursion(plain), { ...plain });
  assert.deepEqual(edited(plain, IDLE).data, { ...plain });
});

test("any tree is in preorder, with siblings of different names in the file's order", () => {
  forAny((data) => {
    const order = data.format === "perfpress-diff" ? keysOf(data) : data.names;
    const keys = keysOf(data);
    const made = functionTree(data, keys[data.name[1]], "both") ?? data;
    for (const { parent, name } of [made, withoutRecursion(data), edited(data, IDLE).data]) {
      const tree = callTree(parent, parent);
      parent.forEach((above, node) => {
        assert.ok(above < node);
        const next = tree.nextSibling[node];
        if (next < 0 || above === 0) return;
        assert.ok(name[node] !== name[next] && order[name[node]] <= order[name[next]]);
      });
    }
  });
});

test("direct recursion becomes one frame, indirect stays", () => {
  const data = profileOfStacks([
    "t;f;f;f;g 5",
    "t;f;g 3",
    "t;f;f 1",
    "t;f;f.part.0;h 4",
    "t;f;g;f 2",
  ]);
  assert.deepEqual(outline(withoutRecursion(data)), [
    "all 15",
    "  t 15",
    "    f 15",
    "      g 10",
    "        f 2",
    "      h 4",
  ]);
});

test("merging recursion keeps what every function weighs, and twice is once", () => {
  forAny((data, columns) => {
    const merged = withoutRecursion(data);
    assert.deepEqual(withoutRecursion(merged), merged);
    for (const column of columns) {
      for (const id of new Set(functionIds(data))) {
        assert.equal(weightOf(merged, id, column), weightOf(data, id, column));
      }
    }
  });
});

test("what waits is hidden, with its share, and shares are of the rest", () => {
  const data = profileOfStacks([
    "t;main;work 30",
    "t;main;epoll_wait;ep_poll@kernel 11",
    "swapper;do_idle@kernel 59",
  ]);
  const { data: left, hidden, waiting: names } = edited(data, IDLE);
  assert.deepEqual(hidden, [{ label: "", share: 0.7 }]);
  assert.deepEqual(names, ["epoll_wait", "swapper"]);
  assert.deepEqual(outline(left), ["all 30", "  t 30", "    main 30", "      work 30"]);
});

test("where everything waits, nothing is left, and the numbers say so", () => {
  const { data, hidden } = edited(profileOfStacks(["t;main;poll 5"]), IDLE);
  assert.deepEqual(hidden, [{ label: "", share: 1 }]);
  const graph = profileGraph(/** @type {any} */ (data));
  assert.deepEqual(graph.facts(0, 0).slice(0, 1), ["total 0 cycles, 0 % of all"]);
  assert.deepEqual(scene(graph, { width: 900, zoomed: 0, direction: "icicle" }).frames, []);
});

test("a diff without what waits has shares of the rest on both sides", () => {
  const base = profileOfStacks(["t;main;work 30", "t;main;poll 10"]);
  const after = profileOfStacks(["t;main;work 30", "t;main;poll 90"]);
  const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
  const { data, hidden } = edited(diff, IDLE);
  assert.deepEqual(hidden, [
    { label: "16", share: 0.25 },
    { label: "18", share: 0.75 },
  ]);
  const graph = diffGraph(/** @type {any} */ (data));
  assert.deepEqual([graph.baseTree.total[0], graph.afterTree.total[0]], [1, 1]);
});

test("functions that only sound like waiting stay", () => {
  for (const name of [
    "epoll_wait",
    "futex_wait_queue_me",
    "swapper/3",
    "default_idle_call",
    "__poll",
    "runtime.gopark",
  ]) {
    assert.ok(isIdle(name), name);
  }
  for (const name of [
    "polling",
    "epoll_ctl",
    "selectdb",
    "futex_wake",
    "idle_hands",
    "runtime_gopark",
  ]) {
    assert.ok(!isIdle(name), name);
  }
});

test("weights past 2^53 stay exact", () => {
  const huge = 2n ** 60n;
  const data = profileOf([
    { frames: ["t", "a", "f"], weight: huge + 1n },
    { frames: ["t", "b", "f"], weight: huge },
    { frames: ["t", "b", "f", "f"], weight: 3n },
  ]);
  const made = loose(functionTree(data, "f", "callees"));
  assert.deepEqual(made.self, ["0", String(2n * huge + 1n), "3"]);
  assert.deepEqual(loose(withoutRecursion(data)).self.at(-1), String(huge + 3n));
});

test("an excerpt has trees as well, with the weight of what it leaves out", () => {
  const thin = Array.from({ length: 40 }, (_, index) => `t;main;f;thin_${index} 1`);
  const base = profileOfStacks([...thin, "t;main;f;g 9000000", "t;f 50000"]);
  const after = profileOfStacks(["t;main;f;g 9000000", "t;f 50000"]);
  const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
  /** @param {string} svg */
  const dataOf = (svg) =>
    asColumns(decompressed(JSON.parse(/class="data">(.*?)<\/script>/s.exec(svg)?.[1] ?? "")));
  const profile = dataOf(profileSvg(base, "16", []).svg);
  assert.ok(loose(profile).rest.some((/** @type {number} */ rest) => rest > 0));
  for (const side of /** @type {const} */ (["callees", "callers"])) {
    const made = loose(functionTree(profile, "f", side));
    assert.equal(callTree(made.parent, made.self, made.rest).total[1], 9050040);
    const compared = diffGraph(
      /** @type {any} */ (functionTree(dataOf(diffSvg(diff, "d").svg), "f", side)),
    );
    assert.equal(compared.baseTree.total[1], 1);
    // What is gone is below the function; none of its callers is.
    assert.equal(compared.goneTree.total[1] > 0, side === "callees");
  }
});

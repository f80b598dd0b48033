/** The numbers of the matrix, counted against call stacks one by one. */

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { Counts, OTHERS } from "../../assets/js/function-matrix/counts.js";
import { unpacked } from "../../assets/js/function-matrix/data.js";
import { nodesAt } from "../../assets/js/function-matrix/path.js";
import { INITIAL, numberWord, viewOf } from "../../assets/js/function-matrix/view.js";
import { vectors } from "../vectors/vectors.js";

/** @typedef {[string[], number[]][]} Stacks frames, and the weight of each release */

/**
 * @param {Stacks} stacks
 * @returns {import("../../assets/js/function-matrix/counts.js").Data}
 */
function dataOf(stacks) {
  const key = [...new Set(stacks.flatMap(([frames]) => frames))];
  const releases = stacks[0]?.[1].length ?? 1;
  const sorted = stacks.toSorted(([a], [b]) => (a.join("\0") < b.join("\0") ? -1 : 1));
  const parent = [-1];
  const which = [OTHERS];
  const self = Array.from({ length: releases }, () => [0]);
  /** @type {Map<string, number>} */
  const nodes = new Map();
  for (const [frames, weights] of sorted) {
    let at = 0;
    for (const [depth, frame] of frames.entries()) {
      const path = frames.slice(0, depth + 1).join("\0");
      let node = nodes.get(path);
      if (node === undefined) {
        node = parent.length;
        nodes.set(path, node);
        parent.push(at);
        which.push(key.indexOf(frame));
        for (const own of self) own.push(0);
      }
      at = node;
    }
    for (const [release, weight] of weights.entries()) self[release][at] += weight;
  }
  /** @param {(frames: string[], name: string) => boolean} counts */
  const sums = (counts) =>
    self.map((_, release) =>
      key.map((name) => weightOf(stacks, release, (frames) => counts(frames, name))),
    );
  return {
    unit: "cycles",
    factor: 1,
    cost_unit: "cycles/insert",
    releases: self.map((_, release) => ({
      label: `r${release}`,
      total: weightOf(stacks, release, () => true),
      operations: 10,
      graph: "/graph/#g.frame=",
    })),
    key,
    name: key,
    class: key.map((name) => (name === "t" ? "thread" : "user")),
    totals: sums((frames, name) => frames.includes(name)),
    selfs: sums((frames, name) => frames.at(-1) === name),
    parent,
    function: which,
    self,
  };
}

/**
 * @param {Stacks} stacks
 * @param {number} release
 * @param {(frames: string[]) => boolean} counts
 */
function weightOf(stacks, release, counts) {
  return stacks.reduce((sum, [frames, each]) => sum + (counts(frames) ? each[release] : 0), 0);
}

const frames = fc
  .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 5 })
  .map((names) => ["t", ...names]);
const stacksOf = fc
  .uniqueArray(frames, { minLength: 1, maxLength: 8, selector: (each) => each.join() })
  .chain((paths) =>
    fc.tuple(...paths.map((path) => fc.tuple(fc.constant(path), fc.tuple(fc.nat(50), fc.nat(50))))),
  );

test("below a function, a sample counts once for each function on its stack from there", () => {
  fc.assert(
    fc.property(stacksOf, (stacks) => {
      const counts = new Counts(dataOf(stacks));
      const found = counts.functions(counts.find("a"));
      for (const { function: at, totals, selfs } of found) {
        const name = counts.data.key[at];
        for (const release of [0, 1]) {
          assert.equal(
            totals[release],
            weightOf(stacks, release, (each) => {
              const start = each.indexOf("a");
              return start >= 0 && each.includes(name, start);
            }),
          );
          assert.equal(
            selfs[release],
            weightOf(stacks, release, (each) => each.includes("a") && each.at(-1) === name),
          );
        }
      }
    }),
  );
});

test("callees are what was called directly", () => {
  fc.assert(
    fc.property(stacksOf, (stacks) => {
      const counts = new Counts(dataOf(stacks));
      for (const { function: at, totals } of counts.callees(counts.find("a"))) {
        const name = counts.data.key[at];
        const expected = weightOf(stacks, 0, (each) =>
          each.some((frame, depth) => frame === "a" && each[depth + 1] === name),
        );
        assert.equal(totals[0], expected);
      }
    }),
  );
});

test("paths mean what they mean in the tables", () => {
  fc.assert(
    fc.property(stacksOf, fc.constantFrom(">", ">>"), (stacks, operator) => {
      const data = dataOf(stacks);
      const counts = new Counts(data);
      const [weight] = counts.weigh(nodesAt(`a ${operator} b`, data));
      const expected = weightOf(stacks, 0, (each) =>
        each.some((frame, at) => {
          if (frame !== "a") return false;
          return operator === ">" ? each[at + 1] === "b" : each.includes("b", at + 1);
        }),
      );
      assert.equal(weight, expected);
    }),
  );
});

test("paths that readers type mean what they mean in drilldowns", () => {
  const { stacks, paths } = vectors("drilldown_paths");
  const data = dataOf(stacks.map((/** @type {any} */ [frames, weight]) => [frames, [weight]]));
  for (const at of data.key.keys()) {
    const isThread = stacks.some((/** @type {any} */ [[thread]]) => thread === data.key[at]);
    data.class[at] = isThread ? "thread" : "user";
  }
  /** @param {number} node @returns {string[]} */
  const pathOf = (node) =>
    node > 0 ? [...pathOf(data.parent[node]), data.key[data.function[node]]] : [];
  for (const [path, nodes] of paths) {
    assert.deepEqual(nodesAt(path, data).map(pathOf).sort(), nodes.toSorted(), path);
  }
});

/** @type {Stacks} */
const STACKS = [
  [
    ["t", "grows"],
    [10, 30],
  ],
  [
    ["t", "grows", "inner"],
    [0, 10],
  ],
  [
    ["t", "shrinks"],
    [90, 60],
  ],
];

/** @param {Partial<import("../../assets/js/function-matrix/view.js").State>} state */
function shown(state) {
  const counts = new Counts(dataOf(STACKS));
  const { rows, unknown } = viewOf(counts, { ...INITIAL, ...state }, 100);
  const names = rows.map(({ weights, numbers }) => [
    counts.data.name[weights.function],
    ...numbers,
  ]);
  return { names, unknown };
}

test("rows are sorted, the other way around too", () => {
  assert.deepEqual(
    shown({ sort: "change" }).names.map(([name]) => name),
    ["grows", "inner", "t", "shrinks"],
  );
  assert.equal(shown({ sort: "-change" }).names[0][0], "shrinks");
  assert.equal(shown({ sort: "name" }).names[0][0], "grows");
  assert.equal(shown({ sort: "-1" }).names[0][0], "inner");
});

test("numbers are percent of the whole or of a function, self, or cost", () => {
  assert.deepEqual(shown({ search: "inner" }).names, [["inner", 0, 10]]);
  assert.deepEqual(shown({ of: "grows" }).names, [
    ["grows", 100, 100],
    ["inner", 0, 25],
  ]);
  assert.deepEqual(shown({ below: "grows", number: "self" }).names, [
    ["grows", 10, 30],
    ["inner", 0, 10],
  ]);
  assert.deepEqual(shown({ search: "shrinks", number: "cost" }).names, [["shrinks", 9, 6]]);
});

test("an open row is followed by its callees; what is in no profile is reported", () => {
  assert.deepEqual(
    shown({ search: "grows", open: JSON.stringify([["user grows"]]) }).names.map(([name]) => name),
    ["grows", "inner"],
  );
  for (const open of ["{", "3", "null", '"x"']) assert.equal(shown({ open }).names.length, 4);
  assert.deepEqual(shown({ below: "nothing" }), { names: [], unknown: ["nothing"] });
});

test("a caption is of a number that there is, whatever the link says", () => {
  assert.deepEqual(["self", "cost", "", "constructor"].map(numberWord), [
    ...["Self", "Cost", "Total", "Total"],
  ]);
});

test("what is fetched has names where they are not the keys, and parents as depths", () => {
  const fetched = /** @type {any} */ ({
    releases: [{ graph: "/a/#cpu.frame=" }, { graph: "" }],
    key: ["main", "memcmp"],
    name: [null, "__memcmp_evex_movbe"],
    depth: [0, 1, 2, 2, 1, 2],
  });
  const { name, parent, releases } = unpacked(fetched, "/perf");
  assert.deepEqual(name, ["main", "__memcmp_evex_movbe"]);
  assert.deepEqual(parent, [-1, 0, 1, 1, 0, 4]);
  assert.deepEqual(
    releases.map(({ graph }) => graph),
    ["/perf/a/#cpu.frame=", ""],
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProfiles } from "../../pipeline/flamegraph/diff.js";
import { diffGraph, IN_AFTER, IN_BASE } from "../../pipeline/flamegraph/diff_graph.js";
import { profileOfStacks } from "./profiles.js";

const LABELS = { baseLabel: "12", afterLabel: "18" };

/**
 * @param {Record<string, number>} base
 * @param {Record<string, number>} after
 */
function diffOf(base, after) {
  const [baseProfile, afterProfile] = [base, after].map((stacks) =>
    profileOfStacks(Object.entries(stacks).map(([path, weight]) => `${path} ${weight}`)),
  );
  return diffProfiles(baseProfile, afterProfile, LABELS);
}

/**
 * The paths of a diff with what each side weighs there, callees included, and who has the frame.
 *
 * @param {import("../../pipeline/flamegraph/diff.js").Diff} diff
 */
function totals(diff) {
  const graph = diffGraph(diff);
  /** @param {number} share @param {string} total */
  const weight = (share, total) => Math.round(share * Number(total));
  return Object.fromEntries(
    diff.parent.map((_, node) => {
      const path = [];
      for (let at = node; at > 0; at = diff.parent[at]) path.unshift(graph.name(at));
      const weights = [
        weight(graph.baseTree.total[node], diff.base.total),
        weight(graph.afterTree.total[node], diff.after.total),
      ];
      return [path.join(";"), [...weights, diff.present[node]]];
    }),
  );
}

const BOTH = IN_BASE + IN_AFTER;

test("frames that only one release has are matched through", () => {
  const diff = diffOf(
    { "postgres;ServerLoop;PostgresMain;run": 60, "postgres;ServerLoop;PostgresMain;read": 40 },
    {
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain;run": 50,
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain;read": 45,
      "postgres;ServerLoop;postmaster_child_launch;BackendMain;InitPostgres": 5,
    },
  );
  const found = totals(diff);
  const main = "postgres;ServerLoop;postmaster_child_launch;BackendMain;PostgresMain";
  assert.deepEqual(found["postgres;ServerLoop;postmaster_child_launch"], [100, 100, IN_AFTER]);
  assert.deepEqual(found[`${main};run`], [60, 50, BOTH]);
  assert.deepEqual(found[`${main};read`], [40, 45, BOTH]);
  assert.equal(found["postgres;ServerLoop;PostgresMain"], undefined);
  assert.equal(diff.matched.base_percent, 100);
  assert.equal(diff.matched.after_percent, 95);
});

test("swapping the sides finds the same wrappers", () => {
  const short = { "t;main;work;read": 30, "t;main;work;write": 70 };
  const long = { "t;main;outer;inner;work;read": 35, "t;main;outer;inner;work;write": 65 };
  const there = diffOf(short, long);
  const back = diffOf(long, short);
  assert.deepEqual(there.parent, back.parent);
  assert.deepEqual(there.names, back.names);
  assert.deepEqual(there.base_self, back.after_self);
  assert.deepEqual(
    back.present,
    there.present.map((sides) => (sides === BOTH ? BOTH : BOTH - sides)),
  );
});

test("wrappers of both sides do not stand in each other's way", () => {
  const diff = diffOf(
    { "t;main;old_wrapper;parse": 50, "t;main;execute": 50 },
    { "t;main;parse": 40, "t;main;new_wrapper;execute": 60 },
  );
  assert.equal(diff.matched.percent, 100);
});

test("a frame of which only a small part goes on is no wrapper", () => {
  const diff = diffOf(
    { "t;main;read": 50, "t;main;other": 50 },
    { "t;main;prefetch;read": 10, "t;main;prefetch": 90, "t;main;other": 50 },
  );
  const found = totals(diff);
  assert.deepEqual(found["t;main;read"], [50, 0, IN_BASE]);
  assert.deepEqual(found["t;main;prefetch;read"], [0, 10, IN_AFTER]);
});

test("a function of the same name far below is not taken for the one above", () => {
  const between = Array.from({ length: 9 }, (_, index) => `f${index}`).join(";");
  const diff = diffOf({ "t;main;work": 10 }, { [`t;main;${between};work`]: 10 });
  assert.equal(diff.matched.percent, 0);
});

test("nodes that differ in name only are wrapped together", () => {
  const diff = diffOf(
    { "t;main;work.cold": 10, "t;main;work": 90 },
    { "t;main;outer;work": 80, "t;main;outer;work.part.0": 20 },
  );
  assert.equal(diff.matched.percent, 100);
});

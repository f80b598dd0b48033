/** Trees without what a reader leaves out: whose weight stays, whose goes, and what shares are of. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { edited, NO_EDITS } from "../../../pipeline/flamegraph/graph/edits.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { callTree, pathTo } from "../../../pipeline/profile/model/tree.js";
import { profileOfStacks, profiles } from "../../profile/profiles.js";

const PROFILE = profileOfStacks([
  "t;main;db::get;memcmp 30",
  "t;main;db::get;memcmp;page_fault@kernel 20",
  "t;main;db::put;write@kernel 40",
  "t;main;poll 10",
]);

const WITH_LIBRARIES = profileOfStacks([
  "t;main@user=db;get@user=db;memcmp@libc=libc.so.6 30",
  "t;main@user=db;zip@libc=libz.so.1.3;memcpy@libc=libc.so.6 20",
  "t;main@user=db;write@kernel=[ext4] 40",
]);

/**
 * Write the stacks of what is left, with their own weight.
 *
 * @param {Partial<import("../../../pipeline/flamegraph/graph/edits.js").Edits>} edits
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} [profile]
 */
function stacks(edits, profile = PROFILE) {
  const { data } = edited(profile, { ...NO_EDITS, ...edits });
  assert.ok(data.format !== "perfpress-diff");
  const self = data.self.map((weight) => Number(weight) * data.scale);
  const tree = callTree(data.parent, self);
  return data.parent.flatMap((_, node) => {
    const names = pathTo(tree, node).slice(1);
    const stack = names.map((at) => data.names[data.name[at]]).join(";");
    return self[node] > 0 ? [`${stack} ${self[node]}`] : [];
  });
}

test("hide takes a function out with what it calls", () => {
  assert.deepEqual(stacks({ hide: "memcmp" }), ["t;main;db::put;write 40", "t;main;poll 10"]);
});

test("callers of nothing but what is hidden go with it", () => {
  const { data } = edited(PROFILE, { ...NO_EDITS, hide: "memcmp" });
  assert.ok(!data.name.some((name) => data.names[name] === "db::get"));
});

test("what waits is named, also where its caller goes with it", () => {
  const profile = profileOfStacks(["t;main 5", "t;idling;epoll_wait;do_poll 5"]);
  assert.deepEqual(edited(profile, { ...NO_EDITS, hide: "idle" }).waiting, ["epoll_wait"]);
});

test("only keeps the stacks that hold it, with their callers", () => {
  assert.deepEqual(stacks({ only: "memcmp" }), [
    "t;main;db::get;memcmp 30",
    "t;main;db::get;memcmp;page_fault 20",
  ]);
});

test("a library is hidden, focused on, collapsed and merged as a function is", () => {
  /** @param {Partial<import("../../../pipeline/flamegraph/graph/edits.js").Edits>} edits */
  const left = (edits) => stacks(edits, WITH_LIBRARIES);
  assert.deepEqual(left({ hide: "lib:libc.so.6" }), ["t;main;write 40"]);
  assert.deepEqual(left({ only: "lib:libz.so.1.3" }), ["t;main;zip;memcpy 20"]);
  assert.deepEqual(left({ collapse: "lib:libz.so.1.3 | lib:[ext4]" }), [
    "t;main;get;memcmp 30",
    "t;main;write 40",
    "t;main;zip 20",
  ]);
  assert.deepEqual(left({ merge: "lib:libc.so.6" }), [
    "t;main;get 30",
    "t;main;write 40",
    "t;main;zip 20",
  ]);
});

test("a link names a library in any version; one that is not there is missing", () => {
  const libc = stacks({ hide: "lib:libc.so.6" }, WITH_LIBRARIES);
  for (const name of ["libc", "libc.so", "libc-2.31.so"]) {
    assert.deepEqual(stacks({ hide: `lib:${name}` }, WITH_LIBRARIES), libc);
  }
  const { missing } = edited(WITH_LIBRARIES, { ...NO_EDITS, hide: "lib:libm.so.6 | lib:" });
  assert.deepEqual(missing, ["lib:libm.so.6", "lib:"]);
  assert.deepEqual(edited(PROFILE, { ...NO_EDITS, hide: "lib:libc.so.6" }).missing, [
    "lib:libc.so.6",
  ]);
});

test("a library is meant by the name that is shown of it", () => {
  const profile = profileOfStacks(["t;f@libc=a\u0007b.so 1", "t;g 1"]);
  assert.deepEqual(stacks({ hide: "lib:a[U+0007]b.so" }, profile), ["t;g 1"]);
});

test("collapse makes it and what it calls one frame, and no weight is lost", () => {
  assert.deepEqual(stacks({ collapse: "db::get" }), [
    "t;main;db::get 50",
    "t;main;db::put;write 40",
    "t;main;poll 10",
  ]);
});

test("merge gives the callers of a function its weight and what it calls", () => {
  assert.deepEqual(stacks({ merge: "memcmp | main" }), [
    "t;db::get 30",
    "t;db::get;page_fault 20",
    "t;db::put;write 40",
    "t;poll 10",
  ]);
  assert.deepEqual(stacks({ merge: "[thread]t" }).slice(0, 1), ["main;db::get;memcmp 30"]);
});

test("what meets below a merged function is one frame, direct recursion too where asked for", () => {
  const profile = profileOfStacks(["t;f;wrapper;f;g 3", "t;f;g 4", "t;f;wrapper 1"]);
  /** @param {string} merge */
  const merged = (merge) => edited(profile, { ...NO_EDITS, merge }).data;
  /** @param {import("../../../pipeline/flamegraph/graph/edits.js").Edited["data"]} data */
  const names = (data) => data.name.map((name) => data.names[name]);
  assert.deepEqual(names(merged("wrapper")), ["all", "t", "f", "f", "g", "g"]);
  const one = merged("wrapper | recursion");
  assert.deepEqual(names(one), ["all", "t", "f", "g"]);
  assert.deepEqual("self" in one && one.self.map(Number), [0, 0, 1, 7]);
});

test("in a diff a caller is on the sides that it was on, whatever is merged into it", () => {
  const after = profileOfStacks(["t;main;db::get;wrapper;memcmp 10"]);
  const diff = diffProfiles(PROFILE, after, { baseLabel: "16", afterLabel: "18" });
  const { data } = edited(diff, { ...NO_EDITS, merge: "db::get" });
  assert.ok(data.format === "perfpress-diff");
  const present = (
    /** @type {import("../../../pipeline/profile/diff/diff.js").DiffTree} */ {
      name,
      names,
      present,
    },
  ) => Object.fromEntries(name.map((index, node) => [names[index], present[node]]));
  const { "db::get": _, ...others } = present(diff);
  assert.deepEqual(present(data), others);
});

test("a kind of code and a beginning of names stand for all that fits, several for any", () => {
  assert.deepEqual(stacks({ only: "[kernel]", hide: "memcmp" }), ["t;main;db::put;write 40"]);
  assert.deepEqual(stacks({ collapse: "db::*" }), [
    "t;main;db::get 50",
    "t;main;db::put 40",
    "t;main;poll 10",
  ]);
  assert.deepEqual(stacks({ hide: "db::* | idle" }), []);
});

test("names that the tree has not are reported, and change nothing", () => {
  const { data, missing } = edited(PROFILE, { ...NO_EDITS, hide: "vanished | memcmp | none::*" });
  assert.deepEqual(missing, ["vanished", "none::*"]);
  assert.deepEqual(data, edited(PROFILE, { ...NO_EDITS, hide: "memcmp" }).data);
});

test("in a diff the shares of each side are of its rest", () => {
  const after = profileOfStacks(["t;main;db::get;memcmp 10", "t;main;poll 30"]);
  const diff = diffProfiles(PROFILE, after, { baseLabel: "16", afterLabel: "18" });
  const { data, hidden } = edited(diff, { ...NO_EDITS, only: "memcmp" });
  const shares = hidden.map(({ label, share }) => [label, share]);
  assert.deepEqual(shares, [
    ["16", 0.5],
    ["18", 0.75],
  ]);
  assert.ok(data.format === "perfpress-diff");
  assert.deepEqual([data.base.total, data.after.total], ["50", "10"]);
});

test("what hiding takes out is what focusing keeps", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const [hide, only] = ["hide", "only"].map((edit) => {
        const [{ share }] = edited(profile, { ...NO_EDITS, [edit]: "[user]" }).hidden;
        return share;
      });
      if (profile.total !== "0") assert.ok(Math.abs(hide + only - 1) < 1e-9);
    }),
  );
});

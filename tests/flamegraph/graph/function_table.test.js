import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import {
  cellText,
  diffFunctions,
  profileFunctions,
  sortedFunctions,
  tableHead,
} from "../../../pipeline/flamegraph/graph/function_table.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { functionId } from "../../../pipeline/profile/model/function_names.js";
import { shownName } from "../../../pipeline/profile/model/shown_names.js";
import { HOSTILE_NAMES, profileOf, profileOfStacks, profiles } from "../../profile/profiles.js";

/** @param {import("../../../pipeline/profile/model/profile.js").Profile} profile */
const functionsOf = (profile) => profileFunctions(profile, profileGraph(profile));

/**
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} base
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} after
 */
function changesOf(base, after, options = {}) {
  const labels = { baseLabel: "16", afterLabel: "18" };
  const diff = diffProfiles(base, after, { ...labels, ...options });
  return diffFunctions(diff, diffGraph(diff));
}

/**
 * @param {import("../../../pipeline/flamegraph/graph/function_table.js").FunctionTable} table
 * @param {string} name
 */
function row(table, name) {
  const index = table.names.indexOf(name);
  return Object.fromEntries(table.columns.map((column) => [column.key, cellText(column, index)]));
}

test("a function has what it weighs alone and with what it called, in percent and in its unit", () => {
  const table = functionsOf(
    profileOfStacks(["t;main;scan;cmp 30", "t;main;cmp 10", "t;main;scan 20", "t;main 40"]),
  );
  assert.deepEqual(row(table, "cmp"), {
    self: "40.00",
    total: "40.00",
    "self-weight": "40",
    "total-weight": "40",
  });
  assert.deepEqual(row(table, "scan"), {
    self: "20.00",
    total: "50.00",
    "self-weight": "20",
    "total-weight": "50",
  });
  assert.deepEqual(
    table.columns.map(({ unit }) => unit),
    ["% of all", "% of all", "cycles", "cycles"],
  );
});

test("a function that calls itself, by whatever way, counts once", () => {
  const table = functionsOf(
    profileOfStacks(["t;f;f;g;f 5", "t;f;g 3", "t;g;f;g 2", "t;h 10", "t;f 1"]),
  );
  assert.equal(row(table, "f")["total-weight"], "11");
  assert.equal(row(table, "f")["self-weight"], "6");
  assert.equal(row(table, "g")["total-weight"], "10");
});

test("what functions weigh alone is the whole, and no total is more than it", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const { columns } = functionsOf(profile);
      const [self, total] = columns.map(({ values }) => values);
      const sum = self.reduce((whole, value) => whole + value, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9);
      total.forEach((value, index) => {
        assert.ok(value <= 1 + 1e-12 && value >= self[index]);
      });
    }),
  );
});

test("functions of one name are distinguished by what distinguishes them in diffs", () => {
  const table = functionsOf(profileOfStacks(["write;write;write@kernel 3", "t;write@libc 4"]));
  assert.deepEqual(table.ids.toSorted(), [
    "kernel write",
    "thread t",
    "thread write",
    "user write",
  ]);
  // Folded stacks of most tools do not mark frames of libraries.
  assert.equal(table.kinds[table.ids.indexOf("user write")], "library, user code");
});

test("a weight is in a unit that a column can be read in", () => {
  const nanoseconds = profileOfStacks(["t;a 15970000000", "t;b 1000000"], { event: "cpu-clock" });
  const table = functionsOf(nanoseconds);
  assert.equal(table.columns[2].unit, "CPU s");
  assert.equal(row(table, "a")["self-weight"], "15.970");
  assert.equal(row(table, "b")["self-weight"], "0.001");
});

test("a diff has both sides, the change, and nothing where a side has no such function", () => {
  const base = profileOfStacks(["t;main;scan 60", "t;main;sort 40"]);
  const after = profileOfStacks(["t;main;scan 70", "t;main;hash 30"]);
  const table = changesOf(base, after);
  assert.deepEqual(row(table, "scan"), {
    "self-change": "+10.00",
    "self-base": "60.00",
    "self-after": "70.00",
    "total-change": "+10.00",
    "total-base": "60.00",
    "total-after": "70.00",
  });
  assert.equal(row(table, "sort")["self-change"], "−40.00");
  assert.equal(row(table, "sort")["self-after"], "–");
  assert.equal(row(table, "hash")["self-base"], "–");
  assert.equal(row(table, "main")["self-change"], "0.00");
  assert.deepEqual(
    sortedFunctions(table, table.first, false).map((index) => table.names[index]),
    ["sort", "hash", "scan", "main", "t"],
  );
});

test("a diff in cost per operation says so, and is in that", () => {
  const base = profileOfStacks(["t;a 1000"]);
  const after = profileOfStacks(["t;a 3000"]);
  const table = changesOf(base, after, {
    basis: "cost_per_operation",
    bases: { cost_per_operation: { base: 0.1, after: 0.1 } },
  });
  assert.equal(table.columns[0].unit, "self, cycles per operation");
  assert.equal(row(table, "a")["self-change"], "+200.00");
});

test("the changes of what functions weigh alone add up to the change of all", () => {
  fc.assert(
    fc.property(profiles, profiles, (base, after) => {
      const diff = diffProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
      const graph = diffGraph(diff);
      const { columns } = diffFunctions(diff, graph);
      const sum = columns[0].values.reduce((all, one) => all + one, 0);
      // Where threads are taken together, what they do themselves is the root's.
      const ofRoot = 100 * (graph.afterTree.self[0] - graph.baseTree.self[0]);
      assert.ok(Math.abs(sum + ofRoot) < 1e-6, `${sum} ${ofRoot}`);
      assert.ok(changesOf(base, base).columns[0].values.every((value) => value === 0));
    }),
    { numRuns: 40 },
  );
});

test("rows are sorted either way, without a value last, ties by name", () => {
  const table = changesOf(
    profileOfStacks(["t;b 10", "t;gone 10", "t;a 10"]),
    profileOfStacks(["t;a 10", "t;b 10", "t;new 10"]),
  );
  const names = (/** @type {string} */ key, /** @type {boolean} */ ascending) =>
    sortedFunctions(table, key, ascending)
      .map((index) => table.names[index])
      .join(" ");
  assert.equal(names("self-after", false), "a b new t gone");
  assert.equal(names("self-after", true), "t a b new gone");
  assert.equal(names("self-base", true), "t a b gone new");
  assert.equal(names("name", true), "a b gone new t");
  assert.equal(names("name", false), "t new gone b a");
});

test("the first rows are those of the whole table, in the same words", () => {
  const table = functionsOf(profileOfStacks(["t;a 10", "t;b 30", "t;c 20"]));
  const head = tableHead(table, 2);
  assert.equal(head.functions, 4);
  assert.deepEqual(
    head.rows.map(({ name, kind, cells }) => [name, kind, cells[0].text]),
    [
      ["b", "user code", "50.00"],
      ["c", "user code", "33.33"],
    ],
  );
  assert.equal(head.rows[0].id, "user b");
});

test("names that mean harm stay names; long ones are cut in their middle", () => {
  const profile = profileOf(
    HOSTILE_NAMES.map((name, index) => ({ frames: ["t", name], weight: 10 + index })),
  );
  const head = tableHead(functionsOf(profile), 100);
  const names = head.rows.map(({ name }) => name);
  for (const name of HOSTILE_NAMES.filter((each) => each.length < 200 && each.trim())) {
    assert.ok(names.includes(shownName(name)), JSON.stringify(name));
  }
  assert.ok(names.every((name) => name.length <= 200));
  assert.ok(head.rows.every(({ id }) => id.length < 1020));
});

test("a frame's function is the same in an excerpt", () => {
  const profile = profileOf([{ frames: ["t", `${"x".repeat(3000)}.part.0`], weight: 5 }]);
  const graph = profileGraph(profile);
  assert.ok(functionsOf(profile).ids.includes(functionId(graph.className(2), graph.key(2))));
});

test("a function that only one release has weighs nothing in the other, though what it calls goes on", () => {
  const table = changesOf(
    profileOfStacks(["t;main;run;scan;cmp 60", "t;main;run;sort 40"]),
    profileOfStacks(["t;main;child;run;scan;cmp 60", "t;main;child;run;sort 40"]),
  );
  assert.equal(row(table, "run")["total-base"], "100.00");
  assert.equal(row(table, "child")["total-base"], "–");
  assert.equal(row(table, "child")["total-after"], "100.00");
  assert.equal(row(table, "child")["total-change"], "+100.00");
});

test("a total in the release that lacks a frame is that of what the frame calls, and labelled so", () => {
  const diff = diffProfiles(
    profileOfStacks(["t;main;run;scan 60", "t;main;run;sort 40"]),
    profileOfStacks(["t;main;child;run;scan 60", "t;main;child;run;sort 40"]),
    { baseLabel: "16", afterLabel: "18" },
  );
  const graph = diffGraph(diff);
  const nodes = diff.parent.map((_, node) => node);
  const factsOf = (/** @type {string} */ name) =>
    graph.facts(nodes.find((node) => graph.name(node) === name) ?? 0, 0).join(" · ");
  assert.match(factsOf("child"), /only 18 has it.* · total, in 16 of what it calls, 100/);
  assert.match(factsOf("run"), / · total 100/);
});

test("the kind of code says the library, where captures state it", () => {
  const profile = profileOfStacks([
    "t;main@user=db;memcmp@libc=libc.so.6 30",
    "t;main@user=db;write@kernel=[kernel] 40",
    "t;main@user=db;read@kernel=[ext4] 20",
    "t;main@user=db;other 20",
  ]);
  const { ids, kinds, libraries } = profileFunctions(profile, profileGraph(profile));
  const found = Object.fromEntries(ids.map((id, at) => [id, [kinds[at], libraries[at]]]));
  assert.deepEqual(found, {
    "thread t": ["thread", ""],
    "user main": ["program db", "db"],
    "user memcmp": ["library libc.so.6", "libc.so.6"],
    "kernel write": ["kernel", "[kernel]"],
    "kernel read": ["kernel in [ext4]", "[ext4]"],
    "user other": ["user code", ""],
  });
});

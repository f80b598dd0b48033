import assert from "node:assert/strict";
import { test } from "node:test";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { foundByShare } from "../changes/programs.js";
import { profileOfStacks } from "../profiles.js";

const LABELS = { baseLabel: "16", afterLabel: "18" };
const WHOLE = "low;clone;start;run_pool;do_job;compact";

/** @param {number} cut of 1000 samples of one function, how many lack two frames */
const pool = (cut) =>
  profileOfStacks([
    `${WHOLE};merge ${(1000 - cut) * 1000}`,
    `low;clone;start;compact;merge ${cut * 1000}`,
    `low;clone;start;run_pool;wait_job 50000`,
    "client;clone;start;serve 900000",
  ]);

test("stacks without outer frames are put where whole stacks call the same function", () => {
  const diff = diffProfiles(pool(100), pool(300), LABELS);
  assert.equal(diff.names.filter((name) => name === "compact").length, 1);
  assert.equal(diff.parent.length, 13);
  const node = diff.name.findIndex((index) => diff.names[index] === "merge");
  assert.deepEqual(
    [diff.base_self[node], diff.after_self[node]].map((w) => Number(w) * diff.base.scale),
    [1e6, 1e6],
  );
  assert.ok(Math.abs(diff.cut.base_percent - 100 / 19.5) < 1e-6);
  assert.ok(Math.abs(diff.cut.after_percent - 300 / 19.5) < 1e-6);
  assert.equal(diff.matched.percent, 100);
});

test("another part of cut stacks is no change and no shift", () => {
  const { additions, savings, shifts } = foundByShare(pool(100), pool(300));
  assert.deepEqual([additions, savings, shifts], [[], [], []]);
});

test("what whole stacks call at several places stays where it is", () => {
  const profile = profileOfStacks([
    "t;start;a;memcmp 300",
    "t;start;b;memcmp 300",
    "t;start;c;memcmp 300",
    "t;start;memcmp 100",
  ]);
  const { cut } = diffProfiles(profile, profile, LABELS);
  assert.deepEqual(cut, { base_percent: 0, after_percent: 0 });
});

/** MySQL 5.6, whose do_command jumps to dispatch_command, and 5.7, which calls more on the way to either. */
const JUMPS = profileOfStacks([
  "t;connection;do_connection;dispatch;parse 600",
  "t;connection;do_connection;dispatch;send 260",
  "t;connection;do_connection;command;receive 119",
  "t;connection;close 2",
  "t;cleaner 19",
]);
const CALLS = profileOfStacks([
  "t;spawn;handle;command;dispatch;parse 600",
  "t;spawn;handle;command;dispatch;send 260",
  "t;spawn;handle;command;get_command;receive 118",
  "t;spawn;handle;alive 4",
  "t;spawn;start 1",
  "t;cleaner 17",
]);

for (const [how, base, after, lacking] of /** @type {const} */ ([
  ["is no longer", JUMPS, CALLS, "base_percent"],
  ["becomes", CALLS, JUMPS, "after_percent"],
])) {
  test(`what ${how} a tail call has one caller, with all that the caller calls`, () => {
    const { names, name, parent, matched, cut } = diffProfiles(base, after, LABELS);
    /** @param {string} text */
    const nodesOf = (text) =>
      parent.flatMap((_, node) => (names[name[node]] === text ? [node] : []));
    const [command, ...others] = nodesOf("command");
    assert.deepEqual(others, []);
    const called = parent.flatMap((above, node) => (above === command ? [names[name[node]]] : []));
    assert.deepEqual(called, ["dispatch", "get_command"]);
    assert.deepEqual([nodesOf("receive").length, nodesOf("parse").length], [1, 1]);
    assert.ok(matched.percent > 99, `${matched.percent}`);
    assert.ok(Math.abs(cut[lacking] - 86) < 1e-6, `${cut[lacking]}`);
  });
}

test("what one release calls through itself is not joined with what it calls", () => {
  const plain = profileOfStacks(["t;walk;visit 700", "t;walk;read 300"]);
  const recursive = profileOfStacks(["t;walk;walk;visit 700", "t;walk;read 300"]);
  const { names, name } = diffProfiles(plain, recursive, LABELS);
  assert.equal(name.filter((index) => names[index] === "walk").length, 2);
});

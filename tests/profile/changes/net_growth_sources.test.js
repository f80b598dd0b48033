import assert from "node:assert/strict";
import { test } from "node:test";
import { netGrowth } from "../../../pipeline/profile/changes/net_growth.js";
import { growthReader, pairOf, round } from "./pairs.js";

/** Code that stays as it is, so that nothing is nearly all. */
const REST = ["t;rest 5000 5000"];

/**
 * @param {string[]} lines
 * @param {string[]} [rest]
 */
function grown(lines, rest = REST) {
  const { growth, functions, present, functionOf } = pairOf([...lines, ...rest]);
  const found = netGrowth(growth, functions, present, 0);
  return { found, ...growthReader(found, functions, functionOf) };
}

// From callers.

test("a callee that shrank, and is not gone, pays for nothing new", () => {
  const { of } = grown(["t;load 300 300", "t;load;scan 100 60", "t;load;parse - 40"]);
  assert.deepEqual(of("parse"), { net: 40 });
});

test("what a gone callee called, and is called directly now, pays for nothing else", () => {
  const { of } = grown([
    "t;load 300 300",
    "t;load;old 20 -",
    "t;load;old;parse 100 -",
    "t;load;parse - 100",
    "t;load;verify - 50",
  ]);
  assert.equal(of("parse").fromCaller, undefined);
  // 20 of what is gone was its own.
  assert.deepEqual(of("verify"), { net: 30, fromCaller: 20 });
});

test("calls below gone ones that grew give a caller nothing back", () => {
  /** @param {number} own of what is gone @returns {string[]} */
  const lines = (own) => [
    "t;a;load 300 300",
    `t;a;load;old ${own} -`,
    "t;a;load;old;parse 100 -",
    "t;a;load;parse - 85",
    "t;a;load;verify - 100",
    "t;b;load;old;parse 0 10",
  ];
  // Calls of `old` fell by 90 and its own; of that, 100 is of parse, which is called directly now.
  assert.deepEqual(grown(lines(40)).of("verify"), { net: 70, fromCaller: 30 });
  assert.deepEqual(grown(lines(5)).of("verify"), { net: 100 });
});

test("calls that are gone are followed through 128 frames", () => {
  /** @param {number} count of frames between, all gone */
  const verify = (count) => {
    const between = Array.from({ length: count }, (_, at) => `old${at}`).join(";");
    return grown([
      "t;load 300 300",
      `t;load;${between} 20 -`,
      `t;load;${between};parse 100 -`,
      "t;load;parse - 100",
      "t;load;verify - 50",
    ]).of("verify");
  };
  assert.deepEqual(verify(127), { net: 30, fromCaller: 20 });
  assert.deepEqual(verify(128), { net: 0, fromCaller: 50 });
});

test("callees that the caller had before take no part in what it lost", () => {
  const { of } = grown([
    "t;load 300 240",
    "t;load;sort 100 150",
    "t;load;parse - 100",
    "rest;sort 500 500",
  ]);
  assert.deepEqual(of("parse"), { net: 40, fromCaller: 60 });
  assert.equal(of("sort").fromCaller, undefined);
});

test("a new call of a function that shrank overall came from its other calls", () => {
  const { of } = grown([
    "t;load 300 250",
    "t;load;parse - 50",
    "t;scan 500 500",
    "t;scan;parse 300 100",
  ]);
  assert.deepEqual(of("parse"), { net: -150 });
  const still = grown(["t;load 300 300", "t;load;parse - 50", "t;scan;parse 300 100"]);
  assert.deepEqual(still.of("parse"), { net: -150 });
});

test("of a new call, frames that shrank take nothing from the caller", () => {
  const { found, of } = grown([
    "t;a;load 300 220",
    "t;a;load;parse - 100",
    "t;b;load 300 300",
    "t;b;load;parse 20 10",
  ]);
  // It is 110 where it was 20, and 90 more; of those the caller lost 80.
  assert.deepEqual(of("parse"), { net: 10, fromCaller: 80 });
  assert.deepEqual(
    Array.from(found.movedAt, round).filter((each) => each !== 0),
    [80],
  );
});

test("what threads begin with came from their own code", () => {
  const { of } = grown(["t 100 -", "t;load - 120"]);
  assert.deepEqual(of("load"), { net: 20, fromCaller: 100 });
  assert.deepEqual(of("thread t"), { net: 20 });
});

test("of stacks without callers, what fell in a thread is not what grew in it", () => {
  const { of } = grown(["t;wait_for_lock 40 100", "t;parse 60 -", "t;spin 20 70"]);
  assert.deepEqual(of("wait_for_lock"), { net: 60 });
  assert.deepEqual(of("spin"), { net: 50 });
});

// From frames.

test("a frame that was more than twice as much as a function says nothing of it", () => {
  const { of } = grown(["t;query 700 40", "t;query;sort 300 360"]);
  assert.deepEqual(of("sort"), { net: 60 });
});

test("a frame of which a function has become much accounts for what it grew by", () => {
  const { of } = grown(["t;query 400 340", "t;query;sort 200 360"]);
  assert.deepEqual(of("sort"), { net: 100, fromFrame: 60 });
});

test("a function is much of a frame from half of it on", () => {
  assert.deepEqual(grown(["t;query 420 300", "t;query;sort 300 360"]).of("sort"), {
    net: 0,
    fromFrame: 60,
  });
  assert.deepEqual(grown(["t;query 421 300", "t;query;sort 300 360"]).of("sort"), { net: 60 });
});

test("frames of more than half of all are not looked at", () => {
  const lines = ["t;query 150 90", "t;query;sort 300 360"];
  assert.deepEqual(grown(lines, ["rest 450 450"]).of("sort"), { net: 0, fromFrame: 60 });
  assert.deepEqual(grown(lines, ["rest 448 448"]).of("sort"), { net: 60 });
});

test("what came from the caller did not come from the frames around it, too", () => {
  const { of, frame } = grown([
    "t;query;other 60 45",
    "t;query;load 120 40",
    "t;query;load;parse - 100",
  ]);
  assert.deepEqual(of("parse"), { net: 5, fromCaller: 80, fromFrame: 15 });
  assert.equal(frame("parse"), "query");
});

test("a frame that came from its caller did not grow by that", () => {
  const { of } = grown(["t;main 500 440", "t;main;query - 20", "t;main;query;sort - 80"]);
  assert.deepEqual(of("query"), { net: 40, fromCaller: 60 });
  assert.deepEqual(of("sort"), { net: 40, fromFrame: 40 });
});

test("what moved in two frames moved in the one around both", () => {
  const { of } = grown([
    "t;query 50 100",
    "t;query;first 60 40",
    "t;query;first;sort 100 130",
    "t;query;second 60 40",
    "t;query;second;sort 100 130",
  ]);
  assert.deepEqual(of("sort"), { net: 20, fromFrame: 40 });
});

test("frames around a function are looked at up to the 128th", () => {
  /** @param {number} count of frames between */
  const sort = (count) => {
    const between = Array.from({ length: count }, (_, at) => `step${at}`).join(";");
    return grown(["t;query 60 0", `t;query;${between};sort 300 360`]).of("sort");
  };
  assert.deepEqual(sort(127), { net: 0, fromFrame: 60 });
  assert.deepEqual(sort(128), { net: 60 });
});

// From callees.

test("callers of callers brought along what those did", () => {
  const { of, found } = grown([
    "t;load 900 900",
    "t;load;old;pwrite 100 -",
    "t;store 900 900",
    "t;store;fresh - 10",
    "t;store;fresh;pwrite - 130",
  ]);
  assert.deepEqual(of("fresh"), { net: 40, fromCallees: 100 });
  assert.equal(of("store").fromCallees, 100);
  assert.deepEqual([...found.broughtAt].map(round), [0, 0, 0, 0, -100, 0, 0, 100, 0]);
});

test("what shrank by more than others grew by brought along as much", () => {
  const { of, found } = grown([
    "t;load 900 900",
    "t;load;pwrite 300 -",
    "t;store 900 900",
    "t;store;pwrite - 120",
  ]);
  assert.deepEqual(of("store"), { net: 0, fromCallees: 120 });
  assert.deepEqual([...found.broughtAt].map(round), [0, 0, 0, -120, 0, 120, 0]);
});

test("calls that shrank and are not gone, or grew and are not new, moved with no caller", () => {
  const still = grown([
    "t;load 900 900",
    "t;load;memcmp 100 60",
    "t;store 900 900",
    "t;store;memcmp - 60",
  ]);
  assert.deepEqual(still.of("store"), { net: 60 });
  const known = grown([
    "t;load 900 900",
    "t;load;memcmp 60 -",
    "t;store 900 900",
    "t;store;memcmp 60 100",
  ]);
  assert.deepEqual(known.of("store"), { net: 40 });
});

test("a caller had half of a function or more, on its side, where that moved with it", () => {
  /** @param {number} elsewhere @param {number} fresh */
  const store = (elsewhere, fresh) =>
    grown([
      "t;load 900 900",
      "t;load;memcmp 100 -",
      "t;scan 900 900",
      `t;scan;memcmp ${elsewhere} ${elsewhere}`,
      "t;store 900 900",
      `t;store;memcmp - ${fresh}`,
    ]).of("store");
  assert.deepEqual(store(100, 150), { net: 50, fromCallees: 100 });
  assert.deepEqual(store(101, 150), { net: 150 });
  assert.deepEqual(store(100, 100), { net: 0, fromCallees: 100 });
  assert.deepEqual(store(100, 99), { net: 99 });
});

test("of what moved with its caller, frames that changed the other way take no part", () => {
  const { found } = grown([
    "t;a;load 900 900",
    "t;a;load;memcmp 100 -",
    "t;b;load 900 900",
    "t;b;load;memcmp 0 10",
    "t;c;store 900 900",
    "t;c;store;memcmp - 110",
    "t;d;store 900 900",
    "t;d;store;memcmp 20 10",
  ]);
  const brought = [...found.broughtAt].map(round).filter((each) => each !== 0);
  assert.deepEqual(brought, [-100, 100]);
});

test("what is left after a function's own calls moved with others of its class", () => {
  const { of, found } = grown([
    "t;load 900 900",
    "t;load;Table::read 100 -",
    "t;store 900 900",
    "t;store;Table::read - 60",
    "t;store;Table::seek - 100",
  ]);
  // 60 with the function's own calls, 40 with those of the class.
  assert.deepEqual(of("store"), { net: 60, fromCallees: 100 });
  assert.deepEqual(
    [...found.broughtAt].map(round).filter((each) => each !== 0),
    [-100, 60, 40],
  );
});

test("functions without a class are not one", () => {
  const { of } = grown([
    "t;load 900 900",
    "t;load;read 100 -",
    "t;store 900 900",
    "t;store;parse - 100",
  ]);
  assert.deepEqual(of("store"), { net: 100 });
});

// From classes.

test("code has classes, threads and the kernel have none", () => {
  const { found } = grown(["My::thread;Table::read 1 1", "My::thread;Table::read@kernel 1 1"], []);
  assert.deepEqual(found.classes, ["", "Table", ""]);
});

test("functions without a class did not come from others without one", () => {
  const { of } = grown(["t;a 900 900", "t;a;old 100 -", "t;b 900 900", "t;b;parse - 100"]);
  assert.deepEqual(of("parse"), { net: 100 });
});

test("each class is its own", () => {
  const { of } = grown([
    "t;a 900 900",
    "t;a;First::old 100 -",
    "t;b 900 900",
    "t;b;Second::check - 50",
    "t;b;Third::parse - 100",
    "t;c 900 900",
    "t;c;Second::test 30 -",
  ]);
  assert.deepEqual(of("Third::parse"), { net: 100 });
  assert.deepEqual(of("Second::check"), { net: 20, fromClass: 30 });
});

test("a class shows where a function came from up to twice its weight, before and after", () => {
  /** @param {number} gone */
  const find = (gone) =>
    grown(["t;a 900 900", `t;a;Table::seek ${gone} -`, "t;b 900 900", "t;b;Table::find - 350"]).of(
      "Table::find",
    );
  assert.deepEqual(find(700), { net: 0, fromClass: 350 });
  assert.deepEqual(find(701), { net: 350 });
});

test("a class of more than half of all shows nothing", () => {
  /** @param {number} rest */
  const find = (rest) =>
    grown(
      ["t 1 1", "t;a;Table::seek 50 -", "t;b;Table::find 300 350", `t;b ${rest} ${rest - 100}`],
      [],
    ).of("Table::find");
  // The class is 350 of 701 before, and of 601 after.
  assert.deepEqual(find(350), { net: 0, fromClass: 50 });
  assert.deepEqual(find(349), { net: 0, fromClass: 50 });
  assert.deepEqual(find(348), { net: 50 });
});

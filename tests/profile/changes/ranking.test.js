import assert from "node:assert/strict";
import { test } from "node:test";
import { ranked } from "../../../pipeline/profile/changes/ranking.js";
import { pairOf } from "./pairs.js";

/**
 * @param {string[]} lines
 * @param {Record<string, number>} [other] net growth where it is not all that a function grew by
 * @returns {Record<string, { net: number, callers?: string[], callees?: string[] }>}
 */
function rankedBy(lines, other = {}) {
  const { growth, functions, functionOf } = pairOf(lines);
  const net = growth.functions.change.slice();
  for (const [id, value] of Object.entries(other)) net[functionOf(id)] = value;
  const candidates = functions.ids.flatMap((_, index) =>
    net[index] > 0 && !functions.isThread[index] ? [index] : [],
  );
  /** @param {number} index */
  const name = (index) => functions.ids[index].replace("code ", "");
  const found = ranked(growth, functions, net, candidates).map((each) => [
    name(each.index),
    {
      net: each.net,
      ...(each.callers.length > 0 ? { callers: each.callers.map(name) } : {}),
      ...(each.callees.length > 0 ? { callees: each.callees.map(name) } : {}),
    },
  ]);
  return Object.fromEntries(found);
}

test("callers inherit what one callee grew by, the nearest first", () => {
  const found = rankedBy(["t;a 50 50", "t;a;b 50 50", "t;a;b;c 100 200"]);
  assert.deepEqual(found, { c: { net: 100, callers: ["b", "a"] } });
});

test("the largest growth comes first, of equals the first by name", () => {
  const found = rankedBy(["t;z 100 120", "t;y 100 110", "t;x 100 130", "t;b 100 110"]);
  assert.deepEqual(Object.keys(found), ["x", "z", "b", "y"]);
  assert.deepEqual(Object.keys(rankedBy(["t;y 50 60", "t;b 100 110"])), ["b", "y"]);
  assert.deepEqual(Object.keys(rankedBy(["t;b 50 60", "t;y 100 110"])), ["b", "y"]);
});

test("callers that cost alike come in the order of their names", () => {
  const found = rankedBy(["t;q;c 100 150", "t;p;c 100 150", "t;r;c 100 150"]);
  assert.deepEqual(found, { c: { net: 150, callers: ["p", "q", "r"] } });
});

test("what is no candidate inherits nothing", () => {
  const found = rankedBy(["t;m 10 10", "t;m;a 200 100", "t;m;a;c 100 200", "t;m;d 10 30"]);
  assert.deepEqual(found, { c: { net: 100, callers: ["m"] }, d: { net: 20, callers: ["m"] } });
});

test("a caller inherits where callees are six tenths of its growth", () => {
  assert.deepEqual(rankedBy(["t;a 500 540", "t;a;b 500 560"]), {
    b: { net: 60, callers: ["a"] },
  });
  assert.deepEqual(rankedBy(["t;a 500 541", "t;a;b 500 559"]), {
    a: { net: 100 },
    b: { net: 59 },
  });
});

test("what is below another function that grew is that one's, and comes before small callers", () => {
  const found = rankedBy([
    "t;small 10 10",
    "t;small;big 100 160",
    "t;other 500 500",
    "t;other;big 900 1000",
  ]);
  assert.deepEqual(found, { big: { net: 160, callers: ["small", "other"] } });
});

test("a callee counts in its caller by no more than its net growth", () => {
  const lines = ["t;a 100 120", "t;a;b 100 200"];
  assert.deepEqual(rankedBy(lines, { b: 40 }), { a: { net: 120 }, b: { net: 40 } });
  assert.deepEqual(rankedBy(lines, { b: 90 }), { b: { net: 90, callers: ["a"] } });
});

test("a callee that shrank in its caller takes nothing from what others grew by there", () => {
  const found = rankedBy([
    "t;a 100 110",
    "t;a;b 300 390",
    "t;a;c 500 470",
    "t;d 9000 9000",
    "t;d;c 500 600",
  ]);
  assert.deepEqual(found, {
    b: { net: 90, callers: ["a"] },
    c: { net: 70, callers: ["d"] },
  });
});

test("calls within other calls that grew are those others'", () => {
  const found = rankedBy(["t;a 100 100", "t;a;b 100 200", "t;a;b;c 100 150", "t;a;c 100 110"]);
  // b grew by 150 of which 50 are c's, so it is looked at beside c; what a inherits of c is 10.
  assert.deepEqual(found, { b: { net: 150, callers: ["a"] }, c: { net: 60 } });
});

test("of several callees, those are named to which a caller owes three tenths of its growth", () => {
  /** @param {number} second @param {number} third */
  const found = (second, third) =>
    rankedBy([
      "t;a 1000 1000",
      "t;a;b 100 150",
      `t;a;c 100 ${100 + second}`,
      `t;a;d 100 ${100 + third}`,
    ]);
  assert.deepEqual(found(30, 20), {
    b: { net: 50, callers: ["a"] },
    c: { net: 30, callers: ["a"] },
    d: { net: 20 },
  });
  assert.deepEqual(found(29, 21).c, { net: 29 });
});

test("of many callees that grew alike, all are named", () => {
  const names = ["b", "c", "d", "e", "f"];
  const found = rankedBy(["t;a 1000 1000", ...names.map((each) => `t;a;${each} 100 120`)]);
  assert.deepEqual(
    found,
    Object.fromEntries(names.map((each) => [each, { net: 20, callers: ["a"] }])),
  );
});

test("a function that costs half as much again, by several callees, has become another", () => {
  /** @param {number} own */
  const found = (own) => rankedBy([`t;a ${own} ${own}`, "t;a;b 10 60", "t;a;c 10 60"]);
  assert.deepEqual(found(180), { a: { net: 100, callees: ["b", "c"] } });
  assert.deepEqual(found(181), {
    b: { net: 50, callers: ["a"] },
    c: { net: 50, callers: ["a"] },
  });
});

test("where one callee is most of it, that is to be looked at, however much more its caller costs", () => {
  /** @param {number} one */
  const found = (one) => rankedBy(["t;a 10 10", `t;a;b 10 ${10 + one}`, `t;a;c 10 ${110 - one}`]);
  assert.deepEqual(found(60), { b: { net: 60, callers: ["a"] }, c: { net: 40, callers: ["a"] } });
  assert.deepEqual(found(59), { a: { net: 100, callees: ["b", "c"] } });
});

test("a function that is called oftener grows as all do that it calls", () => {
  const even = rankedBy(["t;a 100 125", "t;a;b 200 250", "t;a;c 200 250"]);
  assert.deepEqual(even, { a: { net: 125, callees: ["b", "c"] } });
  const uneven = rankedBy(["t;a 100 100", "t;a;b 100 150", "t;a;c 100 150", "t;a;d 200 200"]);
  assert.deepEqual(uneven, {
    b: { net: 50, callers: ["a"] },
    c: { net: 50, callers: ["a"] },
  });
});

/** What is found of a function `a` that costs a quarter more, and of two others that grew in it. */
const LOOKED_AT = {
  /** @param {string[]} names */
  itself: (...names) => ({ names: ["a"], callees: names }),
  /** @param {string[]} names */
  others: (...names) => ({ names, callees: undefined }),
};

/** @param {string[]} lines @param {Record<string, number>} [other] */
function lookedAt(lines, other) {
  const found = rankedBy(lines, other);
  return { names: Object.keys(found), callees: found.a?.callees };
}

test("callees that grew by more than their caller did are looked at, from three tenths of it on", () => {
  // 250 more of 1,000; b and c would have grown by 62.5 each, and grew by 100.
  const even = ["t;a 500 550", "t;a;b 250 350", "t;a;c 250 350"];
  assert.deepEqual(lookedAt(even), LOOKED_AT.itself("b", "c"));
  const uneven = ["t;a 502 552", "t;a;b 249 349", "t;a;c 249 349"];
  assert.deepEqual(lookedAt(uneven), LOOKED_AT.others("b", "c"));
});

test("what is deep below a function may have grown by more than it did, too", () => {
  const lines = [
    "t;a 100 125",
    "t;a;b 150 150",
    "t;a;b;x 50 100",
    "t;a;c 150 150",
    "t;a;c;y 50 100",
  ];
  assert.deepEqual(rankedBy(lines), {
    x: { net: 50, callers: ["b", "a"] },
    y: { net: 50, callers: ["c", "a"] },
  });
});

test("a function is not called oftener where something else in it grew by more", () => {
  /** @param {number} own @param {number} other */
  const lines = (own, other) => [
    `t;a 500 ${own}`,
    "t;a;b 200 250",
    "t;a;c 200 250",
    `t;a;d 100 ${other}`,
  ];
  // d is no candidate: what it grew by came from elsewhere, as did a part of what a grew by.
  const net = { a: 150, d: 0 };
  assert.deepEqual(lookedAt(lines(550, 200), net), LOOKED_AT.itself("b", "c"));
  assert.deepEqual(lookedAt(lines(549, 201), net), LOOKED_AT.others("b", "c"));
});

test("a function is not called oftener where its own code grew by more", () => {
  assert.deepEqual(
    lookedAt(["t;a 200 400", "t;a;b 900 1050", "t;a;c 900 1050"]),
    LOOKED_AT.itself("b", "c"),
  );
  assert.deepEqual(
    lookedAt(["t;a 199 399", "t;a;b 901 1051", "t;a;c 900 1050"]),
    LOOKED_AT.others("b", "c"),
  );
});

test("a function is not called oftener where one callee is more than eight tenths of what it grew by", () => {
  /** @param {number} x @param {number} own */
  const lines = (x, own) => [
    `t;a ${own} ${1.25 * own}`,
    `t;a;d;x ${x} ${1.25 * x}`,
    "t;a;d;y 400 500",
  ];
  assert.deepEqual(lookedAt(lines(400, 200), { d: 0 }), LOOKED_AT.itself("x", "y"));
  assert.deepEqual(lookedAt(lines(404, 196), { d: 0 }), LOOKED_AT.others("x", "y"));
});

test("a part has six tenths of its growth in the function that it is a part of, its callers, too", () => {
  /** @param {string[]} more */
  const found = (...more) =>
    rankedBy([
      "t;a 10 10",
      "t;a;b 10 70",
      "t;a;inner;c 10 70",
      "t;out 5 5",
      "t;out;inner;c 10 50",
      ...more,
    ]);
  assert.deepEqual(found(), {
    a: { net: 120, callers: ["out"], callees: ["b", "c", "inner"] },
  });
  assert.deepEqual(found("t;out;inner;d 5 6"), {
    a: { net: 120, callers: ["inner", "out"], callees: ["b", "c"] },
    d: { net: 1 },
  });
});

test("parts of a function that grew are those that grew in it, with what inherits from them", () => {
  const found = rankedBy([
    "t;a 10 10",
    "t;a;b 10 60",
    "t;a;inner 5 5",
    "t;a;inner;c 10 60",
    "t;outer 5 5",
    "t;outer;c 30 60",
  ]);
  // c grew by 80, of which 50 in a: so c is a part of a, and so is what calls it there; `outer` inherits.
  assert.deepEqual(found, {
    a: { net: 100, callers: ["outer"], callees: ["b", "c", "inner"] },
  });
});

test("what grew mostly elsewhere is no part", () => {
  const found = rankedBy([
    "t;a 10 10",
    "t;a;b 10 60",
    "t;a;c 10 60",
    "t;outer 900 900",
    "t;outer;c 300 334",
  ]);
  // 50 of 84 is less than six tenths.
  assert.deepEqual(found, {
    a: { net: 100, callees: ["b"] },
    c: { net: 84, callers: ["outer"] },
  });
});

test("functions that call each other are ranked, too", () => {
  const found = rankedBy([
    "t;a 100 100",
    "t;a;b 100 100",
    "t;a;b;a 100 150",
    "t;b 10 10",
    "t;b;a 10 60",
  ]);
  assert.deepEqual(found, { a: { net: 100, callers: ["b"] } });
});

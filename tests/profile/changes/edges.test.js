import assert from "node:assert/strict";
import { test } from "node:test";
import { edgesOf } from "../../../pipeline/profile/changes/edges.js";
import { pairOf } from "./pairs.js";

/** @param {string[]} lines */
function edges(lines) {
  const { growth, functions, present, functionOf } = pairOf(lines);
  const found = edgesOf(growth, functions, present);
  return {
    found,
    functionOf,
    /** @param {string} caller @param {string} callee */
    between: (caller, callee) => {
      const edge = found.find(functionOf(caller), functionOf(callee));
      const { before, after, change, risen, isGone, isNew } = found;
      return edge < 0
        ? null
        : {
            before: before[edge],
            after: after[edge],
            change: change[edge],
            risen: risen[edge],
            isGone: isGone[edge],
            isNew: isNew[edge],
          };
    },
  };
}

test("an edge has all calls of a function by another, added up", () => {
  const { found, between, functionOf } = edges([
    "t;load;parse 100 130",
    "t;scan 10 10",
    "t;scan;load;parse 50 40",
    "t;scan;parse 7 7",
  ]);
  assert.deepEqual(between("load", "parse"), {
    before: 150,
    after: 170,
    change: 20,
    risen: 30,
    isGone: 0,
    isNew: 0,
  });
  assert.equal(between("scan", "parse")?.before, 7);
  assert.equal(between("parse", "load"), null);
  // The root and the thread have none; the others by callee: two of load, two of parse, one of scan.
  assert.deepEqual([...found.at], [-1, -1, 0, 2, 4, 1, 2, 3]);
  assert.deepEqual(found.caller, ["thread t", "scan", "load", "scan", "thread t"].map(functionOf));
  assert.deepEqual(found.callee, ["load", "load", "parse", "parse", "scan"].map(functionOf));
  assert.equal(found.find(functionOf("thread t"), functionOf("load")), 0);
  assert.equal(between("thread t", "load")?.change, 30);
});

test("a function below itself has no edge there", () => {
  const { found } = edges(["t;load;parse;load 1 2"]);
  assert.deepEqual([...found.at], [-1, -1, 0, 1, -1]);
});

test("what only one side has weighs on the other in its change alone", () => {
  // The wrapper stands on one side only: what it calls is called directly on the other.
  const fresh = edges(["t;load;wrap - 20", "t;load;wrap;parse 100 130"]).between("load", "wrap");
  const counted = { before: 0, after: 150, change: 50, risen: 50, isGone: 0, isNew: 1 };
  assert.deepEqual(fresh, counted);
  const gone = edges(["t;load;wrap 20 -", "t;load;wrap;parse 130 100"]).between("load", "wrap");
  assert.deepEqual(gone, { before: 150, after: 0, change: -50, risen: 0, isGone: 1, isNew: 0 });
});

test("each frame knows the nearest call around it that is gone", () => {
  const { found } = edges([
    "t;load;old 10 -",
    "t;load;old;step 10 -",
    "t;load;old;step;old 10 -",
    "t;load;parse 90 90",
    "t;gone;parse;load 10 -",
  ]);
  // load, old, step, old again, parse; gone, parse, load.
  assert.deepEqual([...found.goneAt], [0, 0, 0, 3, 4, 4, 0, 7, 8, 9]);
});

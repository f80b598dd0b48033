import assert from "node:assert/strict";
import { test } from "node:test";
import { examined } from "../../../pipeline/profile/diff/examined.js";
import { pairOf } from "../changes/pairs.js";

/** @param {string[]} lines as `pairOf` takes them */
function idsOf(lines) {
  const { growth, functions } = pairOf(lines);
  return examined(growth, functions)
    .map((index) => functions.ids[index])
    .sort();
}

/** Code of a thread that is neither nearly all nor small. */
const REST = ["t;one 4000 4000", "t;two 4000 4000"];

test("functions are examined, and threads are not", () => {
  assert.deepEqual(idsOf(REST), ["code one", "code two"]);
});

test("a function is examined from a five-hundredth of the larger side on, on either side", () => {
  // All of the side after is 10,000: more than the base has.
  const lines = [...REST, "t;was 20 -", "t;is - 20", "t;little 19 19", "t;more - 1961"];
  assert.deepEqual(idsOf(lines), ["code is", "code more", "code one", "code two", "code was"]);
});

test("code without symbols is no function, and brackets in a name are no lack of symbols", () => {
  const found = idsOf([
    ...REST,
    "t;[unknown] 100 100",
    "t;[libcrypto.so.3]@library 100 100",
    "t;Map[int] 100 100",
    "t;operator [] const 100 100",
    "t;call [kept] 100 100",
  ]);
  assert.deepEqual(found, [
    "code Map[int]",
    "code call [kept]",
    "code one",
    "code operator [] const",
    "code two",
  ]);
});

test("what is nine tenths of a side started the program, and is not examined", () => {
  /** @param {number} before @param {number} now of 1000, called by a second thread's start, too */
  const isExamined = (before, now) =>
    idsOf([
      `t;main;work ${before} ${now}`,
      "t;main;other 0 0",
      `u;rest ${1000 - before} ${1000 - now}`,
    ]).includes("code work");
  assert.equal(isExamined(900, 500), false);
  assert.equal(isExamined(500, 900), false);
  assert.equal(isExamined(899, 899), true);
});

test("what several threads begin with started them, and is not examined", () => {
  const started = [
    "t;start;begin;read 400 400",
    "t;start;begin;write 400 400",
    "u;start;loop;poll 300 300",
    "u;start;loop;wait 300 300",
  ];
  // `begin` and `loop` are all of one thread each.
  assert.deepEqual(idsOf(started), [
    "code begin",
    "code loop",
    "code poll",
    "code read",
    "code wait",
    "code write",
  ]);
});

test("what two threads call among others did not start them", () => {
  const lines = ["t;read 400 400", "t;write 400 400", "u;read 300 300", "u;wait 300 300"];
  assert.deepEqual(idsOf(lines), ["code read", "code wait", "code write"]);
});

test("what begins two threads with nine tenths of each started them, of both sides together", () => {
  /** @param {number} before @param {number} now what `start` is of 500 in each thread */
  const isExamined = (before, now) =>
    idsOf([
      ...["t", "u"].flatMap((thread) => [
        `${thread};start ${before} ${now}`,
        `${thread};rest ${500 - before} ${500 - now}`,
      ]),
      "v;one 500 500",
      "v;two 500 500",
    ]).includes("code start");
  assert.equal(isExamined(450, 450), false);
  assert.equal(isExamined(449, 450), true);
});

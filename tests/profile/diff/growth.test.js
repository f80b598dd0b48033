import assert from "node:assert/strict";
import { test } from "node:test";
import { outermost } from "../../../pipeline/profile/diff/functions.js";
import { growthOf, isGone } from "../../../pipeline/profile/diff/growth.js";

/**
 * @typedef {object} Frame
 * @property {number} at its function; -1 for none
 * @property {number} parent
 * @property {number} was self weight in the base
 * @property {number} is
 */

/** The start of a thread that does nothing else; its function is 0. */
const THREAD = { at: 0, parent: 0, was: 0, is: 0 };
const PER_SECOND = { weight_per_second: 1 };

/**
 * @param {Frame[]} frames below the root, the thread first
 * @param {{ base?: Record<string, number>, after?: Record<string, number>, known?: number }} [options]
 */
function grown(frames, { base = PER_SECOND, after = PER_SECOND, known = 0 } = {}) {
  const parent = [-1, ...frames.map((frame) => frame.parent)];
  const at = Int32Array.of(-1, ...frames.map((frame) => frame.at));
  const count = Math.max(...at) + 1;
  const [was, is] = [frames.map((frame) => frame.was), frames.map((frame) => frame.is)];
  /** @param {number[]} self @param {Record<string, number>} factors */
  const side = (self, factors) => ({
    total: String(self.reduce((sum, weight) => sum + weight, 0)),
    scale: 1,
    factors: { share: 1, ...factors },
  });
  const diff = /** @type {any} */ ({
    parent,
    base_self: [0, ...was],
    after_self: [0, ...is],
    base: side(was, base),
    after: side(is, after),
  });
  const functions = {
    count,
    at,
    calls: outermost(parent, at, count),
    ids: Array.from({ length: count }, (_, index) => `code f${index}`),
    isThread: Uint8Array.from({ length: count }, (_, index) => Number(index === 0)),
  };
  return growthOf(diff, functions, known);
}

/**
 * Functions that a thread calls, each with 1000 in the base.
 *
 * @param {number[]} times by which each grew
 */
const flat = (times) => [
  THREAD,
  ...times.map((each, index) => ({ at: index + 1, parent: 1, was: 1000, is: 1000 * each })),
];

/** @param {number} one @param {number} other */
const isClose = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one}, not ${other}`);

test("the basis is the one that says most of those that both sides have", () => {
  const frames = flat([1, 1]);
  const [cost, rate] = [{ cost_per_operation: 1 }, { relative_cost: 1 }];
  /** @param {Record<string, number>} base @param {Record<string, number>} after */
  const basis = (base, after) => grown(frames, { base, after }).basis;
  const all = { ...PER_SECOND, ...rate, ...cost };
  assert.equal(basis(all, all), "cost_per_operation");
  assert.equal(basis({ ...PER_SECOND, ...rate }, all), "relative_cost");
  assert.equal(basis(all, { ...PER_SECOND, ...rate }), "relative_cost");
  assert.equal(basis(all, PER_SECOND), "weight_per_second");
  assert.equal(basis(cost, rate), "share");
});

/** Of 18 equal functions, four that shrank, ten in the middle, and four that grew by much. */
const SHRUNK = [0.8, 0.9, 0.9, 0.95];
const MIDDLE = [1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 1.08, 1.09, 1.15];
const MUCH = [1.3, 1.31, 1.32, 1.33];

test("growth of all code is the mean of the middle half of what functions grew by", () => {
  const { even } = grown(flat([...MUCH, ...MIDDLE, ...SHRUNK]));
  isClose(even, MIDDLE.reduce((sum, each) => sum + each, 0) / 10);
});

test("where the growth of the median function may be luck, all code did not grow", () => {
  const [, ...middle] = MIDDLE;
  assert.equal(grown(flat([...MUCH, ...middle, 1, ...SHRUNK])).even, 1);
  assert.equal(grown(flat(MIDDLE.map((each) => 2 - each))).even, 1, "nor where it shrank");
});

test("functions count by their weight, the heaviest as one of twenty", () => {
  /** @param {number} at @param {number} was @param {number} times */
  const frame = (at, was, times) => ({ at, parent: 1, was, is: was * times });
  // One in ten of the weight is in twenty light functions, which grew by more than the nine heavy ones.
  const light = Array.from({ length: 20 }, (_, index) => frame(index + 1, 50, 1.5));
  const heavy = Array.from({ length: 9 }, (_, index) => frame(index + 21, 1000, 1.1));
  isClose(grown([THREAD, ...light, ...heavy]).even, 1.1);
});

test("one function that is nearly everything, or three that are all, are not all code", () => {
  const others = new Array(24).fill(0).map((_, at) => ({ at: at + 2, parent: 1, was: 9, is: 10 }));
  const one = { at: 1, parent: 1, was: 1_000_000, is: 3_000_000 };
  assert.equal(grown([THREAD, one, ...others]).even, 1);
  assert.equal(grown(flat([1.5, 1.5, 1.5])).even, 1);
  isClose(grown(flat([1.5, 1.5, 1.5, 1.5])).even, 1.5);
});

test("all code grew by no more than the whole did, but for what single functions fell by", () => {
  // Ten functions grew by a fifth; one shrank, so that the whole grew by a tenth.
  const frames = [...flat(new Array(18).fill(1.2)), { at: 19, parent: 1, was: 2000, is: 400 }];
  const whole = (18 * 1200 + 400) / 20000;
  isClose(grown(frames).even, whole);
  isClose(grown(frames, { known: -1000 }).even, whole + 1000 / 20000);
  isClose(grown(frames, { known: -1600 }).even, 1.18);
  isClose(grown(frames, { known: -9000 }).even, 1.2);
  assert.equal(grown(frames, { known: 9000 }).even, 1, "it does not shrink");
});

test("of shares, most may grow though all of them are 100 % on either side", () => {
  const frames = [...flat(new Array(18).fill(1)), { at: 19, parent: 1, was: 2000, is: 0 }];
  const { even, whole, basis } = grown(frames, { base: {}, after: {} });
  assert.deepEqual([basis, whole], ["share", [1, 1]]);
  isClose(even, 20 / 18);
});

test("what was inlined on one side counts as its caller's on both", () => {
  const callers = Array.from({ length: 18 }, (_, index) => ({
    at: index + 1,
    parent: 1,
    was: 1000,
    is: 300,
  }));
  // Frames in preorder: each caller, and what it calls now.
  const frames = callers.flatMap((caller, index) => [
    caller,
    { at: 19 + index, parent: 2 + 2 * index, was: 100, is: 880 },
  ]);
  isClose(grown([THREAD, ...frames]).even, 1180 / 1100);
});

test("what has at most four times as much on one side has an own growth", () => {
  const callers = Array.from({ length: 18 }, (_, index) => ({
    at: 1 + index,
    parent: 1,
    was: 1000,
    is: 1100,
  }));
  /** @param {number} was @param {number} is @returns {number} growth of all code */
  const even = (was, is) => {
    const frames = callers.flatMap((caller, index) => [
      caller,
      { at: 19, parent: 2 + 2 * index, was, is },
    ]);
    return grown([THREAD, ...frames], { known: -9000 }).even;
  };
  isClose(even(20, 80), 1.1);
  isClose(even(80, 20), 1.1);
  isClose(even(20, 81), 1181 / 1020);
  isClose(even(81, 20), 1120 / 1081);
});

test("threads themselves, and functions that have nothing on one side, say nothing of all code", () => {
  const frames = flat(new Array(18).fill(1.1));
  const thread = { ...THREAD, was: 900, is: 3000 };
  isClose(grown([thread, ...frames.slice(1)], { known: -9000 }).even, 1.1);
  // Six that only call what is gone now: nothing of theirs is left.
  const gone = Array.from({ length: 6 }, (_, index) => [
    { at: 19 + index, parent: 1, was: 0, is: 0 },
    { at: 25, parent: 20 + 2 * index, was: 1000, is: 0 },
  ]).flat();
  isClose(grown([...frames, ...gone], { known: -9000 }).even, 1.1);
  const fresh = gone.map((frame) => ({ ...frame, was: frame.is, is: frame.was }));
  isClose(grown([...frames, ...fresh]).even, 1.1);
});

/**
 * Functions that do nothing themselves, and what each calls on one side alone.
 *
 * @param {number} first function
 * @param {number} was @param {number} is of what they call
 * @returns {Frame[]} to be put after as many others
 */
const wrappers = (first, was, is) =>
  Array.from({ length: 40 }, (_, index) => [
    { at: first + 2 * index, parent: 1, was: 0, is: 0 },
    { at: first + 2 * index + 1, parent: first + 2 * index + 1, was, is },
  ]).flat();

test("functions that have nothing of their own on one side have no growth", () => {
  const steady = flat([1, 1, 1]);
  assert.equal(grown([...steady, ...wrappers(4, 0, 1000)]).even, 1);
  const risen = flat(new Array(20).fill(1.2));
  isClose(grown([...risen, ...wrappers(21, 1000, 0)], { known: -60_000 }).even, 1.2);
});

test("what is new below a thread itself is no function's growth", () => {
  // Twelve functions, each of more than a twentieth of all, count alike whatever all is.
  const times = Array.from({ length: 12 }, (_, index) => 1.05 + index / 50);
  const { even } = grown(flat(times));
  assert.ok(even > 1.1);
  isClose(grown([...flat(times), { at: 13, parent: 1, was: 0, is: 2000 }]).even, even);
});

test("a profile without functions did not grow", () => {
  assert.equal(grown([THREAD]).even, 1);
});

test("change is what lies beyond the growth of all code, of frames and of functions", () => {
  const times = new Array(18).fill(1.5);
  // Function 19 calls itself once, and is called twice more: it grew here and shrank there.
  const frames = [
    ...flat(times),
    { at: 19, parent: 1, was: 100, is: 300 },
    { at: 19, parent: 20, was: 40, is: 60 },
    { at: 18, parent: 1, was: 200, is: 100 },
  ];
  const { even, before, after, change, ownChange, functions } = grown(frames, { known: -9000 });
  isClose(even, 1.5);
  isClose(before[20], 210);
  isClose(after[20], 360);
  isClose(change[20], 150);
  isClose(ownChange[20], 150);
  isClose(ownChange[21], 0);
  isClose(change[22], -200);
  assert.deepEqual([functions.base[19], functions.after[19]], [140, 360]);
  isClose(functions.change[19], 150);
  assert.deepEqual([functions.base[18], functions.after[18]], [1200, 1600]);
  isClose(functions.change[18], -200);
  isClose(functions.risen[18], 0);
  isClose(functions.risen[19], 150);
});

test("of a function that grew in some places and shrank in others, the growth is known, too", () => {
  const { functions } = grown([
    ...flat([1, 0.9]),
    { at: 3, parent: 1, was: 100, is: 130 },
    { at: 3, parent: 2, was: 100, is: 80 },
  ]);
  assert.deepEqual([functions.change[3], functions.risen[3]], [10, 30]);
});

test("what has less than half of what it had is gone", () => {
  assert.deepEqual([isGone(10, 4.9), isGone(10, 5), isGone(0, 0)], [true, false, false]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { combinations, splitsOf } from "../../../pipeline/profile/diff/splits.js";

/** @param {number} base captures @param {number} after */
const splits = (base, after) =>
  splitsOf(
    /** @type {any} */ ({
      base: { exposures: new Array(base).fill(1) },
      after: { exposures: new Array(after).fill(1) },
    }),
  );

test("captures split in as many ways as some can be taken of all, up to a million", () => {
  assert.deepEqual(splits(5, 5).ways, 252);
  assert.deepEqual(splits(2, 3).ways, 10);
  assert.equal(combinations(23, 10), 1_000_000, "1,144,066 are more than anyone counts");
});

test("a level is reached where the split that it was, and its mirror image, are rare enough", () => {
  assert.equal(splits(5, 5).level, 0.01);
  assert.equal(splits(4, 4).level, 0.05);
  assert.equal(splits(39, 1).level, 0.05, "2 of 40 ways are 5 % exactly");
  assert.equal(splits(38, 1).level, null);
  assert.equal(splits(199, 1).level, 0.01);
});

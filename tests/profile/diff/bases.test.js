import assert from "node:assert/strict";
import { test } from "node:test";
import { fixedWhole, relativeColumn } from "../../../pipeline/profile/diff/bases.js";

test("all of a side is 100 % of shares, and as much as its rate says of relative costs", () => {
  assert.equal(fixedWhole("share", 7), 1);
  assert.equal(fixedWhole("relative_cost", 7), 7);
  assert.equal(fixedWhole("cost_per_operation", 7), Number.POSITIVE_INFINITY);
  assert.equal(fixedWhole("weight_per_second", 7), Number.POSITIVE_INFINITY);
});

test("columns of relative costs say what they are percent of", () => {
  assert.deepEqual(relativeColumn("one insert on 17"), {
    factor: 1,
    unit: "% of one insert on 17, author’s rates",
    decimals: 2,
  });
});

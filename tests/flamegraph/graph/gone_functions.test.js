/** The list of what is gone: whole functions, whatever place they were called from. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { goneFunctions } from "../../../pipeline/flamegraph/graph/gone_functions.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks } from "../../profile/profiles.js";

const LABELS = { baseLabel: "16", afterLabel: "18" };
const BASE = ["t;a;old 100", "t;b;old 200", "t;b;older 50", "t;wrapper;kept 250", "t;kept 400"];
const AFTER = ["t;a 600", "t;kept 400"];

/** @param {string[]} base @param {string[]} after @param {number} rows */
function gone(base, after, rows) {
  return goneFunctions(diffProfiles(profileOfStacks(base), profileOfStacks(after), LABELS), rows);
}

test("functions that only the base has are listed, the largest self first, with their shares", () => {
  const found = gone(BASE, AFTER, 10);
  assert.deepEqual(
    found.rows.map((row) => [
      row.name,
      row.path,
      Math.round(row.self_percent),
      row.total_percent.toFixed(1),
    ]),
    [
      ["old", "[user]old", 30, "30.0"],
      ["older", "[user]older", 5, "5.0"],
      ["b", "[user]b", 0, "25.0"],
      ["wrapper", "[user]wrapper", 0, "25.0"],
    ],
  );
  assert.equal(found.functions, 4);
  assert.ok(Math.abs(found.self_percent - 35) < 1e-12);
});

test("a function that is gone in one place alone is not gone", () => {
  assert.deepEqual(gone(["t;a 5", "t;b;a 5"], ["t;a 5", "t;b 5"], 10).rows, []);
});

test("all are counted, whatever is listed", () => {
  const { functions, self_percent, rows } = gone(BASE, AFTER, 1);
  assert.deepEqual([functions, rows.length], [4, 1]);
  assert.ok(Math.abs(self_percent - 35) < 1e-12);
});

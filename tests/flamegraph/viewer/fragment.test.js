import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf, valueIn } from "../../../pipeline/flamegraph/viewer/fragment.js";

test("a fragment is read with its # and without, even with doubled or empty parts", () => {
  assert.deepEqual(partsOf("#results&&a=1&"), ["results", "a=1"]);
  assert.deepEqual(partsOf("a=1"), ["a=1"]);
  assert.deepEqual(partsOf(""), []);
});

test("the value of a key is decoded; no other key that ends or begins alike has it", () => {
  const fragment = "#table.sort=-p95&sorted=1&sort=a%20b";
  assert.equal(valueIn(fragment, "sort"), "a b");
  assert.equal(valueIn(fragment, "base"), "");
});

test("a stray % is kept as it was typed", () => {
  assert.equal(valueIn("#sort=100%", "sort"), "100%");
});

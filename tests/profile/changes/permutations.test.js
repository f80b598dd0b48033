import assert from "node:assert/strict";
import { test } from "node:test";
import { permutations } from "../../../pipeline/profile/changes/permutations.js";
import { combinations } from "../../../pipeline/profile/diff/splits.js";

for (const [all, some, ways] of [
  [2, 1, 2],
  [6, 3, 20],
  [9, 5, 126],
  [10, 2, 45],
]) {
  test(`${some} of ${all} can be taken in ${ways} ways, the last captures first`, () => {
    assert.equal(combinations(all, some), ways);
    const found = Array.from(permutations(all, some, null), (taken) => taken.join(""));
    assert.equal(found[0], "0".repeat(all - some) + "1".repeat(some));
    assert.equal(new Set(found).size, ways);
    assert.equal(found.length, ways);
    for (const each of found) assert.equal(each.replaceAll("0", "").length, some);
  });
}

test("of hundreds of captures there are a million ways, or more", () => {
  assert.equal(combinations(2000, 1000), 1_000_000);
});

test("ways are drawn the same each time, and each is as likely", () => {
  const drawn = () => Array.from(permutations(16, 8, 2000), (taken) => taken.join(""));
  const ways = drawn();
  assert.deepEqual(drawn(), ways);
  assert.equal(ways.length, 2000);
  for (let at = 0; at < 16; at++) {
    const often = ways.filter((each) => each[at] === "1").length;
    assert.ok(Math.abs(often - 1000) < 120, `${at}: ${often}`);
  }
  assert.ok(ways.every((each) => each.replaceAll("0", "").length === 8));
});

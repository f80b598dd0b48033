/**
 * Releases that are years apart, of MyRocks and MySQL: what a diff takes for the same of their real
 * profiles, where those are there, which are not ours to publish.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { readFolded } from "../captures.js";
import { realData, skipWithout } from "../real_data.js";

const skip = skipWithout("myrocks56-ibench", "mysql-sysbench-pn53");

/** @param {string} step */
function profile(step) {
  const packed = readFileSync(realData(`${step}/stacks.folded.gz`));
  return readFolded(gunzipSync(packed).toString()).profiles.unknown;
}

/** @param {string} base @param {string} after */
const diffOf = (base, after) =>
  diffProfiles(profile(base), profile(after), { baseLabel: "base", afterLabel: "after" });

/**
 * Two steps; the least percent of the weight on frames of both: mean of the sides, and of the one after;
 * and whether threads are taken together.
 *
 * @type {[string, string, number, number, boolean][]}
 */
const PAIRS = [
  ["myrocks56-ibench/2022-03-07/l.i1", "myrocks56-ibench/2023-05-29/l.i1", 71, 58, false],
  ["myrocks56-ibench/2022-03-07/q100", "myrocks56-ibench/2023-05-29/q100", 85, 79, false],
  ["mysql-sysbench-pn53/5651/insert", "mysql-sysbench-pn53/5744/insert", 69, 64, false],
  ["mysql-sysbench-pn53/5744/insert", "mysql-sysbench-pn53/8037/insert", 65, 59, true],
  ["mysql-sysbench-pn53/5651/insert", "mysql-sysbench-pn53/8037/insert", 55, 46, true],
  ["mysql-sysbench-pn53/5744/scan", "mysql-sysbench-pn53/8037/scan", 77, 65, true],
];

for (const [base, after, percent, ofAfter, together] of PAIRS) {
  test(`${after} is matched with ${base}`, { skip }, () => {
    const { matched, threads } = diffOf(base, after);
    assert.ok(matched.percent >= percent, `${matched.percent}`);
    assert.ok(matched.after_percent >= ofAfter, `${matched.after_percent}`);
    assert.equal(threads.together, together);
  });
}

test("functions are joined that only one release has each, and the list can be read", {
  skip,
}, (t) => {
  for (const [base, after] of PAIRS) {
    const [names, namesAfter] = [profile(base), profile(after)].map(
      ({ names, keys }) => new Set([...names, ...keys]),
    );
    for (const { how, base: was, after: is } of diffOf(base, after).joined) {
      if (how === "name") continue;
      t.diagnostic(`${after}: ${was.join(", ")} = ${is.join(", ")} (${how})`);
      assert.ok(!was.some((name) => namesAfter.has(name)));
      assert.ok(!is.some((name) => names.has(name)));
    }
  }
});

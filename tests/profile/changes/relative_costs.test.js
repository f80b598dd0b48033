import assert from "node:assert/strict";
import { test } from "node:test";
import { basisWords, overallWords } from "../../../pipeline/flamegraph/graph/basis.js";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { describeFindings } from "../../../pipeline/profile/changes/findings.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { valuesOf } from "../../../pipeline/profile/diff/values.js";
import { captured, exactly, heavier, merged, server, slower } from "./programs.js";

/**
 * Compare two programs by relative rates; the base's is 1.
 *
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} base
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} after
 * @param {number} rate
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 */
function byRates(base, after, rate, options = {}) {
  const factors = { base: 100 / Number(base.total), after: 100 / (Number(after.total) * rate) };
  const { diff, captures } = compareProfiles(base, after, {
    baseLabel: "16",
    afterLabel: "18",
    basis: "relative_cost",
    bases: { relative_cost: factors, weight_per_second: { base: 1, after: 1 } },
    costOf: "one insert on 16",
    ...options,
  });
  return { diff, captures, findings: describeFindings(diff, findChanges(diff, captures)) };
}

/** @param {import("./programs.js").Program} program @param {number} seed */
const ofOneLength = (program, seed) =>
  captured(program, seed, 6).map((profile) => ({ profile, exposure: 1 }));

/** @param {ReturnType<typeof ofOneLength>} captures */
const mergedOf = (captures) => merged(captures.map(({ profile }) => profile));

/** @param {number} one @param {number} other */
const isClose = (one, other) => Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));

test("the points of all functions add up to the change of the cost, whatever the rate", () => {
  for (const [seed, rate] of [
    [1, 0.57],
    [2, 0.82],
    [3, 1],
    [4, 2.5],
  ]) {
    const program = server(seed);
    const changed = slower(heavier(program, "memcmp", 40), "parse_step0", 0.7);
    const { diff, findings } = byRates(exactly(program), exactly(changed), rate);
    const { baseTree, afterTree } = valuesOf(diff, "relative_cost", 0);
    const points = afterTree.self.reduce((sum, is, node) => sum + is - baseTree.self[node], 0);
    const change = 100 / rate - 100;
    assert.ok(isClose(points, change), `${points} of ${change}`);
    assert.ok(isClose(findings.change.whole, change));
    const { even, additions, savings, rest } = findings.change;
    assert.ok(isClose(even + additions + savings + rest, change));
    assert.equal(findings.basis, "relative_cost");
    assert.equal(findings.unit, "% of one insert on 16");
    assert.match(findings.shown.unit, /author’s rates/);
  }
});

test("with the same rate on both sides, costs and their noise are shares in percent", () => {
  const program = server(5);
  const changed = heavier(program, "memcmp", 60);
  const [baseCaptures, afterCaptures] = [ofOneLength(program, 1), ofOneLength(changed, 2)];
  const { diff } = byRates(mergedOf(baseCaptures), mergedOf(afterCaptures), 1, {
    baseCaptures,
    afterCaptures,
  });
  for (const side of /** @type {const} */ (["baseTree", "afterTree"])) {
    const shares = valuesOf(diff, "share", 0)[side].total;
    const costs = valuesOf(diff, "relative_cost", 0)[side].total;
    assert.ok(costs.every((cost, node) => isClose(cost, 100 * shares[node])));
  }
  const [ofCosts, ofShares] = [diff.noise_relative_cost ?? [], diff.noise_share ?? []];
  assert.ok(ofShares.length > 0 && ofCosts.length === ofShares.length);
  assert.ok(ofCosts.every((noise, node) => Math.abs(noise - 100 * ofShares[node]) <= 0.02 * noise));
});

test("a planted change is named by relative cost, with p, and nothing where nothing changed", () => {
  const program = server(6);
  const baseCaptures = ofOneLength(program, 1);
  const options = (/** @type {typeof baseCaptures} */ afterCaptures) => ({
    baseCaptures,
    afterCaptures,
  });
  const grown = ofOneLength(heavier(program, "memcmp", 60), 2);
  const found = byRates(mergedOf(baseCaptures), mergedOf(grown), 0.94, options(grown)).findings;
  assert.equal(found.additions[0].name, "memcmp");
  assert.ok((found.additions[0].p ?? 1) <= 0.01);
  const same = ofOneLength(program, 3);
  const nothing = byRates(mergedOf(baseCaptures), mergedOf(same), 1, options(same)).findings;
  assert.deepEqual([nothing.additions, nothing.savings, nothing.shifts], [[], [], []]);
});

test("words of a relative cost name the operation and where it comes from", () => {
  const program = server(1);
  const { diff } = byRates(exactly(program), exactly(program), 0.8);
  const words = basisWords("relative_cost", diff);
  assert.equal(words.name, "cost by the author’s rates");
  assert.deepEqual([words.value(100), words.value(3.05)], ["100 %", "3.05 %"]);
  assert.equal(words.size(0.25), "0.25 points");
  assert.equal(
    words.change(3.05, 18.14),
    "+15.09 points of one insert on 16, by the author’s rates",
  );
  assert.equal(overallWords(diff), "+25.0\u00a0% overall by the author’s rates");
});

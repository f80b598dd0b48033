import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { describeFindings } from "../../../pipeline/profile/changes/findings.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { combinations } from "../../../pipeline/profile/diff/splits.js";
import { findFrame } from "../../../pipeline/profile/model/frame_path.js";
import { captured, exactly, heavier, merged, rewritten, server, slower } from "./programs.js";

/**
 * @param {import("./programs.js").Program} before
 * @param {import("./programs.js").Program} now
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 */
function findingsOf(before, now, options = {}) {
  const { diff, captures } = compareProfiles(exactly(before), exactly(now), {
    baseLabel: "16",
    afterLabel: "18",
    ...options,
  });
  const graph = diffGraph(diff);
  return { findings: describeFindings(diff, findChanges(diff, captures)), graph };
}

const COST = { cost_per_operation: { base: 1e-3, after: 1e-3 } };
const SECONDS = { weight_per_second: { base: 1e-2, after: 1e-2 } };

test("the basis is the cost per operation, else the weight per second, else the share", () => {
  const program = server(1);
  const changed = heavier(program, "scan_step16", 150);
  const all = findingsOf(program, changed, { bases: { ...SECONDS, ...COST } }).findings;
  assert.equal(all.basis, "cost_per_operation");
  assert.match(all.shown.unit, /per operation$/);
  assert.equal(
    findingsOf(program, changed, { bases: SECONDS }).findings.basis,
    "weight_per_second",
  );
  const { basis, shown, change } = findingsOf(program, changed).findings;
  assert.deepEqual([basis, shown.factor, change.whole], ["share", 100, 0]);
});

test("parts of both directions, change of all code and the rest add up to the whole change", () => {
  for (const seed of [1, 2, 3]) {
    const program = server(seed);
    const grown = heavier(slower(program, "scan_step2", 1.3), "memcmp", 40);
    const changed = slower(grown, "parse_step0", 0.7);
    for (const [one, other] of [
      [program, changed],
      [changed, program],
    ]) {
      const { findings } = findingsOf(one, other, { bases: COST });
      assert.ok(findings.additions.length > 0 && findings.savings.length > 0);
      const all = [...findings.additions, ...findings.savings];
      const parts = all.reduce((sum, { part }) => sum + part, 0);
      const { whole, even, additions, savings, rest } = findings.change;
      const least = 1e-9 * findings.after.whole;
      assert.ok(Math.abs(additions + savings - parts) < least);
      assert.ok(Math.abs(parts + even + rest - whole) < least);
      assert.ok(Math.abs(findings.after.whole - findings.base.whole - whole) < least);
      assert.ok(Math.abs(rest) < 0.1 * Math.max(additions, -savings), `${rest} of ${whole}`);
    }
  }
});

test("savings are the additions of the diff the other way round, with their signs", () => {
  const program = server(1);
  const changed = slower(heavier(program, "memcmp", 40), "parse_step0", 0.5);
  const there = findingsOf(program, changed, { bases: COST }).findings;
  const back = findingsOf(changed, program, { bases: COST }).findings;
  assert.deepEqual(
    there.savings.map(({ name, base, after, net, noise }) => [name, after, base, -net, noise]),
    back.additions.map(({ name, base, after, net, noise }) => [name, base, after, net, noise]),
  );
  assert.equal(there.savings[0].name, "parse_step0");
  assert.ok(
    there.savings.every(({ net, part, calls }) => net < 0 && part < 0 && calls[0].change < 0),
  );
});

test("a suspect's paths lead to its frames, first to the one that grew most", () => {
  const program = server(1);
  const { findings, graph } = findingsOf(program, heavier(program, "memcmp", 60));
  const [{ name, path, calls }] = findings.additions;
  assert.equal(name, "memcmp");
  assert.equal(calls[0].path, path);
  assert.ok(calls.length === 3 && calls[0].change >= calls[1].change);
  for (const call of calls) assert.equal(graph.name(findFrame(graph, call.path)), "memcmp");
});

test("a function that only one side has is reported as such", () => {
  const program = server(1);
  const wrapped = rewritten(heavier(program, "scan_step16", 300), (frames) =>
    frames.flatMap((name) => (name === "scan_step16" ? ["wrap_all", name] : [name])),
  );
  const { findings } = findingsOf(program, wrapped);
  const all = findings.additions.flatMap((each) => [each, ...each.callers, ...each.callees]);
  const wrapper = all.find(({ name }) => name === "wrap_all");
  assert.ok(wrapper && wrapper.base > 0);
  assert.equal(findings.additions[0].only, null);
  assert.equal(findings.additions[0].name, "scan_step16");
});

test("a likely rename that was not joined is proposed as an alias, where it costs as much", () => {
  /** @param {string} name @param {number} cost */
  const program = (name, cost) => [
    ...server(1),
    { frames: ["worker", "begin", "parse_step0", name], cost },
  ];
  /** @param {number} cost */
  const proposals = (cost) => {
    const now = program("read_cursor_row_fast", cost);
    const { findings } = findingsOf(program("read_cursor_row", 300), now);
    assert.deepEqual(findings.additions, []);
    return findings.shifts.map(({ proposal }) => proposal);
  };
  assert.deepEqual(proposals(300), [{ name: "read_cursor_row_fast", other: "read_cursor_row" }]);
  assert.deepEqual(proposals(100), [null]);
});

test("noise is smaller than what is listed, and p that of all splits", () => {
  const [base, after] = [server(1), heavier(server(1), "memcmp", 60)].map((each, at) =>
    captured(each, at, 4).map((profile) => ({ profile, exposure: 1 })),
  );
  const { diff, captures } = compareProfiles(
    merged(base.map(({ profile }) => profile)),
    merged(after.map(({ profile }) => profile)),
    { baseLabel: "16", afterLabel: "18", baseCaptures: base, afterCaptures: after },
  );
  const findings = describeFindings(diff, findChanges(diff, captures));
  const [{ net, noise, p }] = findings.additions;
  assert.ok(noise > 0 && noise < net);
  assert.equal(findings.noise.ways, combinations(8, 4));
  assert.equal(findings.noise.tried, 70);
  assert.ok(Math.abs(Number(p) - 2 / 70) < 1e-12);
});

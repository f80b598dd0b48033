import assert from "node:assert/strict";
import { test } from "node:test";
import { compareProfiles } from "../../../pipeline/flamegraph/diff.js";
import { diffGraph } from "../../../pipeline/flamegraph/diff_graph.js";
import { findSuspects } from "../../../pipeline/flamegraph/suspects/index.js";
import { combinations } from "../../../pipeline/flamegraph/suspects/partings.js";
import { tell } from "../../../pipeline/flamegraph/suspects/told.js";
import { findFrame } from "../../../pipeline/flamegraph/viewer/frame_path.js";
import { captured, exactly, heavier, merged, rewritten, server, slower } from "./programs.js";

/**
 * @param {import("./programs.js").Program} before
 * @param {import("./programs.js").Program} now
 * @param {Partial<import("../../../pipeline/flamegraph/diff.js").DiffOptions>} [options]
 */
function toldOf(before, now, options = {}) {
  const { diff, captures } = compareProfiles(exactly(before), exactly(now), {
    baseLabel: "16",
    afterLabel: "18",
    ...options,
  });
  const graph = diffGraph(diff);
  return { told: tell(diff, graph, findSuspects(diff, captures)), graph };
}

const COST = { cost_per_operation: { base: 1e-3, after: 1e-3 } };
const SECONDS = { weight_per_second: { base: 1e-2, after: 1e-2 } };

test("the basis is the cost per operation, else the weight per second, else the share", () => {
  const program = server(1);
  const changed = heavier(program, "scan_step16", 150);
  const all = toldOf(program, changed, { bases: { ...SECONDS, ...COST } }).told;
  assert.equal(all.basis, "cost_per_operation");
  assert.match(all.shown.unit, /per operation$/);
  assert.equal(toldOf(program, changed, { bases: SECONDS }).told.basis, "weight_per_second");
  const { basis, shown, growth, suspects } = toldOf(program, changed).told;
  assert.deepEqual([basis, shown.factor, growth], ["share", 100, null]);
  assert.equal(suspects[0].part, null);
});

test("parts, growth of all code, and what is unexplained add up to the whole growth", () => {
  for (const seed of [1, 2, 3]) {
    const program = server(seed);
    const changed = heavier(slower(program, "scan_step2", 1.3), "memcmp", 40);
    const { told } = toldOf(program, changed, { bases: COST });
    assert.ok(told.growth && told.suspects.length > 1);
    const parts = told.suspects.reduce((sum, { part }) => sum + Number(part), 0);
    const { whole, even, unexplained } = told.growth;
    assert.ok(Math.abs(parts + even + unexplained - whole) < 1e-9 * told.after.whole);
    assert.ok(Math.abs(told.after.whole - told.base.whole - whole) < 1e-9 * told.after.whole);
    assert.ok(Math.abs(unexplained) < 0.1 * whole, `${unexplained} of ${whole}`);
  }
});

test("a suspect's paths lead to its frames, first to the one that grew most", () => {
  const program = server(1);
  const { told, graph } = toldOf(program, heavier(program, "memcmp", 60));
  const [{ name, path, calls }] = told.suspects;
  assert.equal(name, "memcmp");
  assert.equal(calls[0].path, path);
  assert.ok(calls.length === 3 && calls[0].change >= calls[1].change);
  for (const call of calls) assert.equal(graph.name(findFrame(graph, call.path)), "memcmp");
});

test("a function that only one side has is told as such", () => {
  const program = server(1);
  const wrapped = rewritten(heavier(program, "scan_step16", 300), (frames) =>
    frames.flatMap((name) => (name === "scan_step16" ? ["wrap_all", name] : [name])),
  );
  const { told } = toldOf(program, wrapped);
  const all = told.suspects.flatMap((each) => [each, ...each.callers, ...each.callees]);
  const wrapper = all.find(({ name }) => name === "wrap_all");
  assert.ok(wrapper && wrapper.base > 0);
  assert.equal(told.suspects[0].only, null);
  assert.equal(told.suspects[0].name, "scan_step16");
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
    const { told } = toldOf(program("read_cursor_row", 300), now);
    assert.deepEqual(told.suspects, []);
    return told.shifts.map(({ proposal }) => proposal);
  };
  assert.deepEqual(proposals(300), [{ name: "read_cursor_row_fast", other: "read_cursor_row" }]);
  assert.deepEqual(proposals(100), [null]);
});

test("each capture's own value is within the range that is told", () => {
  const [base, after] = [server(1), heavier(server(1), "memcmp", 60)].map((each, at) =>
    captured(each, at, 4).map((profile) => ({ profile, exposure: 1 })),
  );
  const { diff, captures } = compareProfiles(
    merged(base.map(({ profile }) => profile)),
    merged(after.map(({ profile }) => profile)),
    { baseLabel: "16", afterLabel: "18", baseCaptures: base, afterCaptures: after },
  );
  const told = tell(diff, diffGraph(diff), findSuspects(diff, captures));
  const [{ base: was, after: is, base_range, after_range, p }] = told.suspects;
  assert.ok(base_range && base_range[0] < was && was < base_range[1]);
  assert.ok(after_range && after_range[0] < is && is < after_range[1]);
  assert.equal(told.chance.ways, combinations(8, 4));
  assert.equal(told.chance.tried, 70);
  assert.ok(Math.abs(Number(p) - 1 / 70) < 1e-12);
});

/** A diff looked at otherwise than its file says: another basis, by self, the other way round. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { edited, NO_EDITS } from "../../../pipeline/flamegraph/graph/edits.js";
import { functionTree } from "../../../pipeline/flamegraph/graph/function_tree.js";
import { diffSvg } from "../../../pipeline/flamegraph/svg/diff_svg.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOfStacks, profiles } from "../../profile/profiles.js";
import { excerptOf } from "../excerpt_of.js";

const IDLE = { ...NO_EDITS, hide: "idle" };

const LABELS = { baseLabel: "16", afterLabel: "18" };
const BASES = {
  cost_per_operation: { base: 1 / 100, after: 1 / 200 },
  weight_per_second: { base: 1 / 10, after: 1 / 5 },
};

/** So many that nothing here is chance. */
const MANY = { samples: 1e8 };
const BASE = profileOfStacks(["t;f;a 100", "t;f;b 300", "t;f 100", "t;old;gone 500"], MANY);
const AFTER = profileOfStacks(["t;f;a 300", "t;f;b 300", "t;f 200", "t;fresh 200"], MANY);
const DIFF = diffProfiles(BASE, AFTER, { ...LABELS, bases: BASES });

/**
 * @param {import("../../../pipeline/flamegraph/graph/diff_graph.js").DiffGraph} graph
 * @param {string} name
 */
function at(graph, name) {
  const { parent } = graph.afterTree;
  const node = Array.from(parent, (_, index) => index).find((index) => graph.name(index) === name);
  assert.ok(node !== undefined, name);
  return node;
}

/**
 * @param {import("../../../pipeline/flamegraph/graph/diff_graph.js").DiffView} view
 * @param {string} name
 */
function totalLine(view, name) {
  const graph = diffGraph(DIFF, view);
  return graph.facts(at(graph, name), 0).find((line) => line.startsWith("total"));
}

test("one diff has numbers in every basis that is known", () => {
  assert.equal(totalLine({}, "a"), "total 10.00 % in 16, 30.00 % in 18: +20.00 points");
  assert.equal(
    totalLine({ basis: "cost_per_operation" }, "a"),
    "total 1 cycles per operation in 16, 1.50 cycles per operation in 18: +0.500 cycles per operation (+50.0 %)",
  );
  assert.equal(
    totalLine({ basis: "weight_per_second" }, "a"),
    "total 10 cycles per second in 16, 60 cycles per second in 18: +50 cycles per second (+500.0 %)",
  );
});

test("shares can be of a frame: of what it weighs on either side", () => {
  const of = at(diffGraph(DIFF), "f");
  const view = { basis: /** @type {const} */ ("share_of_frame"), of };
  // 100 of 500, and 300 of 800
  assert.equal(totalLine(view, "a"), "total 20.00 % in 16, 37.50 % in 18: +17.50 points");
  const graph = diffGraph(DIFF, view);
  const [lane] = graph.lanes;
  assert.equal(graph.colour(of, lane), "n");
  assert.equal(graph.colour(at(graph, "a"), lane), "g4");
  // What the frame does not hold has no share of it.
  for (const name of ["all", "t", "fresh"]) {
    assert.equal(graph.colour(at(graph, name), lane), "x");
    assert.equal(graph.mark(at(graph, name), lane), "");
    assert.equal(graph.facts(at(graph, name), of)[0], "not in the frame that the shares are of");
  }
});

test("colour can follow the frame alone", () => {
  const byTotal = diffGraph(DIFF);
  const bySelf = diffGraph(DIFF, { bySelf: true });
  const t = at(byTotal, "t");
  assert.equal(bySelf.colour(t, bySelf.lanes[0]), "n");
  const f = at(byTotal, "f");
  assert.equal(byTotal.mark(f, byTotal.lanes[0]), "+30.00");
  assert.equal(bySelf.mark(f, bySelf.lanes[0]), "+10.00");
  assert.match(bySelf.about, /change of the frame alone/);
  assert.match(bySelf.legend[0].text, /larger own share/);
});

test("flipped, what was gone is there at its width, and what was new is gone", () => {
  const graph = diffGraph(DIFF, { flipped: true });
  const [after, gone] = graph.lanes;
  assert.equal(after.title, "16: every frame it has");
  assert.equal(gone.title, "Gone: in 18, not in 16");
  assert.equal(after.tree.total[at(graph, "gone")], 0.5);
  assert.equal(gone.tree.total[at(graph, "fresh")], 0.2);
  assert.equal(graph.mark(at(graph, "gone"), after), "new");
  assert.equal(
    graph.legend[0].text,
    "red, +: larger share of 16 than of 18; cost per operation +100.0 % overall",
  );
  assert.equal(
    graph.facts(at(graph, "a"), 0)[1],
    "total 30.00 % in 18, 10.00 % in 16: −20.00 points",
  );
});

test("flipping negates every number, in every basis, and flipping again undoes it", () => {
  fc.assert(
    fc.property(profiles, profiles, fc.nat(), (a, b, pick) => {
      const diff = diffProfiles(a, b, { ...LABELS, bases: BASES });
      const of = pick % diff.parent.length;
      for (const basis of /** @type {const} */ ([
        "share",
        "share_of_frame",
        "cost_per_operation",
        "weight_per_second",
      ])) {
        const there = diffGraph(diff, { basis, of });
        const back = diffGraph(diff, { basis, of, flipped: true });
        assert.deepEqual(there.baseTree.total, back.afterTree.total);
        assert.deepEqual(there.afterTree.self, back.baseTree.self);
        const own = diffGraph(diffProfiles(b, a, { baseLabel: "18", afterLabel: "16" }));
        if (basis === "share") assert.deepEqual(own.goneTree.total, back.goneTree.total);
      }
    }),
  );
});

test("in a file's excerpt, flipping shows the same as in the whole", () => {
  const { svg } = diffSvg(DIFF, "t");
  const excerpt = diffGraph(excerptOf(svg), { flipped: true });
  const whole = diffGraph(DIFF, { flipped: true });
  for (const name of ["all", "t", "f", "old", "gone", "fresh"]) {
    for (const tree of /** @type {const} */ (["baseTree", "afterTree", "goneTree"])) {
      const [some, all] = [excerpt, whole].map((graph) => graph[tree].total[at(graph, name)]);
      assert.ok(Math.abs(some - all) < 1e-9, `${name} in ${tree}: ${some}, ${all}`);
    }
  }
});

test("grown and shrunk have a sign where there is no room for a number", () => {
  const graph = diffGraph(DIFF);
  const [after, gone] = graph.lanes;
  assert.equal(graph.sign?.(at(graph, "a"), after), "+");
  assert.equal(graph.sign?.(at(graph, "t"), after), "");
  assert.equal(graph.sign?.(at(graph, "b"), after), "");
  assert.equal(graph.sign?.(at(graph, "gone"), gone), "");
});

/** Two captures of each side, in which `a` is called from two places. */
function noisy() {
  const captures = [1, 3].map((times) =>
    profileOfStacks([`t;f;a ${times * 100}`, `t;g;a ${times * 200}`, `t;h ${1000 - times * 300}`]),
  );
  const merged = profileOfStacks(["t;f;a 400", "t;g;a 800", "t;h 800"]);
  const list = captures.map((profile) => ({ profile, exposure: 1 }));
  return diffProfiles(merged, merged, { ...LABELS, baseCaptures: list, afterCaptures: list });
}

test("the noise of a function's calls adds up as if they varied by themselves", () => {
  const diff = noisy();
  const whole = diffGraph(diff);
  const calls = diff.parent.flatMap((_, node) => (whole.name(node) === "a" ? [node] : []));
  const expected = Math.hypot(...calls.map((node) => diff.noise_share?.[node] ?? 0));
  assert.ok(expected > 0);
  for (const side of /** @type {const} */ (["callees", "callers", "both"])) {
    const grown =
      /** @type {import("../../../pipeline/flamegraph/graph/diff_graph.js").DrawnDiff} */ (
        functionTree(diff, "a", side)
      );
    assert.ok(Math.abs((grown.noise_share?.[1] ?? 0) - expected) < 1e-9, side);
    assert.equal(grown.noise_share?.length, grown.parent.length);
  }
});

test("where what waits is hidden, the noise of shares grows as they do", () => {
  const captures = [1, 3].map((times) =>
    profileOfStacks([`t;a ${times * 100}`, `t;b ${500 - times * 100}`, "t;epoll_wait 500"]),
  );
  const merged = profileOfStacks(["t;a 400", "t;b 600", "t;epoll_wait 1000"]);
  const list = captures.map((profile) => ({ profile, exposure: 1 }));
  const diff = diffProfiles(merged, merged, {
    ...LABELS,
    baseCaptures: list,
    afterCaptures: list,
  });
  const left = /** @type {import("../../../pipeline/flamegraph/graph/diff_graph.js").DrawnDiff} */ (
    edited(diff, IDLE).data
  );
  const [a, rest] = [at(diffGraph(diff), "a"), at(diffGraph(left), "a")];
  assert.equal(left.noise_share?.[rest], 2 * (diff.noise_share?.[a] ?? Number.NaN));
});

test("a share of a frame has the noise of part and frame together", () => {
  const diff = { ...noisy() };
  const whole = diffGraph(diff);
  const f = at(whole, "f");
  const a = diff.parent.findIndex((above, node) => above === f && whole.name(node) === "a");
  // Of `f` something else is new, as much as a third of what `a` is.
  diff.base_self = diff.base_self.map((weight, node) => Number(weight) + (node === f ? 3 : 0));
  const graph = diffGraph(diff, { basis: "share_of_frame", of: f });
  const [noise, frame] = [diff.noise_share?.[a] ?? 0, diff.noise_share?.[f] ?? 0];
  const share = (graph.baseTree.total[a] + graph.afterTree.total[a]) / 2;
  const size = (100 * Math.hypot(noise, share * frame)) / 0.2;
  assert.match(graph.facts(a, f)[0], /^no change above the noise \(±\d/);
  const shown = Number(/±([\d.]+)/.exec(graph.facts(a, f)[0])?.[1]);
  assert.ok(Math.abs(shown - size) < 0.01 * size, `${shown} ${size}`);
});

test("in a file, a legend of long names has rows enough, and the graph is below it", () => {
  const labels = { baseLabel: "release ".repeat(7), afterLabel: "another ".repeat(7) };
  const { svg } = diffSvg(diffProfiles(BASE, AFTER, labels), "t");
  const swatches = [...svg.matchAll(/<rect class="[gsn]4?" x="(\d+)" y="(\d+)" width="14"/g)];
  assert.equal(swatches.length, 3);
  const texts = [...svg.matchAll(/<text class="line" x="(\d+)" y="(\d+)">([^<]*: [^<]*)<\/text>/g)];
  for (const [, x, , text] of texts.slice(-3)) {
    assert.ok(Number(x) + 7 * text.length <= 1224, `${text} at ${x}`);
  }
  const rows = new Set(swatches.map(([, , y]) => y));
  assert.equal(rows.size, 2);
  const graph = Number(/<svg class="flame-graph" x="10" y="(\d+)"/.exec(svg)?.[1]);
  assert.ok(graph > Math.max(...[...rows].map(Number)) + 14);
});

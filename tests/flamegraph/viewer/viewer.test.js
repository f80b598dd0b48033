/** The parts of the viewer that need no browser. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { edited, NO_EDITS } from "../../../pipeline/flamegraph/graph/edits.js";
import { profileGraph } from "../../../pipeline/flamegraph/graph/profile_graph.js";
import { scene } from "../../../pipeline/flamegraph/graph/scene.js";
import { neighbour } from "../../../pipeline/flamegraph/viewer/cursor.js";
import { INITIAL, understood } from "../../../pipeline/flamegraph/viewer/link_state.js";
import { Places, WHOLE } from "../../../pipeline/flamegraph/viewer/moves.js";
import { FrameIndex } from "../../../pipeline/flamegraph/viewer/picture.js";
import {
  foundWords,
  matchedShare,
  matcher,
  matchingNodes,
  search,
} from "../../../pipeline/flamegraph/viewer/search.js";
import {
  findFrame,
  framePath,
  functionPath,
  sameFrame,
} from "../../../pipeline/profile/model/frame_path.js";
import { functionId, matchClass } from "../../../pipeline/profile/model/function_names.js";
import { pathTo } from "../../../pipeline/profile/model/tree.js";
import { profileOf, profileOfStacks, profiles } from "../../profile/profiles.js";
import { vectors } from "../../vectors/vectors.js";

/** @param {string[]} stacks */
const graphOf = (stacks) => profileGraph(profileOfStacks(stacks));

/**
 * @param {import("../../../pipeline/flamegraph/graph/graph.js").Graph} graph
 * @param {string} path names joined by `;`, below the root
 */
function nodeAt(graph, path) {
  const { tree } = graph.lanes[0];
  const names = (/** @type {number} */ node) => pathTo(tree, node).slice(1).map(graph.name);
  const node = Array.from(tree.parent, (_, index) => index).find(
    (index) => names(index).join(";") === path,
  );
  assert.ok(node !== undefined, path);
  return node;
}

const VECTORS = vectors("frame_paths");

test("a frame's path is the shortest end of its call path that finds it again, as in Python", () => {
  for (const { stacks, paths } of VECTORS.frames) {
    const profile = profileOf(
      stacks.map((/** @type {any} */ [frames, weight]) => ({
        frames: frames.map((/** @type {string} */ name) => name.replace(/_\[k\]$/, "@kernel")),
        weight,
      })),
    );
    const graph = profileGraph(profile);
    for (const [calls, path] of paths) {
      const node = nodeAt(graph, calls.join(";"));
      assert.equal(framePath(graph, node), path);
      assert.equal(findFrame(graph, path), node);
    }
    assert.equal(findFrame(graph, "vanished"), -1);
    assert.equal(findFrame(graph, ""), -1);
  }
});

test("a function's path has its class and key, as in Python", () => {
  for (const [key, family, path] of VECTORS.functions) {
    assert.equal(functionPath(functionId(family, key)), path);
  }
});

test("any frame's path finds a frame of the same calls, whatever its name", () => {
  fc.assert(
    fc.property(profiles, (profile) => {
      const graph = profileGraph(profile);
      const { tree } = graph.lanes[0];
      for (let node = 0; node < tree.parent.length; node++) {
        const found = findFrame(graph, framePath(graph, node));
        assert.ok(found >= 0, framePath(graph, node));
        assert.ok(tree.total[found] >= tree.total[node]);
        assert.equal(graph.key(found), graph.key(node));
        assert.equal(matchClass(graph.className(found)), matchClass(graph.className(node)));
      }
    }),
  );
});

test("a frame is found again in a graph that has more", () => {
  const part = graphOf(["t;main;scan 5"]);
  const whole = graphOf(["t;main;cut;scan 1", "t;main;scan 5", "a;main 2"]);
  assert.equal(sameFrame(part, nodeAt(part, "t;main;scan"), whole), nodeAt(whole, "t;main;scan"));
});

test("a path that Python wrote finds frames whose names are not shown as they are", () => {
  for (const name of ["line\nbreak", "right\u202eto left", `${"x".repeat(3000)}y`]) {
    const graph = profileGraph(profileOf([{ frames: ["t", name], weight: 1 }]));
    assert.equal(findFrame(graph, functionPath(functionId("user", name))), 2);
    assert.equal(findFrame(graph, framePath(graph, 2)), 2);
  }
});

test("a function's path finds its widest frame", () => {
  const graph = graphOf(["postgres;postgres;write 5", "postgres;main;write@kernel 9"]);
  assert.equal(findFrame(graph, functionPath("thread postgres")), nodeAt(graph, "postgres"));
  assert.equal(findFrame(graph, functionPath("kernel postgres")), -1);
});

test("where recursion is merged, a frame is the one that it has become; and back", () => {
  const profile = profileOfStacks(["t;a;f;f;f;g 5", "t;b;f;f;g 9", "t;a;f;h 1"]);
  const graph = profileGraph(profile);
  const merged = profileGraph(
    /** @type {any} */ (edited(profile, { ...NO_EDITS, merge: "recursion" }).data),
  );
  /** @type {[string, string, string][]} */
  const frames = [
    ["t;a;f;f;f", "t;a;f", "t;a;f"],
    ["t;a;f;f;f;g", "t;a;f;g", "t;a;f;f;f;g"],
    ["t;a;f;h", "t;a;f;h", "t;a;f;h"],
  ];
  for (const [frame, one, back] of frames) {
    const found = sameFrame(graph, nodeAt(graph, frame), merged);
    assert.equal(found, nodeAt(merged, one), frame);
    assert.equal(sameFrame(merged, found, graph), nodeAt(graph, back), frame);
  }
});

test("where a frame is gone, the nearest caller that is left stands for it", () => {
  const graph = graphOf(["t;main;poll;schedule@kernel 5", "t;main;work 5"]);
  const left = graphOf(["t;main;work 5"]);
  assert.equal(
    sameFrame(graph, nodeAt(graph, "t;main;poll;schedule"), left),
    nodeAt(left, "t;main"),
  );
});

const GRAPH = { bases: null, columns: ["name", "self"] };
const DIFF = { bases: ["share", "frame"], columns: [] };

test("what a link holds is understood where it means something", () => {
  /** @type {[Partial<import("../../../pipeline/flamegraph/viewer/link_state.js").LinkState>, typeof GRAPH | typeof DIFF, string[]][]} */
  const links = [
    [{ frame: "f", search: "/(/", view: "both", of: "f", hide: "idle" }, GRAPH, []],
    [{ palette: "plain", sort: "-self" }, GRAPH, []],
    [{ basis: "frame", colour: "self", sides: "flipped" }, DIFF, []],
    [
      { basis: "share", colour: "self", sides: "flipped" },
      GRAPH,
      ["basis=share", "colour=self", "sides=flipped"],
    ],
    [
      { basis: "second", palette: "plain", sort: "name" },
      DIFF,
      ["basis=second", "palette=plain", "sort=name"],
    ],
    [{ view: "both" }, GRAPH, ["view=both"]],
    [{ of: "f" }, GRAPH, ["of=f"]],
    [{ sort: "-bogus" }, GRAPH, ["sort=-bogus"]],
    [{ draw: `\u202E${"x".repeat(3000)}` }, GRAPH, [`draw=[U+202E]${"x".repeat(52)}…`]],
  ];
  for (const [link, graph, dropped] of links) {
    const given = { ...INITIAL, ...link };
    const read = understood(given, graph);
    assert.deepEqual(read.dropped.toSorted(), dropped.toSorted());
    assert.deepEqual(understood(read.state, graph), { state: read.state, dropped: [] });
    if (dropped.length === 0) assert.deepEqual(read.state, given);
  }
});

test("the way back leads through each place once, and ends at the whole", () => {
  const places = new Places();
  const [a, b] = [
    { ...WHOLE, frame: "a" },
    { ...WHOLE, frame: "b" },
  ];
  assert.ok(!places.leadBackFrom(WHOLE));
  assert.ok(places.leadBackFrom(a));
  assert.deepEqual(places.before(a), WHOLE);
  for (const place of [WHOLE, a, a, b, WHOLE]) places.leave(place);
  assert.deepEqual(places.before(WHOLE), b);
  assert.deepEqual(places.before(b), a);
  assert.deepEqual(places.before(a), WHOLE);
  assert.ok(!places.leadBackFrom(WHOLE));
});

test("a search is text in any case, or an expression between slashes", () => {
  assert.ok(matcher("hash")("ExecHash"));
  assert.ok(!matcher("h.sh")("ExecHash"));
  assert.ok(matcher("/^exec.+h$/")("ExecHash"));
  assert.ok(matcher("/")("a/b"));
});

test("a search of libraries has lib: before it, in text or in an expression", () => {
  assert.ok(matcher("lib:LIBC")("memcpy", "libc.so.6"));
  assert.ok(!matcher("lib:libc")("libc_start", "postgres"));
  assert.ok(!matcher("lib:libc")("libc_start"));
  assert.ok(matcher("lib:/^lib.*6$/")("memcpy", "libc.so.6"));
  assert.ok(!matcher("libc")("memcpy", "libc.so.6"));
  const graph = graphOf(["t;main@user=db;memcpy@libc=libc.so.6 5", "t;main@user=db 5"]);
  assert.equal(foundWords(graph, search(graph, "lib:libc"), 0), "Matched: 50.00 %");
});

test("a search that has no answer says why", () => {
  const graph = graphOf(["t;main;scan 5"]);
  assert.match(search(graph, "/(/").problem, /^Not a regular expression: ./);
  assert.match(
    search(graph, "/(?=s)/").problem,
    /^This expression cannot be searched for: looking/,
  );
  assert.equal(search(graph, "").problem, "");
});

test("a search is given up before the reader gives up", () => {
  const names = Array.from({ length: 3000 }, (_, index) => `t;${"a".repeat(900)}${index} 1`);
  const started = performance.now();
  const { nodes, problem } = search(graphOf(names), `/${"(a?){90}".repeat(11)}!/`);
  assert.match(problem, /it takes too long$/);
  assert.equal(nodes.size, 0);
  assert.ok(performance.now() - started < 5000);
});

test("matched weight counts once, however matches nest, and of the zoomed frame only", () => {
  const graph = graphOf(["t;f;g;f 30", "t;g 20", "t;h 50"]);
  const { tree } = graph.lanes[0];
  const matching = matchingNodes(graph, (name) => name === "f" || name === "g");
  assert.equal(matching.size, 4);
  assert.equal(matchedShare(tree, matching, 0), 0.5);
  assert.equal(matchedShare(tree, matching, nodeAt(graph, "t;h")), 0);
  assert.equal(matchedShare(tree, matching, nodeAt(graph, "t;f;g")), 1);
});

test("arrows lead to the caller, the widest callee and the siblings, as the graph stands", () => {
  const graph = graphOf(["t;a;x 10", "t;a;y 30", "t;b 20"]);
  for (const [direction, up, down] of /** @type {const} */ ([
    ["icicle", "ArrowUp", "ArrowDown"],
    ["flame", "ArrowDown", "ArrowUp"],
  ])) {
    const drawing = scene(graph, { width: 1000, zoomed: 0, direction });
    /** @param {string} path @param {string} key */
    const from = (path, key) => {
      const node = path === "" ? 0 : nodeAt(graph, path);
      const here = drawing.frames.find((frame) => frame.node === node);
      assert.ok(here);
      const there = neighbour(drawing, here, key);
      return there && graph.name(there.node);
    };
    assert.equal(from("t;a", down), "y");
    assert.equal(from("t;a;x", up), "a");
    assert.equal(from("t;a", up), "t");
    assert.equal(from("t;a", "ArrowRight"), "b");
    assert.equal(from("t;a", "ArrowLeft"), undefined);
    assert.equal(from("", up), undefined);
    assert.equal(from("t;b", down), undefined);
  }
});

test("a frame is found where it is drawn, and just beside it when it is thin", () => {
  const graph = graphOf(["t;a 500", "t;thin 1", "t;b 498", "u 1"]);
  for (const direction of /** @type {const} */ (["icicle", "flame"])) {
    const drawing = scene(graph, { width: 1000, zoomed: 0, direction });
    const index = new FrameIndex(drawing);
    for (const { node, x, y, width } of drawing.frames) {
      assert.equal(index.at(x + width / 2, y + 3)?.node, node);
    }
    assert.equal(index.at(10, drawing.height + 1), undefined);
    assert.equal(index.at(10, -1), undefined);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import {
  ALIKE,
  DOCUMENTED,
  normalQuantile,
  studentOf,
} from "../../../pipeline/profile/diff/overdispersion.js";
import { profileOf, profileOfStacks } from "../profiles.js";

/** @typedef {import("../../../pipeline/profile/model/profile.js").Profile} Profile */

const LABELS = { baseLabel: "16", afterLabel: "18" };
const COST = { cost_per_operation: { base: 1e-3, after: 1e-3 } };

/**
 * @param {number} seed
 * @returns {() => number} the same numbers between 0 and 1 for the same seed
 */
function chance(seed) {
  let state = seed * 7919 + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Call paths and how likely a sample is of each: some heavy, most thin. */
const PATHS = Array.from({ length: 60 }, (_, index) => ({
  frames: ["t", `caller${index % 7}`, `f${index % 23}`, `g${index}`],
  weight: 1 / (1 + index),
}));

/**
 * Captures of one program, each some thousand samples drawn by chance.
 *
 * @param {number} seed
 * @param {number} count
 * @param {Record<string, number>} [more] how many times as likely samples of a function are
 * @param {number} [drift] by how much a caller varies from capture to capture, besides
 * @returns {Profile[]}
 */
function captured(seed, count, more = {}, drift = 0) {
  const random = chance(seed);
  return Array.from({ length: count }, () => {
    const drifts = Array.from({ length: 7 }, () => 1 + drift * (2 * random() - 1));
    const likely = PATHS.map(
      ({ frames, weight }, index) => weight * drifts[index % 7] * (more[frames[3]] ?? 1),
    );
    const whole = likely.reduce((sum, each) => sum + each, 0);
    const counts = PATHS.map(() => 0);
    for (let sample = 0; sample < 4000; sample++) {
      let left = random() * whole;
      const hit = likely.findIndex((each) => {
        left -= each;
        return left <= 0;
      });
      counts[Math.max(hit, 0)]++;
    }
    return profileOf(PATHS.map(({ frames }, index) => ({ frames, weight: counts[index] * 1000 })));
  });
}

/**
 * @param {Profile[]} profiles
 * @returns {Profile}
 */
function merged(profiles) {
  return profileOf(
    profiles.flatMap(({ parent, name, names, self, scale, classes }) => {
      /** @param {number} node @returns {string[]} */
      const frames = (node) =>
        node === 0
          ? []
          : [
              ...frames(parent[node]),
              names[name[node]] + (classes[name[node]] === 2 ? "@libc" : ""),
            ];
      return self.map((weight, node) => ({ frames: frames(node), weight: Number(weight) * scale }));
    }),
    profiles[0].event,
  );
}

/**
 * @param {Profile[]} base captures
 * @param {Profile[]} after
 * @param {Partial<import("../../../pipeline/profile/diff/diff.js").DiffOptions>} [options]
 */
function compared(base, after, options = {}) {
  return diffProfiles(merged(base), merged(after), {
    ...LABELS,
    baseCaptures: base.map((profile) => ({ profile, exposure: 1 })),
    afterCaptures: after.map((profile) => ({ profile, exposure: 1 })),
    ...options,
  });
}

/**
 * Return which part of the weight of all frames has a colour.
 *
 * @param {import("../../../pipeline/profile/diff/diff.js").Diff} diff
 * @param {import("../../../pipeline/flamegraph/graph/diff_graph.js").DiffView} [view]
 */
function coloured(diff, view) {
  const graph = diffGraph(diff, view);
  const [lane] = graph.lanes;
  let [all, of] = [0, 0];
  for (let node = 1; node < diff.parent.length; node++) {
    const weight = graph.afterTree.total[node] + graph.baseTree.total[node];
    all += weight;
    if (graph.colour(node, lane) !== "n") of += weight;
  }
  return of / all;
}

for (const [captures, drift] of [
  [2, 0],
  [3, 0],
  [5, 0.2],
  [10, 0.1],
]) {
  test(`of ${captures} captures a side of one program, next to nothing is coloured (drift ${drift})`, () => {
    for (const options of [
      {},
      { basis: /** @type {const} */ ("cost_per_operation"), bases: COST },
    ]) {
      const parts = Array.from({ length: 12 }, (_, index) =>
        compared(
          captured(2 * index + 1, captures, {}, drift),
          captured(2 * index + 2, captures, {}, drift),
          options,
        ),
      );
      for (const view of [{}, { bySelf: true }]) {
        const mean = parts.reduce((sum, diff) => sum + coloured(diff, view), 0) / parts.length;
        assert.ok(mean < 0.05, `${mean} of the weight`);
      }
    }
  });
}

test("what grew by half is coloured, and only that, its callers and what gave way", () => {
  const diff = compared(captured(1, 5), captured(2, 5, { g3: 1.5 }));
  const graph = diffGraph(diff);
  const [lane] = graph.lanes;
  const node = diff.parent.findIndex((_, at) => graph.name(at) === "g3");
  assert.match(graph.colour(node, lane), /^g/);
  assert.match(graph.facts(node, 0)[0], /^grown, by more than the noise \(±[01]\.\d+ points\)$/);
  const grown = diff.parent.flatMap((_, at) =>
    graph.colour(at, lane).startsWith("g") ? [graph.name(at)] : [],
  );
  assert.deepEqual(grown, ["caller3", "f3", "g3"]);
});

test("what is within the noise is grey and says so, with its size", () => {
  const diff = compared(captured(1, 5), captured(2, 5));
  const graph = diffGraph(diff);
  const node = diff.parent.findIndex((_, at) => graph.name(at) === "g1");
  assert.equal(graph.colour(node, graph.lanes[0]), "n");
  assert.equal(graph.mark(node, graph.lanes[0]), "");
  assert.equal(graph.sign?.(node, graph.lanes[0]), "");
  assert.match(graph.facts(node, 0)[0], /^no change above the noise \(±[01]\.\d+ points\)$/);
  assert.match(graph.legend[2].text, /noise/);
});

test("a frame that differs between captures has more noise than another of its weight", () => {
  const [base, after] = [
    [1, 2, 3],
    [2, 3, 1],
  ].map((captures) =>
    captures.map((at) =>
      profileOfStacks(
        [
          ...["even", "b", "c", "d"].map((name, index) => `t;${name} ${1000 + index + at}`),
          `t;odd ${at * 500}`,
          `t;x ${2000 - at * 500}`,
        ],
        { event: "wall-clock" },
      ),
    ),
  );
  const diff = compared(base, after);
  const graph = diffGraph(diff);
  const noise = (/** @type {string} */ name) =>
    diff.noise_share?.[diff.parent.findIndex((_, at) => graph.name(at) === name)] ?? 0;
  assert.ok(noise("odd") > 3 * noise("even"), `${noise("odd")} ${noise("even")}`);
});

test("the noise of cost is larger than that of shares where captures weigh unlike", () => {
  const captures = [1, 2, 3].map((times) =>
    profileOfStacks(
      ["a", "b", "c", "d", "e"].map((name) => `t;${name} ${times * 1000}`),
      {
        event: "wall-clock",
      },
    ),
  );
  const diff = compared(captures, captures, { bases: COST });
  const [share, cost] = [diff.noise_share ?? [], diff.noise_cost_per_operation ?? []];
  assert.equal(share[0], 0, "all of a side never varies");
  assert.ok(cost[2] / 30 > 10 * share[2], `${cost[2]} of 30 and ${share[2]} of 1`);
});

test("a longer capture may weigh more without being noise", () => {
  const profiles = [1, 2, 3].map((times) =>
    profileOfStacks(
      ["a", "b", "c", "d", "e"].map((name) => `t;${name} ${times * 1000}`),
      {
        event: "wall-clock",
      },
    ),
  );
  const [long, equal] = [10, 0].map((more) => {
    const captures = profiles.map((profile, at) => ({ profile, exposure: 10 + more * at }));
    const options = { bases: COST, baseCaptures: captures, afterCaptures: captures };
    return compared(profiles, profiles, options).noise_cost_per_operation?.[2] ?? 0;
  });
  assert.ok(10 * long < equal, `${long} and ${equal}`);
});

test("of single captures the noise is that of counts, as much as other captures differ", () => {
  const [one, two] = [4000, 4400].map((a) =>
    profileOfStacks([`t;a ${a}`, `t;b ${10000 - a}`], { event: "wall-clock" }),
  );
  // Of two functions.
  const quantile = Number(normalQuantile(1 / 80 / 2).toFixed(3));
  const noise = (/** @type {number} */ times) =>
    Number(
      (
        studentOf(quantile, ALIKE) * Math.sqrt((times * (0.4 * 0.6 + 0.44 * 0.56)) / 10000)
      ).toPrecision(2),
    );
  assert.equal(compared([one], [two]).noise_share?.[2], noise(DOCUMENTED));
  assert.equal(compared([one], [two], { overdispersion: 4 }).noise_share?.[2], noise(4));
});

test("the noise of one side's captures serves a single one of the other", () => {
  const [one, ...more] = captured(1, 6, {}, 0.2);
  const diff = compared([one], more, { overdispersion: 1000 });
  assert.deepEqual([diff.base.captures, diff.after.captures], [1, 5]);
  assert.ok((diff.noise_share?.[2] ?? 1) < 0.2, "and other captures do not count");
});

test("a capture that ends too early is not compared with the others", () => {
  const captures = captured(1, 3);
  const partial = {
    ...captures[0],
    captures: [
      {
        file: "a",
        sha256: "",
        format: "folded",
        samples: null,
        weight: "1",
        lost: 0,
        partial: true,
        shares_only: null,
        skipped: [],
      },
    ],
  };
  const options = {
    baseCaptures: [partial, ...captures].map((profile) => ({ profile, exposure: 1 })),
  };
  assert.equal(compared(captures, captures, options).base.captures, 3);
});

test("where the noise is known, a change of a fiftieth of the profile has the strongest colour", () => {
  const captures = (/** @type {number} */ a) =>
    [0, 1, 2].map((at) =>
      profileOfStacks([`t;a ${a + at}`, `t;b ${100000 - a - at}`], { event: "wall-clock" }),
    );
  const diff = compared(captures(50000), captures(51000));
  assert.equal(diffGraph(diff).colourScale, 0.02);
  const graph = diffGraph(diff);
  const a = diff.parent.findIndex((_, node) => graph.name(node) === "a");
  assert.equal(graph.colour(a, graph.lanes[0]), "g3");
});

test("swapping the sides keeps the noise", () => {
  const [a, b] = [captured(1, 3), captured(2, 4, { g5: 2 })];
  const there = compared(a, b, { bases: COST });
  const back = compared(b, a, { bases: COST });
  for (const key of /** @type {const} */ ([
    "noise_share",
    "self_noise_share",
    "noise_cost_per_operation",
  ])) {
    assert.deepEqual(there[key], back[key]);
  }
});

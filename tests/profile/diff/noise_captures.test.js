/** The noise of real captures: those of the report that comes with the project. */

import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { diffGraph } from "../../../pipeline/flamegraph/graph/diff_graph.js";
import { diffProfiles } from "../../../pipeline/profile/diff/diff.js";
import { foldFiles, profilesOf } from "../../../pipeline/profile/read/fold.js";

const REPORT = fileURLToPath(new URL("../../../data/results/postgres-releases", import.meta.url));
const STEPS = ["select", "update", "range-scan", "insert"];
const skip = existsSync(REPORT) ? false : "the example report is not here";

/** @param {string[]} files */
async function folded(files) {
  const { trees } = await foldFiles(files.map((path) => ({ file: path, path })));
  const [profile] = await profilesOf(trees);
  return profile;
}

/** @param {string[]} files */
const captures = (files) =>
  Promise.all(files.map(async (file) => ({ profile: await folded([file]), exposure: 1 })));

/**
 * @param {string[]} base files
 * @param {string[]} after
 */
async function compared(base, after) {
  return diffProfiles(await folded(base), await folded(after), {
    baseLabel: "one",
    afterLabel: "other",
    baseCaptures: await captures(base),
    afterCaptures: await captures(after),
    bases: { cost_per_operation: { base: 1 / base.length, after: 1 / after.length } },
  });
}

/**
 * Return which part of the weight of all frames has a colour.
 *
 * @param {import("../../../pipeline/profile/diff/diff.js").Diff} diff
 * @param {import("../../../pipeline/flamegraph/graph/diff_graph.js").DiffView} view
 */
function coloured(diff, view) {
  const graph = diffGraph(diff, view);
  const { baseTree, afterTree, lanes } = graph;
  let [all, of] = [0, 0];
  for (let node = 1; node < diff.parent.length; node++) {
    const weight = afterTree.total[node] + baseTree.total[node];
    all += weight;
    if (graph.colour(node, lanes[0]) !== "n") of += weight;
  }
  return of / all;
}

/** @param {string} release @param {string} step */
const filesOf = (release, step) => globSync(`${REPORT}/${release}/*/*/${step}/perf.*`).sort();

for (const step of STEPS) {
  test(`half of the captures of ${step} differ from the other half by noise alone`, {
    skip,
  }, async () => {
    for (const release of ["12", "18"]) {
      const files = filesOf(release, step);
      assert.ok(files.length >= 4, release);
      const [one, other] = [0, 1].map((half) => files.filter((_, index) => index % 2 === half));
      const diff = await compared(one, other);
      for (const basis of /** @type {const} */ (["share", "cost_per_operation"])) {
        for (const bySelf of [false, true]) {
          const part = coloured(diff, { basis, bySelf });
          assert.ok(part < 0.05, `${release}, ${basis}: ${part}`);
        }
      }
    }
  });
}

test("what changed from one release to another is more than noise", { skip }, async () => {
  const diff = await compared(filesOf("16", "insert"), filesOf("18", "insert"));
  assert.ok(coloured(diff, { basis: "share" }) > 0.1);
});

/** Suspects among real captures: those of the report that comes with the project. */

import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { foldFiles, profilesOf } from "../../../pipeline/profile/read/fold.js";
import { foundOf } from "./programs.js";

const REPORT = fileURLToPath(new URL("../../../data/results/postgres-releases", import.meta.url));
const skip = existsSync(REPORT) ? false : "the example report is not here";
const STEPS = ["select", "update", "range-scan", "insert"];

/** @param {string} release @param {string} step */
async function captures(release, step) {
  const files = globSync(`${REPORT}/${release}/*/*/${step}/perf.*`).sort();
  return Promise.all(
    files.map(async (path) => {
      const { trees } = await foldFiles([{ file: path, path }]);
      const [profile] = await profilesOf(trees);
      return profile;
    }),
  );
}

for (const step of STEPS) {
  test(`half of the captures of ${step} make no suspects of the other half`, { skip }, async () => {
    for (const release of ["12", "18"]) {
      const all = await captures(release, step);
      const [one, other] = [0, 1].map((half) => all.filter((_, index) => index % 2 === half));
      const { additions, savings, shifts } = foundOf(one, other);
      assert.deepEqual([additions, savings, shifts], [[], [], []], release);
    }
  });
}

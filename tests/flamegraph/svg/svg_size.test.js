/** SVGs beside those that flamegraph.pl drew of the same stacks. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { profileSvg } from "../../../pipeline/flamegraph/svg/profile_svg.js";
import { foldFiles, profilesOf } from "../../../pipeline/profile/read/fold.js";
import { realData, skipWithout } from "../../profile/real_data.js";

const STEPS = [
  "myrocks56-ibench/2023-05-29/q100",
  "myrocks56-ibench/2023-05-29/l.i1",
  "mysql-sysbench-pn53/8037/insert",
];

for (const step of STEPS) {
  test(`${step} has all frames in 0.55 of flamegraph.pl's bytes, 0.6 compressed`, {
    skip: skipWithout(step),
  }, async () => {
    const theirs = gunzipSync(readFileSync(realData(`${step}/flamegraph.svg.gz`)));
    const path = realData(`${step}/stacks.folded.gz`);
    const { trees } = await foldFiles([{ file: step, path }]);
    const [profile] = await profilesOf(trees);
    const { svg, drawn } = profileSvg(profile, step, ["cycles"]);
    assert.ok(drawn >= (theirs.toString().match(/<title>/g) ?? []).length);
    const data = /class="data">(.*?)<\/script>/s.exec(svg)?.[1] ?? "";
    assert.deepEqual(JSON.parse(data).names, profile.names);
    const compressed = gzipSync(svg, { level: 9 }).length / gzipSync(theirs, { level: 9 }).length;
    assert.ok(Buffer.byteLength(svg) <= 0.55 * theirs.length);
    assert.ok(compressed <= 0.6, `${compressed}`);
  });
}

/**
 * The call trees that drawing is measured with: of a real recording, cut to its heaviest frames, so
 * that every tool draws the same ones; or an invented one where no recording is at hand.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { layout } from "../../pipeline/flamegraph/graph/layout.js";
import { profileGraph } from "../../pipeline/flamegraph/graph/profile_graph.js";
import { excerptNames, excerptWeights } from "../../pipeline/flamegraph/svg/excerpt.js";
import { THREAD, USER } from "../../pipeline/profile/model/profile.js";
import { ProfileBuilder } from "../../pipeline/profile/model/profile_builder.js";

/** @typedef {import("../../pipeline/profile/model/profile.js").Profile} Profile */

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
export const CACHE = `${PROJECT}tests/bench/.cache/`;
const DATA = process.env.PERFPRESS_DATA ?? `${PROJECT}../shared/data`;
const CLI = `${PROJECT}pipeline/profile/cli/main.js`;

/** @returns {{ profile: Profile, source: string }} */
export function largeProfile() {
  for (const capture of recordings()) {
    const folded = `${CACHE}${capture.replace(/^.*\//, "")}.json`;
    if (!existsSync(folded)) {
      execFileSync(process.execPath, [CLI, "fold", capture, "-o", folded], { stdio: "inherit" });
    }
    const profile = JSON.parse(readFileSync(folded, "utf8"));
    if (profile.parent.length >= 45_000) return { profile, source: capture };
  }
  return { profile: inventedProfile(), source: "an invented tree, as there is no recording" };
}

/** What `make bench-capture` recorded, else the captures of the real data. */
function recordings() {
  const captures = `${DATA}/captures`;
  const given = existsSync(captures) ? readdirSync(captures) : [];
  const recorded = `${CACHE}large.perf-script`;
  return [
    ...(existsSync(recorded) ? [recorded] : []),
    ...given.filter((name) => /\.perf-script\b/.test(name)).map((name) => `${captures}/${name}`),
  ];
}

/**
 * Cut a profile to its heaviest frames; what they called that is cut counts as their own.
 *
 * @param {Profile} profile
 * @param {number} frames
 * @returns {Profile}
 */
export function heaviest(profile, frames) {
  const [{ tree }] = profileGraph(profile).lanes;
  const kept = layout(tree, { root: 0, maximumFrames: frames }).boxes.map(({ node }) => node);
  const { self, rest } = excerptWeights(tree, kept);
  return {
    ...profile,
    ...excerptNames(profile, kept),
    self: self.map((weight, index) => weight + rest[index]),
    self_samples: null,
  };
}

/** With names as long and stacks as deep as those of a database server; the same every time. */
function inventedProfile() {
  const builder = new ProfileBuilder();
  const thread = builder.child(0, builder.frame("mysqld", THREAD));
  let state = 1;
  /** @param {number} below */
  const random = (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let stack = 0; stack < 40_000; stack++) {
    let node = thread;
    const depth = 8 + random(60);
    for (let level = 0; level < depth; level++) {
      // Callers are few, what they call is ever more; the first is called most.
      const choice = Math.floor(random(1 + Math.min(level, 40)) * (random(1000) / 1000) ** 3);
      const name = `storage::engine_${level % 7}::Index_${level}<Record>::search_${choice}`;
      node = builder.child(node, builder.frame(name, USER));
    }
    builder.add(node, 1_001_001 * (1 + random(20)), 1);
  }
  const description = { event: "cpu-clock", unit: "CPU ns", samples: null, samplesByNode: false };
  return builder.build({ ...description, captures: [] });
}

/**
 * Measures what is found between captures whose truth is known: splits of one program, functions that
 * were made slower by a known part of all, and functions that only moved. Programs are invented, and real
 * profiles where the data are beside the project: captures are drawn from them by chance (Poisson).
 *
 *     node tests/bench/changes.js [splits|planted|moved|real]...
 */

import { existsSync, globSync, readFileSync } from "node:fs";
import process from "node:process";
import { gunzipSync } from "node:zlib";
import { compareProfiles } from "../../pipeline/profile/diff/diff.js";
import { foldFiles, profilesOf } from "../../pipeline/profile/read/fold.js";
import { readFolded } from "../profile/captures.js";
import {
  chance,
  merged,
  named,
  nameOf,
  PERIOD,
  poisson,
  server,
} from "../profile/changes/programs.js";
import { profileOf } from "../profile/profiles.js";
import { realData } from "../profile/real_data.js";

/** @typedef {import("../profile/changes/programs.js").Program} Program */
/** @typedef {import("../../pipeline/profile/model/profile.js").Profile} Profile */

const SPLITS = 40;
const REPORT = new URL("../../data/results/postgres-releases", import.meta.url).pathname;
const REAL = ["myrocks56-ibench/2022-03-07/l.i1", "mysql-sysbench-pn53/8037/insert"];
/** @param {string} path @returns {Promise<Profile>} */
async function folded(path) {
  const { trees } = await foldFiles([{ file: path, path }]);
  return (await profilesOf(trees))[0];
}

/** @param {Profile} profile @returns {Program} */
function programOf({ parent, name, names, self, classes, class_names }) {
  const paths = /** @type {string[][]} */ ([[]]);
  return Array.from(self, Number).flatMap((cost, node) => {
    const dso = { library: "@libc", kernel: "@kernel" }[class_names[classes[name[node]]]] ?? "";
    if (node > 0) paths[node] = [...paths[parent[node]], names[name[node]] + dso];
    return cost > 0 ? [{ frames: paths[node], cost }] : [];
  });
}

/** @param {Program} program @param {number} samples @returns {Program} */
function scaled(program, samples) {
  const all = program.reduce((sum, { cost }) => sum + cost, 0);
  return program.map(({ frames, cost }) => ({ frames, cost: (cost * samples) / all }));
}

/** @param {Program} program @param {() => number} random */
function capture(program, random) {
  return profileOf(
    program.flatMap(({ frames, cost }) => {
      const samples = poisson(cost, random);
      return samples > 0 ? [{ frames, weight: PERIOD * samples, samples }] : [];
    }),
  );
}

/**
 * @param {Profile[]} base
 * @param {Profile[]} after
 * @param {boolean} isCost
 */
function found(base, after, isCost) {
  const sides = [base, after].map((each) => ({
    profile: each.length === 1 ? each[0] : merged(each),
    captures: each.map((profile) => ({ profile, exposure: 1 })),
  }));
  const bases = isCost
    ? { cost_per_operation: { base: 1 / base.length / PERIOD, after: 1 / after.length / PERIOD } }
    : {};
  const { diff, captures } = compareProfiles(sides[0].profile, sides[1].profile, {
    baseLabel: "base",
    afterLabel: "after",
    baseCaptures: sides[0].captures,
    afterCaptures: sides[1].captures,
    bases,
  });
  return named(diff, captures);
}

/** @returns {[string, (seed: number) => Program][]} */
function programs() {
  /** @type {[string, (seed: number) => Program][]} */
  const known = [["invented", (seed) => scaled(server(seed), 20_000)]];
  for (const step of REAL) {
    const path = realData(`${step}/stacks.folded.gz`);
    if (!existsSync(path)) continue;
    const text = gunzipSync(readFileSync(path)).toString();
    const program = scaled(programOf(readFolded(text).profiles.unknown), 20_000);
    known.push([step, () => program]);
  }
  return known;
}

function splits() {
  console.log(`\n${SPLITS} splits of unchanged programs: named, shifts, spread evenly`);
  for (const [name, program] of programs()) {
    for (const isCost of [false, true]) {
      for (const count of [1, 2, 3, 6]) {
        let [some, shifts, even] = [0, 0, 0];
        for (let seed = 1; seed <= SPLITS; seed++) {
          const random = chance(seed * 31 + count);
          const all = Array.from({ length: 2 * count }, () => capture(program(seed), random));
          const each = found(all.slice(0, count), all.slice(count), isCost);
          if (each.additions.length + each.savings.length > 0) some++;
          shifts += each.shifts.length;
          if (each.found.additions.isEven || each.found.savings.isEven) even++;
        }
        const basis = isCost ? "cost" : "share";
        console.log(`${name}, ${basis}, ${count} a side: ${some}, ${shifts}, ${even}`);
      }
    }
  }
}

/** Captures of the report that comes with the project: those of one release, one or more a side. */
async function real() {
  console.log("\nReal captures of one cell against others of it: named, shifts, spread evenly, of");
  const cells = new Map();
  for (const path of globSync(`${REPORT}/*/*/*/*/perf.*.folded.gz`).sort()) {
    const cell = path.replace(/\/perf[^/]*$/, "");
    cells.set(cell, [...(cells.get(cell) ?? []), await folded(path)]);
  }
  for (const isCost of [false, true]) {
    for (const count of [1, 2, 3]) {
      let [some, shifts, even, of] = [0, 0, 0, 0];
      for (const captures of cells.values()) {
        for (let from = 0; from + 2 * count <= captures.length; from += 2 * count) {
          const each = found(
            captures.slice(from, from + count),
            captures.slice(from + count, from + 2 * count),
            isCost,
          );
          if (each.additions.length + each.savings.length > 0) some++;
          if (process.env.VERBOSE) console.log(each.additions, each.savings);
          shifts += each.shifts.length;
          if (each.found.additions.isEven || each.found.savings.isEven) even++;
          of++;
        }
      }
      console.log(
        `${isCost ? "cost" : "share"}, ${count} a side: ${some}, ${shifts}, ${even}, ${of}`,
      );
    }
  }
}

/** @typedef {{ name: string, change: (program: Program, part: number) => Program }} Planted */

/** @param {Program} program */
const whole = (program) => program.reduce((sum, { cost }) => sum + cost, 0);

/** @param {Program} program @param {(frames: string[]) => boolean} isMeant @param {number} cost */
function grown(program, isMeant, cost) {
  const had = whole(program.filter(({ frames }) => isMeant(frames)));
  return program.map((each) =>
    isMeant(each.frames) ? { ...each, cost: each.cost * (1 + cost / had) } : each,
  );
}

/** @param {string[]} frames */
const last = (frames) => nameOf(frames[frames.length - 1]);

/** @type {[string, (program: Program, seed: number, part: number) => { name: string, now: Program }][]} */
const PLANTED = [
  [
    "leaf",
    (program, seed, part) => {
      const name = ["memcmp", "malloc", "copy_page"][seed % 3];
      const cost = part * whole(program);
      return { name, now: grown(program, (frames) => last(frames) === name, cost) };
    },
  ],
  [
    "inner",
    (program, seed, part) => {
      const name = last(program.filter(({ frames }) => frames.length === 4)[seed % 25].frames);
      const cost = part * whole(program);
      return { name, now: grown(program, (frames) => last(frames) === name, cost) };
    },
  ],
  [
    "oftener called",
    (program, seed, part) => {
      const name = program[(seed * 7) % program.length].frames[2];
      const cost = part * whole(program);
      return { name: nameOf(name), now: grown(program, (frames) => frames[2] === name, cost) };
    },
  ],
  [
    "masked",
    (program, seed, part) => {
      const steps = program.filter(({ frames }) => frames.length === 4);
      const [one, other] = [steps[seed % 25], steps[(seed + 12) % 25]].map(({ frames }) => frames);
      const cost = part * whole(program);
      const less = grown(program, (frames) => frames[2] === other[2], -cost);
      return {
        name: last(one),
        now: grown(less, (frames) => last(frames) === last(one), cost),
      };
    },
  ],
];

function planted() {
  console.log("\nPlanted growth that comes first, of 36 (3 programs × 3 seeds × 4 kinds)");
  for (const isCost of [false, true]) {
    for (const count of [1, 2, 3, 6]) {
      for (const [part, samples] of [
        [0.01, 100_000],
        [0.02, 100_000],
        [0.05, 100_000],
        [0.005, 300_000],
      ]) {
        const missed = [];
        for (const [kind, change] of PLANTED) {
          for (let seed = 1; seed <= 9; seed++) {
            const program = scaled(server(seed), samples);
            const { name, now } = change(program, seed, part);
            const random = chance(seed * 31 + count);
            const of = (/** @type {Program} */ from) =>
              Array.from({ length: count }, () => capture(from, random));
            const { additions } = found(of(program), of(now), isCost);
            if (additions[0] !== name) missed.push(`${kind} ${seed}: ${additions[0]} not ${name}`);
          }
        }
        const basis = isCost ? "cost" : "share";
        console.log(
          `+${100 * part} %, ${samples} samples, ${basis}, ${count} a side: ${36 - missed.length} of 36`,
          missed.slice(0, 4).join("; "),
        );
      }
    }
  }
}

function moved() {
  console.log("\nMoved to another caller, 20: named as added, listed as a shift");
  for (const isCost of [false, true]) {
    for (const count of [1, 2, 3, 6]) {
      let [added, listed] = [0, 0];
      for (let seed = 1; seed <= 20; seed++) {
        const program = scaled(server(seed), 20_000);
        const steps = program.filter(({ frames }) => frames.length === 4);
        const { frames: from } = steps[seed % 30];
        const { frames: to } = steps[(seed + 11) % 30];
        const now = program.map(({ frames, cost }) =>
          frames[3] === from[3]
            ? { frames: [...to.slice(0, 3), ...frames.slice(3)], cost }
            : { frames, cost },
        );
        const random = chance(seed * 31 + count);
        const of = (/** @type {Program} */ each) =>
          Array.from({ length: count }, () => capture(each, random));
        const { additions, savings, shifts } = found(of(program), of(now), isCost);
        if (additions.length + savings.length > 0) added++;
        if (shifts.includes(last(from))) listed++;
      }
      console.log(`${isCost ? "cost" : "share"}, ${count} a side: ${added}, ${listed}`);
    }
  }
}

const PARTS = { splits, real, planted, moved };
const asked = process.argv.slice(2);
for (const [name, run] of Object.entries(PARTS)) {
  if (asked.length === 0 || asked.includes(name)) await run();
}

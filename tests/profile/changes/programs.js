/** Programs for tests of suspects: stacks with what each costs, changed on purpose, and captured by chance. */

import { findChanges } from "../../../pipeline/profile/changes/find_changes.js";
import { compareProfiles } from "../../../pipeline/profile/diff/diff.js";
import { profileOf } from "../profiles.js";

/**
 * @typedef {{ frames: string[], cost: number }[]} Program stacks, and samples of each in a capture
 */

/**
 * @param {number} seed
 * @returns {() => number} the same numbers between 0 and 1 for the same seed (Mulberry32, T. Ettinger)
 */
export function chance(seed) {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Names as unlike as those of a real program: like names may be taken for renamed. */
const WORDS = "parse plan scan sort hash join lock copy send read flush merge index cache".split(
  " ",
);

/** @param {number} index */
const step = (index) => `${WORDS[index % WORDS.length]}_step${index}`;

/**
 * A server: two threads, steps that call steps, leaves that many call, and the kernel.
 *
 * @param {number} seed
 * @returns {Program}
 */
export function server(seed) {
  const random = chance(seed);
  const leaves = ["memcmp@libc", "malloc@libc", "copy_page@kernel", "spin_wait@kernel"];
  /** @type {Program} */
  const program = [];
  for (let outer = 0; outer < 6; outer++) {
    const thread = outer < 4 ? ["worker", "begin"] : ["cleaner", "begin"];
    for (let inner = 0; inner < 5; inner++) {
      const frames = [...thread, step(outer), step(6 + outer * 5 + inner)];
      program.push({ frames, cost: 40 + 300 * random() });
      for (const leaf of leaves) {
        if (random() < 0.5) program.push({ frames: [...frames, leaf], cost: 20 + 100 * random() });
      }
    }
  }
  return program;
}

/** What a sample weighs. */
export const PERIOD = 1000;

/**
 * Captures of a program: counts of samples vary as they do by chance.
 *
 * @param {Program} program
 * @param {number} seed
 * @param {number} count
 */
export function captured(program, seed, count) {
  const random = chance(seed);
  return Array.from({ length: count }, () =>
    profileOf(
      program.map(({ frames, cost }) => {
        const samples = poisson(cost, random);
        return { frames, weight: PERIOD * samples, samples };
      }),
    ),
  );
}

/**
 * @param {number} mean large enough for the normal's
 * @param {() => number} random
 */
export function poisson(mean, random) {
  const normal = Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal));
}

/**
 * A program as it is, without noise: of so many samples that they say so.
 *
 * @param {Program} program
 * @param {number} [captures]
 */
export function exactly(program, captures = 1) {
  return profileOf(
    program.map(({ frames, cost }) => {
      const weight = Math.round(PERIOD * cost * captures);
      return { frames, weight, samples: weight };
    }),
  );
}

/** @param {string} frame */
export const nameOf = (frame) => frame.replace(/@.*$/, "");

/**
 * Make a function and what it calls cost so many times as much.
 *
 * @param {Program} program
 * @param {string} name
 * @param {number} times
 * @param {(frames: string[]) => boolean} [isMeant]
 * @returns {Program}
 */
export function slower(
  program,
  name,
  times,
  isMeant = (frames) => frames.map(nameOf).includes(name),
) {
  return program.map(({ frames, cost }) => ({
    frames,
    cost: isMeant(frames) ? cost * times : cost,
  }));
}

/**
 * Make a function itself cost so many times as much, without what it calls.
 *
 * @param {Program} program
 * @param {string} name
 * @param {number} times
 */
export function slowerItself(program, name, times) {
  return slower(program, name, times, (frames) => nameOf(frames[frames.length - 1]) === name);
}

/**
 * Make every call of a function cost so many samples more itself.
 *
 * @param {Program} program
 * @param {string} name
 * @param {number} more
 */
export function heavier(program, name, more) {
  return program.map(({ frames, cost }) => ({
    frames,
    cost: nameOf(frames[frames.length - 1]) === name ? cost + more : cost,
  }));
}

/**
 * @param {Program} program
 * @param {(frames: string[]) => string[]} change
 * @returns {Program}
 */
export function rewritten(program, change) {
  return program.map(({ frames, cost }) => ({ frames: change(frames), cost }));
}

/**
 * What is found between two lists of captures, by cost per operation: each capture has as many.
 *
 * @param {import("../../../pipeline/profile/model/profile.js").Profile[]} base
 * @param {import("../../../pipeline/profile/model/profile.js").Profile[]} after
 */
export function foundOf(base, after) {
  const { diff, captures } = compareProfiles(merged(base), merged(after), {
    baseLabel: "16",
    afterLabel: "18",
    baseCaptures: base.map((profile) => ({ profile, exposure: 1 })),
    afterCaptures: after.map((profile) => ({ profile, exposure: 1 })),
    bases: { cost_per_operation: { base: 1e-3 / base.length, after: 1e-3 / after.length } },
  });
  return named(diff, captures);
}

/**
 * What is found between two profiles, by share.
 *
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} base
 * @param {import("../../../pipeline/profile/model/profile.js").Profile} after
 */
export function foundByShare(base, after) {
  const { diff, captures } = compareProfiles(base, after, { baseLabel: "16", afterLabel: "18" });
  return named(diff, captures);
}

/**
 * @param {import("../../../pipeline/profile/diff/diff.js").Diff} diff
 * @param {import("../../../pipeline/profile/diff/diff.js").Captures} captures
 */
export function named(diff, captures) {
  const found = findChanges(diff, captures);
  const { additions, savings, shifts } = found;
  /** @param {number} index */
  const name = (index) => found.functions.ids[index].replace(/^\S+ /, "");
  return {
    found,
    additions: additions.listed.map(({ index }) => name(index)),
    savings: savings.listed.map(({ index }) => name(index)),
    shifts: shifts.map(({ index }) => name(index)),
    /** @param {number} at @returns {string[]} what is folded under an addition */
    folded: (at) =>
      [...additions.listed[at].callees, ...additions.listed[at].callers].map((index) =>
        name(index),
      ),
  };
}

/** @param {import("../../../pipeline/profile/model/profile.js").Profile[]} profiles */
export function merged(profiles) {
  return profileOf(
    profiles.flatMap((profile) => {
      const { parent, name, names, self, scale, classes, class_names, total, samples } = profile;
      const sample = Number(total) / (samples ?? 1);
      /** @type {string[][]} */
      const paths = [[]];
      return self.map((weight, node) => {
        const index = name[node];
        const dso = { library: "@libc", kernel: "@kernel" }[class_names[classes[index]]] ?? "";
        if (node > 0) paths[node] = [...paths[parent[node]], names[index] + dso];
        const exact = Number(weight) * scale;
        return { frames: paths[node], weight: exact, samples: Math.round(exact / sample) };
      });
    }),
  );
}

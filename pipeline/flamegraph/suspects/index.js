/**
 * The suspects of a diff: functions whose cost grew enough to explain a regression, told from cost that
 * only moved, from growth of everything, and from chance. How, and why so: content/docs/suspects.md.
 *
 * @typedef {object} Found
 * @property {import("./growth.js").Growth} growth
 * @property {import("./functions.js").Functions} functions
 * @property {import("./net.js").Net} moves
 * @property {import("./chance.js").Chance} chance
 * @property {boolean} isEven whether growth is spread evenly over all code; then there are no suspects
 * @property {number} withinChance how many functions grew, and by no more than captures differ
 * @property {number} notRanked how many more grew, by less than those that were looked at
 * @property {import("./ranking.js").Suspect[]} suspects
 * @property {Float64Array} parts of the whole growth, by suspect
 * @property {import("./shifts.js").Shift[]} shifts
 */

import { chanceOf } from "./chance.js";
import { functionsOf } from "./functions.js";
import { growthOf } from "./growth.js";
import { netGrowth } from "./net.js";
import { partsOfGrowth } from "./parts.js";
import { ranked } from "./ranking.js";
import { shiftsOf } from "./shifts.js";

/** Smaller growth, as a part of all, is not worth a name: no benchmark's rate shows it. */
const LEAST = 0.002;
/** Functions among which suspects are looked for: real profiles have fewer that grew by as much. */
const MOST_RANKED = 500;
/** Of what a function grew by, this much must be left after what moved. */
const LEAST_NET = 0.3;
/** What is nearly all of a profile, or of a release, started the program. */
const STARTS = 0.9;
/** Growth of all code is even where what single functions grew beyond it is less than this part of it. */
const LEAST_UNEVEN = 0.25;
/** Less growth of all code needs no sentence. */
const LEAST_EVEN = 0.01;
/** What stands for code without symbols: `[unknown]`, `[libcrypto.so.3]`. It is no function. */
const NO_SYMBOL = /^\w+ \[.*\]$/s;

/**
 * @param {import("../diff.js").Diff} diff
 * @param {import("../diff.js").Captures} captures
 * @returns {Found}
 */
export function findSuspects(diff, captures) {
  const functions = functionsOf(diff);
  const growth = growthOf(diff, functions);
  const { base, after, change, risen } = growth.functions;
  const least = LEAST * Math.max(...growth.whole);
  const moves = netGrowth(growth, functions, diff.present, least);
  const isStart = startsOf(growth, functions);
  const looked = functions.ids.flatMap((id, index) => {
    const isFunction = !functions.isThread[index] && !isStart[index] && !NO_SYMBOL.test(id);
    return isFunction && Math.max(base[index], after[index]) >= least ? [index] : [];
  });
  const chance = chanceOf(diff, captures, growth, functions, looked);
  const grown = looked.filter(
    (index) => moves.net[index] >= least && moves.net[index] >= LEAST_NET * change[index],
  );
  const isEven = spreadEvenly(growth, functions, least);
  const beyond = isEven ? [] : grown.filter(chance.isBeyond);
  const candidates = beyond
    .sort((a, b) => moves.net[b] - moves.net[a] || a - b)
    .slice(0, MOST_RANKED);
  const suspects = ranked(growth, functions, moves.net, candidates);
  const isGrown = new Set(grown);
  const moved = looked.filter(
    (index) =>
      !isGrown.has(index) &&
      risen[index] >= least &&
      moves.net[index] < LEAST_NET * risen[index] &&
      // What shrank by more than that elsewhere is less, and not only elsewhere.
      change[index] >= -risen[index],
  );
  return {
    growth,
    functions,
    moves,
    chance,
    isEven,
    withinChance: isEven ? 0 : grown.length - beyond.length,
    notRanked: beyond.length - candidates.length,
    suspects,
    parts: partsOfGrowth(growth, functions, suspects),
    shifts: shiftsOf(diff, growth, functions, moves, moved),
  };
}

/**
 * Return what starts programs and threads: what is nearly all of a side, and what several threads begin
 * with, such as `start_thread`.
 *
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @returns {Uint8Array} by function
 */
function startsOf({ tree, before, after, functions: sums, whole }, { at, isThread }) {
  const isStart = Uint8Array.from(sums.base, (base, index) =>
    Number(base >= STARTS * whole[0] || sums.after[index] >= STARTS * whole[1]),
  );
  // By node: the thread that begins with it, as nearly all of what its caller does; else the root.
  const begins = new Int32Array(at.length);
  /** @type {Map<number, Set<number>>} */
  const threads = new Map();
  for (let node = 1; node < at.length; node++) {
    const caller = tree.parent[node];
    const isAll = before[node] + after[node] >= STARTS * (before[caller] + after[caller]);
    if (isThread[at[node]]) begins[node] = node;
    else if (isAll) begins[node] = begins[caller];
    if (begins[node] > 0)
      threads.set(at[node], (threads.get(at[node]) ?? new Set()).add(begins[node]));
  }
  for (const [index, begun] of threads) if (begun.size > 1) isStart[index] = 1;
  return isStart;
}

/**
 * Tell whether all code grew, and hardly any function by more or less than the rest.
 *
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @param {number} least what is worth a name
 */
function spreadEvenly({ basis, even, whole, ownChange }, { at, count }, least) {
  if (basis === "share" || even < 1 + LEAST_EVEN) return false;
  const own = new Float64Array(count);
  for (let node = 1; node < at.length; node++) own[at[node]] += ownChange[node];
  const beyond = own.reduce((sum, each) => sum + (each >= least ? each : 0), 0);
  return beyond < LEAST_UNEVEN * (even - 1) * whole[0];
}

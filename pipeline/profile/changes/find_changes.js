/**
 * What changed between two profiles, in both directions: functions whose cost grew or fell, as distinct
 * from cost that only moved, from change of all code, and from chance. How, and why so:
 * content/docs/suspects.md.
 *
 * Savings are the additions of the diff the other way round.
 *
 * @typedef {object} Found
 * @property {import("../diff/functions.js").Functions} functions
 * @property {Direction} additions
 * @property {Direction} savings
 * @property {Map<number, number>} parts of the whole change by listed function, in the basis
 * @property {import("./shifts.js").Shift[]} shifts
 *
 * @typedef {[import("./significance.js").ComparedTree, import("../diff/diff.js").Captures]} Side
 *
 * @typedef {object} Direction
 * @property {import("../diff/growth.js").Growth} growth
 * @property {import("./net_growth.js").NetGrowth} moves
 * @property {import("./significance.js").Significance} significance
 * @property {boolean} isEven whether growth is spread evenly over all code; then nothing is listed
 * @property {number} withinNoise how many functions grew, and by no more than noise
 * @property {number} notRanked how many more grew, by less than those that were looked at
 * @property {import("./ranking.js").Ranked[]} listed
 * @property {number[]} moved functions that grew in places, and not overall
 */

import { examined, LEAST } from "../diff/examined.js";
import { functionsOf } from "../diff/functions.js";
import { growthOf } from "../diff/growth.js";
import { swapped } from "../diff/values.js";
import { netGrowth } from "./net_growth.js";
import { ranked } from "./ranking.js";
import { shiftsOf } from "./shifts.js";
import { significanceOf } from "./significance.js";

/** Functions among which changes are looked for: real profiles have fewer that grew by as much. */
const MOST_RANKED = 500;
/** Of what a function grew by, this much must be left after what moved. */
const LEAST_NET = 0.3;
/**
 * Growth of all code is even where what single functions grew beyond it is less than this part of it, and
 * too small a part of all to be named beside it.
 */
const LEAST_UNEVEN = 0.25;
const LEAST_NAMED = 0.025;
/** Less growth of all code needs no sentence. */
const LEAST_EVEN = 0.01;

/**
 * @param {import("../diff/diff.js").Diff} diff
 * @param {import("../diff/diff.js").Captures} captures
 * @returns {Found}
 */
export function findChanges(diff, captures) {
  const functions = functionsOf(diff);
  const { base: after, after: base } = captures;
  /** @type {Side[]} */
  const sides = [
    [diff, captures],
    [swapped(diff), { base, after }],
  ];
  // Until it is known what single functions fell by, the whole growth is no limit of that of all code.
  const first = sides.map(([each, of]) =>
    growthBeyond(each, of, functions, Number.NEGATIVE_INFINITY),
  );
  const sums = first.map(({ growth, listed }) => sumOfParts(functions, growth, listed));
  const [additions, savings] = first.map((found, at) =>
    settled(sides[at], functions, found, sums[at] - sums[1 - at]),
  );
  const { growth, moves, moved } = additions;
  return {
    functions,
    additions,
    savings,
    parts: partsOf(functions, [
      { ...additions, sign: 1 },
      { ...savings, sign: -1 },
    ]),
    shifts: shiftsOf(diff, growth, functions, moves, moved),
  };
}

/**
 * Return what grew, where most code seems to have grown: all code did by no more than what is left of the
 * whole growth without what single functions grew by, and with what others fell by.
 *
 * @param {Side} side
 * @param {import("../diff/functions.js").Functions} functions
 * @param {Direction} first
 * @param {number} known what single functions are known to have grown by, in the basis
 * @returns {Direction}
 */
function settled([diff, captures], functions, first, known) {
  const found = first.growth.even > 1 ? growthBeyond(diff, captures, functions, known) : first;
  const isEven = spreadEvenly(found.growth, functions, found.significance, found.listed);
  return isEven ? { ...found, isEven, withinNoise: 0, notRanked: 0, listed: [] } : found;
}

/**
 * @param {import("./significance.js").ComparedTree} diff
 * @param {import("../diff/diff.js").Captures} captures
 * @param {import("../diff/functions.js").Functions} functions
 * @param {number} known what single functions are known to have grown by, in the basis
 * @returns {Direction}
 */
function growthBeyond(diff, captures, functions, known) {
  const growth = growthOf(diff, functions, known);
  const { change } = growth.functions;
  const least = LEAST * Math.max(...growth.whole);
  const moves = netGrowth(growth, functions, diff.present, least);
  const looked = examined(growth, functions);
  const significance = significanceOf(diff, captures, growth, functions, looked);
  const grown = looked.filter(
    (index) => moves.net[index] >= least && moves.net[index] >= LEAST_NET * change[index],
  );
  const beyond = grown
    .filter((index) => moves.net[index] > significance.noise[index] && significance.isLikely(index))
    .sort((a, b) => moves.net[b] - moves.net[a] || a - b);
  const isGrown = new Set(grown);
  return {
    growth,
    moves,
    significance,
    isEven: false,
    withinNoise: grown.length - beyond.length,
    notRanked: Math.max(0, beyond.length - MOST_RANKED),
    listed: ranked(growth, functions, moves.net, beyond.slice(0, MOST_RANKED)),
    moved: looked.filter(
      (index) =>
        !isGrown.has(index) && isMoved(growth, functions, moves, significance, least, index),
    ),
  };
}

/**
 * Return whether a function grew in places, by more than noise makes of as many places, and hardly overall.
 *
 * @param {import("../diff/growth.js").Growth} growth
 * @param {import("../diff/functions.js").Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {import("./significance.js").Significance} significance
 * @param {number} least
 * @param {number} index of the function
 */
function isMoved(growth, { calls }, { net }, { noise, variance, factor, limit }, least, index) {
  const { risen, change } = growth.functions;
  // What shrank by more than that elsewhere is less, and not only elsewhere.
  const isElsewhere =
    risen[index] >= least &&
    net[index] < LEAST_NET * risen[index] &&
    change[index] >= -risen[index];
  if (!isElsewhere) return false;
  // Of places that did not change, each that seems to have grown adds the mean of half a normal.
  let [mean, spread] = [0, 0];
  for (const node of calls[index]) {
    const each = factor[index] * variance(growth.before[node] / growth.even, growth.after[node]);
    mean += Math.sqrt(each / (2 * Math.PI));
    spread += each * (1 / 2 - 1 / (2 * Math.PI));
  }
  return risen[index] > Math.max(noise[index], mean + limit[index] * Math.sqrt(spread));
}

/**
 * Return whether all code grew, by more than noise, and hardly any function by more than the rest.
 *
 * @param {import("../diff/growth.js").Growth} growth
 * @param {import("../diff/functions.js").Functions} functions
 * @param {import("./significance.js").Significance} significance
 * @param {import("./ranking.js").Ranked[]} listed
 */
function spreadEvenly(growth, functions, { variance, overdispersion, quantile }, listed) {
  const { basis, even, whole } = growth;
  const all = (even - 1) * whole[0];
  if (basis === "share" || even < 1 + LEAST_EVEN) return false;
  if (all < quantile * Math.sqrt(overdispersion * variance(whole[0], whole[1]))) return false;
  return (
    sumOfParts(functions, growth, listed) < Math.min(LEAST_UNEVEN * all, LEAST_NAMED * whole[1])
  );
}

/**
 * @param {import("../diff/functions.js").Functions} functions
 * @param {import("../diff/growth.js").Growth} growth
 * @param {import("./ranking.js").Ranked[]} listed
 * @returns {number} what listed functions grew by together
 */
function sumOfParts(functions, growth, listed) {
  const parts = partsOf(functions, [{ growth, listed, sign: 1 }]);
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

/**
 * Return what each listed function contributes to the whole change: disjoint parts, so that all of them add
 * up. What a function's calls changed by is its part, but for what only moved, and for the calls of other
 * listed functions below: those are theirs.
 *
 * @param {import("../diff/functions.js").Functions} functions
 * @param {(Pick<Direction, "growth" | "listed"> & { sign: number })[]} directions
 * @returns {Map<number, number>} by function, in the basis
 */
function partsOf({ at, count }, directions) {
  const kept = new Float64Array(count);
  /** @type {Float64Array[]} by listed function */
  const changes = new Array(count);
  for (const { growth, listed, sign } of directions) {
    for (const { index, net } of listed) {
      kept[index] = sign * Math.min(1, net / growth.functions.change[index]);
      changes[index] = growth.change;
    }
  }
  const [{ growth }] = directions;
  const owner = new Int32Array(at.length).fill(-1);
  /** @type {Map<number, number>} */
  const parts = new Map();
  /** @param {number} index @param {number} part */
  const add = (index, part) => parts.set(index, (parts.get(index) ?? 0) + part);
  for (let node = 1; node < at.length; node++) {
    const above = owner[growth.tree.parent[node]];
    const own = at[node];
    owner[node] = changes[own] ? own : above;
    if (owner[node] === above) continue;
    const part = kept[own] * changes[own][node];
    add(own, part);
    if (above >= 0) add(above, -part);
  }
  return parts;
}

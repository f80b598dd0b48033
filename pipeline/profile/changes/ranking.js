/**
 * Which of the functions that grew is to be looked at, and which only inherit, or are part of it.
 *
 * @typedef {object} Ranked
 * @property {number} index of the function
 * @property {number} net
 * @property {number[]} callers functions that grew mostly by what this one did, the smallest first
 * @property {number[]} callees functions that grew as this one did more, or oftener, what it does
 */

import { subtreeEnd } from "../model/tree.js";

/** A function inherits its growth where others that grew below it are this part of it. */
const INHERITED = 0.6;
/** Of its growth, one callee is so much: then the callee is to be looked at. */
const MOSTLY_ONE = 0.6;
/** Of what a caller inherits, a suspect that is this part is not all, but is named as well. */
const ALSO = 0.3;
/** How many times as much a function must cost to have become another, by several things it calls. */
const MUCH_MORE = 1.5;
/** A function is called oftener where what it calls grew as it did, but for this part of its growth … */
const UNEVEN = 0.3;
/** … and no single callee, nor itself, is more of it. */
const SINGLE = 0.8;

/**
 * @typedef {import("../diff/growth.js").Growth} Growth
 * @typedef {import("../diff/functions.js").Functions} Functions
 */

/**
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {Float64Array} net by function
 * @param {number[]} candidates functions
 * @returns {Ranked[]} the largest growth first
 */
export function ranked(growth, functions, net, candidates) {
  /** @type {Map<number, Ranked>} */
  const suspects = new Map();
  for (const index of deepestFirst(growth, functions, candidates)) {
    const below = growthBelow(growth, functions, index, suspects, net);
    const explained = [...below.values()].reduce((sum, each) => sum + each, 0);
    const largest = Math.max(0, ...below.values());
    const isSeveral = largest < MOSTLY_ONE * net[index];
    if (explained < INHERITED * net[index]) {
      suspects.set(index, { index, net: net[index], callers: [], callees: [] });
    } else if (isSeveral && doesMore(growth, functions, index, below)) {
      const parts = [...below].flatMap(([callee, grown]) =>
        grown >= INHERITED * net[callee] ? [/** @type {Ranked} */ (suspects.get(callee))] : [],
      );
      for (const part of parts) suspects.delete(part.index);
      suspects.set(index, withParts(growth, functions, { index, net: net[index] }, parts));
    } else {
      const least = Math.min(largest, ALSO * net[index]);
      for (const [callee, grown] of below) {
        if (grown >= least) suspects.get(callee)?.callers.push(index);
      }
    }
  }
  return [...suspects.values()].sort(
    (a, b) => b.net - a.net || compare(functions.ids[a.index], functions.ids[b.index]),
  );
}

/**
 * Order functions so that each comes after those that it calls, directly or not.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {number[]} candidates
 */
function deepestFirst({ tree, functions: { after } }, { at, ids }, candidates) {
  /** @type {Map<number, Set<number>>} by candidate: those that it calls, with no other between */
  const below = new Map(candidates.map((index) => [index, new Set()]));
  const nearest = new Int32Array(at.length).fill(-1);
  for (let node = 1; node < at.length; node++) {
    const above = nearest[tree.parent[node]];
    const isOne = below.has(at[node]);
    nearest[node] = isOne ? at[node] : above;
    if (isOne && above >= 0) below.get(above)?.add(at[node]);
  }
  /** @param {Iterable<number>} some */
  const largestFirst = (some) =>
    [...some].sort((a, b) => after[b] - after[a] || compare(ids[b], ids[a]));
  /** @type {Set<number>} */
  const order = new Set();
  /** @type {Set<number>} */
  const seen = new Set();
  const waiting = largestFirst(candidates);
  for (let index = waiting.at(-1); index !== undefined; index = waiting.at(-1)) {
    // The second time, all that it calls is in order.
    if (seen.has(index)) order.add(/** @type {number} */ (waiting.pop()));
    else waiting.push(...largestFirst(below.get(index) ?? []).filter((each) => !seen.has(each)));
    seen.add(index);
  }
  return [...order];
}

/**
 * Make a function the suspect that others are parts of. What inherits from those is part of it as well
 * where it is called by it, and inherits from it elsewhere.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {Pick<Ranked, "index" | "net">} suspect
 * @param {Ranked[]} parts
 * @returns {Ranked}
 */
function withParts({ tree, change, functions: { risen } }, { calls }, suspect, parts) {
  const isInside = new Uint8Array(change.length);
  for (const call of calls[suspect.index]) isInside.fill(1, call, subtreeEnd(tree, call));
  /** @param {number} index */
  const isPart = (index) => {
    const inside = calls[index].reduce(
      (sum, node) => sum + (isInside[node] ? Math.max(0, change[node]) : 0),
      0,
    );
    return inside >= INHERITED * risen[index];
  };
  const inherit = parts.flatMap(({ callers }) => callers);
  const callees = parts.flatMap(({ index, callees: inner }) => [index, ...inner]);
  return {
    ...suspect,
    callees: [...new Set([...callees, ...inherit.filter(isPart)])],
    callers: [...new Set(inherit.filter((index) => !isPart(index)))],
  };
}

/**
 * Return what suspects grew by in the calls of a function; those below other suspects are theirs.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {number} index of the function
 * @param {Map<number, unknown>} suspects
 * @param {Float64Array} net
 * @returns {Map<number, number>} by suspect
 */
function growthBelow({ tree, change }, { at, calls }, index, suspects, net) {
  /** @type {Map<number, number>} */
  const grown = new Map();
  for (const call of calls[index]) {
    const end = subtreeEnd(tree, call);
    for (let node = call + 1; node < end; node++) {
      if (!suspects.has(at[node])) continue;
      grown.set(at[node], (grown.get(at[node]) ?? 0) + change[node]);
      node = subtreeEnd(tree, node) - 1;
    }
  }
  for (const [suspect, growth] of grown) {
    grown.set(suspect, Math.min(Math.max(0, growth), net[suspect]));
  }
  return grown;
}

/**
 * Return whether a function is called oftener, or does much more than it did: then it is what to look at,
 * and not the several things that it calls.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {number} index
 * @param {Map<number, number>} below what suspects grew by in its calls
 */
function doesMore(growth, functions, index, below) {
  const { after, change } = growth.functions;
  const before = after[index] - change[index];
  if (after[index] >= MUCH_MORE * before) return true;
  const ratio = after[index] / before;
  // A suspect that grew as the function did had this before.
  const uneven = [...below].reduce((sum, [suspect, grown]) => {
    const was = after[suspect] - change[suspect];
    const faster = 1 - (was * (ratio - 1)) / change[suspect];
    return sum + grown * Math.max(0, faster);
  }, 0);
  return uneven <= UNEVEN * change[index] && isEven(growth, functions, index, ratio);
}

/**
 * Return whether a function's own code and all that it calls directly grew by about the same ratio.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {number} index
 * @param {number} ratio
 */
function isEven(
  { tree, before, after, ownChange, functions: { change } },
  { at, calls },
  index,
  ratio,
) {
  /** @type {Map<number, number[]>} before and after, by what is called */
  const parts = new Map();
  /** @param {number} part @param {number} was @param {number} is */
  const add = (part, was, is) => {
    const [b, a] = parts.get(part) ?? [0, 0];
    parts.set(part, [b + was, a + is]);
  };
  for (const call of calls[index]) {
    const own = tree.self[call];
    add(-1, own - ownChange[call], own);
    for (let child = tree.firstChild[call]; child >= 0; child = tree.nextSibling[child]) {
      add(at[child], before[child], after[child]);
    }
  }
  const grown = [...parts.values()];
  const uneven = grown.reduce((sum, [was, is]) => sum + Math.max(0, is - ratio * was), 0);
  const single = Math.max(...grown.map(([was, is]) => is - was));
  return uneven <= UNEVEN * change[index] && single <= SINGLE * change[index];
}

/**
 * @param {string} a
 * @param {string} b another
 */
function compare(a, b) {
  return a < b ? -1 : 1;
}

/**
 * Puts stacks that lack outer frames where whole stacks call the same function. Unwinding skips frames, and
 * a pool's thread may begin anywhere:
 *
 *     start_thread → run_pool → do_job → compact        whole
 *     start_thread → compact                            cut: the same function under another root
 *
 * How many stacks are cut differs from one recording to the next, and is not a change of the program.
 *
 * Nor is a tail call, which leaves no frame of its caller. With what was between, the caller is below itself
 * in the union, once of either side:
 *
 *     connection → do_command → recv                                MySQL 5.6: do_command jumps to dispatch
 *     connection → dispatch
 *     connection → handle → do_command → recv, dispatch             MySQL 5.7
 *     connection → handle → do_command → do_command → recv          the union, before it is joined
 *                                      → dispatch
 */

import { totalsOf } from "../model/tree.js";
import { WHOLE } from "./places.js";
import { compareText } from "./union.js";

/** What is so much of its caller on both sides together, from the thread on, starts the thread … */
const STARTS = 0.9;
/** … by so many frames at most. */
const MOST_FRAMES = 8;
/** Whole stacks call the function at one place for the most part, and there are more of them. */
const MAIN_PLACE = 0.5;
/** Code without symbols is not a function, and what interrupts any code is called from anywhere. */
const IS_FUNCTION = /^(?!\[)/;
const CODE = new Set(["user", "library", "jit", "inlined"]);

/**
 * @typedef {import("./union.js").Union} Union
 * @typedef {Map<number, number>} Places by node: where its images go
 * @typedef {{ images: import("./union.js").Image[], self: ArrayLike<number> }} SideImages with the self weights
 *   of its profile
 *
 * @typedef {object} CutStacks share of each side that was put elsewhere, in percent
 * @property {number} base_percent
 * @property {number} after_percent
 */

/**
 * Change the union and its images.
 *
 * @param {Union} union
 * @param {SideImages[]} sides base and after
 * @returns {CutStacks}
 */
export function joinCutStacks(union, sides) {
  const moved = joinTailCalls(union, sides);
  const shares = sides.map((side) => shareTotals(union, side));
  const total = shares[0].map((share, node) => share + shares[1][node]);
  /** @type {Places} */
  const places = new Map();
  for (const start of startsOf(union, total)) {
    for (const { cut, whole } of cutStacks(union, total, start)) {
      shares.forEach((share, side) => {
        moved[side] += (100 * share[cut]) / WHOLE;
      });
      moveTree(union, cut, whole, places);
    }
  }
  moveImages(sides, places);
  return { base_percent: Math.min(100, moved[0]), after_percent: Math.min(100, moved[1]) };
}

/**
 * Join frames of one side with the caller above them, where that is the same function of the other side alone.
 *
 * @param {Union} union
 * @param {SideImages[]} sides
 * @returns {number[]} percent of each side that lacks the caller
 */
function joinTailCalls(union, sides) {
  const shares = sides.map((side) => shareTotals(union, side));
  const has = sides.map(({ images }) => new Set(images.map(({ at }) => at)));
  const lacking = [0, 0];
  /** @type {Places} */
  const places = new Map();
  // Inner ones first: they move along with the outer ones.
  for (let node = union.parent.length - 1; node > 0; node--) {
    const above = union.parent[node];
    if (above === 0 || union.identity(node) !== union.identity(above) || !isCode(union, node))
      continue;
    const side = has.findIndex((nodes) => nodes.has(node));
    if (has[1 - side].has(node) || has[side].has(above)) continue;
    lacking[side] += (100 * (shares[side][above] - shares[side][node])) / WHOLE;
    moveTree(union, node, above, places);
  }
  moveImages(sides, places);
  return lacking;
}

/**
 * @param {SideImages[]} sides
 * @param {Places} places
 */
function moveImages(sides, places) {
  for (const { images } of sides) {
    for (const image of images) {
      for (let at = places.get(image.at); at !== undefined; at = places.get(at)) image.at = at;
    }
  }
}

/**
 * @param {Union} union
 * @param {SideImages} side
 * @returns {Float64Array} by node: its part of the side, in whole units, so that no sum depends on the order
 *   in which it is added up
 */
function shareTotals({ parent }, { images, self }) {
  const own = new Float64Array(parent.length);
  let all = 0;
  for (let node = 0; node < self.length; node++) all += self[node];
  for (const { node, at, part } of images) {
    own[at] += Math.round(((self[node] * part) / (all || 1)) * WHOLE);
  }
  return totalsOf(parent, own);
}

/** @param {Union} union @param {number} node */
function childrenOf({ children }, node) {
  return children[node]?.values() ?? [];
}

/**
 * Return threads, and what starts them, the innermost first: what is put below one stays below it.
 *
 * @param {Union} union
 * @param {Float64Array} total
 */
function startsOf(union, total) {
  const starts = [{ node: 0, depth: 0 }];
  for (const { node: start, depth } of starts) {
    for (const node of depth < MOST_FRAMES ? childrenOf(union, start) : []) {
      const isThread = union.className[node] === "thread";
      const isStart = total[node] > 0 && total[node] >= STARTS * total[start];
      if (isThread || isStart) starts.push({ node, depth: depth + 1 });
    }
  }
  return starts.map(({ node }) => node).reverse();
}

/**
 * Return frames below a start that whole stacks call elsewhere below it, mainly at one place.
 *
 * @param {Union} union
 * @param {Float64Array} total
 * @param {number} start
 * @returns {{ cut: number, whole: number }[]}
 */
function cutStacks(union, total, start) {
  const called = [...childrenOf(union, start)];
  /** @type {Map<number | string, { cut: number, whole: number, all: number }>} */
  const found = new Map();
  for (const cut of called) {
    if (!isCode(union, cut) || !(total[cut] > 0)) continue;
    found.set(union.identity(cut), { cut, whole: cut, all: 0 });
  }
  if (called.length < 2) return [];
  for (const top of called) {
    const waiting = [...childrenOf(union, top)];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const child of childrenOf(union, node)) waiting.push(child);
      const same = found.get(union.identity(node));
      if (!same || same.cut === top || !(total[node] > 0)) continue;
      same.all += total[node];
      const isFirst = same.whole === same.cut;
      if (isFirst || isLarger(union, total, node, same.whole)) same.whole = node;
    }
  }
  // Lighter ones first: what they are put below may be put elsewhere then.
  return [...found.values()]
    .filter(({ cut, whole, all }) => total[whole] >= MAIN_PLACE * all && total[whole] > total[cut])
    .sort((a, b) => (isLarger(union, total, a.cut, b.cut) ? 1 : -1));
}

/**
 * @param {Union} union
 * @param {Float64Array} total
 * @param {number} node
 * @param {number} other
 */
function isLarger(union, total, node, other) {
  if (total[node] !== total[other]) return total[node] > total[other];
  const [path, otherPath] = [node, other].map((each) => pathOf(union, each));
  return compareText(path, otherPath) < 0;
}

/** @param {Union} union @param {number} node */
function isCode(union, node) {
  return CODE.has(union.className[node]) && IS_FUNCTION.test(union.keys(node)[1]);
}

/** @param {Union} union @param {number} node */
function pathOf(union, node) {
  const keys = [];
  for (let at = node; at > 0; at = union.parent[at]) keys.push(union.keys(at).sort().join("="));
  return keys.reverse().join(";");
}

/**
 * @param {Union} union
 * @param {number} from
 * @param {number} to a node of the same function
 * @param {Places} places
 */
function moveTree(union, from, to, places) {
  union.children[union.parent[from]]?.delete(union.identity(from));
  const waiting = [[from, to]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [node, place] = pair;
    places.set(node, place);
    for (const child of childrenOf(union, node)) {
      waiting.push([child, union.child(place, ...union.function[child])]);
    }
  }
}

/**
 * What grew in places and not on the whole: cost that moved. Listed with where it came from.
 *
 * @typedef {object} Shift
 * @property {number} index of the function
 * @property {number} risen what it grew by where it grew
 * @property {number} net
 * @property {Origin} from what most of it came from, see net.js
 * @property {number} to the frame that grew most
 * @property {Part[]} parts where it came from, the largest first; of `frame` and `class`: what did not grow
 * @property {import("../diff/names.js").Joined | null} joined
 *
 * @typedef {"calls" | "caller" | "frame" | "class" | "callees"} Origin
 *
 * @typedef {object} Part
 * @property {number} index of the function
 * @property {boolean} isOwn whether its own code, not what it calls
 * @property {number} change
 */

import { isGone } from "../diff/growth.js";
import { subtreeEnd } from "../model/tree.js";

/** A shift within what moved as a whole goes without saying: so much of it is there. */
const WITHIN = 0.6;
/** Where it came from: the first few. */
const MOST_PARTS = 3;

/**
 * @typedef {import("../diff/growth.js").Growth} Growth
 * @typedef {import("../diff/functions.js").Functions} Functions
 */

/**
 * @param {import("../diff/diff.js").Diff} diff
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number[]} among functions
 * @returns {Shift[]} the largest first
 */
export function shiftsOf(diff, growth, functions, moves, among) {
  const { risen, after } = growth.functions;
  const plain = withoutInheriting(growth, functions, moves, among);
  const largestFirst = withoutInner(growth, functions, moves, plain).sort(
    (a, b) =>
      risen[b] - risen[a] || after[b] - after[a] || (functions.ids[a] < functions.ids[b] ? -1 : 1),
  );
  const joinedAt = joinedFunctions(diff, functions);
  /** @type {Set<number>} */
  const frames = new Set();
  return largestFirst.flatMap((index) => {
    const from = originOf(growth, moves, index);
    const to = functions.calls[index].reduce((a, b) =>
      growth.change[b] > growth.change[a] ? b : a,
    );
    // One function is enough to show what moved in a frame; those in between are not listed.
    if (from === "frame" && frames.has(moves.frameOf[index])) return [];
    if (from === "frame") frames.add(moves.frameOf[index]);
    return {
      index,
      risen: risen[index],
      net: moves.net[index],
      from,
      to,
      parts: partsOf(growth, functions, moves, { index, from }),
      joined: joinedAt.get(index) ?? null,
    };
  });
}

/**
 * Leave out callers that what moved is called by now, directly or not: it is listed itself.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number[]} among
 */
function withoutInheriting(growth, { at, calls }, moves, among) {
  const { tree } = growth;
  const isShift = new Set(among);
  return among.filter((index) => {
    if (originOf(growth, moves, index) !== "callees") return true;
    let [brought, listed] = [0, 0];
    for (const call of calls[index]) {
      const end = subtreeEnd(tree, call);
      // Where the frame of another shift ends that is listed itself.
      let listedEnd = call;
      for (let node = call + 1; node < end; node++) {
        if (isShift.has(at[node])) listedEnd = Math.max(listedEnd, subtreeEnd(tree, node));
        const part = Math.max(0, moves.broughtAt[node]);
        brought += part;
        if (node < listedEnd) listed += part;
      }
    }
    return listed < WITHIN * brought;
  });
}

/**
 * Leave out what moved only as a part of something else that did: below frames that are new there, and of
 * what is called elsewhere now, below frames that grew.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number[]} among
 */
function withoutInner(growth, { at, calls }, moves, among) {
  const { tree, before, after, change, functions: sums } = growth;
  const isShift = new Set(among);
  const [isInNew, isInGrown] = [new Uint8Array(change.length), new Uint8Array(change.length)];
  for (let node = 1; node < change.length; node++) {
    const caller = tree.parent[node];
    const isMoved = isShift.has(at[caller]) && change[caller] > 0;
    isInGrown[node] = Number(isMoved || isInGrown[caller] === 1);
    isInNew[node] = Number((isMoved && isGone(after[caller], before[caller])) || isInNew[caller]);
  }
  return among.filter((index) => {
    const isInside = originOf(growth, moves, index) === "calls" ? isInGrown : isInNew;
    const inside = calls[index].reduce(
      (sum, node) => sum + (isInside[node] ? Math.max(0, change[node]) : 0),
      0,
    );
    return inside < WITHIN * sums.risen[index];
  });
}

/**
 * @param {Growth} growth
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number} index
 * @returns {Origin}
 */
function originOf({ functions: { risen, change } }, moves, index) {
  const { fromCaller, fromFrame, fromClass, fromCallees } = moves;
  const amounts = /** @type {[Origin, number][]} */ ([
    ["calls", risen[index] - change[index]],
    ["caller", fromCaller[index]],
    ["frame", fromFrame[index]],
    ["class", fromClass[index]],
    ["callees", fromCallees[index]],
  ]);
  return amounts.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

/**
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {Pick<Shift, "index" | "from">} shift
 * @returns {Part[]}
 */
function partsOf(growth, functions, moves, { index, from }) {
  const { tree, change } = growth;
  const { at, calls } = functions;
  if (from === "caller") return lostBy(growth, functions, moves, index);
  if (from === "callees") return broughtAlong(growth, functions, moves, index);
  if (from === "calls") {
    return shrunk(sumBy(calls[index], (node) => at[tree.parent[node]], change));
  }
  const frame = moves.frameOf[index];
  return from === "frame" ? [{ index: at[frame], isOwn: false, change: change[frame] }] : [];
}

/**
 * @param {number[]} nodes
 * @param {(node: number) => number} functionOf
 * @param {Float64Array} values by node
 * @returns {Map<number, number>} by function
 */
function sumBy(nodes, functionOf, values) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const node of nodes) {
    sums.set(functionOf(node), (sums.get(functionOf(node)) ?? 0) + values[node]);
  }
  return sums;
}

/** @param {Map<number, number>} changes by function */
function shrunk(changes) {
  return largest(Array.from(changes, ([index, change]) => ({ index, isOwn: false, change })));
}

/**
 * Return what the caller that a function came from lost of its own code, and what it does no more.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number} index
 * @returns {Part[]}
 */
function lostBy({ tree, ownChange }, { at, calls }, { movedAt, edges }, index) {
  const moved = sumBy(calls[index], (node) => at[tree.parent[node]], movedAt);
  const [[caller]] = [...moved].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  let own = 0;
  for (let node = 1; node < at.length; node++) if (at[node] === caller) own += ownChange[node];
  const parts = [{ index: caller, isOwn: true, change: own }];
  edges.caller.forEach((from, edge) => {
    if (from !== caller || !edges.isGone[edge]) return;
    parts.push({ index: edges.callee[edge], isOwn: false, change: edges.change[edge] });
  });
  return largest(parts);
}

/**
 * Return what a function calls that was called by functions that are no more.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./net_growth.js").NetGrowth} moves
 * @param {number} index
 * @returns {Part[]} with what was brought along as their change, which is less than nothing, as elsewhere
 */
function broughtAlong({ tree }, { at, calls }, { broughtAt }, index) {
  const nodes = calls[index].flatMap((call) => {
    const end = subtreeEnd(tree, call);
    return Array.from({ length: end - call - 1 }, (_, offset) => call + 1 + offset);
  });
  const brought = nodes.filter((node) => broughtAt[node] > 0);
  return shrunk(
    sumBy(
      brought,
      (node) => at[node],
      broughtAt.map((each) => -each),
    ),
  );
}

/** @param {Part[]} parts */
function largest(parts) {
  return parts
    .filter(({ change }) => change < 0)
    .sort((a, b) => a.change - b.change || a.index - b.index)
    .slice(0, MOST_PARTS);
}

/**
 * Return what was joined by similarity alone, by function.
 *
 * @param {import("../diff/diff.js").Diff} diff
 * @param {Functions} functions
 */
function joinedFunctions({ joined, join, name }, { at }) {
  /** @type {Map<number, import("../diff/names.js").Joined>} */
  const found = new Map();
  for (let node = 1; node < at.length; node++) {
    const index = join[name[node]];
    const how = index === null ? null : joined[index].how;
    if (index !== null && (how === "renamed" || how === "scope"))
      found.set(at[node], joined[index]);
  }
  return found;
}

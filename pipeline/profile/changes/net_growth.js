/**
 * What functions grew by, less what only moved. FBDetect ("Catching Tiny Performance Regressions at
 * Hyperscale through In-Production Monitoring", SOSP 2024; "Detecting Tiny Performance Regressions at
 * Hyperscale", 10.1145/3785504) calls it a cost shift where a function grew and what is around it did
 * not.
 *
 * Cost of a function f can come from five places, and each is a part of other cost:
 *
 *   calls   other calls of f, which shrank: count all of them, and nothing is left
 *   caller  the code of the frame that calls f, and what else that frame called and does no more: f was
 *           in its caller's code, or had another name
 *   frame   anywhere in a frame that calls f, directly or not, and of which f is much: where the frame
 *           does not grow by as much as f does in it, the rest of it shrank
 *   class   other functions of f's class
 *   callees what f calls now, and other functions called before and call no more
 */

import { outermost } from "../diff/functions.js";
import { scopeOf } from "../match/similarity.js";
import { edgesOf } from "./edges.js";

/**
 * A frame or class shows what became of a function that is half of it or more. Where it is less, the
 * rest changes by as much for reasons of its own.
 */
const MOST_AROUND = 2;
/** Frames with more of all than this start what the program does: of shares, they cannot grow. */
const MOST_OF_ALL = 0.5;
/**
 * A function moved to another caller where each is, on its side, so much of it at least. What many call,
 * such as `memcmp`, comes and goes in some places without anything having moved.
 */
const MAIN_CALLER = 0.5;
/** Frames that are looked at around one, so that deep recursion takes no longer than other calls. */
const MOST_FRAMES = 128;

/**
 * @typedef {import("../diff/growth.js").Growth} Growth
 * @typedef {import("../diff/functions.js").Functions} Functions
 *
 * @typedef {object} NetGrowth by function, in the basis
 * @property {Float64Array} net what it grew by, and what did not come from elsewhere
 * @property {Float64Array} fromCaller what came from code of its callers, or from what they do no more
 * @property {Float64Array} fromFrame what came from elsewhere in a frame that calls it
 * @property {Float64Array} fromClass
 * @property {Float64Array} fromCallees what callees brought along from other callers
 * @property {Float64Array} broughtAt by node: what it brought along
 * @property {import("./edges.js").Edges} edges
 * @property {Float64Array} movedAt by node: what of its growth came from its caller
 * @property {Int32Array} frameOf by function: the frame that accounts for most of `fromFrame`, or -1
 * @property {string[]} classes by function
 */

/**
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {number[]} present by node: which sides have the frame
 * @param {number} least growth that is worth a look around, which takes time
 * @returns {NetGrowth}
 */
export function netGrowth(growth, functions, present, least) {
  const edges = edgesOf(growth, functions, present);
  const movedAt = movedFromCallers(growth, functions, edges);
  const fromCaller = Float64Array.from(functions.calls, (nodes) => sumOf(movedAt, nodes));
  const { moved: fromFrame, frameOf } = movedInFrames(growth, functions, movedAt, least);
  const classes = functions.ids.map(classOf);
  const { fromCallees, broughtAt } = movedWithCallees(growth, functions, edges, classes);
  const net = growth.functions.change.map((change, index) => {
    const rest = change - fromCaller[index] - fromFrame[index];
    return rest - Math.min(Math.max(0, rest), fromCallees[index]);
  });
  const fromClass = movedInClasses(growth, functions, classes, net);
  return {
    net: net.map((rest, index) => rest - fromClass[index]),
    fromCaller,
    fromFrame,
    fromClass,
    fromCallees,
    broughtAt,
    edges,
    movedAt,
    frameOf,
    classes,
  };
}

/**
 * Return what of each frame's growth its caller's code lost, or what the caller does no more. Callers are
 * functions, wherever they are called from, as what calls them may have moved.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./edges.js").Edges} edges
 * @returns {Float64Array} by node
 */
function movedFromCallers(growth, { at, calls, count, isThread }, edges) {
  const { tree, change, ownChange, functions } = growth;
  /** What each function lost of its own code, and of what it does no more. */
  const lost = new Float64Array(count);
  for (let node = 1; node < at.length; node++) lost[at[node]] -= ownChange[node];
  lost.forEach((each, index) => {
    lost[index] = Math.max(0, each);
  });
  edges.change.forEach((each, edge) => {
    const caller = edges.caller[edge];
    // What begins in a thread, such as all functions of stacks without callers, has nothing in common.
    if (edges.isGone[edge] && !isThread[caller]) lost[caller] += Math.max(0, -each);
  });
  // What a function lost in calls that are no more is its own, and counted where its calls are added up …
  for (const node of calls.flat()) {
    if (change[node] >= 0) continue;
    for (let gone = edges.goneAt[node], step = 0; gone > 0 && step < MOST_FRAMES; step++) {
      const frame = tree.parent[gone];
      if (edges.isNew[edges.find(at[frame], at[node])]) {
        lost[at[frame]] = Math.max(0, lost[at[frame]] + change[node]);
      }
      gone = edges.goneAt[frame];
    }
  }
  // … and here counts of its growth what is left then.
  const left = edges.change.map((each, edge) => {
    const index = edges.callee[edge];
    return (each * Math.max(0, functions.change[index])) / (functions.risen[index] || 1);
  });
  const risen = new Float64Array(count);
  left.forEach((each, edge) => {
    if (edges.isNew[edge]) risen[edges.caller[edge]] += Math.max(0, each);
  });
  const parts = left.map((each, edge) => {
    const caller = edges.caller[edge];
    if (!edges.isNew[edge] || each <= 0) return 0;
    return (each * Math.min(1, lost[caller] / risen[caller])) / edges.risen[edge];
  });
  return change.map((each, node) =>
    each > 0 && edges.at[node] >= 0 ? each * parts[edges.at[node]] : 0,
  );
}

/**
 * Return what came from elsewhere in frames of which a function is much.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {Float64Array} movedAt
 * @param {number} least
 * @returns {{ moved: Float64Array, frameOf: Int32Array }} by function
 */
function movedInFrames(growth, functions, movedAt, least) {
  const { tree, before, after, change } = growth;
  const [is, grew, moved] = [after, change, change].map(() => change.map(() => 0));
  const size = before.map((weight, node) => Math.max(weight, after[node]));
  const largest = MOST_OF_ALL * size[0];
  const frameOf = new Int32Array(functions.count).fill(-1);
  const ofFunctions = Float64Array.from(functions.calls, (nodes, index) => {
    if (growth.functions.risen[index] < least) return 0;
    const most = Math.min(MOST_AROUND * growth.functions.after[index], largest);
    /** @type {Set<number>} */
    const around = new Set();
    for (const node of nodes) {
      let frame = tree.parent[node];
      for (let step = 0; size[frame] <= most && step < MOST_FRAMES; step++) {
        around.add(frame);
        is[frame] += after[node];
        grew[frame] += change[node] - movedAt[node];
        frame = tree.parent[frame];
      }
    }
    let sum = 0;
    let mostMoved = 0;
    // Callees before callers: what moved in a frame is at least what moved in frames within it.
    for (const frame of [...around].sort((a, b) => b - a)) {
      const isMuch = MOST_AROUND * is[frame] >= size[frame];
      const grown = Math.max(0, change[frame] - movedAt[frame]);
      const excess = isMuch ? grew[frame] - grown : 0;
      if (excess > moved[frame]) moved[frame] = excess;
      if (excess > mostMoved) [mostMoved, frameOf[index]] = [excess, frame];
      const caller = tree.parent[frame];
      if (around.has(caller)) moved[caller] += moved[frame];
      else sum += moved[frame];
    }
    for (const frame of around) is[frame] = grew[frame] = moved[frame] = 0;
    return sum;
  });
  return { moved: ofFunctions, frameOf };
}

/**
 * Return what functions grew by as they call now what others called before, and call no more; and what
 * they shrank by as others do now. What is called is a function, or one of the same class.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {import("./edges.js").Edges} edges
 * @param {string[]} classes
 * @returns {Pick<NetGrowth, "fromCallees" | "broughtAt">}
 */
function movedWithCallees({ tree, before, after, change }, { calls }, edges, classes) {
  const broughtAt = new Float64Array(change.length);
  /** @param {number[]} nodes */
  const attribute = (nodes) => {
    /** @param {number} node */
    const left = (node) => change[node] - broughtAt[node];
    const [was, is] = [sumOf(before, nodes), sumOf(after, nodes)];
    const lost = nodes.filter((node) => {
      const edge = edges.at[node];
      return edges.isGone[edge] && edges.before[edge] >= MAIN_CALLER * was && left(node) < 0;
    });
    const gained = nodes.filter((node) => {
      const edge = edges.at[node];
      return edges.isNew[edge] && edges.after[edge] >= MAIN_CALLER * is && left(node) > 0;
    });
    const [less, more] = [lost, gained].map((some) => some.reduce((sum, at) => sum + left(at), 0));
    const moved = Math.min(-less, more);
    for (const node of lost) broughtAt[node] += (left(node) * moved) / -less;
    for (const node of gained) broughtAt[node] += (left(node) * moved) / more;
  };
  for (const nodes of calls) attribute(nodes);
  /** @type {Map<string, number[]>} */
  const ofClasses = new Map();
  classes.forEach((name, index) => {
    if (name === "") return;
    const nodes = ofClasses.get(name) ?? [];
    ofClasses.set(name, nodes);
    nodes.push(...calls[index]);
  });
  for (const nodes of ofClasses.values()) attribute(nodes);
  // Callees before callers: what came along goes up through all that called it.
  const moved = new Float64Array(change.length);
  for (let node = change.length - 1; node > 0; node--) {
    moved[tree.parent[node]] += broughtAt[node] === 0 ? moved[node] : broughtAt[node];
  }
  const fromCallees = Float64Array.from(calls, (nodes) => Math.max(0, sumOf(moved, nodes)));
  return { fromCallees, broughtAt };
}

/**
 * @param {Float64Array} values by node
 * @param {number[]} nodes
 */
function sumOf(values, nodes) {
  return nodes.reduce((sum, node) => sum + values[node], 0);
}

/** @param {string} id of a function */
function classOf(id) {
  const [family] = id.split(" ", 1);
  return family === "code" ? scopeOf(id.slice(family.length + 1)) : "";
}

/**
 * Return what came from other functions of a class.
 *
 * @param {Growth} growth
 * @param {Functions} functions
 * @param {string[]} classes
 * @param {Float64Array} net growth of the functions without what moved otherwise
 */
function movedInClasses(growth, { at, ids }, classes, net) {
  const names = [...new Set(classes)].filter((name) => name !== "");
  const numbers = new Map(names.map((name, index) => [name, index]));
  const classAt = Int32Array.from(at, (index) => numbers.get(classes[index]) ?? -1);
  const calls = outermost(growth.tree.parent, classAt, numbers.size);
  /** @param {Float64Array} values */
  const sums = (values) => calls.map((nodes) => nodes.reduce((sum, node) => sum + values[node], 0));
  const [was, is, changed] = [growth.before, growth.after, growth.change].map(sums);
  const all = Math.max(growth.before[0], growth.after[0]);
  return Float64Array.from(ids, (_, index) => {
    const of = numbers.get(classes[index]);
    if (of === undefined) return 0;
    const around = Math.max(was[of], is[of]);
    if (around > MOST_AROUND * growth.functions.after[index] || around > MOST_OF_ALL * all)
      return 0;
    return Math.max(0, net[index] - Math.max(0, changed[of]));
  });
}

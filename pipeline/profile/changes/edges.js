/**
 * What functions call: the frames of each function below each, added up.
 *
 * @typedef {object} Edges
 * @property {Int32Array} at by node: its edge; -1 of frames below others of their function, and of threads
 * @property {number[]} caller by edge: function
 * @property {number[]} callee by edge: function
 * @property {Float64Array} before by edge: of frames that the base has
 * @property {Float64Array} after by edge: of frames that the other side has
 * @property {Float64Array} change by edge, of all frames: what only one side has weighs on the other what
 *   it calls there
 * @property {Float64Array} risen by edge: `change` of the frames that grew
 * @property {Uint8Array} isGone by edge
 * @property {Uint8Array} isNew by edge
 * @property {Int32Array} goneAt by node: the frame itself, or the nearest that called it, whose edge is
 *   gone; 0 for none
 * @property {(caller: number, callee: number) => number} find -1 for none
 */

import { isGone } from "../diff/growth.js";
import { IN_AFTER, IN_BASE } from "../match/union.js";

/**
 * @param {import("../diff/growth.js").Growth} growth
 * @param {import("../diff/functions.js").Functions} functions
 * @param {number[]} present by node: which sides have the frame
 * @returns {Edges}
 */
export function edgesOf(growth, { at: functionAt, calls, count }, present) {
  const { tree, before, after, change } = growth;
  /** @type {Map<number, number>} */
  const known = new Map();
  const [caller, callee] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  const at = new Int32Array(functionAt.length).fill(-1);
  for (const node of calls.flat()) {
    const above = functionAt[tree.parent[node]];
    if (above < 0) continue;
    const key = above * count + functionAt[node];
    const edge = known.get(key) ?? caller.length;
    if (edge === caller.length) {
      caller.push(above);
      callee.push(functionAt[node]);
      known.set(key, edge);
    }
    at[node] = edge;
  }
  /** @param {(node: number) => number} value */
  const sums = (value) => {
    const sum = new Float64Array(caller.length);
    at.forEach((edge, node) => {
      if (edge >= 0) sum[edge] += value(node);
    });
    return sum;
  };
  const was = sums((node) => (present[node] & IN_BASE ? before[node] : 0));
  const is = sums((node) => (present[node] & IN_AFTER ? after[node] : 0));
  const gone = Uint8Array.from(was, (weight, edge) => Number(isGone(weight, is[edge])));
  const goneAt = new Int32Array(at.length);
  for (let node = 1; node < at.length; node++) {
    goneAt[node] = gone[at[node]] ? node : goneAt[tree.parent[node]];
  }
  return {
    at,
    caller,
    callee,
    before: was,
    after: is,
    change: sums((node) => change[node]),
    risen: sums((node) => Math.max(0, change[node])),
    isGone: gone,
    isNew: Uint8Array.from(was, (weight, edge) => Number(isGone(is[edge], weight))),
    goneAt,
    find: (from, to) => known.get(from * count + to) ?? -1,
  };
}

/** The numbers of a diff in the basis shown: both call trees, and the noise of each change. */

import { IN_AFTER, IN_BASE } from "../match/union.js";
import { callTree } from "../model/tree.js";

/** @typedef {import("./diff.js").DiffTree} DiffTree */

/**
 * @typedef {object} Values in the basis
 * @property {import("../model/tree.js").CallTree} baseTree
 * @property {import("../model/tree.js").CallTree} afterTree
 * @property {import("../model/tree.js").CallTree} goneTree what the base has and the other does not
 * @property {(node: number) => boolean} isGone
 * @property {number} ofAll what part of either side the frame is that `share_of_frame` is of: the smaller
 */

/**
 * Return the trees of both sides, their values in the basis. Totals are summed as weights, which are
 * whole, and converted last: all of a side is 100 % exactly, and what weighs nothing is 0.
 *
 * @param {DiffTree} diff
 * @param {import("./diff.js").ShownBasis} basis
 * @param {number} of
 * @returns {Values}
 */
export function valuesOf({ parent, base, after, ...diff }, basis, of) {
  const was = callTree(parent, diff.base_self.map(Number), diff.base_rest);
  const is = callTree(parent, diff.after_self.map(Number), diff.after_rest);
  /** @param {number} node */
  const isGone = (node) => is.total[node] === 0 && was.total[node] > 0;
  const gone = callTree(
    parent,
    was.self.map((weight, node) => (isGone(node) ? weight : 0)),
    diff.gone_rest ?? was.rest.map((rest, node) => (isGone(node) ? rest : 0)),
  );
  const [ofBase, ofAfter] = [was.total[of], is.total[of]];
  return {
    baseTree: inBasis(was, base, basis, ofBase),
    afterTree: inBasis(is, after, basis, ofAfter),
    goneTree: inBasis(gone, base, basis, ofBase),
    isGone,
    ofAll: Math.min(ofBase / (was.total[0] || 1), ofAfter / (is.total[0] || 1)),
  };
}

/**
 * @param {import("../model/tree.js").CallTree} tree
 * @param {import("./diff.js").DiffSide} side
 * @param {import("./diff.js").ShownBasis} basis
 * @param {number} frame the weight of that which `share_of_frame` is of
 */
function inBasis(tree, { total, scale, factors }, basis, frame) {
  /** @param {number} weight */
  const value = (weight) => {
    if (basis === "share") return (weight * scale) / (Number(total) || 1);
    if (basis === "share_of_frame") return frame > 0 ? weight / frame : 0;
    return weight * scale * (factors[basis] ?? 0);
  };
  return {
    ...tree,
    self: tree.self.map(value),
    rest: tree.rest.map(value),
    total: tree.total.map(value),
  };
}

/**
 * Return by node which changes may be noise. Of the share of a frame it is not measured: there it is
 * as if frame and part varied by themselves, which is more than they do, as the part is in the frame.
 *
 * @param {DiffTree} diff
 * @param {Values} values
 * @param {import("./diff.js").ShownBasis} basis
 * @param {number} of
 * @returns {Record<"total" | "self", (node: number) => number>}
 */
export function noiseOf(diff, { baseTree, afterTree, ofAll }, basis, of) {
  const measured = basis === "share_of_frame" ? "share" : basis;
  const [total, self] = [diff[`noise_${measured}`] ?? [], diff[`self_noise_${measured}`] ?? []];
  if (basis !== "share_of_frame" || of === 0) {
    return { total: (node) => total[node], self: (node) => self[node] };
  }
  /** @param {number[]} noise @param {"total" | "self"} which @returns {(node: number) => number} */
  const shareOf = (noise, which) => (node) => {
    if (node === of && which === "total") return 0;
    const share = (baseTree[which][node] + afterTree[which][node]) / 2;
    return ofAll > 0
      ? Math.hypot(noise[node], share * total[of]) / ofAll
      : Number.POSITIVE_INFINITY;
  };
  return { total: shareOf(total, "total"), self: shareOf(self, "self") };
}

/**
 * Return a diff with base and after exchanged.
 *
 * @template {import("./diff.js").DiffTree} T
 * @param {T} diff
 * @returns {T}
 */
export function swapped(diff) {
  return {
    ...diff,
    base: diff.after,
    after: diff.base,
    base_self: diff.after_self,
    after_self: diff.base_self,
    base_rest: diff.after_rest,
    after_rest: diff.base_rest,
    gone_rest: diff.new_rest,
    new_rest: diff.gone_rest,
    present: diff.present.map(otherSides),
    shared_out: diff.shared_out.map(otherSides),
    joined: diff.joined.map((each) => ({ ...each, base: each.after, after: each.base })),
  };
}

/** @param {number} sides */
function otherSides(sides) {
  return (sides & IN_BASE ? IN_AFTER : 0) | (sides & IN_AFTER ? IN_BASE : 0);
}

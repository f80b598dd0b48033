/** A diff the other way round: what was the base is what comes after. */

import { IN_AFTER, IN_BASE } from "./sides.js";

/**
 * @param {import("./diff_graph.js").DrawnDiff} diff
 * @returns {import("./diff_graph.js").DrawnDiff}
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

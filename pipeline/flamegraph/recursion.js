/** Direct recursion as one frame: of `a > a > b`, `a > b` is left. */

import { functionIds } from "./function_names.js";
import { Growing, regrown } from "./regrow.js";

/**
 * @param {import("./regrow.js").Columns} data
 * @returns {import("./regrow.js").Columns} with the same weights
 */
export function withoutRecursion(data) {
  const { parent, name } = data;
  const ids = functionIds(data);
  const tree = new Growing(name[0]);
  const target = new Int32Array(parent.length);
  for (let node = 1; node < parent.length; node++) {
    const caller = target[parent[node]];
    const recurs = caller !== 0 && ids[tree.name[caller]] === ids[name[node]];
    target[node] = recurs ? caller : tree.child(caller, name[node]);
  }
  return regrown(data, tree, { weight: target, frames: Array.from(target, (to, at) => [at, to]) });
}

/** Two profiles as one tree, stated frame by frame, for tests of what functions grew by. */

import assert from "node:assert/strict";
import { functionsOf } from "../../../pipeline/profile/diff/functions.js";
import { growthOf } from "../../../pipeline/profile/diff/growth.js";
import { IN_AFTER, IN_BASE } from "../../../pipeline/profile/match/union.js";
import { CLASS_NAMES } from "../../../pipeline/profile/model/profile.js";

/**
 * Return the diff of two profiles in which all code did not grow.
 *
 * @param {string[]} lines frames in preorder, each with its own weight in base and after:
 *   `"t;load;parse 100 160"`; `-` where a side does not have the frame. Frames without a line are on the
 *   sides of those below. A frame's class follows `@`; the first frame is a thread.
 * @param {import("../../../pipeline/profile/diff/names.js").Joined[]} [joined]
 */
export function pairOf(lines, joined = []) {
  const names = [""];
  const classes = ["root"];
  const [parent, name, present] = [[-1], [0], [IN_BASE | IN_AFTER]];
  const [was, is] = [[0], [0]];
  /** @type {{ text: string, node: number }[]} */
  let path = [];
  const stated = new Set([0]);
  for (const line of lines) {
    const [, stack, ...weights] = /** @type {string[]} */ (/^(.*) (\S+) (\S+)$/.exec(line));
    const frames = stack.split(";");
    const differs = frames.findIndex((text, depth) => path[depth]?.text !== text);
    path = path.slice(0, differs);
    for (const text of frames.slice(differs)) {
      const [only, className = path.length === 0 ? "thread" : "user"] = text.split("@");
      let index = names.findIndex((each, at) => each === only && classes[at] === className);
      if (index < 0) {
        index = names.push(only) - 1;
        classes.push(className);
      }
      const node = parent.push(path.at(-1)?.node ?? 0) - 1;
      name.push(index);
      path.push({ text, node });
      was.push(0);
      is.push(0);
      present.push(0);
    }
    const [base, after] = weights.map((weight) => (weight === "-" ? 0 : Number(weight)));
    was[was.length - 1] = base;
    is[is.length - 1] = after;
    const sides = (weights[0] === "-" ? 0 : IN_BASE) | (weights[1] === "-" ? 0 : IN_AFTER);
    for (const { node } of path) if (!stated.has(node)) present[node] |= sides;
    present[present.length - 1] = sides;
    stated.add(present.length - 1);
  }
  /** @param {number[]} self */
  const side = (self) => ({
    total: String(self.reduce((sum, weight) => sum + weight, 0)),
    scale: 1,
    factors: { share: 1, weight_per_second: 1 },
  });
  const diff = /** @type {any} */ ({
    class_names: CLASS_NAMES,
    names,
    keys: names.map(() => null),
    classes: classes.map((each) => CLASS_NAMES.indexOf(each)),
    name,
    parent,
    joined,
    join: names.map(() => null),
    present,
    base: side(was),
    after: side(is),
    base_self: was,
    after_self: is,
  });
  const functions = functionsOf(diff);
  const growth = growthOf(diff, functions, Number.POSITIVE_INFINITY);
  assert.equal(growth.even, 1);
  /** @param {string} id `load`, or `kernel load` of what is no code */
  const functionOf = (id) => {
    const index = functions.ids.indexOf(id.includes(" ") ? id : `code ${id}`);
    assert.ok(index >= 0, `${id} in ${functions.ids}`);
    return index;
  };
  return { diff, functions, growth, present, functionOf };
}

/** @param {number} value */
export const round = (value) => Number(value.toFixed(6)) + 0;

/**
 * @param {ReturnType<typeof import("../../../pipeline/profile/changes/net_growth.js").netGrowth>} found
 * @param {ReturnType<typeof functionsOf>} functions
 * @param {(id: string) => number} indexOf
 */
export function growthReader(found, functions, indexOf) {
  return {
    /** @param {string} id what it grew by, and where from */
    of: (id) => {
      const at = indexOf(id);
      const { net, fromCaller, fromFrame, fromClass, fromCallees } = found;
      const all = { fromCaller, fromFrame, fromClass, fromCallees };
      const parts = Object.entries(all).map(([key, values]) => [key, round(values[at])]);
      const sources = Object.fromEntries(parts.filter(([, value]) => value !== 0));
      return { net: round(net[at]), ...sources };
    },
    /** @param {string} id the frame that accounts for most of what came from frames */
    frame: (id) => {
      const frame = found.frameOf[indexOf(id)];
      return frame < 0 ? null : functions.ids[functions.at[frame]].replace("code ", "");
    },
  };
}

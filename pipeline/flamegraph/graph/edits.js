/**
 * A tree without what a reader leaves out of it, by function, kind of code, library or beginning of names:
 *
 *     all               all                 all               all
 *       main              main                main              main
 *         sort              sort  (only         sort              sort  (collapse
 *           memcmp            memcmp  sort)       (hide             scan    sort)
 *         scan                                    memcmp)           ...
 *           memcmp                              scan
 *
 * `only` keeps the stacks that hold it, `hide` takes it out with what it calls, `collapse` makes it and
 * what it calls one frame. After the first two, percentages are relative to what is left. `merge` takes
 * it out of its stacks: its callers get its weight and what it calls.
 */

import { functionIds, functionNamed } from "../../profile/model/function_names.js";
import { withoutVersion } from "../../profile/model/libraries.js";
import { shownName } from "../../profile/model/shown_names.js";
import { isIdle } from "./idle.js";
import { keysOf, merged, withNodes } from "./rebuild.js";

/**
 * @typedef {import("./rebuild.js").Columns} Columns
 *
 * @typedef {object} Edits each several names as links have them, joined by ` | `; empty for none
 * @property {string} merge `recursion` stands for frames that their own function calls
 * @property {string} only
 * @property {string} hide `idle` stands for all that waits
 * @property {string} collapse
 *
 * @typedef {object} Hidden
 * @property {string} label the side of a diff; empty for a profile
 * @property {number} share of all, 0 to 1
 *
 * @typedef {object} Edited
 * @property {Columns} data
 * @property {Hidden[]} hidden
 * @property {string[]} waiting names of what waited
 * @property {string[]} missing names that the tree has not
 */

/** @type {Edits} */
export const NO_EDITS = { merge: "", only: "", hide: "", collapse: "" };
/** What `hide` says of all that waits. */
export const IDLE = "idle";
/** What `merge` says of direct recursion. */
export const RECURSION = "recursion";

/** What a library's name has before it, in links and in the search field. */
export const IN_LIBRARY = "lib:";

/**
 * Return the library that a term names, without its version: `lib:libc.so.6`; empty where it names none.
 *
 * @param {string} term
 */
function libraryIn(term) {
  return term.startsWith(IN_LIBRARY) ? withoutVersion(term.slice(IN_LIBRARY.length)) : "";
}

/** @param {string} text names as links have them */
export function termsOf(text) {
  return text.split(" | ").filter(Boolean);
}

/**
 * @param {Columns} data
 * @param {Edits} edits
 * @returns {Edited}
 */
export function edited(data, { merge, only, hide, collapse }) {
  const { parent, name } = data;
  const names = new Names(data);
  const [isOnly, isHidden, isCollapsed, isMerged] = [only, hide, collapse, merge].map((text) =>
    names.matching(text),
  );
  const inside = new Uint8Array(parent.length).fill(only ? 0 : 1);
  const gone = new Uint8Array(parent.length);
  for (let node = 1; node < parent.length; node++) {
    gone[node] = gone[parent[node]] | isHidden[name[node]];
    inside[node] |= (inside[parent[node]] | isOnly[name[node]]) & ~gone[node];
  }
  // A caller stays where any weight below it does.
  const weighs = weighing(data);
  const leads = inside.map((is, node) => is & ~gone[node] & weighs[node]);
  for (let node = parent.length - 1; node > 0; node--) leads[parent[node]] |= leads[node];
  // No two frames become one but below what is collapsed, so that the order stays.
  const nodes = { parent: [-1], name: [name[0]] };
  const place = new Int32Array(parent.length);
  const weight = new Int32Array(parent.length);
  const folded = new Uint8Array(parent.length);
  /** @type {[number, number][]} */
  const frames = [[0, 0]];
  /** @type {Set<number>} */
  const waiting = new Set();
  for (let node = 1; node < parent.length; node++) {
    const caller = place[parent[node]];
    if (caller < 0 || gone[node] || !leads[node]) {
      if (gone[node] && !gone[parent[node]]) waiting.add(name[node]);
      place[node] = -1;
    } else if (folded[parent[node]]) {
      place[node] = caller;
      folded[node] = 1;
    } else {
      place[node] = nodes.parent.push(caller) - 1;
      nodes.name.push(name[node]);
      folded[node] = isCollapsed[name[node]];
      frames.push([node, place[node]]);
    }
    weight[node] = inside[node] ? place[node] : -1;
  }
  const left = withNodes(data, { ...nodes, weight, frames });
  const idle = termsOf(hide).includes(IDLE) ? [...waiting].map((index) => names.keys[index]) : [];
  const rest = withoutHidden(data, left);
  return {
    data: merge ? merged(rest.data, isMerged, termsOf(merge).includes(RECURSION)) : rest.data,
    hidden: rest.hidden,
    waiting: [...new Set(idle.filter(isIdle))].sort(),
    missing: names.missing,
  };
}

/**
 * @param {Columns} data
 * @returns {Uint8Array} by node: whether it has a weight of its own
 */
function weighing(data) {
  const columns =
    data.format === "perfpress-diff"
      ? [data.base_self, data.after_self, data.base_rest, data.after_rest]
      : [data.self, data.rest];
  const found = new Uint8Array(data.parent.length);
  for (const column of columns) {
    column?.forEach((weight, node) => {
      if (Number(weight) > 0) found[node] = 1;
    });
  }
  return found;
}

/** Finds what a reader names among the names of a tree. */
class Names {
  /** @type {string[]} */
  missing = [];

  /** @param {Columns} data */
  constructor(data) {
    this.data = data;
    this.keys = keysOf(data);
    this.ids = functionIds(data);
  }

  /**
   * @param {string} text names as links have them
   * @returns {Uint8Array} by name: whether it is one of them
   */
  matching(text) {
    const found = new Uint8Array(this.keys.length);
    for (const term of termsOf(text)) {
      const is = this.meant(term);
      let isThere = term === IDLE || term === RECURSION;
      // The first is the root's.
      for (let index = 1; index < found.length; index++) {
        if (!is(index)) continue;
        found[index] = 1;
        isThere = true;
      }
      if (!isThere) this.missing.push(term);
    }
    return found;
  }

  /**
   * @param {string} term
   * @returns {(index: number) => boolean}
   */
  meant(term) {
    const { keys, ids, data } = this;
    if (term === IDLE) return (index) => isIdle(keys[index]);
    if (term === RECURSION) return () => false;
    const id = functionNamed(ids, term);
    if (id) return (index) => ids[index] === id;
    const kind = data.class_names.indexOf(/^\[(\w+)\]$/.exec(term)?.[1] ?? "");
    if (kind >= 0) return (index) => data.classes[index] === kind;
    const library = libraryIn(term);
    if (library) {
      const is = (data.libraries ?? []).map((each) => withoutVersion(shownName(each)) === library);
      return (index) => is[data.library?.[index] ?? -1] === true;
    }
    const start = /^(.+)\*$/s.exec(term)?.[1];
    return (index) => start !== undefined && keys[index].startsWith(start);
  }
}

/**
 * Make shares those of what is left.
 *
 * @param {Columns} data before
 * @param {Columns} left
 * @returns {{ data: Columns, hidden: Hidden[] }}
 */
function withoutHidden(data, left) {
  if (data.format === "perfpress-diff") {
    const diff = /** @type {import("./diff_graph.js").DrawnDiff} */ (left);
    const base = lessHidden(
      data.base,
      all(data.base_self, data.base_rest),
      all(diff.base_self, diff.base_rest),
    );
    const after = lessHidden(
      data.after,
      all(data.after_self, data.after_rest),
      all(diff.after_self, diff.after_rest),
    );
    diff.base = base.side;
    diff.after = after.side;
    widenNoise(diff, Math.max(...[base, after].map(({ hidden }) => 1 / (1 - hidden.share))));
    return { data: diff, hidden: [base.hidden, after.hidden] };
  }
  const profile = /** @type {import("./profile_graph.js").DrawnProfile} */ (left);
  const total = all(data.self, data.rest);
  const share = shareOf(total - all(profile.self, profile.rest), total);
  return { data: left, hidden: [{ label: "", share }] };
}

/**
 * Widen the noise of shares as the shares grew, when they became those of the rest.
 *
 * @param {import("./diff_graph.js").DrawnDiff} diff
 * @param {number} times
 */
function widenNoise(diff, times) {
  for (const key of /** @type {const} */ (["noise_share", "self_noise_share"])) {
    const column = diff[key];
    if (column && Number.isFinite(times)) diff[key] = column.map((noise) => noise * times);
  }
}

/**
 * @param {import("../../profile/diff/diff.js").DiffSide} side
 * @param {bigint} before scaled weight of all
 * @param {bigint} left of what is left
 */
function lessHidden(side, before, left) {
  const total = String(BigInt(side.total) - (before - left) * BigInt(side.scale));
  return {
    side: { ...side, total },
    hidden: { label: side.label, share: shareOf(before - left, before) },
  };
}

/**
 * @param {(number | string)[]} self
 * @param {number[]} [rest]
 */
function all(self, rest = []) {
  let sum = 0n;
  for (const weight of self) sum += BigInt(weight);
  for (const weight of rest) sum += BigInt(weight);
  return sum;
}

/**
 * @param {bigint} part
 * @param {bigint} whole
 */
function shareOf(part, whole) {
  return whole > 0n ? Number(part) / Number(whole) : 0;
}

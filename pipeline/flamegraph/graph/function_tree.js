/**
 * The tree of one function: what it calls, wherever it was called from; what calls it; or both.
 *
 *     all                            all                      all
 *       main                           memcmp  (callees)        memcmp  (callers)
 *         sort                           page_fault               sort
 *           memcmp                     (the rest)                   main
 *             page_fault                                          scan
 *         scan                                                      main
 *           memcmp                                              (the rest)
 *
 * The root keeps what is outside the function as its own weight, so that all is still all. A sample
 * counts once however the function recurs: its outermost call is the one that has callers, and the
 * calls below that one are among its callees.
 */

import { functionIds, functionNamed } from "../../profile/model/function_names.js";
import { NewTree, PER_NODE, rebuilt, SELF } from "./rebuild.js";
import { sectionsOf } from "./sections.js";

/**
 * @typedef {import("./rebuild.js").Columns} Columns
 * @typedef {"callees" | "callers" | "both"} CallDirection
 */

const CALLEES = { title: "Callees", callers: false, continues: false };
const CALLERS = { title: "Callers", callers: true, continues: false };

/**
 * @param {Columns} data
 * @param {string} of the function, as links name it
 * @param {CallDirection} direction
 * @returns {Columns | null} null where the function is not in the tree
 */
export function functionTree(data, of, direction) {
  const calls = outermost(data, of);
  if (calls.length === 0) return null;
  if (direction === "callees") return section(callees(data, calls), CALLEES);
  const above = section(callers(data, calls), CALLERS);
  if (direction === "callers") return above;
  return sideBySide(above, section(callees(data, calls), { ...CALLEES, continues: true }));
}

/**
 * Count the places where a function is called, and weigh nothing twice: calls below another of its
 * calls are not among them.
 *
 * @param {Columns} data
 * @param {string} of the function, as links name it
 * @returns {number[]} nodes
 */
export function outermost(data, of) {
  const { parent, name } = data;
  const ids = functionIds(data);
  const id = functionNamed(ids, of);
  const inside = new Uint8Array(parent.length);
  const calls = [];
  for (let node = 1; node < parent.length; node++) {
    const within = inside[parent[node]] === 1;
    const hit = ids[name[node]] === id;
    if (hit && !within) calls.push(node);
    if (hit || within) inside[node] = 1;
  }
  return calls;
}

/**
 * @param {Columns} data
 * @param {number[]} calls
 * @returns {Columns}
 */
function callees(data, calls) {
  const { parent, name } = data;
  const tree = new NewTree(name[0]);
  const first = tree.child(0, name[calls[0]]);
  const target = new Int32Array(parent.length);
  for (const node of calls) target[node] = first;
  for (let node = 1; node < parent.length; node++) {
    const caller = target[parent[node]];
    if (caller !== 0) target[node] = tree.child(caller, name[node]);
  }
  return rebuilt(data, tree, { weight: target, frames: Array.from(target, (to, at) => [at, to]) });
}

/**
 * @param {Columns} data
 * @param {number[]} calls
 * @returns {Columns}
 */
function callers(data, calls) {
  const { parent, name } = data;
  const tree = new NewTree(name[0]);
  const first = tree.child(0, name[calls[0]]);
  const target = new Int32Array(parent.length);
  /** @type {[number, number][]} */
  const frames = [[0, 0]];
  for (const call of calls) {
    frames.push([call, first]);
    let end = first;
    for (let caller = parent[call]; caller > 0; caller = parent[caller]) {
      end = tree.child(end, name[caller]);
      frames.push([caller, end]);
    }
    target[call] = end;
  }
  for (let node = 1; node < parent.length; node++) {
    if (target[node] === 0) target[node] = target[parent[node]];
  }
  return rebuilt(withRestInSelf(data), tree, { weight: target, frames });
}

/**
 * In an excerpt, count the weight of what it leaves out below a frame as the frame's own.
 *
 * @param {Columns} data
 * @returns {Columns}
 */
export function withRestInSelf(data) {
  const excerpt = { ...data };
  /** @type {Record<string, unknown>} */
  const columns = excerpt;
  for (const selfKey of SELF) {
    const restKey = selfKey.replace("self", "rest");
    const [self, rest] = [columns[selfKey], columns[restKey]];
    if (!Array.isArray(self) || !Array.isArray(rest)) continue;
    columns[selfKey] = self.map((weight, node) => Number(weight) + rest[node]);
    columns[restKey] = rest.map(() => 0);
  }
  // Of what is gone or new below a frame, its callers are neither.
  for (const key of ["gone_rest", "new_rest"]) {
    const rest = columns[key];
    if (Array.isArray(rest)) columns[key] = rest.map(() => 0);
  }
  return excerpt;
}

/**
 * @param {Columns} data whose root has one child
 * @param {Omit<import("./sections.js").Section, "first" | "end">} is
 * @returns {Columns}
 */
function section(data, is) {
  return { ...data, sections: [{ first: 1, end: data.parent.length, ...is }] };
}

/**
 * Number two trees of one root in one go, the second after the first.
 *
 * @param {Columns} one
 * @param {Columns} other
 * @returns {Columns}
 */
function sideBySide(one, other) {
  const shift = one.parent.length - 1;
  const both = { ...one };
  /** @type {Record<string, unknown>} */
  const columns = both;
  for (const [key, column] of Object.entries(other)) {
    if (!PER_NODE.has(key) || !Array.isArray(column)) continue;
    const rest = key === "parent" ? column.map((at) => (at === 0 ? 0 : at + shift)) : column;
    columns[key] = /** @type {unknown[]} */ (columns[key]).concat(rest.slice(1));
  }
  const shifted = sectionsOf(other).map((part) => ({
    ...part,
    first: part.first + shift,
    end: part.end + shift,
  }));
  both.sections = [...sectionsOf(one), ...shifted];
  return both;
}

/**
 * The functions of a diff: all frames of one function, wherever it is called, and under whatever names
 * the diff has joined.
 *
 * @typedef {object} Functions
 * @property {number} count
 * @property {Int32Array} at by node: its function; the root has none, -1
 * @property {number[][]} calls by function: its outermost frames, which weigh no sample twice
 * @property {string[]} ids by function, the same whatever the order of the diff's names
 * @property {Uint8Array} isThread by function
 *
 * @typedef {Pick<import("./diff.js").Diff, "names" | "keys" | "classes" | "class_names" | "parent" | "name"
 *   | "joined">} NamedDiff
 */

import { matchClass } from "../model/function_names.js";

/** Classes that the same function may have on two sides: compilers inline it, folded stacks say less. */
const CODE = new Set(["user", "inlined", "jit"]);

/**
 * @param {NamedDiff} diff
 * @returns {Functions}
 */
export function functionsOf({ names, keys, classes, class_names, parent, name, joined }) {
  const first = joinedFirst(joined);
  const idOfName = names.map((each, index) => {
    const id = functionId(class_names[classes[index]], keys[index] ?? each);
    return first.get(id) ?? id;
  });
  /** @type {Map<string, number>} */
  const known = new Map();
  const at = new Int32Array(parent.length).fill(-1);
  for (let node = 1; node < parent.length; node++) {
    const id = idOfName[name[node]];
    const index = known.get(id) ?? known.size;
    known.set(id, index);
    at[node] = index;
  }
  const ids = [...known.keys()];
  return {
    count: ids.length,
    at,
    calls: outermost(parent, at, ids.length),
    ids,
    isThread: Uint8Array.from(ids, (id) => Number(id.startsWith("thread "))),
  };
}

/**
 * @param {string} className
 * @param {string} key
 */
function functionId(className, key) {
  const family = matchClass(className);
  return `${CODE.has(family) ? "code" : family} ${key}`;
}

/**
 * Return for each id that was joined with others the one that is used for all of them. A function may be
 * joined with several: the larger of two halves with what was one.
 *
 * @param {import("./names.js").Joined[]} joined
 * @returns {Map<string, string>}
 */
function joinedFirst(joined) {
  /** @type {Map<string, string>} */
  const up = new Map();
  /** @param {string} id */
  const top = (id) => {
    let at = id;
    for (let next = up.get(at); next !== undefined; next = up.get(at)) at = next;
    return at;
  };
  for (const { class: className, key, base_key } of joined) {
    const [one, other] = [key, base_key].map((each) => top(functionId(className, each)));
    if (one !== other) up.set(other, one);
  }
  return new Map(Array.from(up.keys(), (id) => [id, top(id)]));
}

/**
 * Return the frames of each group that are below no other of it.
 *
 * @param {ArrayLike<number>} parent in preorder
 * @param {ArrayLike<number>} at by node: its group; -1 for none
 * @param {number} count of groups
 * @returns {number[][]} by group
 */
export function outermost(parent, at, count) {
  /** @type {number[][]} */
  const calls = Array.from({ length: count }, () => []);
  const open = new Int32Array(count);
  /** @type {number[]} the frames above, the innermost last */
  const above = [];
  for (let node = 1; node < parent.length; node++) {
    while (above.length > 0 && above[above.length - 1] !== parent[node]) {
      const left = at[/** @type {number} */ (above.pop())];
      if (left >= 0) open[left]--;
    }
    const group = at[node];
    if (group >= 0 && open[group]++ === 0) calls[group].push(node);
    above.push(node);
  }
  return calls;
}

/** The functions of a diff among which changes are looked for, and that show how much all vary. */

/** Smaller growth, as a part of all, is not worth a name: no benchmark's rate shows it. */
export const LEAST = 0.002;
/** What is nearly all of a profile, or of a release, started the program. */
const STARTS = 0.9;
/** Names of code without symbols: `[unknown]`, `[libcrypto.so.3]`. It is not a function. */
const NO_SYMBOL = /^\w+ \[.*\]$/s;

/**
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @returns {number[]}
 */
export function examined(growth, functions) {
  const { base, after } = growth.functions;
  const least = LEAST * Math.max(...growth.whole);
  const isStart = startsOf(growth, functions);
  return functions.ids.flatMap((id, index) => {
    const isFunction = !functions.isThread[index] && !isStart[index] && !NO_SYMBOL.test(id);
    return isFunction && Math.max(base[index], after[index]) >= least ? [index] : [];
  });
}

/**
 * Return what starts programs and threads: what is nearly all of a side, and what several threads begin
 * with, such as `start_thread`.
 *
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @returns {Uint8Array} by function
 */
function startsOf({ tree, before, after, functions: sums, whole }, { at, isThread }) {
  const isStart = Uint8Array.from(sums.base, (base, index) =>
    Number(base >= STARTS * whole[0] || sums.after[index] >= STARTS * whole[1]),
  );
  // By node: the thread that begins with it, as nearly all of what its caller does; else the root.
  const begins = new Int32Array(at.length);
  /** @type {Map<number, Set<number>>} */
  const threads = new Map();
  for (let node = 1; node < at.length; node++) {
    const caller = tree.parent[node];
    const isAll = before[node] + after[node] >= STARTS * (before[caller] + after[caller]);
    if (isThread[at[node]]) begins[node] = node;
    else if (isAll) begins[node] = begins[caller];
    if (begins[node] > 0)
      threads.set(at[node], (threads.get(at[node]) ?? new Set()).add(begins[node]));
  }
  for (const [index, begun] of threads) if (begun.size > 1) isStart[index] = 1;
  return isStart;
}

// The state of the matrix: numbers, order, expanded rows. Does not touch the page.

import { decimalsFor } from "@perfpress/profile/model/numbers.js";
import { OTHERS } from "./counts.js";

/**
 * @typedef {object} State as the link has it; all empty where the matrix is as the page shows it
 * @property {string} number `self` or `cost`
 * @property {string} below path: only what it and its callees are
 * @property {string} of path: percent of what it weighs instead of the whole profile
 * @property {string} sort `name`, the number of a release, `change`; `-` before it for its end first
 * @property {string} search
 * @property {string} open rows, as JSON: lists of functions' classes and keys
 */

/** @type {State} */
export const INITIAL = { number: "", below: "", of: "", sort: "", search: "", open: "" };

/** Maximum number of expanded rows: a link with more was not made by a reader. */
const MOST_OPEN = 50;

/**
 * @param {string} number of a state, whatever the link says
 * @returns what a caption calls it
 */
export function numberWord(number) {
  if (number === "cost") return "Cost";
  return number === "self" ? "Self" : "Total";
}

/**
 * @typedef {object} View
 * @property {import("./rows.js").Shown[]} rows top ones with the open ones' callees after each
 * @property {number} functions how many top rows there are
 * @property {number} decimals
 * @property {string} unit
 * @property {string[]} unknown paths that are in no profile
 */

/**
 * @param {import("./counts.js").Counts} counts
 * @param {State} state
 * @param {number} most top rows to return
 * @returns {View}
 */
export function viewOf(counts, state, most) {
  const { data } = counts;
  const whole = state.of ? counts.find(state.of) : null;
  const scope = state.below ? counts.find(state.below) : whole;
  const unknown = [state.below, state.of].filter((path) => path && counts.find(path).length === 0);
  const denominators = whole ? counts.weigh(whole) : data.releases.map(({ total }) => total);
  const numbersOf = numbersBy(data, state.number, denominators);

  /**
   * @param {import("./counts.js").FunctionWeights} weights
   * @param {number[]} above
   */
  const shown = (weights, above) => {
    const numbers = numbersOf(weights);
    const [first, last] = [numbers[0], numbers[numbers.length - 1]];
    const change = (last ?? 0) - (first ?? 0);
    return { weights, path: [...above, weights.function], numbers, change };
  };
  const wanted = state.search.toLowerCase();
  const all = counts
    .functions(scope)
    .filter(({ function: at }) => at !== OTHERS && data.name[at].toLowerCase().includes(wanted))
    .map((weights) => shown(weights, []))
    .filter(({ numbers }) => numbers.some((each) => each));
  const order = orderBy(data, state.sort);
  all.sort(order);
  const open = openRows(state.open);
  /** @type {import("./rows.js").Shown[]} */
  const rows = [];
  /** @param {import("./rows.js").Shown} row */
  const add = (row) => {
    rows.push(row);
    if (!open.has(rowKey(data, row.path))) return;
    const { nodes, function: which } = row.weights;
    const callees = counts.callees(nodes.length > 0 ? nodes : counts.nodesOf(which));
    const below = callees.map((each) => shown(each, row.path));
    for (const each of below.filter(({ numbers }) => numbers.some(Boolean)).sort(order)) add(each);
  };
  for (const row of all.slice(0, most)) add(row);
  const isCost = state.number === "cost";
  return {
    rows,
    functions: all.length,
    decimals: isCost ? decimalsFor(all.flatMap(({ numbers }) => numbers.map(Number))) : 2,
    unit: isCost ? data.cost_unit : "%",
    unknown,
  };
}

/**
 * @param {import("./counts.js").Data} data
 * @param {string} number
 * @param {number[]} denominators
 * @returns {(weights: import("./counts.js").FunctionWeights) => (number | null)[]}
 */
function numbersBy(data, number, denominators) {
  if (number === "cost") {
    return ({ totals }) =>
      data.releases.map(({ operations }, at) =>
        operations ? (totals[at] / operations) * data.factor : null,
      );
  }
  return ({ totals, selfs }) =>
    (number === "self" ? selfs : totals).map((weight, at) =>
      denominators[at] ? (100 * weight) / denominators[at] : null,
    );
}

/**
 * @param {import("./counts.js").Data} data
 * @param {string} sort
 * @returns {(a: import("./rows.js").Shown, b: import("./rows.js").Shown) => number}
 */
function orderBy(data, sort) {
  const by = sort.replace(/^-/, "");
  const sign = sort.startsWith("-") ? -1 : 1;
  /** @param {import("./rows.js").Shown} row */
  const nameOf = ({ weights }) => data.name[weights.function] ?? "";
  if (by === "name") return (a, b) => sign * nameOf(a).localeCompare(nameOf(b), "en");
  /** @param {import("./rows.js").Shown} row */
  const value = ({ numbers, change }) => {
    if (by === "change") return change;
    if (/^\d+$/.test(by)) return numbers[Number(by)] ?? 0;
    return Math.max(...numbers.map((each) => each ?? 0));
  };
  // The data has the functions in the order of the page.
  return (a, b) => sign * (value(b) - value(a)) || a.weights.function - b.weights.function;
}

/**
 * @param {import("./counts.js").Data} data
 * @param {number[]} path functions
 */
export function rowKey(data, path) {
  return JSON.stringify(path.map((at) => `${data.class[at]} ${data.key[at]}`));
}

/**
 * @param {string} text of the link
 * @returns {Set<string>} keys of rows
 */
export function openRows(text) {
  try {
    const rows = JSON.parse(text || "[]");
    return new Set(
      rows.slice(0, MOST_OPEN).map((/** @type {unknown} */ row) => JSON.stringify(row)),
    );
  } catch {
    return new Set(); // not of our making
  }
}

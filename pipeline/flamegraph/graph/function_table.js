/**
 * The functions of a profile or a diff as a table: what a graph shows, in numbers. The page holds its
 * first rows as the renderer wrote them; the viewer makes the rest of the same numbers and words.
 */

import { relativeColumn } from "../../profile/diff/bases.js";
import { IN_AFTER, IN_BASE } from "../../profile/match/union.js";
import { functionId } from "../../profile/model/function_names.js";
import { columnUnit, formatChange, grouped } from "../../profile/model/numbers.js";
import { rowName } from "../../profile/model/shown_names.js";

/**
 * @typedef {object} Column
 * @property {string} key names the column in links
 * @property {string} label
 * @property {string} unit shown below the label
 * @property {string} meaning
 * @property {Float64Array} values by function; NaN where there is none
 * @property {(value: number) => string} text
 * @property {boolean} [signed] a change: the largest is the furthest from nothing
 *
 * @typedef {object} FunctionTable
 * @property {string[]} ids by function: family of its class and name-match key, the same in an excerpt
 * @property {string[]} names
 * @property {string[]} kinds in words, and the library where it is known; several where some stacks name a library
 *   and others do not
 * @property {string[]} libraries of each, joined by spaces; empty where none is known
 * @property {Column[]} columns
 * @property {string} first key of the column that the rows are sorted by unless asked otherwise
 */

/** Shown where a release has no value for a function. */
const ABSENT = "–";

/**
 * @param {import("./profile_graph.js").DrawnProfile} profile
 * @param {import("./graph.js").Graph} graph of it
 * @returns {FunctionTable}
 */
export function profileFunctions({ unit, scale }, graph) {
  const [{ tree }] = graph.lanes;
  const { functions, at } = functionsIn(graph, tree.parent.length);
  const { self, total } = sumsOf(tree, at, functions.ids.length);
  const all = tree.total[0];
  const weight = columnUnit(all * scale, unit);
  // Weights are whole; only in a larger unit are there parts of them.
  const decimals = weight.factor === 1 ? 0 : weight.decimals;
  const alone = "the function alone";
  const included = "with everything it called; a sample counts once, however the function recurs";
  /** @param {string} key @param {string} label @param {string} meaning @param {Float64Array} values */
  const share = (key, label, meaning, values) => ({
    key,
    label,
    unit: "% of all",
    meaning,
    values: values.map((value) => (all > 0 ? value / all : 0)),
    text: (/** @type {number} */ value) => grouped(value * 100, 2),
  });
  /** @param {string} key @param {string} label @param {string} meaning @param {Float64Array} values */
  const amount = (key, label, meaning, values) => ({
    key,
    label,
    unit: weight.unit,
    meaning,
    values: values.map((value) => value * scale * weight.factor),
    text: (/** @type {number} */ value) => grouped(value, decimals),
  });
  return {
    ...functions,
    columns: [
      share("self", "Self", alone, self),
      share("total", "Total", included, total),
      amount("self-weight", "Self", alone, self),
      amount("total-weight", "Total", included, total),
    ],
    first: "self",
  };
}

/**
 * @param {import("../../profile/diff/diff.js").ShownBasis} basis
 * @param {string} unit
 * @param {string | undefined} costOf
 * @param {number} whole
 */
function displayOf(basis, unit, costOf, whole) {
  if (basis === "share") return { factor: 100, unit: "%", decimals: 2 };
  if (basis === "relative_cost") return relativeColumn(costOf);
  return columnUnit(
    whole,
    `${unit} per ${basis === "cost_per_operation" ? "operation" : "second"}`,
  );
}

/**
 * @param {import("./diff_graph.js").DrawnDiff} diff
 * @param {import("./diff_graph.js").DiffGraph} graph of it
 * @returns {FunctionTable}
 */
export function diffFunctions({ basis, unit, cost_of, base, after, present }, graph) {
  const { baseTree, afterTree } = graph;
  const { functions, at } = functionsIn(graph, baseTree.parent.length);
  const count = functions.ids.length;
  const was = sumsOf(baseTree, at, count, (node) => (present[node] & IN_BASE) !== 0);
  const is = sumsOf(afterTree, at, count, (node) => (present[node] & IN_AFTER) !== 0);
  const whole = Math.max(baseTree.total[0], afterTree.total[0]);
  const display = displayOf(basis, unit, cost_of, whole);
  const text = (/** @type {number} */ value) => grouped(value, display.decimals);
  /** @param {Float64Array} side @param {Float64Array} present */
  const values = (side, present) =>
    side.map((value, index) => (present[index] > 0 ? value * display.factor : Number.NaN));
  /** @param {"self" | "total"} which @param {string} meaning */
  const columns = (which, meaning) => [
    {
      key: `${which}-change`,
      label: "Change",
      unit: `${which}, ${display.unit}`,
      meaning: `${meaning}, ${after.label} less ${base.label}`,
      values: is[which].map((value, index) => (value - was[which][index]) * display.factor),
      // A change that rounds to nothing has no sign.
      text: (/** @type {number} */ value) =>
        /[1-9]/.test(text(value)) ? formatChange(value, text) : text(0),
      signed: true,
    },
    {
      key: `${which}-base`,
      label: base.label,
      unit: `${which}, ${display.unit}`,
      meaning: `${meaning}; – where ${base.label} has no such function`,
      values: values(was[which], was.total),
      text,
    },
    {
      key: `${which}-after`,
      label: after.label,
      unit: `${which}, ${display.unit}`,
      meaning: `${meaning}; – where ${after.label} has no such function`,
      values: values(is[which], is.total),
      text,
    },
  ];
  return {
    ...functions,
    columns: [
      ...columns("self", "the function alone"),
      ...columns("total", "with everything it called"),
    ],
    first: "self-change",
  };
}

/**
 * @param {Column} column
 * @param {number} index of the function
 */
export function cellText({ values, text }, index) {
  return Number.isNaN(values[index]) ? ABSENT : text(values[index]);
}

/**
 * Sort functions by a column, the largest first; changes by their size, whatever their sign. What has
 * no value comes last either way; ties are in the order of names.
 *
 * @param {FunctionTable} table
 * @param {string} key of the column; `name` for the functions' names
 * @param {boolean} ascending
 * @param {number[]} [among] indices of the functions to sort; default: all
 * @returns {number[]} indices of functions
 */
export function sortedFunctions(table, key, ascending, among) {
  const { names, ids } = table;
  const byName = (/** @type {number} */ a, /** @type {number} */ b) =>
    compare(names[a], names[b]) || compare(ids[a], ids[b]);
  const order = among ?? names.map((_, index) => index);
  const column = table.columns.find((each) => each.key === key);
  const sign = ascending ? 1 : -1;
  if (!column) return order.sort((a, b) => sign * byName(a, b));
  const sizes = sizesOf(column);
  return order.sort((a, b) => {
    if (sizes[a] < sizes[b]) return -sign;
    if (sizes[a] > sizes[b]) return sign;
    const absent = Number(Number.isNaN(sizes[a])) - Number(Number.isNaN(sizes[b]));
    return absent || byName(a, b);
  });
}

/** @param {Column} column */
function sizesOf({ signed, values }) {
  return signed ? values.map(Math.abs) : values;
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * @param {import("./graph.js").Graph} graph
 * @param {number} nodes
 * @returns {{ functions: Pick<FunctionTable, "ids" | "names" | "kinds" | "libraries">, at: Int32Array }} `at`:
 *   by node, the index of its function; the root is none
 */
function functionsIn(graph, nodes) {
  /** @type {Map<string, number>} */
  const known = new Map();
  /** @type {Pick<FunctionTable, "ids" | "names" | "kinds" | "libraries">} */
  const functions = { ids: [], names: [], kinds: [], libraries: [] };
  /** @type {number[]} by name: most frames have the name of another one */
  const ofName = [];
  const at = new Int32Array(nodes).fill(-1);
  for (let node = 1; node < nodes; node++) {
    const name = graph.nameIndex(node);
    if (ofName[name] === undefined) {
      const id = functionId(graph.className(node), graph.key(node));
      const kind = graph.place(node);
      const index = known.get(id) ?? functions.ids.push(id) - 1;
      if (!known.has(id)) {
        known.set(id, index);
        functions.names.push(graph.name(node));
        functions.kinds.push(kind);
        functions.libraries.push(graph.library(node));
      } else if (!functions.kinds[index].split(", ").includes(kind)) {
        functions.kinds[index] += `, ${kind}`;
        functions.libraries[index] += ` ${graph.library(node)}`;
      }
      ofName[name] = index;
    }
    at[node] = ofName[name];
  }
  return { functions, at };
}

/**
 * Add up what functions weigh: alone, and with what they called. Where a function calls itself, by
 * whatever way, its outermost call has the weight of all.
 *
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {Int32Array} functionAt
 * @param {number} count of functions
 * @param {(node: number) => boolean} [has] whether the side that the tree is of has a frame: what only
 *   the other side has weighs here what it calls there, but no function of this side does
 */
function sumsOf(tree, functionAt, count, has = () => true) {
  const self = new Float64Array(count);
  const total = new Float64Array(count);
  const NOBODY = count; // a caller that the side does not have
  const open = new Int32Array(count + 1);
  /** @type {number[]} functions of the callers, without the root */
  const callers = [];
  for (let node = 1; node < functionAt.length; node++) {
    while (callers.length >= tree.depth[node]) open[callers.pop() ?? NOBODY]--;
    const index = functionAt[node];
    const own = has(node);
    self[index] += tree.self[node];
    if (own && open[index] === 0) total[index] += tree.total[node];
    if (own) open[index]++;
    callers.push(own ? index : NOBODY);
  }
  return { self, total };
}

/**
 * Return the functions that the first rows of a table are among: to sort a few is soon done.
 *
 * @param {FunctionTable} table
 * @param {number} rows
 * @returns {number[] | undefined} all where fewer have a value
 */
function heaviest({ columns, first }, rows) {
  const column = columns.find(({ key }) => key === first);
  if (!column) return undefined;
  const sizes = sizesOf(column);
  const ranked = sizes.filter((size) => !Number.isNaN(size)).sort();
  const least = ranked[ranked.length - rows];
  if (least === undefined) return undefined;
  /** @type {number[]} */
  const indices = [];
  for (let index = 0; index < sizes.length; index++) {
    if (sizes[index] >= least) indices.push(index);
  }
  return indices;
}

/**
 * @param {FunctionTable} table
 * @param {number} rows at most so many
 * @returns {import("../../messages.js").FunctionTable} the first rows, in words
 */
export function tableHead(table, rows) {
  const { ids, names, kinds, columns, first } = table;
  return {
    columns: columns.map(({ key, label, unit, meaning }) => ({ key, label, unit, meaning })),
    first,
    rows: sortedFunctions(table, first, false, heaviest(table, rows))
      .slice(0, rows)
      .map((index) => ({
        id: ids[index],
        name: rowName(names[index]),
        kind: kinds[index],
        cells: columns.map((column) => ({
          text: cellText(column, index),
          value: Number.isNaN(column.values[index]) ? null : column.values[index],
        })),
      })),
    functions: ids.length,
  };
}

/**
 * Changes and shifts as plain data, for the page and for the file beside it.
 *
 * @typedef {import("../../messages.js").FunctionChange} FunctionChange
 */

import { relativeColumn } from "../diff/bases.js";
import { isGone } from "../diff/growth.js";
import { valuesOf } from "../diff/values.js";
import { nameSimilarity, wordsOf } from "../match/similarity.js";
import { IN_AFTER, IN_BASE } from "../match/union.js";
import { framePath } from "../model/frame_path.js";
import { matchClass } from "../model/function_names.js";
import { naming } from "../model/naming.js";
import { columnUnit } from "../model/numbers.js";
import { rowName } from "../model/shown_names.js";

const MOST_SAMPLES = Number.MAX_SAFE_INTEGER;

/** Call paths listed for a change. */
const MOST_CALLS = 3;

/**
 * @param {import("../diff/diff.js").Diff} diff
 * @param {import("./find_changes.js").Found} found
 * @returns {import("../../messages.js").Findings}
 */
export function describeFindings(diff, found) {
  const { additions, savings, parts } = found;
  const { basis, whole, even: risen } = additions.growth;
  const [base, after] = whole;
  const { even: fallen } = savings.growth;
  const evenly = (risen - 1) * base - (fallen - 1) * after;
  const sums = [additions, savings].map(({ listed }) =>
    listed.reduce((sum, { index }) => sum + (parts.get(index) ?? 0), 0),
  );
  const { ways, tried, level, overdispersion } = additions.significance;
  const { from } = /** @type {import("../diff/common_noise.js").CommonNoise} */ (diff.noise[basis]);
  return {
    format: "perfpress-suspects",
    version: 2,
    basis,
    unit: basis === "relative_cost" ? `% of ${diff.cost_of}` : diff.unit,
    shown: shownAs(basis, diff, Math.max(base, after)),
    base: sideSummary(diff.base, base),
    after: sideSummary(diff.after, after),
    even: risen > 1 ? risen : 1 / fallen,
    spread_evenly: additions.isEven || savings.isEven,
    noise: { overdispersion, shown_by: from, ways, tried, level },
    within_noise: additions.withinNoise + savings.withinNoise,
    not_ranked: additions.notRanked + savings.notRanked,
    change: {
      whole: after - base,
      even: evenly,
      additions: sums[0],
      savings: sums[1],
      rest: after - base - evenly - sums[0] - sums[1],
    },
    additions: new Describer(diff, found, additions, 1).changes(),
    savings: new Describer(diff, found, savings, -1).changes(),
    shifts: found.shifts.map((shift) => new Describer(diff, found, additions, 1).shift(shift)),
  };
}

/**
 * @param {import("../diff/diff.js").DiffSide} side
 * @param {number} whole
 * @returns {import("../../messages.js").SideSummary}
 */
function sideSummary(side, whole) {
  const { label, captures, total, unit, samples: stated, sample_weight: sample } = side;
  // A hostile weight makes more of them than a whole number of JSON can be.
  const samples = sample > 0 ? Math.min(Math.round(Number(total) / sample), MOST_SAMPLES) : 0;
  const samples_stated = unit === "samples" || stated !== null;
  return { label, captures, samples, samples_stated, whole };
}

/**
 * @param {import("../diff/diff.js").Basis} basis
 * @param {import("../diff/diff.js").Diff} diff
 * @param {number} largest
 */
function shownAs(basis, { unit, cost_of }, largest) {
  if (basis === "share") return { factor: 100, unit: "% of all", decimals: 2 };
  if (basis === "relative_cost") return relativeColumn(cost_of);
  const per = basis === "cost_per_operation" ? "operation" : "second";
  return columnUnit(largest, `${unit} per ${per}`);
}

/** Describes functions as one direction has them, with all amounts as changes from base to after. */
class Describer {
  /**
   * @param {import("../diff/diff.js").Diff} diff
   * @param {import("./find_changes.js").Found} found
   * @param {import("./find_changes.js").Direction} direction
   * @param {1 | -1} sign -1 of savings
   */
  constructor(diff, found, direction, sign) {
    this.diff = diff;
    const { afterTree, goneTree } = valuesOf(diff, diff.basis, 0);
    /** @type {import("../model/frame_path.js").NamedTrees} */
    this.trees = { ...naming(diff), lanes: [{ tree: afterTree }, { tree: goneTree }] };
    this.functions = found.functions;
    this.parts = found.parts;
    this.sums = found.additions.growth.functions;
    this.direction = direction;
    this.sign = sign;
  }

  /** @returns {import("../../messages.js").Change[]} */
  changes() {
    return this.direction.listed.map((each) => this.change(each));
  }

  /**
   * Return the calls of a function, those first that changed most.
   *
   * @param {number} index
   */
  calls(index) {
    const { change } = this.direction.growth;
    return [...this.functions.calls[index]].sort((a, b) => change[b] - change[a] || a - b);
  }

  /**
   * @param {number} index
   * @returns {FunctionChange}
   */
  plain(index) {
    const [first] = this.calls(index);
    const { base, after } = this.sums;
    return {
      function: `${matchClass(this.trees.className(first))} ${this.trees.key(first)}`,
      name: rowName(this.trees.name(first)),
      base: base[index],
      after: after[index],
      net: this.sign * this.direction.moves.net[index],
    };
  }

  /**
   * @param {import("./ranking.js").Ranked} ranked
   * @returns {import("../../messages.js").Change}
   */
  change({ index, callers, callees }) {
    const calls = this.calls(index);
    const { change } = this.direction.growth;
    const { p, noise } = this.direction.significance;
    return {
      ...this.plain(index),
      path: framePath(this.trees, calls[0]),
      only: this.onlyIn(index),
      part: this.parts.get(index) ?? 0,
      noise: noise[index],
      p: p ? p[index] : null,
      callers: callers.map((each) => this.plain(each)),
      callees: callees.map((each) => this.plain(each)),
      calls: calls
        .filter((node) => change[node] > 0)
        .slice(0, MOST_CALLS)
        .map((node) => ({
          path: framePath(this.trees, node),
          change: this.sign * change[node],
        })),
    };
  }

  /** @param {number} index */
  onlyIn(index) {
    const sides = this.functions.calls[index].reduce(
      (bits, node) => bits | this.diff.present[node],
      0,
    );
    if (sides === IN_BASE) return "base";
    return sides === IN_AFTER ? "after" : null;
  }

  /**
   * @param {import("./shifts.js").Shift} shift
   * @returns {import("../../messages.js").Shift}
   */
  shift({ index, risen, from, to, parts, joined }) {
    const plain = this.plain(index);
    return {
      ...plain,
      path: framePath(this.trees, to),
      risen,
      from,
      class: this.direction.moves.classes[index],
      sources: parts.map((part) => ({
        name: this.plain(part.index).name,
        own: part.isOwn,
        change: part.change,
      })),
      proposal: joined ? { name: joined.key, other: joined.base_key } : this.renamed(index, parts),
    };
  }

  /**
   * Return what a function that only one release has may have been called in the other.
   *
   * @param {number} index
   * @param {import("./shifts.js").Part[]} parts
   */
  renamed(index, [part]) {
    const { base, after } = this.sums;
    if (!part || part.isOwn || base[index] > 0 || after[part.index] > 0) return null;
    const [was, is] = [base[part.index], after[index]];
    if (isGone(was, is) || isGone(is, was)) return null;
    const [name, other] = [index, part.index].map((each) =>
      this.trees.key(this.functions.calls[each][0]),
    );
    return nameSimilarity(wordsOf(name), wordsOf(other)) > 0 ? { name, other } : null;
  }
}

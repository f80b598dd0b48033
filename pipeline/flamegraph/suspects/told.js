/**
 * Suspects and shifts as plain data, for the page and for the file beside it.
 *
 * @typedef {object} Told
 * @property {"perfpress-suspects"} format
 * @property {1} version
 * @property {import("../diff.js").Basis} basis that everything here is in: shares of 1, or `unit` per
 *   operation or second
 * @property {string} unit
 * @property {{ factor: number, unit: string, decimals: number }} shown how a column of it is written
 * @property {ToldSide} base
 * @property {ToldSide} after
 * @property {number} even how many times what it was all code costs; 1 where it does not grow
 * @property {boolean} spread_evenly then nothing is a suspect
 * @property {{ ways: number, tried: number, level: number | null }} chance ways to part the captures in
 *   two, those that were tried, and the p that is asked of suspects: null where it cannot be reached
 * @property {number} within_chance functions that grew, but by no more than captures differ
 * @property {number} not_ranked functions that grew, and by too little to be looked at among so many
 * @property {ToldGrowth | null} growth null where no log tells operations
 * @property {ToldSuspect[]} suspects the largest net growth first
 * @property {ToldShift[]} shifts the largest first
 *
 * @typedef {{ label: string, captures: number, whole: number }} ToldSide
 * @typedef {{ whole: number, even: number, unexplained: number }} ToldGrowth with the parts of the
 *   suspects, `even` and `unexplained` add up to `whole`
 *
 * @typedef {object} ToldFunction
 * @property {string} function class and name-match key, as in tables of functions
 * @property {string} name
 * @property {number} base total
 * @property {number} after
 * @property {number} net what it grew by, less what only moved
 *
 * @typedef {ToldFunction & { path: string, only: "base" | "after" | null, part: number | null,
 *   p: number | null, base_range: number[] | null, after_range: number[] | null,
 *   callers: ToldFunction[], callees: ToldFunction[], calls: ToldCall[] }} ToldSuspect `path` leads to the
 *   frame that grew most; `only` one side has the function: the other's total is of what it calls there
 *
 * @typedef {{ path: string, change: number }} ToldCall
 *
 * @typedef {ToldFunction & { path: string, risen: number, from: import("./shifts.js").Origin,
 *   class: string, sources: { name: string, own: boolean, change: number }[],
 *   proposal: { name: string, other: string } | null }} ToldShift `proposal`: an alias that would join
 *   what was renamed
 */

import { rowName } from "../function_table.js";
import { nameLikeness, wordsOf } from "../match/likeness.js";
import { matchClass } from "../names.js";
import { columnUnit } from "../numbers.js";
import { IN_AFTER, IN_BASE } from "../sides.js";
import { framePath } from "../viewer/frame_path.js";
import { isGone } from "./vanished.js";

/** Call paths told of a suspect. */
const MOST_CALLS = 3;

/**
 * @param {import("../diff.js").Diff} diff
 * @param {import("../graph.js").Graph} graph of it, in whatever basis
 * @param {import("./index.js").Found} found
 * @returns {Told}
 */
export function tell(diff, graph, found) {
  const { growth, chance, parts } = found;
  const [base, after] = growth.whole;
  const isCost = growth.basis === "cost_per_operation";
  const even = (growth.even - 1) * base;
  const explained = parts.reduce((sum, part) => sum + part, 0);
  const teller = new Teller(diff, graph, found);
  return {
    format: "perfpress-suspects",
    version: 1,
    basis: growth.basis,
    unit: diff.unit,
    shown: shownAs(growth.basis, diff.unit, Math.max(base, after)),
    base: { label: diff.base.label, captures: diff.base.captures, whole: base },
    after: { label: diff.after.label, captures: diff.after.captures, whole: after },
    even: growth.even,
    spread_evenly: found.isEven,
    chance: { ways: chance.ways, tried: chance.tried, level: chance.level },
    within_chance: found.withinChance,
    not_ranked: found.notRanked,
    growth: isCost
      ? { whole: after - base, even, unexplained: after - base - even - explained }
      : null,
    suspects: found.suspects.map((suspect, at) =>
      teller.suspect(suspect, isCost ? parts[at] : null),
    ),
    shifts: found.shifts.map((shift) => teller.shift(shift)),
  };
}

/**
 * @param {import("../diff.js").Basis} basis
 * @param {string} unit
 * @param {number} largest
 */
function shownAs(basis, unit, largest) {
  if (basis === "share") return { factor: 100, unit: "% of all", decimals: 2 };
  const per = basis === "cost_per_operation" ? "operation" : "second";
  return columnUnit(largest, `${unit} per ${per}`);
}

class Teller {
  /**
   * @param {import("../diff.js").Diff} diff
   * @param {import("../graph.js").Graph} graph
   * @param {import("./index.js").Found} found
   */
  constructor(diff, graph, { growth, functions, moves, chance }) {
    this.diff = diff;
    this.graph = graph;
    this.growth = growth;
    this.functions = functions;
    this.moves = moves;
    this.chance = chance;
  }

  /**
   * Return the calls of a function, those first that grew most.
   *
   * @param {number} index
   */
  calls(index) {
    const { change } = this.growth;
    return [...this.functions.calls[index]].sort((a, b) => change[b] - change[a] || a - b);
  }

  /**
   * @param {number} index
   * @returns {ToldFunction}
   */
  plain(index) {
    const [first] = this.calls(index);
    const { base, after } = this.growth.functions;
    return {
      function: `${matchClass(this.graph.className(first))} ${this.graph.key(first)}`,
      name: rowName(this.graph.name(first)),
      base: base[index],
      after: after[index],
      net: this.moves.net[index],
    };
  }

  /**
   * @param {import("./ranking.js").Suspect} suspect
   * @param {number | null} part
   * @returns {ToldSuspect}
   */
  suspect({ index, callers, callees }, part) {
    const calls = this.calls(index);
    const { p, ranges } = this.chance;
    const grown = calls.filter((node) => this.growth.change[node] > 0).slice(0, MOST_CALLS);
    return {
      ...this.plain(index),
      path: framePath(this.graph, calls[0]),
      only: this.onlyIn(index),
      part,
      p: p ? p[index] : null,
      base_range: ranges[0][index] ?? null,
      after_range: ranges[1][index] ?? null,
      callers: callers.map((each) => this.plain(each)),
      callees: callees.map((each) => this.plain(each)),
      calls: grown.map((node) => ({
        path: framePath(this.graph, node),
        change: this.growth.change[node],
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
   * @returns {ToldShift}
   */
  shift({ index, risen, from, to, parts, joined }) {
    const told = this.plain(index);
    return {
      ...told,
      path: framePath(this.graph, to),
      risen,
      from,
      class: this.moves.classes[index],
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
    const { base, after } = this.growth.functions;
    if (!part || part.isOwn || base[index] > 0 || after[part.index] > 0) return null;
    const [was, is] = [base[part.index], after[index]];
    if (isGone(was, is) || isGone(is, was)) return null;
    const [name, other] = [index, part.index].map((each) =>
      this.graph.key(this.functions.calls[each][0]),
    );
    return nameLikeness(wordsOf(name), wordsOf(other)) > 0 ? { name, other } : null;
  }
}

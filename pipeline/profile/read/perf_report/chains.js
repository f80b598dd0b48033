/**
 * The call chains under the rows of a perf report, as `perf report -g folded` writes them:
 *
 *         45.19%  worker 1  mysqld             [.] compare_keys
 *     36.54% compare_keys;search_row;start_thread                with -g folded
 *     38 compare_keys;search_row;start_thread                    -g folded,0.5,callee,function,count
 *     38038038 start_thread;search_row;compare_keys              -g folded,0.5,caller,function,period
 *
 * Neither the text nor its head says which of these it is; the rows do.
 */

import { INLINED, USER } from "../../model/profile.js";
import { cleanName } from "../stacks/perf_frame.js";
import { fill, rangeOf, sum } from "./weights.js";

/**
 * @typedef {import("../stacks/perf_frame.js").Frame} Frame
 * @typedef {import("./section.js").SectionRow} SectionRow
 *
 * @typedef {object} Chain a line under a row
 * @property {"percent" | "number"} kind
 * @property {bigint} value hundredths of a percent, samples, or what the event counts
 * @property {string} stack
 *
 * @typedef {object} WeighedChain
 * @property {Frame[]} callers of the row's function, the outermost first
 * @property {bigint} weight
 */

/** perf prints the address of a frame without a symbol. */
const ADDRESS = /^(?:0|0x[0-9a-f]+|[0-9a-f]{16})$/;
const INLINED_NAME = / \(inlined\)$/;

/** The chains of a table: only its rows together show how to read them. */
export class ReportChains {
  #separator;
  #calleeFirst;
  #countsSamples;
  /** @type {Map<string, Frame | null>} by name; null where two rows contradict each other */
  #frames = new Map();

  /**
   * @param {SectionRow[]} rows
   * @param {string} separator of the frames in a chain
   * @param {number} mostSamples that the table is made of
   */
  constructor(rows, separator, mostSamples) {
    this.#separator = separator;
    for (const { name, frame } of rows) {
      if (frame === null) continue;
      const known = this.#frames.get(name);
      const isSame = known === undefined || known?.frameClass === frame.frameClass;
      this.#frames.set(name, isSame ? frame : null);
    }
    this.#calleeFirst = this.#findOrder(rows);
    const numbers = rows.flatMap(({ chains }) => chains).filter(({ kind }) => kind === "number");
    this.#countsSamples = sum(numbers.map(({ value }) => value)) <= mostSamples;
  }

  /**
   * Return what the chains of a row weigh when that is known exactly: those of
   * `-g folded,…,period`; null where it is not.
   *
   * @param {SectionRow} row
   */
  exactWeight({ chains }) {
    if (this.#countsSamples || chains.length === 0) return null;
    return chains.every(({ kind }) => kind === "number") ? sum(chains.map(weightOf)) : null;
  }

  /**
   * Return the chains of a row with weights that add up to its own, or to less where chains were
   * left out; or why they cannot be read.
   *
   * @param {SectionRow} row
   * @param {bigint} weight of the row
   * @param {bigint | null} count what 100 % are, where that is known
   * @returns {WeighedChain[] | string}
   */
  weighed(row, weight, count) {
    const weights = this.#weights(row, weight, count);
    if (typeof weights === "string") return weights;
    if (sum(weights) > weight) return "call chain of a row that weighs less than its chains";
    /** @type {WeighedChain[]} */
    const weighed = [];
    for (const [at, { stack }] of row.chains.entries()) {
      const callers = this.#callers(row.name, stack);
      if (!callers) return "call chain that neither begins nor ends with the function of its row";
      weighed.push({ callers, weight: weights[at] });
    }
    return weighed;
  }

  /**
   * @param {SectionRow} row
   * @param {bigint} weight
   * @param {bigint | null} count
   */
  #weights({ chains, cells }, weight, count) {
    if (chains.every(({ kind }) => kind === "percent")) {
      if (count === null) return "call chain in percent of an event count that is not there";
      return fill(
        chains.map(({ value }) => rangeOf(Number(value), count)),
        weight,
      );
    }
    if (chains.some(({ kind }) => kind === "percent")) return "call chain unlike the others";
    if (!this.#countsSamples) return chains.map(weightOf);
    const samples = BigInt(cells.samples || 0);
    const inChains = sum(chains.map(weightOf));
    if (inChains > samples || samples === 0n)
      return "call chain that counts samples, of a report without their column; perf report -n";
    const parts = chains.map(({ value }) => (weight * value) / samples);
    const ranges = parts.map((low) => ({ low, nearest: low, high: low + 1n }));
    return fill(ranges, (weight * inChains) / samples);
  }

  /**
   * @param {string} name of the row's function
   * @param {string} stack
   */
  #callers(name, stack) {
    const names = stack.split(this.#separator);
    if (!this.#calleeFirst) names.reverse();
    if (!isSame(names[0], name)) return null;
    return names
      .slice(1)
      .reverse()
      .map((each) => this.#frame(each));
  }

  /** @param {string} text */
  #frame(text) {
    if (ADDRESS.test(text)) return { name: "[unknown]", frameClass: USER };
    if (INLINED_NAME.test(text)) {
      return { name: cleanName(text.replace(INLINED_NAME, "")), frameClass: INLINED };
    }
    return this.#frames.get(text) ?? { name: cleanName(text) || "[unknown]", frameClass: USER };
  }

  /**
   * Return whether chains begin with the function of their row, or end with it: the first that does
   * only one of both decides it for all.
   *
   * @param {SectionRow[]} rows
   */
  #findOrder(rows) {
    for (const { name, chains } of rows) {
      for (const { stack } of chains) {
        const names = stack.split(this.#separator);
        const isFirst = isSame(names[0], name);
        if (isFirst !== isSame(names[names.length - 1], name)) return isFirst;
      }
    }
    return true;
  }
}

/** @param {Chain} chain */
function weightOf({ value }) {
  return value;
}

/**
 * @param {string} inChain
 * @param {string} ofRow
 */
function isSame(inChain, ofRow) {
  return (
    inChain.replace(INLINED_NAME, "") === ofRow.replace(INLINED_NAME, "") ||
    (ADDRESS.test(inChain) && ADDRESS.test(ofRow))
  );
}

/** @param {string} name as a row or a chain has it */
export function isAddress(name) {
  return ADDRESS.test(name);
}

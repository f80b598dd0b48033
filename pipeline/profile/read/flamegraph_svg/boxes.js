/** Recovers a call tree from the boxes of a flame graph, each drawn on top of its caller. */

import { Buffer } from "node:buffer";
import { isFunctionName } from "../../model/languages/languages.js";
import { THREAD, USER } from "../../model/profile.js";
import { CUT_OFF, DEEPEST_STACK } from "../../model/profile_builder.js";
import { ExactSums } from "../../model/weights.js";
import { plainThread, SOME_PROCESS } from "../stacks/thread_names.js";

/** The name of a frame that is not drawn although its callees are. */
const LOST = "[unknown]";

/** At most so many missing frames in a row; more are damage. */
const MOST_LOST = 4;

/** Pixels that both tools leave between rows. */
const BETWEEN_ROWS = 1;

/**
 * @typedef {object} Box
 * @property {string} name
 * @property {number | bigint} weight exact, with all that it calls
 * @property {number} left in any unit that all boxes share
 * @property {number} width
 * @property {number} y of its row
 * @property {number} height NaN where unknown
 * @property {boolean} isRoot whether it is the frame of all stacks
 * @property {number} line of the file, for messages
 */

/** The boxes of one drawing, in columns: a drawing may have hundreds of thousands. */
export class Boxes {
  /** @type {string[]} */
  #names = [];
  /** @type {Map<string, number>} */
  #numbers = new Map();
  /** @type {number[]} */
  #name = [];
  /** @type {(number | bigint)[]} */
  #weight = [];
  /** @type {number[]} */
  #left = [];
  /** @type {number[]} */
  #width = [];
  /** @type {number[]} */
  #y = [];
  /** @type {number[]} */
  #line = [];
  #root = -1;
  #rootHeight = Number.NaN;

  get size() {
    return this.#name.length;
  }

  /** Whether a box was added that represents all. */
  get hasRoot() {
    return this.#root >= 0;
  }

  /** @param {Box} box */
  add({ name, weight, left, width, y, height, isRoot, line }) {
    if (isRoot && this.#root < 0) {
      this.#root = this.size;
      this.#rootHeight = height;
    }
    this.#name.push(this.#numberOf(name));
    this.#weight.push(weight);
    this.#left.push(left);
    this.#width.push(width);
    this.#y.push(y);
    this.#line.push(line);
  }

  /** @param {string} name */
  #numberOf(name) {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    // a copy: a part of a text keeps the whole text in memory
    const own = Buffer.from(name).toString();
    this.#numbers.set(own, this.#names.length);
    return this.#names.push(own) - 1;
  }

  /**
   * Add what each box weighs by itself to a profile. A box without a caller is left out: its weight
   * is then its caller's own, wherever that is.
   *
   * @param {import("../../model/profile_builder.js").ProfileBuilder} builder
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  addTo(builder, skipped) {
    const rows = this.#rows();
    const order = this.#inOrder(rows);
    const caller = this.#callers(rows, order);
    const called = this.#calledWeights(caller);
    const nodes = this.#nodes(rows, order, caller, builder);
    for (let box = 0; box < this.size; box++) {
      const line = this.#line[box];
      if (nodes[box] < 0) {
        skipped.add("frame without a caller: its weight is counted with its callers", line);
        continue;
      }
      if (caller[box] >= 0 && rows[box] - rows[caller[box]] > 1)
        skipped.add(`caller that is not drawn: shown as ${LOST}`, line);
      if (rows[box] >= DEEPEST_STACK)
        skipped.add(`frame of a stack deeper than ${DEEPEST_STACK}`, line);
      const self = difference(this.#weight[box], called.get(box));
      if (self >= 0) builder.add(nodes[box], self, 0);
      else skipped.add("frame that weighs less than what it calls: its own weight", line);
    }
  }

  /**
   * Return the row of each box: 0 is the root's, 1 that of its callees; what is drawn on the other
   * side of the root is in no row, -1. Icicles hang: then y grows from the root on.
   */
  #rows() {
    const rootY = this.#y[this.#root];
    const hangs = this.#y.every((y) => y >= rootY);
    const depths = this.#y.map((y) => (hangs ? y - rootY : rootY - y));
    const distinct = [...new Set(depths)].filter((depth) => depth >= 0).sort((a, b) => a - b);
    const rowOfDepth = rowsAt(distinct, this.#rootHeight + BETWEEN_ROWS);
    return Int32Array.from(depths, (depth) => rowOfDepth.get(depth) ?? -1);
  }

  /**
   * Return the boxes from row to row and from left to right. Boxes at one place, which only a
   * damaged drawing has, are in an order of their own, whatever that of the file.
   *
   * @param {Int32Array} rows
   */
  #inOrder(rows) {
    return Uint32Array.from(rows, (_, box) => box).sort(
      (a, b) =>
        rows[a] - rows[b] ||
        this.#left[a] - this.#left[b] ||
        this.#width[a] - this.#width[b] ||
        Number(difference(this.#weight[a], this.#weight[b])) ||
        (this.#names[this.#name[a]] < this.#names[this.#name[b]] ? -1 : 1),
    );
  }

  /**
   * Return the caller of each box: the box of the row before that contains the middle of it; -1
   * where there is none. flamegraph.pl loses frames of differentials, one or two in a stack; the
   * box is then on a row before that.
   *
   * @param {Int32Array} rows
   * @param {Uint32Array} order
   */
  #callers(rows, order) {
    const caller = new Int32Array(this.size).fill(-1);
    const starts = rowStarts(rows, order);
    for (const box of order) {
      const middle = this.#left[box] + this.#width[box] / 2;
      const lowest = Math.max(0, rows[box] - 1 - MOST_LOST);
      for (let row = rows[box] - 1; row >= lowest && caller[box] < 0; row--) {
        caller[box] = this.#boxAt(middle, order.subarray(starts[row], starts[row + 1]));
      }
    }
    return caller;
  }

  /**
   * Return the box that contains a point; -1 if there is none.
   *
   * @param {number} point
   * @param {Uint32Array} boxes of a row, from left to right
   */
  #boxAt(point, boxes) {
    let [low, high] = [0, boxes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#left[boxes[middle]] <= point) low = middle + 1;
      else high = middle;
    }
    const box = low > 0 ? boxes[low - 1] : -1;
    return box >= 0 && point <= this.#left[box] + this.#width[box] ? box : -1;
  }

  /** @param {Int32Array} caller */
  #calledWeights(caller) {
    const sums = new ExactSums();
    for (let box = 0; box < this.size; box++) sums.append();
    caller.forEach((above, box) => {
      if (above >= 0) sums.add(above, this.#weight[box]);
    });
    return sums;
  }

  /**
   * Return the profile's node of each box; -1 where it is not above the root.
   *
   * @param {Int32Array} rows
   * @param {Uint32Array} order callers before what they call
   * @param {Int32Array} caller
   * @param {import("../../model/profile_builder.js").ProfileBuilder} builder
   */
  #nodes(rows, order, caller, builder) {
    const nodes = new Int32Array(this.size).fill(-1);
    nodes[this.#root] = 0;
    const hasThreads = !order.some(
      (box) => rows[box] === 1 && isFunctionName(this.#names[this.#name[box]]),
    );
    /** @type {(below: number, row: number, name: string) => number} */
    const child = (below, row, name) => {
      if (row > DEEPEST_STACK) return below;
      if (row === 1 && hasThreads) {
        return builder.child(below, builder.frame(plainThread(name), THREAD));
      }
      const shown = row === DEEPEST_STACK ? CUT_OFF : name;
      const above = row > 1 ? below : builder.child(below, builder.frame(SOME_PROCESS, THREAD));
      return builder.child(above, builder.frame(shown, USER));
    };
    for (const box of order) {
      let below = caller[box] < 0 ? -1 : nodes[caller[box]];
      if (below < 0) continue;
      const row = rows[box];
      for (let lost = rows[caller[box]] + 1; lost < row; lost++) below = child(below, lost, LOST);
      nodes[box] = child(below, row, this.#names[this.#name[box]]);
    }
    return nodes;
  }
}

/**
 * Return the row at each depth. The least distance of two is that of two rows, or of several where
 * all boxes of a row are lost.
 *
 * @param {number[]} depths distinct, in order, the first 0
 * @param {number} pitch about the distance of two rows
 */
function rowsAt(depths, pitch) {
  const steps = depths.slice(1).map((depth, at) => depth - depths[at]);
  const least = steps.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const exact = least / Math.max(1, Math.round(least / pitch) || 1);
  let row = 0;
  const rows = new Map([[0, 0]]);
  steps.forEach((step, at) => {
    row += Math.min(Math.max(1, Math.round(step / exact)), MOST_LOST + 2);
    rows.set(depths[at + 1], row);
  });
  return rows;
}

/**
 * Return where each row starts, and after the last one where that ends.
 *
 * @param {Int32Array} rows
 * @param {Uint32Array} order from row to row
 */
function rowStarts(rows, order) {
  const starts = new Uint32Array(rows[order[order.length - 1]] + 2);
  let row = 0;
  for (let at = 0; at < order.length; at++) while (row <= rows[order[at]]) starts[row++] = at;
  starts[row] = order.length;
  return starts;
}

/**
 * @param {number | bigint} a
 * @param {number | bigint} b
 */
function difference(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : BigInt(a) - BigInt(b);
}

/**
 * Sums of waits: rows of the tables `events_waits_summary_…`, which count from the start of the
 * server on. Where a capture holds several such tables, one taken after the other, the waits
 * between the first and the last are what the last counts more.
 */

import { isWeight, RowsLeftOut } from "./wait_columns.js";

/** @typedef {import("./wait_history.js").Waits} Waits */

/**
 * What the tables say of one instrument, or of one thread, host or object of it.
 *
 * @typedef {object} Counter
 * @property {Pick<Waits, "name" | "thread" | "frames" | "line">} of
 * @property {Reading} first of the first table; zero where that lacks it
 * @property {Reading} before of the table before the last that has it
 * @property {Reading} last of the last table that has it
 * @property {number} table which one that is
 * @property {boolean} wentDown
 *
 * @typedef {{ weight: bigint, count: number }} Reading
 */

/** @type {Readonly<Reading>} */
const ZERO = { weight: 0n, count: 0 };

/** By instance and thread there are many, but not as many. */
const MOST_COUNTERS = 2 ** 20;

/** A sum over waits, and not what it is a sum of, as host, thread and object are. */
const IS_SUM = /^(?:count|sum|min|avg|max)_/;

export class WaitSummary {
  #columns;
  #skipped;
  #table = 0;
  /** @type {Map<string, Counter>} */
  #counters = new Map();
  #leftOut = new RowsLeftOut();

  /**
   * @param {import("./wait_columns.js").WaitColumns} columns
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  constructor(columns, skipped) {
    this.#columns = columns;
    this.#skipped = skipped;
  }

  /** Sums do not show which waits were within others. */
  get showsNesting() {
    return false;
  }

  /** Begin with the next table of the same columns. */
  nextTable() {
    this.#table++;
  }

  /**
   * @param {string[]} values
   * @param {number} line
   */
  take(values, line) {
    const weight = this.#columns.value(values, "sum_timer_wait");
    const count = this.#columns.value(values, "count_star");
    if (!isWeight(weight)) {
      this.#skipped.add("row whose SUM_TIMER_WAIT is no number", line);
    } else if (this.#columns.has("count_star") && !/^\d{1,15}$/.test(count)) {
      this.#skipped.add("row whose COUNT_STAR is no number", line);
    } else {
      this.#add(values, line, { weight: BigInt(weight), count: Number(count) });
    }
  }

  /** Return why the sums give shares only, if they do. */
  sharesOnly() {
    if (this.#table === 0) return "one snapshot: it counts all waits since the server started";
    const down = [...this.#counters.values()].some(wentDown);
    return down ? "the server was restarted, or a table emptied, between two snapshots" : undefined;
  }

  /** Return what was waited between the first table and the last; all, where there is only one. */
  *waits() {
    this.#leftOut.report(this.#skipped, this.#table);
    for (const counter of this.#counters.values()) {
      const { of, first, last, table } = counter;
      if (table < this.#table) {
        this.#skipped.add("row that the last table lacks: its thread or object is gone", of.line);
      } else if (wentDown(counter)) {
        this.#skipped.add("row whose sum went down from one table to a later one", of.line);
      } else {
        const from = this.#table === 0 ? ZERO : first;
        const weight = last.weight - from.weight;
        const count = last.count - from.count;
        if (weight > 0n || count === 0) yield { ...of, weight, count };
        else this.#skipped.add("wait that was not timed", of.line, count);
      }
    }
  }

  /**
   * @param {string[]} values
   * @param {number} line
   * @param {Reading} reading
   */
  #add(values, line, reading) {
    const counter = this.#counter(values, line);
    if (!counter) {
      this.#leftOut.add(line, reading.weight, this.#table);
      return;
    }
    if (counter.table < this.#table) {
      counter.wentDown = wentDown(counter);
      counter.table = this.#table;
      counter.before = counter.last;
      counter.last = ZERO;
    }
    counter.last = sum(counter.last, reading);
    if (this.#table === 0) counter.first = counter.last;
  }

  /**
   * @param {string[]} values
   * @param {number} line
   */
  #counter(values, line) {
    const named = values.filter((_, place) => !IS_SUM.test(this.#columns.names[place]));
    const key = JSON.stringify(named);
    let counter = this.#counters.get(key);
    const stack = counter ? -1 : this.#columns.stackNumber(values);
    if (stack >= 0 && this.#counters.size < MOST_COUNTERS) {
      const [first, before, last] = [ZERO, ZERO, ZERO];
      const of = { ...this.#columns.stack(stack), line };
      counter = { of, first, before, last, table: this.#table, wentDown: false };
      this.#counters.set(key, counter);
    }
    return counter;
  }
}

/** @param {Counter} counter */
function wentDown({ before, last, wentDown: earlier }) {
  return earlier || last.weight < before.weight || last.count < before.count;
}

/**
 * @param {Reading} a
 * @param {Reading} b
 */
function sum(a, b) {
  return { weight: a.weight + b.weight, count: a.count + b.count };
}

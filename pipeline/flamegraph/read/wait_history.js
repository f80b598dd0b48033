/**
 * Single waits: rows of `events_waits_history_long`. Where the columns `THREAD_ID`, `EVENT_ID` and
 * `NESTING_EVENT_ID` are there, they tell which wait happened within which, and a wait weighs what
 * it took less the waits within it; so no picosecond counts twice.
 */

import { grouped } from "../numbers.js";
import { ExactSums } from "../weights.js";
import { isWeight } from "./wait_columns.js";

/**
 * Waits that are alike, or one of them.
 *
 * @typedef {object} Waits
 * @property {string} name of the instrument: `wait/io/file/innodb/innodb_data_file`
 * @property {string} thread empty where it is not told
 * @property {string[]} frames below it, the outermost first
 * @property {bigint} weight picoseconds
 * @property {number} count
 * @property {number} line
 */

/** The most that the server keeps: the maximum of performance_schema_events_waits_history_long_size. */
export const MOST_ROWS = 2 ** 20;

/** A wait stands within two others at most; more is no server's, and may be a circle. */
const MOST_LEVELS = 16;

/** What servers choose for the size where nobody states it: the larger they are, the more. */
const USUAL_SIZES = [100, 1000, 10_000];

/** Of a full table, a row or two are left out because they are being written. */
const FULL = 0.99;

export class WaitHistory {
  #columns;
  #skipped;
  #rows = 0;
  /** @type {Waits[]} */
  #waits = [];
  /** @type {string[]} thread and number of each wait, where the columns tell them */
  #ids = [];
  /** @type {string[]} the same of the wait around it; empty where there is none */
  #outerIds = [];

  /**
   * @param {import("./wait_columns.js").WaitColumns} columns
   * @param {import("./skipped.js").SkippedCounts} skipped
   */
  constructor(columns, skipped) {
    this.#columns = columns;
    this.#skipped = skipped;
  }

  /** Whether the columns tell which waits are within others. */
  get tellsNesting() {
    return ["thread_id", "event_id", "nesting_event_id"].every((name) => this.#columns.has(name));
  }

  /**
   * @param {string[]} values
   * @param {number} line
   */
  take(values, line) {
    this.#rows++;
    const weight = this.#columns.value(values, "timer_wait");
    if (weight === "NULL") {
      this.#skipped.add("wait that was not timed", line);
    } else if (!isWeight(weight)) {
      this.#skipped.add("row whose TIMER_WAIT is no number", line);
    } else if (this.#waits.length === MOST_ROWS) {
      this.#skipped.add(`row beyond ${MOST_ROWS}, the most that the server keeps`, line);
    } else {
      const stack = this.#columns.stack(values);
      this.#waits.push({ ...stack, weight: BigInt(weight), count: 1, line });
      if (this.tellsNesting) this.#takeIds(values);
    }
  }

  /** @param {string[]} values */
  #takeIds(values) {
    const [thread, event, around] = ["thread_id", "event_id", "nesting_event_id"].map((name) =>
      this.#columns.value(values, name),
    );
    this.#ids.push(`${thread} ${event}`);
    this.#outerIds.push(around === "NULL" ? "" : `${thread} ${around}`);
  }

  /**
   * Return why the rows tell shares only, if they do.
   *
   * @param {number | null} size of the table in the server, where the capture tells
   */
  sharesOnly(size) {
    const sizes = size === null ? USUAL_SIZES : [size];
    const isFull = (/** @type {number} */ each) => this.#rows >= FULL * each;
    const isOneOf = sizes.some((each) => isFull(each) && this.#rows <= each);
    if (!isOneOf && !isFull(Math.max(...sizes))) return undefined;
    const rows = grouped(this.#rows, 0);
    return `events_waits_history_long was full: its ${rows} rows are the last waits, not all`;
  }

  /** Return the waits, each with the frames of those around it and without what those within took. */
  *waits() {
    const outer = this.#outerRows();
    const within = new ExactSums();
    for (const _ of this.#waits) within.append();
    for (const [row, around] of outer.entries()) {
      if (around >= 0) within.add(around, this.#waits[row].weight);
    }
    for (const [row, wait] of this.#waits.entries()) {
      const frames = this.#chain(row, outer).flatMap((each) => this.#waits[each].frames);
      yield { ...wait, frames, weight: this.#selfWeight(wait, within.exact(row)) };
    }
  }

  /**
   * @param {Waits} wait
   * @param {bigint} within
   */
  #selfWeight({ weight, line }, within) {
    const self = weight - within;
    if (self >= 0n) return self;
    this.#skipped.add("wait shorter than the waits within it: taken as long as they are", line);
    return 0n;
  }

  /** Return the row of the wait around each; -1 where there is none. */
  #outerRows() {
    const wanted = new Set(this.#outerIds);
    wanted.delete("");
    /** @type {Map<string, number>} */
    const rows = new Map();
    for (const [row, id] of this.#ids.entries()) if (wanted.has(id)) rows.set(id, row);
    return this.#waits.map((_, row) => rows.get(this.#outerIds[row] ?? "") ?? -1);
  }

  /**
   * Return a wait and those around it, the outermost first.
   *
   * @param {number} row
   * @param {number[]} outer
   */
  #chain(row, outer) {
    const chain = [];
    for (let at = row; at >= 0; at = outer[at]) {
      if (chain.push(at) <= MOST_LEVELS) continue;
      const reason = `wait within more than ${MOST_LEVELS} others: taken by itself`;
      this.#skipped.add(reason, this.#waits[row].line);
      return [row];
    }
    return chain.reverse();
  }
}

/**
 * Single waits: rows of `events_waits_history_long`. Where the columns `THREAD_ID`, `EVENT_ID` and
 * `NESTING_EVENT_ID` are there, they show which wait happened within which, and a wait weighs what
 * it took less the waits within it; so no picosecond counts twice.
 */

import { grouped } from "../../model/numbers.js";
import { ExactSums, numberOf } from "../../model/weights.js";
import { isWeight, RowsLeftOut } from "./wait_columns.js";

/**
 * The waits of one stack, or a single wait.
 *
 * @typedef {object} Waits
 * @property {string} name of the instrument: `wait/io/file/innodb/innodb_data_file`
 * @property {string} thread empty where unknown
 * @property {string[]} frames below it, the outermost first
 * @property {bigint} weight picoseconds
 * @property {number} count
 * @property {number} line
 */

/** The most that the server keeps: the maximum of performance_schema_events_waits_history_long_size. */
const MOST_ROWS = 2 ** 20;

/** A wait is within two others at most; more is not a server's, and may be a circle. */
const MOST_LEVELS = 16;

/** What servers choose for the size where nobody states it: the larger they are, the more. */
const USUAL_SIZES = [100, 1000, 10_000];

/** Of a full table, a row or two are left out because they are being written. */
const FULL = 0.99;

export class WaitHistory {
  #columns;
  #skipped;
  #rows = 0;
  // one a wait
  #leftOut = new RowsLeftOut();
  /** @type {number[]} of those of the columns */
  #stacks = [];
  /** @type {(number | bigint)[]} */
  #weights = [];
  /** @type {number[]} */
  #lines = [];
  // the same, where known
  /** @type {number[]} in the order in which threads come */
  #threads = [];
  /** @type {number[]} */
  #events = [];
  /** @type {number[]} the event of the same thread around it; -1 where there is none */
  #around = [];
  /** @type {Map<string, number>} */
  #threadNumbers = new Map();

  /**
   * @param {import("./wait_columns.js").WaitColumns} columns
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  constructor(columns, skipped) {
    this.#columns = columns;
    this.#skipped = skipped;
  }

  /** Whether the columns show which waits are within others. */
  get showsNesting() {
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
    } else if (this.#stacks.length === MOST_ROWS) {
      this.#skipped.add(`row beyond ${MOST_ROWS}, the most that the server keeps`, line);
    } else {
      this.#add(values, weight, line);
    }
  }

  /**
   * @param {string[]} values
   * @param {string} weight
   * @param {number} line
   */
  #add(values, weight, line) {
    const stack = this.#columns.stackNumber(values);
    if (stack < 0) {
      this.#leftOut.add(line, BigInt(weight));
      return;
    }
    this.#stacks.push(stack);
    this.#weights.push(numberOf(weight));
    this.#lines.push(line);
    if (this.showsNesting) this.#takeIds(values);
  }

  /** @param {string[]} values */
  #takeIds(values) {
    const thread = this.#columns.value(values, "thread_id");
    const number = this.#threadNumbers.get(thread) ?? this.#threadNumbers.size;
    this.#threadNumbers.set(thread, number);
    this.#threads.push(number);
    this.#events.push(Number(this.#columns.value(values, "event_id")));
    const around = this.#columns.value(values, "nesting_event_id");
    this.#around.push(isWeight(around) ? Number(around) : -1);
  }

  /**
   * Return why the rows give shares only, if they do.
   *
   * @param {number | null} size of the table in the server, where known
   */
  sharesOnly(size) {
    const sizes = size === null ? USUAL_SIZES : [size];
    const isFull = (/** @type {number} */ each) => this.#rows >= FULL * each;
    const isOneOf = sizes.some((each) => isFull(each) && this.#rows <= each);
    if (!isOneOf && !isFull(Math.max(...sizes))) return undefined;
    const rows = grouped(this.#rows, 0);
    return `events_waits_history_long was full: its ${rows} rows are the last waits, not all`;
  }

  /** Return the waits with the frames of those around them, and without what those within took. */
  waits() {
    this.#leftOut.report(this.#skipped);
    const outer = this.#outerRows();
    const within = new ExactSums();
    for (const _ of this.#stacks) within.append();
    for (const [row, around] of outer.entries()) {
      if (around >= 0) within.add(around, this.#weights[row]);
    }
    /** @type {Map<string, Waits>} by the stacks of a wait and those around it */
    const groups = new Map();
    for (const row of this.#stacks.keys()) {
      const stacks = this.#chain(row, outer).map((each) => this.#stacks[each]);
      this.#addTo(groups, stacks, this.#selfWeight(row, within.exact(row)), this.#lines[row]);
    }
    return groups.values();
  }

  /**
   * @param {Map<string, Waits>} groups
   * @param {number[]} stacks the outermost first
   * @param {bigint} weight
   * @param {number} line
   */
  #addTo(groups, stacks, weight, line) {
    const key = stacks.join();
    const group = groups.get(key);
    if (group) {
      group.weight += weight;
      group.count++;
      return;
    }
    const chain = stacks.map((stack) => this.#columns.stack(stack));
    const frames = chain.length === 1 ? chain[0].frames : chain.flatMap((each) => each.frames);
    const { name, thread } = chain[chain.length - 1];
    groups.set(key, { name, thread, frames, weight, count: 1, line });
  }

  /**
   * @param {number} row
   * @param {bigint} within what the waits within it took
   */
  #selfWeight(row, within) {
    const self = BigInt(this.#weights[row]) - within;
    if (self >= 0n) return self;
    const reason = "wait shorter than the waits within it: taken as long as they are";
    this.#skipped.add(reason, this.#lines[row]);
    return 0n;
  }

  /** Return the row of the wait around each; -1 where there is none. */
  #outerRows() {
    /** @type {Map<number, number>[]} by thread, the rows of the events that are around others */
    const rows = Array.from(this.#threadNumbers, () => new Map());
    for (const [row, around] of this.#around.entries()) {
      if (around >= 0) rows[this.#threads[row]].set(around, -1);
    }
    for (const [row, event] of this.#events.entries()) {
      const ofThread = rows[this.#threads[row]];
      if (ofThread.has(event)) ofThread.set(event, row);
    }
    return this.#stacks.map((_, row) => rows[this.#threads[row]]?.get(this.#around[row]) ?? -1);
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
      this.#skipped.add(reason, this.#lines[row]);
      return [row];
    }
    return chain.reverse();
  }
}

/** The columns of a table of waits: the values and the stack of each row. */

import { formatWeight } from "../../model/numbers.js";
import { framesOf, threadFrame } from "./wait_name.js";

/**
 * Whether a value is a whole number as the server's columns hold them: `bigint unsigned`.
 *
 * @param {string} value
 */
export function isWeight(value) {
  return /^\d{1,20}$/.test(value);
}

/** A server has some thousand instruments, and may have as many files and tables. */
const MOST_STACKS = 2 ** 18;

/** Counts the rows beyond MOST_STACKS, and their weight in each table of a capture. */
export class RowsLeftOut {
  #count = 0;
  #line = 0;
  /** @type {bigint[]} by table */
  #weights = [];

  /**
   * @param {number} line
   * @param {bigint} weight
   * @param {number} [table]
   */
  add(line, weight, table = 0) {
    if (this.#count++ === 0) this.#line = line;
    this.#weights[table] = (this.#weights[table] ?? 0n) + weight;
  }

  /**
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   * @param {number} [table] the last one, of which the sums of the first are subtracted
   */
  report(skipped, table = 0) {
    if (this.#count === 0) return;
    const weight = (this.#weights[table] ?? 0n) - (table > 0 ? (this.#weights[0] ?? 0n) : 0n);
    const weighing = formatWeight(Number(weight > 0n ? weight : 0n), "ps");
    const reason = `row beyond ${MOST_STACKS} names, files and tables (${weighing})`;
    skipped.add(reason, this.#line, this.#count);
  }
}

/**
 * @typedef {object} WaitStack
 * @property {string} name of the instrument: `wait/io/file/innodb/innodb_data_file`
 * @property {string} thread empty where unknown
 * @property {string[]} frames below it, the outermost first
 */

export class WaitColumns {
  /** @type {Map<string, number>} */
  #places;
  /** @type {WaitStack[]} */
  #stacks = [];
  /** @type {Map<string, number>} by the values of its columns */
  #stackNumbers = new Map();

  /** @param {string[]} names as the client prints them: `EVENT_NAME` or `event_name` */
  constructor(names) {
    this.names = names.map((name) => name.toLowerCase());
    this.#places = new Map(this.names.map((name, place) => [name, place]));
  }

  /** @param {string} name */
  has(name) {
    return this.#places.has(name);
  }

  /**
   * @param {string[]} values of a row
   * @param {string} name
   */
  value(values, name) {
    return values[this.#places.get(name) ?? -1] ?? "";
  }

  /**
   * Return the number of a row's stack; -1 where there are too many.
   *
   * @param {string[]} values
   */
  stackNumber(values) {
    const name = this.value(values, "event_name");
    const operation = this.value(values, "operation");
    const schema = this.value(values, "object_schema");
    const object = this.value(values, "object_name") || this.value(values, "file_name");
    const column = ["thread_name", "name"].find((each) => this.has(each));
    const thread = column ? threadFrame(this.value(values, column)) : "";
    const key = [name, operation, schema, object, thread].join("\t");
    let number = this.#stackNumbers.get(key);
    if (number === undefined) {
      if (this.#stacks.length === MOST_STACKS) return -1;
      const frames = framesOf(name, { operation, schema, object });
      number = this.#stacks.push({ name, thread, frames }) - 1;
      this.#stackNumbers.set(key, number);
    }
    return number;
  }

  /** @param {number} number */
  stack(number) {
    return this.#stacks[number];
  }
}

/**
 * Cuts what the mysql client prints into rows of values, whichever way it prints a table:
 *
 *     event_name<tab>timer_wait              mysql -e, mysql < FILE
 *     idle<tab>812000000
 *
 *     +------------+------------+            mysql -t, and when it talks to a terminal
 *     | event_name | timer_wait |
 *     +------------+------------+
 *     | idle       |  812000000 |
 *     +------------+------------+
 *     1 row in set (0.00 sec)
 *
 *     *************************** 1. row ***************************     mysql -E, and \G
 *     event_name: idle
 *     timer_wait: 812000000
 *
 * A table's names of columns come as its first row; with `mysql -N` there are none.
 */

import { ENDS_TOO_EARLY } from "../stacks/skipped.js";

/** @typedef {(values: string[], line: number) => void} TakeRow */

/** `*************************** 1. row ***************************` */
const ROW_NUMBER = /^\*{3,} (\d+)\. row \*{3,}$/;

/** `    EVENT_NAME: wait/synch/mutex/sql/LOCK_plugin` */
const NAMED_VALUE = /^ *(\w+): ?(.*)$/s;

/** Borders, and what the client says besides tables; prompts where a terminal was recorded. */
const IS_NO_ROW = [
  /^\+[-+]+\+$/,
  /^\d+ rows? in set\b/,
  /^Empty set\b/,
  /^(?:mysql|mariadb): \[Warning\]/,
  /^(?:mysql> |MariaDB \[| {4}-> )/,
];

/** No table of the server has as many columns. */
const MOST_COLUMNS = 256;

export class TableText {
  #take;
  #skipped;
  /** @type {{ names: string[], values: string[], line: number, isFirst: boolean } | null} */
  #open = null;
  #lastNames = "";

  /**
   * @param {TakeRow} take
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  constructor(take, skipped) {
    this.#take = take;
    this.#skipped = skipped;
  }

  /**
   * @param {string} text without its end
   * @param {number} line
   */
  takeLine(text, line) {
    if (this.#namedValue(text)) return;
    this.#endRow();
    const number = ROW_NUMBER.exec(text)?.[1];
    if (number !== undefined) {
      this.#open = { names: [], values: [], line, isFirst: number === "1" };
    } else if (text.startsWith("| ") && text.endsWith(" |")) {
      const values = text.slice(2, -2).split(" | ", MOST_COLUMNS);
      this.#take(
        values.map((value) => value.trim()),
        line,
      );
    } else if (text.includes("\t")) {
      this.#take(text.split("\t", MOST_COLUMNS), line);
    } else if (text.trim() !== "" && !IS_NO_ROW.some((any) => any.test(text))) {
      this.#skipped.add("line that is no row of a table", line);
    }
  }

  /** Whether the last line was one of a row that has a line for each value: more may follow. */
  get isInRow() {
    return this.#open !== null;
  }

  /** @param {boolean} partial whether the text ends too early: then its last row is not whole */
  finish(partial) {
    if (partial && this.#open) {
      this.#skipped.add(`row ${ENDS_TOO_EARLY}`, this.#open.line);
      this.#open = null;
    }
    this.#endRow();
  }

  /** @param {string} text */
  #namedValue(text) {
    const found = NAMED_VALUE.exec(text);
    if (!this.#open || !found || this.#open.names.length >= MOST_COLUMNS) return false;
    this.#open.names.push(found[1]);
    this.#open.values.push(found[2]);
    return true;
  }

  #endRow() {
    if (!this.#open) return;
    const { names, values, line, isFirst } = this.#open;
    this.#open = null;
    if (isFirst || names.join() !== this.#lastNames) this.#take(names, line);
    this.#lastNames = names.join();
    this.#take(values, line);
  }
}

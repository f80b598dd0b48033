/**
 * Reads waits of MySQL's and MariaDB's performance_schema, as the mysql client prints them:
 *
 *     event_name                              timer_wait
 *     wait/io/file/innodb/innodb_data_file    812345680
 *
 * `/` separates the frames. Rows are single waits (wait_history.js) or sums of waits
 * (wait_summary.js); their weight is in picoseconds, whatever timer the server uses.
 */

import { BAD_NAME, SkippedCounts } from "../skipped.js";
import { TextLines } from "../text_lines.js";
import { TableText } from "./mysql_table.js";
import { isWeight, WaitColumns } from "./wait_columns.js";
import { eventOf } from "./wait_event.js";
import { WaitHistory } from "./wait_history.js";
import { isWait } from "./wait_name.js";
import { WaitSummary } from "./wait_summary.js";

/** @typedef {import("../formats.js").CaptureReader} CaptureReader */

export const FORMAT = "performance-schema";

/** What `SHOW VARIABLES` prints may stand before the waits: they are some thousand. */
const LINES_TO_SEE = 2000;

/** `+-----+` and `2 rows in set (0.00 sec)` */
const IS_BELOW_BOX = /^\+|^\d+ rows? in set/;

/** `SHOW VARIABLES LIKE '…'` beside single waits tells whether their table was full. */
const SIZE = "performance_schema_events_waits_history_long_size";

/** @type {import("../formats.js").Recognise} */
export function recognise({ lines }) {
  let isFound = false;
  const text = new TableText((values) => {
    isFound ||= isHeader(values) || isHeadless(values);
  }, new SkippedCounts());
  for (const line of lines.slice(0, LINES_TO_SEE)) text.takeLine(line, 1);
  text.finish(false);
  if (isFound) return "yes";
  return lines.length < LINES_TO_SEE ? "more" : "no";
}

/** @param {string[]} values */
function isHeader(values) {
  const names = values.map((name) => name.toLowerCase());
  return names.includes("event_name") && names.some((name) => /^(?:sum_)?timer_wait$/.test(name));
}

/**
 * Whether values are those of a wait, in a table without a header: `mysql -N`.
 *
 * @param {string[]} values
 */
function isHeadless(values) {
  const [name, weight] = values;
  return values.length === 2 && isWait(name) && (isWeight(weight) || weight === "NULL");
}

/** @implements {CaptureReader} */
export class Reader {
  #skipped = new SkippedCounts();
  #lines = new TextLines((line) => this.#takeLine(line), this.#skipped);
  #text = new TableText((values, line) => this.#row(values, line), this.#skipped);
  /** @type {number | null} of the table of single waits in the server */
  #size = null;
  /** @type {WaitColumns | null} */
  #columns = null;
  /** @type {WaitHistory | WaitSummary | null} */
  #table = null;
  #hasHeader = false;
  /** Whether the rows that come now are of that table. */
  #inTable = true;

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#lines.push(chunk);
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last row is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it counts if it has all values
   * @returns {import("../formats.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && this.#isPartOfRow(this.#lines.unfinished);
    this.#lines.finish(partial || cutOff);
    this.#text.finish(partial || cutOff);
    const sharesOnly = this.#sharesOnly();
    const events = this.#table ? [eventOf(this.#table, this.#tellsCounts(), this.#skipped)] : [];
    return { events, lost: 0, partial: false, cutOff, sharesOnly, skipped: this.#skipped.list() };
  }

  /** @param {string} line the last one */
  #isPartOfRow(line) {
    if (this.#text.isInRow) return true;
    if (line.startsWith("|")) return !line.trimEnd().endsWith("|");
    const values = line.split("\t").length;
    return (
      this.#columns !== null && !IS_BELOW_BOX.test(line) && values < this.#columns.names.length
    );
  }

  /** @param {string | null} text */
  #takeLine(text) {
    if (text === null) return;
    if (text.includes("\ufffd")) this.#skipped.add(BAD_NAME, this.#lines.number);
    this.#text.takeLine(text, this.#lines.number);
  }

  /**
   * @param {string[]} values
   * @param {number} line
   */
  #row(values, line) {
    if (isHeader(values)) this.#header(values);
    else if (values[0] === SIZE) this.#size = isWeight(values[1]) ? Number(values[1]) : null;
    else if (values[0] !== "Variable_name") this.#wait(values, line);
  }

  /** @param {string[]} names */
  #header(names) {
    const columns = new WaitColumns(names);
    if (!this.#columns) {
      this.#columns = columns;
      this.#hasHeader = true;
      const Table = columns.has("timer_wait") ? WaitHistory : WaitSummary;
      this.#table = new Table(columns, this.#skipped);
      return;
    }
    const isSame = columns.names.join() === this.#columns.names.join();
    this.#inTable = false;
    if (isSame && this.#table instanceof WaitSummary) {
      this.#table.nextTable();
      this.#inTable = true;
    }
  }

  /**
   * @param {string[]} values
   * @param {number} line
   */
  #wait(values, line) {
    if (!this.#columns && isHeadless(values)) {
      this.#columns = new WaitColumns(["event_name", "timer_wait"]);
      this.#table = new WaitHistory(this.#columns, this.#skipped);
    }
    if (!this.#columns || !this.#table || !this.#inTable) {
      this.#skipped.add("row of another table than the first one of waits", line);
    } else if (values.length !== this.#columns.names.length) {
      this.#skipped.add("row with more or fewer values than the table has columns", line);
    } else if (!isWait(this.#columns.value(values, "event_name"))) {
      this.#skipped.add("row that is of no wait", line);
    } else {
      this.#table.take(values, line);
    }
  }

  #tellsCounts() {
    if (this.#table instanceof WaitHistory) return this.#hasHeader;
    return this.#columns?.has("count_star") ?? false;
  }

  #sharesOnly() {
    if (this.#table && !this.#hasHeader) {
      return "no line with the names of columns tells whether these are single waits or sums";
    }
    return this.#table?.sharesOnly(this.#size);
  }
}

/**
 * Reads waits of MySQL's and MariaDB's performance_schema, as the mysql client prints them:
 *
 *     event_name                              timer_wait
 *     wait/io/file/innodb/innodb_data_file    812345680
 *
 * or as `awk` makes folded stacks of that: `wait;io;file;innodb;innodb_data_file 812345680`.
 *
 * `/` separates the frames. Rows are single waits (wait_history.js) or sums of waits
 * (wait_summary.js); their weight is in picoseconds, whatever timer the server uses.
 */

import { formatWeight } from "../../model/numbers.js";
import { THREAD, USER } from "../../model/profile.js";
import { ProfileBuilder } from "../../model/profile_builder.js";
import { TextReader } from "../stacks/line_reader.js";
import { BAD_NAME, BY_RULE, SkippedCounts } from "../stacks/skipped.js";
import { TableText } from "./mysql_table.js";
import { isWeight, WaitColumns } from "./wait_columns.js";
import { WaitHistory } from "./wait_history.js";
import { isIdle, isWait, MOLECULES } from "./wait_name.js";
import { WaitSummary } from "./wait_summary.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "performance-schema";

/** What `SHOW VARIABLES` prints may be before the waits: they are some thousand. */
const LINES_TO_SEE = 2000;

/** `+-----+` and `2 rows in set (0.00 sec)` */
const IS_BELOW_BOX = /^\+|^\d+ rows? in set/;

/** `SHOW VARIABLES LIKE '…'` beside single waits shows whether their table was full. */
const SIZE = "performance_schema_events_waits_history_long_size";

/** `awk '{ printf("%s %d\n", $1, $2) }' | sed 's/\//;/g'`, of a table whose header counts as 0, or without */
const FOLDED_ROW = /^(event_name|idle|wait;(?:io|synch|lock)(?:;[^\s;]+){3}) (\d{1,20})$/i;
/** What `%d` of mawk, the awk of Debian and Ubuntu, makes of all larger numbers. */
const MOST_OF_MAWK = String(2 ** 31 - 1);
const CUT_BY_AWK =
  "wait that awk cut to 2.1 ms, the most that its %d prints: extract waits with print $1, $2";

/**
 * @param {string} line
 * @returns {string[] | null} the values of a row; null of any other line
 */
function foldedRow(line) {
  const [, name, weight] = FOLDED_ROW.exec(line) ?? [];
  if (name === undefined) return null;
  if (name.toLowerCase() === "event_name") return ["event_name", "timer_wait"];
  return [name.replaceAll(";", "/"), weight];
}

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  if (/^event_name 0$/i.test(lines[0] ?? "")) return lines.length > 1 ? "yes" : "more";
  const seen = lines.slice(0, LINES_TO_SEE);
  const filled = seen.filter((line) => line !== "");
  if (filled.length > 0 && filled.every((line) => foldedRow(line))) return "yes";
  let isFound = false;
  const text = new TableText((values) => {
    isFound ||= isHeader(values) || isHeadless(values);
  }, new SkippedCounts());
  for (const line of seen) text.takeLine(line, 1);
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
export class Reader extends TextReader {
  #text = new TableText((values, line) => this.#row(values, line), this.skipped);
  /** @type {number | null} of the table of single waits in the server */
  #size = null;
  /** @type {WaitColumns | null} */
  #columns = null;
  /** @type {WaitHistory | WaitSummary | null} */
  #table = null;
  #hasHeader = false;
  /** Whether the next rows belong to that table. */
  #inTable = true;

  /**
   * @param {boolean} partial whether the text ends too early: then its last row is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it counts if it has all values
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && this.#isPartOfRow(this.unfinished);
    this.endLines(partial || cutOff);
    this.#text.finish(partial || cutOff);
    const table = this.#table;
    const hasCounts =
      table instanceof WaitHistory ? this.#hasHeader : (this.#columns?.has("count_star") ?? false);
    const sharesOnly =
      table && !this.#hasHeader
        ? "no line with the names of columns says whether these are single waits or sums"
        : table?.sharesOnly(this.#size);
    const events = table ? [eventOf(table, hasCounts, this.skipped)] : [];
    return { events, cutOff, sharesOnly, skipped: this.skipped.list() };
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
  takeLine(text) {
    if (text === null) return;
    if (text.includes("\ufffd")) this.skipped.add(BAD_NAME, this.line);
    const row = foldedRow(text);
    if (row?.[1] === MOST_OF_MAWK) this.skipped.add(CUT_BY_AWK, this.line);
    if (row) this.#row(row, this.line);
    else this.#text.takeLine(text, this.line);
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
      this.#table = new Table(columns, this.skipped);
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
      this.#table = new WaitHistory(this.#columns, this.skipped);
    }
    if (!this.#columns || !this.#table || !this.#inTable) {
      this.skipped.add("row of another table than the first one of waits", line);
    } else if (values.length !== this.#columns.names.length) {
      this.skipped.add("row with more or fewer values than the table has columns", line);
    } else if (!isWait(this.#columns.value(values, "event_name"))) {
      this.skipped.add("row that is of no wait", line);
    } else {
      this.#table.take(values, line);
    }
  }
}

/** @typedef {import("./wait_history.js").Waits} Waits */

const EVENT = "wait";
const UNIT = "ps";

/**
 * Return the event of a table of waits.
 *
 * @param {{ waits: () => Iterable<Waits>, showsNesting: boolean }} table
 * @param {boolean} hasCounts whether it says how many waits there were
 * @param {import("../stacks/skipped.js").SkippedCounts} skipped
 * @returns {import("../stacks/format.js").FoldedEvent}
 */
function eventOf(table, hasCounts, skipped) {
  const all = alike(table.waits());
  const idle = all.filter(({ name }) => isIdle(name));
  leaveOut(idle, "waits of idle threads for work", skipped);
  const working = all.filter(({ name }) => !isIdle(name));
  const included = table.showsNesting ? working : withoutInner(working, skipped);
  const builder = new ProfileBuilder();
  for (const waits of included) add(builder, waits);
  const samples = hasCounts ? included.reduce((sum, { count }) => sum + count, 0) : null;
  return { event: EVENT, unit: UNIT, builder, samples, samplesByNode: hasCounts };
}

/**
 * Take from waits that contain others what those within took, which counts itself. Nothing shows which
 * were within which: as many as can have been are taken to have been, each once, and what they do not
 * account for stays.
 *
 * @param {Waits[]} list
 * @param {import("../stacks/skipped.js").SkippedCounts} skipped
 * @returns {Waits[]}
 */
function withoutInner(list, skipped) {
  let left = list.map((waits) => ({ ...waits, free: waits.weight }));
  for (const { start, label, inner } of MOLECULES) {
    const outer = left.filter(({ name }) => name.startsWith(start));
    const others = left.filter(({ name }) => !name.startsWith(start));
    const all = outer.reduce((sum, { weight }) => sum + weight, 0n);
    let within = 0n;
    for (const each of others) {
      if (!inner.test(each.name)) continue;
      const room = all - within;
      const taken = each.free < room ? each.free : room;
      each.free -= taken;
      within += taken;
    }
    if (within === 0n) continue;
    const rest = outer.map((each) => ({
      ...each,
      weight: each.weight - (each.weight * within) / all,
    }));
    const why = `${label}, whose inner waits count instead`;
    // What stays is counted there.
    const taken = outer.map((each, at) => ({
      ...each,
      weight: each.weight - rest[at].weight,
      count: rest[at].weight > 0n ? 0 : each.count,
    }));
    leaveOut(taken, why, skipped);
    left = [...others, ...rest.filter(({ weight }) => weight > 0n)];
  }
  return left;
}

/**
 * Add up the waits of the same frames; instruments that never waited are none.
 *
 * @param {Iterable<Waits>} list
 */
function alike(list) {
  /** @type {Map<string, Waits>} */
  const groups = new Map();
  for (const waits of list) {
    if (waits.weight === 0n && waits.count === 0) continue;
    const key = JSON.stringify([waits.thread, waits.frames]);
    const group = groups.get(key);
    if (group) {
      group.weight += waits.weight;
      group.count += waits.count;
      group.line = Math.min(group.line, waits.line);
    } else {
      groups.set(key, { ...waits });
    }
  }
  return [...groups.values()];
}

/**
 * @param {Waits[]} list
 * @param {string} why
 * @param {import("../stacks/skipped.js").SkippedCounts} skipped
 */
function leaveOut(list, why, skipped) {
  if (list.length === 0) return;
  const weight = list.reduce((sum, waits) => sum + waits.weight, 0n);
  const count = list.reduce((sum, waits) => sum + waits.count, 0) || list.length;
  const line = list.reduce((first, waits) => Math.min(first, waits.line), list[0].line);
  skipped.add(`${why} (${formatWeight(Number(weight), UNIT)})${BY_RULE}`, line, count);
}

/**
 * @param {ProfileBuilder} builder
 * @param {Waits} waits
 */
function add(builder, { thread, frames, weight, count }) {
  const names = thread ? [thread, ...frames] : frames;
  const stack = names.map((name, at) => ({ name, frameClass: at === 0 ? THREAD : USER }));
  builder.addStack(stack, weight, count);
}

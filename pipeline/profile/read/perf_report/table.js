/**
 * The table of a perf report: which columns it has, and the rows in them.
 *
 *     # Overhead       Samples  Command   Shared Object      Symbol
 *     # ........  ............  ........  .................  ...............................
 *         45.19%            47  worker 1  burn               [.] compare_keys
 *
 * A thread's name may hold spaces, so that only the dots show where columns begin. With a
 * separator (`perf report -t ,`) there are none: `# Overhead,Command ,Shared Object    ,Symbol`.
 */

import { Buffer } from "node:buffer";

/**
 * A row's cells, empty where the report has no such column.
 *
 * @typedef {object} ReportRow
 * @property {number} percent of the event count, in hundredths: 4519
 * @property {string} samples
 * @property {string} period
 * @property {string} thread
 * @property {string} object basename of the file that the function is in, `[kernel.kallsyms]`
 * @property {string} symbol with its level: `[k] vfs_read`
 *
 * @typedef {Record<"percent" | "samples" | "period" | "thread" | "object" | "symbol", number>} Places
 *   index of the column, -1 where there is none
 */

/** The heads of columns; of several that fit, the first in the list counts. */
const HEADS = /** @type {const} */ ({
  percent: ["Self", "Overhead"],
  samples: ["Samples"],
  period: ["Period"],
  thread: ["Command", "Pid:Command", "Tid:Command"],
  object: ["Shared Object"],
  symbol: ["Symbol"],
});

/** A head of columns has one of these; `-F` may put others before it. */
const HEAD = /^#.*(?:^#\s*|[^\w])(?:Overhead|Children|Self)(?:\W|$)/;

/** What follows a head but is neither a blank nor a word is the separator. */
const SEPARATOR = /(?:Overhead|Children|Self|Command|Symbol) *(\t|[^\s\w[])/;

const PERCENT = /^(\d{1,3})\.(\d\d)%$/;

/** @param {string} line */
export function isHead(line) {
  return HEAD.test(line);
}

/**
 * Cuts a row where its columns are; of these a report may claim any number, so that only the cells
 * that are asked for are cut out.
 *
 * @callback CutRow
 * @param {string} line
 * @returns {(place: number) => string} the cell of a column
 */

/** The columns of one table. */
export class ReportTable {
  #cut;
  #places;
  /** Whether the percentages of rows include what a function called, beside its own. */
  hasChildren;
  /** What parts the frames of a call chain. */
  separator;

  /**
   * @param {string[]} heads
   * @param {CutRow} cut
   * @param {string} separator
   */
  constructor(heads, cut, separator) {
    this.#cut = cut;
    this.#places = placesOf(heads);
    this.hasChildren = heads.includes("Children");
    this.separator = separator;
  }

  /**
   * Return the table of a head without dots, whose columns a separator parts; null where there is
   * none.
   *
   * @param {string} head
   */
  static separated(head) {
    const separator = SEPARATOR.exec(head)?.[1];
    if (separator === undefined) return null;
    const heads = head
      .slice(1)
      .split(separator)
      .map((each) => each.trim());
    /** @type {CutRow} */
    const cut = (line) => {
      const cells = line.split(separator, heads.length);
      return (place) => (cells[place] ?? "").trim();
    };
    return new ReportTable(heads, cut, separator);
  }

  /**
   * Return the table of a head and the dots under it.
   *
   * @param {string} head
   * @param {string} dots
   */
  static aligned(head, dots) {
    const starts = Array.from(dots.matchAll(/\.+/g), ({ index }) => index);
    /** @type {CutRow} */
    const cut = (line) => (place) => line.slice(starts[place], starts[place + 1]).trim();
    return new ReportTable(
      starts.map((_, place) => cut(head)(place)),
      cut,
      ";",
    );
  }

  /** Say what keeps the rows from being read; empty where nothing does. */
  get fault() {
    if (this.#places.percent < 0) return "of a report without the column Overhead or Self";
    const { thread, object, symbol } = this.#places;
    const names = Math.max(thread, object, symbol) >= 0;
    return names ? "" : "of a report without the columns Command and Symbol";
  }

  /** @param {"samples" | "period" | "thread" | "object"} column */
  has(column) {
    return this.#places[column] >= 0;
  }

  /**
   * @param {string} line a character a byte: columns are as wide as the bytes in them
   * @returns {ReportRow | null} null where it is not a row
   */
  row(line) {
    const cell = this.#cut(line);
    const places = this.#places;
    const text = (/** @type {number} */ place) => (place < 0 ? "" : utf8(cell(place)));
    const percent = PERCENT.exec(text(places.percent));
    if (!percent) return null;
    const [samples, period] = [text(places.samples), text(places.period)];
    if (!/^\d*$/.test(samples) || !/^\d*$/.test(period)) return null;
    return {
      percent: Number(percent[1]) * 100 + Number(percent[2]),
      samples,
      period,
      thread: text(places.thread),
      object: text(places.object),
      symbol: text(places.symbol),
    };
  }
}

/** @param {string} latin1 */
export function utf8(latin1) {
  if (!/[^\0-\x7f]/.test(latin1)) return latin1;
  return Buffer.from(latin1, "latin1").toString("utf8");
}

/** @param {string[]} heads */
function placesOf(heads) {
  const places = Object.entries(HEADS).map(([column, names]) => {
    const name = names.find((each) => heads.includes(each));
    return [column, name === undefined ? -1 : heads.indexOf(name)];
  });
  return /** @type {Places} */ (Object.fromEntries(places));
}

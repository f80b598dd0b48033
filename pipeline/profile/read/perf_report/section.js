/**
 * One table of a perf report, and what its rows and call chains weigh.
 *
 * Whether `36 compare_keys;search_row` counts samples or nanoseconds, and whether it begins with
 * the caller or the callee, shows only beside the rows; so a table is held until it ends.
 */

import { THREAD } from "../../model/profile.js";
import { ProfileBuilder } from "../../model/profile_builder.js";
import { unitOf } from "../../model/units.js";
import { CUT_OFF_FRAME, keptFrames } from "../stacks/limits.js";
import { cleanName, frameOfSymbol, threadName } from "../stacks/perf_frame.js";
import { BAD_NAME } from "../stacks/skipped.js";
import { isAddress, ReportChains } from "./chains.js";
import { fill, rangeOf, sum } from "./weights.js";

/**
 * The head lines above a table.
 *
 * @typedef {object} SectionFacts
 * @property {string} event
 * @property {number | null} samples null where they are rounded: `12K`
 * @property {number} mostSamples
 * @property {boolean} isGroup whether a row has a percentage for each of several events
 * @property {{ comm: string, dso: string }} filter what all rows have in common
 *
 * @typedef {object} SectionRow
 * @property {import("./table.js").ReportRow} cells
 * @property {string} thread
 * @property {string} name of the function as the report has it, and its chains
 * @property {import("../stacks/perf_frame.js").Frame | null} frame null where the report has threads only
 * @property {import("./chains.js").Chain[]} chains
 * @property {number} line
 */

export const OUTSIDE = "outside of a report's table";

/** perf prints no such table, but several may have been put under one head. */
const OVERFULL = "rows of a perf report that add up to more than its event count";

/** What a report leaves out (`--percent-limit`, `--comm`) is a thread of this name. */
const NOT_IN_REPORT = "[not in the report]";

/** The thread of functions, where the report has no column for threads. */
const ALL_THREADS = "[all threads]";

const WHOLE_PERCENT = 10_000n;

/**
 * `[k] vfs_read`: the level is `.` user, `k` kernel, `g` and `u` the same in a guest, `H`
 * hypervisor. With -v an address is before it: `0x11b2             B [.] compare_keys`.
 */
const SYMBOL = /^(?:0x[0-9a-f]+ +(?:\S )?)?\[(\S)\] ?(.*)$/s;

export class ReportSection {
  #facts;
  #skipped;
  /** @type {SectionRow[]} */
  #rows = [];
  /** Bytes of the lines that were read. */
  held = 0;
  /** @type {import("./table.js").ReportTable | null} */
  table = null;
  /** @type {bigint | null} what 100 % are, where the report says it */
  count = null;
  /** Whether the rows add up to more than 100 %. */
  #isOverfull = false;

  /**
   * @param {SectionFacts} facts
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  constructor(facts, skipped) {
    this.#facts = facts;
    this.#skipped = skipped;
  }

  /** Say what keeps rows from being read; empty where nothing does. */
  get fault() {
    if (this.table === null) return OUTSIDE;
    if (this.#facts.isGroup) return "of a report on a group of events; perf report --no-group";
    return this.table.fault;
  }

  /** Why the weights give shares only; empty where they give more. */
  get sharesOnly() {
    if (this.#isOverfull) return OVERFULL;
    const isShare = this.#rows.length > 0 && this.#basis() === "percent";
    return isShare ? "a perf report without its event count has shares only" : "";
  }

  /**
   * @param {import("./table.js").ReportRow} cells
   * @param {number} line
   */
  addRow(cells, line) {
    const { filter } = this.#facts;
    const command = (cells.thread || filter.comm).replace(/^ *\d+:/, "");
    const thread = command === "" ? ALL_THREADS : threadName(command);
    const [, level = "", name = cells.symbol] = SYMBOL.exec(cells.symbol) ?? [];
    const object = cells.object || filter.dso;
    const known = isAddress(name) ? "" : name;
    const frame = object || name ? frameOfSymbol(cleanName(known), object, level) : null;
    if (thread.includes("\ufffd") || name.includes("\ufffd")) this.#skipped.add(BAD_NAME, line);
    this.#rows.push({ cells, thread, name, frame, chains: [], line });
  }

  /**
   * @param {import("./chains.js").Chain} chain
   * @param {number} line
   */
  addChain(chain, line) {
    const row = this.#rows.at(-1);
    if (this.table?.hasChildren) {
      this.#skipped.add("call chain of a report with children; perf report --no-children", line);
    } else if (row) {
      row.chains.push(chain);
    } else {
      this.#skipped.add("call chain without a row", line);
    }
  }

  /**
   * Add the rows to the profiles.
   *
   * @param {Map<string, import("../stacks/format.js").FoldedEvent>} events
   * @param {import("../../model/profile_builder.js").Room} room
   */
  addTo(events, room) {
    if (this.#rows.length === 0) return;
    const { event } = this.#facts;
    const unit = this.#unit();
    let known = events.get(event);
    if (known && known.unit !== unit) {
      const reason = `row of ${event} that counts ${unit}, unlike those before`;
      this.#skipped.add(reason, this.#rows[0].line, this.#rows.length);
      return;
    }
    if (!known) {
      const builder = new ProfileBuilder(room);
      known = { event, unit, builder, samples: 0, samplesByNode: true };
      if (this.#basis() === "percent") known.builder.refine(2);
      events.set(event, known);
    }
    this.#weigh(known);
  }

  /** Return what the weights are made of, the most exact first. */
  #basis() {
    if (this.table?.has("period")) return "period";
    if (this.count !== null) return "count";
    return this.table?.has("samples") ? "samples" : "percent";
  }

  #unit() {
    const basis = this.#basis();
    if (basis === "percent") return "0.01 %";
    return basis === "samples" ? "samples" : unitOf(this.#facts.event);
  }

  /** Return what all rows would add up to, were none left out; null where that is not known. */
  #total() {
    const basis = this.#basis();
    if (basis === "percent") return WHOLE_PERCENT;
    const { samples } = this.#facts;
    if (basis === "samples") return samples === null ? null : BigInt(samples);
    return this.count;
  }

  /** @param {import("../stacks/format.js").FoldedEvent} known */
  #weigh(known) {
    // With --children, most rows are of functions without samples of their own.
    const isCallerOnly = (/** @type {SectionRow} */ { cells: { percent, period, samples } }) =>
      this.table?.hasChildren && percent === 0 && !Number(period) && !Number(samples);
    const rows = this.#rows.filter((row) => !isCallerOnly(row)).sort(inOrder);
    const separator = this.table?.separator ?? ";";
    const chains = new ReportChains(rows, separator, this.#facts.mostSamples);
    const weights = this.#weights(rows, chains);
    const stacks = rows.map((row, at) => this.#stacks(row, weights[at], chains));
    const isFlat = stacks.every((each) => each.length === 0);
    for (const [at, row] of rows.entries()) {
      this.#addRow(known.builder, row, weights[at], stacks[at], isFlat);
    }

    const total = this.#total();
    const room = total === null ? 0n : total - sum(weights);
    this.#isOverfull = room < 0n;
    if (this.#isOverfull) this.#skipped.add(OVERFULL, this.#rows[0].line);
    const left = room < 0n ? 0n : room;
    const inRows = this.table?.has("samples")
      ? rows.reduce((sum, { cells }) => sum + Number(cells.samples || 0), 0)
      : null;
    const samples = this.#facts.samples ?? (left === 0n ? inRows : null);
    const samplesLeft = Math.max(0, (samples ?? 0) - (inRows ?? 0));
    if (left > 0n) {
      const { builder } = known;
      const rest = builder.child(0, builder.frame(NOT_IN_REPORT, THREAD));
      builder.add(rest, left, samplesLeft);
    }
    known.samples = known.samples === null || samples === null ? null : known.samples + samples;
    known.samplesByNode &&=
      samples !== null &&
      inRows !== null &&
      (left > 0n || samplesLeft === 0) &&
      rows.every((row) => row.chains.length === 0);
  }

  /**
   * @param {SectionRow[]} rows
   * @param {ReportChains} chains
   */
  #weights(rows, chains) {
    const basis = this.#basis();
    if (basis === "period" || basis === "samples") {
      return rows.map(({ cells }) => BigInt(cells[basis] || 0));
    }
    const total = this.#total() ?? 0n;
    const ranges = rows.map((row) => {
      const range = rangeOf(row.cells.percent, total);
      const exact = chains.exactWeight(row);
      if (exact === null || exact < range.low || exact > range.high) return range;
      return { low: exact, nearest: exact, high: exact };
    });
    return fill(ranges, total);
  }

  /**
   * Return the chains of a row with their weights; none where they cannot be read.
   *
   * @param {SectionRow} row
   * @param {bigint} weight
   * @param {ReportChains} chains
   */
  #stacks(row, weight, chains) {
    if (row.chains.length === 0) return [];
    const count = this.#basis() === "percent" ? WHOLE_PERCENT : this.count;
    const weighed = chains.weighed(row, weight, count);
    if (typeof weighed !== "string") return weighed;
    this.#skipped.add(weighed, row.line, row.chains.length);
    return [];
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {SectionRow} row
   * @param {bigint} weight
   * @param {import("./chains.js").WeighedChain[]} stacks
   * @param {boolean} isFlat whether no row has chains
   */
  #addRow(builder, row, weight, stacks, isFlat) {
    for (const { callers, weight } of stacks) this.#addStack(builder, row, callers, weight);
    const left = weight - sum(stacks.map((each) => each.weight));
    if (left === 0n && stacks.length > 0) return;
    // perf leaves out chains below a threshold, of light rows all of them
    this.#addStack(builder, row, isFlat || !row.frame ? [] : [CUT_OFF_FRAME], left);
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {SectionRow} row
   * @param {import("../stacks/perf_frame.js").Frame[]} callers the outermost first
   * @param {bigint} weight
   */
  #addStack(builder, { thread, frame, cells, line }, callers, weight) {
    const frames = keptFrames(frame ? [...callers, frame] : callers, this.#skipped, line);
    const stack = [{ name: thread, frameClass: THREAD }, ...frames];
    builder.addStack(stack, weight, Number(cells.samples || 0));
  }
}

const COLUMNS = /** @type {const} */ (["symbol", "thread", "object", "period", "samples"]);

/**
 * Order rows by what they hold: their order in the text changes nothing.
 *
 * @param {SectionRow} a
 * @param {SectionRow} b
 */
function inOrder(a, b) {
  if (a.cells.percent !== b.cells.percent) return b.cells.percent - a.cells.percent;
  for (const column of COLUMNS) {
    const [left, right] = [a.cells[column], b.cells[column]];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

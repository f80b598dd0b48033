/**
 * Reads perf report text: tables of functions, a table an event, with call chains under the rows
 * where perf was asked for them with `-g folded`.
 *
 *     # Samples: 1K of event 'cycles'
 *     # Event count (approx.): 12867085707
 *     #
 *     # Overhead  Command   Shared Object      Symbol
 *     # ........  ........  .................  ..............
 *     #
 *         45.19%  worker 1  mysqld             [.] compare_keys
 *     36.54% compare_keys;search_row;start_thread
 *
 * Without chains a profile is flat: thread and function, no callers (section.js).
 */

import { roomOfCapture } from "../../model/profile_builder.js";
import { plainEvent, UNKNOWN_EVENT } from "../../model/units.js";
import { TextReader } from "../stacks/line_reader.js";
import { OUTSIDE, ReportSection } from "./section.js";
import { isHead, ReportTable, utf8 } from "./table.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "perf-report";

/**
 * `# Samples: 12K of event 'cycles:ppp'`, `# Samples: 52  of event 'cpu-clock'`; of a group:
 * `# Samples: 12  of events 'anon group { cycles, instructions }'`
 */
const SAMPLES = /^# Samples: +(\d{1,15})([A-Z]?) +of (event|events) '(.*)'/;

/** @type {Record<string, number>} */
const MULTIPLES = { K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

const COUNT = /^# Event count \(approx\.\): +(\d{1,30})\s*$/;
const LOST = /^# Total Lost Samples: +(\d{1,15})\s*$/;

/** `# comm: mysqld`, `# dso: libc.so.6`: what the report was limited to, and has no column for. */
const FILTER = /^# (comm|dso): +(\S.*)$/;

/** `36.54% compare_keys;search_row`, or a number of samples, or of what the event counts. */
const CHAIN = /^(\d{1,30})(?:\.(\d\d)%)? (\S.*)$/;

/** Warnings may be before a report that was kept with what perf wrote to stderr. */
const LINES_TO_SEE = 50;

/** Bytes of rows and chains that are held until their table ends. Reports have some 100 kB. */
const MOST_HELD = 2 ** 25;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  if (lines.some((line) => SAMPLES.test(line) || COUNT.test(line))) return "yes";
  if (lines.some((line) => isHead(line) && /Symbol|Command|Shared Object/.test(line))) return "yes";
  const others = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return others.length < LINES_TO_SEE ? "more" : "no";
}

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  /** A character a byte: columns are as wide as the bytes in them. */
  encoding = /** @type {const} */ ("latin1");
  #lost = 0;
  #sharesOnly = "";
  #unknownEvent;
  /** @type {Map<string, import("../stacks/format.js").FoldedEvent>} */
  #events = new Map();
  #room = roomOfCapture();

  /** @type {{ comm: string, dso: string }} */
  #filter = { comm: "", dso: "" };
  /** @type {ReportSection | null} */
  #section = null;
  /** The last line, where that is the head of columns whose dots may follow. */
  #head = "";

  /** @param {string} [event] what is counted, where the report does not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    this.#unknownEvent = plainEvent(event);
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last line is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it counts, unless only its
   *   number is there
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && /^\s*[\d.]+%?\s*$/.test(this.unfinished);
    this.endLines(partial || cutOff);
    this.#endSection();
    return {
      events: [...this.#events.values()],
      lost: this.#lost,
      cutOff,
      ...(this.#sharesOnly && { sharesOnly: this.#sharesOnly }),
      skipped: this.skipped.list(),
    };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line?.startsWith("#")) this.#comment(line);
    else if (line?.trim()) this.#tableLine(line);
  }

  /** @param {string} line */
  #comment(line) {
    const head = this.#head;
    this.#head = "";
    const samples = SAMPLES.exec(line);
    const filter = FILTER.exec(line);
    const count = COUNT.exec(line);
    const lost = LOST.exec(line);
    if (samples) {
      this.#begin(samples);
    } else if (filter) {
      this.#filter = { ...this.#filter, [filter[1]]: utf8(filter[2]).trim() };
    } else if (count) {
      this.#sectionToFill().count = BigInt(count[1]);
    } else if (lost) {
      this.#lost += Number(lost[1]);
    } else if (isHead(line)) {
      this.#sectionToFill().table = ReportTable.separated(line);
      this.#head = line;
    } else if (head !== "" && /^# *\.[. ]*$/.test(line) && this.#section) {
      this.#section.table = ReportTable.aligned(head, line);
    }
  }

  /**
   * @param {RegExpExecArray | null} found the line about samples; null where there is none
   */
  #begin(found) {
    this.#endSection();
    const [, digits = "0", suffix = "?", number = "event", name = ""] = found ?? [];
    const facts = {
      event: plainEvent(utf8(name)) || this.#unknownEvent,
      samples: suffix === "" ? Number(digits) : null,
      mostSamples: (Number(digits) + 1) * (MULTIPLES[suffix] ?? 1),
      isGroup: number === "events",
      filter: this.#filter,
    };
    this.#section = new ReportSection(facts, this.skipped);
    return this.#section;
  }

  /** Return the section that a line of the head belongs to: a new one where rows were read. */
  #sectionToFill() {
    return this.#section?.held === 0 ? this.#section : this.#begin(null);
  }

  #endSection() {
    this.#section?.addTo(this.#events, this.#room);
    if (this.#section?.sharesOnly) this.#sharesOnly = this.#section.sharesOnly;
    this.#section = null;
  }

  /**
   * Take a row, or a call chain of the last one.
   *
   * @param {string} line
   */
  #tableLine(line) {
    this.#head = "";
    const section = this.#section;
    if (!section?.table || section.fault) {
      this.skipped.add(`line ${section?.fault ?? OUTSIDE}`, this.line);
      return;
    }
    const row = section.table.row(line);
    section.held += line.length;
    const chain = row ? null : CHAIN.exec(line);
    if (section.held > MOST_HELD && (row || chain)) {
      this.skipped.add("row after the first 32 MiB of a table", this.line);
    } else if (row) {
      section.addRow(row, this.line);
    } else if (chain) {
      const [, whole, hundredths, stack] = chain;
      const kind = hundredths === undefined ? "number" : "percent";
      const value = BigInt(whole + (hundredths ?? ""));
      section.addChain({ kind, value, stack: utf8(stack) }, this.line);
    } else if (/^ +/.test(line)) {
      this.skipped.add(
        "line of a drawn call tree: callers are left out; perf report -g folded,0 prints them",
        this.line,
      );
    } else {
      this.skipped.add("line of a report that is no row", this.line);
    }
  }
}

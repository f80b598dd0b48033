/**
 * Reads perf script text: what `perf script` prints of a recording, a sample at a time.
 *
 *     mysqld  4152/4153 [003] 75695.008865:    1001001 cpu-clock:
 *     \t    7f4e9c0541a0 row_search_mvcc+0x38 (/usr/sbin/mysqld)
 *     \t          3d6b4c vfs_read ([kernel.kallsyms])
 *     (an empty line)
 *
 * Here is what each line is; samples.js makes samples of them, line_kinds.js knows headers that look
 * like anything. Made for speed where captures are large: lines are read as bytes, a frame line once
 * however often it occurs (line_table.js), a stack once however many samples have it
 * (stack_table.js).
 */

import { UNKNOWN_EVENT, unitOf } from "../../model/units.js";
import { MOST_EVENTS } from "../stacks/limits.js";
import { LineReader } from "../stacks/line_reader.js";
import { BAD_NAME, ENDS_TOO_EARLY, MOST_REASONS } from "../stacks/skipped.js";
import { HeaderScanner, parseHeader } from "./header.js";
import {
  HeaderKind,
  INLINED_POSITION,
  INSTRUCTION,
  isComment,
  POSITION,
  RECORD,
} from "./line_kinds.js";
import { isIndented, LineTable } from "./line_table.js";
import { Samples } from "./samples.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export { recognise } from "./line_kinds.js";

export const FORMAT = "perf-script";

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const HASH = 0x23;

/** @implements {CaptureReader} */
export class Reader extends LineReader {
  #lost = 0;
  #samples = new Samples(this.skipped);
  #headerKind = new HeaderKind(this.skipped, this.#samples);
  #scanner = new HeaderScanner();
  #frameLines = new LineTable();
  #unknownEvent;

  /** @param {string} [event] what the samples count, where they do not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    this.#unknownEvent = event;
  }

  /** Whether another reader can read on after an empty line, after `followOn()`. */
  get isSplittable() {
    return this.#headerKind.isPlaced;
  }

  /** Expect the text after an empty line, of which another reader reads the beginning. */
  followOn() {
    this.#headerKind.isPlaced = true;
  }

  /** How many names of events there are. */
  get eventNames() {
    return this.#samples.eventNames;
  }

  /**
   * Whether one reader would have read the same of both parts: a bad name is reported where it occurs
   * first, and only so many events and reasons are distinguished.
   *
   * @param {{ eventNames: number, skipped: import("../../model/profile.js").Skipped[] }} part what followed on
   */
  canBeFollowedBy({ eventNames, skipped }) {
    return (
      this.eventNames + eventNames <= MOST_EVENTS &&
      this.skipped.size + skipped.length <= MOST_REASONS &&
      !skipped.some(({ reason }) => reason === BAD_NAME)
    );
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last sample is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it is whole if it ends as those
   *   of frames do, `outer (/usr/sbin/mysqld)`
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && !/\)\s*$/.test(this.unfinished);
    if (partial || cutOff) {
      this.dropUnfinished();
      if (this.#samples.isOpen) this.skipped.add(`sample ${ENDS_TOO_EARLY}`, this.#samples.line);
      this.#samples.drop();
    }
    this.endLines();
    this.#endSample();
    this.#headerKind.finish();
    this.#frameLines = new LineTable(); // call trees may take as much memory
    return {
      events: this.#samples.events().map(withUnit),
      lost: this.#lost,
      cutOff,
      skipped: this.skipped.list(),
    };
  }

  /**
   * @param {Buffer} bytes
   * @param {DataView} view
   * @param {number} start
   * @param {number} end
   */
  lines(bytes, view, start, end) {
    for (let at = start; at < end; ) {
      if (this.#samples.isOpen) {
        const known = this.#frameLines;
        this.#samples.addKnown(known, view, at, end);
        this.line += known.taken;
        at = known.end;
      }
      if (at < end) at = this.#anyLine(bytes, view, at);
    }
  }

  /**
   * Take any line; return where the next begins.
   *
   * @param {Buffer} bytes
   * @param {DataView} view
   * @param {number} start
   */
  #anyLine(bytes, view, start) {
    this.line++;
    const next = bytes.indexOf(NEWLINE, start) + 1;
    const end = next - (next - 2 >= start && bytes[next - 2] === RETURN ? 2 : 1);
    if (isIndented(bytes[start])) this.#indentedLine(bytes, view, start, end, next);
    else if (end === start) this.#emptyLine();
    else if (bytes[start] === HASH && isComment(bytes.toString("utf8", start, end))) {
      if (this.#samples.isOpen) this.skipped.add("comment within a sample", this.line);
    } else this.#flushLine(bytes, start, end);
    return next;
  }

  /**
   * Take a frame not seen before, or the header of a sample without a stack, whose thread is
   * aligned to the right and may be called "dd", which looks like an address.
   *
   * @param {Buffer} bytes
   * @param {DataView} view
   * @param {number} start
   * @param {number} end
   * @param {number} next
   */
  #indentedLine(bytes, view, start, end, next) {
    const text = bytes.toString("utf8", start, end);
    if (text.trim() === "") {
      this.#emptyLine();
    } else if (bytes[start] === TAB || !this.#header(text)) {
      const frames = this.#frameLine(text);
      if (!frames) return;
      this.#frameLines.insert(bytes, view, start, next, frames);
      if (this.#frameLines.isFull) this.#frameLines = new LineTable();
    }
  }

  /**
   * Take a line that begins at the left: a header, nearly always.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #flushLine(bytes, start, end) {
    if (this.#scanner.scan(bytes, start, end)) {
      const { threadEnd, eventStart, eventEnd, period } = this.#scanner;
      const thread = this.#samples.threadAt(bytes, start, threadEnd, this.line);
      const event = this.#samples.eventAt(bytes, eventStart, eventEnd);
      this.#beginSample(thread, event, period);
      if (!this.#headerKind.isPlaced) this.#headerKind.setPlaced();
    } else {
      const text = bytes.toString("utf8", start, end);
      if (!this.#header(text)) this.#frameLine(text);
    }
  }

  /**
   * Take a line as a header or another record, if it is one.
   *
   * @param {string} text
   */
  #header(text) {
    const record = RECORD.exec(text)?.groups;
    if (record) {
      this.#endSample();
      if (record.type.startsWith("LOST")) this.#lost += Number(record.lost ?? 1);
      else this.skipped.add(`record that is no sample: PERF_RECORD_${record.type}`, this.line);
      return true;
    }
    const header = parseHeader(text);
    if (!header) return false;
    this.#beginSampleOf(header);
    if (!this.#headerKind.isPlaced) this.#headerKind.setPlaced();
    return true;
  }

  /** @param {import("./header.js").Header} header */
  #beginSampleOf({ thread, event, period, frame }) {
    const number = this.#samples.thread(thread, this.line);
    this.#beginSample(number, this.#samples.event(event || this.#unknownEvent), period);
    if (frame) this.#samples.addFrames(this.#samples.framesIn(frame, this.line) ?? []);
  }

  /**
   * @param {number} thread
   * @param {number} event
   * @param {number | bigint | null} period
   */
  #beginSample(thread, event, period) {
    this.#endSample();
    this.#samples.begin(thread, event, period, this.line);
  }

  #endSample() {
    if (this.#headerKind.isFirst) this.#headerKind.holdBack(this.#samples.endUncounted());
    else this.#samples.end();
  }

  /** End a sample; outside of one, an empty line may be the header of a sample of -F ip,sym. */
  #emptyLine() {
    if (this.#samples.isOpen || this.#samples.isPassedOver) this.#endSample();
    else this.#headerKind.lineOutside("", this.line);
  }

  /**
   * Take a line as a frame, if it is one and belongs to a sample.
   *
   * @param {string} text
   */
  #frameLine(text) {
    if (this.#samples.isPassedOver) return null;
    if (!this.#samples.isOpen) {
      const header = this.#headerKind.headerAbove(text, this.line);
      if (header) this.#beginSampleOf(header);
    }
    if (!this.#samples.isOpen) {
      if (!POSITION.test(text)) this.#headerKind.lineOutside(text, this.line);
      return null;
    }
    const frames = this.#samples.framesIn(text, this.line) ?? (POSITION.test(text) ? [] : null);
    if (frames) this.#samples.addFrames(frames);
    else if (INLINED_POSITION.test(text)) this.#samples.inlineLast();
    else if (INSTRUCTION.test(text)) this.#endSample();
    else this.skipped.add("line within a sample that is no frame", this.line);
    return frames;
  }
}

/**
 * Say that periods count events, where nobody says which: else they would pass for samples. Samples without periods
 * count themselves, and not the nanoseconds of cpu-clock.
 *
 * @param {import("../stacks/format.js").FoldedEvent} fold
 * @returns {import("../stacks/format.js").FoldedEvent}
 */
function withUnit(fold) {
  const hasPeriods = fold.builder.total() !== BigInt(fold.samples ?? 0);
  if (fold.event === UNKNOWN_EVENT) return hasPeriods ? { ...fold, unit: "events" } : fold;
  const isTime = unitOf(fold.event) === "CPU ns";
  return isTime && !hasPeriods ? { ...fold, unit: "samples" } : fold;
}

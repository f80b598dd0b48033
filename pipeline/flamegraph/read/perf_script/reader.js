/**
 * Reads perf script text: what `perf script` prints of a recording, a sample at a time.
 *
 *     mysqld  4152/4153 [003] 75695.008865:    1001001 cpu-clock:
 *     \t    7f4e9c0541a0 row_search_mvcc+0x38 (/usr/sbin/mysqld)
 *     \t          3d6b4c vfs_read ([kernel.kallsyms])
 *     (an empty line)
 *
 * Made for speed where captures are large: lines are read as bytes, a frame line once however often
 * it stands there (line_table.js), a stack once however many samples have it (../stack_table.js).
 */

import { Buffer } from "node:buffer";
import { THREAD, USER } from "../../profile.js";
import { CUT_OFF, DEEPEST_STACK } from "../../profile_builder.js";
import { UNKNOWN_EVENT } from "../../units.js";
import { LineBuffer } from "../lines.js";
import { parseFrame, threadName } from "../perf_frame.js";
import { FIRST_FRAME, MOST_EVENTS, SampleTable } from "../sample_table.js";
import { ENDS_TOO_EARLY, MOST_REASONS, SkippedCounts } from "../skipped.js";
import { ByteNames } from "./byte_names.js";
import { HeaderScanner, parseHeader, parseUnplacedHeader } from "./header.js";
import {
  INLINED_POSITION,
  INSTRUCTION,
  isComment,
  PADDED_FRAME,
  POSITION,
  RECORD,
} from "./line_kinds.js";
import { isIndented, LineTable } from "./line_table.js";

/** @typedef {import("../formats.js").CaptureReader} CaptureReader */

export { recognise } from "./line_kinds.js";

export const FORMAT = "perf-script";

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const HASH = 0x23;

const BAD_NAME = "name that is not UTF-8: its bad bytes";
const NO_PERIOD = "sample whose period is below zero, or has more than 300 digits";
const TOO_MANY_EVENTS = `sample of an event beyond the first ${MOST_EVENTS}`;
const NO_HEADER = "line outside of a sample that is no header";

/** @implements {CaptureReader} */
export class Reader {
  #buffer = new LineBuffer(this);
  #line = 0;
  #skipped = new SkippedCounts();
  #lost = 0;
  #samples = new SampleTable();

  #scanner = new HeaderScanner();
  #inSample = false;
  /** Whether the lines are those of a sample that was counted as skipped, with them. */
  #isPassedOver = false;
  #sampleLine = 0;
  /** Whether headers tell CPU or time, or a thread and an event: then all of them do. */
  #isPlaced = false;
  /** @type {{ text: string, line: number } | null} a header if the next line is a frame */
  #unclear = null;
  /** @type {{ stack: Int32Array, period: number | bigint, line: number } | null} */
  #firstUnplaced = null;
  #unplaced = 0;
  /** @type {number | bigint} */
  #period = 1;
  #stack = new Int32Array(DEEPEST_STACK + FIRST_FRAME);
  #depth = 0;

  #rawLines = new LineTable();
  /** @type {number[][]} the frames of a line whose value is -1 - an index, not the only frame */
  #severalFrames = [];
  /** The frames of threads. */
  #threads = new ByteNames();
  #events = new ByteNames();
  #unknownEvent;

  /** @param {string} [event] what the samples count, where they do not say */
  constructor(event = UNKNOWN_EVENT) {
    this.#unknownEvent = event;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#buffer.push(chunk);
  }

  /** Whether another reader can read on behind an empty line, if it is told to `followOn()`. */
  get isSplittable() {
    return this.#isPlaced;
  }

  /** Expect what stands behind an empty line of a text of which another reader reads the beginning. */
  followOn() {
    this.#isPlaced = true;
  }

  /** How many lines were read. */
  get lineCount() {
    return this.#line;
  }

  /** How many names of events there are. */
  get eventNames() {
    return this.#samples.eventNames;
  }

  /**
   * Whether one reader would have read the same of both parts: a bad name is told where it stands
   * first, and only so many events and reasons are told apart.
   *
   * @param {{ eventNames: number, skipped: import("../../profile.js").Skipped[] }} part what followed on
   */
  canBeFollowedBy({ eventNames, skipped }) {
    return (
      this.eventNames + eventNames <= MOST_EVENTS &&
      this.#skipped.size + skipped.length <= MOST_REASONS &&
      !skipped.some(({ reason }) => reason === BAD_NAME)
    );
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last sample is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it is whole if it ends as those
   *   of frames do, `outer (/usr/sbin/mysqld)`
   * @returns {import("../formats.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && !/\)\s*$/.test(this.#buffer.unfinished);
    if (partial || cutOff) {
      this.#buffer.dropUnfinished();
      if (this.#inSample) this.#skipped.add(`sample ${ENDS_TOO_EARLY}`, this.#sampleLine);
      this.#inSample = false;
    }
    this.#buffer.finish();
    this.#endSample();
    this.#takeFirstUnplaced();
    this.#setUnclear(null);
    this.#forgetLines(); // call trees may take as much memory
    return {
      events: this.#samples.events().map(withUnit),
      lost: this.#lost,
      partial: false,
      cutOff,
      skipped: this.#skipped.list(),
    };
  }

  lineTooLong() {
    this.#line++;
    this.#skipped.add("line longer than 1 MiB", this.#line);
  }

  /**
   * @param {Buffer} bytes
   * @param {DataView} view
   * @param {number} start
   * @param {number} end
   */
  lines(bytes, view, start, end) {
    for (let at = start; at < end; ) {
      if (this.#inSample) at = this.#knownFrames(view, at, end);
      if (at < end) at = this.#anyLine(bytes, view, at);
    }
  }

  /**
   * Take frames seen before; return where they end.
   *
   * @param {DataView} view
   * @param {number} start
   * @param {number} end
   */
  #knownFrames(view, start, end) {
    const lines = this.#rawLines;
    let at = start;
    do {
      const known = FIRST_FRAME + this.#depth;
      const taken = lines.take(view, at, end, this.#stack, known) - known;
      this.#depth += taken;
      this.#line += taken;
      at = lines.end;
      if (lines.stopped < 0) this.#addFramesOf(lines.stopped);
    } while (lines.stopped < 0);
    return at;
  }

  /** @param {number} value of a line of several frames */
  #addFramesOf(value) {
    this.#line++;
    this.#addFrames(this.#severalFrames[-value - 1]);
  }

  /**
   * Take any line; return where the next begins.
   *
   * @param {Buffer} bytes
   * @param {DataView} view
   * @param {number} start
   */
  #anyLine(bytes, view, start) {
    this.#line++;
    const next = bytes.indexOf(NEWLINE, start) + 1;
    const end = next - (next - 2 >= start && bytes[next - 2] === RETURN ? 2 : 1);
    if (isIndented(bytes[start])) this.#indentedLine(bytes, view, start, end, next);
    else if (end === start) this.#emptyLine();
    else if (bytes[start] === HASH && isComment(bytes.toString("utf8", start, end)))
      this.#comment();
    else this.#flushLine(bytes, start, end);
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
      const value = frames.length === 1 ? frames[0] : -this.#severalFrames.push(frames);
      this.#rawLines.insert(bytes, view, start, next, value);
      if (this.#rawLines.isFull()) this.#forgetLines();
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
      const thread = this.#threadOf(bytes, start, threadEnd);
      this.#beginSample(thread, this.#eventOf(bytes, eventStart, eventEnd), period);
      if (!this.#isPlaced) this.#firstPlaced();
    } else {
      const text = bytes.toString("utf8", start, end);
      if (!this.#header(text)) this.#frameLine(text);
    }
  }

  #comment() {
    if (this.#inSample) this.#skipped.add("comment within a sample", this.#line);
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
      this.#record(record.type, Number(record.lost ?? 1));
      return true;
    }
    const header = parseHeader(text);
    if (!header) return false;
    this.#beginSampleOf(header);
    if (!this.#isPlaced) this.#firstPlaced();
    return true;
  }

  /** @param {import("./header.js").Header} header */
  #beginSampleOf({ thread, event, period, frame }) {
    const number = this.#frameNumber({ name: threadName(thread), frameClass: THREAD });
    this.#beginSample(number, this.#samples.event(event || this.#unknownEvent), period);
    if (frame) this.#addFrames(this.#frameNumbersIn(frame) ?? []);
  }

  /** End a sample; outside of one, an empty line may be the header of a sample of -F ip,sym. */
  #emptyLine() {
    if (this.#inSample || this.#isPassedOver) this.#endSample();
    else if (!this.#isPlaced) this.#setUnclear({ text: "", line: this.#line });
  }

  /**
   * Keep a line until the next one shows whether it is a header.
   *
   * @param {{ text: string, line: number } | null} unclear
   */
  #setUnclear(unclear) {
    if (this.#unclear?.text) this.#skipped.add(NO_HEADER, this.#unclear.line);
    this.#unclear = unclear;
  }

  /**
   * Begin a sample if a line is its first frame and the line above thereby its header.
   *
   * @param {string} text
   */
  #beginUnplaced(text) {
    const above = this.#unclear?.line === this.#line - 1 ? this.#unclear : null;
    const header = above && PADDED_FRAME.test(text) ? parseUnplacedHeader(above.text) : null;
    if (this.#isPlaced || !above || !header) return false;
    this.#unclear = null;
    this.#takeFirstUnplaced();
    this.#unplaced++;
    this.#beginSampleOf(header);
    return this.#inSample;
  }

  /**
   * Learn that headers tell more. Then a stack above the first of them has lost its own header, as
   * where a text was cut at its beginning; it only looked like one of few fields.
   */
  #firstPlaced() {
    this.#isPlaced = true;
    this.#setUnclear(null);
    if (this.#firstUnplaced) this.#skipped.add("stack without a header", this.#firstUnplaced.line);
    this.#firstUnplaced = null;
  }

  #takeFirstUnplaced() {
    if (!this.#firstUnplaced) return;
    const { stack, period } = this.#firstUnplaced;
    this.#firstUnplaced = null;
    this.#samples.add(stack, stack.length, period);
  }

  /**
   * @param {string} type
   * @param {number} lost
   */
  #record(type, lost) {
    if (type.startsWith("LOST")) this.#lost += lost;
    else this.#skipped.add(`record that is no sample: PERF_RECORD_${type}`, this.#line);
  }

  /**
   * @param {number} thread
   * @param {number} event -1 where there are too many
   * @param {number | bigint | null} period null where it is none that anything counted
   */
  #beginSample(thread, event, period) {
    this.#endSample();
    if (event < 0 || period === null) {
      this.#isPassedOver = true;
      this.#skipped.add(event < 0 ? TOO_MANY_EVENTS : NO_PERIOD, this.#line);
      return;
    }
    this.#inSample = true;
    this.#sampleLine = this.#line;
    this.#period = period;
    this.#stack[0] = event;
    this.#stack[1] = thread;
    this.#depth = 0;
  }

  #endSample() {
    this.#isPassedOver = false;
    if (!this.#inSample) return;
    this.#inSample = false;
    if (this.#depth > DEEPEST_STACK) this.#cutOff();
    const length = FIRST_FRAME + this.#depth;
    if (this.#unplaced === 1 && !this.#isPlaced) {
      const stack = this.#stack.slice(0, length);
      this.#firstUnplaced = { stack, period: this.#period, line: this.#sampleLine };
    } else {
      this.#samples.add(this.#stack, length, this.#period);
    }
  }

  #cutOff() {
    const kept = DEEPEST_STACK - 1;
    this.#skipped.add(
      `frame of a stack deeper than ${DEEPEST_STACK}`,
      this.#sampleLine,
      this.#depth - kept,
    );
    this.#stack[FIRST_FRAME + kept] = this.#frameNumber({ name: CUT_OFF, frameClass: USER });
    this.#depth = kept + 1;
  }

  /**
   * Take a line as a frame, if it is one and belongs to a sample.
   *
   * @param {string} text
   */
  #frameLine(text) {
    if (this.#isPassedOver) return null;
    if (!this.#inSample && !this.#beginUnplaced(text)) {
      this.#lineOutside(text);
      return null;
    }
    const frames = this.#frameNumbersIn(text) ?? (POSITION.test(text) ? [] : null);
    if (frames) this.#addFrames(frames);
    else if (INLINED_POSITION.test(text)) this.#inlineLast();
    else if (INSTRUCTION.test(text)) this.#endSample();
    else this.#skipped.add("line within a sample that is no frame", this.#line);
    return frames;
  }

  #inlineLast() {
    const at = FIRST_FRAME + this.#depth - 1;
    if (this.#depth === 0 || this.#depth > DEEPEST_STACK) return;
    this.#stack[at] = this.#samples.inlined(this.#stack[at]);
  }

  /** @param {string} text */
  #lineOutside(text) {
    if (POSITION.test(text)) return;
    if (this.#isPlaced || text.startsWith("\t")) this.#skipped.add(NO_HEADER, this.#line);
    else this.#setUnclear({ text, line: this.#line });
  }

  /** @param {string} text */
  #frameNumbersIn(text) {
    return parseFrame(text)?.map((frame) => this.#frameNumber(frame)) ?? null;
  }

  #forgetLines() {
    this.#rawLines = new LineTable();
    this.#severalFrames = [];
  }

  /** @param {number[]} frames */
  #addFrames(frames) {
    for (const frame of frames) {
      if (this.#depth < DEEPEST_STACK) this.#stack[FIRST_FRAME + this.#depth] = frame;
      this.#depth++;
    }
  }

  /** @param {import("../perf_frame.js").Frame} frame */
  #frameNumber(frame) {
    const known = this.#samples.frameCount;
    const number = this.#samples.frame(frame);
    if (number === known && frame.name.includes("\ufffd")) {
      this.#skipped.add(BAD_NAME, this.#line);
    }
    return number;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #threadOf(bytes, start, end) {
    const known = this.#threads.find(bytes, start, end);
    if (known >= 0) return known;
    const name = threadName(bytes.toString("utf8", start, end));
    const thread = this.#frameNumber({ name, frameClass: THREAD });
    this.#threads.set(bytes, start, end, thread);
    return thread;
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #eventOf(bytes, start, end) {
    const known = this.#events.find(bytes, start, end);
    if (known >= 0) return known;
    const event = this.#samples.event(bytes.toString("utf8", start, end));
    if (event >= 0) this.#events.set(bytes, start, end, event);
    return event;
  }
}

/**
 * Say that periods count events, where nobody says which: else they would pass for samples.
 *
 * @param {import("../formats.js").FoldedEvent} fold
 * @returns {import("../formats.js").FoldedEvent}
 */
function withUnit(fold) {
  const hasPeriods = fold.builder.total() !== BigInt(fold.samples ?? 0);
  return fold.event === UNKNOWN_EVENT && hasPeriods ? { ...fold, unit: "events" } : fold;
}

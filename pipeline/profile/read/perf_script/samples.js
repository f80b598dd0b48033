/** The samples of perf script text: the one whose lines are being read, and the sum of all before. */

import { THREAD } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { CUT_OFF_FRAME, MOST_EVENTS, TOO_DEEP } from "../stacks/limits.js";
import { parseFrame, threadName } from "../stacks/perf_frame.js";
import { BAD_NAME } from "../stacks/skipped.js";
import { FIRST_FRAME, SampleTable } from "./sample_table.js";

const NO_PERIOD = "sample whose period is below zero, or has more than 300 digits";
const TOO_MANY_EVENTS = `sample of an event beyond the first ${MOST_EVENTS}`;

/** @typedef {{ stack: Int32Array, period: number | bigint, line: number }} Sample */

export class Samples {
  #table = new SampleTable();
  #skipped;
  /** The frames of threads. */
  #threads = new ByteNames();
  #events = new ByteNames();

  /** Whether a sample is being read. */
  isOpen = false;
  /** Whether the lines are those of a sample that was counted as skipped, with them. */
  isPassedOver = false;
  /** The line that the sample begins at. */
  line = 0;
  /** @type {number | bigint} */
  #period = 1;
  /** Its event and thread, then its frames, innermost first: what is deeper falls off the end. */
  #stack = new Int32Array(FIRST_FRAME + DEEPEST_STACK);
  #depth = 0;

  /** @param {import("../stacks/skipped.js").SkippedCounts} skipped */
  constructor(skipped) {
    this.#skipped = skipped;
  }

  /** How many names of events there are. */
  get eventNames() {
    return this.#table.eventNames;
  }

  /**
   * @param {number} thread
   * @param {number} event -1 where there are too many
   * @param {number | bigint | null} period null where it is none that anything counted
   * @param {number} line
   */
  begin(thread, event, period, line) {
    if (event < 0 || period === null) {
      this.isPassedOver = true;
      this.#skipped.add(event < 0 ? TOO_MANY_EVENTS : NO_PERIOD, line);
      return;
    }
    this.isOpen = true;
    this.line = line;
    this.#period = period;
    this.#stack[0] = event;
    this.#stack[1] = thread;
    this.#depth = 0;
  }

  /**
   * Add the frames of lines that were read before.
   *
   * @param {import("./line_table.js").LineTable} lines
   * @param {DataView} view
   * @param {number} start
   * @param {number} end
   */
  addKnown(lines, view, start, end) {
    const known = FIRST_FRAME + this.#depth;
    this.#depth = lines.take(view, start, end, this.#stack, known) - FIRST_FRAME;
  }

  /** @param {number[]} frames */
  addFrames(frames) {
    for (const frame of frames) this.#stack[FIRST_FRAME + this.#depth++] = frame;
  }

  /** Make the last frame that of an inlined function. */
  inlineLast() {
    const at = FIRST_FRAME + this.#depth - 1;
    if (this.#depth === 0 || this.#depth > DEEPEST_STACK) return;
    this.#stack[at] = this.#table.inlined(this.#stack[at]);
  }

  /** Count the sample. */
  end() {
    this.isPassedOver = false;
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#table.add(this.#stack, this.#close(), this.#period);
  }

  /**
   * End the sample without counting it yet.
   *
   * @returns {Sample | null} null where none is being read
   */
  endUncounted() {
    this.isPassedOver = false;
    if (!this.isOpen) return null;
    this.isOpen = false;
    return { stack: this.#stack.slice(0, this.#close()), period: this.#period, line: this.line };
  }

  /** @param {Sample} sample that was not counted yet */
  count({ stack, period }) {
    this.#table.add(stack, stack.length, period);
  }

  /** Forget a sample of which the rest is missing. */
  drop() {
    this.isOpen = false;
  }

  /** Return how much of the stack counts: of one that is too deep, the innermost frames. */
  #close() {
    if (this.#depth > DEEPEST_STACK) {
      const kept = DEEPEST_STACK - 1;
      this.#skipped.add(TOO_DEEP, this.line, this.#depth - kept);
      this.#stack[FIRST_FRAME + kept] = this.#frame(CUT_OFF_FRAME, this.line);
      this.#depth = kept + 1;
    }
    return FIRST_FRAME + this.#depth;
  }

  /**
   * Return the numbers of the frames in a line, or null where it is not a frame's.
   *
   * @param {string} text
   * @param {number} line
   */
  framesIn(text, line) {
    return parseFrame(text)?.map((frame) => this.#frame(frame, line)) ?? null;
  }

  /**
   * @param {string} name
   * @param {number} line
   */
  thread(name, line) {
    return this.#frame({ name: threadName(name), frameClass: THREAD }, line);
  }

  /** @param {string} name */
  event(name) {
    return this.#table.event(name);
  }

  /**
   * Return the number of a thread by the bytes of its name.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} line
   */
  threadAt(bytes, start, end, line) {
    const known = this.#threads.find(bytes, start, end);
    if (known >= 0) return known;
    const thread = this.thread(bytes.toString("utf8", start, end), line);
    this.#threads.set(bytes, start, end, thread);
    return thread;
  }

  /**
   * Return the number of an event by the bytes of its name; -1 where there are too many.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  eventAt(bytes, start, end) {
    const known = this.#events.find(bytes, start, end);
    if (known >= 0) return known;
    const event = this.event(bytes.toString("utf8", start, end));
    if (event >= 0) this.#events.set(bytes, start, end, event);
    return event;
  }

  /**
   * @param {import("../stacks/perf_frame.js").Frame} frame
   * @param {number} line
   */
  #frame(frame, line) {
    const known = this.#table.frameCount;
    const number = this.#table.frame(frame);
    if (number === known && frame.name.includes("\ufffd")) this.#skipped.add(BAD_NAME, line);
    return number;
  }

  /** Return a call tree for each event that has samples. */
  events() {
    return this.#table.events();
  }
}

const SLOTS = 2 ** 12;

/**
 * A recording has some dozen names, and hardly a slot has two. A hostile capture has any number, and chooses what
 * its slots are: a name that finds no place costs a string each time, which is less than to look at all the others.
 */
const MOST_IN_SLOT = 4;

/** Numbers of short names, such as those of threads, found by their bytes without making a string. */
class ByteNames {
  /** @type {{ name: Uint8Array, number: number }[][]} by the hash of the name */
  #slots = Array.from({ length: SLOTS }, () => []);

  /**
   * Return the number of a name; -1 where it is not known.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  find(bytes, start, end) {
    for (const { name, number } of this.#slots[slotOf(bytes, start, end)]) {
      if (equals(name, bytes, start, end)) return number;
    }
    return -1;
  }

  /**
   * Keep the number of a name that `find()` does not know, where there is a place for it.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} number
   */
  set(bytes, start, end, number) {
    const slot = this.#slots[slotOf(bytes, start, end)];
    if (slot.length === MOST_IN_SLOT) return;
    slot.push({ name: Uint8Array.from(bytes.subarray(start, end)), number });
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function slotOf(bytes, start, end) {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + bytes[at];
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}

/**
 * @param {Uint8Array} name
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function equals(name, bytes, start, end) {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}

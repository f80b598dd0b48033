/**
 * Reads stacks that a debugger took of all threads of a program, as often as it was asked:
 *
 *     Thread 2 (Thread 0x7fc7bf13d6c0 (LWP 12874) "shop waiter"):           gdb, pstack, gstack
 *     #0  0x00007fc7bf2a3f7b in pthread_cond_wait () from /lib/x86_64-linux-gnu/libc.so.6
 *     #1  0x00005608628a94b0 in wait_for_stop (number=0) at shop.cpp:38
 *
 *     TID 12874:                                                            eu-stack
 *     #0  0x00007fc7bf2a65d8 pthread_cond_wait@@GLIBC_2.3.2
 *
 *          12 pthread_cond_wait,wait_for_stop,start_thread        pt-pmp, poor man's profilers
 *
 * Innermost first. A thread's stack is a sample: of where threads are, running or waiting. What a
 * debugger says beside the stacks is passed over.
 */

import { THREAD } from "../../model/profile.js";
import { DEEPEST_STACK, ProfileBuilder } from "../../model/profile_builder.js";
import { keptFrames } from "../stacks/limits.js";
import { TextReader } from "../stacks/line_reader.js";
import { threadName } from "../stacks/perf_frame.js";
import { BAD_NAME, ENDS_TOO_EARLY } from "../stacks/skipped.js";
import { aggregatedFrames, parseFrame, withInlined } from "./frame.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */
/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "debugger-stacks";

/** CPU clocks count where threads run; here all count, as on the clock on the wall. */
const EVENT = "wall-clock";

const SHARES_ONLY = "a debugger's stacks show where threads were, but not for how long";

/** Lines that may be before the first stack, besides that of each thread: `[New LWP 12874]`. */
const LINES_TO_SEE = 100;
const NEW_THREAD = /^\[New /;

/** `Thread 2 (Thread 0x7fc7bf13d6c0 (LWP 12874) "shop waiter"):`  `Thread 1 (process 12871):` */
const GDB_THREAD = /^Thread \d+(?:\.\d+)? \(.*\):$/;
const EU_THREAD = /^TID \d+:$/;
const INNERMOST = /^#0 {2}\S/;
const IS_FRAME = /^#\d{1,9} +\S/;

/** `     12 pthread_cond_wait,wait_for_stop,start_thread`, and ` 1 ` for what was no stack. */
const AGGREGATED = /^ *(\d{1,9})(?: +([A-Za-z_~?:<(*$[].*)?)?$/s;

/** pt-pmp begins with the date. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) /;

/** Where a frame's arguments and file go on. `bt full` prints variables, farther to the right. */
const CONTINUATION = /^ {2,7}(?! )/;
const VARIABLES = /^ {8}|^No (?:locals|symbol table info available)\./;

/** `Backtrace stopped: previous frame identical to this frame (corrupt stack?)` */
const STOPPED = /^(?:Backtrace stopped|\(More stack frames follow)/;

/** `[Inferior 1 (process 12871) detached]`, and the time that pt-pmp writes between two samples. */
const REMARK = /^(?:\[|TS \d|PID \d+ - |Detaching from )/;

/** eu-stack prints a source line below a frame, which is not part of it. */
const ELFUTILS_FRAME = /^#\d+ +0x[0-9a-f]+ (?!in )/;

/** A frame whose arguments go on longer is known by its beginning. */
const LONGEST_FRAME = 2 ** 16;

/** How many lines have to look like aggregated stacks before a file is taken for them. */
const AGGREGATED_TO_SEE = 5;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const seen = lines.filter((line) => !NEW_THREAD.test(line)).slice(0, LINES_TO_SEE);
  if (seen.some((line) => [GDB_THREAD, EU_THREAD, INNERMOST].some((begin) => begin.test(line)))) {
    return "yes";
  }
  const text = seen.filter((line) => line.trim() !== "" && !DATE.test(line));
  const first = text.slice(0, AGGREGATED_TO_SEE);
  if (!first.every((line) => AGGREGATED.test(line))) {
    return seen.length < LINES_TO_SEE ? "more" : "no";
  }
  return first.some((line) => line.includes(",") && !line.includes(";")) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #builder = new ProfileBuilder();
  #samples = 0;

  /** Whether there are threads with names or numbers, so that a stack without one is a repetition. */
  #hasThreads = false;
  /** @type {string | null} the thread whose stack this is; null outside of stacks */
  #thread = null;
  #threadLine = 0;
  /** @type {import("./frame.js").DebuggerFrame[]} innermost first */
  #stack = [];
  #depth = 0;
  /** The last frame, which the next line may continue. */
  #frameText = "";
  #isAggregated = false;

  /**
   * @param {boolean} partial whether the text ends too early: then its last stack is not whole
   * @param {boolean} [isOpen] whether the last line has no end: whether it is whole is unknown
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    if (partial || isOpen) {
      const isCut = this.dropUnfinished();
      const line = this.#thread === null ? this.line + 1 : this.#threadLine;
      if (isCut || this.#thread !== null) this.skipped.add(`stack ${ENDS_TOO_EARLY}`, line);
      this.#thread = null;
    }
    this.endLines();
    this.#endStack();
    const [builder, samples] = [this.#builder, this.#samples];
    return {
      events:
        samples > 0
          ? [{ event: EVENT, unit: "samples", builder, samples, samplesByNode: true }]
          : [],
      cutOff: isOpen,
      sharesOnly: SHARES_ONLY,
      skipped: this.skipped.list(),
    };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null) return;
    const text = line.trimEnd();
    if (text.includes("\ufffd")) this.skipped.add(BAD_NAME, this.line);
    if (GDB_THREAD.test(text) || EU_THREAD.test(text)) {
      this.#hasThreads = true;
      this.#beginStack(text.slice(text.indexOf('"') + 1, Math.max(text.lastIndexOf('"'), 0)));
    } else if (INNERMOST.test(text) && !this.#hasThreads) {
      this.#beginStack("");
      this.#frameLine(text);
    } else if (this.#thread !== null) {
      this.#lineOfStack(text);
    } else if (IS_FRAME.test(text)) {
      this.skipped.add("frame outside of a thread's stack", this.line);
    } else if (!this.#hasThreads) {
      this.#aggregated(text);
    }
  }

  /** @param {string} text */
  #lineOfStack(text) {
    if (text === "" || REMARK.test(text)) this.#endStack();
    else if (IS_FRAME.test(text)) this.#frameLine(text);
    else if (CONTINUATION.test(text)) this.#continueFrame(text.trim());
    else if (STOPPED.test(text)) this.skipped.add("rest of a stack: gdb gave up", this.line);
    else if (!VARIABLES.test(text)) {
      this.skipped.add("line within a stack that is no frame", this.line);
    }
  }

  /** @param {string} thread empty where unknown */
  #beginStack(thread) {
    this.#endStack();
    this.#thread = threadName(thread);
    this.#threadLine = this.line;
  }

  /** @param {string} text */
  #frameLine(text) {
    // some versions of gdb repeat the current frame after the last thread
    if (INNERMOST.test(text) && this.#frameText !== "") {
      this.#endStack();
      this.skipped.add("frame outside of a thread's stack", this.line);
      return;
    }
    this.#endFrame();
    this.#frameText = text;
  }

  /** @param {string} text */
  #continueFrame(text) {
    const isWhole = ELFUTILS_FRAME.test(this.#frameText);
    if (!isWhole && this.#frameText.length < LONGEST_FRAME) this.#frameText += ` ${text}`;
  }

  #endFrame() {
    const frame = parseFrame(this.#frameText);
    this.#frameText = "";
    if (frame && this.#depth++ < DEEPEST_STACK) this.#stack.push(frame);
  }

  #endStack() {
    this.#endFrame();
    if (this.#thread === null) return;
    if (this.#depth === 0) this.skipped.add("thread without a stack", this.#threadLine);
    else this.#add(this.#thread, withInlined(this.#stack), this.#depth, 1);
    this.#thread = null;
    this.#stack = [];
    this.#depth = 0;
  }

  /** @param {string} text */
  #aggregated(text) {
    const [, count, names] = AGGREGATED.exec(text) ?? [];
    if (names) {
      this.#isAggregated = true;
      this.#threadLine = this.line;
      const frames = aggregatedFrames(names);
      this.#add(threadName(""), frames, frames.length, Number(count));
    } else if (this.#isAggregated && !count && text !== "" && !DATE.test(text)) {
      this.skipped.add("line that is no count with a stack", this.line);
    }
  }

  /**
   * @param {string} thread
   * @param {Frame[]} frames innermost first; those that are too many may be left out
   * @param {number} depth how many there are
   * @param {number} count of threads that have this stack
   */
  #add(thread, frames, depth, count) {
    const kept = keptFrames(frames.reverse(), this.skipped, this.#threadLine, depth);
    this.#builder.addStack([{ name: thread, frameClass: THREAD }, ...kept], count, count);
    this.#samples += count;
  }
}

/** Reads what `jfr print` writes of a Flight Recorder's samples: an event after the other, as text. */

import { JIT, THREAD } from "../../model/profile.js";
import { withoutParameters } from "../../model/signature.js";
import { EventTrees } from "../stacks/event_trees.js";
import { CUT_OFF_FRAME } from "../stacks/limits.js";
import { TextReader } from "../stacks/line_reader.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "jfr-print";

/** `jdk.ExecutionSample {`, which others may stand before */
const EVENT = /^((?:\w+\.)+\w+) \{$/;
const SAMPLES = new Set(["jdk.ExecutionSample", "jdk.NativeMethodSample", "jdk.CPUTimeSample"]);

/** `    java.lang.String.charAt(int) line: 1517` */
const FRAME = /^ {4}(\S.*\))(?: line: \d+)?$/;

/** More is below: `jfr print` shows five frames of a stack, unless it is asked for more … */
const MORE = /^ {4}\.\.\.$/;

/** … and that of older JDKs does not say so; but each stack of Java begins in one of these. */
const OUTERMOST = /\.(?:main|run|run0|runWith|enter|enterSpecial|<clinit>)$/;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined) return "more";
  if (!EVENT.test(first)) return "no";
  return lines.some((line) => /^ {2}(?:startTime|stackTrace) = /.test(line)) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees = new EventTrees();
  #event = "";
  #thread = "";
  /** @type {Frame[] | null} innermost first; null outside of a stack */
  #stack = null;
  #isCut = false;
  #firstLine = 0;

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen]
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    this.endLines(partial || isOpen);
    if (this.#event !== "")
      this.skipped.add("event cut off by the end of the file", this.#firstLine);
    const isWhole = this.#event === "";
    return { ...this.#trees.folded(partial || !isWhole), skipped: this.skipped.list() };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null || line.trim() === "") return;
    const event = EVENT.exec(line)?.[1];
    if (event) this.#begin(event);
    else if (line === "}") this.#end();
    else if (line.startsWith("  sampledThread = ")) {
      this.#thread = /^ {2}sampledThread = "(.*)" \(/.exec(line)?.[1] ?? "";
    } else if (line === "  stackTrace = [") this.#stack = [];
    else if (this.#stack !== null && SAMPLES.has(this.#event)) this.#takeFrame(line, this.#stack);
  }

  /** @param {string} event */
  #begin(event) {
    if (this.#event !== "") this.skipped.add("event without an end", this.#firstLine);
    this.#event = event;
    this.#firstLine = this.line;
    this.#thread = "";
    this.#stack = null;
    this.#isCut = false;
  }

  /**
   * @param {string} line
   * @param {Frame[]} stack
   */
  #takeFrame(line, stack) {
    const method = FRAME.exec(line)?.[1];
    if (method) stack.push({ name: withoutParameters(method), frameClass: JIT });
    else if (MORE.test(line)) this.#isCut = true;
  }

  #end() {
    const event = this.#event;
    this.#event = "";
    if (!SAMPLES.has(event)) {
      if (event !== "")
        this.skipped.add("event that is no sample of a running method", this.#firstLine);
      return;
    }
    if (this.#stack === null || this.#stack.length === 0) {
      this.skipped.add(`${event} without a stack`, this.#firstLine);
      return;
    }
    const stack = this.#stack.reverse();
    const frames =
      this.#isCut || !OUTERMOST.test(stack[0].name) ? [CUT_OFF_FRAME, ...stack] : stack;
    const thread = { name: this.#thread || SOME_PROCESS, frameClass: THREAD };
    this.#trees.add(this.#trees.tree(event, "samples", true), [thread, ...frames], 1, 1);
  }
}

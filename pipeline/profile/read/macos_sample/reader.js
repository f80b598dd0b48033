/**
 * Reads what `sample` of macOS and Activity Monitor write: the call graph, whose lines count the samples
 * of a function with all that it called.
 *
 *     Analysis of sampling shop (pid 812) every 1 millisecond
 *     Call graph:
 *         854 Thread_7421   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 854 main  (in shop) + 112  [0x1044a3f70]  shop.c:38
 *         +   600 find_order  (in shop) + 44,52  [0x1044a3e2c,0x1044a3e34]
 *         +   ! 200 read  (in libsystem_kernel.dylib) + 8  [0x18c3d1a5c]
 */

import { THREAD } from "../../model/profile.js";
import { withoutParameters } from "../../model/signature.js";
import { EventTrees } from "../stacks/event_trees.js";
import { TextReader } from "../stacks/line_reader.js";
import { NestedWeights } from "../stacks/nested_weights.js";
import { classOfObject, libraryOf, unknownIn } from "../stacks/objects.js";
import { ENDS_TOO_EARLY } from "../stacks/skipped.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */
/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "macos-sample";

/** It counts where threads are, running or waiting. */
const EVENT = "wall-clock";

const SHARES_ONLY = "sample counts where threads were, but not for how long they ran";

/** The end of the call graph is known. */
export const DETECTS_TRUNCATION = true;

const FIRST_LINE = /^Analysis of sampling (.+?) \(pid \d+\) every /;

/** Lines of other kinds that may stand before it: `Sampling process 812 for 3 seconds`. */
const LINES_TO_SEE = 20;

/** Its end: `Total number in stack (recursive counted multiple, when >=5):`. */
const END = /^(?:Total number in stack|Sort by top of stack|Binary Images:|Sample analysis of )/;

/** Lines of the tree are drawn with these below their callers. */
const LINE = /^( {4}[ +!:|]*)(\d{1,15}) (\S.*)$/s;

/** Columns before a thread. */
const THREAD_COLUMNS = 4;

/** `main  (in shop) + 112  [0x1044a3f70]  shop.c:38`, and `???  (in shop)  load address 0x1044a0000 + 0x3f70` */
const FRAME = /^(?<name>.*?) {2}\(in (?<object>[^()]+)\)/s;

/** `Thread_7421   DispatchQueue_1: com.apple.main-thread  (serial)`, `Thread_7430: worker`, `Thread_7431` */
const QUEUE = /^Thread_\w+ +DispatchQueue_\w+: (.+?)(?: {2}\(\w+\))?$/s;
const NAMED = /^Thread_\w+: (.+?)(?: {2}DispatchQueue_.*)?$/s;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const seen = lines.slice(0, LINES_TO_SEE);
  if (seen.some((line) => FIRST_LINE.test(line))) return "yes";
  return seen.length < LINES_TO_SEE && seen.every((line) => /^(?:|Sampl.*)$/.test(line))
    ? "more"
    : "no";
}

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees = new EventTrees();
  #program = SOME_PROCESS;
  /** @type {"before" | "inside" | "behind"} the call graph */
  #place = "before";
  #tree = this.#trees.tree(EVENT, "samples", true);
  #stacks = new NestedWeights((path, weight) => {
    this.#trees.add(this.#tree, path, weight, weight);
  });

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen]
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    this.endLines(partial || isOpen);
    this.#stacks.end();
    const isCut = this.#place === "inside";
    if (isCut) this.skipped.add(`call graph ${ENDS_TOO_EARLY}`, this.line);
    if (this.#place === "before") this.skipped.add("no call graph", 1);
    const folded = this.#trees.folded(partial || isCut);
    return {
      ...folded,
      events: folded.events.filter(({ samples }) => samples),
      sharesOnly: SHARES_ONLY,
      skipped: [...folded.skipped, ...this.skipped.list()],
    };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null || this.#place === "behind") return;
    if (this.#place === "before") {
      this.#program = FIRST_LINE.exec(line)?.[1] ?? this.#program;
      if (line.startsWith("Call graph:")) this.#place = "inside";
    } else if (END.test(line)) {
      this.#stacks.end();
      this.#place = "behind";
    } else if (line.trim() !== "") this.#takeCall(line);
  }

  /** @param {string} line */
  #takeCall(line) {
    const found = LINE.exec(line);
    if (found === null) {
      this.skipped.add("line that is no call", this.line);
      return;
    }
    const [, columns, digits, text] = found;
    const frame = columns.length === THREAD_COLUMNS ? this.#thread(text) : calledFrame(text);
    if (!this.#stacks.take(columns.length, Number(digits), frame)) {
      this.skipped.add("call with more samples than its caller", this.line);
    }
  }

  /** @param {string} text */
  #thread(text) {
    const name = (QUEUE.exec(text) ?? NAMED.exec(text))?.[1] ?? this.#program;
    return { name, frameClass: THREAD };
  }
}

/**
 * @param {string} text
 * @returns {Frame}
 */
function calledFrame(text) {
  const { name = text.trim(), object = null } = FRAME.exec(text)?.groups ?? {};
  const frameClass = classOfObject(object, "");
  const library = libraryOf(object);
  if (name === "" || name === "???") return { name: unknownIn(object), frameClass, library };
  return { name: withoutParameters(name), frameClass, library };
}

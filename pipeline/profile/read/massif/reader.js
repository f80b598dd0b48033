/**
 * Reads what Massif (`valgrind --tool=massif`) writes: the stacks that allocated what the heap held when it was
 * largest. https://valgrind.org/docs/manual/ms-manual.html
 */

import { THREAD } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { EventTrees } from "../stacks/event_trees.js";
import { CUT_OFF_FRAME } from "../stacks/limits.js";
import { TextReader } from "../stacks/line_reader.js";
import { NestedWeights } from "../stacks/nested_weights.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";
import { valgrindFrame } from "../stacks/valgrind_frame.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "massif";

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  if (lines.length < 4) return "more";
  return lines[0].startsWith("desc:") && /^cmd:/.test(lines[1]) && /^time_unit:/.test(lines[2])
    ? "yes"
    : "no";
}

/** `  n1: 4096 0x48D6477: _IO_file_overflow@@GLIBC_2.2.5 (fileops.c:744)`: a call, and those that called it below */
const CALL = /^( *)n(\d+): (\d{1,15}) (.*)$/s;

/** `n0: 0 in 1 place, below massif's threshold (1.00%)`: callers that are too small to be listed */
const BELOW_THRESHOLD = /^in \d+ places?, (?:all )?below massif's threshold/;

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees = new EventTrees();
  #program = SOME_PROCESS;
  /** @type {string[]} lines of the tree of the largest snapshot so far */
  #peak = [];
  /** @type {{ line: number, lines: string[] } | null} */
  #tree = null;
  #firstLine = 0;
  #isPeak = false;

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen]
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    this.endLines(partial);
    this.#endTree();
    if (this.#peak.length === 0) this.skipped.add("no snapshot with a tree of allocations", 1);
    else this.#takeTree();
    return { ...this.#trees.folded(partial || isOpen), skipped: this.skipped.list() };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null) return;
    if (line.startsWith("cmd:")) {
      this.#program = line.slice(4).trim().split(" ")[0].split("/").at(-1) || SOME_PROCESS;
    } else if (line.startsWith("heap_tree=")) {
      this.#endTree();
      this.#isPeak = line === "heap_tree=peak";
      if (line !== "heap_tree=empty") this.#tree = { line: this.line, lines: [] };
    } else if (this.#tree !== null && CALL.test(line)) this.#tree.lines.push(line);
    else if (line.startsWith("#")) this.#endTree();
  }

  /** Keep a tree that is the peak's; without one, the last. */
  #endTree() {
    if (this.#tree !== null && (this.#isPeak || this.#peak.length === 0 || !this.#hasPeak)) {
      this.#peak = this.#tree.lines;
      this.#firstLine = this.#tree.line;
      this.#hasPeak ||= this.#isPeak;
    }
    this.#tree = null;
  }

  #hasPeak = false;

  #takeTree() {
    const tree = this.#trees.tree("peak_space", "bytes");
    const whole = { name: this.#program, frameClass: THREAD };
    // From the function that allocates to its callers, below a line of all that was allocated.
    const calls = new NestedWeights((path, weight) => {
      const inner = (path.length > 1 ? path.slice(1) : path).slice(0, DEEPEST_STACK);
      this.#trees.add(tree, [whole, ...inner.reverse()], weight);
    });
    for (const [at, line] of this.#peak.entries()) {
      const [, indent, , digits, text] = /** @type {RegExpExecArray} */ (CALL.exec(line));
      const frame = BELOW_THRESHOLD.test(text) ? CUT_OFF_FRAME : valgrindFrame(text);
      if (!calls.take(indent.length, Number(digits), frame)) {
        this.skipped.add(
          "call that allocates more than what it is a part of",
          this.#firstLine + at + 1,
        );
      }
    }
    calls.end();
  }
}

/**
 * Reads what DTrace prints of aggregations with stacks, innermost first:
 *
 *     CPU     ID                    FUNCTION:NAME          profile-97 { @[stack(), ustack()] = count(); }
 *       0  64091                        :tick-60s
 *
 *                   genunix`fop_lookup+0xa2
 *                   unix`sys_syscall+0x17a
 *
 *                   libc.so.1`__open+0x15
 *                   mysqld`main+0x61
 *                    12
 *
 * Other keys stand in lines of their own: `  mysqld` before the stacks, `  mysqld       12` with the count.
 */

import { THREAD } from "../../model/profile.js";
import { plainEvent, UNKNOWN_EVENT, unitOf } from "../../model/units.js";
import { EventTrees } from "../stacks/event_trees.js";
import { joinedStacks } from "../stacks/kernel_stacks.js";
import { TextReader } from "../stacks/line_reader.js";
import { cleanName, frameOfSymbol, threadName } from "../stacks/perf_frame.js";
import { doubtOf } from "../stacks/plausible.js";
import { BAD_NAME, ENDS_TOO_EARLY } from "../stacks/skipped.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */
/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "dtrace";

/** Columns of indentation that stacks have, and keys have not. */
const OF_A_STACK = /^(?: {8}|\t)/;

/** ``genunix`fop_lookup+0xa2``, ``unix`0xfffffffffb800c91``, `0x7fff8b0`, `java/lang/Thread.run()V` */
const FRAME = /^\s+(?:(?<object>[^\s`]{1,200})`)?(?<name>\S.*?)(?:\+0x[0-9a-f]+)?$/s;

/** A frame that nothing else can be: what captures are recognised by. */
const CERTAIN_FRAME = /^(?: {8}|\t)\s*[^\s`;]{1,200}`\S/;

/** `                1` */
const COUNT = /^\s*(\d{1,300})$/;

/** `  mysqld                    17`, where a key follows the stacks */
const KEY_AND_COUNT = /^(.*\S)\s+(\d{1,300})$/s;

/** `           value  ------------- Distribution ------------- count    `: in place of a count */
const DISTRIBUTION = /^\s+value +-+ Distribution -+ count/;
const BAR = /^\s+[<>]?=? ?-?\d+ +\|/;

/** `CPU     ID                    FUNCTION:NAME` and `  0  64091                        :tick-60s ` */
const PROBE = /^CPU +ID +FUNCTION:NAME$|^ *\d+ +\d+ +\S*:\S*$/;

const ADDRESS = /^0x[0-9a-f]+$/;

/** What the kernels of illumos, FreeBSD, macOS and Linux are called; their modules stand in stacks with them. */
const KERNEL_OBJECT = /^(?:unix|genunix|kernel|mach_kernel|vmlinux)(?:$|\.)/;

const ALL_THREADS = "[all threads]";

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const seen = lines.filter((line) => line.trim() !== "").slice(0, 1000);
  if (seen.some((line) => CERTAIN_FRAME.test(line))) return "yes";
  return seen.length < 1000 && seen.every((line) => PROBE.test(line.trimEnd()) || /^ /.test(line))
    ? "more"
    : "no";
}

/** @typedef {{ object: string, name: string }} Symbol */

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees;
  #tree;
  #smallest = Number.POSITIVE_INFINITY;
  /** @type {Symbol[][]} the stacks of the entry that is not read to its end; the last grows */
  #stacks = [[]];
  /** @type {string[]} its other keys */
  #keys = [];

  /** @param {string} [event] what is counted, which DTrace does not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    const name = plainEvent(event);
    this.#trees = new EventTrees(name);
    this.#tree = this.#trees.tree(name, unitOf(name));
  }

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen] whether the last line has no end: then it counts if it is a count
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && !COUNT.test(this.unfinished.toString());
    this.endLines(partial || cutOff);
    if (this.#isBegun()) this.skipped.add(`stack ${ENDS_TOO_EARLY}`, this.line);
    const folded = this.#trees.folded(partial);
    return {
      ...folded,
      events: folded.events.map((tree) => {
        const doubt = doubtOf(tree.event, this.#smallest, Number(tree.builder.total()));
        return doubt ? { ...tree, unit: "samples", doubt } : tree;
      }),
      cutOff,
      skipped: [...folded.skipped, ...this.skipped.list()],
    };
  }

  /** @param {string | null} text */
  takeLine(text) {
    const line = text?.trimEnd() ?? null;
    if (line === null || BAR.test(line)) return;
    if (line === "") this.#nextStack();
    else if (DISTRIBUTION.test(line)) this.#leaveOut("stack with a distribution and no count");
    else if (COUNT.test(line)) this.#end(line.trim());
    else if (OF_A_STACK.test(line)) this.#takeFrame(line);
    else if (!PROBE.test(line)) this.#takeKeys(line);
  }

  #isBegun() {
    return this.#stacks[0].length > 0;
  }

  #nextStack() {
    if (this.#stacks[this.#stacks.length - 1].length > 0) this.#stacks.push([]);
  }

  /** @param {string} reason why the entry does not count */
  #leaveOut(reason) {
    this.skipped.add(reason, this.line);
    this.#stacks = [[]];
    this.#keys = [];
  }

  /** @param {string} line */
  #takeFrame(line) {
    const { object = "", name = "" } = FRAME.exec(line)?.groups ?? {};
    if (name.includes("\ufffd")) this.skipped.add(BAD_NAME, this.line);
    this.#stacks[this.#stacks.length - 1].push({ object, name });
  }

  /** @param {string} line `  mysqld`, or `  mysqld                    17` */
  #takeKeys(line) {
    if (!line.startsWith(" ")) {
      this.#leaveOut("line that is no part of a stack");
      return;
    }
    const [, keys = line, count] = (this.#isBegun() && KEY_AND_COUNT.exec(line)) || [];
    // numbers are of processes, threads and CPUs, which come and go
    this.#keys.push(...keys.split(/\s{2,}/).filter((key) => !/^-?\d*$/.test(key.trim())));
    if (count !== undefined) this.#end(count);
  }

  /** @param {string} count */
  #end(count) {
    if (!this.#isBegun()) {
      this.#leaveOut("count without a stack");
      return;
    }
    const weight = BigInt(count);
    const thread = this.#keys.length > 0 ? threadName(this.#keys.join(" ")) : ALL_THREADS;
    const frames = joinedStacks(this.#stacks, (stack) => stack.some(isOfKernel)).map(
      ({ frame, inKernel }) => frameOf(frame, inKernel),
    );
    const stack = [{ name: thread, frameClass: THREAD }, ...frames];
    this.#trees.add(this.#tree, stack, weight);
    if (weight > 0n) this.#smallest = Math.min(this.#smallest, Number(weight));
    this.#stacks = [[]];
    this.#keys = [];
  }
}

/** @param {Symbol} symbol */
function isOfKernel({ object, name }) {
  return KERNEL_OBJECT.test(object) || /^0xffff[0-9a-f]{12}$/.test(name);
}

/**
 * @param {Symbol} symbol
 * @param {boolean} inKernel
 * @returns {Frame}
 */
function frameOf({ object, name }, inKernel) {
  const known = ADDRESS.test(name) ? "" : cleanName(name);
  return frameOfSymbol(known, object, inKernel ? "k" : ".");
}

/**
 * Reads folded stacks: a line a stack, outermost frame first, and what it weighs.
 * stackcollapse-*.pl, inferno, bcc and bpftrace write them, and so do we:
 *
 *     # perfpress-folded event=cpu-clock samples=812 lost=0
 *     mysqld;start_thread;row_search_mvcc;vfs_read_[k] 1001001
 *
 * A first frame is a thread. A suffix gives the class of the others: `_[k]` kernel, `_[j]` JIT,
 * `_[i]` inlined, as stackcollapse-perf.pl writes them, and `_[l]` library, which is our own.
 */

import { HEAD, parseFacts } from "../../model/export_format.js";
import { roomOfCapture } from "../../model/profile_builder.js";
import { inFractions, plainEvent, UNKNOWN_EVENT, unitOf, wholeUnit } from "../../model/units.js";
import { numberOf } from "../../model/weights.js";
import { digitsStart, numberIn } from "../stacks/digits.js";
import { MOST_EVENTS } from "../stacks/limits.js";
import { LineReader } from "../stacks/line_reader.js";
import { doubtOf } from "../stacks/plausible.js";
import { WHEN_FOLDED } from "../stacks/skipped.js";
import { FoldedTree } from "./tree.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "folded";

/** The weight is the last word; bcc and bpftrace write whole numbers, some tools decimals. */
const LINE = /^\s*\S.*\s\d+(?:\.\d+)?\s*$/s;
/** The same, and what is counted as skipped: ` 5` without a stack, `main;read -5`. */
const LIKE_LINE = /^\s*(?:\S.*\s)?-?\d+(?:\.\d+)?\s*$/s;
const TWO_WEIGHTS = /^\s*\S.*\s\d+(?:\.\d+)?\s+\d+(?:\.\d+)?\s*$/s;

/** A weight finer than this is a measurement of nothing. */
const MOST_DECIMALS = 18;

/** Longer weights are none that anything counted, and Python reads no number of thousands. */
const MOST_DIGITS = 300;

/** `# mode: wall`, in the head of what Austin writes, which counts microseconds or bytes. */
const AUSTIN_MODE = /^# mode: (wall|cpu|memory)\s*$/;
const MICROSECOND = 1000;

/** So many digits are exact in a double. */
const DOUBLE_DIGITS = 15;

/** Number of lines that identify a format; a tool may have warned of something between them. */
const LINES_TO_SEE = 100;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const MINUS = 0x2d;
const POINT = 0x2e;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  if (lines[0]?.startsWith(HEAD)) return "yes";
  const seen = firstStacks(lines);
  const stacks = seen.filter((line) => LIKE_LINE.test(line));
  if (stacks.length * 2 <= seen.length) return seen.length > 1 ? "no" : "more";
  if (isDiff(lines)) return seen.length === LINES_TO_SEE ? "no" : "more";
  return stacks.some((line) => line.includes(";")) ? "yes" : "more";
}

/**
 * Whether lines are those of a diff, `main;read_page 30 12`: of one line it is a name that ends in a
 * number, but not of all.
 *
 * @param {string[]} lines the first of a file
 */
export function isDiff(lines) {
  const seen = firstStacks(lines);
  return (
    seen.length > 0 &&
    seen.every((line) => TWO_WEIGHTS.test(line)) &&
    seen.some((line) => line.includes(";"))
  );
}

/** @param {string[]} lines */
function firstStacks(lines) {
  /** @type {string[]} */
  const seen = [];
  for (const line of lines) {
    if (seen.length === LINES_TO_SEE) break;
    if (line.trim() !== "" && !line.startsWith("#")) seen.push(line);
  }
  return seen;
}

/** What the lines of one event add up to. */
class EventSum {
  event;
  unit;
  isStated;
  tree;
  /** @type {number | null} */
  samples = 0;
  /** The smallest weight of a line that is not 0, roughly. */
  #smallest = Number.POSITIVE_INFINITY;

  /**
   * @param {string} event
   * @param {string | null} unit null to derive it from the event
   * @param {boolean} isStated whether the file does not name its event
   * @param {FoldedTree} tree
   */
  constructor(event, unit, isStated, tree) {
    this.event = event;
    this.unit = unit;
    this.isStated = isStated;
    this.tree = tree;
  }

  /** @param {number | bigint} weight as the tree counts now */
  see(weight) {
    const size = Number(weight) / 10 ** this.tree.builder.decimals;
    if (size > 0 && size < this.#smallest) this.#smallest = size;
  }

  /** @returns {import("../stacks/format.js").FoldedEvent} */
  folded() {
    const { event, samples } = this;
    this.tree.finish();
    const { builder } = this.tree;
    const total = Number(builder.total()) / 10 ** builder.decimals;
    const doubt = this.isStated ? doubtOf(event, this.#smallest, total) : "";
    const unit = inFractions(doubt ? "samples" : (this.unit ?? unitOf(event)), builder.decimals);
    return { event, unit, builder, samples, samplesByNode: false, ...(doubt && { doubt }) };
  }
}

/** @implements {CaptureReader} */
export class Reader extends LineReader {
  #lost = 0;
  #partial = false;
  /** @type {string | null} */
  #sharesOnly = null;
  /** @type {Map<string, EventSum>} by event and unit */
  #sums = new Map();
  #room = roomOfCapture();
  /** @type {EventSum | null} of the lines to come; null before the first */
  #sum = null;
  #tooMany = false;
  #event;
  /** What weights are multiplied by. */
  #factor = 1;

  /** @param {string} [event] what the weights count, where the capture does not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    this.#event = plainEvent(event);
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last line is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it counts if it has a weight
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && !LINE.test(this.unfinished);
    this.endLines(partial || cutOff);
    return {
      events: [...this.#sums.values()].map((sum) => sum.folded()),
      lost: this.#lost,
      partial: this.#partial,
      cutOff,
      sharesOnly: this.#sharesOnly ?? undefined,
      skipped: this.skipped.list(),
    };
  }

  /**
   * @param {Buffer} bytes
   * @param {DataView} _view
   * @param {number} start
   * @param {number} end
   */
  lines(bytes, _view, start, end) {
    for (let at = start; at < end; ) {
      const next = bytes.indexOf(NEWLINE, at) + 1;
      this.line++;
      if (bytes[at] === HASH) this.#comment(bytes.toString("utf8", at, next));
      else this.#stackLine(bytes, at, next);
      at = next;
    }
  }

  /**
   * Take a head: one begins a file of ours; where several files were put together, each begins a
   * part.
   *
   * @param {string} line
   */
  #comment(line) {
    const mode = AUSTIN_MODE.exec(line)?.[1];
    if (mode) this.#austin(mode);
    if (!line.startsWith(HEAD)) return;
    const facts = parseFacts(line.slice(HEAD.length));
    this.#lost += facts.lost;
    this.#partial ||= facts.partial;
    this.#sharesOnly ??= facts.sharesOnly;
    const { samples, skipped } = facts;
    if (skipped) this.skipped.add(WHEN_FOLDED, this.line, skipped);
    const sum = this.#sumOf(facts.event, facts.unit && wholeUnit(facts.unit));
    this.#tooMany = sum === null;
    if (sum === null) return;
    this.#sum = sum;
    sum.samples = sum.samples === null || samples === null ? null : sum.samples + samples;
  }

  /**
   * Take what Austin's weights count, as its head says it.
   *
   * @param {string} mode
   */
  #austin(mode) {
    const isTime = mode !== "memory";
    const event = mode === "cpu" ? "cpu" : isTime ? "time" : "bytes";
    this.#sum = this.#sumOf(event, isTime ? (mode === "cpu" ? "CPU ns" : "ns") : "bytes");
    if (this.#sum) this.#sum.samples = null;
    this.#factor = isTime ? MICROSECOND : 1;
  }

  /**
   * @param {string | null} named event, where a head names one
   * @param {string | null} unit
   * @returns {EventSum | null} null where there are too many already
   */
  #sumOf(named, unit) {
    const event = named ?? this.#sum?.event ?? this.#event;
    const key = `${unit} ${event}`;
    const known = this.#sums.get(key);
    if (known) return known;
    if (this.#sums.size >= MOST_EVENTS) return null;
    const isStated = named === null && (this.#sum === null || this.#sum.isStated);
    const sum = new EventSum(
      event,
      unit,
      isStated,
      new FoldedTree(this.skipped, isStated, this.#room),
    );
    this.#sums.set(key, sum);
    return sum;
  }

  /**
   * Take a line that is a stack and its weight.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} next after the newline
   */
  #stackLine(bytes, start, next) {
    let end = next;
    while (end > start && isSpace(bytes[end - 1])) end--;
    while (start < end && isSpace(bytes[start])) start++;
    if (start === end) return;
    const last = digitsStart(bytes, start, end);
    const hasPoint = last < end && bytes[last - 1] === POINT;
    const wholeEnd = hasPoint ? last - 1 : end;
    const whole = hasPoint ? digitsStart(bytes, start, wholeEnd) : last;
    let stackEnd = whole;
    while (stackEnd > start && isSpace(bytes[stackEnd - 1])) stackEnd--;
    if (whole === wholeEnd || stackEnd === whole || stackEnd === start) {
      const isBelowZero =
        whole < wholeEnd &&
        bytes[whole - 1] === MINUS &&
        (whole - 1 === start || isSpace(bytes[whole - 2]));
      const reason = isBelowZero ? "weight below zero" : "line that does not end in a weight";
      this.skipped.add(whole === start ? "weight without a stack" : reason, this.line);
      return;
    }
    if (this.#tooMany) {
      this.skipped.add(`stack of an event beyond the first ${MOST_EVENTS}`, this.line);
      return;
    }
    if (this.#sum === null) {
      this.#sum = /** @type {EventSum} */ (this.#sumOf(null, null));
      this.#sum.samples = null; // no head says how many
    }
    const { tree } = this.#sum;
    const isPlain = !hasPoint && end - whole <= DOUBLE_DIGITS && tree.builder.decimals === 0;
    const weight = isPlain ? numberIn(bytes, whole, end) : this.#exactWeight(bytes, whole, end);
    if (weight === null) return;
    const scaled = this.#factor === 1 ? weight : BigInt(weight) * BigInt(this.#factor);
    tree.builder.add(tree.node(bytes, start, stackEnd, this.line), scaled, 0);
    this.#sum.see(scaled);
  }

  /**
   * Return a weight in the unit that the tree counts, which becomes a finer one where it has to.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @returns {number | bigint | null} null where it is none that anything counted
   */
  #exactWeight(bytes, start, end) {
    const { builder } = /** @type {EventSum} */ (this.#sum).tree;
    const [whole, decimals = ""] = bytes.toString("latin1", start, end).split(".");
    const fraction = decimals.replace(/0+$/, "");
    if (whole.length > MOST_DIGITS) {
      this.skipped.add(`weight with more than ${MOST_DIGITS} digits`, this.line);
      return null;
    }
    if (fraction.length > MOST_DECIMALS) {
      this.skipped.add(`weight with more than ${MOST_DECIMALS} decimals`, this.line);
      return null;
    }
    builder.refine(Math.max(builder.decimals, fraction.length));
    const digits = whole + fraction.padEnd(builder.decimals, "0");
    return numberOf(digits);
  }
}

/** @param {number} byte */
function isSpace(byte) {
  return byte === SPACE || (byte >= TAB && byte <= RETURN);
}

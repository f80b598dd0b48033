/**
 * Reads folded stacks: a line a stack, outermost frame first, and what it weighs.
 * stackcollapse-*.pl, inferno, bcc and bpftrace write them, and so do we:
 *
 *     # perfpress-folded event=cpu-clock samples=812 lost=0
 *     mysqld;start_thread;row_search_mvcc;vfs_read_[k] 1001001
 *
 * A first frame is a thread. A suffix tells the class of the others: `_[k]` kernel, `_[j]` JIT,
 * `_[i]` inlined, as stackcollapse-perf.pl writes them, and `_[l]` library, which is our own.
 */

import { parseFacts } from "../facts.js";
import { THREAD, USER } from "../profile.js";
import { CUT_OFF, DEEPEST_STACK, ProfileBuilder } from "../profile_builder.js";
import { inFractions, plainEvent, UNKNOWN_EVENT, unitOf, wholeUnit } from "../units.js";
import { HEAD, SUFFIX_OF_CLASS } from "../write/folded.js";
import { LineBuffer } from "./lines.js";
import { MOST_EVENTS } from "./sample_table.js";
import { ENDS_TOO_EARLY, SkippedCounts } from "./skipped.js";

/** @typedef {import("./formats.js").CaptureReader} CaptureReader */

export const FORMAT = "folded";

const CLASS_OF_SUFFIX = new Map(
  Object.entries(SUFFIX_OF_CLASS).map(([frameClass, suffix]) => [suffix, Number(frameClass)]),
);
const SUFFIX_LENGTH = 4;

/** The weight is the last word; bcc and bpftrace write whole numbers, some tools decimals. */
const LINE = /^(.*\S)\s+(\d+)(?:\.(\d+))?$/s;

/** A weight finer than this is a measurement of nothing. */
const MOST_DECIMALS = 18;

/** How many lines have to look like folded stacks before a file is taken for them. */
const LINES_TO_SEE = 3;

/** @type {import("./formats.js").Recognise} */
export function recognise({ lines }) {
  if (lines[0]?.startsWith(HEAD)) return "yes";
  const seen = lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (!seen.slice(0, LINES_TO_SEE).every((line) => LINE.test(line.trimEnd()))) return "no";
  return seen.some((line) => line.includes(";")) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader {
  #buffer = new LineBuffer(this);
  #line = 0;
  #skipped = new SkippedCounts();
  #lost = 0;
  #partial = false;
  /** @type {Map<string, { event: string, unit: string | null, builder: ProfileBuilder, samples: number | null }>} */
  #events = new Map();
  #event;
  /** @type {string | null} */
  #unit = null;
  #tooMany = false;
  /** @type {string | null} */
  #sharesOnly = null;

  /** @param {string} [event] what the weights count, where the capture does not say */
  constructor(event = UNKNOWN_EVENT) {
    this.#event = plainEvent(event);
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#buffer.push(chunk);
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last line is not whole
   * @returns {import("./formats.js").Folded}
   */
  finish(partial) {
    if (partial && this.#buffer.dropUnfinished()) {
      this.#skipped.add(`line ${ENDS_TOO_EARLY}`, this.#line + 1);
    }
    this.#buffer.finish();
    return {
      events: [...this.#events.values()].map(({ event, unit, builder, samples }) => ({
        event,
        unit: inFractions(unit ?? unitOf(event), builder.decimals),
        builder,
        samples,
        samplesByNode: false,
      })),
      lost: this.#lost,
      partial: this.#partial,
      sharesOnly: this.#sharesOnly ?? undefined,
      skipped: this.#skipped.list(),
    };
  }

  lineTooLong() {
    this.#line++;
    this.#skipped.add("line longer than 1 MiB", this.#line);
  }

  /**
   * @param {Buffer} bytes
   * @param {DataView} _view
   * @param {number} start
   * @param {number} end
   */
  lines(bytes, _view, start, end) {
    for (let at = start; at < end; ) {
      const next = bytes.indexOf(0x0a, at) + 1;
      this.#line++;
      this.#takeLine(bytes.toString("utf8", at, next).trimEnd());
      at = next;
    }
  }

  /** @param {string} line */
  #takeLine(line) {
    if (line.startsWith(HEAD)) this.#head(line.slice(HEAD.length));
    else if (line !== "" && !line.startsWith("#")) this.#stack(line);
  }

  /**
   * Take a head: one begins a file of ours; where several files were put together, each begins a
   * part.
   *
   * @param {string} text
   */
  #head(text) {
    const facts = parseFacts(text);
    this.#event = facts.event ?? this.#event;
    this.#unit = facts.unit && wholeUnit(facts.unit);
    this.#lost += facts.lost;
    this.#partial ||= facts.partial;
    this.#sharesOnly ??= facts.sharesOnly;
    const { samples, skipped } = facts;
    if (skipped) this.#skipped.add("left out when the capture was folded", this.#line, skipped);
    const known = this.#events.get(this.#key());
    this.#tooMany = !known && this.#events.size >= MOST_EVENTS;
    if (this.#tooMany) return;
    if (!known) this.#begin(samples);
    else if (samples === null || known.samples === null) known.samples = null;
    else known.samples += samples;
  }

  /** @param {string} line */
  #stack(line) {
    if (this.#tooMany) {
      this.#skipped.add(`stack of an event beyond the first ${MOST_EVENTS}`, this.#line);
      return;
    }
    const found = LINE.exec(line);
    if (!found) {
      this.#skipped.add("line that does not end in a weight", this.#line);
      return;
    }
    const [, stack, whole, decimals = ""] = found;
    const fraction = decimals.replace(/0+$/, "");
    if (fraction.length > MOST_DECIMALS) {
      this.#skipped.add(`weight with more than ${MOST_DECIMALS} decimals`, this.#line);
      return;
    }
    if (stack.includes("\ufffd"))
      this.#skipped.add("name that is not UTF-8: its bad bytes", this.#line);
    const builder = this.#builder();
    if (fraction.length > builder.decimals) builder.refine(fraction.length);
    const weight = weightOf(whole + fraction.padEnd(builder.decimals, "0"));
    builder.add(this.#node(builder, stack), weight, 0);
  }

  #builder() {
    return (this.#events.get(this.#key()) ?? this.#begin(null)).builder;
  }

  #key() {
    return `${this.#unit} ${this.#event}`;
  }

  /** @param {number | null} samples */
  #begin(samples) {
    const begun = { event: this.#event, unit: this.#unit, builder: new ProfileBuilder(), samples };
    this.#events.set(this.#key(), begun);
    return begun;
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {string} stack
   */
  #node(builder, stack) {
    let frames = stack.split(";");
    if (frames.length > DEEPEST_STACK) {
      const left = frames.length - (DEEPEST_STACK - 1);
      this.#skipped.add(`frame of a stack deeper than ${DEEPEST_STACK}`, this.#line, left);
      frames = [frames[0], CUT_OFF, ...frames.slice(1 + left)];
    }
    let node = builder.child(0, builder.frame(cleaned(frames[0]), THREAD));
    for (let at = 1; at < frames.length; at++) {
      const frameClass = CLASS_OF_SUFFIX.get(frames[at].slice(-SUFFIX_LENGTH));
      const name = frameClass === undefined ? frames[at] : frames[at].slice(0, -SUFFIX_LENGTH);
      node = builder.child(node, builder.frame(cleaned(name), frameClass ?? USER));
    }
    return node;
  }
}

/** @param {string} digits */
function weightOf(digits) {
  return digits.length < 16 ? Number(digits) : BigInt(digits);
}

/** @param {string} name */
function cleaned(name) {
  return name.trim() || "[unknown]";
}

/** Takes the chunks of a capture, finds the reader that they are for, and has it read them. */

import { CaptureHead } from "./head.js";
import { joined } from "./perf_script/halves.js";
import { Reader as PerfScriptReader } from "./perf_script/reader.js";
import { Utf8Stream } from "./text_encoding.js";

/** @typedef {import("./compression.js").Damage} Damage */

const LINE_FEED = 0x0a;

/** @type {Damage} */
const CUT_LINE = { kind: "cut", found: "the file ends in the middle of a line" };

/** Holds the first chunks back until they tell which reader they are for. */
export class Intake {
  #event;
  #labels;
  #head = new CaptureHead();
  /** @type {import("./formats.js").CaptureReader | null} */
  #reader = null;
  /** @type {import("./formats.js").Format | null} */
  #format = null;
  #refused = false;
  #inLine = false;
  #text = new Utf8Stream();
  /** @type {import("./perf_script/halves.js").Half | null} */
  #half = null;

  /**
   * @param {string} event
   * @param {string[]} labels
   * @param {import("./formats.js").Format | null} format null where content has to tell
   */
  constructor(event, labels, format) {
    this.#event = event;
    this.#labels = labels;
    if (format) this.#choose(format);
  }

  /** @param {Uint8Array} chunk as it lies in the file */
  push(chunk) {
    this.#take(this.#text.push(chunk));
  }

  /** @param {Uint8Array} chunk */
  #take(chunk) {
    if (chunk.length > 0) this.#inLine = chunk.at(-1) !== LINE_FEED;
    if (this.#refused) return;
    if (this.#reader) {
      this.#reader.push(chunk);
      return;
    }
    this.#choose(this.#head.push(chunk));
  }

  /** The reader, where the rest of the text can be read by another one. */
  get splittable() {
    const reader = this.#reader instanceof PerfScriptReader ? this.#reader : null;
    return reader?.isSplittable && this.#text.isUtf8 ? reader : null;
  }

  /** @param {import("./perf_script/halves.js").Half} half the rest, as a thread read it */
  join(half) {
    this.#half = half;
    this.#inLine = half.inLine;
  }

  /** @param {Damage | null} damaged what is wrong with the packed file */
  finish(damaged) {
    this.#take(this.#text.finish());
    if (!this.#reader && !this.#refused) this.#choose(this.#head.finish());
    const isDamaged = damaged !== null && damaged.kind !== "behind";
    // All recorders end their last line: an editor took the end away, or the text was cut off.
    const isOpen = this.#inLine && !this.#format?.TELLS_ITS_END;
    const lines = this.splittable?.lineCount ?? 0;
    const isCut = damaged?.kind === "cut" || (isOpen && isDamaged);
    const own = this.#reader?.finish(isCut, isOpen && !isDamaged) ?? null;
    const folded = own && this.#half ? joined(own, this.#half, lines) : own;
    const damage = folded?.cutOff ? CUT_LINE : damaged;
    const format = this.#format?.FORMAT ?? "";
    const endsOpen = isOpen && !isDamaged && !folded?.cutOff;
    return { folded, damage, endsOpen, format, head: this.#head.bytes };
  }

  /** @param {import("./head.js").Answer} format */
  #choose(format) {
    if (format === "more") return;
    if (format === null) {
      this.#refused = true;
      return;
    }
    this.#format = format;
    this.#reader = new format.Reader(this.#event, this.#labels);
    this.#reader.push(this.#head.bytes);
    this.#head = new CaptureHead();
  }
}

/** Detects the format of a capture from its first chunks and passes all chunks to its reader. */

import { Buffer } from "node:buffer";
import { formatOf, hasNoTextByte } from "./formats.js";
import { readDecompressed } from "./input/compression.js";
import { withoutLongEnd } from "./input/lines.js";
import { Utf8Stream } from "./input/text_encoding.js";
import { merged } from "./perf_script/parallel.js";
import { Reader as PerfScriptReader } from "./perf_script/reader.js";

/** @typedef {import("./input/compression.js").Damage} Damage */

const LINE_FEED = 0x0a;

const CUT_LINE = "the file ends in the middle of a line";

/** Keeps the first chunks until the format is known. */
export class DetectingReader {
  #event;
  #labels;
  #head = new CaptureHead();
  /** @type {import("./stacks/format.js").CaptureReader | null} */
  #reader = null;
  /** @type {import("./stacks/format.js").Format | null} */
  #format = null;
  #refused = false;
  #inLine = false;
  #text = new Utf8Stream();
  /** @type {import("./perf_script/parallel.js").SecondHalf | null} */
  #half = null;

  /**
   * @param {string} event
   * @param {string[]} labels
   * @param {import("./stacks/format.js").Format | null} format null to recognise it from the content
   */
  constructor(event, labels, format) {
    this.#event = event;
    this.#labels = labels;
    if (format) this.#choose(format);
  }

  /** @param {Uint8Array} chunk in the encoding of the file */
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

  /** The reader, where another one can read the rest of the text. */
  get splittable() {
    const reader = this.#reader instanceof PerfScriptReader ? this.#reader : null;
    return reader?.isSplittable && this.#text.isUtf8 ? reader : null;
  }

  /** @param {import("./perf_script/parallel.js").SecondHalf} half the rest, as a thread read it */
  join(half) {
    this.#half = half;
    this.#inLine = half.inLine;
  }

  /** @param {Damage | null} damaged what is wrong with the compressed file */
  finish(damaged) {
    this.#take(this.#text.finish());
    if (!this.#reader && !this.#refused) this.#choose(this.#head.finish());
    // Recorders end their last line: an editor removed the newline, or the text was cut off.
    const isOpen = this.#inLine && !this.#format?.DETECTS_TRUNCATION;
    const lines = this.splittable?.line ?? 0;
    const isDamaged = damaged !== null;
    const own = this.#reader?.finish(isDamaged, isOpen && !isDamaged) ?? null;
    const folded = own && this.#half ? merged(own, this.#half, lines) : own;
    const damage = folded?.cutOff ? CUT_LINE : damaged;
    const format = this.#format?.FORMAT ?? "";
    const endsOpen = isOpen && !isDamaged && !folded?.cutOff;
    return { folded, damage, endsOpen, format, head: this.#head.bytes };
  }

  /** @param {Answer} format */
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

/** @typedef {import("./stacks/format.js").Format | "more" | null} Answer null where no reader takes it */

/**
 * The beginning of a capture. Readers look at all of it, so they are asked again only when it has doubled:
 * the work stays in proportion to the file, however small the chunks are.
 */
export class CaptureHead {
  #buffer = Buffer.alloc(0);
  #filled = 0;
  /** How much of it readers have looked at. */
  #seen = 0;

  /** The bytes so far, with which a reader begins. */
  get bytes() {
    return this.#buffer.subarray(0, this.#filled);
  }

  /**
   * @param {Uint8Array} chunk
   * @returns {Answer}
   */
  push(chunk) {
    const size = this.#filled + chunk.length;
    if (size > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(2 * size);
      this.bytes.copy(larger);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#filled);
    this.#filled = size;
    if (size < 2 * this.#seen) return "more";
    if (hasLines(this.bytes)) this.#filled = withoutLongEnd(this.bytes).length;
    this.#seen = this.#filled;
    return formatOf(this.bytes, false);
  }

  /**
   * Return the format of a capture that has ended.
   *
   * @returns {Answer}
   */
  finish() {
    return formatOf(this.bytes, true);
  }
}

/**
 * Return whether the format may be one of lines; JSON and drawings may be all one line, and pprof has none.
 *
 * @param {Buffer} head
 */
function hasLines(head) {
  return !/^\s*[{<]/.test(head.toString("latin1", 0, 64)) && !hasNoTextByte(head.subarray(0, 64));
}

/** Thrown to stop reading. */
class FormatDetected extends Error {}

/**
 * Return the name of a file's format, or null where no reader takes it.
 *
 * @param {string} path plain or compressed
 */
export async function recogniseFile(path) {
  const text = new Utf8Stream();
  const head = new CaptureHead();
  /** @type {Answer} */
  let format = "more";
  try {
    await readDecompressed(path, (chunk) => {
      format = head.push(text.push(chunk));
      if (format !== "more") throw new FormatDetected();
    });
  } catch (error) {
    if (!(error instanceof FormatDetected)) throw error;
  }
  if (format === "more") {
    head.push(text.finish());
    format = head.finish();
  }
  return format === null || format === "more" ? null : format.FORMAT;
}

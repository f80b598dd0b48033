/** Cuts a stream of chunks into whole lines, in bounded memory. */

import { Buffer } from "node:buffer";

/** Small enough that a chunk is still in the CPU's cache when its lines are looked at. */
export const CHUNK_SIZE = 2 ** 18;

const NEWLINE = 0x0a;

/** A longer line is skipped: no symbol is that long, and a hostile capture may be all one line. */
const LONGEST_LINE = 2 ** 20;

/**
 * Cut the last line of a text where it is longer than the longest that is read. It is still too long
 * for a LineBuffer, but takes no more memory than that.
 *
 * @param {Buffer} bytes
 */
export function withoutLongEnd(bytes) {
  const start = bytes.lastIndexOf(NEWLINE) + 1;
  return bytes.subarray(0, start + LONGEST_LINE + 1);
}

/** Bytes after the last line that a consumer may look at, so that it can load words at a time. */
const SLACK = 32;

/**
 * What takes the lines. `bytes[end - 1]` is a newline; the bytes are good until the call returns.
 *
 * @typedef {object} LineConsumer
 * @property {(bytes: Buffer, view: DataView, start: number, end: number) => void} lines
 * @property {() => void} lineTooLong called instead, for one line that is too long
 */

/**
 * One buffer for a whole stream: the rest of a chunk moves to its start, so that every line is in one
 * piece, whatever the chunks are.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(LONGEST_LINE + CHUNK_SIZE + 1 + SLACK);
  #view = new DataView(this.#bytes.buffer);
  #filled = 0;
  #inLongLine = false;
  #consumer;

  /** @param {LineConsumer} consumer */
  constructor(consumer) {
    this.#consumer = consumer;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    for (let at = 0; at < chunk.length; at += CHUNK_SIZE) {
      const part = chunk.subarray(at, at + CHUNK_SIZE);
      this.#bytes.set(part, this.#filled);
      this.#consume(this.#filled, this.#filled + part.length);
    }
  }

  /** End the last line, where the stream did not. */
  finish() {
    if (this.#filled > 0) this.push(Uint8Array.of(NEWLINE));
    else if (this.#inLongLine) this.#consumer.lineTooLong();
    this.#inLongLine = false;
  }

  /** The last line, where it has no end; empty where there is none, or one that is too long. */
  get unfinished() {
    return this.#bytes.toString("utf8", 0, this.#filled);
  }

  /** Forget a last line without its newline. */
  dropUnfinished() {
    const unfinished = this.#filled > 0 || this.#inLongLine;
    this.#filled = 0;
    this.#inLongLine = false;
    return unfinished;
  }

  /**
   * @param {number} seen where the new bytes begin
   * @param {number} filled
   */
  #consume(seen, filled) {
    const bytes = this.#bytes;
    let start = 0;
    if (this.#inLongLine) {
      const newline = bytes.subarray(seen, filled).indexOf(NEWLINE);
      if (newline < 0) {
        this.#filled = 0;
        return;
      }
      this.#inLongLine = false;
      this.#consumer.lineTooLong();
      start = seen + newline + 1;
    }
    const end = bytes.subarray(start, filled).lastIndexOf(NEWLINE) + 1 + start;
    if (end > start) this.#consumeShort(start, end);
    bytes.copyWithin(0, end, filled);
    this.#filled = filled - end;
    if (this.#filled > LONGEST_LINE) {
      this.#filled = 0;
      this.#inLongLine = true;
    }
  }

  /**
   * Pass on the lines that are not too long. Only the first can be: it began in an earlier chunk.
   *
   * @param {number} start
   * @param {number} end
   */
  #consumeShort(start, end) {
    const first = this.#bytes.indexOf(NEWLINE, start) + 1;
    if (first - start - 1 > LONGEST_LINE) {
      this.#consumer.lineTooLong();
      start = first;
    }
    if (start < end) this.#consumer.lines(this.#bytes, this.#view, start, end);
  }
}

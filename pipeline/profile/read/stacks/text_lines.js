/** A capture's lines as text, one at a time: for formats whose captures are small. */

import { LineBuffer } from "../input/lines.js";
import { ENDS_TOO_EARLY, LONG_LINE } from "./skipped.js";

const NEWLINE = 0x0a;

export class TextLines {
  #buffer = new LineBuffer(this);
  #take;
  #skipped;
  #encoding;
  /** The number of the last line, counted from 1. */
  number = 0;

  /**
   * @param {(line: string | null) => void} take takes each line without its end; null replaces
   *   one that is too long, which is counted as skipped
   * @param {import("./skipped.js").SkippedCounts} skipped
   * @param {BufferEncoding} [encoding]
   */
  constructor(take, skipped, encoding = "utf8") {
    this.#take = take;
    this.#skipped = skipped;
    this.#encoding = encoding;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#buffer.push(chunk);
  }

  /** The last line, where it has no end. */
  get unfinished() {
    return this.#buffer.unfinished;
  }

  /** Forget a last line without its end; return whether there was one. */
  dropUnfinished() {
    return this.#buffer.dropUnfinished();
  }

  /**
   * End the text.
   *
   * @param {boolean} [isCut] whether a last line without an end is not whole: it is skipped
   */
  finish(isCut = false) {
    if (isCut && this.dropUnfinished()) {
      this.#skipped.add(`line ${ENDS_TOO_EARLY}`, this.number + 1);
    }
    this.#buffer.finish();
  }

  lineTooLong() {
    this.number++;
    this.#take(null);
    this.#skipped.add(LONG_LINE, this.number);
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
      this.number++;
      this.#take(bytes.toString(this.#encoding, at, next - 1).replace(/\r$/, ""));
      at = next;
    }
  }
}

/** What readers of text have in common: they take lines, and count what they skip. */

import { LineBuffer } from "../input/lines.js";
import { ENDS_TOO_EARLY, LONG_LINE, SkippedCounts } from "./skipped.js";

const NEWLINE = 0x0a;

/** Reads lines as bytes: for formats whose captures are large. */
export class LineReader {
  #buffer = new LineBuffer(this);
  skipped = new SkippedCounts();
  /** The number of the last line, counted from 1. */
  line = 0;

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
  endLines(isCut = false) {
    if (isCut && this.dropUnfinished()) {
      this.skipped.add(`line ${ENDS_TOO_EARLY}`, this.line + 1);
    }
    this.#buffer.finish();
  }

  lineTooLong() {
    this.line++;
    this.skipped.add(LONG_LINE, this.line);
  }

  /**
   * Take whole lines; each reader does it in its own way.
   *
   * @param {Buffer} _bytes
   * @param {DataView} _view of the same bytes
   * @param {number} _start
   * @param {number} _end after the last newline
   */
  lines(_bytes, _view, _start, _end) {
    throw new Error("a reader takes lines");
  }
}

/** Reads lines as text, one at a time: for formats whose captures are small. */
export class TextReader extends LineReader {
  /** @type {BufferEncoding} */
  encoding = "utf8";

  lineTooLong() {
    super.lineTooLong();
    this.takeLine(null);
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
      this.takeLine(bytes.toString(this.encoding, at, next - 1).replace(/\r$/, ""));
      at = next;
    }
  }

  /**
   * Take a line without its end; each reader does it in its own way.
   *
   * @param {string | null} _line null in place of one that is too long, which is counted as skipped
   */
  takeLine(_line) {
    throw new Error("a reader takes lines");
  }
}

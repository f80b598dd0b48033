/**
 * Converts UTF-16, which PowerShell's `>` and some editors write, to UTF-8, and drops the byte order mark
 * that other editors put before UTF-8. Everything else passes unchanged.
 */

import { Buffer } from "node:buffer";

/** Bytes that are held back until the encoding is known, or the text ends. */
const ENOUGH = 64;

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const NOTHING = Buffer.alloc(0);

export class Utf8Stream {
  #held = NOTHING;
  #known = false;
  /** @type {TextDecoder | null} null where the bytes are not UTF-16 */
  #decoder = null;

  /** Whether bytes pass as they are. */
  get isUtf8() {
    return this.#decoder === null;
  }

  /**
   * Return what a chunk adds, in UTF-8; it may be nothing yet.
   *
   * @param {Uint8Array} chunk
   * @returns {Uint8Array}
   */
  push(chunk) {
    if (this.#known) return this.#decoded(chunk);
    if (this.#held.length + chunk.length < ENOUGH) {
      this.#held = Buffer.concat([this.#held, chunk]);
      return NOTHING;
    }
    return this.#first(this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk);
  }

  /** Return what was held back; half a letter is U+FFFD. */
  finish() {
    const rest = this.#known ? NOTHING : this.#first(this.#held);
    return Buffer.concat([rest, Buffer.from(this.#decoder?.decode() ?? "")]);
  }

  /** @param {Uint8Array} bytes */
  #first(bytes) {
    this.#known = true;
    const encoding = utf16In(bytes);
    if (encoding !== null)
      this.#decoder = new TextDecoder(encoding); // it drops the mark
    else if (UTF8_MARK.equals(bytes.subarray(0, 3))) return bytes.subarray(3);
    return this.#decoded(bytes);
  }

  /** @param {Uint8Array} bytes */
  #decoded(bytes) {
    if (this.#decoder === null) return bytes;
    return Buffer.from(this.#decoder.decode(bytes, { stream: true }));
  }
}

/**
 * Recognise UTF-16 by its byte order mark (U+FEFF), or by the zero byte in each ASCII letter.
 *
 * @param {Uint8Array} bytes the first of a text
 * @returns {"utf-16le" | "utf-16be" | null}
 */
function utf16In(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const first = bytes.subarray(0, Math.min(bytes.length, ENOUGH) & ~1);
  const high = first.filter((_, at) => at % 2 === 1);
  const low = first.filter((_, at) => at % 2 === 0);
  if (first.length < 4) return null;
  if (high.every((byte) => byte === 0) && low.every((byte) => byte !== 0)) return "utf-16le";
  if (low.every((byte) => byte === 0) && high.every((byte) => byte !== 0)) return "utf-16be";
  return null;
}

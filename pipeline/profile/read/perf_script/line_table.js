/**
 * Recognises repeated raw lines, so that a line is parsed once however often a capture has it: of ten
 * million frame lines, some ninety thousand differ.
 *
 * Mostly a line follows the same line as the last time, as callers do; else it is found by a hash of
 * its bytes 4 to 23, where address and symbol begin. It is compared with the stored one to the
 * newline, which thereby is found without a search.
 *
 * What one line needs is stored together, because waiting for memory is most of the work.
 */

import { withRoom } from "../../model/columns.js";

/** Where the raw lines alone pass this, another table takes over: memory stays bounded. */
const MOST_BYTES = 2 ** 25;

/** Lines are compared so many bytes at a time. Shorter ones are not worth a place. */
const WORD = 8;

/**
 * The columns of a line: where its bytes begin and end, the line that followed it last, and its frame,
 * the only one of most lines; of others, -1 - an index of `#several`.
 */
const START = 0;
const END = 1;
const FOLLOWER = 2;
const FRAME = 3;
const COLUMNS = 4;

/** A slot is a hash and, after it, a line + 1. */
const EMPTY = 0;

/**
 * Slots that are looked at for a line. A hostile capture has any number of lines that begin alike:
 * those that find no place are read again each time, which costs less than to look at all the others.
 */
const MOST_SLOTS = 64;

const TAB = 0x09;
const SPACE = 0x20;

export class LineTable {
  #bytes = new Uint8Array(2 ** 16);
  #view = new DataView(this.#bytes.buffer);
  /** A line is the index of its first column. */
  #lines = new Int32Array(2 ** 12);
  #size = 0;
  #last = 0;
  #slots = new Int32Array(2 ** 11);

  /** @type {number[][]} the frames of lines that name inlined functions as well, or none */
  #several = [];

  /** Where `take()` stopped. */
  end = 0;
  /** How many lines it took. */
  taken = 0;

  /**
   * Take indented lines as long as they are known, and put their frames into a column; those that
   * it has no room for are counted only.
   *
   * @param {DataView} view readable for 24 bytes after `end`
   * @param {number} start
   * @param {number} end
   * @param {Int32Array} frames
   * @param {number} count where in `frames` to begin
   * @returns {number} where in `frames` they end
   */
  take(view, start, end, frames, count) {
    const lines = this.#lines;
    const stored = this.#view;
    let last = this.#last;
    let taken = 0;
    let at = start;
    while (at < end && isIndented(view.getUint8(at))) {
      let line = lines[last + FOLLOWER];
      if (!equals(stored, lines[line + START], lines[line + END], view, at)) {
        line = this.#find(view, at);
        if (line < 0) break;
        lines[last + FOLLOWER] = line;
      }
      last = line;
      at += lines[line + END] - lines[line + START];
      taken++;
      const frame = lines[line + FRAME];
      // a typed array ignores what is put after its end
      if (frame >= 0) frames[count++] = frame;
      else for (const one of this.#several[-1 - frame]) frames[count++] = one;
    }
    this.#last = last;
    this.end = at;
    this.taken = taken;
    return count;
  }

  /**
   * Return the line that begins at a place, or -1.
   *
   * @param {DataView} view
   * @param {number} start
   */
  #find(view, start) {
    const lines = this.#lines;
    const slots = this.#slots;
    const mask = slots.length - 2;
    const hash = hashOf(view, start);
    const begin = hash << 1;
    for (let at = begin; at < begin + 2 * MOST_SLOTS; at += 2) {
      const slot = at & mask;
      if (slots[slot + 1] === EMPTY) break;
      if (slots[slot] !== hash) continue;
      const line = slots[slot + 1] - 1;
      if (equals(this.#view, lines[line + START], lines[line + END], view, start)) return line;
    }
    return -1;
  }

  /**
   * Keep the frames of an indented line that `take()` stopped at.
   *
   * @param {Uint8Array} bytes
   * @param {DataView} view of the same bytes
   * @param {number} start
   * @param {number} end after the newline
   * @param {number[]} frames
   */
  insert(bytes, view, start, end, frames) {
    if (end - start < WORD) return;
    const frame = frames.length === 1 ? frames[0] : -this.#several.push(frames);
    const line = this.#size;
    const begin = this.#bytesUsed();
    this.#append(bytes.subarray(start, end), begin);
    this.#size += COLUMNS;
    this.#lines = withRoom(this.#lines, this.#size);
    this.#lines.set([begin, begin + end - start, line, frame], line);
    this.#lines[this.#last + FOLLOWER] = line;
    this.#last = line;
    if (this.#size > this.#slots.length) this.#rehash();
    this.#place(line, hashOf(view, start));
  }

  /** Whether it has taken as much memory as it may. */
  get isFull() {
    return this.#bytesUsed() > MOST_BYTES;
  }

  #bytesUsed() {
    return this.#size === 0 ? 0 : this.#lines[this.#size - COLUMNS + END];
  }

  /**
   * @param {Uint8Array} line
   * @param {number} begin
   */
  #append(line, begin) {
    const bytes = withRoom(this.#bytes, begin + line.length);
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    bytes.set(line, begin);
  }

  /** Make room for twice as many lines: a table half full finds nearly all in their first slot. */
  #rehash() {
    const slots = this.#slots;
    this.#slots = new Int32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) {
      if (slots[slot + 1] !== EMPTY) this.#place(slots[slot + 1] - 1, slots[slot]);
    }
  }

  /**
   * @param {number} line
   * @param {number} hash
   */
  #place(line, hash) {
    const slots = this.#slots;
    const mask = slots.length - 2;
    const begin = hash << 1;
    for (let at = begin; at < begin + 2 * MOST_SLOTS; at += 2) {
      const slot = at & mask;
      if (slots[slot + 1] !== EMPTY) continue;
      slots[slot] = hash;
      slots[slot + 1] = line + 1;
      return;
    }
  }
}

/** @param {number} byte */
export function isIndented(byte) {
  return byte === TAB || byte === SPACE;
}

/**
 * @param {DataView} stored
 * @param {number} begin
 * @param {number} end
 * @param {DataView} view
 * @param {number} start
 */
function equals(stored, begin, end, view, start) {
  const lastWord = end - WORD;
  if (lastWord < begin) return false; // there is no line yet
  const shift = start - begin;
  for (let at = begin; at < lastWord; at += WORD) {
    if (stored.getBigInt64(at, true) !== view.getBigInt64(at + shift, true)) return false;
  }
  return stored.getBigInt64(lastWord, true) === view.getBigInt64(lastWord + shift, true);
}

/**
 * Hash the line's beginning. Of a line shorter than 24 bytes, what follows it counts too: it may
 * be kept more than once.
 *
 * @param {DataView} view
 * @param {number} start
 */
function hashOf(view, start) {
  let hash = view.getInt32(start + 4, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 8, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 12, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 16, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 20, true);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

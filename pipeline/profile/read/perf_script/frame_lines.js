/**
 * The frames of lines that were read before: of most lines one, of a line that names inlined
 * functions as well several, of a line about the one above none.
 */

import { LineTable } from "./line_table.js";

export class FrameLines {
  #table = new LineTable();
  /** @type {number[][]} the frames of a line whose value is -1 - an index, not the only frame */
  #several = [];

  /** Where `take()` stopped. */
  end = 0;
  /** How many lines it took. */
  taken = 0;

  /**
   * Take indented lines as long as they are known, and put their frames into a column; those that
   * it has no room for are counted only.
   *
   * @param {DataView} view readable for 24 bytes behind `end`
   * @param {number} start
   * @param {number} end
   * @param {Int32Array} frames
   * @param {number} count where in `frames` to begin
   * @returns {number} where in `frames` they end
   */
  take(view, start, end, frames, count) {
    const table = this.#table;
    let taken = 0;
    let at = start;
    do {
      const after = table.take(view, at, end, frames, count);
      taken += after - count;
      count = after;
      at = table.end;
      if (table.stopped < 0) {
        taken++;
        for (const frame of this.#several[-table.stopped - 1]) frames[count++] = frame;
      }
    } while (table.stopped < 0);
    this.end = at;
    this.taken = taken;
    return count;
  }

  /**
   * Keep the frames of an indented line that `take()` stopped at.
   *
   * @param {Uint8Array} bytes
   * @param {DataView} view of the same bytes
   * @param {number} start
   * @param {number} end behind the newline
   * @param {number[]} frames
   */
  insert(bytes, view, start, end, frames) {
    const value = frames.length === 1 ? frames[0] : -this.#several.push(frames);
    this.#table.insert(bytes, view, start, end, value);
    if (this.#table.isFull()) this.clear();
  }

  clear() {
    this.#table = new LineTable();
    this.#several = [];
  }
}

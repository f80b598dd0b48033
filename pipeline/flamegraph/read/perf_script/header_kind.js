/**
 * What the headers of a capture look like. Most tell a CPU, a time, or a thread and an event, and
 * then all do. Those of few fields, which `perf script -F` can ask for, look like anything:
 *
 *     IO 2 bg 28081
 *     \t          3d6b4c vfs_read ([kernel.kallsyms])
 *
 * Only the frame below tells such a header. Until a header tells more, a line is kept to see what
 * follows it, and the first sample under such a line is held back: it may be what is left of a
 * sample whose header was cut off with the beginning of the text.
 */

import { parseUnplacedHeader } from "./header.js";
import { PADDED_FRAME } from "./line_kinds.js";

const NO_HEADER = "line outside of a sample that is no header";

export class HeaderKind {
  #skipped;
  #samples;
  /** Whether headers tell a CPU or a time, or a thread and an event. */
  isPlaced = false;
  /** @type {{ text: string, line: number } | null} a header if the next line is a frame */
  #unclear = null;
  /** How many samples began at a header of few fields. */
  #begun = 0;
  /** @type {import("./samples.js").Sample | null} the first of them */
  #first = null;

  /**
   * @param {import("../skipped.js").SkippedCounts} skipped
   * @param {import("./samples.js").Samples} samples
   */
  constructor(skipped, samples) {
    this.#skipped = skipped;
    this.#samples = samples;
  }

  /** Learn that headers tell more: what was held back has lost its own. */
  setPlaced() {
    this.isPlaced = true;
    this.#keep(null);
    if (this.#first) this.#skipped.add("stack without a header", this.#first.line);
    this.#first = null;
  }

  /** Whether the sample that is being read is to be held back. */
  get isFirst() {
    return this.#begun === 1 && !this.isPlaced;
  }

  /** @param {import("./samples.js").Sample | null} sample */
  holdBack(sample) {
    this.#first ??= sample;
  }

  /**
   * Take a line that is no known header and stands outside of samples.
   *
   * @param {string} text
   * @param {number} line
   */
  lineOutside(text, line) {
    if (!this.isPlaced && !text.startsWith("\t")) this.#keep({ text, line });
    else if (text !== "") this.#skipped.add(NO_HEADER, line);
  }

  /**
   * Return the header that the line above is, if a line is a frame; null where it is none.
   *
   * @param {string} text of the line
   * @param {number} line
   */
  headerAbove(text, line) {
    const above = this.#unclear;
    if (this.isPlaced || above?.line !== line - 1 || !PADDED_FRAME.test(text)) return null;
    const header = parseUnplacedHeader(above.text);
    if (!header) return null;
    this.#unclear = null;
    this.#countFirst();
    this.#begun++;
    return header;
  }

  /** Take what was held back for what it looked like: nothing follows. */
  finish() {
    this.#countFirst();
    this.#keep(null);
  }

  #countFirst() {
    if (this.#first) this.#samples.count(this.#first);
    this.#first = null;
  }

  /** @param {{ text: string, line: number } | null} unclear */
  #keep(unclear) {
    if (this.#unclear?.text) this.#skipped.add(NO_HEADER, this.#unclear.line);
    this.#unclear = unclear;
  }
}

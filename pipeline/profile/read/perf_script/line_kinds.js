/**
 * Recognises perf script text, its lines, and what the headers of a capture look like. Most headers have a
 * CPU, a time, or a thread and an event, and then all do. Those of few fields, which `perf script -F` can
 * ask for, look like anything:
 *
 *     IO 2 bg 28081
 *     \t          3d6b4c vfs_read ([kernel.kallsyms])
 *
 * Only the frame below identifies such a header. Until a header has more, a line is kept to see what
 * follows it, and the first sample under such a line is held back: it may be what is left of a
 * sample whose header was cut off with the beginning of the text.
 */

import { parseHeader, parseUnplacedHeader } from "./header.js";

/** Warnings, a shell's noise or a stack that lost its header may be before the first sample. */
const LINES_TO_SEE = 1000;

/**
 * Recognise a capture: it is perf script text when one of its first lines is the header of a sample
 * beyond doubt, or may be one and a stack follows. "Running the test with 16 threads:" looks like a
 * header too.
 *
 * @type {import("../stacks/format.js").Recognise}
 */
export function recognise({ lines }) {
  let seen = 0;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? "";
    // a header of few fields is known by the frame below it alone; with -F ip,sym it is empty
    if (PADDED_FRAME.test(next) && !/^[\t#]/.test(line)) return "yes";
    if (isComment(line) || line.trim() === "") continue;
    if (RECORD.test(line)) return "yes";
    const header = parseHeader(line);
    if (header?.certain || (header && FRAME_BELOW.test(next))) return "yes";
    if (++seen === LINES_TO_SEE) return "no";
  }
  return "more";
}

/**
 * A frame's line below the header of its sample: `\t          3d6b4c vfs_read`; where blanks were
 * lost, the rest has to be there: `ffffffff8103d0ca vfs_read ([kernel.kallsyms])`.
 */
const FRAME_BELOW = /^(?:(?:\t| {4}) *[0-9a-f]+(?: |$)|[0-9a-f]{8,16} \S.* \(\S.*\)$)/;

/**
 * Distinguish perf's own `# captured on : …` from the header of a thread that is called `#1`.
 *
 * @param {string} line
 */
export function isComment(line) {
  return line.startsWith("#") && !(/^#[^\s#]/.test(line) && parseHeader(line)?.certain);
}

/** The same as perf prints it: the address fills 16 columns. */
const PADDED_FRAME = /^\t(?=[ 0-9a-f]{16}(?:\s|$)) *[0-9a-f]+(?:\s|$)/;

/**
 * `perf 23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34`: with --show-lost-events and its like. The
 * name is shown to people: the longest that perf has is half as long as allowed here.
 */
export const RECORD = /(?:^|\s)PERF_RECORD_(?<type>[A-Z0-9_]{1,40})(?:.*lost:?\s*(?<lost>\d+))?/;

/**
 * Lines with the source position of a frame, of which a profile knows nothing:
 *
 *       main.c:12                            -F srcline
 *       libc.so.6[891f5]
 *       :0                                   -F srcline, where it is not known
 *     |12       for (i = 0; i < n; i++)      -F srccode
 */
export const POSITION = /^ {2}(?=\S).*(?::\d+|\[[0-9a-f]+\])(?: \(discriminator \d+\))?$|^\|\d+\s/;

/** The same of a frame whose own line does not say so: `  stl_algo.h:1964 (inlined)`. */
export const INLINED_POSITION = /^ {2}(?=\S).*(?::\d+|\[[0-9a-f]+\]) \(inlined\)$/;

/** Lines below the stack instead of an empty line: ` insn: 48 83 c0 01`, ` ilen: 4`. */
export const INSTRUCTION = /^ (?:insn|ilen): /;

const NO_HEADER = "line outside of a sample that is no header";

export class HeaderKind {
  #skipped;
  #samples;
  /** Whether headers have a CPU or a time, or a thread and an event. */
  isPlaced = false;
  /** @type {{ text: string, line: number } | null} a header if the next line is a frame */
  #unclear = null;
  /** How many samples began at a header of few fields. */
  #begun = 0;
  /** @type {import("./samples.js").Sample | null} the first of them */
  #first = null;

  /**
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   * @param {import("./samples.js").Samples} samples
   */
  constructor(skipped, samples) {
    this.#skipped = skipped;
    this.#samples = samples;
  }

  /** Note that headers have a CPU or a time: the sample that was held back has lost its header. */
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
   * Take a line that is not a known header and is outside of samples.
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

  /**
   * End the text: the sample that was held back counts, and a line that nothing follows is no
   * header.
   */
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

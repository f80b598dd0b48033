/** The lines of perf script text by their looks, and the text by its lines. */

import { parseHeader } from "./header.js";

/** Warnings, a shell's noise or a stack that lost its header may stand before the first sample. */
const LINES_TO_SEE = 1000;

/**
 * Recognise a capture: it is perf script text when one of its first lines is the header of a sample
 * beyond doubt, or may be one and a stack follows. "Running the test with 16 threads:" looks like a
 * header too.
 *
 * @type {import("../formats.js").Recognise}
 */
export function recognise({ lines }) {
  let seen = 0;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1] ?? "";
    if (isUnplacedHeader(line, next)) return "yes";
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
 * Tell perf's own `# captured on : …` from the header of a thread that is called `#1`.
 *
 * @param {string} line
 */
export function isComment(line) {
  return line.startsWith("#") && !(/^#[^\s#]/.test(line) && parseHeader(line)?.certain);
}

/** The same as perf prints it: the address fills 16 columns. */
export const PADDED_FRAME = /^\t(?=[ 0-9a-f]{16}(?:\s|$)) *[0-9a-f]+(?:\s|$)/;

/**
 * Tell the header of a sample of few fields by the frame below it: it looks like anything or, with
 * -F ip,sym, is empty.
 *
 * @param {string} line
 * @param {string} next
 */
function isUnplacedHeader(line, next) {
  return PADDED_FRAME.test(next) && !/^[\t#]/.test(line);
}

/** `perf 23 [000] 12.3: PERF_RECORD_LOST id:1: lost:34`: with --show-lost-events and its like. */
export const RECORD = /(?:^|\s)PERF_RECORD_(?<type>[A-Z0-9_]+)(?:.*lost:?\s*(?<lost>\d+))?/;

/**
 * Lines that tell where a frame stands in its source, of which a profile knows nothing:
 *
 *       main.c:12                            -F srcline
 *       libc.so.6[891f5]
 *       :0                                   -F srcline, where it is not known
 *     |12       for (i = 0; i < n; i++)      -F srccode
 */
export const POSITION = /^ {2}(?=\S).*(?::\d+|\[[0-9a-f]+\])(?: \(discriminator \d+\))?$|^\|\d+\s/;

/** The same of a frame whose own line does not say so: `  stl_algo.h:1964 (inlined)`. */
export const INLINED_POSITION = /^ {2}(?=\S).*(?::\d+|\[[0-9a-f]+\]) \(inlined\)$/;

/** What stands below the stack instead of an empty line: ` insn: 48 83 c0 01`, ` ilen: 4`. */
export const INSTRUCTION = /^ (?:insn|ilen): /;

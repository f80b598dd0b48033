/**
 * Which reader a file is for. Readers are asked in turn and answer by content: yes, no, or more
 * when the lines seen do not tell.
 */

import * as bpftrace from "./bpftrace/reader.js";
import * as debuggerStacks from "./debugger_stacks/reader.js";
import * as flamegraphSvg from "./flamegraph_svg/reader.js";
import * as folded from "./folded/reader.js";
import * as perfReport from "./perf_report/reader.js";
import * as perfScript from "./perf_script/reader.js";
import * as performanceSchema from "./performance_schema/reader.js";
import * as pprof from "./pprof/reader.js";
import * as speedscope from "./speedscope/reader.js";

/**
 * What a reader made of a capture.
 *
 * @typedef {object} Folded
 * @property {FoldedEvent[]} events
 * @property {number} lost samples that the recorder says it lost
 * @property {boolean} partial whether the capture says that it is not whole
 * @property {boolean} [cutOff] whether the last line is only part of one, where it has no end
 * @property {string} [sharesOnly] why weights tell shares, but not what an operation or a second
 *   costs, where that is so
 * @property {import("../profile.js").Skipped[]} skipped
 * @property {import("../profile.js").Label[]} [labels] what the capture says of samples besides
 *
 * @typedef {object} FoldedEvent
 * @property {string} event
 * @property {string} [unit] what the capture says that a weight of 1 is; else the event tells
 *   (units.js)
 * @property {import("../profile_builder.js").ProfileBuilder} builder
 * @property {number | null} samples
 * @property {boolean} samplesByNode
 * @property {string} [doubt] why the weights cannot count what `run.toml` says of them; then they
 *   are taken for samples
 *
 * @typedef {object} CaptureReader
 * @property {(chunk: Uint8Array) => void} push
 * @property {(partial: boolean, isOpen?: boolean) => Folded} finish takes whether the text ends too
 *   early, and whether its last line has no end: it may be whole, as editors leave it, or be cut off
 *
 * @typedef {object} Head the beginning of a capture, unpacked
 * @property {Buffer} bytes
 * @property {string[]} lines its whole lines, without their ends
 *
 * @callback Recognise
 * @param {Head} head
 * @returns {"yes" | "no" | "more"}
 *
 * @typedef {object} Format a folder of this one, or rather its `reader.js`
 * @property {string} FORMAT its name in `run.toml` and in profiles
 * @property {Recognise} recognise
 * @property {new (event?: string, labels?: string[]) => CaptureReader} Reader takes the event that
 *   the capture does not tell, and the keys of labels that become frames
 * @property {boolean} [TELLS_ITS_END] whether its reader sees itself where a capture ends too early;
 *   of the others the last line has to end
 */

/** In the order in which they are asked: those that cannot be wrong come first. */
const FORMATS = /** @type {Format[]} */ ([
  pprof,
  speedscope,
  flamegraphSvg,
  perfReport,
  bpftrace,
  debuggerStacks,
  perfScript,
  performanceSchema,
  folded,
]);

/** Bytes after which a file has had its chance: perf's own head of comments is far shorter. */
const LONGEST_HEAD = 2 ** 22;

/** Bytes that nearly always tell, and are looked at faster than a whole chunk. */
const FIRST_LOOK = 2 ** 15;

/**
 * @param {Buffer} bytes the first of a file
 * @param {boolean} whole whether they are all there are
 * @returns {Format | "more" | null} null where no reader takes it
 */
export function formatOf(bytes, whole) {
  if (bytes.length > FIRST_LOOK) {
    const format = formatOf(bytes.subarray(0, FIRST_LOOK), false);
    if (format !== null && format !== "more") return format;
  }
  const ended = whole || bytes.length >= LONGEST_HEAD;
  const lines = bytes.toString("utf8").split(/\r?\n/);
  if (!ended) lines.pop(); // it may go on in the next chunk
  for (const format of FORMATS) {
    const answer = format.recognise({ bytes, lines });
    if (answer === "yes") return format;
    if (answer === "more" && !ended) return "more";
  }
  return null;
}

/**
 * Return the format of a name, as `run.toml` states it where content would be misread.
 *
 * @param {string} name
 */
export function formatNamed(name) {
  return FORMATS.find(({ FORMAT }) => FORMAT === name) ?? null;
}

export const FORMAT_NAMES = FORMATS.map(({ FORMAT }) => FORMAT);

/** What else lab hosts have lying about, and how to make a capture of it. */
const OTHERS = [
  {
    start: /^PERFILE2/,
    found: "a perf.data file",
    do:
      "fold it, unpacked, on the host that recorded it, which has its symbols: perfpress fold " +
      "perf.data -o perf.folded.gz, or: perf script --no-inline > perf.txt",
  },
  {
    start: /^.{8}Mac OS X {8}/s,
    found: "what macOS keeps of a file beside it (._ before its name)",
    do: "leave it out",
  },
  {
    start: /^\s*<.*ERROR: No valid input/s,
    found: "the drawing of an error: No valid input",
    do: "leave it out: there were no stacks to draw",
  },
  {
    start: /^\s*<.*class="flame-graph"/s,
    found: "a flame graph of Perfpress",
    do: "take the profile or the folded stacks that are published beside it",
  },
  {
    start: /^\s*(?:<\?xml|<!DOCTYPE|<svg|<html)/i,
    found: "a drawing or a page without a flame graph of flamegraph.pl or inferno",
    do: "keep the folded stacks that it was drawn from",
  },
  { start: /^\s*[{[]/, found: "JSON that is no profile", do: "" },
];

/**
 * Describe a file that no reader takes, in words for its author.
 *
 * @param {Buffer} head
 * @returns {{ found: string, do: string }}
 */
export function describeOther(head) {
  const text = head.toString("latin1", 0, 4096);
  if (text.trim() === "")
    return { found: "nothing", do: "check that the recorder ran long enough" };
  const other = OTHERS.find(({ start }) => start.test(text));
  if (other) return other;
  if (folded.isDiff(head.toString("utf8").split(/\r?\n/).slice(0, -1))) {
    return {
      found: "folded stacks with two weights a line, as a diff of two captures has them",
      do: "give the captures themselves; or, where names end in numbers, state the format: folded",
    };
  }
  const binary = text.includes("\0") ? "binary data" : "text of another kind";
  return { found: binary, do: "fold it with its own tool, or leave it out of the captures" };
}

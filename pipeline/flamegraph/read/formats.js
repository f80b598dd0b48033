/**
 * Which reader a file is for. Readers are asked in turn and answer by content: yes, no, or more
 * when the lines seen do not tell.
 */

import * as folded from "./folded.js";
import * as perfScript from "./perf_script.js";

/**
 * What a reader made of a capture.
 *
 * @typedef {object} Folded
 * @property {FoldedEvent[]} events
 * @property {number} lost samples that the recorder says it lost
 * @property {boolean} partial whether the capture says that it is not whole
 * @property {import("../profile.js").Skipped[]} skipped
 *
 * @typedef {object} FoldedEvent
 * @property {string} event
 * @property {import("../profile_builder.js").ProfileBuilder} builder
 * @property {number | null} samples
 * @property {boolean} samplesByNode
 *
 * @typedef {object} CaptureReader
 * @property {(chunk: Uint8Array) => void} push
 * @property {(partial: boolean) => Folded} finish
 *
 * @callback Recognise
 * @param {string[]} lines the first lines of the file, without their ends
 * @returns {"yes" | "no" | "more"}
 */

const READERS = [
  {
    format: perfScript.FORMAT,
    recognise: perfScript.recognise,
    Reader: perfScript.PerfScriptReader,
  },
  { format: folded.FORMAT, recognise: folded.recognise, Reader: folded.FoldedReader },
];

/** Bytes after which a file has had its chance: perf's own head of comments is far shorter. */
const LONGEST_HEAD = 2 ** 22;

/**
 * @param {Buffer} head the first bytes of a file
 * @param {boolean} whole whether they are all there are
 * @returns {typeof READERS[number] | "more" | null} null where no reader takes it
 */
export function readerFor(head, whole) {
  const ended = whole || head.length >= LONGEST_HEAD;
  const lines = head.toString("utf8").split(/\r?\n/);
  if (!ended) lines.pop(); // it may go on in the next chunk
  for (const reader of READERS) {
    const answer = reader.recognise(lines);
    if (answer === "yes") return reader;
    if (answer === "more" && !ended) return "more";
  }
  return null;
}

/** What else lab hosts have lying about, and how to make a capture of it. */
const OTHERS = [
  {
    start: /^PERFILE2/,
    found: "a perf.data file",
    do: "write it as text: perf script --no-inline",
  },
  {
    start: /^\s*(?:<\?xml|<!DOCTYPE|<svg|<html)/i,
    found: "a drawing or a page",
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
  const binary = text.includes("\0") ? "binary data" : "text of another kind";
  return { found: binary, do: "fold it with its own tool, or leave it out of the captures" };
}

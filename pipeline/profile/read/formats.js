/**
 * Finds the reader of a capture by its content. Readers are asked in turn and answer yes, no, or more
 * where what they have seen is not enough. A reader is loaded when it is first asked, and most are never
 * asked: folding a small capture is mostly loading code.
 */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** @typedef {import("./stacks/format.js").Format} Format */

/**
 * In the order in which they are asked: those that cannot be wrong come first. `mayBe` saves loading a reader.
 *
 * @type {{ name: string, mayBe?: (bytes: Buffer) => boolean }[]}
 */
const FORMATS = [
  {
    name: "pprof",
    // It has bytes that no text has: its ids begin at 1, and its first string is empty.
    mayBe: (bytes) => bytes.subarray(0, FIRST_LOOK).some((byte) => byte < 0x07),
  },
  {
    name: "speedscope",
    mayBe: (bytes) => FIRST_LETTER.exec(bytes.toString("latin1"))?.[0] === "{",
  },
  { name: "flamegraph-svg", mayBe: (bytes) => FIRST_LETTER.exec(bytes.toString())?.[0] === "<" },
  { name: "perf-report" },
  { name: "bpftrace" },
  { name: "perf-script" },
  { name: "debugger-stacks" },
  { name: "performance-schema" },
  { name: "folded" },
];

/** The first character after white space and a byte order mark, which is white space to Unicode. */
const FIRST_LETTER = /\S/;

/** Recognition gives up after this many bytes: perf's own head of comments is far shorter. */
const LONGEST_HEAD = 2 ** 22;

/** A text has no zero bytes here, but may have been damaged further on. */
const BEGINNING = 2 ** 12;

/** Lines that are needed to recognise a format after lines of another kind: fewer may match by chance. */
const LEAST_LINES = 10;

/** These bytes nearly always identify a format, and are read faster than a whole chunk. */
const FIRST_LOOK = 2 ** 15;

/**
 * @param {Buffer} bytes the first of a file
 * @param {boolean} whole whether they are all there are
 * @returns {Format | "more" | null} null where no reader takes it
 */
export function formatOf(bytes, whole) {
  if (compressedIn(bytes)) return null;
  if (bytes.length > FIRST_LOOK) {
    const format = formatOf(bytes.subarray(0, FIRST_LOOK), false);
    if (format !== null && format !== "more") return format;
  }
  const ended = whole || bytes.length >= LONGEST_HEAD;
  const lines = bytes.toString("utf8").split(/\r?\n/);
  if (!ended) lines.pop(); // it may go on in the next chunk
  const isText = !bytes.subarray(0, BEGINNING).includes(0);
  for (const { name, mayBe = () => isText } of FORMATS) {
    if (!mayBe(bytes)) continue;
    const format = formatOfName(name);
    const answer = format.recognise({ bytes, lines });
    if (answer === "yes") return format;
    if (answer === "more" && !ended) return "more";
  }
  if (!isText) return null;
  return ended ? formatBehind(bytes, lines) : "more";
}

/**
 * Return the format of a text that begins with lines of another kind, such as messages of a shell or a tool:
 * that of ever shorter ends of what was seen.
 *
 * @param {Buffer} bytes
 * @param {string[]} lines
 * @returns {Format | null}
 */
function formatBehind(bytes, lines) {
  for (let rest = lines; ; ) {
    rest = rest.slice(Math.ceil(rest.length / 4));
    if (rest.length < LEAST_LINES) return null;
    for (const { name, mayBe } of FORMATS) {
      const format = mayBe ? null : formatOfName(name);
      if (format?.recognise({ bytes, lines: rest }) === "yes") return format;
    }
  }
}

/**
 * @param {string} name of one of FORMATS
 * @returns {Format}
 */
function formatOfName(name) {
  return require(`./${name.replaceAll("-", "_")}/reader.js`);
}

/**
 * Return the format of a name, as `run.toml` states it where content would be misread.
 *
 * @param {string} name
 */
export function formatNamed(name) {
  return FORMAT_NAMES.includes(name) ? formatOfName(name) : null;
}

export const FORMAT_NAMES = FORMATS.map(({ name }) => name);

const UNPACK = "unpack it, and give the captures in it";
const TWICE = { found: "a compressed file within a compressed file", do: "decompress it once" };

/** Archives and compressed files: what holds captures but is none. */
const PACKED = [
  { at: 257, bytes: "ustar", found: "a tar archive", do: UNPACK },
  { at: 0, bytes: "PK\x03\x04", found: "a zip archive", do: UNPACK },
  { at: 0, bytes: "7z\xbc\xaf", found: "a 7z archive", do: UNPACK },
  { at: 4, bytes: "1AY&SY", found: "a bzip2 file", do: UNPACK },
  { at: 0, bytes: '\x04"M\x18', found: "an lz4 file", do: UNPACK },
  { at: 0, bytes: "\x1f\x8b", ...TWICE },
  { at: 0, bytes: "\xfd7zXZ", ...TWICE },
  { at: 0, bytes: "\x28\xb5\x2f\xfd", ...TWICE },
];

/** @param {Buffer} head */
function compressedIn(head) {
  return PACKED.find(({ at, bytes }) => head.toString("latin1", at, at + bytes.length) === bytes);
}

/** Other files that lab hosts keep beside captures, and what to do with them. */
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
    start: /^\s*<.*(?:class="flame-graph"|<style>\.flame-graph\{)/s,
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
 * @returns {{ found: string, do: string, line?: number }}
 */
export function describeOther(head) {
  const text = head.toString("latin1", 0, BEGINNING);
  if (text.trim() === "")
    return { found: "nothing", do: "check that the recorder ran long enough" };
  const other = compressedIn(head) ?? OTHERS.find(({ start }) => start.test(text));
  if (other) return other;
  const folded = /** @type {typeof import("./folded/reader.js")} */ (formatOfName("folded"));
  if (folded.isDiff(head.toString("utf8").split(/\r?\n/).slice(0, -1))) {
    return {
      found: "folded stacks with two weights a line, as a diff of two captures has them",
      do: "give the captures themselves; or, where names end in numbers, state the format: folded",
    };
  }
  const todo = "fold it with its own tool, or leave it out of the captures";
  if (text.includes("\0")) return { found: "binary data", do: todo };
  const lines = head.toString("utf8", 0, BEGINNING).split("\n");
  const at = lines.findIndex((line) => line.trim() !== "");
  const begin = JSON.stringify(shown(lines[at]));
  return { found: `text of another kind, ${begin}`, do: todo, line: at + 1 };
}

/** Characters of a line that a message shows. */
const LONGEST_SHOWN = 40;

/** @param {string} line which may have control characters */
function shown(line) {
  const letters = Array.from(line.trim().replace(/\p{C}/gu, "\ufffd"));
  if (letters.length <= LONGEST_SHOWN) return letters.join("");
  return `${letters.slice(0, LONGEST_SHOWN).join("")}…`;
}

/**
 * Finds the reader of a capture by its content. Readers are asked in turn and answer yes, no, or more
 * where what they have seen is not enough. A reader is loaded when it is first asked, and most are never
 * asked: folding a small capture is mostly loading code.
 */

import { createRequire } from "node:module";
import { compressedIn } from "./packed.js";

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
    mayBe: (bytes) => hasNoTextByte(bytes.subarray(0, FIRST_LOOK)),
  },
  { name: "jfr", mayBe: (bytes) => bytes.toString("latin1", 0, 3) === "FLR" },
  {
    name: "otlp",
    mayBe: (bytes) => hasNoTextByte(bytes.subarray(0, FIRST_LOOK)) || mayBeJson(bytes),
  },
  ...[
    "speedscope",
    "chrome-trace",
    "cpuprofile",
    "heapprofile",
    "firefox-profiler",
    "dhat",
    "gprof2dot",
    "stackprof",
    "perf-json",
  ].map(json),
  { name: "flamegraph-svg", mayBe: (bytes) => FIRST_LETTER.exec(bytes.toString())?.[0] === "<" },
  { name: "perf-report" },
  { name: "massif" },
  { name: "macos-sample" },
  { name: "instruments" },
  { name: "jfr-print" },
  { name: "callgrind" },
  { name: "bpftrace" },
  { name: "dtrace" },
  { name: "perf-script" },
  { name: "debugger-stacks" },
  { name: "performance-schema" },
  { name: "folded" },
];

/**
 * Return whether there is a byte that no text has. pprof has: its ids begin at 1, and its first string is empty.
 *
 * @param {Buffer} bytes
 */
export function hasNoTextByte(bytes) {
  return bytes.some((byte) => byte < 0x07);
}

/**
 * @param {string} name of a format that is JSON
 * @returns {{ name: string, mayBe: (bytes: Buffer) => boolean }}
 */
function json(name) {
  return { name, mayBe: mayBeJson };
}

/**
 * Return whether a file is a page, as profilers write reports: none is read, though its scripts may look like stacks.
 *
 * @param {Buffer} bytes
 */
function isPage(bytes) {
  return /^\s*<(?:!doctype html|html)\b/i.test(bytes.toString("latin1", 0, FIRST_LOOK));
}

/** @param {Buffer} bytes */
function mayBeJson(bytes) {
  return /^\s*[{[]/.test(bytes.toString("latin1"));
}

/** The first character after white space and a byte order mark, which is white space to Unicode. */
const FIRST_LETTER = /\S/;

/** Recognition gives up after this many bytes: perf's own head of comments is far shorter. */
const LONGEST_HEAD = 2 ** 22;

/** A text has no zero bytes here, but may have been damaged further on. */
export const BEGINNING = 2 ** 12;

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
  if (compressedIn(bytes) || isPage(bytes)) return null;
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

/** The lines of perf script text as stackcollapse-perf.pl reads them; see compat.js. */

import { numberOf } from "../model/weights.js";

/** @typedef {import("./stackcollapse.js").CompatOptions} CompatOptions */

/** What Perl takes for white space in bytes. */
const SPACES = String.raw`[ \t\r\f\v]`;

const ID = new RegExp(`(?<!${SPACES})(${SPACES}+)(\\d+)(?:/+(\\d*))?(?=${SPACES})`, "g");

/**
 * Return the thread of a header: at least two characters, and a number after the first spaces that
 * a number follows. So of `IO 2 bg 77` the thread is IO, and `m 1/2 [000] 1.0:  7 cycles:` is one
 * called `m 1/2 [000] 1.0:`. A single number is the thread's.
 *
 * @param {string} line
 */
export function threadIn(line) {
  if (/[ \t\r\f\v]/.test(line[0])) return null;
  for (const { index, 1: spaces, 2: first, 3: second } of line.matchAll(ID)) {
    const end = Math.max(index, 2);
    if (end >= index + spaces.length) continue;
    const comm = line.slice(0, end);
    return second ? { comm, pid: first, tid: second } : { comm, pid: "?", tid: first };
  }
  return null;
}

/**
 * Return period and event of a header: `: 1001001 cycles:u:` at its end.
 *
 * @param {string} line
 * @returns {{ event: string, period: number | bigint } | null}
 */
export function eventIn(line) {
  const text = withoutEnd(line, SPACE_LETTERS);
  let start = text.length;
  while (start > 0 && !SPACE_LETTERS.includes(text[start - 1])) start--;
  if (start === 0 || text.length - start < 2 || !text.endsWith(":")) return null;
  const before = withoutEnd(text.slice(0, start), SPACE_LETTERS);
  const place = withoutEnd(before, "0123456789");
  if (!withoutEnd(place, SPACE_LETTERS).endsWith(":")) return null;
  return { event: text.slice(start, -1), period: numberOf(before.slice(place.length)) };
}

const SPACE_LETTERS = " \t\r\f\v";

/**
 * @param {string} text
 * @param {string} letters to leave out at its end
 */
function withoutEnd(text, letters) {
  let end = text.length;
  while (end > 0 && letters.includes(text[end - 1])) end--;
  return text.slice(0, end);
}

/**
 * Return the frames of a line, innermost first; null where it is none.
 *
 * @param {string} line
 * @param {CompatOptions} options
 * @param {boolean} isJava
 * @returns {string[] | null}
 */
export function framesIn(line, { kernel, jit, all, addrs }, isJava) {
  const close = line.lastIndexOf(")");
  const space = close < 2 ? -1 : line.lastIndexOf(" (", close - 2);
  const found =
    space < 0 ? null : /^[ \t\r\f\v]*(\w+)[ \t\r\f\v]*(.+)$/s.exec(line.slice(0, space));
  if (!found) return null;
  const [, address, symbol] = found;
  const object = line.slice(space + 2, close);
  const name = symbol.replace(/\+0x[0-9a-f]+$/, "");
  if (name.startsWith("(")) return []; // "a process's name", and an anonymous namespace as well
  const ofKernel = /^\[|vmlinux$/.test(object) && !object.includes("unknown");
  const ofJit = /\/tmp\/perf-\d+\.map/.test(object);
  const isMarked = { kernel: (all || kernel) && ofKernel, jit: (all || jit) && ofJit };
  const suffix = isMarked.kernel ? "_[k]" : isMarked.jit ? "_[j]" : "";
  return inlinedParts(name)
    .map((part, at) => {
      const known = part === "[unknown]" ? unknownIn(object, addrs ? address : "") : part;
      const tidy = withoutSignature(known);
      const short = isJava && tidy.includes("/") ? tidy.replace(/^L/, "") : tidy;
      return short + (at > 0 ? "_[i]" : suffix);
    })
    .reverse();
}

/**
 * Return caller and inlined functions: `a->b`. Perl's split leaves out what is empty at the end.
 *
 * @param {string} name
 */
function inlinedParts(name) {
  const parts = name.split("->");
  while (parts.at(-1) === "") parts.pop();
  return parts;
}

/**
 * @param {string} object
 * @param {string} address empty where it is not shown
 */
function unknownIn(object, address) {
  const name = object === "[unknown]" ? "unknown" : object.slice(object.lastIndexOf("/") + 1);
  return address ? `[${name} <${address}>]` : `[${name}]`;
}

/**
 * Cut a name at its first bracket, unless it holds a receiver of Go's, `main.(*T).Method`.
 *
 * @param {string} name
 */
function withoutSignature(name) {
  const plain = name.replaceAll(";", ":");
  const receiver = plain.indexOf(".(");
  const isGo = receiver >= 0 && plain.lastIndexOf(").") >= receiver + 2;
  const short = isGo ? plain : plain.replace(/\((?!anonymous namespace\)).*/s, "");
  return short.replace(/["']/g, "");
}

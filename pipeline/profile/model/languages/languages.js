/**
 * What names of functions are in each language, without where the compiler or the profiler saw them: lines, tiers,
 * addresses and numbers that differ from build to build or from run to run.
 *
 * A name of a profile has none of what belongs to a run or a line: two lines of one function are one frame. What
 * depends on the order of the source stays in the name and is left out of its key (names.js).
 *
 * @callback ReadName
 * @param {string} name as a profiler writes it
 * @returns {string | null} null where it is none of the language's, or there is nothing to leave out
 *
 * @callback ReadKey
 * @param {string} name of a profile
 * @returns {string}
 */

import * as csharp from "./csharp.js";
import * as go from "./go.js";
import * as java from "./java.js";
import * as javascript from "./javascript.js";
import * as php from "./php.js";
import * as python from "./python.js";
import * as ruby from "./ruby.js";
import * as rust from "./rust.js";
import { inFile, SOURCE_END } from "./source_files.js";

/** Longer names are kept as they are: nobody writes them. */
const LONGEST_NAME = 2048;

const NAMES = [python, ruby, javascript, java, csharp, php, rust].map(({ readName }) => readName);
const KEYS = [go, rust, java, csharp].map(({ readKey }) => readKey);

/** What pprof of gperftools appends to the name of a function: where it is in this build. */
const ADDRESS = /(?<=.)<[0-9a-f]{16}>$/s;

/** What py-spy writes of native code without a symbol: `0x7f017904524a (libc.so.6)`, in no file `0x7f0178b79c09 (?)`. */
const NO_SYMBOL = /^0x[0-9a-f]+ \((?:\?|(?<file>[^()]+))\)$/s;

/** A name without any of this is as it should be: nearly all of C and C++ are. */
const TELLING = /[.$/\]})]|^py::|^[A-Z]\w+:|:\d+$/;

/**
 * Return a name as profiles have it.
 *
 * @param {string} name as a profiler writes it
 */
export function plainName(name) {
  if (name.length > LONGEST_NAME) return name;
  if (ADDRESS.test(name)) return name.replace(ADDRESS, "");
  if (!TELLING.test(name)) return name;
  const nameless = NO_SYMBOL.exec(name);
  if (nameless) return `[${nameless.groups?.file?.split("/").at(-1) ?? "unknown"}]`;
  for (const readName of NAMES) {
    const found = readName(name);
    if (found !== null) return found;
  }
  return name;
}

/**
 * Return a name without what its compiler numbered.
 *
 * @param {string} name
 */
export function plainKey(name) {
  return KEYS.reduce((key, readKey) => readKey(key), name);
}

const NAMED_BY_FILE = new RegExp(`${SOURCE_END}$|^<.*>$|^node:`, "s");

/**
 * Return the name of a function whose file the capture has in a field of its own.
 *
 * @param {string} name
 * @param {unknown} file
 */
export function nameInFile(name, file) {
  const isSource = typeof file === "string" && NAMED_BY_FILE.test(file.replace(/[?#].*$/s, ""));
  return isSource ? inFile(name, file) : name;
}

/** What only a function's name has: its file, or how far a virtual machine compiled it. */
const FUNCTION = new RegExp(
  String.raw` \([^()]+(?:${SOURCE_END}|>)(?::\d+)*\)$| - \S+\.rb:\d+$|_\[[01ij]\]$`,
  "s",
);

/** The functions in which a thread of a native program begins. */
const FIRST_FUNCTIONS = new Set([
  "_start",
  "start_thread",
  "thread_start",
  "clone",
  "clone3",
  "__clone3",
]);

/**
 * Return whether a name is a function's without doubt, and not a thread's.
 *
 * @param {string} name as a profiler writes it
 */
export function isFunctionName(name) {
  return (
    FUNCTION.test(name) || ADDRESS.test(name) || FIRST_FUNCTIONS.has(name) || java.isMethod(name)
  );
}

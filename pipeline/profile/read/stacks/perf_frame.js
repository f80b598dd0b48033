/** One frame line of perf script text: an address, a symbol, and the object it is in. */

import { repairRust } from "../../model/languages/rust.js";
import { INLINED, JIT, KERNEL, USER } from "../../model/profile.js";
import { withoutParameters } from "../../model/signature.js";
import { classOfObject, libraryOf, unknownIn } from "./objects.js";

/**
 * @typedef {object} Frame
 * @property {string} name
 * @property {number} frameClass index into CLASS_NAMES
 * @property {string} [library] that the capture states (model/libraries.js)
 */

/** The address, which also distinguishes a frame from other lines. */
const FRAME = /^([0-9a-f]+)(?:\s+(.*))?$/s;

/**
 * Return the frames of a line, the innermost first; null where it is not a frame line. It holds
 * several where a JIT compiler says what it inlined:
 * `Lsun/nio;::read->Lio/netty;::doRead (/tmp/perf-8131.map)`.
 *
 *     \t          3d6b4c vfs_read+0x8c (/lib/modules/4.1.0-virtual/build/vmlinux)
 *     \t    7f4e9c0541a0 [unknown] ([unknown])
 *     \t           1d170 [unknown] (/usr/sbin/mysqld (deleted))
 *     \t          8ade2f (anonymous namespace)::run(int) const (/usr/sbin/mysqld)
 *     \t          8ade2f rec_get_n_fields (inlined)
 *     \tffffffff810013aa native_write_msr            with -F ip,sym
 *     \t          8ade2f                             with -F ip
 *
 * @param {string} line
 * @returns {Frame[] | null}
 */
export function parseFrame(line) {
  const found = FRAME.exec(line.trim());
  if (!found) return null;
  const [, address, rest = ""] = found;
  const { symbol, object } = splitObject(rest);
  const frameClass = classOfObject(object, address);
  const library = libraryOf(object);
  const name = cleanName(symbol.replace(/\+0x[0-9a-f]+$/, ""));
  if (name === "" || name === "[unknown]")
    return [{ name: unknownIn(object), frameClass, library }];
  // JIT compilers name their code as they like: `LazyCompile:*next(a) router/index.js:130`
  if (frameClass !== JIT)
    return [{ name: withoutParameters(repairRust(name)), frameClass, library }];
  return name.includes("->") ? inlinedParts(name).reverse() : [{ name, frameClass }];
}

/**
 * Return a name as folded stacks can hold it.
 *
 * @param {string} name
 */
export function cleanName(name) {
  return name.replaceAll(";", ":").trim();
}

/**
 * Return a thread's name as stackcollapse-perf.pl and inferno write it: `V8 WorkerThread`,
 * V8_WorkerThread.
 *
 * @param {string} name
 */
export function threadName(name) {
  return cleanName(name).replace(/\s+/g, "_") || "[unknown]";
}

/**
 * Return the frame of a function as perf report names it.
 *
 * @param {string} name empty where perf knows no symbol
 * @param {string} object the file's basename, or its path
 * @param {string} level `.` user, `k` kernel, `g` and `u` the same in a guest, `H` hypervisor;
 *   empty where only the object says it
 * @returns {Frame}
 */
export function frameOfSymbol(name, object, level) {
  const ofObject = classOfObject(object, "");
  const isKernel = level === "" ? ofObject === KERNEL : /[kgH]/.test(level);
  const frameClass = isKernel ? KERNEL : ofObject === KERNEL ? USER : ofObject;
  const library = libraryOf(object);
  if (name === "") return { name: unknownIn(object), frameClass, library };
  return {
    name: frameClass === JIT ? name : withoutParameters(repairRust(name)),
    frameClass,
    library,
  };
}

/**
 * Split symbol and object. The object is in the last brackets, which may hold others:
 * `(/opt/db (old)/lib.so (deleted))`.
 *
 * @param {string} text
 * @returns {{ symbol: string, object: string | null }}
 */
function splitObject(text) {
  if (!text.endsWith(")")) return { symbol: text, object: null };
  let depth = 0;
  let at = text.length - 1;
  for (; at >= 0; at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) break;
  }
  if (at < 0) at = text.lastIndexOf(" (") + 1; // a path with a bracket that nothing closes
  if (text[at] !== "(" || (at > 0 && text[at - 1] !== " ")) return { symbol: text, object: null };
  const object = text.slice(at + 1, -1).replace(/ \(deleted\)$/, "");
  return { symbol: text.slice(0, at).trimEnd(), object: object.replace(/\+0x[0-9a-f]+$/, "") };
}

/**
 * Return caller and what was inlined into it, the outermost first.
 *
 * @param {string} name
 */
function inlinedParts(name) {
  return name
    .split("->")
    .filter((part) => part !== "")
    .map((part, at) => ({ name: part, frameClass: at === 0 ? JIT : INLINED }));
}

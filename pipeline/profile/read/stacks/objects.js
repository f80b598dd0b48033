/** The class of frames by their object: the program, a library, the kernel, or code made at run time. */

import { INLINED, JIT, KERNEL, LIBRARY, USER } from "../../model/profile.js";

/**
 * Return the last part of a path.
 *
 * @param {string} object
 */
export function baseName(object) {
  return object.slice(object.lastIndexOf("/") + 1);
}

/**
 * Return `[mysqld]` for a frame without a symbol, `[kernel.kallsyms]` in the kernel.
 *
 * @param {string | null} object
 */
export function unknownIn(object) {
  const base = baseName(object ?? "")
    .replaceAll(";", ":")
    .trim();
  if (base === "" || base === "inlined") return "[unknown]";
  return base.startsWith("[") ? base : `[${base}]`;
}

/** Brackets around what is neither the kernel nor one of its modules. */
const NOT_KERNEL = /^\[(?:unknown|heap|stack|anon|uprobes)/;

/**
 * Return the class of the frames in an object.
 *
 * @param {string | null} object null where it is not known
 * @param {string} address in hexadecimal digits, which shows the kernel where nothing else does
 * @returns {number} index into CLASS_NAMES
 */
export function classOfObject(object, address) {
  // x86-64 and arm64 keep the upper half of the addresses for the kernel
  if (object === null) return /^ffff[0-9a-f]{12}$/.test(address) ? KERNEL : USER;
  if (object === "inlined") return INLINED;
  const base = baseName(object);
  if (/^perf-\d+\.map$|^jitted-.*\.so$|^\[JIT\]/.test(base)) return JIT;
  if (/^\[(?:vdso|vsyscall)/.test(base)) return LIBRARY;
  if (object.startsWith("[")) return NOT_KERNEL.test(object) ? USER : KERNEL;
  if (/^vmlinu[xz]|\.ko(?:\.[gx]z|\.zst)?$|^bpf_prog_/.test(base)) return KERNEL;
  return /\.so(?:\.|$)|\.dylib$/.test(base) ? LIBRARY : USER;
}

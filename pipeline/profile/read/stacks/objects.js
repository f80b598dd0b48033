/**
 * The class of frames by their object: the program, a library, the kernel, or code made at run time; and
 * the name of the object as profiles have it (model/libraries.js).
 */

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
  return known(object).frameClass;
}

/** @param {string} object */
function classOfFile(object) {
  if (object === "inlined") return INLINED;
  const base = baseName(object);
  if (/^perf-\d+\.map$|^jitted-.*\.so$|^\[JIT\]/.test(base)) return JIT;
  if (/^\[(?:vdso|vsyscall)/.test(base)) return LIBRARY;
  if (object.startsWith("[")) return NOT_KERNEL.test(object) ? USER : KERNEL;
  if (/^vmlinu[xz]|\.ko(?:\.[gx]z|\.zst)?$|^bpf_prog_/.test(base)) return KERNEL;
  return /\.so(?:\.|$)|\.dylib$/.test(base) ? LIBRARY : USER;
}

/** Of the kernel itself, which has other names on other hosts: `[kernel.kallsyms]_stext`, `vmlinux-6.1.0`. */
const KERNEL_ITSELF = /^\[(?:guest\.)?kernel\b.*\]|^vmlinu[xz]/;

/** `/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz` is `[ext4]` where its file is not known. */
const MODULE = /^(.+)\.ko(?:\.[gx]z|\.zst)?$/;

/**
 * Memory that is no file's, and what is made anew in each run: `perf-4152.map`, `jitted-4152-7.so`,
 * `bpf_prog_6deef7357e7b4530_sd_fw_ingress`.
 */
const NO_FILE =
  /^$|^inlined$|^\[(?:unknown|heap|stack|anon|uprobes|JIT)|^(?:anon(?:_inode)?$|anon:|SYSV)|^perf-\d+\.map$|^jitted-.*\.so$|^bpf_prog_/;

/** What is known of an object. @typedef {{ frameClass: number, library: string }} CodeObject */

/** By object: captures name a few of them in very many lines. @type {Map<string, CodeObject>} */
const KNOWN = new Map();
const MOST_KNOWN = 1024;

/** @param {string} object */
function known(object) {
  let found = KNOWN.get(object);
  if (found === undefined) {
    const own = ` ${object}`.slice(1); // a part of a line would keep all of the line in memory
    found = { frameClass: classOfFile(own), library: nameOfFile(own) };
    if (KNOWN.size >= MOST_KNOWN) KNOWN.clear(); // a hostile capture names any number
    KNOWN.set(own, found);
  }
  return found;
}

/**
 * Return the name of an object, which is the same on all hosts: the last part of its path.
 *
 * @param {string | null | undefined} object
 * @returns {string} empty where it is not known, or no file
 */
export function libraryOf(object) {
  return object ? known(object).library : "";
}

/** @param {string} object */
function nameOfFile(object) {
  const base = baseName(object.replace(/ \(deleted\)$/, "")).trim();
  if (NO_FILE.test(base)) return "";
  if (KERNEL_ITSELF.test(base)) return "[kernel]";
  return base.replace(MODULE, "[$1]");
}

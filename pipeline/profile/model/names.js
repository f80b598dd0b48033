/**
 * What is the same function in two builds: the one place that decides it. A name-match key is the
 * name without what compilers, linkers and CPUs add to it. Diff, tables and viewer compare keys.
 * The rules here are those of C and C++; other languages have theirs in languages/.
 */

import { plainKey } from "./languages/languages.js";
import { repairRust } from "./languages/rust.js";
import { JIT, KERNEL, THREAD } from "./profile.js";
import { withoutParameters, withoutReturnType } from "./signature.js";

/** The kernel keeps 15 bytes of a thread's name (TASK_COMM_LEN, less the final NUL). */
const THREAD_NAME_LENGTH = 15;

/** Longer names are kept as they are: no compiler's suffix is worth a slow regular expression. */
const LONGEST_NAME = 8192;

/**
 * Return the name-match key of a frame.
 *
 * @param {string} name
 * @param {number} frameClass index into CLASS_NAMES
 */
export function matchKey(name, frameClass) {
  if (frameClass === THREAD) return threadKey(name);
  if (name.length > LONGEST_NAME) return name;
  // JIT compilers name their code as its source does
  if (frameClass === JIT) return plainKey(name) || name;
  const plain = repairRust(name.replace(THUNK, "").replace(ABI_TAGS, ""));
  const key = plainKey(withoutReturnType(withoutParameters(withoutSuffixes(plain))));
  return (frameClass === KERNEL ? key : withoutCpuVariant(key)) || name;
}

/**
 * Return a thread's key. `:1343111`, a thread that ended before perf saw its name, is the same as
 * any other.
 *
 * @param {string} name
 */
function threadKey(name) {
  if (/^:-?\d+$/.test(name)) return ":exited";
  return Array.from(name.slice(0, 2 * THREAD_NAME_LENGTH))
    .slice(0, THREAD_NAME_LENGTH)
    .join("");
}

/** `non-virtual thunk to Item_func::val_int()` */
const THUNK = /^(?:(?:non-)?virtual|covariant return) thunk to /;

/** `std::string::append[abi:cxx11]` */
const ABI_TAGS = /\[abi:[^\]]*\]/g;

/**
 * Suffixes of a name, in any number and order:
 *     row_search_mvcc.constprop.0.isra.1.cold      GCC
 *     my_hash_sort.llvm.1234567                    Clang with ThinLTO
 *     foo(int) [clone .part.2]                     GCC, demangled
 *     foo(int) (.cold.1)                           the same by LLVM's demangler
 *     memcpy@@GLIBC_2.14   read@plt                symbol versions and calls by way of the PLT
 */
const SUFFIXES = new RegExp(
  [
    String.raw`(?:\.(?:constprop|isra|part|cold|lto_priv|llvm|localalias|clone)(?:\.\d+)*)+$`,
    String.raw` \[clone [^\]]*\]$`,
    String.raw` \(\.[\w.]*\)$`,
    String.raw`@(?:plt|@?[A-Z][\w.]*)$`,
  ].join("|"),
);

/** @param {string} name */
function withoutSuffixes(name) {
  for (;;) {
    const shorter = name.replace(SUFFIXES, "");
    if (shorter === name || shorter === "") return name;
    name = shorter;
  }
}

/**
 * The C library's functions for one kind of CPU each:
 *     __memcmp_evex_movbe   __memmove_avx512_unaligned_erms   __strlen_asimd   __sin_fma
 */
const CPU_VARIANT = new RegExp(
  [
    "^__([a-z][a-z0-9]*)_(?:",
    String.raw`ssse3|sse\d+(?:_\d)?|avx\d*f?|evex\d*|erms|fma4?|generic|asimd|simd|neon|sve|mops|`,
    String.raw`thunderx2?|falkor|kunpeng\d*|emag|zva64|a64fx|oryon1|power\d+|z\d+`,
    ")(?:_(?:unaligned|erms|movbe|rtm|back|bsf|pminub|no_bsf|ssse3|opt|nozva))*$",
  ].join(""),
);

/** @param {string} name */
function withoutCpuVariant(name) {
  return CPU_VARIANT.exec(name)?.[1] ?? name;
}

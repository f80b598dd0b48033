/**
 * What is the same function in two builds: the one place that decides it. A name-match key is the
 * name without what compilers, linkers and CPUs add to it. Diff, tables and viewer compare keys.
 *
 * Rust's legacy scheme (https://doc.rust-lang.org/rustc/symbol-mangling/legacy.html) is C++'s with `$…$`
 * for what C++'s has no letters for, and a hash at its end; profilers take such names for C++, and
 * repairRust() mends them. perf itself does so from version 4.8 on.
 */

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
  // JIT compilers name their code as the source does: "LazyCompile:*next router/index.js:130"
  if (frameClass === JIT || name.length > LONGEST_NAME) return name;
  const plain = repairRust(name.replace(THUNK, "").replace(ABI_TAGS, ""));
  const key = withoutReturnType(withoutParameters(withoutSuffixes(plain)));
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

/**
 * Return the class by which functions are the same: folded stacks of most tools do not state a
 * library's function from the program's own, so that the two must meet.
 *
 * @param {string} className
 */
export function matchClass(className) {
  return className === "library" ? "user" : className;
}

/** `core::fmt::write::h0123456789abcdef`, and what LLVM may append: `.llvm.1234` */
const HASH = /::h([0-9a-f]{16})(?=$|[.@ ])/;

/** A hash has at least as many different digits: `::h0000000000000000` is none. */
const FEWEST_DIGITS = 5;

/** @type {Record<string, string>} */
const ESCAPES = {
  $SP$: "@",
  $BP$: "*",
  $RF$: "&",
  $LT$: "<",
  $GT$: ">",
  $LP$: "(",
  $RP$: ")",
  $C$: ",",
};

const ESCAPE = /\$(?:SP|BP|RF|LT|GT|LP|RP|C|u[0-9a-f]{2,4})\$/g;

/**
 * Return a name as Rust writes it:
 *     _$LT$Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$::drop::h0123456789abcdef
 *                                                 <Vec<T> as core::ops::Drop>::drop
 *
 * @param {string} name
 * @returns {string} the same where it is none of Rust's
 */
export function repairRust(name) {
  const hash = HASH.exec(name);
  const isHash = hash !== null && new Set(hash[1]).size >= FEWEST_DIGITS;
  if (!isHash && !name.includes("$LT$")) return name;
  const path = isHash ? name.slice(0, hash.index) : name;
  const rest = isHash ? name.slice(hash.index + hash[0].length) : "";
  const plain = path
    .replace(/(?<=^|:)_(?=\$)/g, "") // keeps a part of the path from beginning with $
    .replace(ESCAPE, unescaped)
    .replaceAll("..", "::");
  return (plain || name) + rest;
}

/** @param {string} escaped */
function unescaped(escaped) {
  const known = ESCAPES[escaped];
  if (known) return known;
  const letter = String.fromCharCode(Number.parseInt(escaped.slice(2, -1), 16));
  return /\p{Cc}/u.test(letter) ? escaped : letter;
}

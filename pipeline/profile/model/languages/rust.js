/**
 * Names of Rust's functions.
 *
 * Its legacy scheme (https://doc.rust-lang.org/rustc/symbol-mangling/legacy.html) is C++'s with `$…$`
 * for what C++'s has no letters for, and a hash at its end; profilers take such names for C++, and
 * repairRust() mends them. perf itself does so from version 4.8 on. Its new scheme, v0, has a hash of each crate
 * and numbers of closures, which the old one has not.
 */

/**
 *     core[846817f741e54dfd]::fmt::write       core::fmt::write
 *
 * @type {import("./languages.js").ReadName}
 */
export function readName(name) {
  return CRATE_HASH.test(name) ? name.replaceAll(CRATE_HASHES, "") : null;
}

const CRATE_HASH = /[a-z0-9_]\[[0-9a-f]{13,16}\](?=::|>|$)/;
const CRATE_HASHES = /(?<=[a-z0-9_])\[[0-9a-f]{13,16}\](?=::|>|$)/g;

/**
 * Return a name with the closures of either scheme as the old one has them: `run::{closure#2}`, `run::{{closure}}`.
 *
 * @type {import("./languages.js").ReadKey}
 */
export function readKey(name) {
  return name.includes("{closure#") ? name.replaceAll(/\{closure#\d+\}/g, "{{closure}}") : name;
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

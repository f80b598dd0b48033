/**
 * Similarity of function names, to find functions that were renamed between two builds.
 *
 * What is the same function without doubt is decided by names.js. Here is what may be: only
 * functions that the other build does not have at all are compared in this way.
 */

import { splitFile } from "../model/languages/source_files.js";
import { outerGroups } from "../model/signature.js";

/** Longer names are similar to no other: they are not worth the time. */
const LONGEST_NAME = 2048;
/** Names of more words are similar to no other: all are compared with all. */
const MOST_WORDS = 60;
/** How like functions must be, and how like scopes: a namespace in common is not enough. */
const LEAST_ALIKE = 0.5;
const LEAST_ALIKE_SCOPES = 0.75;
/**
 * Names of C begin with what is a scope elsewhere, which makes all of a library's alike: so many words
 * must be the same, and none another, as in `page_cleaner_thread` and `page_cleaner_worker`.
 */
const LEAST_ALIKE_WITHOUT_SCOPE = 0.8;
/** So many words say alone what a function does, whichever class it is in. */
const TELLING_WORDS = 3;
/** Words for how a name is made: `page_get_offsets_func`, `cursor_t`. */
const MADE_OF = new Set(["func", "inner", "t"]);
/** Words for what is below a function of that name, and another: `row_upd_sec_index_entry_low`. */
const BELOW = new Set(["low", "impl", "internal"]);
/** Words for what stands before a function of that name, and calls it: `ArenaWrappedDBIter::Next`. */
const BEFORE = new Set(["wrapped", "wrapper", "wrapping", "proxy", "adapter", "adaptor"]);

/**
 * The words of a name.
 *
 * @typedef {object} Words
 * @property {string[]} scope of what is around the function
 * @property {string[]} last of the function; none where the name is not to be taken apart
 *
 * A name between two `::`, without and with template arguments.
 *
 * @typedef {{ plain: string, whole: string }} Part
 */

/**
 * Return what stays of a function's name when it moves to another namespace, or gets other template
 * arguments: the function and its class.
 *     db::cache::Shard::insert                Shard::insert
 *     (anonymous namespace)::Inserter::put    Inserter::put
 *     Table::retrieve<IndexBlock>             Table::retrieve
 *     heavy (w.py)                            heavy
 *
 * @param {string} key
 */
export function stem(key) {
  const { name, file } = splitFile(key);
  if (file !== "") return name;
  const parts = partsOf(key);
  if (parts === null) return key;
  const named = parts.flatMap(({ plain }, index) => (isNamed(plain) ? [index] : []));
  const from = named.at(-2) ?? 0;
  const kept = parts.slice(from).filter(({ plain }) => plain !== "");
  return kept.length > 0 ? distinguishing(kept, parts).join("::") : key;
}

/**
 * Return the class or namespace of a function, whatever its template arguments.
 *     Table::retrieve<IndexBlock>             Table
 *
 * @param {string} key
 * @returns {string} empty where it has none
 */
export function scopeOf(key) {
  const { file } = splitFile(key);
  if (file !== "") return file;
  const parts = partsOf(key) ?? [];
  return distinguishing(parts.slice(0, -1), parts).join("::");
}

/**
 * Return how likely one of two names became the other.
 *     TableBuilder::WriteRaw        TableBuilder::WriteMaybeCompressed
 * Scopes and functions are both alike, in order, and the functions begin with the same word, so
 * that `Get…` is never matched with `Put…`. Without doubt are only names that say the same:
 *     page_get_offsets_func         page_get_offsets
 *     cursor_move_to_next           cursor_t::move_to_next
 *     has_read_ticket               session_t::has_read_ticket
 *
 * @param {Words} words
 * @param {Words} otherWords
 * @returns {number} 0 where it is not likely, up to 1 where they say the same
 */
export function nameSimilarity({ scope, last }, { scope: otherScope, last: otherLast }) {
  if (BELOW.has(last.at(-1) ?? "") !== BELOW.has(otherLast.at(-1) ?? "")) return 0;
  const [whole, otherWhole] = [scope.concat(last), otherScope.concat(otherLast)];
  if (whole.some(isBefore) !== otherWhole.some(isBefore)) return 0;
  if (sayTheSame(whole, otherWhole)) return 1;
  const isMethodNow = (scope.length === 0) !== (otherScope.length === 0);
  if (isMethodNow) return last.length >= TELLING_WORDS && sayTheSame(last, otherLast) ? 1 : 0;
  if (last.length === 0 || last[0] !== otherLast[0]) return 0;
  const ofFunction = inOrder(last, otherLast);
  const ofScope = inOrder(scope, otherScope);
  const inOther = (2 * Math.min(last.length, otherLast.length)) / (last.length + otherLast.length);
  const least = scope.length > 0 ? LEAST_ALIKE : Math.max(LEAST_ALIKE_WITHOUT_SCOPE, inOther);
  return ofFunction < least || ofScope < LEAST_ALIKE_SCOPES ? 0 : (ofFunction + ofScope) / 2;
}

/** @param {string} word */
function isBefore(word) {
  return BEFORE.has(word);
}

/**
 * Return whether names differ in words only that say how a function is made, not what it does.
 *
 * @param {string[]} some
 * @param {string[]} others
 */
function sayTheSame(some, others) {
  const [meant, meantThere] = [some, others].map((words) =>
    words.filter((word) => !MADE_OF.has(word)),
  );
  return meant.length > 1 && meant.join(" ") === meantThere.join(" ");
}

/**
 * @param {string} key
 * @returns {Part[] | null} null where the name is not to be taken apart
 */
function partsOf(key) {
  if (key.length > LONGEST_NAME) return null;
  const groups = outerGroups(key);
  if (groups === null) return null;
  const parts = [{ plain: "", whole: "" }];
  let from = 0;
  for (const { start, end } of [...groups, { start: key.length, end: key.length }]) {
    const [first, ...rest] = key.slice(from, start).split("::");
    add(first, first);
    for (const text of rest) {
      parts.push({ plain: "", whole: "" });
      add(text, text);
    }
    const group = key.slice(start, end);
    if (group !== "(anonymous namespace)") add(group.startsWith("<") ? "" : group, group);
    from = end;
  }
  return parts;

  /** @param {string} plain @param {string} whole */
  function add(plain, whole) {
    const part = /** @type {Part} */ (parts.at(-1));
    part.plain += plain;
    part.whole += whole;
  }
}

/**
 * Distinguish a name from `{lambda(int)#1}`, `{{closure}}` and `operator()`, which say nothing alone.
 *
 * @param {string} part
 */
function isNamed(part) {
  return /^[\w$~]/.test(part) && !part.startsWith("operator");
}

/**
 * @param {string} key
 * @returns {Words}
 */
export function wordsOf(key) {
  const { name, file } = splitFile(key);
  if (file !== "") return { scope: words(file), last: words(name) };
  const parts = partsOf(key) ?? [];
  const [scope, last] = [parts.slice(0, -1), parts.slice(-1)].map((some) =>
    distinguishing(some, parts).flatMap(words),
  );
  return scope.length + last.length > MOST_WORDS ? { scope: [], last: [] } : { scope, last };
}

/**
 * Return what distinguishes functions: the template arguments of the standard library's classes do,
 * as those say whose code it is.
 *
 * @param {Part[]} some of the parts
 * @param {Part[]} parts
 */
function distinguishing(some, parts) {
  const isStandard = /^(?:std|__gnu_cxx|boost|core|alloc)$/.test(parts[0]?.plain ?? "");
  return some.map(({ plain, whole }) => (isStandard ? whole : plain));
}

/**
 * @param {string} name
 * @returns {string[]} `WriteRawBlock2`: write, raw, block2
 */
function words(name) {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2");
  return apart.toLowerCase().match(/[a-z0-9~]+/g) ?? [];
}

/**
 * Return how much of two lists of words is the same, in order: `my_mb_wc` is not like `my_wc_mb`.
 *
 * @param {string[]} some
 * @param {string[]} others
 */
function inOrder(some, others) {
  if (some.length + others.length === 0) return 1;
  let row = new Array(others.length + 1).fill(0);
  for (const word of some) {
    const next = [0];
    others.forEach((other, index) => {
      next.push(word === other ? row[index] + 1 : Math.max(row[index + 1], next[index]));
    });
    row = next;
  }
  return (2 * row[others.length]) / (some.length + others.length);
}

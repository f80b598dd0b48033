/** Names as readers see them, whatever a capture called its functions. */

/** Nobody reads a longer name to its end, and a name may be a megabyte. */
const LONGEST_SHOWN = 1000;
/** Longest name quoted in a sentence. */
const LONGEST_IN_SENTENCE = 80;
/** Characters of a name in a table. */
const LONGEST_IN_ROW = 200;
/** Brackets without others in them but for those that lack their content already: `<` and `>` of `->` is none. */
const INNERMOST = /([<(])(?!…[>)])(?:->|[<(]…[>)]|[^<>()])+(?<!-)([>)])/g;

/**
 * Invisible characters and those that reverse the text after them: controls, soft hyphens, joiners,
 * marks of direction (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters), ends
 * of lines, halves of characters. Listed one by one, so that Node and every browser have the same.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Nearly all names have only these characters, and need no search. */
const ALL_SEEN = /^[ -~]*$/;

/** Letters that are written from right to left: Hebrew to Arabic, and what is beyond the first plane. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\uD802\uD803\uD83A\uD83B]/;

/**
 * Return a name as it is shown, on whatever surface: what is not to be seen is spelled out, as in
 * `right[U+202E]to left`, and a name that is too long is cut.
 *
 * @param {string} name
 * @returns {string} at most LONGEST_SHOWN characters; shown again, it stays as it is
 */
export function shownName(name) {
  const seen = ALL_SEEN.test(name) ? name : name.replace(UNSEEN, spelledOut);
  return cutInMiddle(seen, LONGEST_SHOWN);
}

/** @param {string} character */
function spelledOut(character) {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`;
}

/**
 * Return a name for a sentence: shortened, and where it is written from right to left,
 * between marks that keep it from turning the rest around.
 *
 * @param {string} name
 */
export function nameInSentence(name) {
  const shown = cutInMiddle(shownName(name), LONGEST_IN_SENTENCE);
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/**
 * Cut a name in the middle: its end distinguishes functions.
 *
 * @param {string} name
 * @param {number} longest how many characters to keep
 * @returns {string} the name itself where it is no longer
 */
function cutInMiddle(name, longest) {
  if (name.length <= longest) return name;
  const half = Math.floor((longest - 1) / 2);
  // Not through the middle of a surrogate pair.
  const start = name.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const end = name.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
  return `${start}…${end}`;
}

/**
 * Return a name for a table row: not endless, and to be seen. Of one that is too long the innermost
 * template arguments and parameters go first: `tests/vectors/row_names.json` holds for Python, too.
 *
 * @param {string} name
 */
export function rowName(name) {
  if (!/\S/.test(name)) return `“${name}”`;
  let whole = "";
  let shorter = cutInMiddle(name, LONGEST_SHOWN);
  while (shorter.length > LONGEST_IN_ROW && shorter !== whole) {
    whole = shorter;
    shorter = whole.replace(INNERMOST, "$1…$2");
  }
  return cutInMiddle(shorter, LONGEST_IN_ROW);
}

/**
 * Function names shortened from their useless end, so that what tells functions apart stays.
 *
 *     std::vector<int, std::allocator<int>>::push_back(int const&)
 *     std::vector<…>::push_back(…)
 *     std::vector::push_back
 *     vector::push_back
 *     push_back
 *     push_b…
 */

import { operatorAt } from "./operators.js";

const CLOSING = /** @type {Record<string, string>} */ ({ "<": ">", "(": ")", "{": "}" });
const OPENING = /[<({]/;
const SURROGATE = /[\uD800-\uDFFF]/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** Nobody reads a longer name to its end, and a name may be a megabyte. */
const LONGEST_SHOWN = 1000;
/** What stands in a sentence of other words. */
const LONGEST_IN_SENTENCE = 80;

/**
 * What nobody sees, or what turns around the text behind it: controls, soft hyphens, joiners, marks of
 * direction (https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters), ends of lines,
 * halves of characters. Listed one by one, so that Node and every browser have the same.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Nearly all names: of them, nothing is looked for. */
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
 * Return a name as it stands in a sentence: shortened, and where it is written from right to left,
 * between marks that keep it from turning the rest around.
 *
 * @param {string} name
 */
export function nameInSentence(name) {
  const shown = cutInMiddle(shownName(name), LONGEST_IN_SENTENCE);
  return RIGHT_TO_LEFT.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/**
 * Cut a name in the middle: its end tells functions apart.
 *
 * @param {string} name
 * @param {number} longest how many characters may stand
 * @returns {string} the name itself where it is no longer
 */
export function cutInMiddle(name, longest) {
  if (name.length <= longest) return name;
  const half = Math.floor((longest - 1) / 2);
  // Not through the middle of a surrogate pair.
  const start = name.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const end = name.slice(-half).replace(/^[\uDC00-\uDFFF]/, "");
  return `${start}…${end}`;
}

/**
 * Shorten a name to the room there is.
 *
 * @param {string} name
 * @param {number} characters room there is
 * @returns {string} a label of at most so many characters; empty only where there is no room for
 *   three or the name is shorter than that and does not fit
 */
export function shorten(name, characters) {
  if (characters < 1 || name === "") return "";
  if (name.length <= characters) return name;
  if (characters < 3) return "";
  let last = name;
  for (const form of shorterForms(shownName(name))) {
    if (length(form) <= characters) return form;
    last = form;
  }
  return `${Array.from(last)
    .slice(0, characters - 1)
    .join("")
    .trimEnd()}…`;
}

/**
 * Yield ever shorter forms of a name; none is empty.
 *
 * @param {string} name
 * @returns {Generator<string>}
 */
export function* shorterForms(name) {
  yield name;
  const folded = withoutBrackets(name, (opening) => `${opening}…${CLOSING[opening]}`);
  if (SAYS_SOMETHING.test(folded)) yield folded;
  let bare = withoutBrackets(name, () => "")
    .replace(/::(?:::)+/g, "::")
    .replace(/^::/, "");
  if (!SAYS_SOMETHING.test(bare)) return;
  // A return type, as in `void std::sort<int>`, or what follows the parameters, as in `f(int) const`.
  bare = bare
    .replace(/ (?:const|volatile|&&?|noexcept)+$/g, "")
    .replace(/^[\w:*& ]+ (?=[\w$~]+::)/, "");
  yield bare;
  // What linkers and compilers add, as in `memcpy@@GLIBC_2.14` and `f.constprop.0.cold`.
  const written = bare.replace(
    /(?<=\w)(?:@+[\w.]+|(?:\.(?:constprop|isra|part|cold|lto_priv)(?:\.\d+)?)+)$/,
    "",
  );
  if (written !== bare) yield written;
  bare = written;
  while (true) {
    const rest = bare.replace(/^(?:[^:/]*::|[^/]*\/(?=[^/]))/, "");
    if (rest === bare || !SAYS_SOMETHING.test(rest)) break;
    bare = rest;
    yield bare;
  }
  // Marks of libraries and the kernel, as in `__GI___libc_write`, `_M_insert`, `__x64_sys_write`.
  const plain = bare.replace(/^_+(?:(?:GI|M|S|x64|se)_+)?(?=.*[\p{L}\p{N}])/u, "");
  if (plain !== bare) yield plain;
}

/**
 * Replace template arguments, parameter lists and lambdas' bodies, outermost brackets only.
 *
 * @param {string} name
 * @param {(opening: string) => string} replacement
 */
function withoutBrackets(name, replacement) {
  if (!OPENING.test(name)) return name;
  let text = "";
  for (let at = 0; at < name.length; ) {
    const operator = name[at] === "o" ? operatorAt(name, at) : "";
    if (operator) {
      text += operator;
      at += operator.length;
    } else if (CLOSING[name[at]] && name[at - 1] !== ".") {
      // Not the receiver in Go's `db.(*Tree).Get`.
      text += replacement(name[at]);
      at = bracketEnd(name, at);
    } else {
      text += name[at];
      at++;
    }
  }
  return text;
}

/**
 * Return the position after the bracket that closes the one at `start`, or the end of a name that
 * never closes it. `->` closes nothing.
 *
 * @param {string} name
 * @param {number} start
 */
function bracketEnd(name, start) {
  /** @type {string[]} */
  const open = [];
  for (let at = start; at < name.length; at++) {
    const closing = CLOSING[name[at]];
    if (closing) open.push(closing);
    else if (name[at] === open.at(-1) && !(name[at] === ">" && name[at - 1] === "-")) open.pop();
    if (open.length === 0) return at + 1;
  }
  return name.length;
}

/** @param {string} text */
function length(text) {
  return SURROGATE.test(text) ? Array.from(text).length : text.length;
}

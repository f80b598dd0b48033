/**
 * Shortens function names, the least useful part first, so that what distinguishes functions stays.
 *
 *     std::vector<int, std::allocator<int>>::push_back(int const&)
 *     std::vector<…>::push_back(…)
 *     std::vector::push_back
 *     vector::push_back
 *     push_back
 *     push_b…
 */

import { shownName } from "../../profile/model/shown_names.js";
import { operatorAt } from "../../profile/model/signature.js";

const CLOSING = /** @type {Record<string, string>} */ ({ "<": ">", "(": ")", "{": "}" });
const OPENING = /[<({]/;
const SURROGATE = /[\uD800-\uDFFF]/;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

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

/**
 * Takes signatures apart: `void Protocol::send<Item>(Item*, unsigned int) const`. Brackets are
 * counted, so that those that belong to a name stay in it. Readers of captures shorten names with
 * it, and name matching (names.js) does: both mean the same by a parameter list.
 */

/**
 * What may follow a parameter list and is part of the signature: `Foo::size() const &`,
 * `Foo::swap(Foo&) && noexcept`.
 */
const QUALIFIERS = /(?: (?:const|volatile|noexcept)\b| ?&&?(?![\w&]))+/y;

/** Words after which brackets hold no parameters: `decltype(auto) pick<int>`, `operator(int)<` */
const BEFORE_EXPRESSION = /(?<![\w$])(?:decltype|noexcept|typeof|sizeof|alignof|operator)$/;
const LONGEST_WORD = "noexcept".length + 1;

/**
 * Return a name without the parameter lists that are outside of template arguments and lambdas,
 * and without what qualifies them:
 *     Protocol::send(Item*, unsigned int) const          Protocol::send
 *     std::function<void (int)>::operator()(int) const   std::function<void (int)>::operator()
 *     (anonymous namespace)::f(int)::{lambda(int)#1}::operator()(int)
 *                                   (anonymous namespace)::f::{lambda(int)#1}::operator()
 *     handle(int) [clone .cold]                          handle [clone .cold]
 *
 * Brackets right after a name hold its parameters; others are its own: Go's receivers,
 * `main.(*T).Method`, and the lambdas of LLVM's demangler, `f::'lambda'(int)`. What returns a
 * pointer to a function stays whole: `void (*signal(int))(int)`.
 *
 * @param {string} name
 * @returns {string} never empty where the name is not; in time linear in its length
 */
export function withoutParameters(name) {
  if (!name.includes("(")) return name;
  const groups = outerGroups(name);
  if (groups === null || groups.some(({ start }) => isDeclarator(name, start))) return name;
  let kept = "";
  let from = 0;
  for (const { start, end } of groups) {
    if (start < from || name[start] !== "(" || !holdsParameters(name, start, end)) continue;
    kept += name.slice(from, start);
    QUALIFIERS.lastIndex = end;
    from = end + (QUALIFIERS.exec(name)?.[0].length ?? 0);
  }
  return kept + name.slice(from);
}

/**
 * Return a function without its return type, which demanglers write for templates only, and perf
 * only with -v:
 *     long app::twice<long>                app::twice<long>
 *     decltype(auto) app::pick<int>        app::pick<int>
 *     void (*app::choose<long>(long))(int) app::choose<long>
 *
 * @param {string} name without its parameters
 */
export function withoutReturnType(name) {
  if (!name.includes(" ")) return name;
  const groups = outerGroups(name);
  if (groups === null) return name;
  const declarator = groups.find(({ start }) => isDeclarator(name, start));
  if (declarator) {
    const inner = withoutParameters(name.slice(declarator.start + 2, declarator.end - 1));
    return inner.includes("<") ? inner : name;
  }
  const start = nameStart(name, groups);
  const isTemplate = groups.some((group) => group.start > start && name[group.start] === "<");
  return isTemplate && !/ (?:for|to|in) $/.test(` ${name.slice(0, start)}`)
    ? name.slice(start)
    : name;
}

/**
 * Return where a function's name begins: after the last space outside of brackets, but for those
 * in `operator bool`.
 *
 * @param {string} name
 * @param {Group[]} groups
 */
function nameStart(name, groups) {
  const operator = /(?<![\w$])operator(?![\w$])/.exec(name)?.index ?? name.length;
  let start = 0;
  let from = 0;
  for (const group of [...groups, { start: name.length, end: name.length }]) {
    const space = name.slice(from, Math.min(group.start, operator)).lastIndexOf(" ");
    if (space >= 0) start = from + space + 1;
    from = group.end;
    if (from > operator) break;
  }
  return start;
}

/**
 * Brackets outside of all others, and what they hold.
 *
 * @typedef {object} Group
 * @property {number} start of the opening bracket
 * @property {number} end after the closing one
 */

/** @type {Record<string, string>} */
const OPENING = { ")": "(", "]": "[", "}": "{" };

/**
 * Return the outermost brackets of a name; null where some are never closed or never opened, as in
 * a name that was cut off.
 *
 * @param {string} name
 * @returns {Group[] | null}
 */
export function outerGroups(name) {
  /** @type {Group[]} */
  const groups = [];
  /** @type {number[]} positions of the open brackets */
  const open = [];
  for (let at = 0; at < name.length; at++) {
    const letter = name[at];
    if (letter === "o") {
      at += Math.max(0, operatorAt(name, at).length - 1);
    } else if (letter === "(" || letter === "<" || letter === "[" || letter === "{") {
      open.push(at);
    } else if (letter === ">") {
      // neither an arrow nor a comparison: `f<(1>0)>`
      if (name[at - 1] !== "-" && name[open.at(-1) ?? at] === "<") close(at);
    } else if (letter in OPENING) {
      while (name[open.at(-1) ?? at] === "<") open.pop(); // a comparison: `f<(1<2)>`
      if (name[open.at(-1) ?? at] !== OPENING[letter]) return null;
      close(at);
    }
  }
  return open.length === 0 ? groups : null;

  /** @param {number} at */
  function close(at) {
    const start = /** @type {number} */ (open.pop());
    if (open.length === 0) groups.push({ start, end: at + 1 });
  }
}

/**
 * Recognise `void (*signal(int))(int)`: the declared name is within the brackets.
 *
 * @param {string} name
 * @param {number} start
 */
function isDeclarator(name, start) {
  return name[start - 1] === " " && /^\([*&]/.test(name.slice(start, start + 2));
}

/**
 * @param {string} name
 * @param {number} start of round brackets
 * @param {number} end
 */
function holdsParameters(name, start, end) {
  if (start === 0 || /[\s.':]/.test(name[start - 1]) || /[\w$<]/.test(name[end] ?? ""))
    return false;
  return !BEFORE_EXPRESSION.test(name.slice(Math.max(0, start - LONGEST_WORD), start));
}

/** C++ operators whose names hold brackets, which open and close nothing; longest first. */
const OPERATOR = /operator\s*(?:\(\)|\[\]|<=>|<<=|>>=|->\*|->|<<|>>|<=|>=|<|>)/y;
const WORD = /[\w$]/;

/**
 * Find an operator's name, `operator<<`, at a place in a function's name.
 *
 * @param {string} name
 * @param {number} at
 * @returns {string} empty where there is none, as within `my_operator<int>`
 */
export function operatorAt(name, at) {
  OPERATOR.lastIndex = at;
  const operator = OPERATOR.exec(name)?.[0] ?? "";
  return operator && WORD.test(name[at - 1] ?? "") ? "" : operator;
}

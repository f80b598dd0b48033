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

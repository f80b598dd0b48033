/** Decimal digits in the bytes of a line. */

const ZERO = 0x30;
const NINE = 0x39;

/** @param {number} byte */
export function isDigit(byte) {
  return byte >= ZERO && byte <= NINE;
}

/**
 * Return where the digits begin that end at a place.
 *
 * @param {Uint8Array} bytes
 * @param {number} start of what to look at
 * @param {number} end
 */
export function digitsStart(bytes, start, end) {
  let at = end;
  while (at > start && isDigit(bytes[at - 1])) at--;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start of at most 15 digits
 * @param {number} end
 */
export function numberIn(bytes, start, end) {
  let number = 0;
  for (let at = start; at < end; at++) number = number * 10 + bytes[at] - ZERO;
  return number;
}

/** Numbers of JSON as exact decimals: 0.25 is 25 hundredths, whatever a double makes of it. */

/**
 * @typedef {object} Decimal
 * @property {bigint} digits
 * @property {number} decimals how many of the digits are after the point; not negative
 */

/** What JavaScript writes of a number that is not negative: `12`, `0.25`, `1e-7`, `1.5e+21`. */
const NUMBER = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/**
 * Return a number as the shortest decimal that represents it; null where it is negative or none.
 *
 * @param {unknown} value
 * @returns {Decimal | null}
 */
export function decimalOf(value) {
  const found = typeof value === "number" ? NUMBER.exec(String(value)) : null;
  if (!found) return null;
  const [, whole, fraction = "", exponent = "0"] = found;
  return shifted({ digits: BigInt(whole + fraction), decimals: fraction.length }, Number(exponent));
}

/**
 * Return a decimal times a power of ten.
 *
 * @param {Decimal} decimal
 * @param {number} places
 * @returns {Decimal}
 */
export function shifted({ digits, decimals }, places) {
  const left = decimals - places;
  return left < 0
    ? { digits: digits * 10n ** BigInt(-left), decimals: 0 }
    : { digits, decimals: left };
}

/**
 * Return how much one decimal is above another; negative where it is below.
 *
 * @param {Decimal} a
 * @param {Decimal} b
 * @returns {Decimal}
 */
export function difference(a, b) {
  const decimals = Math.max(a.decimals, b.decimals);
  return { digits: inPlaces(a, decimals) - inPlaces(b, decimals), decimals };
}

/**
 * Return the digits of a decimal with more places after the point.
 *
 * @param {Decimal} decimal
 * @param {number} decimals at least its own
 */
export function inPlaces(decimal, decimals) {
  return decimal.digits * 10n ** BigInt(decimals - decimal.decimals);
}

/**
 * Exact sums of weights.
 *
 * A sample of `cycles` weighs some 10^6, a profile 10^12 and more; a hostile capture can pass any
 * bound, and doubles are exact only up to 2^53.
 */

import { withRoom } from "./columns.js";

/** Sums are kept in two digits of this base, so that adding two low digits stays below 2^53. */
const BASE = 2 ** 52;

/** A growing column of sums of whole numbers that never lose a unit. */
export class ExactSums {
  #low = new Float64Array(16);
  #size = 0;

  /**
   * High digits, only of the sums that have one.
   *
   * @type {Map<number, bigint>}
   */
  #high = new Map();

  /** Append a sum that is zero; returns its index. */
  append() {
    this.#low = withRoom(this.#low, this.#size + 1);
    return this.#size++;
  }

  /**
   * @param {number} index
   * @param {number | bigint} weight a whole number, not negative
   */
  add(index, weight) {
    if (typeof weight === "bigint" || weight >= BASE) {
      const sum = this.exact(index) + BigInt(weight);
      this.#low[index] = Number(sum % BigInt(BASE));
      this.#setHigh(index, sum / BigInt(BASE));
      return;
    }
    const sum = this.#low[index] + weight;
    if (sum < BASE) {
      this.#low[index] = sum;
    } else {
      this.#low[index] = sum - BASE;
      this.#setHigh(index, (this.#high.get(index) ?? 0n) + 1n);
    }
  }

  /**
   * @param {number} index
   * @returns {number | bigint} a number wherever that is exact
   */
  get(index) {
    return this.#high.size > 0 && this.#high.has(index) ? this.exact(index) : this.#low[index];
  }

  /** @param {number} index */
  exact(index) {
    return BigInt(this.#low[index]) + (this.#high.get(index) ?? 0n) * BigInt(BASE);
  }

  total() {
    return exactSum(this.values());
  }

  /** @returns {Generator<number | bigint, void>} */
  *values() {
    for (let index = 0; index < this.#size; index++) yield this.get(index);
  }

  /** @param {bigint} factor */
  multiply(factor) {
    for (let index = 0; index < this.#size; index++) {
      this.add(index, this.exact(index) * (factor - 1n));
    }
  }

  /**
   * @param {number} index
   * @param {bigint} digit
   */
  #setHigh(index, digit) {
    if (digit > 0n) this.#high.set(index, digit);
  }
}

/**
 * Return the number that decimal digits write; a double wherever that is exact.
 *
 * @param {string} digits
 */
export function numberOf(digits) {
  return digits.length < 16 ? Number(digits) : BigInt(digits);
}

/**
 * Return the sum of all weights, exactly.
 *
 * @param {Iterable<number | bigint>} weights whole numbers, not negative
 */
export function exactSum(weights) {
  const sums = new ExactSums();
  const sum = sums.append();
  for (const weight of weights) sums.add(sum, weight);
  return sums.exact(sum);
}

/**
 * Return the greatest number that divides all weights; 0 where all are 0.
 *
 * @param {Iterable<number | bigint>} weights whole numbers, not negative
 * @returns {number | bigint}
 */
export function greatestDivisor(weights) {
  /** @type {number | bigint} */
  let divisor = 0;
  for (const weight of weights) {
    if (divisor === 1) break;
    if (typeof weight === "number" && typeof divisor === "number") {
      divisor = euclid(weight, divisor);
    } else {
      const exact = euclid(BigInt(weight), BigInt(divisor));
      divisor = exact <= Number.MAX_SAFE_INTEGER ? Number(exact) : exact;
    }
  }
  return divisor;
}

/**
 * Return self weights as a profile has them.
 *
 * @param {ExactSums} sums
 * @param {Int32Array} own the index of each node's sum
 * @returns {{ scale: number, total: bigint, self: import("./profile.js").Weights }} the total is not
 *   scaled
 */
export function scaled(sums, own) {
  const total = sums.total();
  const divisor = greatestDivisor(sums.values());
  const scale = typeof divisor === "number" && divisor > 0 ? divisor : 1;
  if (total / BigInt(scale) > Number.MAX_SAFE_INTEGER) {
    const self = Array.from(own, (index) => sums.exact(index) / BigInt(scale));
    return { scale, total, self };
  }
  const self = new Float64Array(own.length);
  for (let node = 0; node < own.length; node++) {
    const weight = sums.get(own[node]);
    self[node] = typeof weight === "number" ? weight / scale : Number(weight / BigInt(scale));
  }
  return { scale, total, self };
}

/**
 * @param {any} a a number, or a big integer
 * @param {any} b the same
 */
function euclid(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

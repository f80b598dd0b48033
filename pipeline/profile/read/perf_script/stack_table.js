/**
 * Numbers for distinct stacks, each a short list of numbers: most samples repeat an earlier one.
 *
 * What one stack needs is stored together, because waiting for memory is most of the work.
 */

import { withRoom } from "../../model/columns.js";

/** A stack is the offset of its items. Before them are its number and their count. */
const NUMBER = -2;
const LENGTH = -1;
const COLUMNS = 2;

/** A slot is a hash and, after it, a stack. */
const EMPTY = 0;

export class StackTable {
  #items = new Int32Array(2 ** 14);
  #used = 0;
  #size = 0;
  #slots = new Int32Array(2 ** 11);

  /** How many distinct stacks there are. */
  get size() {
    return this.#size;
  }

  /** How many numbers they take in all. */
  get itemCount() {
    return this.#used;
  }

  /**
   * Return the number of a stack; the first one's is 0.
   *
   * @param {Int32Array} items
   * @param {number} length how many of them count
   */
  intern(items, length) {
    let hash = length;
    for (let at = 0; at < length; at++) {
      hash = Math.imul(hash ^ items[at], 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    const slots = this.#slots;
    const mask = slots.length - 2;
    let slot = (hash << 1) & mask;
    for (; slots[slot + 1] !== EMPTY; slot = (slot + 2) & mask) {
      const stack = slots[slot + 1];
      if (slots[slot] === hash && this.#equals(stack, items, length)) {
        return this.#items[stack + NUMBER];
      }
    }
    slots[slot] = hash;
    slots[slot + 1] = this.#append(items, length);
    if (this.#size * 4 > slots.length) this.#rehash();
    return this.#size - 1;
  }

  /**
   * Go through the items of all stacks, in the order of their numbers.
   *
   * @returns {Generator<Int32Array, void>}
   */
  *stacks() {
    for (let stack = COLUMNS; stack < this.#used; ) {
      const end = stack + this.#items[stack + LENGTH];
      yield this.#items.subarray(stack, end);
      stack = end + COLUMNS;
    }
  }

  /**
   * @param {number} stack
   * @param {Int32Array} items
   * @param {number} length
   */
  #equals(stack, items, length) {
    const own = this.#items;
    if (own[stack + LENGTH] !== length) return false;
    for (let at = 0; at < length; at++) if (own[stack + at] !== items[at]) return false;
    return true;
  }

  /**
   * @param {Int32Array} items
   * @param {number} length
   */
  #append(items, length) {
    const stack = this.#used + COLUMNS;
    this.#used = stack + length;
    this.#items = withRoom(this.#items, this.#used);
    this.#items[stack + NUMBER] = this.#size++;
    this.#items[stack + LENGTH] = length;
    this.#items.set(items.subarray(0, length), stack);
    return stack;
  }

  #rehash() {
    const old = this.#slots;
    const slots = new Int32Array(old.length * 2);
    const mask = slots.length - 2;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from + 1] === EMPTY) continue;
      let slot = (old[from] << 1) & mask;
      while (slots[slot + 1] !== EMPTY) slot = (slot + 2) & mask;
      slots[slot] = old[from];
      slots[slot + 1] = old[from + 1];
    }
    this.#slots = slots;
  }
}

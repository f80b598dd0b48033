/** Numbers for distinct stacks, each a short list of numbers: most samples repeat an earlier one. */
export class StackTable {
  #items = new Int32Array(2 ** 14);
  /** @type {number[]} where each stack ends; stack 0 begins at 0 */
  #ends = [];
  /** @type {number[]} */
  #hashes = [];
  #slots = new Int32Array(2 ** 10).fill(-1);

  get size() {
    return this.#ends.length;
  }

  /**
   * Return the number of a stack; the first one is 0.
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
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (; this.#slots[slot] >= 0; slot = (slot + 1) & mask) {
      const stack = this.#slots[slot];
      if (this.#hashes[stack] === hash && this.#equals(stack, items, length)) return stack;
    }
    this.#slots[slot] = this.size;
    return this.#append(items, length, hash);
  }

  /**
   * Return the items of a stack.
   *
   * @param {number} stack
   */
  get(stack) {
    return this.#items.subarray(this.#start(stack), this.#ends[stack]);
  }

  /** @param {number} stack */
  #start(stack) {
    return stack === 0 ? 0 : this.#ends[stack - 1];
  }

  /**
   * @param {number} stack
   * @param {Int32Array} items
   * @param {number} length
   */
  #equals(stack, items, length) {
    const start = this.#start(stack);
    if (this.#ends[stack] - start !== length) return false;
    for (let at = 0; at < length; at++) if (this.#items[start + at] !== items[at]) return false;
    return true;
  }

  /**
   * @param {Int32Array} items
   * @param {number} length
   * @param {number} hash
   */
  #append(items, length, hash) {
    const start = this.#start(this.size);
    if (start + length > this.#items.length) {
      const grown = new Int32Array(Math.max(start + length, this.#items.length * 2));
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items.set(items.subarray(0, length), start);
    const stack = this.#ends.push(start + length) - 1;
    this.#hashes.push(hash);
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return stack;
  }

  #rehash() {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1);
    const mask = this.#slots.length - 1;
    this.#hashes.forEach((hash, stack) => {
      let slot = hash & mask;
      while (this.#slots[slot] >= 0) slot = (slot + 1) & mask;
      this.#slots[slot] = stack;
    });
  }
}

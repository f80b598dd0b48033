/**
 * Numbers for distinct raw lines, so that a line is read once however often it stands in a capture:
 * of ten million frame lines, some ninety thousand differ.
 *
 * A line is found by a hash of its bytes 4 to 23, where address and symbol begin, and compared with
 * the stored one to the newline, which thereby is found without a search.
 */

/** Where the raw lines alone pass this, the table starts anew: memory stays bounded. */
const MOST_BYTES = 2 ** 28;

export class LineTable {
  #bytes = new Uint8Array(2 ** 16);
  #view = new DataView(this.#bytes.buffer);
  /** @type {number[]} where each line ends; line 0 begins at 0 */
  #ends = [];
  /** @type {number[]} */
  #hashes = [];
  #slots = new Int32Array(2 ** 12).fill(-1);

  /**
   * Return the number of the line that begins at a place, or -1.
   *
   * @param {DataView} view readable for 24 bytes from `start`, and to the line's newline
   * @param {number} start
   */
  find(view, start) {
    const hash = hashOf(view, start);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; this.#slots[slot] >= 0; slot = (slot + 1) & mask) {
      const line = this.#slots[slot];
      if (this.#hashes[line] === hash && this.#equals(line, view, start)) return line;
    }
    return -1;
  }

  /**
   * Return the length of a line, its newline included.
   *
   * @param {number} line
   */
  length(line) {
    return this.#ends[line] - this.#start(line);
  }

  /**
   * Number a line that `find()` does not know.
   *
   * @param {Uint8Array} bytes
   * @param {DataView} view of the same bytes
   * @param {number} start
   * @param {number} end behind the newline
   */
  insert(bytes, view, start, end) {
    const begin = this.#start(this.#ends.length);
    this.#reserve(begin + end - start);
    this.#bytes.set(bytes.subarray(start, end), begin);
    const line = this.#ends.push(begin + end - start) - 1;
    const hash = hashOf(view, start);
    this.#hashes.push(hash);
    if (this.#hashes.length * 2 > this.#slots.length) this.#rehash();
    else this.#place(line, hash);
    return line;
  }

  isFull() {
    return this.#start(this.#ends.length) > MOST_BYTES;
  }

  /** @param {number} line */
  #start(line) {
    return line === 0 ? 0 : this.#ends[line - 1];
  }

  /**
   * @param {number} line
   * @param {DataView} view
   * @param {number} start
   */
  #equals(line, view, start) {
    const stored = this.#view;
    const end = this.#ends[line];
    let at = this.#start(line);
    let other = start;
    for (; at + 4 <= end; at += 4, other += 4) {
      if (stored.getInt32(at, true) !== view.getInt32(other, true)) return false;
    }
    for (; at < end; at++, other++) {
      if (stored.getUint8(at) !== view.getUint8(other)) return false;
    }
    return true;
  }

  /** @param {number} size */
  #reserve(size) {
    if (size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(size, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  #rehash() {
    this.#slots = new Int32Array(this.#slots.length * 4).fill(-1);
    this.#hashes.forEach((hash, line) => {
      this.#place(line, hash);
    });
  }

  /**
   * @param {number} line
   * @param {number} hash
   */
  #place(line, hash) {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = line;
  }
}

/**
 * Hash the line's beginning. Of a line shorter than 24 bytes, what follows it counts too: it may
 * be numbered more than once.
 *
 * @param {DataView} view
 * @param {number} start
 */
function hashOf(view, start) {
  let hash = view.getInt32(start + 4, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 8, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 12, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 16, true);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ view.getInt32(start + 20, true);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

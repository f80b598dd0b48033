/** Numbers for short names, such as those of threads, by their bytes: no string is made to find one. */

/** A recording has some dozen names; a capture that has far more of them is slow, but read. */
const SLOTS = 2 ** 12;

export class ByteNames {
  /** @type {{ name: Uint8Array, number: number }[][]} by the hash of the name */
  #slots = Array.from({ length: SLOTS }, () => []);

  /**
   * Return the number of a name, or -1.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  find(bytes, start, end) {
    for (const { name, number } of this.#slots[slotOf(bytes, start, end)]) {
      if (equals(name, bytes, start, end)) return number;
    }
    return -1;
  }

  /**
   * Keep the number of a name that `find()` does not know.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   * @param {number} number
   */
  set(bytes, start, end, number) {
    const name = Uint8Array.from(bytes.subarray(start, end));
    this.#slots[slotOf(bytes, start, end)].push({ name, number });
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function slotOf(bytes, start, end) {
  let hash = end - start;
  for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + bytes[at];
  return (hash ^ (hash >>> 12)) & (SLOTS - 1);
}

/**
 * @param {Uint8Array} name
 * @param {Uint8Array} bytes
 * @param {number} start
 * @param {number} end
 */
function equals(name, bytes, start, end) {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}

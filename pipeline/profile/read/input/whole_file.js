/** What readers of files have in common that can only be read as a whole. */

import { Buffer } from "node:buffer";

export const LARGEST = 2 ** 27;
export const LARGEST_IN_WORDS = "128 MiB";

/** Holds a file, up to a size, until it has ended. */
export class WholeFileReader {
  /** @type {Uint8Array[]} */
  #chunks = [];
  #size = 0;

  /** @param {Uint8Array} chunk */
  push(chunk) {
    this.#size += chunk.length;
    if (!this.isTooLarge) this.#chunks.push(Uint8Array.from(chunk));
  }

  /** Whether there was more than is held. */
  get isTooLarge() {
    return this.#size > LARGEST;
  }

  /** Return the bytes, and keep them no longer. */
  takeBytes() {
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return bytes;
  }
}

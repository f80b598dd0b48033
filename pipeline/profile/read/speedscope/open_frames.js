/** The frames that are open at a time, and their nodes. */
export class OpenFrames {
  /** @type {{ frame: number, node: number }[]} */
  #open = [];
  /** @type {Map<number, number>} how often each is open */
  #count = new Map();
  #thread;

  /** @param {number} thread */
  constructor(thread) {
    this.#thread = thread;
  }

  get size() {
    return this.#open.length;
  }

  get innermost() {
    return this.#open.at(-1)?.node ?? this.#thread;
  }

  /**
   * @param {number} frame
   * @param {number} node
   */
  open(frame, node) {
    this.#open.push({ frame, node });
    this.#count.set(frame, (this.#count.get(frame) ?? 0) + 1);
  }

  /**
   * Close a frame and what is open within it.
   *
   * @param {number} frame
   * @returns {boolean} whether it was open
   */
  close(frame) {
    if (!this.#count.get(frame)) return false;
    for (;;) {
      const last = this.#open.pop();
      if (last === undefined) return true;
      this.#count.set(last.frame, (this.#count.get(last.frame) ?? 0) - 1);
      if (last.frame === frame) return true;
    }
  }
}

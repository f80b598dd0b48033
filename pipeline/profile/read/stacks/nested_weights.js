/** Reads trees whose lines weigh what they and all lines nested in them do. */

/** @typedef {import("./perf_frame.js").Frame} Frame */

/** Takes such lines from above to below, and gives each stack the weight that nothing below it has. */
export class NestedWeights {
  /** @type {{ depth: number, weight: number, frame: Frame }[]} */
  #path = [];
  #add;

  /** @param {(path: Frame[], weight: number) => void} add takes frames from the tree's first line on */
  constructor(add) {
    this.#add = add;
  }

  /**
   * Take a line; return whether it weighs no more than the one that it is nested in has left.
   *
   * @param {number} depth columns of indentation
   * @param {number} weight
   * @param {Frame} frame
   */
  take(depth, weight, frame) {
    this.#close(depth);
    const above = this.#path.at(-1);
    if (above !== undefined && above.weight < weight) return false;
    if (above) above.weight -= weight;
    this.#path.push({ depth, weight, frame });
    return true;
  }

  /** End a tree. */
  end() {
    this.#close(0);
  }

  /** @param {number} depth of the next line */
  #close(depth) {
    while (this.#path.length > 0 && (this.#path.at(-1)?.depth ?? 0) >= depth) {
      const frames = this.#path.map(({ frame }) => frame);
      const weight = this.#path.pop()?.weight ?? 0;
      if (weight > 0) this.#add(frames, weight);
    }
  }
}

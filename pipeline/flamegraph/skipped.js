/** Ends the reasons that a damaged file gives: a line or a sample that is there in part only. */
export const ENDS_TOO_EARLY = "cut off by the end of the file";

/** Counts of what a reader did not read: each reason once, with the first line it applies to. */
export class SkippedCounts {
  /** @type {Map<string, import("./profile.js").Skipped>} */
  #reasons = new Map();

  /**
   * @param {string} reason
   * @param {number} line
   * @param {number} [count]
   */
  add(reason, line, count = 1) {
    const known = this.#reasons.get(reason);
    if (known) known.count += count;
    else this.#reasons.set(reason, { reason, count, first_line: line });
  }

  /** In the order of the reasons' text. */
  list() {
    return [...this.#reasons.values()].sort((a, b) => (a.reason < b.reason ? -1 : 1));
  }
}

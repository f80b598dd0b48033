import { problem } from "../../model/problems.js";

/** The end of the reasons for an incomplete line or sample of a damaged file. */
export const ENDS_TOO_EARLY = "cut off by the end of the file";

/** Reasons that many readers give. */
export const LONG_LINE = "line longer than 1 MiB";
export const WHEN_FOLDED = "left out when the capture was folded";
export const BAD_NAME = "name that is not UTF-8: its bad bytes";

/** The end of the reasons for what is read well, and does not count. */
export const BY_RULE = ", by rule";

/** No reader has as many, but a hostile capture may name its records as it likes. */
export const MOST_REASONS = 64;
const OTHER_REASON = "for other reasons";

/** Counts what a reader skipped, by reason, with the first line of each. */
export class SkippedCounts {
  /** @type {Map<string, import("../../model/profile.js").Skipped>} */
  #reasons = new Map();

  /**
   * @param {string} reason
   * @param {number} line
   * @param {number} [count]
   */
  add(reason, line, count = 1) {
    const isFull = this.#reasons.size >= MOST_REASONS && !this.#reasons.has(reason);
    const listed = isFull ? OTHER_REASON : reason;
    const known = this.#reasons.get(listed);
    if (!known) {
      this.#reasons.set(listed, { reason: listed, count, first_line: line });
      return;
    }
    known.count += count;
    known.first_line = Math.min(known.first_line, line); // some are reported late
  }

  /** How many reasons there are. */
  get size() {
    return this.#reasons.size;
  }

  clear() {
    this.#reasons.clear();
  }

  /** Return the counts in the order of the reasons' text. */
  list() {
    return [...this.#reasons.values()].sort((a, b) => (a.reason < b.reason ? -1 : 1));
  }
}

/**
 * @param {string} file
 * @param {import("../../model/profile.js").Skipped} skipped
 */
export function skippedProblem(file, { reason, count, first_line: line }) {
  const found = count === 1 ? reason : `${reason}, ${count} times`;
  // perfpress capture and fold reported these lines on the host that folded the capture.
  const isNote = reason === WHEN_FOLDED || reason.endsWith(BY_RULE);
  return problem({ path: file, line, found, severity: isNote ? "note" : "warning" });
}

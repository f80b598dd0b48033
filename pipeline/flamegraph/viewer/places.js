/** Where a reader has been in a graph, so that they can go back, step by step. */

/** @typedef {Pick<import("./link_state.js").LinkState, "frame" | "view" | "of">} Place */

/** @type {Place} */
export const WHOLE = { frame: "", view: "", of: "" };

/**
 * @param {Place} place
 * @returns {Place} without what else a state holds
 */
export function placeOf({ frame, view, of }) {
  return { frame, view, of };
}

export class Places {
  /** @type {Place[]} */
  left = [];

  /** @param {Place} place that the reader leaves for another */
  leave(place) {
    this.left.push(placeOf(place));
  }

  /**
   * Return whether there is a way back: the whole is where everyone comes from, by a link too.
   *
   * @param {Place} here
   */
  leadBackFrom(here) {
    return [WHOLE, ...this.left].some((place) => !isSamePlace(place, here));
  }

  /**
   * Return the place before this one; places that have become the same are one step.
   *
   * @param {Place} here
   */
  before(here) {
    let place = this.left.pop();
    while (place && isSamePlace(place, here)) place = this.left.pop();
    return place ?? WHOLE;
  }
}

/**
 * @param {Place} a
 * @param {Place} b
 */
function isSamePlace(a, b) {
  return a.frame === b.frame && a.view === b.view && a.of === b.of;
}

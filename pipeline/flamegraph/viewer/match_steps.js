/** Steps from match to match of a search, below the zoomed frame. */

import { subtreeEnd } from "../tree.js";

export class MatchSteps {
  /** @param {import("./view.js").GraphView} view */
  constructor(view) {
    this.view = view;
    /** The frame that a step zoomed to, and the one it stepped within. */
    this.zoomed = { to: -1, within: 0 };
  }

  /**
   * Go to the next or previous match; one too thin to draw is zoomed to.
   *
   * @param {1 | -1} step
   */
  go(step) {
    const { view } = this;
    // What a step itself zoomed to, as it was too thin to be seen, is not what the reader looks at.
    const within = this.zoomed.to === view.zoomed ? this.zoomed.within : view.zoomed;
    const end = subtreeEnd(view.graph.lanes[0].tree, within);
    const matches = [...view.found.nodes].filter((node) => node >= within && node < end);
    if (matches.length === 0) return;
    const { node: here } = view.cursor;
    const next =
      step > 0
        ? (matches.find((node) => node > here) ?? matches[0])
        : (matches.findLast((node) => node < here) ?? matches[matches.length - 1]);
    if (!view.picture.drawn(next) && within !== view.zoomed) view.show(within);
    if (!view.picture.drawn(next)) {
      view.moves.zoomTo(next);
      this.zoomed = { to: view.zoomed, within };
    }
    const frame = view.picture.drawn(next);
    if (frame) view.cursor.moveTo(frame);
    view.cursor.focus();
  }
}

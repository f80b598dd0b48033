/** Where a reader goes in a graph: into a frame, to what calls a function or what it calls, and back. */

import { findFrame } from "../../profile/model/frame_path.js";
import { functionId, functionIds, linkName } from "../../profile/model/function_names.js";
import { nameInSentence } from "../../profile/model/shown_names.js";

export class Moves {
  /** @param {import("./view.js").GraphView} view */
  constructor(view) {
    this.view = view;
    this.places = new Places();
  }

  /** Remember where the reader is, before they go elsewhere. */
  leave() {
    this.places.leave(this.view.state);
  }

  canGoBack() {
    return this.places.leadBackFrom(this.view.state);
  }

  back() {
    return this.view.change(this.places.before(this.view.state));
  }

  /** @param {number} node */
  zoomTo(node) {
    const { view } = this;
    const target = view.graph.lanes.some(({ section }) => section.first === node) ? 0 : node;
    if (target !== view.zoomed) this.leave();
    view.show(target);
  }

  async showWhole() {
    if (!this.view.state.view) return this.zoomTo(0);
    this.leave();
    await this.view.change(WHOLE);
  }

  /**
   * Show what calls a function, what it calls, or both: of the one in the status line.
   *
   * @param {import("../graph/function_tree.js").Side} side
   */
  async showFunction(side) {
    const { view } = this;
    const { node } = view.cursor;
    if (node === 0) return;
    const id = functionId(view.graph.className(node), view.graph.key(node));
    await view.whole.ask();
    this.leave();
    await view.change({ view: side, of: linkName(functionIds(view.data), id), frame: "" });
  }

  /**
   * Zoom to a frame that was named beside the graph, and show what waits again where it is among that.
   *
   * @param {string} frame its path
   */
  async goTo(frame) {
    const { view } = this;
    if (findFrame(view.graph, frame) < 0) await view.whole.ask();
    this.leave();
    const place = { ...WHOLE, frame };
    let node = await view.change(place);
    const waits = node < 0 && view.state.hide !== "";
    if (waits) node = await view.change({ ...place, hide: "" });
    view.cursor.lead();
    const name = nameInSentence(view.graph.name(view.zoomed));
    if (node < 0) view.say(`“${nameInSentence(frame)}” is not in what the graph shows.`);
    else
      view.say(
        `The graph shows ${name}${waits ? ", which waits: what waits is shown again" : ""}.`,
      );
  }
}

/** @typedef {Pick<import("./link_state.js").LinkState, "frame" | "view" | "of">} Place */

/** @type {Place} */
export const WHOLE = { frame: "", view: "", of: "" };

/**
 * @param {Place} place
 * @returns {Place} without what else a state holds
 */
function placeOf({ frame, view, of }) {
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

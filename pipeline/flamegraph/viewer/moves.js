/** Where a reader goes in a graph: into a frame, to what calls a function or what it calls, and back. */

import { functionId, functionIds, linkName } from "../function_names.js";
import { nameInSentence } from "../labels.js";
import { findFrame } from "./frame_path.js";
import { Places, WHOLE } from "./places.js";

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
   * Show what calls a function, what it calls, or both: of the one the status line tells of.
   *
   * @param {import("../function_tree.js").Side} side
   */
  async showFunction(side) {
    const { view } = this;
    const { node } = view.cursor;
    if (node === 0) return;
    const id = functionId(view.graph.className(node), view.graph.key(node));
    await view.whole.ask();
    this.leave();
    view.change({ view: side, of: linkName(functionIds(view.data), id), frame: "" });
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
    const { bar } = view.controls;
    const { top, bottom } = bar.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight / 2) bar.scrollIntoView({ block: "start" });
    view.cursor.focus();
    const name = nameInSentence(view.graph.name(view.zoomed));
    if (node < 0) view.say(`“${nameInSentence(frame)}” is not in what the graph shows.`);
    else
      view.say(
        `The graph shows ${name}${waits ? ", which waits: what waits is shown again" : ""}.`,
      );
  }
}

/** Where a reader goes in a graph: into a frame, to what calls a function or what it calls, and back. */

import { functionId, functionIds, linkName } from "../../profile/model/function_names.js";
import { nameInSentence } from "../../profile/model/shown_names.js";
import { IN_LIBRARY, termsOf } from "../graph/edits.js";

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

  /** Show all of it, and stay on the frame. */
  showWhole() {
    const { view } = this;
    if (view.state.view || view.zoomed) this.leave();
    if (view.state.view) view.change(WHOLE);
    else view.show(0, view.cursor.node);
  }

  /**
   * Show what calls a function, what it calls, or both: of the one in the status line.
   *
   * @param {import("../graph/function_tree.js").CallDirection} side
   */
  showFunction(side) {
    const { view } = this;
    const { node } = view.cursor;
    if (node === 0) return;
    const id = functionId(view.graph.className(node), view.graph.key(node));
    this.leave();
    view.change({ view: side, of: linkName(functionIds(view.data), id), frame: "" });
  }

  /** Show each function by its own weight, with its callers; or the whole graph again. */
  invert() {
    const { view } = this;
    if (view.state.view === "leaves") return this.showWhole();
    this.leave();
    view.change({ ...WHOLE, view: "leaves" });
  }

  /** Draw what is gone, and go to its first frame. */
  showGone() {
    const { view } = this;
    view.change({ gone: "drawn" });
    const first = view.picture.drawing.frames.find(({ lane }) => lane.isContext);
    if (first) view.cursor.moveTo(first);
    view.cursor.lead();
  }

  /**
   * Leave out of the graph the function in the status line, its kind of code, its library or its namespace, or all
   * else.
   *
   * @param {import("./edit_controls.js").Edit} edit
   * @param {import("./edit_controls.js").Target} target
   */
  edit(edit, target) {
    const { view } = this;
    const { node } = view.cursor;
    if (node === 0) return;
    const { graph } = view;
    const [key, className, library] = [graph.key(node), graph.className(node), graph.library(node)];
    const term = {
      function: () => linkName(functionIds(view.data), functionId(className, key)),
      kind: () => `[${className}]`,
      library: () => IN_LIBRARY + library,
      namespace: () => `${namespaceOf(key)}*`,
    }[target]();
    this.leaveOut(edit, term);
  }

  /**
   * @param {import("./edit_controls.js").Edit} edit
   * @param {string} term as links have it
   */
  leaveOut(edit, term) {
    const { state } = this.view;
    const before = edit === "only" ? [] : termsOf(state[edit]);
    return this.view.change({ [edit]: [...new Set([...before, term])].join(" | ") });
  }

  /**
   * @param {import("./edit_controls.js").Edit} edit
   * @param {string} term that is an option of the graph
   */
  toggle(edit, term) {
    const terms = termsOf(this.view.state[edit]);
    if (terms.includes(term)) return this.undo(edit, term);
    return this.view.change({ [edit]: [...terms, term].join(" | ") });
  }

  /**
   * @param {import("./edit_controls.js").Edit} edit
   * @param {string} term
   */
  undo(edit, term) {
    const left = termsOf(this.view.state[edit]).filter((other) => other !== term);
    return this.view.change({ [edit]: left.join(" | ") });
  }

  /**
   * Zoom to a frame that was named beside the graph.
   *
   * @param {string} frame its path
   */
  goTo(frame) {
    const { view } = this;
    this.leave();
    view.change({ ...WHOLE, frame });
    view.cursor.lead();
    view.say(`The graph shows ${nameInSentence(view.graph.name(view.zoomed))}.`);
  }
}

/**
 * Return `rocksdb::` of `rocksdb::DBImpl::Get`; empty where there is none.
 *
 * @param {string} key of a function
 */
export function namespaceOf(key) {
  return /^\w+::/.exec(key)?.[0] ?? "";
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

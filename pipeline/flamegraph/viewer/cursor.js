/**
 * The one frame that is an element of its own: where the keyboard is, and what the status line tells
 * of. It is a new element each time, so that the focus moves and a screen reader says where it went.
 */

import { ROW } from "../scene.js";
import { svgElement } from "./elements.js";
import { neighbour, widestEnd } from "./neighbours.js";

export class Cursor {
  /**
   * @param {string} title
   * @param {import("./view.js").GraphView} view
   */
  constructor(title, view) {
    this.view = view;
    this.node = 0;
    /** @type {import("../graph.js").Lane | null} the one it is in, where several have the frame */
    this.lane = null;
    this.tree = svgElement("g", { role: "tree", "aria-label": title });
    this.tree.addEventListener("keydown", (event) => this.key(event));
  }

  hasFocus() {
    return this.tree.contains(document.activeElement);
  }

  focus() {
    const [element] = this.tree.children;
    if (element instanceof SVGElement) element.focus({ preventScroll: true });
  }

  /**
   * Stand on a frame at the next drawing.
   *
   * @param {number} node
   */
  rest(node) {
    this.node = node;
    this.lane = null;
  }

  /** @returns {import("../scene.js").Drawn | undefined} */
  frame() {
    const { picture } = this.view;
    return picture.drawn(this.node, this.lane) ?? picture.top() ?? picture.drawing.frames[0];
  }

  /** @param {boolean} focus */
  place(focus) {
    const frame = this.frame();
    if (!frame) return this.tree.replaceChildren();
    const { node, lane, x, y, width } = frame;
    this.node = node;
    this.lane = lane;
    const element = svgElement(
      "g",
      {
        class: "cursor",
        role: "treeitem",
        tabindex: 0,
        "aria-selected": String(node === this.view.zoomed),
        "aria-level": lane.tree.depth[node] + 1,
        "aria-label": this.view.facts(node).join(", "),
      },
      svgElement("rect", { x, y, width: Math.max(width, 2), height: ROW - 1 }),
    );
    this.tree.replaceChildren(element);
    if (focus) this.focus();
  }

  /** @param {import("../scene.js").Drawn} frame */
  moveTo({ node, lane }) {
    this.node = node;
    this.lane = lane;
    this.place(this.hasFocus());
    this.bringIntoSight();
    this.view.tell();
  }

  /** Scroll where the frame is out of sight, or below the status line, which may float. */
  bringIntoSight() {
    const [element] = this.tree.children;
    if (!element) return;
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { bottom } = element.getBoundingClientRect();
    const { top, height } = this.view.controls.foot.getBoundingClientRect();
    if (bottom > top && bottom < top + height) scrollBy(0, bottom - top + ROW);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.view.pointer.tooltip.hide();
    const done = this.act(event.key);
    if (!done) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} key
   * @returns {boolean} whether the key does anything here
   */
  act(key) {
    const { view } = this;
    const action = ACTIONS[key];
    if (action) {
      if (key === "Escape" && !view.moves.canGoBack()) return false;
      action(view);
      return true;
    }
    const here = this.frame();
    if (!here) return false;
    const target = this.target(here, key);
    if (target) this.moveTo(target);
    return target !== undefined;
  }

  /**
   * @param {import("../scene.js").Drawn} here
   * @param {string} key
   */
  target(here, key) {
    const { picture } = this.view;
    if (key === "Home") return picture.top();
    if (key === "End") return widestEnd(picture.drawing, here);
    if (key === "PageDown" || key === "PageUp")
      return this.nextLane(here, key === "PageDown" ? 1 : -1);
    return neighbour(picture.drawing, here, key);
  }

  /**
   * Return the first frame of the lane after this one, or before: in a diff, what is gone.
   *
   * @param {import("../scene.js").Drawn} here
   * @param {1 | -1} step
   */
  nextLane(here, step) {
    const { lanes } = this.view.graph;
    const { frames } = this.view.picture.drawing;
    const lane = lanes[lanes.indexOf(here.lane) + step];
    return frames.find((frame) => frame.lane === lane);
  }
}

/** @type {Record<string, (view: import("./view.js").GraphView) => void>} */
const ACTIONS = {
  Enter: (view) => view.moves.zoomTo(view.cursor.node),
  " ": (view) => view.moves.zoomTo(view.cursor.node),
  Escape: (view) => view.moves.back(),
  d: (view) => view.moves.showFunction("callees"),
  u: (view) => view.moves.showFunction("callers"),
  b: (view) => view.moves.showFunction("both"),
  w: (view) => view.moves.showWhole(),
  n: (view) => view.matchSteps.go(1),
  N: (view) => view.matchSteps.go(-1),
};

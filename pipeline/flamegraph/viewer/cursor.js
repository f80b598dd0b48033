/**
 * The keyboard's frame, the only one with an element of its own; the status line describes it. It is a new element each time, so that the focus moves and a screen reader says where it went.
 */

import { NO_EDITS } from "../graph/edits.js";
import { ROW } from "../graph/scene.js";
import { copy } from "./copy.js";
import { svgElement } from "./elements.js";

/** Pixels between a frame that comes into the window and the window's edge: some of its callers. */
const AROUND = 3 * ROW;

export class Cursor {
  /**
   * @param {string} title
   * @param {import("./view.js").GraphView} view
   */
  constructor(title, view) {
    this.view = view;
    this.node = 0;
    /** @type {import("../graph/graph.js").Lane | null} the one it is in, where several have the frame */
    this.lane = null;
    this.tree = svgElement("g", { role: "tree", "aria-label": title });
    this.tree.addEventListener("keydown", (event) => this.key(event));
    // Where no text is selected the browser's own key copies the name.
    this.tree.addEventListener("copy", (event) => {
      if (!getSelection()?.isCollapsed) return;
      copy(view, "name", (text) => event.clipboardData?.setData("text/plain", text));
      event.preventDefault();
    });
    // Whoever tabs to it: the status line floats from then on.
    this.tree.addEventListener("keyup", ({ key }) => {
      if (key === "Tab") this.bringIntoSight();
    });
  }

  hasFocus() {
    return this.tree.contains(document.activeElement);
  }

  /** Focus its frame; where all is hidden, what brings it back. */
  focus() {
    const [element] = [...this.tree.children, ...this.view.controls.edits.list.children];
    /** @type {HTMLElement | undefined} */ (element)?.focus({ preventScroll: true });
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

  /** @returns {import("../graph/scene.js").Drawn | undefined} its frame, or the nearest caller that is drawn */
  frame() {
    const { picture, graph } = this.view;
    const { parent } = graph.lanes[0].tree;
    for (let at = this.node; at >= 0; at = parent[at]) {
      const frame = picture.drawn(at, this.lane);
      if (frame) return frame;
    }
    return picture.top() ?? picture.drawing.frames[0];
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

  /** @param {import("../graph/scene.js").Drawn} frame */
  moveTo({ node, lane }) {
    this.node = node;
    this.lane = lane;
    this.place(this.hasFocus());
    // Its words may take more lines, and cover more.
    this.view.describe();
    this.bringIntoSight();
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

  /**
   * Lead the reader here, who asked for the frame elsewhere: where it is out of sight, the window jumps
   * to it, no farther than need be from beside the graph, else with its middle. A smooth scroll, of a
   * page that embeds the graph too, would be on its way when the graph is drawn anew.
   */
  lead() {
    const [element] = this.tree.children;
    if (!element) return;
    this.focus();
    const { top, bottom } = element.getBoundingClientRect();
    const foot = this.view.controls.foot.getBoundingClientRect();
    const isCovered = bottom > foot.top && top < foot.bottom;
    if (top >= 0 && bottom <= innerHeight && !isCovered) return;
    const up = top < 0 ? top - AROUND : 0;
    // The status line floats at the window's edge.
    const away = up || bottom + Math.max(AROUND, foot.height + ROW) - innerHeight;
    const isNear = Math.abs(away) < innerHeight && !isCovered;
    if (isNear) scrollBy({ top: away, behavior: "instant" });
    else element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
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
      if (this.hasFocus()) this.bringIntoSight();
      return true;
    }
    const here = this.frame();
    if (!here) return false;
    const target = this.target(here, key);
    if (target) this.moveTo(target);
    else if (key === "PageDown" && view.hasHiddenLane()) view.moves.showGone();
    else return false;
    return true;
  }

  /**
   * @param {import("../graph/scene.js").Drawn} here
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
   * @param {import("../graph/scene.js").Drawn} here
   * @param {1 | -1} step
   */
  nextLane(here, step) {
    const { lanes } = this.view.graph;
    const { frames } = this.view.picture.drawing;
    const lane = lanes[lanes.indexOf(here.lane) + step];
    return frames.find((frame) => frame.lane === lane);
  }
}

/** @type {Record<string, (view: import("./view.js").GraphView) => unknown>} */
const ACTIONS = {
  Enter: (view) => view.moves.zoomTo(view.cursor.node),
  " ": (view) => view.moves.zoomTo(view.cursor.node),
  Escape: (view) => view.moves.back(),
  d: (view) => view.moves.showFunction("callees"),
  u: (view) => view.moves.showFunction("callers"),
  b: (view) => view.moves.showFunction("both"),
  l: (view) => view.moves.invert(),
  w: (view) => view.moves.showWhole(),
  f: (view) => view.moves.edit("only", view.controls.edits.chosen()),
  h: (view) => view.moves.edit("hide", view.controls.edits.chosen()),
  c: (view) => view.moves.edit("collapse", view.controls.edits.chosen()),
  m: (view) => view.moves.edit("merge", view.controls.edits.chosen()),
  r: (view) => view.change(NO_EDITS),
  n: (view) => view.matchSteps.go(1),
  N: (view) => view.matchSteps.go(-1),
  s: (view) => copy(view, "stack"),
  S: (view) => copy(view, "folded line"),
};

/** By how many rows up or down. */
const ROWS = /** @type {Record<string, number>} */ ({ ArrowUp: -1, ArrowDown: 1 });

/**
 * Up and down lead to the caller or to the widest callee, in an icicle and in a flame graph alike: of the
 * frames in the next row, to the one that most of this one touches. Left and right lead to what has
 * the same caller.
 *
 * @param {import("../graph/scene.js").Scene} drawing
 * @param {import("../graph/scene.js").Drawn} here
 * @param {string} key as `KeyboardEvent.key` names it
 * @returns {import("../graph/scene.js").Drawn | undefined}
 */
export function neighbour(drawing, here, key) {
  if (ROWS[key]) {
    return widest(
      drawing.frames.filter(({ y }) => y === here.y + ROWS[key] * ROW),
      (frame) => Math.min(frame.x + frame.width, here.x + here.width) - Math.max(frame.x, here.x),
    );
  }
  const { parent } = here.lane.tree;
  const siblings = drawing.frames.filter(
    ({ node, lane }) => lane === here.lane && parent[node] === parent[here.node],
  );
  const at = siblings.indexOf(here);
  if (key === "ArrowLeft") return siblings[at - 1];
  if (key === "ArrowRight") return siblings[at + 1];
  return undefined;
}

/**
 * Follow the widest callees (in the tree of its callers: the widest callers) to the last.
 *
 * @param {import("../graph/scene.js").Scene} drawing
 * @param {import("../graph/scene.js").Drawn} from
 */
function widestEnd(drawing, from) {
  const { parent } = from.lane.tree;
  let end = from;
  // Callers come before their callees, so one pass finds all below.
  /** @type {Map<number, import("../graph/scene.js").Drawn>} */
  const below = new Map();
  for (const frame of drawing.frames) {
    if (frame.lane !== from.lane) continue;
    const known = below.get(parent[frame.node]);
    if (!known || frame.width > known.width) below.set(parent[frame.node], frame);
  }
  for (let next = below.get(end.node); next; next = below.get(end.node)) end = next;
  return end;
}

/**
 * @template T
 * @param {T[]} items
 * @param {(item: T) => number} width
 * @returns {T | undefined} undefined where none is wider than nothing
 */
function widest(items, width) {
  let best;
  let most = 0;
  for (const item of items) {
    const size = width(item);
    if (size > most) {
      best = item;
      most = size;
    }
  }
  return best;
}

/**
 * One interactive graph: what the reader sees, points at, zooms into and searches for. It knows
 * nothing of the document around it, so a page may hold several and a file may hold one.
 */

import { formatShare } from "../numbers.js";
import { ROW, scene } from "../scene.js";
import { subtreeEnd } from "../tree.js";
import { FrameIndex, sceneElement } from "./canvas.js";
import { Controls } from "./controls.js";
import { svgElement } from "./elements.js";
import { findFrame, framePath, sameFrame } from "./frame_path.js";
import { neighbour } from "./neighbours.js";
import { matchedShare, matcher, matchingNodes } from "./search.js";
import { Tooltip } from "./tooltip.js";

/** Frames thinner than this cannot be seen or hit; zooming brings them out. */
const THINNEST_SHOWN = 0.4;

/**
 * @typedef {object} ViewOptions
 * @property {SVGSVGElement} picture where the graph is drawn; its content is replaced
 * @property {import("../graph.js").Graph} graph whole, or an excerpt
 * @property {string} title
 * @property {{ read(): import("./link_state.js").LinkState,
 *   write(state: import("./link_state.js").LinkState): void }} store
 * @property {() => number} width pixels there are
 * @property {(height: number) => void} resized called after each drawing
 * @property {(() => Promise<import("../graph.js").Graph>) | null} load the whole graph, where
 *   `graph` is an excerpt
 */

export class GraphView {
  /** @param {ViewOptions} options */
  constructor(options) {
    this.options = options;
    this.graph = options.graph;
    this.load = options.load;
    this.zoomed = 0;
    this.cursor = 0;
    /** @type {number[]} frames zoomed into before */
    this.trail = [];
    this.query = "";
    /** @type {((name: string) => boolean) | null} null where the query cannot be read */
    this.matches = null;
    /** @type {Set<number>} */
    this.matching = new Set();
    /** @type {"icicle" | "flame"} */
    this.direction = "icicle";
    this.controls = new Controls({
      search: (query) => this.search(query),
      step: (step) => this.step(step),
      back: () => this.back(),
      turn: () => this.turn(),
    });
    /** @type {import("../scene.js").Scene} */
    this.drawing = { height: 0, frames: [], titles: [], leftOut: { frames: 0, weight: 0 } };
    this.index = new FrameIndex(this.drawing);
    this.tooltip = new Tooltip();
    this.tree = svgElement("g", { role: "tree", "aria-label": options.title });
  }

  /** Draw for the first time, when the controls have their place. */
  start() {
    this.listen(this.options.picture);
    this.redraw();
    this.restore();
  }

  redraw() {
    const hadFocus = this.tree.contains(document.activeElement);
    const width = this.options.width();
    this.drawing = scene(this.graph, {
      width,
      zoomed: this.zoomed,
      direction: this.direction,
      minimumPixels: THINNEST_SHOWN,
    });
    this.index = new FrameIndex(this.drawing);
    const { height } = this.drawing;
    const { picture } = this.options;
    picture.setAttribute("width", String(width));
    picture.setAttribute("height", String(height));
    // Where a style sheet says otherwise, as on paper, all of it is still there.
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.tooltip.hide();
    picture.replaceChildren(
      svgElement("rect", { class: "backdrop", width, height }),
      sceneElement(this.drawing, this.matching),
      this.tree,
      this.tooltip.element,
    );
    this.placeCursor(hadFocus);
    this.controls.show({
      query: this.query,
      found: this.foundText(),
      matches: this.matching.size > 0,
      zoomed: this.zoomed !== 0,
    });
    this.options.resized(height);
  }

  /**
   * Place the one frame that is an element of its own: the one the keyboard is on. A new element
   * each time, so that the focus moves and a screen reader says where it went.
   *
   * @param {boolean} focus
   */
  placeCursor(focus) {
    const frame = this.drawn(this.cursor) ?? this.drawn(this.zoomed) ?? this.drawing.frames[0];
    if (!frame) return this.tree.replaceChildren();
    this.cursor = frame.node;
    const { x, y, width } = frame;
    const element = svgElement(
      "g",
      {
        class: "cursor",
        role: "treeitem",
        tabindex: 0,
        "aria-selected": String(frame.node === this.zoomed),
        "aria-level": frame.lane.tree.depth[frame.node] + 1,
        "aria-label": this.graph.name(frame.node),
      },
      svgElement("rect", { x, y, width: Math.max(width, 2), height: ROW - 1 }),
    );
    this.tree.replaceChildren(element);
    if (focus) element.focus({ preventScroll: true });
  }

  /** @param {number} node */
  drawn(node) {
    return this.drawing.frames.find((frame) => frame.node === node);
  }

  /** @param {SVGSVGElement} picture */
  listen(picture) {
    picture.addEventListener("pointermove", (event) => {
      const frame = this.frameAt(event);
      picture.classList.toggle("over-frame", frame !== undefined);
      if (frame && event.pointerType !== "touch") this.tooltip.show(frame, this.words(frame.node));
      else this.tooltip.hide();
    });
    picture.addEventListener("pointerleave", () => this.tooltip.hide());
    picture.addEventListener("click", (event) => {
      const frame = this.frameAt(event);
      if (!frame) return;
      this.zoomTo(frame.node);
      this.placeCursor(true);
    });
    this.tree.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {MouseEvent} event */
  frameAt({ clientX, clientY }) {
    const toScreen = this.options.picture.getScreenCTM();
    if (!toScreen) return undefined;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toScreen.inverse());
    return this.index.at(x, y);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.zoomTo(this.cursor);
    else if (event.key === "Escape" && this.zoomed !== 0) this.back();
    else if (event.key === "Home") this.moveTo(this.zoomed);
    else {
      const target = neighbour(this.drawing, this.cursor, event.key, this.direction);
      if (target === undefined) return;
      this.moveTo(target);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} node */
  moveTo(node) {
    this.cursor = node;
    this.placeCursor(true);
    this.tree.firstElementChild?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.say(this.words(node).join(" · "));
  }

  /** @param {number} node */
  zoomTo(node) {
    if (node !== this.zoomed) this.trail.push(this.zoomed);
    this.show(node);
    if (this.load && node !== 0 && this.isPruned(node)) this.loadWhole();
  }

  back() {
    this.show(this.trail.pop() ?? 0);
  }

  turn() {
    this.direction = this.direction === "icicle" ? "flame" : "icicle";
    this.redraw();
  }

  /** @param {number} node */
  show(node) {
    this.zoomed = node;
    this.cursor = node;
    this.remember();
    this.redraw();
    this.say(node === 0 ? "The whole graph." : this.words(node).join(" · "));
  }

  /** @param {string} query */
  search(query) {
    this.query = query;
    this.find();
    this.remember();
    this.redraw();
    if (query && this.load) this.loadWhole();
  }

  find() {
    this.matches = this.query ? matcher(this.query) : null;
    this.matching = this.matches ? matchingNodes(this.graph, this.matches) : new Set();
  }

  foundText() {
    if (!this.query) return "";
    if (!this.matches) return "Not a regular expression";
    const shares = this.graph.lanes
      .filter(({ tree }) => tree.total[this.zoomed] > 0)
      .map(({ tree, title }) => {
        const share = formatShare(matchedShare(tree, this.matching, this.zoomed));
        return title ? `${share} of “${title}”` : share;
      });
    return `Matched: ${shares.join(", ")}`;
  }

  /**
   * Go to the next or previous match below the zoomed frame; one too thin to draw is zoomed to.
   *
   * @param {1 | -1} step
   */
  step(step) {
    const end = subtreeEnd(this.graph.lanes[0].tree, this.zoomed);
    const matches = [...this.matching].filter((node) => node >= this.zoomed && node < end);
    if (matches.length === 0) return;
    const next =
      step > 0
        ? (matches.find((node) => node > this.cursor) ?? matches[0])
        : (matches.findLast((node) => node < this.cursor) ?? matches[matches.length - 1]);
    if (!this.drawn(next)) this.zoomTo(next);
    this.moveTo(next);
  }

  /**
   * Tell whether an excerpt left out anything below a node.
   *
   * @param {number} node
   */
  isPruned(node) {
    return this.graph.lanes.some(({ tree }) =>
      tree.rest.subarray(node, subtreeEnd(tree, node)).some((weight) => weight > 0),
    );
  }

  /** Put the whole graph in the place of the excerpt, with the reader where they were. */
  async loadWhole() {
    const { load } = this;
    if (!load) return;
    this.load = null; // once, however often it is asked for
    try {
      const whole = await load();
      const from = this.graph;
      this.zoomed = sameFrame(from, this.zoomed, whole);
      this.cursor = sameFrame(from, this.cursor, whole);
      this.trail = this.trail.map((node) => sameFrame(from, node, whole));
      this.graph = whole;
    } catch {
      this.load = load;
      this.say("The whole profile could not be fetched; this is the part that the page holds.");
      return;
    }
    this.find();
    this.redraw();
  }

  remember() {
    const frame = this.zoomed === 0 ? "" : framePath(this.graph, this.zoomed);
    this.options.store.write({ frame, search: this.query });
  }

  /** Show what the link asks for. */
  async restore() {
    const { frame, search } = this.options.store.read();
    if (search !== this.query) {
      this.query = search;
      this.find();
      this.redraw();
      if (search) await this.loadWhole();
    }
    const shown = this.zoomed === 0 ? "" : framePath(this.graph, this.zoomed);
    if (frame === shown) return;
    if (frame && findFrame(this.graph, frame) < 0) await this.loadWhole();
    const node = frame ? findFrame(this.graph, frame) : 0;
    if (node >= 0) this.zoomTo(node);
    else this.say(`The link's frame “${frame}” is not in this graph.`);
  }

  /** @param {number} node */
  words(node) {
    return [this.graph.name(node), ...this.graph.facts(node, this.zoomed)];
  }

  /** @param {string} text */
  say(text) {
    this.controls.status.textContent = text;
  }
}

/**
 * One interactive graph: what the reader sees, points at, zooms into and searches for. It knows
 * nothing of the document around it, so a page may hold several and a file may hold one.
 */

import { scene } from "../scene.js";
import { subtreeEnd } from "../tree.js";
import { Canvas, FrameIndex } from "./canvas.js";
import { Controls } from "./controls.js";
import { Cursor } from "./cursor.js";
import { svgElement } from "./elements.js";
import { findFrame, framePath, sameFrame } from "./frame_path.js";
import { graphOf, shownGraph } from "./graph_of.js";
import { kinds } from "./kinds.js";
import { INITIAL, isSame } from "./link_state.js";
import { Pointer } from "./pointer.js";
import { foundWords, search } from "./search.js";
import { trailOf } from "./trail.js";

/** Frames thinner than this cannot be seen or hit; zooming brings them out. */
const THINNEST_SHOWN = 0.4;

/**
 * @typedef {import("./link_state.js").LinkState} LinkState
 *
 * @typedef {object} ViewOptions
 * @property {SVGSVGElement} picture where the graph is drawn; its content is replaced
 * @property {import("../regrow.js").Columns} data whole, or an excerpt
 * @property {string} title
 * @property {{ read(): LinkState, write(state: LinkState): void }} store
 * @property {() => number} width pixels there are
 * @property {(height: number) => void} resized called after each drawing
 * @property {(() => Promise<import("../regrow.js").Columns>) | null} load the whole, where `data` is
 *   an excerpt
 * @property {() => void} [changed] called when the reader is elsewhere, or sees something else
 */

export class GraphView {
  /** @param {ViewOptions} options */
  constructor(options) {
    this.options = options;
    this.data = options.data;
    this.load = options.load;
    /** @type {LinkState} */
    this.state = { ...INITIAL };
    /** @type {Pick<LinkState, "frame" | "view" | "of">[]} where the reader was before */
    this.history = [];
    this.zoomed = 0;
    /** What the graph's shares are of, where they are of the zoomed frame. */
    this.sharesOf = 0;
    this.graph = graphOf(options.data);
    /** @type {string[]} what the graph is other than the whole */
    this.words = [];
    this.found = search(this.graph, "");
    this.controls = new Controls({
      search: (query) => this.search(query),
      step: (step) => this.step(step),
      back: () => this.back(),
      turn: () => this.change({ draw: this.state.draw ? "" : "flame" }),
      view: (view) => this.showFunction(view),
      merge: () => this.change({ merge: this.state.merge ? "" : "recursion" }),
      recolour: () => this.change({ palette: this.state.palette ? "" : "plain" }),
      hide: () => this.change({ hide: this.state.hide ? "" : "idle" }),
    });
    /** @type {import("../scene.js").Scene} */
    this.drawing = { height: 0, frames: [], titles: [], leftOut: { frames: 0, weight: 0 } };
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing);
    this.cursor = new Cursor(options.title, this);
    this.diffControls =
      options.data.format === "perfpress-diff"
        ? (kinds.diff?.controlsOf(options.data, (changes) => this.change(changes)) ?? null)
        : null;
    this.pointer = new Pointer(this);
    /** The frame that a step from match to match zoomed to, and the one it steps within. */
    this.stepped = { to: -1, within: 0 };
  }

  /** Draw for the first time, when the controls have their place. */
  start() {
    this.pointer.listen(this.options.picture);
    this.redraw();
    this.tell();
    this.restore();
  }

  /** Make the graph that the state asks for. */
  grow() {
    const { graph, words, missing } = shownGraph(this.data, this.state, this.zoomed);
    this.graph = graph;
    this.sharesOf = this.zoomed;
    this.words = words;
    if (missing) this.state = { ...this.state, view: "", of: "" };
    this.find();
  }

  redraw() {
    if (this.state.basis === "frame" && this.sharesOf !== this.zoomed) this.grow();
    const hadFocus = this.cursor.hasFocus();
    const width = this.options.width();
    this.drawing = scene(this.graph, {
      width,
      zoomed: this.zoomed,
      direction: this.state.draw === "flame" ? "flame" : "icicle",
      minimumPixels: THINNEST_SHOWN,
    });
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing);
    this.canvas.mark(this.found.nodes);
    const { height } = this.drawing;
    const { picture } = this.options;
    picture.classList.toggle("plain", this.state.palette === "plain");
    picture.setAttribute("width", String(width));
    picture.setAttribute("height", String(height));
    // Where a style sheet says otherwise, as on paper, all of it is still there.
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.pointer.tooltip.hide();
    picture.replaceChildren(
      svgElement("rect", { class: "backdrop", width, height }),
      this.canvas.element,
      this.cursor.tree,
      this.pointer.tooltip.element,
    );
    this.cursor.place(hadFocus);
    this.showControls();
    this.options.resized(height);
  }

  showControls() {
    const { search: query, merge, hide, view, palette } = this.state;
    const hasKinds = this.data.format !== "perfpress-diff";
    this.controls.show({
      query,
      found: query ? foundWords(this.graph, this.found, this.zoomed) : "",
      matches: this.found.nodes.size > 0,
      canGoBack: this.canGoBack(),
      canTurn: view !== "both",
      merged: merge !== "",
      plain: hasKinds ? palette === "plain" : null,
      hidden: hide !== "",
      shown: this.words.join(" "),
      trail: trailOf(this),
    });
    this.diffControls?.show(this.state, /** @type {any} */ (this.graph));
    this.options.changed?.();
  }

  /** Return what the width is full of: the zoomed frame, or the one that the graph begins with. */
  top() {
    const { frames } = this.drawing;
    return frames.find(
      ({ node, lane }) => node === (this.zoomed === 0 ? lane.section.first : this.zoomed),
    );
  }

  /** @param {number} node */
  zoomTo(node) {
    const target = this.graph.lanes.some(({ section }) => section.first === node) ? 0 : node;
    if (target !== this.zoomed) this.leave();
    this.show(target);
  }

  /** Remember where the reader is, before they go elsewhere. */
  leave() {
    const { frame, view, of } = this.state;
    this.history.push({ frame, view, of });
  }

  canGoBack() {
    return this.zoomed !== 0 || this.state.view !== "";
  }

  back() {
    const before = this.history.pop() ?? { frame: "", view: "", of: "" };
    this.change(before);
  }

  /**
   * Show what calls a function, what it calls, or both: of the one the status line tells of.
   *
   * @param {import("../function_tree.js").Side} view
   */
  async showFunction(view) {
    const { node } = this.cursor;
    if (node === 0) return;
    const of = this.graph.key(node);
    await this.loadWhole();
    this.leave();
    this.change({ view, of, frame: "" });
  }

  /**
   * Zoom to a frame that was named beside the graph.
   *
   * @param {string} frame its path
   */
  async goTo(frame) {
    if (findFrame(this.graph, frame) < 0) await this.loadWhole();
    this.leave();
    await this.change({ view: "", of: "", frame });
    const { bar } = this.controls;
    const { top, bottom } = bar.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight / 2) bar.scrollIntoView({ block: "start" });
    this.say(`The graph shows ${this.graph.name(this.zoomed)}.`);
  }

  /**
   * Sort the table of functions beside the graph.
   *
   * @param {string} sort
   */
  order(sort) {
    this.state = { ...this.state, sort };
    this.remember();
    this.options.changed?.();
  }

  showWhole() {
    if (!this.state.view) return this.zoomTo(0);
    this.leave();
    this.change({ view: "", of: "", frame: "" });
  }

  /**
   * Change what is shown, and stay at the frame where it is still there.
   *
   * @param {Partial<LinkState>} changes
   */
  async change(changes) {
    const asked = { ...this.state, ...changes };
    if (asked.merge || asked.hide || asked.view || asked.sides) await this.loadWhole();
    const wanted = { ...this.state, ...changes }; // the reader may have gone on meanwhile
    const focused = this.cursor.hasFocus();
    this.state = wanted;
    this.zoomed = 0; // the nodes of another tree have other numbers
    this.grow();
    const node = wanted.frame ? findFrame(this.graph, wanted.frame) : 0;
    this.show(Math.max(node, 0));
    if (focused) this.cursor.focus();
    return node;
  }

  /** @param {number} node */
  show(node) {
    this.zoomed = node;
    this.cursor.rest(node);
    this.remember();
    this.redraw();
    this.tell();
    if (this.cursor.hasFocus()) this.cursor.bringIntoSight();
    if (node !== 0 && this.isPruned(node)) this.loadWhole();
  }

  /** @param {string} query */
  search(query) {
    this.state.search = query;
    this.find();
    this.remember();
    this.canvas.mark(this.found.nodes);
    this.showControls();
    if (query) this.loadWhole();
  }

  find() {
    this.found = search(this.graph, this.state.search);
  }

  /**
   * Go to the next or previous match below the zoomed frame; one too thin to draw is zoomed to.
   *
   * @param {1 | -1} step
   */
  step(step) {
    // What a step itself zoomed to, as it was too thin to be seen, is not what the reader looks at.
    const within = this.stepped.to === this.zoomed ? this.stepped.within : this.zoomed;
    const end = subtreeEnd(this.graph.lanes[0].tree, within);
    const matches = [...this.found.nodes].filter((node) => node >= within && node < end);
    if (matches.length === 0) return;
    const { node: here } = this.cursor;
    const next =
      step > 0
        ? (matches.find((node) => node > here) ?? matches[0])
        : (matches.findLast((node) => node < here) ?? matches[matches.length - 1]);
    if (!this.drawn(next) && within !== this.zoomed) this.show(within);
    if (!this.drawn(next)) {
      this.zoomTo(next);
      this.stepped = { to: this.zoomed, within };
    }
    const frame = this.drawn(next);
    if (frame) this.cursor.moveTo(frame);
    this.cursor.focus();
  }

  /**
   * @param {number} node
   * @param {import("../graph.js").Lane | null} [lane] where it is drawn in several
   */
  drawn(node, lane = null) {
    const frames = this.drawing.frames.filter((frame) => frame.node === node);
    return frames.find((frame) => frame.lane === lane) ?? frames[0];
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

  /** Put the whole in the place of the excerpt, with the reader where they were. */
  async loadWhole() {
    const { load } = this;
    if (!load) return;
    this.load = null; // once, however often it is asked for
    try {
      this.data = await load();
    } catch {
      this.load = load;
      this.say("The whole profile could not be fetched; this is the part that the page holds.");
      return;
    }
    const from = this.graph;
    this.grow();
    this.zoomed = sameFrame(from, this.zoomed, this.graph);
    this.cursor.rest(sameFrame(from, this.cursor.node, this.graph));
    this.redraw();
  }

  remember() {
    const frame = this.zoomed === 0 ? "" : framePath(this.graph, this.zoomed);
    this.state = { ...this.state, frame };
    this.options.store.write(this.state);
  }

  /** Show what the link asks for. */
  async restore() {
    const wanted = this.options.store.read();
    if (isSame(wanted, this.state)) return;
    const hasFrame = wanted.frame === "" || findFrame(this.graph, wanted.frame) >= 0;
    if (wanted.search || !hasFrame) await this.loadWhole();
    if (this.zoomed !== 0) this.leave();
    const node = await this.change(wanted);
    if (node < 0) this.say(`The link's frame “${wanted.frame}” is not in this graph.`);
  }

  /**
   * @param {number} node
   * @returns {string[]} its name and what there is to say of it
   */
  facts(node) {
    return [this.graph.name(node), ...this.graph.facts(node, this.zoomed)];
  }

  /** Tell in the status line of the frame that the cursor is on. */
  tell() {
    const { node } = this.cursor;
    this.controls.tell(this.facts(node).join(" · "), node !== 0);
    this.options.changed?.();
  }

  /** @param {string} text */
  say(text) {
    this.controls.message.textContent = text;
  }
}

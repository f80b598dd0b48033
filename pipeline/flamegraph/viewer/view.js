/**
 * One interactive graph: what the reader sees, points at, zooms into and searches for. It knows
 * nothing of the document around it, so a page may hold several and a file may hold one.
 */

import { functionId, functionIds, linkName } from "../function_names.js";
import { nameInSentence } from "../labels.js";
import { subtreeEnd } from "../tree.js";
import { Controls } from "./controls.js";
import { Cursor } from "./cursor.js";
import { findFrame, framePath, sameFrame } from "./frame_path.js";
import { graphOf, shownGraph } from "./graph_of.js";
import { kinds } from "./kinds.js";
import { INITIAL, isSame, understood } from "./link_state.js";
import { MatchSteps } from "./match_steps.js";
import { Picture } from "./picture.js";
import { Places, WHOLE } from "./places.js";
import { Pointer } from "./pointer.js";
import { foundWords, search } from "./search.js";
import { trailOf } from "./trail.js";
import { Whole } from "./whole.js";

/**
 * @typedef {import("./link_state.js").LinkState} LinkState
 *
 * @typedef {object} ViewOptions
 * @property {SVGSVGElement} picture where the graph is drawn; its content is replaced
 * @property {import("../regrow.js").Columns} data whole, or an excerpt
 * @property {string} title
 * @property {{ read(fragment?: string): LinkState | null, write(state: LinkState): void }} store
 * @property {() => number} width pixels there are
 * @property {(height: number) => void} resized called after each drawing
 * @property {(() => Promise<import("../regrow.js").Columns>) | null} load the whole, where `data` is
 *   an excerpt
 * @property {string[]} [columns] of the table of functions beside it
 * @property {HTMLElement | null} [about] what says beside the graph what width and colour are
 * @property {() => void} [changed] called when the reader is elsewhere, or sees something else
 */

export class GraphView {
  /** @param {ViewOptions} options */
  constructor(options) {
    this.options = options;
    this.data = options.data;
    /** @type {LinkState} */
    this.state = { ...INITIAL };
    this.places = new Places();
    this.zoomed = 0;
    /** What the graph's shares are of, where they are of the zoomed frame. */
    this.sharesOf = 0;
    this.graph = graphOf(options.data);
    /** @type {string[]} what the graph is other than the whole */
    this.words = [];
    this.found = search(this.graph, "");
    this.controls = new Controls({
      search: (query) => this.search(query),
      step: (step) => this.matchSteps.go(step),
      back: () => this.back(),
      turn: () => this.change({ draw: this.state.draw ? "" : "flame" }),
      view: (view) => this.showFunction(view),
      merge: () => this.change({ merge: this.state.merge ? "" : "recursion" }),
      recolour: () => this.change({ palette: this.state.palette ? "" : "plain" }),
      hide: () => this.change({ hide: this.state.hide ? "" : "idle" }),
      fetch: () => this.whole.ask(),
    });
    this.whole = new Whole(
      options.load,
      (data) => this.replace(data),
      (failed) => {
        this.controls.showFailure(failed);
        if (this.controls.hasLostFocus()) this.cursor.focus();
        this.options.changed?.();
      },
    );
    this.picture = new Picture(options.picture);
    this.cursor = new Cursor(options.title, this);
    this.diffControls =
      options.data.format === "perfpress-diff"
        ? (kinds.diff?.controlsOf(options.data, (changes) => this.change(changes)) ?? null)
        : null;
    this.pointer = new Pointer(this);
    this.matchSteps = new MatchSteps(this);
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
    const { graph, words, about, missing } = shownGraph(this.data, this.state, this.zoomed);
    this.graph = graph;
    this.sharesOf = this.zoomed;
    const { about: place } = this.options;
    if (place && about) place.textContent = about;
    this.words = about && !place && isLookedAtOtherwise(this.state) ? [...words, about] : words;
    if (missing) this.state = { ...this.state, view: "", of: "" };
    this.find();
  }

  redraw() {
    if (this.state.basis === "frame" && this.sharesOf !== this.zoomed) this.grow();
    const hadFocus = this.cursor.hasFocus();
    const { draw, palette } = this.state;
    const { tooltip } = this.pointer;
    tooltip.hide();
    this.picture.draw(
      this.graph,
      {
        zoomed: this.zoomed,
        width: this.options.width(),
        flame: draw === "flame",
        plain: palette === "plain",
      },
      [this.cursor.tree, tooltip.element],
    );
    this.picture.canvas.mark(this.found.nodes);
    this.cursor.place(hadFocus);
    this.showControls();
    this.options.resized(this.picture.drawing.height);
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
    if (this.controls.hasLostFocus()) this.cursor.focus();
    this.options.changed?.();
  }

  /** @param {number} node */
  zoomTo(node) {
    const target = this.graph.lanes.some(({ section }) => section.first === node) ? 0 : node;
    if (target !== this.zoomed) this.leave();
    this.show(target);
  }

  /** Remember where the reader is, before they go elsewhere. */
  leave() {
    this.places.leave(this.state);
  }

  canGoBack() {
    return this.places.leadBackFrom(this.state);
  }

  back() {
    return this.change(this.places.before(this.state));
  }

  /**
   * Show what calls a function, what it calls, or both: of the one the status line tells of.
   *
   * @param {import("../function_tree.js").Side} view
   */
  async showFunction(view) {
    const { node } = this.cursor;
    if (node === 0) return;
    const id = functionId(this.graph.className(node), this.graph.key(node));
    await this.whole.ask();
    this.leave();
    this.change({ view, of: linkName(functionIds(this.data), id), frame: "" });
  }

  /**
   * Zoom to a frame that was named beside the graph, and show what waits again where it is among that.
   *
   * @param {string} frame its path
   */
  async goTo(frame) {
    if (findFrame(this.graph, frame) < 0) await this.whole.ask();
    this.leave();
    const place = { ...WHOLE, frame };
    let node = await this.change(place);
    const waits = node < 0 && this.state.hide !== "";
    if (waits) node = await this.change({ ...place, hide: "" });
    const { bar } = this.controls;
    const { top, bottom } = bar.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight / 2) bar.scrollIntoView({ block: "start" });
    this.cursor.focus();
    const name = nameInSentence(this.graph.name(this.zoomed));
    if (node < 0) this.say(`“${nameInSentence(frame)}” is not in what the graph shows.`);
    else
      this.say(
        `The graph shows ${name}${waits ? ", which waits: what waits is shown again" : ""}.`,
      );
  }

  /**
   * Sort the table of functions beside the graph.
   *
   * @param {string} sort
   */
  order(sort) {
    this.rearrange({ sort, page: "" });
  }

  /**
   * Turn to a page of the table of functions.
   *
   * @param {number} page from 1 on
   */
  turnTo(page) {
    this.rearrange({ page: page > 1 ? String(page) : "" });
  }

  /** @param {Partial<LinkState>} changes of what is beside the graph */
  rearrange(changes) {
    this.state = { ...this.state, ...changes };
    this.remember();
    this.options.changed?.();
  }

  async showWhole() {
    if (!this.state.view) return this.zoomTo(0);
    this.leave();
    await this.change(WHOLE);
  }

  /**
   * Change what is shown, and stay at the frame where it is still there, else at its nearest caller.
   *
   * @param {Partial<LinkState>} changes
   * @returns {Promise<number>} the frame; -1 where the one that was asked for is not there
   */
  async change(changes) {
    const asked = { ...this.state, ...changes };
    if (asked.merge || asked.hide || asked.view || asked.sides) await this.whole.ask();
    const wanted = { ...this.state, ...changes }; // the reader may have gone on meanwhile
    if (changes.page === undefined && hasOtherRows(this.state, wanted)) wanted.page = "";
    const focused = this.cursor.hasFocus();
    const [before, zoomed] = [this.graph, this.zoomed];
    this.state = wanted;
    this.zoomed = 0; // the nodes of another tree have other numbers
    this.grow();
    const { frame } = changes;
    const same = frame === undefined ? sameFrame(before, zoomed, this.graph) : 0;
    const node = frame ? findFrame(this.graph, frame) : same;
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
    if (node !== 0 && this.isPruned(node)) this.whole.ask();
  }

  /** @param {string} query */
  search(query) {
    this.state = { ...this.state, search: query, page: "" };
    this.find();
    this.remember();
    this.picture.canvas.mark(this.found.nodes);
    this.showControls();
    if (query) this.whole.ask();
  }

  find() {
    this.found = search(this.graph, this.state.search);
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

  /**
   * Put the whole in the place of the excerpt, with the reader where they were.
   *
   * @param {import("../regrow.js").Columns} data
   */
  replace(data) {
    const from = this.graph;
    this.data = data;
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

  /**
   * Show what the link asks for.
   *
   * @param {string} [fragment] of the address; default: of the page's own
   */
  async restore(fragment) {
    const link = this.options.store.read(fragment);
    if (!link) return this.remember(); // an anchor, which the state joins
    const { state: wanted, dropped } = understood(link, {
      bases: this.diffControls?.bases ?? null,
      columns: this.options.columns ?? [],
    });
    const problems =
      dropped.length > 0
        ? [`Not understood in the link, and left out: ${dropped.join(", ")}.`]
        : [];
    if (!isSame(wanted, this.state)) {
      const hasFrame = wanted.frame === "" || findFrame(this.graph, wanted.frame) >= 0;
      if (wanted.search || !hasFrame) await this.whole.ask();
      if (this.canGoBack()) this.leave();
      const node = await this.change(wanted);
      if (node < 0) {
        problems.push(`The link's frame “${nameInSentence(wanted.frame)}” is not in this graph.`);
      }
    } else if (dropped.length > 0) this.remember();
    if (problems.length > 0) this.say(problems.join(" "));
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
    this.controls.tell(this.facts(node), node !== 0);
    this.options.changed?.();
  }

  /** @param {string} text */
  say(text) {
    this.controls.message.textContent = text;
  }
}

/** @param {LinkState} state */
function isLookedAtOtherwise({ basis, colour, sides }) {
  return basis !== "" || colour !== "" || sides !== "";
}

/**
 * @param {LinkState} a
 * @param {LinkState} b
 * @returns {boolean} whether the table of functions has other rows, or others first
 */
function hasOtherRows(a, b) {
  return a.basis !== b.basis || a.sides !== b.sides || a.hide !== b.hide;
}

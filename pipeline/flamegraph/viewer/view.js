/**
 * One interactive graph: what the reader sees, points at, zooms into and searches for. It knows
 * nothing of the document around it, so a page may hold several and a file may hold one.
 */

import { findFrame, framePath, sameFrame, writtenPath } from "../../profile/model/frame_path.js";
import { IDLE, RECURSION } from "../graph/edits.js";
import { callPath, filling } from "../graph/sections.js";
import { Controls } from "./controls.js";
import { copy } from "./copy.js";
import { Cursor } from "./cursor.js";
import { graphOf, shownGraph } from "./graph_of.js";
import { kinds } from "./kinds.js";
import { INITIAL } from "./link_state.js";
import { Moves, namespaceOf } from "./moves.js";
import { Picture } from "./picture.js";
import { Pointer } from "./pointer.js";
import { foundWords, MatchSteps, search } from "./search.js";
import { trailOf } from "./trail.js";

/**
 * @typedef {import("./link_state.js").LinkState} LinkState
 *
 * @typedef {object} ViewOptions
 * @property {SVGSVGElement} picture where the graph is drawn; its content is replaced
 * @property {import("../graph/rebuild.js").Columns} data whole; in a file, an excerpt
 * @property {string} title
 * @property {{ read(fragment?: string): LinkState | null, write(state: LinkState): void }} store
 * @property {() => number} width pixels there are
 * @property {(height: number) => void} resized called after each drawing
 * @property {string[]} [columns] of the table of functions beside it
 * @property {HTMLElement | null} [about] what says beside the graph what width and colour are
 * @property {boolean} [drawsGone] whether what is gone is always drawn
 * @property {(isWide: boolean) => void} [widen] to the window, or no more; absent where it fills it
 * @property {() => void} [changed] called when the reader is elsewhere, or sees something else
 */

export class GraphView {
  /** @param {ViewOptions} options */
  constructor(options) {
    this.options = options;
    this.data = options.data;
    /** @type {LinkState} */
    this.state = { ...INITIAL };
    this.zoomed = 0;
    /** The frame that is 100 %, where shares are relative to the zoomed frame. */
    this.sharesOf = 0;
    this.graph = graphOf(options.data);
    /** What the graph is of. */
    this.columns = options.data;
    /** @type {string[]} what the graph is other than the whole */
    this.words = [];
    this.found = search(this.graph, "");
    this.controls = new Controls({
      search: (query) => this.search(query),
      step: (step) => this.matchSteps.go(step),
      back: () => this.moves.back(),
      turn: () => this.change({ draw: this.state.draw ? "" : "flame" }),
      view: (side) => this.moves.showFunction(side),
      edit: (edit, target) => this.moves.edit(edit, target),
      undo: (edit, term) => this.moves.undo(edit, term),
      widen: () => this.change({ width: this.state.width ? "" : "full" }),
      invert: () => this.moves.invert(),
      merge: () => this.moves.toggle("merge", RECURSION),
      recolour: () => this.change({ palette: this.state.palette ? "" : "plain" }),
      hide: () => this.moves.toggle("hide", IDLE),
      copy: (what) => copy(this, what),
    });
    this.picture = new Picture(options.picture);
    this.cursor = new Cursor(options.title, this);
    this.diffControls =
      options.data.format === "perfpress-diff"
        ? (kinds.diff?.controlsOf(options.data, {
            change: (changes) => this.change(changes),
            showGone: () => this.moves.showGone(),
          }) ?? null)
        : null;
    if (this.diffControls) this.controls.add(this.diffControls);
    if (options.data.libraries) this.controls.options.before(...(kinds.libraries?.(this) ?? []));
    this.pointer = new Pointer(this);
    this.moves = new Moves(this);
    this.matchSteps = new MatchSteps(this);
  }

  /** Draw for the first time, when the controls have their place. */
  start() {
    this.pointer.listen(this.options.picture);
    this.redraw();
    this.describe();
  }

  /** Make the graph that the state asks for. */
  grow() {
    const { graph, columns, words, about, missing } = shownGraph(
      this.data,
      this.state,
      this.zoomed,
    );
    this.graph = graph;
    this.columns = columns;
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
    this.options.widen?.(this.state.width === "full");
    this.picture.draw(
      this.graph,
      {
        lanes: this.lanes(),
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

  /** @returns {import("../graph/graph.js").Lane[]} those drawn: what is gone on demand, or where it is all there is */
  lanes() {
    const { lanes } = this.graph;
    if (this.state.gone || this.options.drawsGone) return lanes;
    return lanes.filter(
      (lane) => !lane.isContext || lanes.every((other) => !hasWeight(other, lane, this.zoomed)),
    );
  }

  /** @returns {boolean} whether anything is gone that is not drawn */
  hasHiddenLane() {
    const drawn = this.lanes();
    return this.graph.lanes.some((lane) => !drawn.includes(lane) && lane.tree.total[0] > 0);
  }

  showControls() {
    const { search: query, view, palette, draw, width } = this.state;
    const hasKinds = this.data.format !== "perfpress-diff";
    this.controls.show({
      query,
      matches: this.found.nodes.size > 0,
      canGoBack: this.moves.canGoBack(),
      canTurn: view !== "both",
      flame: draw === "flame",
      inverted: view === "leaves",
      wide: this.options.widen ? width === "full" : null,
      plain: hasKinds ? palette === "plain" : null,
      edits: this.state,
      shown: this.words.join(" "),
      trail: trailOf(this),
    });
    this.showFound();
    this.diffControls?.show(this.state, /** @type {any} */ (this.graph));
    if (this.controls.hasLostFocus()) this.cursor.focus();
    this.options.changed?.();
  }

  /** Say how much a search found, and which of it the cursor is on. */
  showFound() {
    const words = this.state.search ? foundWords(this.graph, this.found, this.zoomed) : "";
    const found = [words, ...this.matchSteps.place()].join(" · ");
    if (this.controls.found.textContent !== found) this.controls.found.textContent = found;
  }

  /** @param {Partial<LinkState>} changes of what is beside the graph */
  rearrange(changes) {
    this.state = { ...this.state, ...changes };
    this.remember();
    this.options.changed?.();
  }

  /**
   * Change what is shown, and stay at the frame where it is still there, else at its nearest caller.
   *
   * @param {Partial<LinkState>} changes
   * @param {boolean} [stays] whether the cursor stays on its frame, not on the one that is zoomed to
   * @returns {number} the frame; -1 where the one that was asked for is not there
   */
  change(changes, stays = !changes.frame) {
    const wanted = { ...this.state, ...changes };
    const focused = this.cursor.hasFocus();
    const [before, zoomed, at] = [this.graph, this.zoomed, this.cursor.node];
    const isOtherTree = this.state.view !== wanted.view || this.state.of !== wanted.of;
    this.state = wanted;
    this.zoomed = 0; // the nodes of another tree have other numbers
    this.grow();
    const { frame } = changes;
    const same = frame === undefined ? sameFrame(before, zoomed, this.graph) : 0;
    const node = frame ? findFrame(this.graph, frame) : same;
    const place = isOtherTree ? frameInWhole : sameFrame;
    // The trees of a function, and the inverted one, are looked at from where they begin.
    const isKept = stays && !(isOtherTree && wanted.view);
    this.show(Math.max(node, 0), isKept ? place(before, at, this.graph) : undefined);
    if (focused) this.cursor.focus();
    return node;
  }

  /**
   * @param {number} node
   * @param {number} [place] frame that the cursor is put on
   */
  show(node, place = node) {
    this.zoomed = node;
    this.cursor.rest(place);
    this.remember();
    this.redraw();
    this.describe();
  }

  /** @param {string} query */
  search(query) {
    this.state = { ...this.state, search: query };
    this.find();
    this.remember();
    this.picture.canvas.mark(this.found.nodes);
    this.showControls();
  }

  find() {
    this.found = search(this.graph, this.state.search);
  }

  remember() {
    const frame = this.zoomed === 0 ? "" : framePath(this.graph, this.zoomed);
    this.state = { ...this.state, frame };
    this.options.store.write(this.state);
  }

  /**
   * @param {number} node
   * @returns {string[]} its name and what there is to say of it
   */
  facts(node) {
    return [this.graph.name(node), ...this.graph.facts(node, this.zoomed)];
  }

  /** @param {number} node a frame; returns what of it can be left out, in words */
  targets(node) {
    const { graph } = this;
    const namespace = namespaceOf(graph.key(node));
    const library = graph.library(node);
    return {
      function: "this function",
      kind: `same kind (${graph.kind(node)})`,
      library: library && `same library (${library})`,
      namespace: namespace && `${namespace}*`,
    };
  }

  /** Describe the frame of the cursor in the status line. */
  describe() {
    const { node } = this.cursor;
    this.controls.describe(this.facts(node), node === 0 ? null : this.targets(node));
    this.showFound();
    this.options.changed?.();
  }

  /** @param {string} text */
  say(text) {
    this.controls.message.textContent = text;
  }
}

/**
 * @param {import("../graph/graph.js").Lane} lane
 * @param {import("../graph/graph.js").Lane} gone a lane of what is gone
 * @param {number} zoomed
 * @returns {boolean} whether a lane of the profile after shows anything where the other is
 */
function hasWeight({ tree, section, isContext }, gone, zoomed) {
  return !isContext && section === gone.section && tree.total[filling(section, zoomed)] > 0;
}

/**
 * Find a frame of a function's tree, or of the inverted one, in the whole graph.
 *
 * @param {import("../graph/graph.js").Graph} from
 * @param {number} node
 * @param {import("../graph/graph.js").Graph} to
 * @returns {number} the widest at the same call path
 */
function frameInWhole(from, node, to) {
  const names = callPath(from, node).map((at) => ({ key: from.key(at), family: null }));
  return Math.max(findFrame(to, writtenPath(names)), 0);
}

/** @param {LinkState} state */
function isLookedAtOtherwise({ basis, colour, sides }) {
  return basis !== "" || colour !== "" || sides !== "";
}

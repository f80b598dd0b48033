/**
 * Draws a graph as SVG elements: one path per colour, and the labels. Frames are found by position, not
 * by elements of their own, so the document stays small however many there are.
 */

import { plainClass } from "../graph/profile_graph.js";
import { grouping, LABEL_BASELINE, LABEL_INSET, pathData, ROW, scene } from "../graph/scene.js";
import { svgElement } from "./elements.js";

/** Frames thinner than this cannot be seen or hit; zooming brings them out. */
const THINNEST_SHOWN = 0.4;

/** @typedef {import("../graph/scene.js").Drawn} Drawn */

export class Picture {
  /** @param {SVGSVGElement} element whose content is replaced */
  constructor(element) {
    this.element = element;
    this.zoomed = 0;
    /** @type {import("../graph/scene.js").Scene} */
    this.drawing = { height: 0, frames: [], titles: [], leftOut: { frames: 0, weight: 0 } };
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing, false);
  }

  /**
   * @param {import("../graph/graph.js").Graph} graph
   * @param {object} how
   * @param {import("../graph/graph.js").Lane[]} how.lanes those drawn
   * @param {number} how.zoomed
   * @param {number} how.width pixels there are
   * @param {boolean} how.flame whether the root is below
   * @param {boolean} how.plain whether code of all kinds has one hue
   * @param {SVGElement[]} above what is drawn over it
   */
  draw(graph, { lanes, zoomed, width, flame, plain }, above) {
    this.zoomed = zoomed;
    this.drawing = scene(graph, {
      width,
      zoomed,
      direction: flame ? "flame" : "icicle",
      minimumPixels: THINNEST_SHOWN,
      lanes,
    });
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing, plain);
    const { element } = this;
    const { height } = this.drawing;
    element.setAttribute("width", String(width));
    element.setAttribute("height", String(height));
    // Where a style sheet says otherwise, as on paper, all of it is still there.
    element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const backdrop = svgElement("rect", { class: "backdrop", width, height });
    element.replaceChildren(backdrop, this.canvas.element, ...above);
  }

  /** @returns {Drawn | undefined} what the width is full of: the zoomed frame, or the first of all */
  top() {
    const { zoomed } = this;
    return this.drawing.frames.find(
      ({ node, lane }) => node === (zoomed === 0 ? lane.section.first : zoomed),
    );
  }

  /**
   * @param {number} node
   * @param {import("../graph/graph.js").Lane | null} [lane] where it is drawn in several
   * @returns {Drawn | undefined}
   */
  drawn(node, lane = null) {
    const frames = this.drawing.frames.filter((frame) => frame.node === node);
    return frames.find((frame) => frame.lane === lane) ?? frames[0];
  }
}

/**
 * A scene as it is shown. What a search found is drawn over it, so that each letter typed changes one
 * path and the labels, and nothing is laid out anew.
 */
class Canvas {
  /**
   * @param {import("../graph/scene.js").Scene} drawing
   * @param {boolean} plain whether code of all kinds has one hue
   */
  constructor(drawing, plain) {
    this.frames = drawing.frames;
    this.match = svgElement("path", { class: "match" });
    this.labels = drawing.frames
      .filter(({ label }) => label)
      .map(({ node, x, y, label }) => ({
        node,
        text: svgElement("text", { x: x + LABEL_INSET, y: y + LABEL_BASELINE }, label),
      }));
    this.element = svgElement(
      "g",
      { "aria-hidden": "true" },
      ...grouping(drawing.frames, ({ colour }) => (plain ? plainClass(colour) : colour)).map(
        ([name, frames]) => svgElement("path", { class: name, d: pathData(frames) }),
      ),
      this.match,
      ...drawing.titles.map(({ text, y }) => svgElement("text", { class: "lane", x: 0, y }, text)),
      ...this.labels.map(({ text }) => text),
    );
  }

  /** @param {Set<number>} nodes what a search found */
  mark(nodes) {
    const found = nodes.size > 0 ? this.frames.filter(({ node }) => nodes.has(node)) : [];
    this.match.setAttribute("d", pathData(found));
    for (const { node, text } of this.labels) text.classList.toggle("found", nodes.has(node));
  }
}

/** Where the frames of a scene are, by row. */
export class FrameIndex {
  /** @param {import("../graph/scene.js").Scene} drawing */
  constructor(drawing) {
    /** @type {Map<number, import("../graph/scene.js").Drawn[]>} by top edge, left to right */
    this.rows = new Map(
      [...grouping(drawing.frames, ({ y }) => String(y))].map(([y, frames]) => [
        Number(y),
        frames.sort((a, b) => a.x - b.x),
      ]),
    );
    this.tops = [...this.rows.keys()].sort((a, b) => a - b);
  }

  /**
   * Find the frame at a point; the nearest within two pixels, since many frames are thinner than
   * one.
   *
   * @param {number} x
   * @param {number} y
   * @returns {import("../graph/scene.js").Drawn | undefined}
   */
  at(x, y) {
    const top = this.tops.findLast((edge) => edge <= y);
    const row = top !== undefined && y < top + ROW ? this.rows.get(top) : undefined;
    if (!row) return undefined;
    let low = 0;
    let high = row.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row[middle].x <= x) low = middle + 1;
      else high = middle;
    }
    return [row[low - 1], row[low]]
      .filter((frame) => frame !== undefined)
      .map((frame) => ({ frame, distance: Math.max(frame.x - x, x - frame.x - frame.width, 0) }))
      .filter(({ distance }) => distance <= 2)
      .sort((a, b) => a.distance - b.distance)[0]?.frame;
  }
}

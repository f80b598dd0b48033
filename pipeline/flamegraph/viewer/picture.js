/** The picture of a graph: what is drawn of it now, and where. */

import { scene } from "../scene.js";
import { Canvas, FrameIndex } from "./canvas.js";
import { svgElement } from "./elements.js";

/** Frames thinner than this cannot be seen or hit; zooming brings them out. */
const THINNEST_SHOWN = 0.4;

/** @typedef {import("../scene.js").Drawn} Drawn */

export class Picture {
  /** @param {SVGSVGElement} element whose content is replaced */
  constructor(element) {
    this.element = element;
    this.zoomed = 0;
    /** @type {import("../scene.js").Scene} */
    this.drawing = { height: 0, frames: [], titles: [], leftOut: { frames: 0, weight: 0 } };
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing);
  }

  /**
   * @param {import("../graph.js").Graph} graph
   * @param {object} how
   * @param {number} how.zoomed
   * @param {number} how.width pixels there are
   * @param {boolean} how.flame whether the root is below
   * @param {boolean} how.plain whether code of all kinds has one hue
   * @param {SVGElement[]} above what is drawn over it
   */
  draw(graph, { zoomed, width, flame, plain }, above) {
    this.zoomed = zoomed;
    this.drawing = scene(graph, {
      width,
      zoomed,
      direction: flame ? "flame" : "icicle",
      minimumPixels: THINNEST_SHOWN,
    });
    this.index = new FrameIndex(this.drawing);
    this.canvas = new Canvas(this.drawing);
    const { element } = this;
    const { height } = this.drawing;
    element.classList.toggle("plain", plain);
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
   * @param {import("../graph.js").Lane | null} [lane] where it is drawn in several
   * @returns {Drawn | undefined}
   */
  drawn(node, lane = null) {
    const frames = this.drawing.frames.filter((frame) => frame.node === node);
    return frames.find((frame) => frame.lane === lane) ?? frames[0];
  }
}

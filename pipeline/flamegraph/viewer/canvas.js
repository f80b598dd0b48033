/**
 * A scene as SVG elements: one path per colour, and the labels. Frames are found by where they stand,
 * not by elements of their own, so the document stays small however many there are.
 */

import { grouping, LABEL_BASELINE, LABEL_INSET, pathData, ROW } from "../scene.js";
import { svgElement } from "./elements.js";

/**
 * A scene as it is shown. What a search found is drawn over it, so that each letter typed changes one
 * path and the labels, and nothing is laid out anew.
 */
export class Canvas {
  /** @param {import("../scene.js").Scene} drawing */
  constructor(drawing) {
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
      ...grouping(drawing.frames, ({ colour }) => colour).map(([name, frames]) =>
        svgElement("path", { class: name, d: pathData(frames) }),
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
  /** @param {import("../scene.js").Scene} drawing */
  constructor(drawing) {
    /** @type {Map<number, import("../scene.js").Drawn[]>} by top edge, left to right */
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
   * @returns {import("../scene.js").Drawn | undefined}
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

/**
 * A scene as SVG elements: one path per colour, the labels, one focusable frame. Frames are found by
 * where they stand, not by elements of their own, so the document stays small however many there are.
 */

import { grouping, LABEL_BASELINE, LABEL_INSET, pathData, ROW } from "../scene.js";
import { svgElement } from "./elements.js";

/** The colour class of frames that the search found. */
const MATCH = "match";

/**
 * @param {import("../scene.js").Scene} drawing
 * @param {Set<number>} matching
 * @returns {SVGGElement}
 */
export function sceneElement(drawing, matching) {
  const group = svgElement("g", { "aria-hidden": "true" });
  /** @param {import("../scene.js").Drawn} frame */
  const colour = ({ node, colour }) => (matching.has(node) ? MATCH : colour);
  for (const [name, frames] of grouping(drawing.frames, colour)) {
    group.append(svgElement("path", { class: name, d: pathData(frames) }));
  }
  for (const { text, y } of drawing.titles) {
    group.append(svgElement("text", { class: "lane", x: 0, y }, text));
  }
  for (const { node, x, y, label } of drawing.frames) {
    if (!label) continue;
    const text = svgElement("text", { x: x + LABEL_INSET, y: y + LABEL_BASELINE }, label);
    if (matching.has(node)) text.classList.add("found");
    group.append(text);
  }
  return group;
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

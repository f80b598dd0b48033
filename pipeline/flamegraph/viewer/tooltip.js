/** The box beside the pointer with everything about a frame. */

import { ROW } from "../scene.js";
import { htmlElement, svgElement } from "./elements.js";

const GAP = 4;
const WIDTH = 340;

export class Tooltip {
  constructor() {
    this.box = htmlElement("div", { class: "flame-graph-tooltip" });
    this.element = svgElement(
      "foreignObject",
      { class: "tooltip", width: WIDTH, height: 1, visibility: "hidden", "aria-hidden": "true" },
      this.box,
    );
  }

  hide() {
    this.element.setAttribute("visibility", "hidden");
  }

  /**
   * @param {import("../scene.js").Drawn} frame
   * @param {string[]} lines the first is the frame's name
   */
  show(frame, lines) {
    const [name, ...facts] = lines;
    this.box.replaceChildren(
      htmlElement("strong", {}, name),
      ...facts.map((fact) => htmlElement("div", {}, fact)),
    );
    const picture = this.element.ownerSVGElement;
    const room = Number(picture?.getAttribute("width"));
    const width = Math.min(WIDTH, room);
    const x = Math.max(0, Math.min(frame.x, room - width));
    this.element.setAttribute("x", String(x));
    this.element.setAttribute("width", String(width));
    this.element.setAttribute("y", String(frame.y + ROW + GAP));
    this.element.setAttribute("visibility", "visible");
    const { bottom, height } = this.box.getBoundingClientRect();
    if (bottom > document.documentElement.clientHeight && frame.y > height + GAP) {
      this.element.setAttribute("y", String(frame.y - height - GAP));
    }
  }
}

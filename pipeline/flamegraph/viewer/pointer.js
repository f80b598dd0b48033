/** What a mouse, a pen or a finger does on a graph. */

import { ROW } from "../graph/scene.js";
import { htmlElement, svgElement } from "./elements.js";

/** A finger that stays so many milliseconds on a frame wants to read, not to zoom. */
const LONG_PRESS = 500;

export class Pointer {
  /** @param {import("./view.js").GraphView} view */
  constructor(view) {
    this.view = view;
    this.tooltip = new Tooltip();
    /** When a finger came down, by the clock of events. */
    this.pressed = Infinity;
  }

  /** @param {SVGSVGElement} picture */
  listen(picture) {
    picture.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "touch") this.point(event);
    });
    picture.addEventListener("pointerdown", (event) => {
      const isFinger = event.pointerType === "touch";
      this.pressed = isFinger ? event.timeStamp : Infinity;
      if (isFinger) this.point(event);
    });
    for (const type of /** @type {const} */ (["pointerleave", "pointercancel"])) {
      picture.addEventListener(type, () => this.tooltip.hide());
    }
    picture.addEventListener("click", (event) => this.click(event));
  }

  /** @param {PointerEvent} event */
  point(event) {
    const frame = this.frameAt(event);
    this.view.picture.element.classList.toggle("over-frame", frame !== undefined);
    if (frame) this.tooltip.show(frame, this.view.facts(frame.node));
    else this.tooltip.hide();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const frame = this.frameAt(event);
    if (!frame) return;
    const { view } = this;
    if (event.timeStamp - this.pressed > LONG_PRESS) view.cursor.moveTo(frame);
    else view.moves.zoomTo(frame.node);
    view.cursor.focus();
    view.cursor.bringIntoSight();
  }

  /** @param {MouseEvent} event */
  frameAt({ clientX, clientY }) {
    const toScreen = this.view.picture.element.getScreenCTM();
    if (!toScreen) return undefined;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toScreen.inverse());
    return this.view.picture.index.at(x, y);
  }
}

const GAP = 4;
const WIDTH = 340;

class Tooltip {
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
   * @param {import("../graph/scene.js").Drawn} frame
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

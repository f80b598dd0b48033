/** What a mouse, a pen or a finger does on a graph. */

import { Tooltip } from "./tooltip.js";

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
  }

  /** @param {MouseEvent} event */
  frameAt({ clientX, clientY }) {
    const toScreen = this.view.picture.element.getScreenCTM();
    if (!toScreen) return undefined;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toScreen.inverse());
    return this.view.picture.index.at(x, y);
  }
}

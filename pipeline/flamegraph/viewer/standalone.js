/** The script of a downloaded SVG: makes the picture that the file shows anyway a live one. */

import { htmlElement, svgElement } from "./elements.js";
import { graphOf } from "./graph_of.js";
import { LinkStore } from "./link_state.js";
import { GraphView } from "./view.js";

/** Between the bar and the graph. */
const GRAPH_GAP = 6;
/** What a tooltip below the last row may need. */
const BELOW = 180;

/** @param {SVGSVGElement} file the document's root element */
export function startStandalone(file) {
  const picture = /** @type {SVGSVGElement} */ (file.querySelector("svg.flame-graph"));
  const data = JSON.parse(file.querySelector("script.data")?.textContent ?? "");
  const left = Number(picture.getAttribute("x"));
  const top = Number(picture.getAttribute("y"));
  const holder = svgElement("foreignObject", { x: left, y: top, height: 1 });
  const controls = htmlElement("div");
  holder.append(controls);
  picture.before(holder);
  // Where the file is looked at in a browser, it is as wide as the window.
  file.removeAttribute("viewBox");
  file.setAttribute("width", "100%");
  file.setAttribute("role", "document");
  const width = () => Math.max(document.documentElement.clientWidth - 2 * left, 200);
  /** @param {number} height */
  const resized = (height) => {
    holder.setAttribute("width", String(width()));
    const graphTop = top + Math.ceil(controls.getBoundingClientRect().height) + GRAPH_GAP;
    picture.setAttribute("y", String(graphTop));
    file.setAttribute("height", String(Math.max(graphTop + height + BELOW, innerHeight)));
  };
  const view = new GraphView({
    picture,
    graph: graphOf(data),
    title: file.querySelector("title")?.textContent ?? "",
    store: new LinkStore(""),
    width,
    resized,
    load: null,
  });
  controls.append(view.controls.bar, view.controls.status);
  view.redraw();
  addEventListener("resize", () => view.redraw());
  addEventListener("hashchange", () => view.restore());
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === view.controls.query) return;
    event.preventDefault();
    view.controls.query.focus();
  });
}

/** The script of a downloaded SVG: makes the picture that the file shows anyway a live one. */

import { htmlElement, svgElement } from "./elements.js";
import { graphOf } from "./graph_of.js";
import { LinkStore } from "./link_state.js";
import { GraphView } from "./view.js";

const BAR = 64;

/** @param {SVGSVGElement} file the document's root element */
export function startStandalone(file) {
  const picture = /** @type {SVGSVGElement} */ (file.querySelector("svg.flame-graph"));
  const data = JSON.parse(file.querySelector("script.data")?.textContent ?? "");
  const left = Number(picture.getAttribute("x"));
  const top = Number(picture.getAttribute("y")) + BAR;
  const holder = svgElement("foreignObject", { x: left, y: top - BAR, height: BAR });
  picture.setAttribute("y", String(top));
  picture.before(holder);
  // Where the file is looked at in a browser, it is as wide as the window.
  file.removeAttribute("viewBox");
  file.setAttribute("width", "100%");
  file.setAttribute("role", "document");
  const view = new GraphView({
    picture,
    graph: graphOf(data),
    title: file.querySelector("title")?.textContent ?? "",
    store: new LinkStore(""),
    width: () => Math.max(document.documentElement.clientWidth - 2 * left, 200),
    resized: (height) => file.setAttribute("height", String(top + height + 200)),
    load: null,
  });
  holder.append(htmlElement("div", {}, view.controls.bar, view.controls.status));
  const fit = () => {
    holder.setAttribute("width", String(Math.max(innerWidth - 2 * left, 200)));
    view.redraw();
  };
  fit();
  addEventListener("resize", fit);
  addEventListener("hashchange", () => view.restore());
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target === view.controls.query) return;
    event.preventDefault();
    view.controls.query.focus();
  });
}

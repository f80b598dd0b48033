/** The script of a downloaded SVG: makes the picture that the file shows anyway a live one. */

import { decompressed } from "../graph/compressed.js";
import { htmlElement, svgElement } from "./elements.js";
import { isForGraph } from "./keys.js";
import { LinkStore } from "./link_state.js";
import { restore } from "./restore.js";
import { GraphView } from "./view.js";

/** Around everything, and between the bar and the graph. */
const MARGIN = 10;
/** What a tooltip below the last row may need, and the status line of a frame on a phone. */
const BELOW = 220;

/** @param {SVGSVGElement} file the document's root element */
export function startStandalone(file) {
  const picture = /** @type {SVGSVGElement} */ (file.querySelector("svg.flame-graph"));
  const header = /** @type {SVGGElement} */ (file.querySelector("g.header"));
  const data = decompressed(JSON.parse(file.querySelector("script.data")?.textContent ?? ""));
  const holder = svgElement("foreignObject", { x: MARGIN, y: MARGIN });
  // As HTML, which is broken into lines where the window is narrow. The legend is made anew.
  const lines = [...header.querySelectorAll(":scope > text")].map((line) =>
    htmlElement("p", { class: line.getAttribute("class") ?? "" }, line.textContent ?? ""),
  );
  const top = htmlElement("div", {}, ...lines);
  holder.append(top);
  header.replaceWith(holder);
  // Where the file is looked at in a browser, it is as wide as the window.
  file.removeAttribute("viewBox");
  file.setAttribute("width", "100%");
  file.setAttribute("role", "document");
  const width = () => Math.max(document.documentElement.clientWidth - 2 * MARGIN, 200);
  /** @param {number} height */
  const resized = (height) => {
    holder.setAttribute("width", String(width()));
    const topHeight = Math.ceil(top.getBoundingClientRect().height);
    holder.setAttribute("height", String(topHeight));
    const graphTop = topHeight + 2 * MARGIN;
    picture.setAttribute("y", String(graphTop));
    file.setAttribute("height", String(Math.max(graphTop + height + BELOW, innerHeight)));
  };
  const view = new GraphView({
    picture,
    data,
    title: file.querySelector("title")?.textContent ?? "",
    store: new LinkStore(""),
    width,
    resized,
    drawsGone: true,
  });
  const { bar, foot } = view.controls;
  top.append(bar);
  // The legend follows what is compared.
  if (view.diffControls) top.append(view.diffControls.legend);
  keepInSight(file, foot, width);
  view.start();
  restore(view);
  addEventListener("resize", () => view.redraw());
  addEventListener("hashchange", () => restore(view));
  addEventListener("keydown", (event) => {
    if (isForGraph(event)) view.controls.shortcut(event);
  });
  view.controls.options.addEventListener("toggle", () => view.redraw());
}

/**
 * Keep the status line of a frame at the lower edge of the window, however long it is and however
 * deep the graph: above the graph it would push it away from under the pointer. In a file that is an
 * SVG no style does that.
 *
 * @param {SVGSVGElement} file
 * @param {HTMLElement} foot
 * @param {() => number} width
 */
function keepInSight(file, foot, width) {
  const holder = svgElement("foreignObject", { x: MARGIN });
  holder.append(foot);
  file.append(holder);
  const place = () => {
    holder.setAttribute("width", String(width()));
    const height = Math.ceil(foot.getBoundingClientRect().height);
    holder.setAttribute("height", String(height));
    holder.setAttribute("y", String(scrollY + innerHeight - height));
  };
  addEventListener("scroll", place, { passive: true });
  addEventListener("resize", place);
  new ResizeObserver(place).observe(foot);
}

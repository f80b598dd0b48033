/**
 * `<flame-graph id="cpu" data-profile="profile.json">` around the picture that the page came with;
 * the file may be a diff as well. Without this script the picture stays as it is.
 *
 * The picture carries an excerpt of the profile; the profile itself is fetched when the reader asks
 * for what the excerpt left out.
 */

import { graphOf } from "./graph_of.js";
import { LinkStore } from "./link_state.js";
import { GraphView } from "./view.js";

class FlameGraphElement extends HTMLElement {
  /** @type {GraphView | null} */
  view = null;
  observer = new ResizeObserver(() => this.fit());
  drawnWidth = 0;
  restore = () => this.view?.restore();
  /** @param {KeyboardEvent} event */
  slash = (event) => focusSearch(event, this);

  connectedCallback() {
    this.view ??= this.enhance();
    this.observer.observe(this);
    addEventListener("hashchange", this.restore);
    document.addEventListener("keydown", this.slash);
  }

  disconnectedCallback() {
    this.observer.disconnect();
    removeEventListener("hashchange", this.restore);
    document.removeEventListener("keydown", this.slash);
  }

  /** Bring the picture to life, where there is one. */
  enhance() {
    const picture = /** @type {SVGSVGElement | null} */ (this.querySelector("svg[data-graph]"));
    if (!picture) return null;
    const source = this.dataset.profile;
    picture.setAttribute("role", "group");
    const view = new GraphView({
      picture,
      title: picture.getAttribute("aria-label") ?? "",
      graph: graphOf(JSON.parse(picture.dataset.graph ?? "")),
      store: new LinkStore(this.id),
      width: () => this.clientWidth,
      resized: () => {
        this.drawnWidth = this.clientWidth;
      },
      load: source ? async () => graphOf(await fetchJson(source)) : null,
    });
    this.prepend(view.controls.bar);
    this.append(view.controls.status);
    view.start();
    return view;
  }

  fit() {
    if (this.clientWidth > 0 && this.clientWidth !== this.drawnWidth) this.view?.redraw();
  }
}

/** @param {string} url */
async function fetchJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.json();
}

/**
 * Let `/` lead to the search field of the graph that has the focus, else of the first one in
 * sight.
 *
 * @param {KeyboardEvent} event
 * @param {FlameGraphElement} element
 */
function focusSearch(event, element) {
  const { target } = event;
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.defaultPrevented || !(target instanceof Element)) return;
  if (target.closest("input, textarea, select, [contenteditable]")) return;
  const focused = target.closest("flame-graph");
  const visible = [...document.querySelectorAll("flame-graph")].find((graph) => {
    const { top, bottom } = graph.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  if ((focused ?? visible) !== element) return;
  event.preventDefault();
  element.view?.controls.query.focus();
}

customElements.define("flame-graph", FlameGraphElement);

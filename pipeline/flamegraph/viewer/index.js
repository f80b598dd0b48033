/**
 * `<flame-graph id="cpu" data-profile="profile.json">` around the picture that the page came with;
 * the file may be a diff as well. Without this script the picture stays as it is.
 *
 * The picture carries an excerpt of the profile; the profile itself is fetched when the reader asks
 * for what the excerpt left out.
 */

import { unpacked } from "../packed.js";
import { FunctionList } from "./function_list.js";
import "./diffs.js";
import { isForGraph } from "./keys.js";
import { LinkStore } from "./link_state.js";
import { GraphView } from "./view.js";

class FlameGraphElement extends HTMLElement {
  /** @type {GraphView | null} */
  view = null;
  observer = new ResizeObserver(() => this.fit());
  drawnWidth = 0;
  restore = () => this.view?.restore();
  /** @param {KeyboardEvent} event */
  shortcut = (event) => shortcut(event, this);

  connectedCallback() {
    this.view ??= this.enhance();
    this.observer.observe(this);
    addEventListener("hashchange", this.restore);
    document.addEventListener("keydown", this.shortcut);
  }

  disconnectedCallback() {
    this.observer.disconnect();
    removeEventListener("hashchange", this.restore);
    document.removeEventListener("keydown", this.shortcut);
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
      data: this.withWork(unpacked(JSON.parse(picture.dataset.graph ?? ""))),
      store: new LinkStore(this.id),
      width: () => this.clientWidth,
      resized: () => {
        this.drawnWidth = this.clientWidth;
      },
      changed: () => this.dispatchEvent(new Event("graph-change")),
      load: source ? async () => this.withWork(await fetchJson(source)) : null,
    });
    this.prepend(view.controls.bar);
    // The legend follows what is compared.
    if (view.diffControls) picture.previousElementSibling?.replaceWith(view.diffControls.element);
    this.append(view.controls.foot);
    view.start();
    return view;
  }

  /**
   * Add what the page knows of the work that a profile's weight was spent on.
   *
   * @param {import("../regrow.js").Columns} data
   */
  withWork(data) {
    const { operations, operation } = this.dataset;
    if (data.format === "perfpress-diff" || !operations) return data;
    return {
      ...data,
      work: { operations: Number(operations), operation: operation ?? "operation" },
    };
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
 * Let `/` lead to the search field and `?` to the keys of the graph that has the focus, else of the
 * first one in sight.
 *
 * @param {KeyboardEvent} event
 * @param {FlameGraphElement} element
 */
function shortcut(event, element) {
  if (!isForGraph(event)) return;
  const focused = /** @type {Element} */ (event.target).closest("flame-graph");
  const visible = [...document.querySelectorAll("flame-graph")].find((graph) => {
    const { top, bottom } = graph.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  if ((focused ?? visible) === element) element.view?.controls.shortcut(event);
}

/**
 * `<function-table data-graph="cpu">` around the table of the functions of a graph. Without this script
 * the table stays as it is.
 */
class FunctionTableElement extends HTMLElement {
  /** @type {FunctionList | null} */
  list = null;

  connectedCallback() {
    const graph = document.getElementById(this.dataset.graph ?? "");
    const table = this.querySelector("table");
    if (this.list || !table || !(graph instanceof FlameGraphElement) || !graph.view) return;
    const list = new FunctionList(table, graph.view, new LinkStore(graph.id));
    this.list = list;
    (table.closest(".scroller") ?? table).after(list.bar);
    graph.addEventListener("graph-change", () => list.update());
    list.update();
  }
}

// The tables find their graphs alive: these are defined, and so brought to life, in this order.
customElements.define("flame-graph", FlameGraphElement);
customElements.define("function-table", FunctionTableElement);

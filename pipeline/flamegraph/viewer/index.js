/**
 * `<flame-graph id="cpu" data-profile="profile.json">` around the picture that the page came with;
 * the file may be a diff as well. Without this script the picture stays as it is; with it, the profile is
 * fetched when the reader comes near, and drawn in its place.
 */

import { openAround } from "./anchor.js";
import { button, htmlElement, svgElement } from "./elements.js";
import { FunctionList, NAME } from "./function_list.js";
import "./diffs.js";
import "./libraries.js";
import { aboutWords, graphOf } from "./graph_of.js";
import { isForGraph } from "./keys.js";
import { LinkStore } from "./link_state.js";
import { restore } from "./restore.js";
import { GraphView } from "./view.js";

/** How far away a profile is fetched: two heights of the window. */
const NEAR = "200% 0px";

export class FlameGraphElement extends HTMLElement {
  /** @type {GraphView | null} */
  view = null;
  approach = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.fetch(),
    { rootMargin: NEAR },
  );
  observer = new ResizeObserver(() => this.fit());
  drawnWidth = 0;
  /** @type {Promise<void> | null} while the profile is on its way */
  fetching = null;
  /** Says that it did not come. */
  failure = htmlElement(
    "p",
    { class: "flame-graph-failure", role: "alert" },
    "The profile could not be fetched, so this is only a picture of it. ",
    button("Try again", () => this.fetch()),
  );
  /** @param {HashChangeEvent} event that another graph may have answered already */
  restore = (event) => this.follow(new URL(event.newURL).hash);
  /**
   * A link to what the address says already changes nothing: only the press on it can be heard.
   *
   * @param {MouseEvent} event
   */
  followAgain = (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey;
    if (isElsewhere || link?.href !== location.href) return;
    if (!this.view || !isLedTo(this, link.hash)) return;
    this.view.show(this.view.zoomed);
    this.view.cursor.lead();
  };
  /** @param {KeyboardEvent} event */
  shortcut = (event) => shortcut(event, this);

  connectedCallback() {
    if (!this.view && this.picture) {
      this.approach.observe(this);
      this.follow(location.hash);
    }
    this.observer.observe(this);
    addEventListener("hashchange", this.restore);
    document.addEventListener("click", this.followAgain);
    document.addEventListener("keydown", this.shortcut);
  }

  disconnectedCallback() {
    this.approach.disconnect();
    this.observer.disconnect();
    removeEventListener("hashchange", this.restore);
    document.removeEventListener("click", this.followAgain);
    document.removeEventListener("keydown", this.shortcut);
  }

  /** @returns {SVGSVGElement | null} what the page came with */
  get picture() {
    return this.querySelector("svg[data-graph]");
  }

  /** Bring the picture to life. Where that fails it stays, and says so. */
  async fetch() {
    this.fetching ??= this.wake().finally(() => {
      this.fetching = null;
    });
    await this.fetching;
  }

  async wake() {
    this.approach.disconnect();
    const data = await fetchJson(this.dataset.profile ?? "").catch(() => null);
    const picture = this.picture;
    if (this.view || !picture) return;
    this.classList.add("settled"); // its controls had their place until now
    if (!data) {
      this.append(this.failure);
      return;
    }
    const hadFocus = this.failure.matches(":focus-within");
    this.failure.remove();
    this.live(picture, this.withWork(data));
    if (hadFocus) this.querySelector("input")?.focus();
    await this.follow(location.hash);
  }

  /**
   * Show a diff that the page did not come with.
   *
   * @param {import("../graph/rebuild.js").Columns} data the whole of it
   * @param {string} title
   */
  show(data, title) {
    const picture = svgElement("svg", {
      class: "flame-graph",
      "aria-label": title,
      "data-graph": "",
    });
    this.replaceChildren(picture);
    this.classList.add("settled");
    this.live(picture, data);
    this.follow(location.hash);
  }

  /**
   * Show what a link asks for, and lead the reader there where they have just followed it.
   *
   * @param {string} fragment
   */
  async follow(fragment) {
    if (!this.view) {
      if (new LinkStore(this.id).isNamed(fragment)) await this.fetch();
      return;
    }
    const leads = new LinkStore(this.id).isNew() && isLedTo(this, fragment);
    restore(this.view, fragment);
    // A page that embeds the graph keeps its focus, and stays where it is.
    if (!leads || parent !== window) return;
    openAround(this);
    this.view.cursor.lead();
  }

  /**
   * Bring a picture to life, and the table of its functions.
   *
   * @param {SVGSVGElement} picture
   * @param {import("../graph/rebuild.js").Columns} data
   */
  live(picture, data) {
    picture.setAttribute("role", "group");
    const view = new GraphView({
      picture,
      title: picture.getAttribute("aria-label") ?? "",
      data,
      columns: tableColumns(this.id),
      about: this.aboutOf(data),
      store: new LinkStore(this.id),
      width: () => this.clientWidth,
      resized: () => {
        this.drawnWidth = this.clientWidth;
      },
      widen: (isWide) => this.classList.toggle("full-width", isWide),
      changed: () => this.dispatchEvent(new Event("graph-change")),
    });
    this.prepend(view.controls.bar);
    // The legend follows what is compared.
    if (view.diffControls) {
      this.querySelector(":scope > svg:not([data-graph])")?.remove();
      picture.before(view.diffControls.legend);
      this.querySelector("details.flame-graph-gone")?.remove();
      this.append(view.diffControls.gone);
    }
    this.append(view.controls.foot);
    this.view = view;
    view.start();
    tableOf(this.id)?.enhance();
  }

  /**
   * Add what the page knows of the work that a profile's weight was spent on.
   *
   * @param {import("../graph/rebuild.js").Columns} data
   */
  withWork(data) {
    const { operations, costUnit } = this.dataset;
    if (data.format === "perfpress-diff" || !operations || !costUnit) return data;
    return {
      ...data,
      work: { operations: Number(operations), cost_unit: costUnit },
    };
  }

  /**
   * Find the line of the page that says of a diff what its width and colour are: it follows what the
   * reader chooses.
   *
   * @param {import("../graph/rebuild.js").Columns} data
   */
  aboutOf(data) {
    const about = aboutWords(graphOf(data));
    const lines = this.closest("figure")?.querySelectorAll("p") ?? [];
    return [...lines].find((line) => about && line.textContent?.trim() === about) ?? null;
  }

  fit() {
    if (this.clientWidth > 0 && this.clientWidth !== this.drawnWidth) this.view?.redraw();
  }
}

/**
 * Return whether a graph is the first of a page that a link leads to.
 *
 * @param {FlameGraphElement} element
 * @param {string} fragment
 */
function isLedTo(element, fragment) {
  const graphs = [...document.querySelectorAll("flame-graph")];
  return graphs.find(({ id }) => new LinkStore(id).isNamed(fragment)) === element;
}

/**
 * Return what the table of functions beside a graph can be sorted by.
 *
 * @param {string} graph its id
 */
function tableColumns(graph) {
  const table = tableOf(graph);
  const heads = [...(table?.querySelectorAll("th.number[data-column]") ?? [])];
  return table ? [NAME, ...heads.map((head) => head.getAttribute("data-column") ?? "")] : [];
}

/**
 * @param {string} graph its id
 * @returns {FunctionTableElement | null} the table of its functions
 */
function tableOf(graph) {
  return document.querySelector(`function-table[data-graph="${CSS.escape(graph)}"]`);
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
    this.enhance();
  }

  /** Bring the table to life, where its graph is alive: a graph that becomes so calls it again. */
  enhance() {
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

customElements.define("flame-graph", FlameGraphElement);
customElements.define("function-table", FunctionTableElement);

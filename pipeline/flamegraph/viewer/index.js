/**
 * `<flame-graph id="cpu" data-profile="profile.json">` around the picture that the page came with;
 * the file may be a diff as well. Without this script the picture stays as it is.
 *
 * The picture carries an excerpt of the profile; the profile itself is fetched when the reader asks
 * for what the excerpt left out. In the text of a report, which may have many graphs, and in frames on
 * other sites, pictures come without one (`data-graph=""`): the profile is fetched when the reader comes near.
 */

import { decompressed } from "../graph/compressed.js";
import { goToAnchorOfLink, openAround } from "./anchor.js";
import { htmlElement, svgElement } from "./elements.js";
import { FunctionList, NAME } from "./function_list.js";
import "./diffs.js";
import "./libraries.js";
import { aboutWords, graphOf } from "./graph_of.js";
import { isForGraph } from "./keys.js";
import { LinkStore } from "./link_state.js";
import { restore } from "./restore.js";
import { GraphView } from "./view.js";

/** How far away the profile of a picture without an excerpt is fetched: two heights of the window. */
const NEAR = "200% 0px";

/** @type {() => void} */
let arrive = () => {};
/** Ends when the graphs are as high as they are going to be, and the page is where its link leads. */
const arrived = new Promise((/** @type {(nothing: void) => void} */ resolve) => {
  arrive = resolve;
});

export class FlameGraphElement extends HTMLElement {
  /** @type {GraphView | null} */
  view = null;
  /** Watches a picture without an excerpt. */
  approach = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.fetch(),
    { rootMargin: NEAR },
  );
  observer = new ResizeObserver(() => this.fit());
  drawnWidth = 0;
  /** Ends when a picture with an excerpt is alive. */
  waking = Promise.resolve();
  /** @param {HashChangeEvent} event that another graph may have answered already */
  restore = async (event) => {
    await this.waking;
    await this.follow(new URL(event.newURL).hash);
  };
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
    if (!this.view) {
      this.waking = this.wake();
      this.waking.then(() => arrived).then(() => this.follow(location.hash));
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

  /** Bring the picture to life: at once where it has an excerpt, else when the reader comes near. */
  async wake() {
    const picture = this.picture;
    const excerpt = picture?.dataset.graph;
    this.classList.toggle("waking", Boolean(excerpt)); // its controls have their place already
    const data = excerpt ? await unpacked(excerpt).catch(() => null) : null;
    this.classList.remove("waking");
    if (picture && data && !this.view) {
      const source = this.dataset.profile;
      this.live(
        picture,
        this.withWork(data),
        source ? async () => this.withWork(await fetchJson(source)) : null,
      );
    } else if (picture && !this.view) this.approach.observe(this);
  }

  /** Bring a picture without an excerpt to life. Where that fails it stays, and is tried again later. */
  async fetch() {
    const data = await fetchJson(this.dataset.profile ?? "").catch(() => null);
    const picture = this.picture;
    if (this.view || !picture || !data) return;
    this.approach.disconnect();
    this.live(picture, this.withWork(data), null);
    await this.follow(location.hash);
  }

  /**
   * Show a diff that the page did not come with.
   *
   * @param {import("../graph/rebuild.js").Columns} data the whole of it
   * @param {string} title
   */
  show(data, title) {
    const picture = svgElement("svg", { class: "flame-graph", "aria-label": title });
    this.replaceChildren(htmlElement("p"), picture);
    this.live(picture, data, null);
    this.follow(location.hash);
  }

  /**
   * Show what a link asks for, and lead the reader there where they have just followed it.
   *
   * @param {string} fragment
   */
  async follow(fragment) {
    if (!this.view) {
      if (this.picture && new LinkStore(this.id).isNamed(fragment)) await this.fetch();
      return;
    }
    const leads = new LinkStore(this.id).isNew() && isLedTo(this, fragment);
    await restore(this.view, fragment);
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
   * @param {(() => Promise<import("../graph/rebuild.js").Columns>) | null} load the whole of the data
   */
  live(picture, data, load) {
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
      load,
    });
    this.prepend(view.controls.bar);
    // The legend follows what is compared.
    if (view.diffControls) {
      picture.previousElementSibling?.replaceWith(view.diffControls.legend);
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

/**
 * Read an excerpt that a page holds.
 *
 * @param {string} text columns as JSON, deflated, in base 64
 * @returns {Promise<import("../graph/rebuild.js").Columns>}
 */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return decompressed(await new Response(json).json());
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

const graphs = [...document.querySelectorAll("flame-graph")].map(
  (each) => /** @type {FlameGraphElement} */ (each).waking,
);
// A graph that fails holds up no other.
Promise.allSettled(graphs).then(goToAnchorOfLink).then(arrive);

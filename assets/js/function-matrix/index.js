// Lets the reader explore the functions of all releases: what the page shows is where it begins.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { fetchJson, reasonOf } from "../fetch-json.js";
import { readState, writeState } from "../link-state.js";
import { controlsOf } from "./controls.js";
import { Counts } from "./counts.js";
import { unpacked } from "./data.js";
import { rowOf } from "./rows.js";
import { INITIAL, openRows, rowKey, viewOf } from "./view.js";

/** Functions that are shown at first, and how many more each time. */
const ROWS = 100;

const KEYS = /** @type {(keyof import("./view.js").State)[]} */ (Object.keys(INITIAL));

class FunctionMatrix extends HTMLElement {
  async connectedCallback() {
    const table = this.querySelector("table");
    if (!table) return;
    this.table = table;
    this.most = ROWS;
    // The data begins with the functions of these, in their order.
    this.published = [...table.tBodies[0].rows];
    const asked = this.stateOfLink();
    if (KEYS.every((key) => asked[key] === INITIAL[key])) await this.seen();
    this.state = this.stateOfLink();
    let data;
    try {
      data = unpacked(
        await fetchJson(this.dataset.source ?? ""),
        (this.dataset.root ?? "").replace(/\/$/, ""),
      );
    } catch (error) {
      this.append(
        `All functions could not be loaded (${reasonOf(error)}); the table has the first ones.`,
      );
      return;
    }
    this.counts = new Counts(data);
    this.controls = controlsOf(this.counts, (change) => this.change(change));
    this.querySelector(".matrix-controls")?.replaceWith(this.controls.element);
    this.querySelector(".scroller")?.after(this.controls.foot);
    this.makeHeads();
    window.addEventListener("hashchange", () => {
      this.state = this.stateOfLink();
      this.show();
    });
    // The page's own rows stay where the link says nothing, until the reader asks for something.
    this.show();
  }

  /** Wait until the table is on the screen or a link may ask for something: its data are most of the page. */
  seen() {
    return new Promise((resolve) => {
      const observer = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) done();
      });
      const done = () => {
        observer.disconnect();
        removeEventListener("hashchange", done);
        resolve(null);
      };
      observer.observe(this);
      addEventListener("hashchange", done);
    });
  }

  stateOfLink() {
    const id = this.dataset.state ?? "";
    const state = { ...INITIAL };
    for (const key of KEYS) state[key] = readState(id, key);
    return state;
  }

  /** @param {Partial<import("./view.js").State> | "more"} change */
  change(change) {
    if (change === "more") this.most = (this.most ?? ROWS) + ROWS;
    else {
      this.state = { ...(this.state ?? INITIAL), ...change };
      for (const key of KEYS) writeState(this.dataset.state ?? "", key, this.state[key]);
    }
    this.show();
  }

  /** Turn the heads of the columns into buttons that sort. */
  makeHeads() {
    for (const head of this.querySelectorAll("th[data-sort-by]")) {
      const by = /** @type {HTMLElement} */ (head).dataset.sortBy ?? "";
      const content = [...head.childNodes].map(plain);
      const button = htmlElement("button", { type: "button", class: "sort" }, ...content);
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const next = { [by]: `-${by}`, [`-${by}`]: "" }[this.state?.sort ?? ""] ?? by;
        this.change({ sort: next });
      });
    }
  }

  show() {
    const { table, counts, controls, state } = this;
    if (!table || !counts || !controls || !state) return;
    const { data } = counts;
    const view = viewOf(counts, state, this.most ?? ROWS);
    const open = openRows(state.open);
    const focused = document.activeElement;
    const cell = focused?.closest("td, th");
    const row = [...table.tBodies[0].rows].findIndex((each) => each.contains(focused));
    const rows = view.rows.map((shown) => {
      const key = rowKey(data, shown.path);
      return rowOf(shown, {
        data,
        namespace: table.dataset.namespace,
        decimals: view.decimals,
        open: open.has(key),
        toggle: () => this.toggle(key),
        published: shown.path.length === 1 ? this.published?.[shown.path[0]] : undefined,
      });
    });
    table.tBodies[0].replaceChildren(...rows);
    if (row >= 0) {
      // What had the focus, or what is in its place now, such as the link of a number.
      const same = rows[row]?.cells[/** @type {HTMLTableCellElement} */ (cell).cellIndex];
      const now = focused?.isConnected ? focused : same?.querySelector("a, button");
      /** @type {HTMLElement | null | undefined} */ (now)?.focus({ preventScroll: true });
    }
    for (const head of this.querySelectorAll("th[data-sort-by]")) {
      const by = /** @type {HTMLElement} */ (head).dataset.sortBy;
      head.removeAttribute("aria-sort");
      if (state.sort === by)
        head.setAttribute("aria-sort", by === "name" ? "ascending" : "descending");
      if (state.sort === `-${by}`) {
        head.setAttribute("aria-sort", by === "name" ? "descending" : "ascending");
      }
      const unit = head.querySelector(".unit");
      if (unit && by !== "name")
        unit.textContent = by === "change" && view.unit === "%" ? "points" : view.unit;
    }
    const caption = this.querySelector("figcaption");
    if (caption) caption.textContent = controls.caption(state);
    controls.announce(state, view, this.most ?? ROWS);
  }

  /** @param {string} key of a row */
  toggle(key) {
    const open = openRows(this.state?.open ?? "");
    if (!open.delete(key)) open.add(key);
    const rows = [...open].map((each) => JSON.parse(each));
    this.change({ open: rows.length > 0 ? JSON.stringify(rows) : "" });
  }
}

/**
 * A link inside a button would be neither.
 *
 * @param {ChildNode} node
 */
function plain(node) {
  return node instanceof HTMLAnchorElement ? (node.textContent ?? "") : node;
}

customElements.define("function-matrix", FunctionMatrix);

/**
 * The table of functions beside a graph, live: sorted by any column, filtered by the graph's search,
 * a page at a time; a name zooms the graph to that function, and the function in the graph's status line
 * is marked and in sight. It is of what the graph shows: without what waits, and of a diff the same way
 * round.
 */

import { swapped } from "../../profile/diff/values.js";
import { functionPath } from "../../profile/model/frame_path.js";
import { functionId } from "../../profile/model/function_names.js";
import { grouped } from "../../profile/model/numbers.js";
import { rowName } from "../../profile/model/shown_names.js";
import { diffGraph } from "../graph/diff_graph.js";
import { edited } from "../graph/edits.js";
import {
  cellText,
  diffFunctions,
  profileFunctions,
  sortedFunctions,
} from "../graph/function_table.js";
import { profileGraph } from "../graph/profile_graph.js";
import { diffView } from "./diff_controls.js";
import { button, htmlElement } from "./elements.js";
import { nameElements } from "./function_name.js";
import { hasEdits } from "./graph_of.js";

const PAGE_ROWS = 50;
/** Names the column of names in links. */
export const NAME = "name";

export class FunctionList {
  /**
   * @param {HTMLTableElement} table with a head, and with the first rows as the page brings them, which links lead to
   * @param {import("./view.js").GraphView} view
   * @param {import("./link_state.js").LinkStore} store
   */
  constructor(table, view, store) {
    this.view = view;
    this.store = store;
    this.body = table.tBodies[0];
    /** That the names of functions lack, as the head says. */
    this.namespace = table.dataset.namespace;
    this.heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    this.initial = `-${this.heads[1]?.dataset.column}`;
    /** What says below the table what its columns mean, in their order. */
    this.meanings = [...(table.closest("figure")?.querySelectorAll(".legend dl > div") ?? [])];
    /** @type {import("../graph/function_table.js").FunctionTable | null} once it is shown */
    this.functions = null;
    /** What the functions are of, what the rows are of, and those that are shown. */
    this.of = "";
    this.rows = "";
    this.shown = "";
    /** The page, from 1 on. No link has it: a link to a function shows its row, on whatever page that is. */
    this.page = 1;
    /** The function that the reader has selected in the graph, and the zoomed frame. */
    this.selected = "";
    this.count = htmlElement("output", { tabindex: "-1" });
    this.about = htmlElement("p", { class: "function-about" });
    this.previous = button("Previous page", () => this.turn(-1));
    this.next = button("Next page", () => this.turn(1));
    this.bar = htmlElement(
      "div",
      { class: "function-pages" },
      this.previous,
      this.next,
      this.count,
      this.about,
    );
    for (const head of this.heads) this.makeSortable(head);
    for (const row of this.body.rows) this.makeLink(row);
    /** @type {Map<string, HTMLTableRowElement>} by the id of the function */
    this.rowsOfPage = new Map([...this.body.rows].map((row) => [row.dataset.function ?? "", row]));
  }

  /** @param {HTMLTableCellElement} head */
  makeSortable(head) {
    const column = head.dataset.column ?? NAME;
    if (column === "kind") return;
    const sort = button("", () => this.sort(column));
    sort.className = "sort";
    sort.append(...head.childNodes);
    head.append(sort);
  }

  /**
   * Let the name in a row that the page brought lead to the function in the graph.
   *
   * @param {HTMLTableRowElement} row
   */
  makeLink(row) {
    const id = row.dataset.function;
    if (!id) return;
    const [head] = row.cells;
    const name = [...head.childNodes].filter((node) => !(node instanceof HTMLAnchorElement));
    const text = name.map((node) => node.textContent).join("");
    for (const node of name) node.remove();
    head.prepend(this.link(id, text.trim()), " ");
  }

  /**
   * @param {string} id of a function
   * @param {string} name
   */
  link(id, name) {
    const frame = functionPath(id);
    const link = htmlElement(
      "a",
      { href: this.store.link({ frame }) },
      ...nameElements(name, this.namespace),
    );
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.view.moves.goTo(frame);
    });
    return link;
  }

  /**
   * Sort by a column: numbers the largest first, names from A on; the other way at the second press.
   *
   * @param {string} column
   */
  sort(column) {
    const [first, second] = column === NAME ? [column, `-${column}`] : [`-${column}`, column];
    const next = this.order() === first ? second : first;
    this.view.rearrange({ sort: next === this.initial ? "" : next });
  }

  /** @returns {string} the column that the rows are sorted by, `-` before it where from its end */
  order() {
    return this.view.state.sort || this.initial;
  }

  /** @param {1 | -1} step */
  turn(step) {
    this.page += step;
    this.update();
    const [here, other] = step > 0 ? [this.next, this.previous] : [this.previous, this.next];
    if (here.disabled) other.focus();
  }

  /** Show what the graph's state asks for. */
  update() {
    const functions = this.functionsOf(this.view.data);
    this.showPage(functions);
    this.markSorted();
    this.follow(functions);
    this.markCurrent();
  }

  /**
   * Turn to the row of what the reader selects in the graph, where the table can be seen.
   *
   * @param {import("../graph/function_table.js").FunctionTable} functions
   */
  follow(functions) {
    const id = this.idInGraph();
    const selected = `${id} ${this.view.state.frame}`;
    if (selected === this.selected || !this.body.checkVisibility()) return;
    this.selected = selected;
    const at = this.found(functions).findIndex((index) => functions.ids[index] === id);
    if (at >= 0) {
      this.page = Math.floor(at / PAGE_ROWS) + 1;
      this.showPage(functions);
    }
    this.bringIntoSight(this.rowOf(id));
  }

  /** @returns {string} id of the function that is selected in the graph; empty where none is */
  idInGraph() {
    const { graph, cursor } = this.view;
    const { node } = cursor;
    return node === 0 ? "" : functionId(graph.className(node), graph.key(node));
  }

  /** @param {string} id of a function */
  rowOf(id) {
    return [...this.body.rows].find((row) => row.dataset.function === id);
  }

  /**
   * Scroll the table to a row: into the part of the table that is in sight. Beside the graph the window
   * follows where that is not enough, as far as the frame stays in it.
   *
   * @param {HTMLTableRowElement | undefined} row
   */
  bringIntoSight(row) {
    const scroller = row?.closest(".scroller");
    if (!row || !scroller) return;
    const [place, window] = [row, scroller].map((element) => element.getBoundingClientRect());
    const head = this.heads[0]?.offsetHeight ?? 0;
    const top = Math.max(window.top, 0) + head;
    const bottom = Math.min(window.bottom, innerHeight);
    if (place.top >= top && place.bottom <= bottom) return;
    scroller.scrollTop += (place.top + place.bottom - top - bottom) / 2;
    const graph = this.view.picture.element.getBoundingClientRect();
    const frame = this.view.cursor.tree.getBoundingClientRect();
    const down = row.getBoundingClientRect().bottom - innerHeight;
    const isBeside = window.left >= graph.right;
    if (isBeside && down > 0 && frame.top > down) scrollBy({ top: down, behavior: "instant" });
  }

  /**
   * Return all functions of what the graph shows; of a diff in the graph's basis and orientation. Only
   * the graph shows shares of a frame.
   *
   * @param {import("../graph/rebuild.js").Columns} data
   */
  functionsOf(data) {
    const { state } = this.view;
    const basis = data.format === "perfpress-diff" ? diffView(data, state, 0).basis : undefined;
    const { merge, only, hide, collapse, sides: flipped } = state;
    const of = `${[merge, only, hide, collapse]} ${basis} ${flipped}`;
    if (this.functions && of === this.of) return this.functions;
    this.of = of;
    const left = hasEdits(state) ? edited(data, state).data : data;
    if (left.format !== "perfpress-diff") {
      this.functions = profileFunctions(left, profileGraph(left));
    } else {
      const sides = state.sides ? swapped(left) : left;
      const tableBasis = basis === "share_of_frame" || !basis ? "share" : basis;
      this.functions = diffFunctions(
        { ...sides, basis: tableBasis },
        diffGraph(sides, { basis: tableBasis }),
      );
    }
    const words = [
      hasEdits(state) ? "As edited in the graph." : "",
      basis === "share_of_frame" ? "The table shows shares of the whole profile." : "",
    ];
    this.about.textContent = words.filter(Boolean).join(" ");
    this.nameColumns(this.functions);
    return this.functions;
  }

  /** @param {import("../graph/function_table.js").FunctionTable} functions */
  nameColumns({ columns }) {
    columns.forEach(({ key, label, unit, meaning }, index) => {
      const name = () => [`${label} `, htmlElement("span", { class: "unit" }, unit)];
      const head = this.heads.find(({ dataset }) => dataset.column === key);
      head?.firstElementChild?.replaceChildren(...name());
      const [term, says] = this.meanings[index]?.children ?? [];
      term?.replaceChildren(...name());
      says?.replaceChildren(meaning);
    });
  }

  /** @param {import("../graph/function_table.js").FunctionTable} functions */
  showPage(functions) {
    const { search, sort } = this.view.state;
    const found = this.found(functions);
    const rows = `${this.of} ${sort} ${search}`;
    if (rows !== this.rows) this.page = 1;
    this.rows = rows;
    const from = (this.page - 1) * PAGE_ROWS;
    const page = found.slice(from, from + PAGE_ROWS);
    const shown = `${rows} ${this.page}`;
    if (shown !== this.shown) {
      const { activeElement } = document;
      const focused = this.body.contains(activeElement) && activeElement?.closest("tr");
      this.body.replaceChildren(...page.map((index) => this.row(functions, index)));
      // The graph may come alive while a reader is in the table.
      const row = focused && this.rowOf(focused.dataset.function ?? "");
      if (row) row.querySelector("a")?.focus({ preventScroll: true });
    }
    this.shown = shown;
    this.previous.disabled = this.page === 1;
    this.next.disabled = from + PAGE_ROWS >= found.length;
    const range = page.length > 0 ? `${from + 1} to ${from + page.length} of ` : "";
    this.count.textContent = `${range}${grouped(found.length, 0)} ${found.length === 1 ? "function" : "functions"}${search ? " found" : ""}`;
  }

  /**
   * @param {import("../graph/function_table.js").FunctionTable} functions
   * @returns {number[]} those that the search finds, in order
   */
  found(functions) {
    const { matches } = this.view.found;
    const order = this.order();
    const ordered = sortedFunctions(functions, order.replace(/^-/, ""), !order.startsWith("-"));
    const { names, libraries } = functions;
    return matches ? ordered.filter((index) => matches(names[index], libraries[index])) : ordered;
  }

  /**
   * @param {import("../graph/function_table.js").FunctionTable} functions
   * @param {number} index
   */
  row({ ids, names, kinds, columns }, index) {
    const row = this.rowsOfPage.get(ids[index]) ?? this.newRow(ids[index], names[index], columns);
    const [, ...cells] = row.cells;
    columns.forEach((column, at) => {
      cells[at].textContent = cellText(column, index);
    });
    cells[columns.length].textContent = kinds[index];
    return row;
  }

  /**
   * Make a row without its numbers.
   *
   * @param {string} id of a function
   * @param {string} name
   * @param {unknown[]} columns
   */
  newRow(id, name, columns) {
    const head = htmlElement("th", { scope: "row", class: "name" }, this.link(id, rowName(name)));
    const numbers = columns.map(() => htmlElement("td"));
    const row = htmlElement("tr", {}, head, ...numbers, htmlElement("td", { class: "words" }));
    row.dataset.function = id;
    return row;
  }

  markSorted() {
    const order = this.order();
    for (const head of this.heads) {
      const column = head.dataset.column ?? NAME;
      if (order.replace(/^-/, "") !== column) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", order.startsWith("-") ? "descending" : "ascending");
    }
  }

  markCurrent() {
    const id = this.idInGraph();
    for (const row of this.body.rows) {
      const isCurrent = row.dataset.function === id && id !== "";
      row.classList.toggle("current", isCurrent);
      if (isCurrent) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }
}

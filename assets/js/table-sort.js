// Lets the reader sort a table by any of its columns; rows stay under the heading of their group.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { readState, writeState } from "./link-state.js";

/** With fewer rows there is nothing to sort. */
const MIN_ROWS = 3;

/** What the link calls the first column; no other column has a key like it. */
const LABELS = "@";

/** Event on a table whose numbers were changed. */
export const CHANGED = "numberschange";

/** Event on a table that has other rows now. */
export const ROWS_CHANGED = "rowschange";

const collator = new Intl.Collator("en", { numeric: true });

/** @typedef {"none" | "descending" | "ascending"} Order */

/**
 * Return the next sort order after a click on a column's head.
 *
 * @type {Record<string, Order>}
 */
const NEXT_ORDER = { none: "descending", descending: "ascending", ascending: "none" };

/**
 * Turns the heads of the table's columns into buttons.
 *
 * @param {HTMLTableElement} table
 */
export function makeSortable(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  let published = rowsOf(table);
  if (published.reduce((count, { rows }) => count + rows.length, 0) < MIN_ROWS) return;

  /**
   * @param {number} column
   * @param {Order} order
   */
  function sort(column, order) {
    for (const head of heads) head.removeAttribute("aria-sort");
    if (order !== "none") heads[column]?.setAttribute("aria-sort", order);
    for (const { body, rows } of published) body.append(...sorted(rows, column, order));
  }

  function sortAsLinked() {
    const state = readState(table.id, "sort");
    const column = heads.findIndex((head) => keyOf(head) === state.replace(/^-/, ""));
    if (column < 0) sort(0, "none");
    else sort(column, state.startsWith("-") ? "descending" : "ascending");
  }

  heads.forEach((head, column) => {
    const button = htmlElement("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.append(button);

    button.addEventListener("click", () => {
      const order = NEXT_ORDER[head.ariaSort ?? "none"] ?? "descending";
      sort(column, order);
      const state = { none: "", descending: `-${keyOf(head)}`, ascending: keyOf(head) };
      writeState(table.id, "sort", state[order]);
    });
  });

  if (!table.id) return;
  if (readState(table.id, "sort")) sortAsLinked();
  window.addEventListener("hashchange", sortAsLinked);
  table.addEventListener(CHANGED, sortAsLinked);
  table.addEventListener(ROWS_CHANGED, () => {
    published = rowsOf(table);
    sortAsLinked();
  });
}

/** @param {HTMLTableElement} table */
function rowsOf(table) {
  return [...table.tBodies].map((body) => ({
    body,
    rows: [...body.rows].filter((row) => row.className !== "group"),
  }));
}

/** @param {HTMLTableCellElement} head */
function keyOf(head) {
  return head.dataset.column ?? LABELS;
}

/**
 * Returns the rows in another order; those without a value come last in either direction.
 *
 * @param {HTMLTableRowElement[]} rows As published.
 * @param {number} column
 * @param {Order} order
 */
function sorted(rows, column, order) {
  if (order === "none") return rows;
  const sign = order === "ascending" ? 1 : -1;
  const byNumber = rows.some((row) => row.cells[column]?.dataset.sort !== undefined);
  return [...rows].sort((a, b) => {
    if (!byNumber) return sign * collator.compare(textOf(a, column), textOf(b, column));
    const [left, right] = [numberOf(a, column), numberOf(b, column)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function textOf(row, column) {
  return row.cells[column]?.textContent?.trim() ?? "";
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function numberOf(row, column) {
  const value = row.cells[column]?.dataset.sort;
  return value === undefined ? null : Number(value);
}

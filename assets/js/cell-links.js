// The link of a row of a table stands beside its name, that of a cell is shown in the cell under the
// pointer. A finger asks for both by a tap. By keyboard a cell's is reached from the link of the row:
// the arrows to the right and left lead from cell to cell.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { decoded } from "@perfpress/flamegraph/viewer/fragment.js";
import { textOf } from "./table-data.js";

/**
 * Give rows their links: written out, they would be a fifth of a page with tables of functions. The ids
 * that links name are in the page.
 *
 * @param {HTMLElement} root
 */
export function linkRows(root) {
  for (const row of root.querySelectorAll("tr[id]")) {
    const [name] = /** @type {HTMLTableRowElement} */ (row).cells;
    const link = { class: "anchor", href: `#${row.id}` };
    const label = `Link to the row “${textOf(name)}”`;
    name.append(" ", htmlElement("a", { ...link, "aria-label": label }, "#"));
  }
}

/**
 * Lead links to rows and cells of a view that is shown by the table of another one to those.
 *
 * @param {HTMLElement} root
 */
export function joinViews(root) {
  const id = decoded(location.hash.slice(1));
  for (const views of root.querySelectorAll(".both-views")) {
    const table = views.querySelector("table");
    if (!table || !id.startsWith(`${views.id}.`)) continue;
    location.replace(`#${table.id}${id.slice(views.id.length)}`);
  }
}

/**
 * Give cells and heads the ids that their links name, `<row>.<column>` and `<table>.@head.<column>`:
 * written out, they would be up to a third of a page. Who followed such a link is led on.
 *
 * @param {HTMLElement} root
 */
export function nameCells(root) {
  for (const table of root.querySelectorAll("table")) {
    const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
    const keys = heads.map((head) => head.dataset.column);
    heads.forEach((head, at) => {
      if (keys[at]) head.id = `${table.id}.@head.${keys[at]}`;
    });
    for (const row of table.querySelectorAll("tr[id]")) {
      for (const cell of row.querySelectorAll("td:not([id])")) {
        const key = keys[/** @type {HTMLTableCellElement} */ (cell).cellIndex];
        if (key) cell.id = `${row.id}.${key}`;
      }
    }
  }
  const linked = document.getElementById(decoded(location.hash.slice(1)));
  if (linked?.matches("td, th[data-column]") && !linked.matches(":target"))
    location.replace(location.hash);
}

/** @param {HTMLElement} root */
export function offerCells(root) {
  const link = htmlElement("a", { class: "anchor cell-anchor" }, "#");

  root.addEventListener("pointerover", ({ target, pointerType }) => {
    const cell = target instanceof Element ? target.closest("td[id]") : null;
    // A finger that comes may be about to scroll.
    if (cell && pointerType === "mouse" && document.activeElement !== link) put(link, cell);
  });
  root.addEventListener("click", ({ target }) => {
    const cell = target instanceof Element ? target.closest("tr[id] > :is(th, td)") : null;
    if (!cell) return;
    root.querySelector("tr.asked")?.classList.remove("asked");
    cell.parentElement?.classList.add("asked");
    if (cell.matches("td[id]")) put(link, cell);
    else link.remove();
  });
  root.addEventListener("keydown", (event) => {
    const anchor = event.target instanceof Element ? event.target.closest("tr .anchor") : null;
    const next = anchor && neighbour(anchor, event.key);
    if (!next) return;
    event.preventDefault();
    if (next.matches("td")) {
      put(link, next);
      link.focus();
    } else {
      /** @type {HTMLElement | null} */ (next.querySelector("a.anchor"))?.focus();
    }
  });
}

/**
 * @param {HTMLAnchorElement} link
 * @param {Element} cell
 */
function put(link, cell) {
  if (link.parentElement === cell) return;
  const row = cell.closest("tr")?.cells[0];
  const heads = cell.closest("table")?.tHead?.rows[0]?.cells;
  const head = heads?.[/** @type {HTMLTableCellElement} */ (cell).cellIndex]?.textContent;
  const names = [head, row?.firstChild?.textContent].map((name) => name?.trim());
  link.href = `#${cell.id}`;
  link.setAttribute("aria-label", `Link to the cell “${names.filter(Boolean).join(", ")}”`);
  cell.append(link);
}

/**
 * @param {Element} anchor
 * @param {string} key
 * @returns {Element | null | undefined} the cell beside that of the anchor
 */
function neighbour(anchor, key) {
  const cell = anchor.closest("td, th");
  if (key === "ArrowRight") return cell?.nextElementSibling;
  if (key === "ArrowLeft") return cell?.previousElementSibling;
  return null;
}

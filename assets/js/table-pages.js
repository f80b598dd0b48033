// A table that is too long for one page: a link to a row leads to the page that has it, a row can be
// searched for on all pages, and all rows can be shown on this one, to be sorted, copied and printed.

import { goToAnchorOfLink } from "@perfpress/flamegraph/viewer/anchor.js";
import { button, htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { decoded, isState, partsOf } from "@perfpress/flamegraph/viewer/fragment.js";
import { grouped } from "@perfpress/profile/model/numbers.js";
import { linkRows, nameCells } from "./cell-links.js";
import { fetchJson } from "./fetch-json.js";
import { readState, writeState } from "./link-state.js";
import { makeSortable, ROWS_CHANGED } from "./table-sort.js";

/** @typedef {import("./data.js").RowOfPages} Row */

/** Rows that a search lists. */
const MOST_FOUND = 20;

/** @param {HTMLElement} pages the links to all pages, with the table's id and the address of its rows */
export function offerRows(pages) {
  const { table = "", rows = "" } = pages.dataset;
  const what = pages.getAttribute("aria-label") ?? "";
  const links = [...pages.querySelectorAll("a")];
  const status = htmlElement("span", { role: "status" });
  const showAll = button(`Show ${what.toLowerCase()} in this table`, async () => {
    writeState(table, "rows", "all");
    await takeRows();
  });
  /** @type {Promise<Row[]> | undefined} */
  let loaded;
  const load = () => {
    loaded ??= fetchJson(rows).then((/** @type {{ rows: Row[] }} */ file) => file.rows);
    return loaded;
  };
  /** @param {Row} row */
  const addressOf = ([key, , page]) => `${links[page]?.href}#${table}.${encodeURIComponent(key)}`;

  /** Put the rows of all pages into the table of this one. */
  async function takeRows() {
    const here = document.getElementById(table);
    if (!(here instanceof HTMLTableElement)) return;
    status.textContent = "Loading …";
    showAll.disabled = true;
    const parts = links.map(({ href }, at) => fetchRows(href, table, `~${at}`));
    const all = await Promise.all(parts).catch(() => null);
    status.textContent = all
      ? "Sorting, copying and printing take all rows."
      : "The rows of other pages could not be loaded.";
    showAll.disabled = false;
    if (!all) return;
    const rows = all.flat();
    const [body] = here.tBodies;
    body?.replaceChildren(...rows);
    if (body) linkRows(body);
    showAll.hidden = true;
    const caption = here.closest("figure")?.querySelector("figcaption");
    caption?.replaceChildren(`${what}: ${grouped(rows.length, 0)}`);
    nameCells(here.parentElement ?? here);
    // The last page may have had too few to sort.
    if (!here.tHead?.querySelector("button")) makeSortable(here);
    here.dispatchEvent(new Event(ROWS_CHANGED));
  }

  async function goToRow() {
    if (readState(table, "rows") === "all" && !showAll.hidden) {
      await takeRows();
      goToAnchorOfLink();
    }
    const anchor = partsOf(location.hash).find((part) => !isState(part));
    const id = decoded(anchor ?? "");
    if (!id.startsWith(`${table}.`) || document.getElementById(id)) return;
    const place = id.slice(table.length + 1);
    // A slug may hold a dot, so that the longest key is the row's, and what follows it a column's.
    const found = (await load())
      .filter(([key]) => place === key || place.startsWith(`${key}.`))
      .sort(([one], [other]) => other.length - one.length)[0];
    // The links do not know of this page where the row is gone from it: it would come here again.
    if (found && links[found[2]]?.ariaCurrent !== "page") {
      location.replace(`${links[found[2]]?.href}${location.hash}`);
    }
  }

  goToRow();
  addEventListener("hashchange", goToRow);
  pages.querySelector("search")?.replaceChildren(...searchOf(what, load, addressOf));
  pages.querySelector(".all-rows")?.append(showAll, " ", status);
}

/**
 * @param {string} address of a page
 * @param {string} table its id
 * @param {string} page what tells its notes, which each page counts, from those of other pages
 * @returns {Promise<HTMLTableRowElement[]>}
 * @throws {Error} where the page or its table cannot be loaded
 */
async function fetchRows(address, table, page) {
  const response = await fetch(address);
  const there = new DOMParser()
    .parseFromString(await response.text(), "text/html")
    .getElementById(table);
  if (!response.ok || !(there instanceof HTMLTableElement)) throw new Error(address);
  for (const note of there.querySelectorAll("[popover]")) note.id += page;
  for (const button of there.querySelectorAll("[popovertarget]")) {
    button.setAttribute("popovertarget", button.getAttribute("popovertarget") + page);
  }
  return [...there.rows].filter((row) => row.parentElement?.matches("tbody"));
}

/**
 * @param {string} what the name of all rows
 * @param {() => Promise<Row[]>} load
 * @param {(row: Row) => string} addressOf
 */
function searchOf(what, load, addressOf) {
  const field = htmlElement("input", { type: "search", autocomplete: "off" });
  const label = htmlElement("label", {}, `Search ${what.toLowerCase()} `, field);
  const found = htmlElement("ul", {});
  const status = htmlElement("p", { class: "small", role: "status" });

  field.addEventListener("input", async () => {
    const text = field.value.trim().toLowerCase();
    const rows = text ? await load().catch(() => null) : [];
    if (text !== field.value.trim().toLowerCase()) return; // more was typed meanwhile
    const matches = rows?.filter(([, name]) => name.toLowerCase().includes(text)) ?? [];
    // What begins with the text before what holds it.
    const start = (/** @type {Row} */ [, name]) => Number(!name.toLowerCase().startsWith(text));
    matches.sort((one, other) => start(one) - start(other));
    found.replaceChildren(
      ...matches
        .slice(0, MOST_FOUND)
        .map((row) => htmlElement("li", {}, htmlElement("a", { href: addressOf(row) }, row[1]))),
    );
    status.textContent = !text
      ? ""
      : rows
        ? `${matches.length} found${matches.length > MOST_FOUND ? `, the first ${MOST_FOUND} here` : ""}`
        : "The list of all rows could not be loaded.";
  });
  field.addEventListener("keydown", (event) => {
    const first = found.querySelector("a");
    if (event.key === "Enter" && first) location.assign(first.href);
  });
  return [label, status, found];
}

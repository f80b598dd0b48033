// A table that is too long for one page: a link to a row leads to the page that has it, and a row can
// be searched for on all pages.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { decoded, isState, partsOf } from "@perfpress/flamegraph/viewer/fragment.js";
import { fetchJson } from "./fetch-json.js";

/** @typedef {import("./data.js").RowOfPages} Row */

/** Rows that a search lists. */
const MOST_FOUND = 20;

/** @param {HTMLElement} pages the links to all pages, with the table's id and the address of its rows */
export function offerRows(pages) {
  const { table = "", rows = "" } = pages.dataset;
  const links = [...pages.querySelectorAll("a")];
  /** @type {Promise<Row[]> | undefined} */
  let loaded;
  const load = () => {
    loaded ??= fetchJson(rows).then((/** @type {{ rows: Row[] }} */ file) => file.rows);
    return loaded;
  };
  /** @param {Row} row */
  const addressOf = ([key, , page]) => `${links[page]?.href}#${table}.${encodeURIComponent(key)}`;

  async function goToRow() {
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
  const what = pages.getAttribute("aria-label") ?? "";
  pages.querySelector("search")?.replaceChildren(...searchOf(what, load, addressOf));
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

// Progressive enhancement loaded on every page.

import { goToAnchorOfLink } from "@perfpress/flamegraph/viewer/anchor.js";
import { joinViews, linkRows, nameCells, offerCells } from "./cell-links.js";
import { keepChoices } from "./kept-choices.js";
import { keepStateAtAnchors } from "./link-state.js";
import { bringNotes } from "./notes.js";
import { offerLinks, offerShare } from "./share.js";
import { prepareStatusLine } from "./status-line.js";
import { offerBases } from "./table-base.js";
import { offerRows } from "./table-pages.js";
import { makeSortable } from "./table-sort.js";
import { offerTools } from "./table-tools.js";

/** How far away a graph is loaded: two heights of the window. */
const NEAR = "200% 0px";

prepareStatusLine();
keepStateAtAnchors();
// Before tables and graphs read the address.
keepChoices(document);
const main = /** @type {HTMLElement} */ (document.querySelector("main"));
joinViews(main);
linkRows(main);
nameCells(main);
for (const table of document.querySelectorAll("table")) {
  // Tables of functions sort themselves: they have more rows than the page.
  if (table.closest("function-table, function-matrix")) continue;
  // Sorted, the rows of a call tree would be below other callers.
  if (!table.closest(".calltree")) makeSortable(table);
  if (table.dataset.values) offerBases(table, table.dataset.values);
}
offerTools(document);
for (const pages of document.querySelectorAll("nav[data-rows]")) {
  offerRows(/** @type {HTMLElement} */ (pages));
}
for (const share of document.querySelectorAll("details.share")) {
  offerShare(/** @type {HTMLDetailsElement} */ (share));
}
offerLinks(document.body);
// iOS sends taps on text to elements, not to the body.
offerCells(main);
bringNotes(main);
offerSearch(document);
goToAnchorOfLink();
for (const template of document.querySelectorAll("template[data-near]")) {
  loadNear(/** @type {HTMLTemplateElement} */ (template));
}

/**
 * `/` opens the search page, unless a graph or table has a search of its own.
 *
 * @param {Document} page
 */
function offerSearch(page) {
  const link = page.querySelector(".masthead a[href$='/search/']");
  if (!(link instanceof HTMLAnchorElement)) return;
  page.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey) return;
    const isTyping =
      event.target instanceof Element && event.target.closest("input, select, textarea");
    if (event.defaultPrevented || isTyping) return;
    if (page.querySelector("flame-graph, function-matrix, site-search")) return;
    event.preventDefault();
    location.assign(link.href);
  });
}

/**
 * Load the script of graphs when the reader comes near to one: pages are usable before.
 *
 * @param {HTMLTemplateElement} template holds the script; `data-near` selects its elements
 */
function loadNear(template) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) load();
    },
    { rootMargin: NEAR },
  );
  const load = () => {
    observer.disconnect();
    removeEventListener("hashchange", loadLinked);
    document.body.append(template.content);
  };
  // A link to the state of a graph leads there.
  const loadLinked = () => {
    if (location.hash.includes("=")) load();
  };
  for (const element of document.querySelectorAll(template.dataset.near ?? "")) {
    observer.observe(element);
  }
  addEventListener("hashchange", loadLinked);
  loadLinked();
}

// What every page gets; all of it is readable without.

import { offerCells } from "./cell-links.js";
import { offerLinks } from "./copy-link.js";
import { goToAnchorOfLink } from "./flamegraph/viewer/anchor.js";
import { keepChoices } from "./kept-choices.js";
import { keepStateAtAnchors } from "./link-state.js";
import { loadNear } from "./load-near.js";
import { offerSearch } from "./search/shortcut.js";
import { offerShare } from "./share.js";
import { offerBases } from "./table-base.js";
import { makeSortable } from "./table-sort.js";
import { offerTools } from "./table-tools.js";
import { prepareToTell } from "./told.js";

prepareToTell();
keepStateAtAnchors();
// Before tables and graphs read the address.
keepChoices(document);
for (const table of document.querySelectorAll("table")) {
  // Tables of functions are sorted by those who have the rows that the page has not.
  if (table.closest("function-table, function-matrix")) continue;
  // In another order the rows of a call tree would stand below other callers.
  if (!table.closest(".calltree")) makeSortable(table);
  offerTools(table);
  if (table.dataset.values) offerBases(table, table.dataset.values);
}
for (const share of document.querySelectorAll("details.share")) {
  offerShare(/** @type {HTMLDetailsElement} */ (share));
}
offerLinks(document.body);
// Taps on what is no link are told to elements alone, not to the body.
offerCells(/** @type {HTMLElement} */ (document.querySelector("main")));
offerSearch(document);
goToAnchorOfLink();
for (const template of document.querySelectorAll("template[data-near]")) {
  loadNear(/** @type {HTMLTemplateElement} */ (template));
}

// What every page gets; all of it is readable without.

import { offerLinks } from "./copy-link.js";
import { makeSortable } from "./table-sort.js";

for (const table of document.querySelectorAll("table")) {
  // The viewer sorts tables of functions: it has the rows that the page has not.
  if (!table.closest("function-table")) makeSortable(table);
}
offerLinks(document.body);

// Adds copy and download buttons to tables and waterfalls, in "About this table" where that is.

import { button, htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { viewOf } from "./link-state.js";
import { copyText } from "./status-line.js";
import { dataOf, dataOfWaterfall } from "./table-data.js";
import { asCsv, asHtml, asJson, asMarkdown, asText } from "./table-formats.js";

const COPIED = "Table copied";

/** @param {ParentNode} page whose tables and waterfalls get the tools */
export function offerTools(page) {
  for (const table of page.querySelectorAll("table")) {
    const figure = table.closest("figure.table");
    const place = figure ?? table.closest(".scroller");
    if (!place) continue;
    const about =
      figure?.querySelector(".about-table > summary") ??
      place.nextElementSibling?.querySelector(":scope.copies > summary") ??
      foldedBelow(place, "this table");
    about.after(toolsOf(table.id, () => dataOf(table)));
  }
  for (const figure of page.querySelectorAll("figure.waterfall")) {
    foldedBelow(figure, "this chart").after(toolsOf(figure.id, () => dataOfWaterfall(figure)));
  }
}

/**
 * Add what the tools are folded into: an author's table has nothing about it.
 *
 * @param {Element} element a figure, or what a table scrolls in
 * @param {string} what
 * @returns {HTMLElement} its summary
 */
function foldedBelow(element, what) {
  const summary = htmlElement("summary", {}, `Copy or save ${what}`);
  const details = htmlElement("details", { class: "about-table" }, summary);
  if (element.matches("figure")) element.append(details);
  else element.after(details);
  return summary;
}

/**
 * @param {string} id of the figure; empty where no link leads to it
 * @param {() => import("./table-data.js").TableData} read
 */
function toolsOf(id, read) {
  const line = htmlElement("p", { class: "table-tools" });
  // Only on https and localhost; the files can be had anywhere.
  if (navigator.clipboard) {
    line.append(
      button("Copy as Markdown", () => copyText(asMarkdown(read()), COPIED)),
      button("Copy as HTML", () => copyText(asHtml(read()), COPIED)),
      button("Copy as text", () => copyText(asText(read()), COPIED)),
    );
    // The link has the table as it is sorted, and what it relates to.
    const link = () => `${location.href.replace(/#.*$/s, "")}#${viewOf(id)}`;
    if (id) line.append(button("Copy link", () => copyText(link(), "Link copied")));
  }
  const name = id || "table";
  line.append(
    button("CSV", () => save(asCsv(read()), "text/csv", `${name}.csv`)),
    button("JSON", () => save(asJson(read()), "application/json", `${name}.json`)),
  );
  return line;
}

/**
 * @param {string} text
 * @param {string} type
 * @param {string} name
 */
export function save(text, type, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

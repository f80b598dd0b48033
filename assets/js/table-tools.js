// Adds copy and download buttons to tables and waterfalls, in "About this table" where that is.

import { viewOf } from "./link-state.js";
import { announce } from "./status-line.js";
import { dataOf, dataOfWaterfall } from "./table-data.js";
import { asCsv, asHtml, asJson, asMarkdown, asText } from "./table-formats.js";

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
  const details = document.createElement("details");
  details.className = "about-table";
  const summary = document.createElement("summary");
  summary.textContent = `Copy or save ${what}`;
  details.append(summary);
  if (element.matches("figure")) element.append(details);
  else element.after(details);
  return summary;
}

/**
 * @param {string} id of the figure; empty where no link leads to it
 * @param {() => import("./table-data.js").TableData} read
 */
function toolsOf(id, read) {
  const line = document.createElement("p");
  line.className = "table-tools";
  // Only on https and localhost; the files can be had anywhere.
  if (navigator.clipboard) {
    line.append(
      tool("Copy as Markdown", () => copy(asMarkdown(read()))),
      tool("Copy as HTML", () => copy(asHtml(read()))),
      tool("Copy as text", () => copy(asText(read()))),
    );
    if (id) line.append(tool("Copy link", () => copyLink(id)));
  }
  const name = id || "table";
  line.append(
    tool("CSV", () => save(asCsv(read()), "text/csv", `${name}.csv`)),
    tool("JSON", () => save(asJson(read()), "application/json", `${name}.json`)),
  );
  return line;
}

/**
 * @param {string} label
 * @param {() => void} act
 */
function tool(label, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", act);
  return button;
}

/** @param {string} id of the table; the link has it as it is sorted, and what it relates to */
function copyLink(id) {
  const page = location.href.replace(/#.*$/s, "");
  return copy(`${page}#${viewOf(id)}`, "Link copied");
}

/**
 * @param {string} text
 * @param {string} [message]
 */
async function copy(text, message = "Table copied") {
  try {
    await navigator.clipboard.writeText(text);
    announce(message);
  } catch {
    announce("The browser did not allow to copy");
  }
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

// Adds copy and download buttons to "About this table".

import { viewOf } from "./link-state.js";
import { announce } from "./status-line.js";
import { dataOf } from "./table-data.js";
import { asCsv, asJson, asMarkdown, asText } from "./table-formats.js";

/** @param {HTMLTableElement} table */
export function offerTools(table) {
  const about = table.closest("figure.table")?.querySelector(".about-table > summary");
  if (!about || table.rows.length < 2) return;
  const line = document.createElement("p");
  line.className = "table-tools";
  // Only on https and localhost; the files can be had anywhere.
  if (navigator.clipboard) {
    line.append(
      tool("Copy as Markdown", () => copy(asMarkdown(dataOf(table)))),
      tool("Copy as text", () => copy(asText(dataOf(table)))),
    );
    if (table.id) line.append(tool("Copy link", () => copyLink(table.id)));
  }
  line.append(
    tool("CSV", () => save(asCsv(dataOf(table)), "text/csv", `${table.id}.csv`)),
    tool("JSON", () => save(asJson(dataOf(table)), "application/json", `${table.id}.json`)),
  );
  about.after(line);
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

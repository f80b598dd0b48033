// Shows one figure of an embedded page: the one that the link names, also with the state of a graph:
// `#cpu&cpu.frame=ExecScan`.

import { decoded, isState, partsOf } from "@perfpress/flamegraph/viewer/fragment.js";
import { nameCells } from "./cell-links.js";

function show() {
  const names = partsOf(location.hash).map(nameOf);
  const figures = [...document.querySelectorAll("figure")];
  const named = figures.find((figure) =>
    names.some((name) => figure.id === name || figure.querySelector(`[id="${CSS.escape(name)}"]`)),
  );
  for (const figure of figures) figure.classList.toggle("shown", figure === named);
  const shown = named ?? figures[0];
  if (shown?.matches(".chart")) drawChart(shown);
}

/**
 * Take the drawing of a chart from the page, which has it; where that fails, show its picture.
 *
 * @param {HTMLElement} figure
 */
async function drawChart(figure) {
  const place = figure.querySelector("noscript");
  const response = place && (await fetch("../").catch(() => null));
  const page = parsed(response?.ok ? await response.text() : "");
  const drawing = page.getElementById(figure.id)?.querySelector("svg");
  const picture = parsed(place?.textContent ?? "").querySelector("svg");
  place?.replaceWith(drawing ?? picture ?? "");
}

/** @param {string} html */
function parsed(html) {
  return new DOMParser().parseFromString(html, "text/html");
}

/**
 * @param {string} part of a fragment: an anchor, or `<name>.<key>=<value>`
 * @returns the name
 */
function nameOf(part) {
  const [key] = part.split("=", 1);
  return decoded(isState(part) ? key.slice(0, key.lastIndexOf(".")) : key);
}

nameCells(document.body);
addEventListener("hashchange", show);
show();

// The rows of the matrix as elements.

import { button, htmlElement, svgElement } from "@perfpress/flamegraph/viewer/elements.js";
import { nameElements } from "@perfpress/flamegraph/viewer/function_name.js";
import { writtenPath } from "@perfpress/profile/model/frame_path.js";
import { grouped, NO_VALUE, signed } from "@perfpress/profile/model/numbers.js";
import { OTHERS } from "./counts.js";

const WIDTH = 60;
const HEIGHT = 16;
/** Steps by which callees are indented; a page has no room for more. */
const DEEPEST = 8;
/** Margin around the sparkline. */
const EDGE = 2;

/**
 * @typedef {object} Shown what a row shows
 * @property {import("./counts.js").FunctionWeights} weights
 * @property {number[]} path functions from the row at the outside to this one
 * @property {(number | null)[]} numbers by release
 * @property {number} change
 */

/**
 * @param {Shown} shown
 * @param {object} context
 * @param {import("./counts.js").Data} context.data
 * @param {string} [context.namespace] that the table says once
 * @param {number} context.decimals
 * @param {boolean} context.open
 * @param {() => void} context.toggle
 * @param {HTMLTableRowElement} [context.published] the page's own row of the function, which is used
 *   again: links lead to it and to its cells
 * @returns {HTMLTableRowElement}
 */
export function rowOf(shown, { data, namespace, decimals, open, toggle, published }) {
  const row = published ?? emptyRow(shown.numbers.length);
  const [name, ...cells] = row.cells;
  const anchor = name.querySelector(".anchor");
  row.dataset.depth = String(Math.min(shown.path.length - 1, DEEPEST));
  name.replaceChildren(...headOf(shown, { data, namespace, open, toggle }));
  if (anchor) name.append(" ", anchor);
  for (const [at, number] of shown.numbers.entries()) {
    const text = number === null || number === 0 ? NO_VALUE : grouped(number, decimals);
    const address = number ? frameAddress(shown, data, at) : "";
    cells[at].replaceChildren(address ? htmlElement("a", { href: address }, text) : text);
  }
  const [change, line] = cells.slice(shown.numbers.length);
  change.textContent = signed(shown.change, decimals);
  line.replaceChildren(sparkline(shown.numbers.map((each) => each ?? 0)));
  return row;
}

/** @param {number} releases */
function emptyRow(releases) {
  const row = htmlElement("tr", {}, htmlElement("th", { scope: "row", class: "name" }));
  for (let at = 0; at <= releases; at += 1) row.insertCell();
  row.insertCell().className = "words";
  return row;
}

/**
 * @param {Shown} shown
 * @param {{ data: import("./counts.js").Data, namespace?: string, open: boolean, toggle: () => void }} context
 */
function headOf({ weights }, { data, namespace, open, toggle }) {
  if (weights.function === OTHERS) return ["smaller callees, together"];
  const expand = button("", toggle);
  expand.setAttribute("aria-expanded", String(open));
  expand.append(...nameElements(data.name[weights.function], namespace));
  return [expand];
}

/**
 * @param {Shown} shown
 * @param {import("./counts.js").Data} data
 * @param {number} release
 */
function frameAddress({ path }, data, release) {
  const { graph } = data.releases[release];
  if (!graph || path.includes(OTHERS)) return "";
  const names = path.map((each, at) => ({
    key: data.key[each],
    family: at === path.length - 1 ? data.class[each] : null,
  }));
  return graph + encodeURIComponent(writtenPath(names).toWellFormed());
}

/** @param {number[]} numbers */
function sparkline(numbers) {
  const top = Math.max(...numbers) || 1;
  const step = (WIDTH - 2 * EDGE) / Math.max(1, numbers.length - 1);
  const points = numbers.map((each, at) => {
    const y = HEIGHT - EDGE - (each / top) * (HEIGHT - 2 * EDGE);
    return `${(EDGE + at * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  const line = svgElement("polyline", { points: points.join(" ") });
  return svgElement("svg", { class: "sparkline", viewBox, "aria-hidden": "true" }, line);
}

// Lets the reader choose the release that a table's ratios are relative to.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { grouped, NO_VALUE } from "@perfpress/profile/model/numbers.js";
import { fetchJson } from "./fetch-json.js";
import { readState, writeState } from "./link-state.js";
import { textOf } from "./table-data.js";
import { CHANGED } from "./table-sort.js";

/**
 * What the ratios are made from: `BaseValues` of pipeline/perfpress/site/shapes/blocks.py.
 *
 * @typedef {object} BaseValues
 * @property {string[]} variants
 * @property {number[][]} near
 * @property {number[]} columns
 * @property {string[]} rows
 * @property {(number | null)[][][]} values by variant, column and row
 */

/** As in `RATIO_DECIMALS` of pipeline/perfpress/site/tables/grid.py. */
const DECIMALS = 2;
const NO_VERDICT =
  "Ratios of medians: this ÷ the chosen release. There are no verdicts on such pairs.";

/**
 * @param {HTMLTableElement} table
 * @param {string} address of its values
 */
export function offerBases(table, address) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])].slice(1);
  const caption = table.closest("figure")?.querySelector("figcaption");
  const line = table.closest("figure")?.querySelector(".table-base");
  if (heads.length < 2 || !line || !caption) return;
  const published = table.dataset.base ?? "";
  const keys = heads.map((head) => head.dataset.column ?? "");
  const labels = heads.map(textOf);
  const title = caption.textContent ?? "";
  /** @type {(() => void) | undefined} */
  let restore;

  const select = htmlElement("select", {}, ...keys.map((key, at) => new Option(labels[at], key)));
  const note = htmlElement("span", { role: "status" });
  line.append(htmlElement("label", {}, "Relative to ", select), " ", note);

  /** @type {Promise<BaseValues> | undefined} */
  let values;

  /** @param {string} key */
  async function show(key) {
    select.value = key;
    const at = keys.indexOf(key);
    if (key === published) {
      restore?.();
      caption?.replaceChildren(title);
      note.textContent = "";
    } else {
      try {
        values ??= fetchJson(address);
        const known = await values;
        if (select.value !== key) return; // The reader has chosen again meanwhile.
        restore ??= keepPublished(table, heads);
        restore();
        relate(table, heads, known, at);
        const label = labels[keys.indexOf(published)] ?? "";
        caption?.replaceChildren(
          title.replace(`relative to ${label}`, () => `relative to ${labels[at]}`),
        );
        note.textContent = NO_VERDICT;
      } catch {
        values = undefined;
        select.value = published;
        note.textContent = "The numbers of the other releases could not be fetched.";
      }
    }
    table.dispatchEvent(new Event(CHANGED));
  }

  const asLinked = () => {
    const key = readState(table.id, "base") || published;
    if (keys.includes(key) && key !== select.value) show(key);
  };
  select.value = published;
  select.addEventListener("change", () => {
    writeState(table.id, "base", select.value === published ? "" : select.value);
    show(select.value);
  });
  window.addEventListener("hashchange", asLinked);
  asLinked();
}

/**
 * Returns what puts the table back as it was published.
 *
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement[]} heads
 */
function keepPublished(table, heads) {
  const cells = [...table.querySelectorAll("td")].map((cell) => ({
    cell,
    nodes: [...cell.childNodes],
    className: cell.className,
    sort: cell.dataset.sort,
  }));
  const units = heads.map((head) => head.querySelector(".unit")?.textContent ?? "");
  return () => {
    for (const { cell, nodes, className, sort } of cells) {
      cell.replaceChildren(...nodes);
      cell.className = className;
      setSort(cell, sort);
    }
    heads.forEach((head, at) => {
      setUnit(head, units[at] ?? "");
    });
  };
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableCellElement[]} heads
 * @param {BaseValues} known
 * @param {number} base the column that all are relative to
 */
function relate(table, heads, known, base) {
  /** @type {(row: number, column: number) => number | null | undefined} */
  const medianOf = (row, column) => known.values[known.columns[column] ?? 0]?.[column]?.[row];
  const sides = heads.map((_, column) =>
    comparableVariant(known, known.columns[column] ?? 0, base),
  );
  heads.forEach((head, column) => {
    const [own = 0, side] = [known.columns[column], sides[column]];
    const name = known.variants[own] ?? "";
    const mixed = side !== undefined && side !== own;
    setUnit(head, mixed ? `${known.variants[side]} → ${name}` : own === 0 ? "" : name);
  });
  for (const body of table.tBodies) {
    for (const row of body.rows) {
      const at = known.rows.indexOf(row.id.slice(table.id.length + 1));
      [...row.cells].slice(1).forEach((cell, column) => {
        const value = medianOf(at, column);
        const side = sides[column];
        const other = side === undefined ? null : known.values[side]?.[base]?.[at];
        if (at < 0 || (!value && cell.dataset.sort === undefined)) return;
        setRatio(cell, value && other ? value / other : null, column === base);
      });
    }
  }
  for (const row of table.tFoot?.rows ?? []) setMeans(table, row);
}

/**
 * Returns the variant by which a base is compared with a number of another one, near first.
 *
 * @param {BaseValues} known
 * @param {number} variant
 * @param {number} base
 */
function comparableVariant(known, variant, base) {
  return known.near[variant]?.find((near) =>
    known.values[near]?.[base]?.some((value) => value !== null),
  );
}

/**
 * @param {HTMLTableElement} table
 * @param {HTMLTableRowElement} foot a row of geometric means: of a group, or of all rows
 */
function setMeans(table, foot) {
  const groups = [...table.tBodies].filter(
    (body) =>
      !foot.dataset.group ||
      body.querySelector(".group")?.textContent?.trim() === foot.dataset.group,
  );
  const rows = groups
    .flatMap((body) => [...body.rows])
    .map((row) => [...row.cells].slice(1).map((cell) => Number(cell.dataset.sort)))
    .filter((ratios) => ratios.length > 0 && ratios.every((ratio) => ratio > 0));
  [...foot.cells].slice(1).forEach((cell, column) => {
    const logs = rows.map((ratios) => Math.log(ratios[column] ?? Number.NaN));
    const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
    setRatio(cell, Number.isFinite(mean) ? mean : null, false);
  });
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {number | null} ratio
 * @param {boolean} isBase
 */
function setRatio(cell, ratio, isBase) {
  const text = ratio === null ? NO_VALUE : isBase ? "base" : grouped(ratio, DECIMALS);
  const link = cell.querySelector("a")?.cloneNode();
  if (link instanceof HTMLAnchorElement) {
    link.hash = "runs";
    link.removeAttribute("aria-label"); // It has the verdict on the published ratio.
    link.textContent = text;
  }
  cell.replaceChildren(link ?? text);
  cell.className = "";
  setSort(cell, ratio === null ? undefined : String(ratio));
}

/**
 * @param {HTMLTableCellElement} cell
 * @param {string | undefined} sort
 */
function setSort(cell, sort) {
  if (sort === undefined) delete cell.dataset.sort;
  else cell.dataset.sort = sort;
}

/**
 * @param {HTMLTableCellElement} head
 * @param {string} text
 */
function setUnit(head, text) {
  let unit = head.querySelector(".unit");
  if (!unit) {
    unit = htmlElement("span", { class: "unit" });
    (head.querySelector("button") ?? head).append(" ", unit);
  }
  unit.textContent = text;
}

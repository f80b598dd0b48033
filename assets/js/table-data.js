// The content of a table as plain data, in the reader's sort order.

/**
 * @typedef {object} ColumnHead
 * @property {string} key
 * @property {string} label
 * @property {string} unit
 *
 * @typedef {object} CellValue
 * @property {string} text as shown, without its mark
 * @property {number | null} number as the column is sorted, with seven digits; null where the cell holds words
 *
 * @typedef {object} TableRow
 * @property {string} group the heading above the row; empty where there is none
 * @property {string} label
 * @property {string} unit
 * @property {CellValue[]} values
 *
 * @typedef {object} TableData
 * @property {string} caption
 * @property {string} rowHead
 * @property {ColumnHead[]} columns
 * @property {TableRow[]} lines
 */

/** What a cell holds besides its value. */
const ASIDES = "[popover], .hidden, .anchor, a + [popovertarget], .mark, .unit";

/** `−1,234.5`, `12.3 %` */
const NUMBER = /^[−-]?[\d,]*\d(\.\d+)?(\s?%)?$/;

/**
 * @param {HTMLTableElement} table
 * @returns {TableData}
 */
export function dataOf(table) {
  const [first, ...heads] = [...(table.tHead?.rows[0]?.cells ?? [])];
  let group = "";
  /** @type {TableRow[]} */
  const lines = [];
  const feet = table.tFoot ? [table.tFoot] : [];
  for (const part of [...table.tBodies, ...feet]) {
    if (part === table.tFoot) group = "";
    for (const row of part.rows) {
      const [label, ...cells] = [...row.cells];
      if (!label) continue;
      if (row.className === "group") {
        group = textOf(label);
      } else {
        lines.push({
          group,
          label: textOf(label),
          unit: unitOf(label),
          values: cells.map(readCell),
        });
      }
    }
  }
  return {
    caption: table.closest("figure")?.querySelector("figcaption")?.textContent?.trim() ?? "",
    rowHead: first ? textOf(first) : "",
    columns: heads.map((head) => ({
      key: head.dataset.column ?? "",
      label: textOf(head),
      unit: unitOf(head),
    })),
    lines,
  };
}

/**
 * @param {Element} figure a waterfall
 * @returns {TableData} a line a bar
 */
export function dataOfWaterfall(figure) {
  return {
    caption: figure.querySelector("figcaption")?.textContent?.trim() ?? "",
    rowHead: "Part",
    columns: [{ key: "change", label: "Change", unit: "" }],
    lines: [...figure.querySelectorAll("li")].map((bar) => ({
      group: "",
      label: textOf(bar.children[0]),
      unit: "",
      values: [{ text: textOf(bar.children[2]), number: null }],
    })),
  };
}

/** @param {Element} element */
export function textOf(element) {
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const aside of copy.querySelectorAll(ASIDES)) aside.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** @param {Element} element */
function unitOf(element) {
  return element.querySelector(".unit")?.textContent?.trim() ?? "";
}

/**
 * A column may be sorted by something else than it shows, such as the width of a range: what it is
 * sorted by is its number only where it rounds to the text.
 *
 * @param {HTMLTableCellElement} cell
 * @returns {CellValue}
 */
function readCell(cell) {
  const text = textOf(cell);
  if (!NUMBER.test(text)) return { text, number: null };
  const shown = Number(text.replace("−", "-").replace(/[,%\s]/g, ""));
  const decimals = text.match(/\.(\d+)/)?.[1]?.length ?? 0;
  const exact = Number(cell.dataset.sort ?? Number.NaN);
  const rounds = Math.abs(exact - shown) <= 0.500001 * 10 ** -decimals;
  return { text, number: rounds ? exact : shown };
}

// Lets the reader sort a table by any of its columns.

/** With fewer rows there is nothing to sort. */
const MIN_ROWS = 3;

const collator = new Intl.Collator("en", { numeric: true });

/**
 * What a press on a column's head leads to, from what stands there now.
 *
 * @type {Record<string, string>}
 */
const NEXT_ORDER = { none: "descending", descending: "ascending", ascending: "none" };

/**
 * Turns the heads of the table's columns into buttons.
 *
 * @param {HTMLTableElement} table
 */
export function makeSortable(table) {
  const body = table.tBodies[0];
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  if (!body || body.rows.length < MIN_ROWS) return;

  const published = [...body.rows];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);

    button.addEventListener("click", () => {
      const order = NEXT_ORDER[head.ariaSort ?? "none"];
      for (const other of heads) other.removeAttribute("aria-sort");
      if (order !== "none") head.setAttribute("aria-sort", order);
      body.append(...sorted(published, column, order));
    });
  });
}

/**
 * Returns the rows in another order; those without a value come last in either direction.
 *
 * @param {HTMLTableRowElement[]} rows As published.
 * @param {number} column
 * @param {string} order "ascending", "descending" or "none".
 */
function sorted(rows, column, order) {
  if (order === "none") return rows;
  const sign = order === "ascending" ? 1 : -1;
  const byNumber = rows.some((row) => row.cells[column]?.dataset.sort !== undefined);
  return [...rows].sort((a, b) => {
    if (!byNumber) return sign * collator.compare(textOf(a, column), textOf(b, column));
    const [left, right] = [numberOf(a, column), numberOf(b, column)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return sign * (left - right);
  });
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function textOf(row, column) {
  return row.cells[column]?.textContent?.trim() ?? "";
}

/**
 * @param {HTMLTableRowElement} row
 * @param {number} column
 */
function numberOf(row, column) {
  const value = row.cells[column]?.dataset.sort;
  return value === undefined ? null : Number(value);
}

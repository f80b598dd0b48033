/** Columns: typed arrays that grow, and the text of files that are made of columns. */

/**
 * Write columns as JSON, a line a column, so that two files can be compared.
 *
 * @param {object} columns
 */
export function formatColumns(columns) {
  const lines = Object.entries(columns).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${lines.join(",\n")}\n}\n`;
}

/**
 * Return a column that has room for so many items: itself, or a longer one with the same items.
 *
 * @template {Uint8Array | Int32Array | Float64Array} T
 * @param {T} column
 * @param {number} size
 * @returns {T}
 */
export function withRoom(column, size) {
  if (size <= column.length) return column;
  const Column = /** @type {new (length: number) => T} */ (column.constructor);
  const longer = new Column(Math.max(size, column.length * 2));
  longer.set(column);
  return longer;
}

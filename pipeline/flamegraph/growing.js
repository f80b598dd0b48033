/** Columns that grow: typed arrays, a quarter of the memory of an array of numbers that may be any. */

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

/** The text of profile and diff files. */

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

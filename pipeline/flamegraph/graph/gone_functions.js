/** The functions that only the base of a diff has, as a ranked list. */

import { functionPath } from "../../profile/model/frame_path.js";
import { rowName } from "../../profile/model/shown_names.js";
import { diffGraph } from "./diff_graph.js";
import { diffFunctions, sortedFunctions } from "./function_table.js";

/**
 * @param {import("../../profile/diff/diff.js").Diff} given
 * @param {number} rows at most so many
 * @returns {import("../../messages.js").GoneFunctions} the largest self weight first
 */
export function goneFunctions(given, rows) {
  const diff = { ...given, basis: /** @type {const} */ ("share") };
  const table = diffFunctions(diff, diffGraph(diff));
  /** @param {string} key @returns {Float64Array} shares in percent; NaN where a side has no such function */
  const shares = (key) =>
    table.columns.find((column) => column.key === key)?.values ?? new Float64Array();
  const [self, total, after] = ["self-base", "total-base", "total-after"].map(shares);
  const gone = [...after.keys()].filter((index) => Number.isNaN(after[index]) && total[index] > 0);
  const largest = sortedFunctions(table, "self-base", false, gone);
  return {
    functions: gone.length,
    self_percent: gone.reduce((sum, index) => sum + self[index], 0),
    rows: largest.slice(0, rows).map((index) => ({
      id: table.ids[index],
      name: rowName(table.names[index]),
      path: functionPath(table.ids[index]),
      self_percent: self[index],
      total_percent: total[index],
    })),
  };
}

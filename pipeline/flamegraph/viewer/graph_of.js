import { diffGraph } from "../diff_graph.js";
import { profileGraph } from "../profile_graph.js";

/**
 * Return the graph of a profile file, a diff file, or an excerpt of either.
 *
 * @param {import("../profile_graph.js").DrawnProfile | import("../diff_graph.js").DrawnDiff} data
 * @returns {import("../graph.js").Graph}
 */
export function graphOf(data) {
  return data.format === "perfpress-diff" ? diffGraph(data) : profileGraph(data);
}

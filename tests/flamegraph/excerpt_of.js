/** What a file carries for its viewer. */

import { decompressed } from "../../pipeline/flamegraph/graph/compressed.js";

/**
 * @param {string} svg of a file
 * @returns {any} the columns
 */
export function excerptOf(svg) {
  const json = /class="data">(.*?)<\/script>/s.exec(svg)?.[1] ?? "";
  return decompressed(JSON.parse(json));
}

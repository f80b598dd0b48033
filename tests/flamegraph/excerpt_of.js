/** What the pictures of pages carry for the viewer. */

import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { decompressed } from "../../pipeline/flamegraph/graph/compressed.js";

/**
 * @param {string} svg
 * @returns {any} the columns
 */
export function excerptOf(svg) {
  const packed = /data-graph="([^"]*)"/.exec(svg)?.[1] ?? "";
  return decompressed(JSON.parse(inflateSync(Buffer.from(packed, "base64")).toString()));
}

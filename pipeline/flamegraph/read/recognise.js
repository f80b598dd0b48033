/** Tells what a file is without reading all of it. */

import { Buffer } from "node:buffer";
import { readUnpacked } from "./compression.js";
import { formatOf } from "./formats.js";

/** Thrown to read no further. */
class Decided extends Error {}

/**
 * Return the name of the format that a file begins like, or null where no reader takes it.
 *
 * @param {string} path plain or compressed
 */
export async function recogniseFile(path) {
  let head = Buffer.alloc(0);
  /** @type {ReturnType<typeof formatOf>} */
  let format = "more";
  try {
    await readUnpacked(path, (chunk) => {
      head = Buffer.concat([head, chunk]);
      format = formatOf(head, false);
      if (format !== "more") throw new Decided();
    });
  } catch (error) {
    if (!(error instanceof Decided)) throw error;
  }
  if (format === "more") format = formatOf(head, true);
  return format === null || format === "more" ? null : format.FORMAT;
}

/** Tells what a file is without reading all of it. */

import { readUnpacked } from "./compression.js";
import { CaptureHead } from "./head.js";
import { Utf8Stream } from "./text_encoding.js";

/** Thrown to read no further. */
class Decided extends Error {}

/**
 * Return the name of the format that a file begins like, or null where no reader takes it.
 *
 * @param {string} path plain or compressed
 */
export async function recogniseFile(path) {
  const text = new Utf8Stream();
  const head = new CaptureHead();
  /** @type {import("./head.js").Answer} */
  let format = "more";
  try {
    await readUnpacked(path, (chunk) => {
      format = head.push(text.push(chunk));
      if (format !== "more") throw new Decided();
    });
  } catch (error) {
    if (!(error instanceof Decided)) throw error;
  }
  if (format === "more") {
    head.push(text.finish());
    format = head.finish();
  }
  return format === null || format === "more" ? null : format.FORMAT;
}

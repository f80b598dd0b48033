/** The beginning of a capture, held until it tells the format. */

import { Buffer } from "node:buffer";
import { formatOf } from "./formats.js";
import { withoutLongEnd } from "./lines.js";

/** @typedef {import("./formats.js").Format | "more" | null} Answer null where no reader takes it */

export class CaptureHead {
  /** @type {Buffer} what a reader has to begin with */
  bytes = Buffer.alloc(0);

  /**
   * @param {Uint8Array} chunk
   * @returns {Answer}
   */
  push(chunk) {
    const bytes = Buffer.concat([this.bytes, chunk]);
    this.bytes = hasLines(bytes) ? withoutLongEnd(bytes) : bytes;
    return formatOf(this.bytes, false);
  }

  /**
   * Tell the format of a capture that has ended.
   *
   * @returns {Answer}
   */
  finish() {
    return formatOf(this.bytes, true);
  }
}

/**
 * Whether a format may be in it that is read by its lines; JSON and drawings may be all one line.
 *
 * @param {Buffer} head
 */
function hasLines(head) {
  return !/^\s*[{<]/.test(head.toString("latin1", 0, 64)) && !head.subarray(0, 64).includes(0);
}

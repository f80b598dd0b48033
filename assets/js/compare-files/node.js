// What readers of captures import of Node for files and processes. In a browser none of it is called: a
// capture comes as a stream. Names alone are there, so that the same modules can be bundled.

import { Buffer } from "buffer/";
import * as htmlparser2 from "htmlparser2";
import { READERS } from "./readers.js";

export { Buffer };

/** @param {Uint8Array} bytes */
export function isUtf8(bytes) {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Readers are loaded when they are asked for; here they are part of the bundle. */
export function createRequire() {
  /** @param {string} name `./perf_script/reader.js` */
  return (name) => (name === "htmlparser2" ? htmlparser2 : READERS[name]);
}

const missing = undefined;
const process = { env: {}, platform: "browser" };

export const constants = {};
export {
  missing as createGunzip,
  missing as createHash,
  missing as createReadStream,
  missing as createWriteStream,
  missing as createZstdDecompress,
  missing as isatty,
  missing as join,
  missing as mkdtemp,
  missing as open,
  missing as parentPort,
  missing as pipeline,
  missing as Readable,
  missing as readFileSync,
  missing as readSync,
  missing as resolve,
  missing as rm,
  missing as spawn,
  missing as stat,
  missing as statSync,
  missing as tmpdir,
  missing as Worker,
  missing as workerData,
  process as default,
};

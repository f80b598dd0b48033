/** Reads a file plain, or out of gzip, zstd or xz, whichever its first bytes tell. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { CHUNK_SIZE } from "./lines.js";

/** Node's own 16 KiB take four times as long. */
const CHUNKS = { chunkSize: 2 ** 20 };

/** The first bytes of a compressed file, and what unpacks it. */
const COMPRESSIONS = [
  { magic: [0x1f, 0x8b], unpack: unpackGzip },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], unpack: unpackZstd },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], unpack: unpackXz },
];

/** So many bytes tell how a file is packed, and whether it is one of perf's recordings. */
export const LONGEST_MAGIC = 8;

/** Thrown where a file is to be read several times, or by nobody who could wait for a writer. */
export class NotAFile extends Error {}

/** @typedef {(chunk: Uint8Array) => void} Take called in order; a chunk is good until it returns */

/**
 * Read a file in chunks, in bounded memory.
 *
 * @param {string} path
 * @param {Take} take
 * @returns {Promise<string | null>} what stopped unpacking before the end of the file, where
 *   something did: what was taken before is whole; rejects where the file cannot be read
 */
export async function readUnpacked(path, take) {
  const compression = await compressionOf(path);
  if (compression) return compression.unpack(path, take);
  await readPart(path, 0, Number.POSITIVE_INFINITY, take);
  return null;
}

/** @param {string} path */
export async function isPacked(path) {
  return (await compressionOf(path)) !== undefined;
}

/** @param {string} path */
async function compressionOf(path) {
  return packingOf(await firstBytes(path));
}

/**
 * Return how something is packed, by its first bytes; undefined where it is not.
 *
 * @param {Uint8Array} bytes
 */
export function packingOf(bytes) {
  return COMPRESSIONS.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte));
}

/**
 * Open a file, and nothing else: whoever opens a pipe waits until somebody writes to it.
 *
 * @param {string} path
 * @throws {NotAFile}
 */
async function openFile(path) {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile() || found.isDirectory()) return file; // a directory refuses to be read
  await file.close();
  throw new NotAFile(path);
}

/**
 * Read a part of a file as it lies there. A chunk is read while the one before is taken; two buffers
 * are all it needs.
 *
 * @param {string} path
 * @param {number} start
 * @param {number} end or where the file ends, if that is before
 * @param {Take} take
 */
export async function readPart(path, start, end, take) {
  const file = await openFile(path);
  try {
    let at = start;
    let [filling, other] = [CHUNK_SIZE, CHUNK_SIZE].map(Buffer.allocUnsafeSlow);
    const read = () =>
      file.read(filling, 0, Math.min(CHUNK_SIZE, end - at), start === 0 ? null : at);
    let reading = read();
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      const filled = filling.subarray(0, bytesRead);
      at += bytesRead;
      [filling, other] = [other, filling];
      reading = read();
      take(filled);
    }
  } finally {
    await file.close();
  }
}

/** Thrown by what has taken enough. */
const ENOUGH = new Error("enough");

/**
 * Return the beginning of a file, unpacked.
 *
 * @param {string} path
 * @param {number} length how much of it, where it has as much
 */
export async function beginningOf(path, length) {
  let beginning = Buffer.alloc(0);
  try {
    await readUnpacked(path, (chunk) => {
      beginning = Buffer.concat([beginning, chunk]).subarray(0, length);
      if (beginning.length === length) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return beginning;
}

/**
 * Hash a file as it lies there, in hexadecimal digits.
 *
 * @param {string} path
 */
export async function sha256Of(path) {
  const hash = createHash("sha256");
  await pipeline(fileFrom(path, 0), hash);
  return hash.digest("hex");
}

/**
 * Return the first LONGEST_MAGIC bytes of a file, or all of a shorter one.
 *
 * @param {string} path
 */
export async function firstBytes(path) {
  const file = await openFile(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_MAGIC), 0, LONGEST_MAGIC, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * @param {string} path
 * @param {number} start
 */
function fileFrom(path, start) {
  return createReadStream(path, { start, highWaterMark: CHUNK_SIZE });
}

/**
 * Give a stream's chunks away as they come, each a turn later: by then Node has a thread of its own
 * unpack the next. (An iterator would lose those that stand before an error.)
 *
 * @param {Readable} stream
 * @param {Take} take
 * @returns {Promise<void>}
 */
function pour(stream, take) {
  return new Promise((resolve, reject) => {
    /** @param {() => void} act */
    const later = (act) =>
      setImmediate(() => {
        try {
          act();
        } catch (error) {
          reject(error);
          stream.destroy();
        }
      });
    stream.on("data", (chunk) => later(() => take(chunk)));
    stream.on("end", () => later(resolve)).on("error", (error) => later(() => reject(error)));
  });
}

/**
 * @param {Readable} source
 * @param {import("node:zlib").Gunzip | import("node:zlib").ZstdDecompress} unpacker
 * @param {Take} take
 * @returns {Promise<string | null>}
 */
async function pourThrough(source, unpacker, take) {
  source.on("error", (error) => unpacker.destroy(error)).pipe(unpacker);
  try {
    await pour(unpacker, take);
    return null;
  } catch (error) {
    return damageIn(error);
  } finally {
    source.destroy();
  }
}

/**
 * Return the words of an unpacker's error; any other error is not the file's damage and is thrown
 * on.
 *
 * @param {unknown} error
 */
function damageIn(error) {
  const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === "Z_BUF_ERROR") return "the file ends too early";
  if (code.startsWith("Z_") || code.startsWith("ZSTD_")) return `damaged: ${message}`;
  throw error;
}

/**
 * @param {string} path
 * @param {Take} take
 */
function unpackGzip(path, take) {
  return pourThrough(fileFrom(path, 0), createGunzip(CHUNKS), take);
}

/**
 * Unpack all of a zstd file: it may hold frame after frame, as `pzstd` and `cat` make them; Node
 * stops behind the first.
 *
 * @param {string} path
 * @param {Take} take
 */
async function unpackZstd(path, take) {
  for (let start = 0; ; ) {
    const unpacker = createZstdDecompress(CHUNKS);
    const damage = await pourThrough(fileFrom(path, start), unpacker, take);
    if (damage || unpacker.bytesWritten === 0) return damage;
    start += unpacker.bytesWritten;
    if ((await stat(path)).size <= start) return null;
  }
}

/**
 * @param {string} path
 * @param {Take} take
 */
async function unpackXz(path, take) {
  const source = fileFrom(path, 0);
  const packed = /** @type {ReadableStream<Uint8Array>} */ (Readable.toWeb(source));
  const { default: xz } = await import("xz-decompress"); // few captures need it
  const unpacked = new xz.XzReadableStream(packed);
  try {
    for await (const chunk of unpacked) take(chunk);
    return null;
  } catch (error) {
    // "get_next_output failed with error code 8": all that the unpacker says of any damage
    if (error instanceof Error && /error code \d+$/.test(error.message))
      return "damaged or too short";
    throw error;
  } finally {
    source.destroy();
  }
}

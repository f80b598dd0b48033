/**
 * Decompress gzip, zstd and xz. Of a damaged file, what was decompressed before the error counts; up to
 * 64 KiB of compressed data before the damage are lost.
 */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGunzip, createZstdDecompress } from "node:zlib";

/** Node's own 16 KiB take four times as long; a MiB is out of the cache before it is read. */
const CHUNKS = { chunkSize: 2 ** 18 };

/**
 * Frames of a zstd file, of any size, and more for each kB. Starting one costs Node up to
 * 1 ms, and an empty one has 9 bytes; those of pzstd have megabytes.
 */
const MOST_FRAMES = 2000;
const FRAMES_PER_KB = 1;

/**
 * @typedef {import("./compression.js").Take} Take
 * @typedef {import("./compression.js").Damage} Damage
 */

const TOO_SHORT = "the file ends too early";

/**
 * @param {string} path
 * @param {Take} take
 */
export function decompressGzip(path, take) {
  return pour(createReadStream(path), createGunzip(CHUNKS), take);
}

/**
 * Decompress all frames of a zstd file: `pzstd` and `cat` write several, and Node stops after the first.
 *
 * @param {string} path
 * @param {Take} take
 */
export async function decompressZstd(path, take) {
  const { size } = await stat(path);
  const most = Math.floor(MOST_FRAMES + FRAMES_PER_KB * (size / 1000));
  for (let start = 0, frames = 1; ; frames++) {
    if (frames > most) return `more than ${most} zstd frames: compress it as one frame`;
    const decompressor = createZstdDecompress(CHUNKS);
    const damage = await pour(createReadStream(path, { start }), decompressor, take);
    start += decompressor.bytesWritten;
    if (damage || decompressor.bytesWritten === 0 || start >= size) return damage;
  }
}

/**
 * @param {string} path
 * @param {Take} take
 * @returns {Promise<Damage | null>}
 */
export async function decompressXz(path, take) {
  const { default: xz } = await import("xz-decompress"); // few captures need it
  const compressed = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (
    Readable.toWeb(createReadStream(path))
  );
  try {
    for await (const chunk of new xz.XzReadableStream(compressed)) take(chunk);
    return null;
  } catch (error) {
    return xzDamageIn(error);
  }
}

/**
 * Take a decompressor's chunks as they come, each a turn later: by then a thread of Node decompresses
 * the next. (An async iterator would drop the chunks before an error.)
 *
 * @param {Readable} source
 * @param {import("node:zlib").Gunzip | import("node:zlib").ZstdDecompress} decompressor
 * @param {Take} take
 * @returns {Promise<Damage | null>}
 */
async function pour(source, decompressor, take) {
  try {
    await new Promise((resolve, reject) => {
      /** @param {() => void} act */
      const later = (act) =>
        setImmediate(() => {
          try {
            act();
          } catch (error) {
            reject(error);
          }
        });
      decompressor.on("data", (chunk) => later(() => take(chunk)));
      decompressor.on("end", () => later(() => resolve(null)));
      for (const stream of [source, decompressor]) {
        stream.on("error", (error) => later(() => reject(error)));
      }
      source.pipe(decompressor);
    });
    return null;
  } catch (error) {
    return damageIn(error);
  } finally {
    source.destroy();
    decompressor.destroy();
  }
}

/**
 * Return the damage that a decompressor's error reports; rethrow any other error.
 *
 * @param {unknown} error
 * @returns {Damage}
 */
function damageIn(error) {
  const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === "Z_BUF_ERROR") return TOO_SHORT;
  if (code.startsWith("Z_") || code.startsWith("ZSTD_")) return `damaged: ${message}`;
  throw error;
}

/**
 * Return the damage that the xz decompressor's error reports: `get_next_output failed with error code 7`.
 * The codes are those of XZ Embedded (enum xz_ret of its xz.h).
 *
 * @param {unknown} error
 * @returns {Damage}
 */
function xzDamageIn(error) {
  const code = error instanceof Error ? /error code (\d)$/.exec(error.message)?.[1] : undefined;
  if (code === undefined) throw error;
  if (code === "8") return TOO_SHORT;
  const needsMore = code === "3" || code === "4";
  return needsMore ? "decompressing it takes too much memory" : "damaged";
}

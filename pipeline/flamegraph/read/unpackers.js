/**
 * Unpack gzip, zstd and xz, as much as there is of it.
 *
 * An unpacker that meets damage throws away what it made of the bytes it was given last. Therefore
 * they are given to it once more in smaller pieces, at last one by one: then nothing is lost that
 * stands before the damage.
 */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { CHUNK_SIZE } from "./lines.js";

/** How many bytes an unpacker is given at once. */
const PIECES = [CHUNK_SIZE, 2 ** 9, 1];

/** Node's own 16 KiB take four times as long; a MiB is out of the cache before it is read. */
const CHUNKS = { chunkSize: 2 ** 18 };

/**
 * What is wrong with a packed file: it is `cut` off or unreadable behind what was taken; all of it
 * was taken, but some of it may be `wrong`; or something stands `behind` it, which is not its own.
 *
 * @typedef {object} Damage
 * @property {"cut" | "wrong" | "behind"} kind
 * @property {string} found in words
 *
 * @typedef {import("./compression.js").Take} Take
 *
 * @typedef {object} Unpacked
 * @property {Damage | null} damage
 * @property {number} read bytes of the packed file that were unpacked
 *
 * @callback Unpack
 * @param {AsyncIterable<Uint8Array<ArrayBuffer>>} pieces
 * @param {Take} take
 * @returns {Promise<Unpacked>}
 */

/** @type {Damage} */
const TOO_SHORT = { kind: "cut", found: "the file ends too early" };

/** @type {Damage} */
const BEHIND = { kind: "behind", found: "something else behind the end of what was packed" };

/**
 * @param {string} path
 * @param {Take} take
 */
export async function unpackGzip(path, take) {
  const { damage } = await unpackAll(path, 0, take, (pieces, takeNew) =>
    pourThrough(pieces, createGunzip(CHUNKS), takeNew),
  );
  return damage;
}

/**
 * Unpack all of a zstd file: it may hold frame after frame, as `pzstd` and `cat` make them; Node
 * stops behind the first.
 *
 * @param {string} path
 * @param {Take} take
 */
export async function unpackZstd(path, take) {
  for (let start = 0; ; ) {
    const { damage, read } = await unpackAll(path, start, take, (pieces, takeNew) =>
      pourThrough(pieces, createZstdDecompress(CHUNKS), takeNew),
    );
    if (damage) return start > 0 && read === 0 && damage !== TOO_SHORT ? BEHIND : damage;
    start += read;
    if (read === 0 || (await stat(path)).size <= start) return null;
  }
}

/**
 * @param {string} path
 * @param {Take} take
 */
export async function unpackXz(path, take) {
  const { default: xz } = await import("xz-decompress"); // few captures need it
  const { damage } = await unpackAll(path, 0, take, async (pieces, takeNew) => {
    const packed = new CountedStream(pieces);
    try {
      for await (const chunk of new xz.XzReadableStream(packed.stream)) takeNew(chunk);
      return { damage: null, read: packed.read };
    } catch (error) {
      return { damage: xzDamageIn(error), read: packed.read };
    }
  });
  return damage;
}

/**
 * Unpack a file from a place on.
 *
 * @param {string} path
 * @param {number} start
 * @param {Take} take
 * @param {Unpack} unpack
 * @returns {Promise<Unpacked>}
 */
async function unpackAll(path, start, take, unpack) {
  let taken = 0;
  let good = start;
  /** @type {Unpacked} */
  let unpacked = { damage: null, read: 0 };
  for (const size of PIECES) {
    let seen = 0;
    unpacked = await unpack(piecesOf(path, start, good, size), (chunk) => {
      const known = Math.max(taken - seen, 0);
      seen += chunk.length;
      taken = Math.max(taken, seen);
      if (known < chunk.length) take(chunk.subarray(known));
    });
    if (!unpacked.damage || unpacked.damage === TOO_SHORT) break; // it loses nothing
    good = start + unpacked.read;
  }
  return unpacked;
}

/**
 * Read a file in pieces, large ones up to a place and of a given size behind it.
 *
 * @param {string} path
 * @param {number} start
 * @param {number} good
 * @param {number} size
 * @returns {AsyncGenerator<Uint8Array<ArrayBuffer>, void>}
 */
async function* piecesOf(path, start, good, size) {
  let at = start;
  for await (const chunk of createReadStream(path, { start, highWaterMark: CHUNK_SIZE })) {
    const large = Math.min(Math.max(good - at, 0), chunk.length);
    if (large > 0) yield chunk.subarray(0, large);
    for (let from = large; from < chunk.length; from += size) {
      yield chunk.subarray(from, from + size);
    }
    at += chunk.length;
  }
}

/**
 * @param {AsyncIterable<Uint8Array>} pieces
 * @param {import("node:zlib").Gunzip | import("node:zlib").ZstdDecompress} unpacker
 * @param {Take} take
 * @returns {Promise<Unpacked>}
 */
async function pourThrough(pieces, unpacker, take) {
  feed(pieces, unpacker).catch((error) => unpacker.destroy(error));
  try {
    await pour(unpacker, take);
    return { damage: null, read: unpacker.bytesWritten };
  } catch (error) {
    return { damage: damageIn(error), read: unpacker.bytesWritten };
  } finally {
    unpacker.destroy();
  }
}

/**
 * Write pieces to an unpacker, each when the one before is unpacked, and stop when it is closed: it
 * is so at damage, and behind its own end. The end comes alone, because what ends too early is lost
 * with it.
 *
 * @param {AsyncIterable<Uint8Array>} pieces
 * @param {import("node:stream").Writable} unpacker
 */
async function feed(pieces, unpacker) {
  let next = () => {};
  unpacker.on("close", () => next());
  for await (const piece of pieces) {
    await new Promise((resolve) => {
      next = () => resolve(null);
      unpacker.write(piece, next);
    });
    if (unpacker.destroyed) return;
  }
  unpacker.end();
}

/**
 * Give a stream's chunks away as they come, each a turn later: by then Node has a thread of its own
 * unpack the next. (An iterator would lose those that stand before an error.)
 *
 * @param {import("node:stream").Readable} stream
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
 * Return what an unpacker's error says of the file; any other error is not the file's damage and is
 * thrown on.
 *
 * @param {unknown} error
 * @returns {Damage}
 */
function damageIn(error) {
  const { code = "", message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === "Z_BUF_ERROR") return TOO_SHORT;
  if (message === "incorrect header check") return BEHIND; // the first one began as it should
  if (/^incorrect (data|length) check$/.test(message) || code === "ZSTD_error_checksum_wrong") {
    return { kind: "wrong", found: `damaged: ${message}` };
  }
  if (code.startsWith("Z_") || code.startsWith("ZSTD_")) {
    return { kind: "cut", found: `damaged: ${message}` };
  }
  throw error;
}

/**
 * Return what the xz unpacker's error says of the file: `get_next_output failed with error code 7`.
 * The codes are those of XZ Embedded (enum xz_ret of its xz.h).
 *
 * @param {unknown} error
 * @returns {Damage}
 */
function xzDamageIn(error) {
  const code = error instanceof Error ? /error code (\d)$/.exec(error.message)?.[1] : undefined;
  if (code === undefined) throw error;
  if (code === "8") return TOO_SHORT;
  if (code === "5") return BEHIND; // no magic bytes; the first ones were right
  const needsMore = code === "3" || code === "4";
  return { kind: "cut", found: needsMore ? "it takes too much memory to unpack" : "damaged" };
}

/** Hands pieces to who asks for them, and knows which he has unpacked when he asks for the next. */
class CountedStream {
  /** How many bytes stand before the last piece. */
  read = 0;
  stream;
  #last = 0;

  /** @param {AsyncIterable<Uint8Array<ArrayBuffer>>} pieces */
  constructor(pieces) {
    const iterator = pieces[Symbol.asyncIterator]();
    this.stream = new ReadableStream(
      {
        pull: async (controller) => {
          const { done, value } = await iterator.next();
          this.read += this.#last;
          this.#last = value?.length ?? 0;
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: async () => {
          await iterator.return?.();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

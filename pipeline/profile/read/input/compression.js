/** Reads a file plain, or out of gzip, zstd or xz, as its first bytes say. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, createReadStream, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { decompressGzip, decompressXz, decompressZstd } from "./decompressors.js";
import { CHUNK_SIZE } from "./lines.js";

/** The first bytes of a compressed file, and what decompresses it. */
const COMPRESSIONS = [
  { magic: [0x1f, 0x8b], decompress: decompressGzip },
  { magic: [0x28, 0xb5, 0x2f, 0xfd], decompress: decompressZstd },
  { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], decompress: decompressXz },
];

/** Bytes by which compressed files and perf.data files are recognised. */
export const LONGEST_MAGIC = 8;

/**
 * Thrown where a regular file is needed: one that can be read several times and does not wait for a
 * writer. The message says what was there instead.
 */
export class NotAFile extends Error {}

/**
 * @typedef {(chunk: Uint8Array) => void} Take called in order; a chunk is good until it returns
 *
 * @typedef {string} Damage what is wrong with a file of which only a part could be read
 */

/**
 * Read a file in chunks, in bounded memory.
 *
 * @param {string} path
 * @param {Take} take
 * @returns {Promise<Damage | null>} what is wrong with a compressed file, of which `take` got what was
 *   decompressed before the damage; rejects where the file cannot be read
 */
export async function readDecompressed(path, take) {
  const compression = await compressionOfFile(path);
  if (compression) return compression.decompress(path, take);
  await readPlain(path, take);
  return null;
}

/** @param {string} path */
export async function isCompressed(path) {
  return (await compressionOfFile(path)) !== undefined;
}

/** @param {string} path */
async function compressionOfFile(path) {
  return compressionOf(await firstBytes(path));
}

/**
 * Return how something is compressed, by its first bytes; undefined where it is not.
 *
 * @param {Uint8Array} bytes
 */
export function compressionOf(bytes) {
  return COMPRESSIONS.find(({ magic }) => magic.every((byte, at) => bytes[at] === byte));
}

/**
 * Open a regular file: opening a pipe would wait until something writes to it.
 *
 * @param {string} path
 * @throws {NotAFile}
 */
async function openFile(path) {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await file.stat();
  if (found.isFile() || found.isDirectory()) return file; // a directory refuses to be read
  await file.close();
  throw new NotAFile("a pipe or a device");
}

/**
 * Read a plain file: the next chunk is read while one is processed, in two buffers.
 *
 * @param {string} path
 * @param {Take} take
 */
async function readPlain(path, take) {
  const file = await openFile(path);
  try {
    let [filling, other] = [CHUNK_SIZE, CHUNK_SIZE].map(Buffer.allocUnsafeSlow);
    const read = () => file.read(filling, 0, CHUNK_SIZE, null);
    let reading = read();
    for (;;) {
      const { bytesRead } = await reading;
      if (bytesRead === 0) return;
      const filled = filling.subarray(0, bytesRead);
      [filling, other] = [other, filling];
      reading = read();
      take(filled);
    }
  } finally {
    await file.close();
  }
}

/**
 * Read a part of a plain file, one chunk after the other. Where all CPUs are busy, reading ahead gains
 * nothing, and this way the chunk is in the cache of the thread that uses it.
 *
 * @param {string} path
 * @param {number} start
 * @param {number} end or where the file ends, if that is before
 * @param {Take} take
 */
export async function readPart(path, start, end, take) {
  const file = await openFile(path);
  try {
    const chunk = Buffer.allocUnsafeSlow(CHUNK_SIZE);
    for (let at = start; at < end; ) {
      const length = readSync(file.fd, chunk, 0, Math.min(CHUNK_SIZE, end - at), at);
      if (length === 0) return;
      take(chunk.subarray(0, length));
      at += length;
    }
  } finally {
    await file.close();
  }
}

/** Thrown to stop reading. */
const ENOUGH = new Error("enough");

/**
 * Return the beginning of a file, decompressed.
 *
 * @param {string} path
 * @param {number} length how much of it, where it has as much
 */
export async function beginningOf(path, length) {
  let beginning = Buffer.alloc(0);
  try {
    await readDecompressed(path, (chunk) => {
      beginning = Buffer.concat([beginning, chunk]).subarray(0, length);
      if (beginning.length === length) throw ENOUGH;
    });
  } catch (error) {
    if (error !== ENOUGH) throw error;
  }
  return beginning;
}

/**
 * Hash a file as stored, in hexadecimal digits.
 *
 * @param {string} path
 */
export async function sha256Of(path) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: CHUNK_SIZE }), hash);
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

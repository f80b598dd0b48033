/** Reads streams that can be read only once: stdin, a FIFO, the `<(…)` of a shell. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { isatty } from "node:tty";
import { compressionOf, LONGEST_MAGIC, NotAFile, readDecompressed } from "./compression.js";
import { CHUNK_SIZE } from "./lines.js";
import { isRecording } from "./perf_data.js";

/** @typedef {import("./compression.js").Take} Take */

const STDIN = ["-", "/dev/stdin"];

/**
 * Return the name to show of a file.
 *
 * @param {string} path
 */
export function shownName(path) {
  return STDIN.includes(path) ? "stdin" : path;
}

/**
 * Return the pipe at a path, `-` being stdin; null where there is a file or a directory. Nothing is
 * opened before it is read.
 *
 * @param {string} path
 * @throws {NotAFile} where there is a device: /dev/zero never ends
 */
export async function pipeAt(path) {
  if (STDIN.includes(path)) return new Pipe(process.stdin);
  const found = await stat(path);
  if (found.isFile() || found.isDirectory()) return null;
  if (!found.isFIFO() && !found.isSocket() && !(await isTerminal(path))) {
    throw new NotAFile("a device");
  }
  return new Pipe(createReadStream(path, { highWaterMark: CHUNK_SIZE }));
}

/** @param {string} path */
async function isTerminal(path) {
  const file = await open(path);
  try {
    return isatty(file.fd);
  } finally {
    await file.close();
  }
}

/**
 * Read a file or a pipe in chunks, in bounded memory.
 *
 * @param {string} path
 * @param {Take} take
 * @returns {Promise<import("./compression.js").Damage | null>} as readDecompressed()
 */
export async function readFileOrPipe(path, take) {
  const pipe = await pipeAt(path);
  if (!pipe) return readDecompressed(path, take);
  if (await pipe.isText()) return pipe.read(take);
  return pipe.asFile((spooled) => readDecompressed(spooled, take));
}

export class Pipe {
  #chunks;
  /** What was read to look at it, and is still to be passed on. */
  #start = Buffer.alloc(0);
  #hash = createHash("sha256");

  /** @param {NodeJS.ReadableStream} stream */
  constructor(stream) {
    this.#chunks = /** @type {AsyncIterator<Buffer>} */ (stream[Symbol.asyncIterator]());
  }

  /**
   * Return whether it can be read as it comes. Compressed data, recordings of perf and JSON are read more
   * than once: they need a file.
   */
  async isText() {
    while (this.#start.length < LONGEST_MAGIC || this.#start.toString("latin1").trim() === "") {
      const { done, value } = await this.#chunks.next();
      if (done) break;
      this.#start = Buffer.concat([this.#start, value]);
      if (this.#start.length > CHUNK_SIZE) break;
    }
    const isCompressed = compressionOf(this.#start) !== undefined;
    return (
      !isCompressed && !isRecording(this.#start) && !/^\s*\{/.test(this.#start.toString("latin1"))
    );
  }

  /**
   * Read it to its end.
   *
   * @param {Take} take
   * @returns {Promise<null>}
   */
  async read(take) {
    for await (const chunk of this.#all()) take(chunk);
    return null;
  }

  /**
   * Copy it to a temporary file that no other user can read.
   *
   * @template T
   * @param {(path: string) => Promise<T>} use
   */
  async asFile(use) {
    const directory = await mkdtemp(join(tmpdir(), "perfpress-"));
    try {
      const path = join(directory, "pipe");
      await pipeline(this.#all(), createWriteStream(path));
      return await use(path);
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  /** Return the checksum of all that was read, in hexadecimal digits; call it once, at the end. */
  sha256() {
    return this.#hash.digest("hex");
  }

  async *#all() {
    const rest = { [Symbol.asyncIterator]: () => this.#chunks };
    this.#hash.update(this.#start);
    yield this.#start;
    for await (const chunk of rest) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }
}

/** Writes the files that verbs and jobs name: whole or not at all. */

import { createWriteStream, renameSync, rmSync, writeFileSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { formatColumns } from "../model/columns.js";

/** Nothing waits in front of it: a piece is compressed before the next is asked for. */
const GZIP = { level: 9, highWaterMark: 0, chunkSize: 2 ** 18 };

/**
 * @param {string} path compressed where it ends in `.gz`
 * @param {import("../model/profile.js").Profile} profile
 */
export async function writeProfile(path, profile) {
  await writeText(path, formatColumns(profile));
}

/**
 * @param {string} path compressed where it ends in `.gz`
 * @param {string} text
 */
export async function writeText(path, text) {
  if (path.endsWith(".gz")) return writePieces(path, [text]);
  const partial = `${path}.partial`;
  try {
    // At once: for a small file, waiting for the threads that write takes longer than writing.
    writeFileSync(partial, text);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/**
 * Write a file under a temporary name, then rename it: it is there whole or not at all. The same text
 * gives the same bytes, compressed too: Node's gzip writes no name and no time.
 *
 * @param {string} path compressed where it ends in `.gz`
 * @param {Iterable<string | Uint8Array>} pieces each good until the next is asked for
 */
export async function writePieces(path, pieces) {
  const partial = `${path}.partial`;
  try {
    if (path.endsWith(".gz")) await pipeline(pieces, createGzip(GZIP), createWriteStream(partial));
    else await writeFile(partial, pieces);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

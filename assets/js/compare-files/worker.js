// Reads two files and compares them, in a worker: the page stays responsive, and nothing leaves it.

import { diffGraph, withColourScale } from "@perfpress/flamegraph/graph/diff_graph.js";
import { summaryOf } from "@perfpress/flamegraph/graph/diff_words.js";
import { diffProfiles } from "@perfpress/profile/diff/diff.js";
import { BadInput, formatProblem } from "@perfpress/profile/model/problems.js";
import { parseProfile } from "@perfpress/profile/model/profile_check.js";
import { readCapture } from "@perfpress/profile/read/capture.js";
import { Decompress } from "fzstd";
import { reasonOf } from "../fetch-json.js";
import { Buffer } from "./node.js";

/**
 * @typedef {import("@perfpress/profile/model/profile.js").Profile} Profile
 * @typedef {{ files: [File, File], labels: [string, string] }} Request
 * @typedef {{ side: number, read: number, size: number } | { failed: string }
 *   | { diff: import("@perfpress/profile/diff/diff.js").Diff,
 *       summary: import("@perfpress/flamegraph/graph/diff_words.js").DiffSummary, problems: string[] }} Answer
 */

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const XZ = [0xfd, 0x37, 0x7a, 0x58];
/** Bytes between two messages of progress. */
const STEP = 2 ** 21;

self.addEventListener("message", async (/** @type {MessageEvent<Request>} */ { data }) => {
  /** @type {Answer} */
  let answer;
  try {
    answer = await compared(data);
  } catch (error) {
    answer = {
      failed:
        error instanceof BadInput ? error.problems.map(formatProblem).join(" ") : reasonOf(error),
    };
  }
  self.postMessage(answer);
});

/**
 * @param {Request} request
 * @returns {Promise<Answer>}
 */
async function compared({ files, labels: [baseLabel, afterLabel] }) {
  /** @type {string[]} */
  const problems = [];
  const sides = [];
  for (const [side, file] of files.entries()) sides.push(await profilesIn(file, side, problems));
  const [base, after] = commonEvent(sides);
  const diff = withColourScale(diffProfiles(base, after, { baseLabel, afterLabel }));
  return { diff, summary: summaryOf(diff, diffGraph(diff)), problems };
}

/**
 * Return the profiles of the event that both have; of those that have one each, these.
 *
 * @param {Profile[][]} sides
 */
function commonEvent([base, after]) {
  for (const profile of base) {
    const same = after.find(({ event, unit }) => event === profile.event && unit === profile.unit);
    if (same) return [profile, same];
  }
  if (base.length === 1 && after.length === 1) return [base[0], after[0]];
  const [has, had] = [base, after].map((side) => side.map(({ event }) => event).join(", "));
  throw new Error(`The files have no event in common: ${has}; ${had}.`);
}

/**
 * @param {File} file
 * @param {number} side
 * @param {string[]} warnings
 * @returns {Promise<Profile[]>} one an event
 */
async function profilesIn(file, side, warnings) {
  const first = Array.from(new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  const begins = (/** @type {number[]} */ magic) => magic.every((byte, at) => first[at] === byte);
  if (begins(XZ)) throw new Error(`${file.name} is compressed by xz: decompress it (xz -d).`);
  const stream = new FileStream(file, side, begins(GZIP), begins(ZSTD));
  if (await stream.isProfile()) return [parseProfile(await stream.text(), file.name)];
  const pipe = /** @type {any} */ (stream);
  const { trees, problems } = await readCapture({ file: file.name, path: file.name, pipe });
  for (const one of problems) warnings.push(formatProblem(one));
  return trees.map(({ builder, captures, ...about }) =>
    builder.build({
      ...about,
      captures: captures.map(({ path, ...capture }) => ({ ...capture, sha256: "" })),
    }),
  );
}

/** A file as readers take captures: in chunks, decompressed. */
class FileStream {
  /**
   * @param {File} file
   * @param {number} side
   * @param {boolean} isGzip
   * @param {boolean} isZstd
   */
  constructor(file, side, isGzip, isZstd) {
    this.file = file;
    this.side = side;
    this.isGzip = isGzip;
    this.isZstd = isZstd;
  }

  /** Whether it is a profile file of Perfpress. */
  async isProfile() {
    const beginning = this.isGzip || this.isZstd ? "" : await this.file.slice(0, 2000).text();
    return /^\s*\{/.test(beginning) && beginning.includes('"perfpress-profile"');
  }

  text() {
    return this.file.text();
  }

  sha256() {
    return "";
  }

  /**
   * @param {(chunk: Uint8Array) => void} take
   * @returns {Promise<string | null>} what is wrong with a compressed file
   */
  async read(take) {
    const push = (/** @type {Uint8Array} */ chunk) =>
      take(Buffer.from(/** @type {ArrayBuffer} */ (chunk.buffer), chunk.byteOffset, chunk.length));
    const zstd = this.isZstd ? new Decompress(push) : null;
    const counted = this.file.stream().pipeThrough(this.#counting());
    const plain = this.isGzip ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
    const reader = plain.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (zstd) zstd.push(value ?? new Uint8Array(0), done);
        else if (value) push(value);
        if (done) return null;
      }
    } catch (error) {
      if (error instanceof BadInput || !(this.isGzip || this.isZstd)) throw error;
      return "damaged, or ends too early";
    }
  }

  /** @returns {TransformStream<any, any>} */
  #counting() {
    let read = 0;
    let sent = 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        read += chunk.length;
        if (read - sent >= STEP || read === this.file.size) {
          sent = read;
          self.postMessage({ side: this.side, read, size: this.file.size });
        }
        controller.enqueue(chunk);
      },
    });
  }
}

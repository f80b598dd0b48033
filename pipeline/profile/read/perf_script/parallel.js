/**
 * Reads a large plain capture of perf script text in two halves, the second in a thread of its own.
 *
 * It can be cut after any empty line, once its reader knows what headers look like. Call trees of
 * the halves are added, which gives the same in any order. Where something in the second half
 * depends on the first, the second is read again after it, as if there were no threads.
 */

import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { addNodes } from "../../model/event_tree.js";
import { ProfileBuilder } from "../../model/profile_builder.js";
import { isCompressed, readDecompressed, readPart } from "../input/compression.js";
import { CHUNK_SIZE } from "../input/lines.js";
import { SkippedCounts } from "../stacks/skipped.js";

/** A thread has to start and to parse each distinct line: a smaller file is read by then. */
export const LEAST_FOR_TWO_THREADS = 2 ** 27;

/** The second thread has to start first and to send back its result, so its half is the smaller. */
const FIRST_SHARE = 0.58;

/**
 * @typedef {object} SecondHalf what a thread made of the second half; lines are counted from its own first
 * @property {number} lost
 * @property {boolean} [cutOff]
 * @property {import("../../model/profile.js").Skipped[]} skipped
 * @property {number} eventNames
 * @property {boolean} inLine whether its last byte ends no line
 * @property {(Omit<import("../stacks/format.js").FoldedEvent, "builder"> & { tree: import("../../model/profile_builder.js").Tree })[]} events
 *
 * @typedef {object} CaptureConsumer what takes the chunks, and then the second half
 * @property {(chunk: Uint8Array) => void} push
 * @property {import("./reader.js").Reader | null} splittable its reader, where the rest of
 *   the text can be read by another one
 * @property {(half: SecondHalf) => void} join
 */

/**
 * Read a file, its second half in another thread where the file is large enough.
 *
 * @param {string} path
 * @param {number} least size of a file, in bytes, that is large enough
 * @param {CaptureConsumer} consumer
 * @param {string} event what samples count, where they do not say
 * @returns {Promise<import("../input/compression.js").Damage | null>} as readDecompressed()
 */
export async function readInParallel(path, least, consumer, event) {
  /** @param {Uint8Array} chunk */
  const take = (chunk) => consumer.push(chunk);
  const middle = await middleOf(path, least);
  if (middle === null) return readDecompressed(path, take);
  const head = Math.min(CHUNK_SIZE, middle);
  await readPart(path, 0, head, take);
  const folding = consumer.splittable ? foldInThread({ path, start: middle, event }) : null;
  await readPart(path, head, middle, take);
  const half = await folding;
  if (half && consumer.splittable?.canBeFollowedBy(half)) consumer.join(half);
  else await readPart(path, middle, Number.POSITIVE_INFINITY, take);
  return null;
}

/**
 * Return what a reader made of the first half and a thread of the second.
 *
 * @param {import("../stacks/format.js").Folded} first
 * @param {SecondHalf} second
 * @param {number} lines of the first half
 * @returns {import("../stacks/format.js").Folded}
 */
export function merged(first, second, lines) {
  const events = [...first.events];
  for (const { tree, ...about } of second.events) {
    const known = events.find(({ event }) => event === about.event);
    const sum = known ?? { ...about, samples: 0, builder: new ProfileBuilder() };
    if (!known) events.push(sum);
    addNodes(sum.builder, tree, tree.selfSamples);
    sum.samples = (sum.samples ?? 0) + (about.samples ?? 0);
  }
  const skipped = new SkippedCounts();
  for (const { reason, count, first_line: line } of first.skipped) skipped.add(reason, line, count);
  for (const { reason, count, first_line: line } of second.skipped) {
    skipped.add(reason, line + lines, count);
  }
  const lost = (first.lost ?? 0) + second.lost;
  return { ...first, events, lost, cutOff: second.cutOff, skipped: skipped.list() };
}

/**
 * Return where the second half of a plain file begins, after an empty line; null where the file is
 * compressed, too small or has no empty line there.
 *
 * @param {string} path
 * @param {number} least
 */
async function middleOf(path, least) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size < least || (await isCompressed(path))) return null;
    const start = Math.floor(size * FIRST_SHARE);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_SIZE), 0, CHUNK_SIZE, start);
    const found = /\n\r?\n/.exec(buffer.toString("latin1", 0, bytesRead));
    return found ? start + found.index + found[0].length : null;
  } finally {
    await file.close();
  }
}

/**
 * @param {{ path: string, start: number, event: string }} workerData
 * @returns {Promise<SecondHalf>}
 */
function foldInThread(workerData) {
  /** @type {Promise<SecondHalf>} */
  const folding = new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./parallel_worker.js", import.meta.url), {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: 2 }, // hardly anything is made again
    });
    worker.on("message", resolve).on("error", reject);
  });
  folding.catch(() => {}); // its error reaches whoever waits for it, if the first half comes so far
  return folding;
}

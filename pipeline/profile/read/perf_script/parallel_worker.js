/** Runs in a thread of its own: folds the second half of a capture; parallel.js says more. */

import { parentPort, workerData } from "node:worker_threads";
import { readPart } from "../input/compression.js";
import { Reader } from "./reader.js";

const LINE_FEED = 0x0a;

const { path, start, event } = workerData;
const reader = new Reader(event);
reader.followOn();
let inLine = false;
await readPart(path, start, Number.POSITIVE_INFINITY, (chunk) => {
  inLine = chunk.at(-1) !== LINE_FEED;
  reader.push(chunk);
});
const { events, lost = 0, cutOff, skipped } = reader.finish(false, inLine);
const trees = events.map(({ builder, ...about }) => ({ ...about, tree: builder.tree() }));
/** @type {import("./parallel.js").SecondHalf} */
const half = { lost, cutOff, skipped, eventNames: reader.eventNames, inLine, events: trees };
parentPort?.postMessage(
  half,
  // transferred, not copied
  trees.flatMap(({ tree: { parent, name, selfSamples } }) =>
    [parent, name, selfSamples].map(({ buffer }) => /** @type {ArrayBuffer} */ (buffer)),
  ),
);

/**
 * Reads recordings of the JDK's Flight Recorder, and those of async-profiler in its format: samples of what threads
 * ran, waited in, allocated or locked.
 */

import { JIT, KERNEL, THREAD } from "../../model/profile.js";
import { withoutParameters } from "../../model/signature.js";
import { LARGEST_IN_WORDS, WholeFileReader } from "../input/whole_file.js";
import { EventTrees, NO_LINE } from "../stacks/event_trees.js";
import { CUT_OFF_FRAME } from "../stacks/limits.js";
import { classOfObject, libraryOf } from "../stacks/objects.js";
import { ENDS_TOO_EARLY } from "../stacks/skipped.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";
import { Chunk, Damaged } from "./chunk.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

/**
 * @typedef {import("../stacks/perf_frame.js").Frame} Frame
 *
 * @typedef {object} Counted
 * @property {string} unit
 * @property {string} [weight] the field that says what a sample weighs; 1 without one
 */

export const FORMAT = "jfr";

/** Its chunks say how long they are. */
export const DETECTS_TRUNCATION = true;

const MAGIC = "FLR\0";

/** @type {Record<string, Counted>} */
const EVENTS = {
  "jdk.ExecutionSample": { unit: "samples" },
  "jdk.CPUTimeSample": { unit: "samples" },
  "jdk.NativeMethodSample": { unit: "samples" },
  "profiler.WallClockSample": { unit: "samples", weight: "samples" },
  "jdk.ObjectAllocationSample": { unit: "bytes", weight: "weight" },
  "jdk.ObjectAllocationInNewTLAB": { unit: "bytes", weight: "tlabSize" },
  "jdk.ObjectAllocationOutsideTLAB": { unit: "bytes", weight: "allocationSize" },
};

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ bytes }) {
  if (bytes.length < MAGIC.length)
    return MAGIC.startsWith(bytes.toString("latin1")) ? "more" : "no";
  return bytes.toString("latin1", 0, MAGIC.length) === MAGIC ? "yes" : "no";
}

/** @implements {CaptureReader} */
export class Reader extends WholeFileReader {
  #trees = new EventTrees();

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial) {
    const { skipped } = this.#trees;
    if (this.isTooLarge) skipped.add(`file larger than ${LARGEST_IN_WORDS}`, NO_LINE);
    const isWhole = !this.isTooLarge && this.#takeChunks(this.takeBytes());
    return this.#trees.folded(partial || !isWhole);
  }

  /**
   * @param {Buffer} bytes
   * @returns {boolean} whether all of it could be read
   */
  #takeChunks(bytes) {
    const { skipped } = this.#trees;
    for (let at = 0; at < bytes.length; ) {
      const size = at + 68 <= bytes.length ? Number(bytes.readBigInt64BE(at + 8)) : 0;
      if (bytes.toString("latin1", at, at + 4) !== MAGIC || size < 68 || at + size > bytes.length) {
        skipped.add(`chunk of the recording ${ENDS_TOO_EARLY}`, NO_LINE);
        return false;
      }
      try {
        this.#takeChunk(new Chunk(bytes.subarray(at, at + size)), size);
      } catch (error) {
        if (!(error instanceof Damaged || error instanceof RangeError)) throw error;
        skipped.add(`damaged chunk: ${error.message}`, NO_LINE);
        return false;
      }
      at += size;
    }
    return true;
  }

  /**
   * @param {Chunk} chunk
   * @param {number} size
   */
  #takeChunk(chunk, size) {
    chunk.readPools();
    const stacks = new Stacks(chunk);
    for (const { name, event } of chunk.events((name) => Object.hasOwn(EVENTS, name), size)) {
      const { unit, weight } = EVENTS[name];
      const frames = stacks.of(event.stackTrace);
      if (frames === null) {
        this.#trees.skipped.add(`${name} without a stack`, NO_LINE);
        continue;
      }
      const thread = stacks.thread(event.sampledThread ?? event.eventThread);
      const amount = weight === undefined ? 1 : (event[weight] ?? 1);
      const isSampled = unit === "samples";
      const tree = this.#trees.tree(name, unit, isSampled);
      this.#trees.add(tree, [thread, ...frames], amount, isSampled ? amount : 0);
    }
  }
}

/** The stacks, methods and threads of a chunk. */
class Stacks {
  #chunk;
  /** @type {Map<unknown, Frame[] | null>} */
  #known = new Map();

  /** @param {Chunk} chunk */
  constructor(chunk) {
    this.#chunk = chunk;
  }

  /**
   * Return the frames of a stack, outermost first; null where there is none.
   *
   * @param {any} reference
   */
  of(reference) {
    const key = reference?.index;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const trace = this.#chunk.resolved(reference);
    const frames = Array.isArray(trace?.frames)
      ? trace.frames.map((/** @type {any} */ frame) => this.#frame(frame)).reverse()
      : null;
    const stack = frames && trace.truncated ? [CUT_OFF_FRAME, ...frames] : frames;
    this.#known.set(key, stack);
    return stack;
  }

  /**
   * @param {any} frame
   * @returns {Frame}
   */
  #frame(frame) {
    const chunk = this.#chunk;
    const method = chunk.resolved(frame?.method);
    const type = this.#text(chunk.resolved(chunk.resolved(method?.type)?.name));
    const name = this.#text(chunk.resolved(method?.name)) || "[unknown]";
    const kind = this.#text(chunk.resolved(frame?.type)?.description);
    if (kind === "Kernel") return { name, frameClass: KERNEL };
    // async-profiler has the library of native code in the place of a class
    const isNative = type === "" || (/^(?:Native|C\+\+)$/.test(kind) && !type.includes("/"));
    if (isNative) {
      const frameClass = classOfObject(type || null, "");
      return { name: withoutParameters(name), frameClass, library: libraryOf(type) };
    }
    // interpreted, compiled or inlined: that changes while the program runs
    return { name: `${type.replaceAll("/", ".")}.${name}`, frameClass: JIT };
  }

  /**
   * @param {any} reference
   * @returns {Frame}
   */
  thread(reference) {
    const thread = this.#chunk.resolved(reference);
    const name = this.#text(thread?.javaName) || this.#text(thread?.osName);
    return { name: name.replace(/^\[tid=\d+\]$/, "") || SOME_PROCESS, frameClass: THREAD };
  }

  /**
   * Return text, which may be in the pool of symbols or of strings.
   *
   * @param {any} value
   * @returns {string}
   */
  #text(value) {
    const found = this.#chunk.resolved(value);
    const text = typeof found === "object" ? this.#chunk.resolved(found?.string) : found;
    return typeof text === "string" ? text : "";
  }
}

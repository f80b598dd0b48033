/** The stacks of samples that have locations and labels: frames below the thread that a label names. */

import { THREAD, USER } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { keptFrames } from "./limits.js";
import { LocationFrames } from "./location_frames.js";
import { plainThread, SOME_PROCESS } from "./thread_names.js";

/** @typedef {import("./perf_frame.js").Frame} Frame */

/** Labels that name a thread: perf_to_profile, Datadog's profilers, async-profiler, OpenTelemetry. */
const THREAD_LABELS = ["thread", "comm", "thread name", "thread_name", "thread.name"];

/**
 * A location of a few bytes may represent thousands of frames, again in each sample: what a hostile
 * file asks for has an end. A million samples of 60 frames have as many.
 */
const MOST_FRAMES = 2 ** 26;

/** There are no lines to count. */
const NO_LINE = 0;

export class LabelledStacks {
  /** Frames of all samples so far. */
  #taken = 0;
  #frames;
  #keys;
  #skipped;
  /** @type {Map<string, Set<string>>} the values of each label */
  #seen = new Map();

  /**
   * @param {import("./location_frames.js").LocationTables} tables
   * @param {string[]} keys of the labels that become frames, the outermost first
   * @param {import("./skipped.js").SkippedCounts} skipped
   */
  constructor(tables, keys, skipped) {
    this.#frames = new LocationFrames(tables, skipped);
    this.#keys = keys;
    this.#skipped = skipped;
  }

  /**
   * Return the frames of a sample, outermost first; null where it is skipped.
   *
   * @param {bigint[]} locations innermost first; no more than a stack may be deep
   * @param {number} further how many more locations it has
   * @param {Map<string, string>} labels
   * @param {number} times how many trees it is added to
   * @param {string} [program] where no label names a thread; else that of the first mapping
   * @returns {Frame[] | null}
   */
  of(locations, further, labels, times, program) {
    if (this.#taken > MOST_FRAMES) {
      this.#skipped.add("sample after more frames than a file may have", NO_LINE);
      return null;
    }
    for (const [key, value] of labels) {
      const seen = this.#seen.get(key);
      if (seen) seen.add(value);
      else this.#seen.set(key, new Set([value]));
    }
    /** @type {Frame[]} */
    const inner = [];
    let depth = further;
    for (const id of locations) {
      const frames = this.#frames.of(id);
      if (frames === null) {
        this.#taken += inner.length; // the work was done all the same
        this.#skipped.add("sample with a location or name that the file lacks", NO_LINE);
        return null;
      }
      depth += frames.length;
      inner.push(...frames.slice(0, DEEPEST_STACK + 1 - inner.length));
    }
    const threaded = inner.at(-1)?.frameClass === THREAD;
    const outer = threaded ? inner.splice(-1) : [this.#threadOf(labels, program)];
    for (const key of this.#keys) {
      if (labels.has(key)) outer.push({ name: `${key}=${labels.get(key)}`, frameClass: USER });
    }
    const below = threaded ? depth - 1 : depth;
    const most = DEEPEST_STACK - outer.length;
    const kept = keptFrames(inner.reverse(), this.#skipped, NO_LINE, below, most);
    this.#taken += (outer.length + kept.length) * times;
    return [...outer, ...kept];
  }

  /**
   * Return the labels that samples have.
   *
   * @returns {import("../../model/profile.js").Label[]}
   */
  labels() {
    return [...this.#seen]
      .map(([key, values]) => ({ key, values: values.size }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /**
   * @param {Map<string, string>} labels
   * @param {string | undefined} program
   * @returns {Frame}
   */
  #threadOf(labels, program) {
    const label = THREAD_LABELS.find((key) => labels.get(key));
    const name = label === undefined ? program || this.#frames.program() : labels.get(label);
    return { name: plainThread(name || SOME_PROCESS), frameClass: THREAD };
  }
}

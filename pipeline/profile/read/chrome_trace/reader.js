/**
 * Reads the CPU profiles in Chrome's traces, as DevTools' Performance panel and Playwright save them: pieces of V8's
 * call trees, by process, with the samples that were taken since the piece before.
 */

import { NO_LINE } from "../stacks/event_trees.js";
import { JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { durations, V8Tree } from "../stacks/v8_call_tree.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "chrome-trace";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

const NANOSECONDS = 1000;

export const recognise = recogniseJson(isTrace);

/** @param {string} text the beginning of a file */
function isTrace(text) {
  return /^\s*\{[^[]*"traceEvents"\s*:|^\s*\[\s*\{(?:[^{}]|\{[^{}]*\})*"ph"\s*:/.test(text);
}

/** @typedef {{ tree: V8Tree, samples: unknown[], deltas: unknown[], thread: string }} Profile */

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const events = listOf(Array.isArray(json) ? json : json.traceEvents);
    const { trees } = this;
    /** @type {Map<string, Profile>} */
    const profiles = new Map();
    for (const event of events) this.#takePiece(profiles, event);
    if (profiles.size === 0) {
      trees.refusal = WITHOUT_SAMPLES;
      return;
    }
    const names = threadNames(events);
    const timed = trees.tree("time", "ns", true);
    for (const { tree, samples, deltas, thread } of profiles.values()) {
      tree.thread = names.get(thread) ?? tree.thread;
      for (const { id, duration } of durations(samples, deltas, 0)) {
        const node = timed && tree.nodeIn(timed.builder, id);
        if (node === null) trees.skipped.add("sample of a node that is not listed", NO_LINE);
        else trees.addTo(timed, node, duration * NANOSECONDS, 1);
      }
    }
  }

  /**
   * @param {Map<string, Profile>} profiles
   * @param {any} event
   */
  #takePiece(profiles, event) {
    if (!PIECES.has(event?.name)) return;
    const key = `${event.pid} ${event.id ?? event.tid}`;
    let profile = profiles.get(key);
    if (!profile) {
      profile = {
        tree: new V8Tree(),
        samples: [],
        deltas: [],
        thread: `${event.pid} ${event.tid}`,
      };
      profiles.set(key, profile);
    }
    // `Profile` is written by the thread that was profiled, its pieces by the one that profiles
    if (event.name === "Profile") profile.thread = `${event.pid} ${event.tid}`;
    const data = event.args?.data ?? {};
    profile.tree.addAll(listOf(data.cpuProfile?.nodes));
    for (const id of listOf(data.cpuProfile?.samples)) profile.samples.push(id);
    for (const delta of listOf(data.timeDeltas ?? data.cpuProfile?.timeDeltas)) {
      profile.deltas.push(delta);
    }
  }
}

const PIECES = new Set(["Profile", "ProfileChunk", "CpuProfile"]);

const WITHOUT_SAMPLES = {
  found: "a Chrome trace without samples of a CPU profile: its spans are no stacks",
  do:
    "record it with JavaScript samples (the category disabled-by-default-v8.cpu_profiler), or have the tool write " +
    "samples: py-spy record -f speedscope",
};

/** @param {any[]} events */
function threadNames(events) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const event of events) {
    const name = textOf(event?.args?.name);
    if (event?.name === "thread_name" && name) names.set(`${event.pid} ${event.tid}`, name);
  }
  return names;
}

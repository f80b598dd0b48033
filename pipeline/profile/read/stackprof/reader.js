/** Reads StackProf's results as JSON, with the stacks that `raw: true` keeps: https://github.com/tmm1/stackprof */

import { nameInFile } from "../../model/languages/languages.js";
import { LIBRARY, THREAD, USER } from "../../model/profile.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "stackprof";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson(
  (text) => /"gc_samples"\s*:/.test(text) && /"frames"\s*:/.test(text),
);

/** What a sample is, by StackProf's mode. */
const EVENTS = new Map([
  ["cpu", { event: "cpu", unit: "samples" }],
  ["wall", { event: "wall-clock", unit: "samples" }],
  ["object", { event: "alloc_objects", unit: "samples" }],
]);

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    const thread = { name: SOME_PROCESS, frameClass: THREAD };
    /** @type {Map<string, import("../stacks/perf_frame.js").Frame>} */
    const frames = new Map();
    for (const [id, frame] of Object.entries(json.frames ?? {})) frames.set(id, frameOf(frame));
    const { event, unit } = EVENTS.get(textOf(json.mode)) ?? {
      event: trees.event,
      unit: "samples",
    };
    const tree = trees.tree(event, unit, true);
    const raw = listOf(json.raw);
    if (raw.length === 0) {
      trees.refusal = {
        found: "a result of StackProf without stacks",
        do: "run it with raw: true",
      };
      return;
    }
    // how many frames, the frames from the outermost on, how many such samples; and the next
    for (let at = 0; at < raw.length; ) {
      const depth = raw[at];
      const count = raw[at + depth + 1];
      if (!isCount(depth) || !isCount(count)) {
        trees.skipped.add("stack without its count, and what follows", NO_LINE);
        return;
      }
      const stack = raw.slice(at + 1, at + 1 + depth).map((id) => frames.get(String(id)));
      at += depth + 2;
      const known = stack.flatMap((frame) => frame ?? []);
      if (known.length < depth) trees.skipped.add("stack with a frame that is not listed", NO_LINE);
      else if (count > 0) trees.add(tree, [thread, ...known], count, count);
    }
  }
}

/** @param {any} frame */
function frameOf(frame) {
  const name = textOf(frame?.name) || "[unknown]";
  const isNative = /^<(?:cfunc|internal:.*)>$/.test(textOf(frame?.file));
  if (isNative || name.startsWith("(")) return { name, frameClass: LIBRARY };
  return { name: nameInFile(name, frame?.file), frameClass: USER };
}

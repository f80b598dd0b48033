/**
 * Reads what DHAT (`valgrind --tool=dhat`) and dhat-rs write: what each stack allocated, and how much of it lived at
 * once. https://valgrind.org/docs/manual/dh-manual.html
 */

import { THREAD } from "../../model/profile.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";
import { valgrindFrame } from "../stacks/valgrind_frame.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "dhat";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson((text) => /^\s*\{\s*"dhatFileVersion"/.test(text));

/** Keys of a place that allocates, and what they count: in all, when the heap was largest, at the end. */
const COUNTED = /** @type {const} */ ([
  ["tb", "alloc_space", "bytes"],
  ["tbk", "alloc_objects", "objects"],
  ["gb", "peak_space", "bytes"],
  ["eb", "inuse_space", "bytes"],
]);

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    const frames = listOf(json.ftbl).map((text) => valgrindFrame(textOf(text)));
    const program = textOf(json.cmd).split(" ")[0].split("/").at(-1) || SOME_PROCESS;
    for (const place of listOf(json.pps)) {
      /** @type {any[]} */
      const stack = listOf(place?.fs).map((index) => frames[index]);
      if (stack.length === 0 || stack.includes(undefined)) {
        trees.skipped.add("allocation with a frame that is not listed", NO_LINE);
        continue;
      }
      const whole = [{ name: program, frameClass: THREAD }, ...stack.reverse()];
      for (const [key, event, unit] of COUNTED) {
        const weight = place[key];
        if (weight === undefined || weight === 0) continue;
        if (isCount(weight)) trees.add(trees.tree(event, unit), whole, weight);
        else trees.skipped.add("weight that is no whole number from 0", NO_LINE);
      }
    }
  }
}

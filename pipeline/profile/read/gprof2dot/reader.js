/**
 * Reads the JSON of gprof2dot, which `memray transform gprof2dot` writes: stacks with their bytes and allocations.
 * https://github.com/jrfonseca/gprof2dot#json
 */

import { nameInFile } from "../../model/languages/languages.js";
import { THREAD, USER } from "../../model/profile.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "gprof2dot";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson(
  (text) => text.includes('"costs"') && text.includes('"functions"'),
);

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    const frames = listOf(json.functions).map((each) => ({
      name: nameInFile(textOf(each?.name) || "[unknown]", each?.module),
      frameClass: USER,
    }));
    const counted = listOf(json.costs).map((cost) => {
      const event = textOf(cost?.description).toLowerCase() || trees.event;
      return { event, unit: textOf(cost?.unit) || undefined };
    });
    for (const each of listOf(json.events)) {
      /** @type {any[]} */
      const stack = listOf(each?.callchain).map((index) => frames[index]);
      if (stack.includes(undefined)) {
        trees.skipped.add("stack with a function that is not listed", NO_LINE);
        continue;
      }
      const whole = [{ name: SOME_PROCESS, frameClass: THREAD }, ...stack.reverse()];
      for (const [at, { event, unit }] of counted.entries()) {
        const weight = listOf(each?.cost)[at];
        if (!isCount(weight)) trees.skipped.add("cost that is no whole number from 0", NO_LINE);
        else if (weight > 0) trees.add(trees.tree(event, unit), whole, weight);
      }
    }
  }
}

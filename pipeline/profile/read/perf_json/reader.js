/** Reads what `perf data convert --to-json` writes of a recording: each sample with its chain of calls. */

import { THREAD } from "../../model/profile.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { frameOfSymbol, threadName } from "../stacks/perf_frame.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "perf-json";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson((text) => /^\s*\{\s*"linux-perf-json-version"/.test(text));

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    // perf writes neither the event nor its period
    const tree = trees.tree(trees.event, "samples", true);
    for (const sample of listOf(json.samples)) {
      const chain = listOf(sample?.callchain);
      if (chain.length === 0) {
        trees.skipped.add("sample without a stack", NO_LINE);
        continue;
      }
      const frames = chain.map((call) => {
        const object = textOf(call?.dso);
        const address = textOf(call?.ip).replace(/^0x/, "");
        const isKernel = /^ffff[0-9a-f]{12}$/.test(address);
        return frameOfSymbol(textOf(call?.symbol), object, isKernel ? "k" : "");
      });
      const thread = { name: threadName(textOf(sample.comm)), frameClass: THREAD };
      trees.add(tree, [thread, ...frames.reverse()], 1, 1);
    }
  }
}

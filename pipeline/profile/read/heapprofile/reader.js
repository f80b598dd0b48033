/**
 * Reads V8's sampled heap profiles, as `node --heap-prof` and Chrome's DevTools write them: what was allocated and
 * still in use at the end, by the stack that allocated it.
 * https://chromedevtools.github.io/devtools-protocol/tot/HeapProfiler/#type-SamplingHeapProfile
 */

import { THREAD } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson } from "../stacks/json_file.js";
import { TOO_DEEP } from "../stacks/limits.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";
import { v8Frame } from "../stacks/v8_frames.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "heapprofile";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson(
  (text) => /^\s*\{\s*"head"\s*:\s*\{/.test(text) && text.includes('"selfSize"'),
);

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    const tree = trees.tree("inuse_space", "bytes");
    if (tree === null) return;
    const { builder } = tree;
    const thread = builder.child(0, builder.frame(SOME_PROCESS, THREAD));
    const open = [{ call: json.head, node: thread, depth: 1 }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { call, node, depth } = next;
      if (isCount(call?.selfSize)) trees.addTo(tree, node, call.selfSize, 0);
      else trees.skipped.add("node without a size", NO_LINE);
      if (depth >= DEEPEST_STACK) trees.skipped.add(TOO_DEEP, NO_LINE);
      for (const child of listOf(call?.children)) {
        const { name, frameClass } = v8Frame(child?.callFrame);
        const isKept = depth < DEEPEST_STACK;
        const below = isKept ? builder.child(node, builder.frame(name, frameClass)) : node;
        open.push({ call: child, node: below, depth: isKept ? depth + 1 : depth });
      }
    }
  }
}

/**
 * Reads V8's CPU profiles, as `node --cpu-prof`, Chrome's DevTools, Deno and Hermes write them:
 * https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 */

import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson } from "../stacks/json_file.js";
import { durations, V8Tree } from "../stacks/v8_call_tree.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "cpuprofile";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

const NANOSECONDS = 1000;

export const recognise = recogniseJson(
  (text) => text.includes('"callFrame"') && /"hitCount"|"timeDeltas"/.test(text),
);

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {import("../stacks/json_file.js").Json} json */
  take(json) {
    const { trees } = this;
    const nodes = listOf(json.nodes);
    const tree = new V8Tree();
    tree.addAll(nodes);
    const samples = listOf(json.samples);
    if (samples.length === 0) {
      const counted = trees.tree(trees.event, "samples", true);
      for (const node of nodes) {
        if (!isCount(node?.hitCount)) trees.skipped.add("node without a count", NO_LINE);
        else this.#add(counted, tree, node.id, node.hitCount, node.hitCount);
      }
      return;
    }
    const deltas = listOf(json.timeDeltas);
    const end = json.endTime - json.startTime;
    const timed = trees.tree("time", "ns", true);
    for (const { id, duration } of durations(samples, deltas, isCount(end) ? end : 0)) {
      this.#add(timed, tree, id, duration * NANOSECONDS, 1);
    }
  }

  /**
   * @param {import("../stacks/event_trees.js").CountedTree | null} counted
   * @param {V8Tree} tree
   * @param {unknown} id
   * @param {number} weight
   * @param {number} samples
   */
  #add(counted, tree, id, weight, samples) {
    const node = counted && tree.nodeIn(counted.builder, id);
    if (node === null) this.trees.skipped.add("sample of a node that is not listed", NO_LINE);
    else this.trees.addTo(counted, node, weight, samples);
  }
}

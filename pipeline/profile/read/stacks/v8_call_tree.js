/** A call tree as V8 writes it, by the ids of its nodes: of a file, or as pieces of a trace. */

import { THREAD } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { SOME_PROCESS } from "./thread_names.js";
import { v8Frame } from "./v8_frames.js";

/**
 * @typedef {{ frame: import("./perf_frame.js").Frame, parent: unknown }} V8Node
 * @typedef {{ node: number, depth: number }} Reached
 */

export class V8Tree {
  /** @type {Map<unknown, V8Node>} */
  #nodes = new Map();
  /** @type {Map<unknown, Reached>} nodes of the profile that is made */
  #reached = new Map();
  thread = SOME_PROCESS;

  /**
   * @param {any} node
   * @param {unknown} [parent] id of its caller, where the node does not say it
   */
  add(node, parent = node?.parent) {
    const known = this.#nodes.get(node?.id);
    const frame = known?.frame ?? v8Frame(node?.callFrame ?? node);
    this.#nodes.set(node?.id, { frame, parent: known?.parent ?? parent });
  }

  /**
   * Add nodes that list the ids of what they call.
   *
   * @param {any[]} nodes
   */
  addAll(nodes) {
    /** @type {Map<unknown, unknown>} */
    const parents = new Map();
    for (const node of nodes) {
      if (Array.isArray(node?.children)) {
        for (const child of node.children) parents.set(child, node.id);
      }
    }
    for (const node of nodes) this.add(node, node?.parent ?? parents.get(node?.id));
  }

  /**
   * Return the node of a call tree for one of V8's; null where there is no such node.
   *
   * @param {import("../../model/profile_builder.js").ProfileBuilder} builder always the same
   * @param {unknown} id
   * @returns {number | null}
   */
  nodeIn(builder, id) {
    /** @type {unknown[]} */
    const way = [];
    for (let at = id; !this.#reached.has(at); at = this.#nodes.get(at)?.parent) {
      if (!this.#nodes.has(at) || way.length > this.#nodes.size) break; // or they call each other in a circle
      way.push(at);
    }
    if (way.length > this.#nodes.size) return null;
    for (const at of way.reverse()) {
      const { frame, parent } = /** @type {V8Node} */ (this.#nodes.get(at));
      const above = this.#reached.get(parent);
      // V8's (root) is the thread; where a stack is too deep, its innermost frames count with their callers
      if (!above) this.#reach(at, builder.child(0, builder.frame(this.thread, THREAD)), 1);
      else if (above.depth >= DEEPEST_STACK) this.#reach(at, above.node, above.depth);
      else {
        const number = builder.frame(frame.name, frame.frameClass);
        this.#reach(at, builder.child(above.node, number), above.depth + 1);
      }
    }
    return this.#reached.get(id)?.node ?? null;
  }

  /**
   * @param {unknown} id
   * @param {number} node
   * @param {number} depth
   */
  #reach(id, node, depth) {
    this.#reached.set(id, { node, depth });
  }
}

/**
 * Return how long each sample lasted: until the next one was taken. V8 may write them out of order.
 *
 * @param {unknown[]} samples ids of nodes
 * @param {unknown[]} deltas microseconds from the sample before to each; may be below zero
 * @param {number} end microseconds from the start to the end of the recording
 * @returns {{ id: unknown, duration: number }[]} in microseconds
 */
export function durations(samples, deltas, end) {
  let time = 0;
  const taken = samples.map((id, at) => {
    const delta = deltas[at];
    if (typeof delta === "number" && Number.isSafeInteger(delta)) time += delta;
    return { id, time };
  });
  taken.sort((a, b) => a.time - b.time);
  return taken.map(({ id, time }, at) => ({
    id,
    duration: Math.max(0, (at + 1 < taken.length ? taken[at + 1].time : end) - time),
  }));
}

/** The call trees of one capture on their way, one an event, and what was skipped. */

import { DEEPEST_STACK, ProfileBuilder, roomOfCapture } from "../../model/profile_builder.js";
import { UNKNOWN_EVENT } from "../../model/units.js";
import { keptFrames, MOST_EVENTS } from "./limits.js";
import { SkippedCounts } from "./skipped.js";

/** In place of the line of what has none. */
export const NO_LINE = 0;

/**
 * A file may have one stack of thousands of frames in each of a million samples: what a hostile file asks for has
 * an end. A million samples of 60 frames have as many.
 */
const MOST_FRAMES = 2 ** 26;

/**
 * @typedef {import("./perf_frame.js").Frame} Frame
 *
 * @typedef {object} CountedTree
 * @property {string} event
 * @property {string} [unit]
 * @property {ProfileBuilder} builder
 * @property {number | null} samples
 */

export class EventTrees {
  skipped = new SkippedCounts();
  /** What an event is called that the capture does not name. */
  event;
  #room = roomOfCapture();
  /** @type {Map<string, CountedTree>} */
  #trees = new Map();
  #taken = 0;
  /** @type {import("./format.js").Folded["refusal"]} */
  refusal;

  /** @param {string} [event] */
  constructor(event = UNKNOWN_EVENT) {
    this.event = event;
  }

  /**
   * Return the tree of an event; null where there are too many.
   *
   * @param {string} event
   * @param {string} [unit] that of the event, where the capture does not state another
   * @param {boolean} [isSampled] whether the number of samples is known
   * @returns {CountedTree | null}
   */
  tree(event, unit, isSampled = false) {
    let tree = this.#trees.get(event);
    if (tree === undefined) {
      if (this.#trees.size >= MOST_EVENTS) {
        this.skipped.add(`event beyond the first ${MOST_EVENTS}`, NO_LINE);
        return null;
      }
      const builder = new ProfileBuilder(this.#room);
      tree = { event, unit, builder, samples: isSampled ? 0 : null };
      this.#trees.set(event, tree);
    }
    return tree;
  }

  /**
   * Add a stack.
   *
   * @param {CountedTree | null} tree
   * @param {Frame[]} stack outermost first, from the thread on
   * @param {number | bigint} weight
   * @param {number} [samples]
   */
  add(tree, stack, weight, samples = 0) {
    if (tree === null) return;
    this.#taken += stack.length;
    if (this.#taken > MOST_FRAMES) {
      this.skipped.add("sample after more frames than a file may have", NO_LINE);
      return;
    }
    const [thread, ...frames] = stack;
    const kept = keptFrames(frames, this.skipped, NO_LINE, frames.length, DEEPEST_STACK - 1);
    tree.builder.addStack([thread, ...kept], weight, samples);
    if (tree.samples !== null) tree.samples += samples;
  }

  /**
   * Add to what a node of a tree weighs.
   *
   * @param {CountedTree | null} tree
   * @param {number} node
   * @param {number | bigint} weight
   * @param {number} samples
   */
  addTo(tree, node, weight, samples) {
    if (tree === null) return;
    tree.builder.add(node, weight, samples);
    if (tree.samples !== null) tree.samples += samples;
  }

  /**
   * @param {boolean} partial
   * @returns {import("./format.js").Folded}
   */
  folded(partial) {
    return {
      events: [...this.#trees.values()].map((tree) => ({
        ...tree,
        samplesByNode: tree.samples !== null,
      })),
      partial,
      refusal: this.refusal,
      skipped: this.skipped.list(),
    };
  }
}

/** Sums up samples, many of which have the same stack, and makes call trees of the distinct ones. */

import { withRoom } from "../growing.js";
import { INLINED } from "../profile.js";
import { ProfileBuilder } from "../profile_builder.js";
import { plainEvent } from "../units.js";
import { ExactSums } from "../weights.js";
import { StackTable } from "./stack_table.js";

/** What a stack begins with: its event and its thread's frame; then its frames, innermost first. */
export const FIRST_FRAME = 2;

/** An event has a call tree of its own; no recording counts that many. */
export const MOST_EVENTS = 64;

export class SampleTable {
  /** @type {import("./perf_frame.js").Frame[]} */
  #frames = [];
  /** @type {Map<string, number>} by class and name */
  #frameNumbers = new Map();
  /** @type {string[]} */
  #events = [];
  /** @type {Map<string, number>} by the name that perf prints */
  #eventNumbers = new Map();
  #stacks = new StackTable();
  #weights = new ExactSums();
  /** How many samples have each stack. */
  #counts = new Float64Array(2 ** 10);

  /** How many names of events there are, as perf prints them. */
  get eventNames() {
    return this.#eventNumbers.size;
  }

  get frameCount() {
    return this.#frames.length;
  }

  /**
   * Return the number of a frame.
   *
   * @param {import("./perf_frame.js").Frame} frame
   */
  frame({ name, frameClass }) {
    const key = `${frameClass}${name}`;
    let number = this.#frameNumbers.get(key);
    if (number === undefined) {
      number = this.#frames.push({ name, frameClass }) - 1;
      this.#frameNumbers.set(key, number);
    }
    return number;
  }

  /**
   * Return the number of the same function where it is inlined.
   *
   * @param {number} number of a frame
   */
  inlined(number) {
    return this.frame({ name: this.#frames[number].name, frameClass: INLINED });
  }

  /**
   * Return the number of an event; -1 where there are too many.
   *
   * @param {string} name as perf prints it
   */
  event(name) {
    const known = this.#eventNumbers.get(name);
    if (known !== undefined) return known;
    if (this.#eventNumbers.size >= MOST_EVENTS) return -1;
    const event = plainEvent(name);
    const same = this.#events.indexOf(event);
    const number = same < 0 ? this.#events.push(event) - 1 : same;
    this.#eventNumbers.set(name, number);
    return number;
  }

  /**
   * Count a sample, or several that are alike.
   *
   * @param {Int32Array} stack
   * @param {number} length how much of it counts
   * @param {number | bigint} weight
   * @param {number} [samples]
   */
  add(stack, length, weight, samples = 1) {
    const known = this.#stacks.size;
    const number = this.#stacks.intern(stack, length);
    if (number === known) {
      this.#weights.append();
      this.#counts = withRoom(this.#counts, known + 1);
    }
    this.#counts[number] += samples;
    this.#weights.add(number, weight);
  }

  /**
   * Return a call tree for each event that has samples.
   *
   * @returns {import("./formats.js").FoldedEvent[]}
   */
  events() {
    const folds = this.#events.map((event) => ({
      event,
      builder: new ProfileBuilder(),
      samples: 0,
      samplesByNode: true,
    }));
    const used = new Set();
    // the builder's number of each frame, an event at a time
    const frames = folds.map(() => new Int32Array(this.#frames.length).fill(-1));
    let number = 0;
    for (const items of this.#stacks.stacks()) {
      const [event, thread] = items;
      const { builder } = folds[event];
      used.add(event);
      let node = builder.child(0, this.#frameIn(builder, frames[event], thread));
      for (let at = items.length - 1; at >= FIRST_FRAME; at--) {
        node = builder.child(node, this.#frameIn(builder, frames[event], items[at]));
      }
      builder.add(node, this.#weights.get(number), this.#counts[number]);
      folds[event].samples += this.#counts[number];
      number++;
    }
    return folds.filter((_, event) => used.has(event));
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {Int32Array} known
   * @param {number} frame
   */
  #frameIn(builder, known, frame) {
    if (known[frame] < 0) {
      const { name, frameClass } = this.#frames[frame];
      known[frame] = builder.frame(name, frameClass);
    }
    return known[frame];
  }
}

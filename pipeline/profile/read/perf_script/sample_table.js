/** Sums up samples, many of which have the same stack, and makes call trees of the distinct ones. */

import { withRoom } from "../../model/columns.js";
import { CLASS_NAMES, INLINED, USER } from "../../model/profile.js";
import { NO_ROOM, ProfileBuilder, roomOfCapture } from "../../model/profile_builder.js";
import { plainEvent } from "../../model/units.js";
import { ExactSums } from "../../model/weights.js";
import { MOST_EVENTS } from "../stacks/limits.js";
import { StackTable } from "./stack_table.js";

/** What a stack begins with: its event and its thread's frame; then its frames, innermost first. */
export const FIRST_FRAME = 2;

/** As many as a call tree has; all that are more are one: a tree has no room for it. */
const MOST_FRAMES = 2 ** 20;

/** Numbers in distinct stacks from which on they become call trees before there are more. */
const MOST_ITEMS = 2 ** 24;

/** In place of a builder's number of a frame. */
const NOT_ASKED = -1;

/**
 * @typedef {object} EventTree
 * @property {ProfileBuilder} builder
 * @property {number} samples
 */

export class SampleTable {
  /** @type {string[]} */
  #names = [];
  /** @type {number[]} of each of the names */
  #classes = [];
  /** @type {string[]} of each of the names */
  #libraries = [];
  /** @type {Map<string, number>[]} the frames of each class, by name and, where others have it, library */
  #frameNumbers = CLASS_NAMES.map(() => new Map());
  /** @type {string[]} */
  #events = [];
  /** @type {Map<string, number>} by the name that perf prints */
  #eventNumbers = new Map();
  #stacks = new StackTable();
  #weights = new ExactSums();
  /** How many samples have each stack. */
  #counts = new Float64Array(2 ** 10);
  /** @type {EventTree[]} of each event, and what was counted there already */
  #trees = [];
  #room = roomOfCapture();
  #most;

  /**
   * @param {object} [most] what is more is cut off, or counted early
   * @param {number} [most.frames]
   * @param {number} [most.items]
   */
  constructor({ frames = MOST_FRAMES, items = MOST_ITEMS } = {}) {
    this.#most = { frames, items };
    this.frame({ name: NO_ROOM, frameClass: USER });
  }

  /** How many names of events there are, as perf prints them. */
  get eventNames() {
    return this.#eventNumbers.size;
  }

  get frameCount() {
    return this.#names.length;
  }

  /**
   * Return the number of a frame; 0, which is NO_ROOM, where there are too many.
   *
   * @param {import("../stacks/perf_frame.js").Frame} frame
   */
  frame({ name, frameClass, library = "" }) {
    const numbers = this.#frameNumbers[frameClass];
    let identity = name;
    let number = numbers.get(identity);
    if (number !== undefined && this.#libraries[number] !== library) {
      identity = `${name}\0${library}`; // one name in two libraries is rare
      number = numbers.get(identity);
    }
    if (number === undefined) {
      if (this.#names.length >= this.#most.frames) return 0;
      number = this.#names.push(name) - 1;
      this.#classes.push(frameClass);
      this.#libraries.push(library);
      numbers.set(identity, number);
    }
    return number;
  }

  /**
   * Return the number of the same function where it is inlined.
   *
   * @param {number} number of a frame
   */
  inlined(number) {
    return this.frame({ name: this.#names[number], frameClass: INLINED });
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
    if (this.#stacks.itemCount > this.#most.items) this.#grow();
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
   * @returns {import("../stacks/format.js").FoldedEvent[]}
   */
  events() {
    this.#grow();
    return this.#trees
      .map(({ builder, samples }, at) => ({
        event: this.#events[at],
        builder,
        samples,
        samplesByNode: true,
      }))
      .filter(({ samples }) => samples > 0);
  }

  /** Let the call trees grow by all that was added since they did last. */
  #grow() {
    while (this.#trees.length < this.#events.length) {
      this.#trees.push({ builder: new ProfileBuilder(this.#room), samples: 0 });
    }
    // the builder's number of each frame, an event at a time
    const frames = this.#trees.map(() => new Int32Array(this.#names.length).fill(NOT_ASKED));
    const hasInlined = this.#classes.includes(INLINED);
    let number = 0;
    for (const items of this.#stacks.stacks()) {
      const [event, thread] = items;
      const tree = this.#trees[event];
      const { builder } = tree;
      let node = builder.child(0, this.#frameIn(builder, frames[event], thread));
      for (let at = items.length - 1; at >= FIRST_FRAME; at--) {
        node = builder.child(node, this.#frameIn(builder, frames[event], items[at]));
      }
      if (hasInlined) this.#addLibraries(builder, frames[event], items);
      builder.add(node, this.#weights.get(number), this.#counts[number]);
      tree.samples += this.#counts[number];
      number++;
    }
    this.#stacks = new StackTable();
    this.#weights = new ExactSums();
    this.#counts = new Float64Array(2 ** 10);
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {Int32Array} known
   * @param {number} frame
   */
  #frameIn(builder, known, frame) {
    if (known[frame] === NOT_ASKED) {
      known[frame] = builder.frame(
        this.#names[frame],
        this.#classes[frame],
        this.#libraries[frame],
      );
    }
    return known[frame];
  }

  /**
   * Give inlined functions the library of what they were inlined into: perf writes `(inlined)` in its place.
   *
   * @param {ProfileBuilder} builder
   * @param {Int32Array} known
   * @param {Int32Array} items of a stack
   */
  #addLibraries(builder, known, items) {
    let library = "";
    for (let at = items.length - 1; at >= FIRST_FRAME; at--) {
      const frame = items[at];
      if (this.#classes[frame] === INLINED) builder.addLibrary(known[frame], library);
      else library = this.#libraries[frame];
    }
  }
}

/** Makes a profile of stacks in any order: the same stacks give the same profile. */

import { withRoom } from "./columns.js";
import { plainName } from "./languages/languages.js";
import { joinedLibrary, libraryColumns } from "./libraries.js";
import { matchKey } from "./names.js";
import { CLASS_NAMES, KERNEL, ROOT_NAME, THREAD, USER } from "./profile.js";
import { frameRanks, namesInOrder, preorder } from "./tree_order.js";
import { ExactSums, scaled } from "./weights.js";

/**
 * Readers keep as many frames of a stack, the innermost ones, and put CUT_OFF for the others between
 * them and the thread. perf itself stops at 127.
 */
export const DEEPEST_STACK = 4096;

export const CUT_OFF = "[stack cut off]";

/**
 * How many more frames and nodes trees may hold that share the room.
 *
 * @typedef {{ frames: number, nodes: number }} Room
 */

/**
 * Return the room that the trees of one capture share, however many events it claims to have.
 * Captures of large programs have some ten thousand functions and some hundred thousand nodes. Where
 * there is no room, a tree takes nothing new but one node of NO_ROOM below each, so that memory is
 * bounded.
 *
 * @returns {Room}
 */
export function roomOfCapture() {
  return { frames: 2 ** 20, nodes: 2 ** 21 };
}

/** Represents the rest of stacks that there is no room for; nothing is below it. */
export const NO_ROOM = "[no room for more]";

/** In place of the number of a frame that there is no room for. */
export const TOO_MANY = -2;

/** Classes whose names are no functions of a language. */
const PLAIN = new Set([THREAD, KERNEL]);

/** The index of what a node weighs that weighs nothing. */
const NOTHING = 0;

/** In a table of nodes: no child, because the root is nobody's. */
const NONE = 0;

/**
 * A call tree as a profile has it (profile.js), ready to count with.
 *
 * @typedef {object} Tree
 * @property {string[]} names
 * @property {number[]} classes
 * @property {string[]} library by name (libraries.js)
 * @property {Int32Array} parent
 * @property {Int32Array} name
 * @property {number} scale
 * @property {bigint} total unscaled
 * @property {import("./profile.js").Weights} self scaled
 * @property {Float64Array} selfSamples
 */

/**
 * A call tree that grows. A frame is a (name, class), numbered by `frame()`; a node is a frame below
 * another node, numbered by `child()`. Node 0 is the root.
 */
export class ProfileBuilder {
  /** @type {string[]} */
  #frameNames = [];
  /** @type {number[]} */
  #frameClasses = [];
  /** @type {string[]} */
  #frameLibraries = [];
  /** @type {Map<string, number>[]} the frames of each class, by name */
  #frames = CLASS_NAMES.map(() => new Map());

  #size = 0;
  #parent = new Int32Array(2 ** 10);
  #frameOf = new Int32Array(2 ** 10);
  /** The nodes by their parent and frame: open addressing, less than half full. */
  #slots = new Int32Array(2 ** 11).fill(NONE);
  /** What each node weighs by itself, as an index of the sums and samples below; most weigh nothing. */
  #own = new Int32Array(2 ** 10);
  #self = new ExactSums();
  #samples = new Float64Array(2 ** 10);
  #decimals = 0;
  #room;
  /** The frame NO_ROOM, and how many stacks ended at one. */
  #noRoom;
  #noRoomStacks = 0;

  /** @param {Room} [room] where other trees have a part in it; it gets less as this tree grows */
  constructor(room = roomOfCapture()) {
    this.#room = room;
    this.#self.append(); // NOTHING
    this.#append(-1, this.#newFrame(ROOT_NAME, THREAD));
    this.#noRoom = this.#newFrame(NO_ROOM, USER);
  }

  /**
   * Return the number of a frame; TOO_MANY where there is no room for it.
   *
   * @param {string} name as a profiler writes it
   * @param {number} frameClass index into CLASS_NAMES
   * @param {string} [library] that a capture states (libraries.js)
   */
  frame(name, frameClass, library = "") {
    const frame = this.#frameNamed(name, frameClass);
    this.addLibrary(frame, library);
    return frame;
  }

  /**
   * @param {number} frame its number, or TOO_MANY
   * @param {string} library that a capture states for it; empty where it states none
   */
  addLibrary(frame, library) {
    if (library === "" || frame === TOO_MANY) return;
    this.#frameLibraries[frame] = joinedLibrary(this.#frameLibraries[frame], library);
  }

  /**
   * @param {string} name
   * @param {number} frameClass
   */
  #frameNamed(name, frameClass) {
    const frames = this.#frames[frameClass];
    const known = frames.get(name);
    if (known !== undefined) return known;
    if (this.#room.frames <= 0) return TOO_MANY;
    const plain = PLAIN.has(frameClass) ? name : plainName(name);
    if (plain === name) return this.#newFrame(name, frameClass);
    const frame = frames.get(plain) ?? this.#newFrame(plain, frameClass);
    this.#room.frames--; // the map of names grows all the same
    frames.set(name, frame);
    return frame;
  }

  /**
   * @param {string} name
   * @param {number} frameClass
   */
  #newFrame(name, frameClass) {
    this.#room.frames--;
    const frame = this.#frameNames.push(name) - 1;
    this.#frameClasses.push(frameClass);
    this.#frameLibraries.push("");
    this.#frames[frameClass].set(name, frame);
    return frame;
  }

  /**
   * Return the node of a frame called by another node; one of NO_ROOM where there is none.
   *
   * @param {number} node
   * @param {number} frame its number, or TOO_MANY
   */
  child(node, frame) {
    if (this.#frameOf[node] === this.#noRoom) return node;
    const isKnownFrame = frame !== TOO_MANY;
    const found = this.#slotOf(node, isKnownFrame ? frame : this.#noRoom);
    if (this.#slots[found] !== NONE) return this.#slots[found];
    if (isKnownFrame && this.#room.nodes > 0) {
      this.#room.nodes--;
      return this.#newChild(node, frame, found);
    }
    const slot = isKnownFrame ? this.#slotOf(node, this.#noRoom) : found;
    if (this.#slots[slot] !== NONE) return this.#slots[slot];
    return this.#newChild(node, this.#noRoom, slot);
  }

  /**
   * Return the slot of a frame called by another node: an empty one where there is no such node.
   *
   * @param {number} node
   * @param {number} frame
   */
  #slotOf(node, frame) {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hashOf(node, frame) & mask;
    for (; slots[slot] !== NONE; slot = (slot + 1) & mask) {
      const child = slots[slot];
      if (this.#parent[child] === node && this.#frameOf[child] === frame) break;
    }
    return slot;
  }

  /**
   * @param {number} node
   * @param {number} frame
   * @param {number} slot an empty one
   */
  #newChild(node, frame, slot) {
    const child = this.#append(node, frame);
    this.#slots[slot] = child;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return child;
  }

  /** How many stacks there was no room for, and what they weigh exactly. */
  withoutRoom() {
    let weight = 0n;
    for (let node = 0; this.#noRoomStacks > 0 && node < this.#size; node++) {
      if (this.#frameOf[node] === this.#noRoom) weight += this.#self.exact(this.#own[node]);
    }
    return { stacks: this.#noRoomStacks, weight };
  }

  /** Weights count tenths, hundredths … of the event's unit: 1, 2 … decimals. */
  get decimals() {
    return this.#decimals;
  }

  /**
   * Count in smaller units from now on; what was added keeps its weight.
   *
   * @param {number} decimals
   */
  refine(decimals) {
    if (decimals === this.#decimals) return;
    this.#self.multiply(10n ** BigInt(decimals - this.#decimals));
    this.#decimals = decimals;
  }

  /**
   * Add to what a node weighs by itself.
   *
   * @param {number} node
   * @param {number | bigint} weight exact, a whole number
   * @param {number} samples
   */
  add(node, weight, samples) {
    if (weight === 0 && samples === 0) return;
    if (this.#frameOf[node] === this.#noRoom) this.#noRoomStacks += Math.max(samples, 1);
    if (this.#own[node] === NOTHING) this.#own[node] = this.#self.append();
    const own = this.#own[node];
    this.#self.add(own, weight);
    this.#samples = withRoom(this.#samples, own + 1);
    this.#samples[own] += samples;
  }

  /**
   * Add a stack.
   *
   * @param {import("../read/stacks/perf_frame.js").Frame[]} frames outermost first
   * @param {number | bigint} weight exact, a whole number
   * @param {number} samples
   */
  addStack(frames, weight, samples) {
    let node = 0;
    for (const { name, frameClass, library } of frames)
      node = this.child(node, this.frame(name, frameClass, library));
    this.add(node, weight, samples);
  }

  /** Return the exact weight of all that was added. */
  total() {
    return this.#self.total();
  }

  /**
   * Add all that was added to another builder, which counts in the same unit or one so much coarser.
   *
   * @param {ProfileBuilder} other
   */
  addAll(other) {
    const finer = 10n ** BigInt(this.#decimals - other.#decimals);
    const frames = other.#frameNames.map((name, frame) =>
      this.frame(name, other.#frameClasses[frame], other.#frameLibraries[frame]),
    );
    const nodes = new Int32Array(other.#size);
    for (let node = 0; node < nodes.length; node++) {
      if (node > 0) {
        nodes[node] = this.child(nodes[other.#parent[node]], frames[other.#frameOf[node]]);
      }
      const own = other.#own[node];
      const weight = other.#self.get(own);
      const finest = finer === 1n ? weight : BigInt(weight) * finer;
      this.add(nodes[node], finest, other.#samples[own]);
    }
  }

  /**
   * Return the call tree of all that was added, its nodes and names in the order of a profile's.
   *
   * @returns {Tree}
   */
  tree() {
    const frames = { names: this.#frameNames, classes: this.#frameClasses };
    const parents = this.#parent.subarray(0, this.#size);
    const order = preorder(parents, this.#frameOf, frameRanks(frames));
    const { names, classes, nameOfFrame } = namesInOrder(order, this.#frameOf, frames);
    const place = new Int32Array(order.length); // of a node among those of the tree
    for (let at = 0; at < order.length; at++) place[order[at]] = at;
    const library = names.map(() => "");
    for (const [frame, stated] of this.#frameLibraries.entries()) {
      if (nameOfFrame[frame] >= 0) library[nameOfFrame[frame]] = stated;
    }
    const own = order.map((node) => this.#own[node]);
    const selfSamples = new Float64Array(order.length);
    for (let at = 0; at < own.length; at++) selfSamples[at] = this.#samples[own[at]];
    return {
      names,
      classes,
      library,
      parent: order.map((node) => (node === 0 ? -1 : place[this.#parent[node]])),
      name: order.map((node) => nameOfFrame[this.#frameOf[node]]),
      ...scaled(this.#self, own),
      selfSamples,
    };
  }

  /**
   * Return the profile of all that was added.
   *
   * @param {object} about
   * @param {string} about.event
   * @param {string} about.unit what a weight of 1 counts, with the builder's decimals
   * @param {number | null} about.samples how many there were, where known
   * @param {boolean} about.samplesByNode whether `add()` got the samples of each node
   * @param {import("./profile.js").Capture[]} about.captures
   * @returns {import("./profile.js").Profile}
   */
  build({ event, unit, samples, samplesByNode, captures }) {
    const { names, classes, library, parent, name, scale, total, self, selfSamples } = this.tree();
    return {
      format: "perfpress-profile",
      version: 1,
      event,
      unit,
      scale,
      total: String(total),
      samples,
      class_names: CLASS_NAMES,
      names,
      keys: names.map((name, index) => {
        const key = matchKey(name, classes[index]);
        return key === name ? null : key;
      }),
      classes,
      ...libraryColumns(library),
      parent: Array.from(parent),
      name: Array.from(name),
      self: self instanceof Float64Array ? Array.from(self) : self.map(String),
      self_samples: samplesByNode ? Array.from(selfSamples) : null,
      captures: [...captures].sort(byFileAndContent),
    };
  }

  /**
   * @param {number} parent
   * @param {number} frame
   */
  #append(parent, frame) {
    const node = this.#size++;
    this.#parent = withRoom(this.#parent, this.#size);
    this.#frameOf = withRoom(this.#frameOf, this.#size);
    this.#own = withRoom(this.#own, this.#size);
    this.#parent[node] = parent;
    this.#frameOf[node] = frame;
    return node;
  }

  #rehash() {
    const slots = new Int32Array(this.#slots.length * 2).fill(NONE);
    const mask = slots.length - 1;
    for (let node = 1; node < this.#size; node++) {
      let slot = hashOf(this.#parent[node], this.#frameOf[node]) & mask;
      while (slots[slot] !== NONE) slot = (slot + 1) & mask;
      slots[slot] = node;
    }
    this.#slots = slots;
  }
}

/**
 * @param {number} node
 * @param {number} frame
 */
function hashOf(node, frame) {
  const hash = Math.imul(Math.imul(node, 0x9e3779b1) ^ frame, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/**
 * @param {import("./profile.js").Capture} a
 * @param {import("./profile.js").Capture} b
 */
function byFileAndContent(a, b) {
  const [left, right] = [a, b].map((capture) => JSON.stringify([capture.file, capture.sha256]));
  return left < right ? -1 : Number(left > right);
}

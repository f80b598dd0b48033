/** Makes a profile of stacks in any order: the same stacks give the same profile. */

import { matchKey } from "./names.js";
import { CLASS_NAMES, ROOT_NAME, THREAD } from "./profile.js";
import { ExactSums, exactSum, greatestDivisor } from "./weights.js";

/**
 * Readers keep as many frames of a stack, the innermost ones, and put CUT_OFF for the others between
 * them and the thread. perf itself stops at 127.
 */
export const DEEPEST_STACK = 4096;

export const CUT_OFF = "[stack cut off]";

/** Node × FRAME_LIMIT + frame is exact in a double: 2^26 frames, 2^27 nodes. */
const FRAME_LIMIT = 2 ** 26;

/**
 * A call tree that grows. A frame is a (name, class), numbered by `frame()`; a node is a frame below
 * another node, numbered by `child()`. Node 0 is the root.
 */
export class ProfileBuilder {
  /** @type {string[]} */
  #frameNames = [];
  /** @type {number[]} */
  #frameClasses = [];
  /** @type {Map<string, number>[]} the frames of each class, by name */
  #frames = CLASS_NAMES.map(() => new Map());

  /** @type {number[]} */
  #parent = [];
  /** @type {number[]} */
  #frameOf = [];
  /** @type {Map<number, number>} */
  #children = new Map();
  #self = new ExactSums();
  #decimals = 0;
  /** @type {number[]} */
  #selfSamples = [];

  constructor() {
    this.#append(-1, this.frame(ROOT_NAME, THREAD));
  }

  /**
   * Return the number of a frame.
   *
   * @param {string} name
   * @param {number} frameClass index into CLASS_NAMES
   */
  frame(name, frameClass) {
    const known = this.#frames[frameClass].get(name);
    if (known !== undefined) return known;
    const frame = this.#frameNames.push(name) - 1;
    this.#frameClasses.push(frameClass);
    this.#frames[frameClass].set(name, frame);
    return frame;
  }

  /**
   * Return the node of a frame called by another node.
   *
   * @param {number} node
   * @param {number} frame
   */
  child(node, frame) {
    const key = node * FRAME_LIMIT + frame;
    let child = this.#children.get(key);
    if (child === undefined) {
      child = this.#append(node, frame);
      this.#children.set(key, child);
    }
    return child;
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
    this.#self.add(node, weight);
    this.#selfSamples[node] += samples;
  }

  /** Return the exact weight of all that was added. */
  total() {
    return this.#self.total();
  }

  /**
   * Return the profile of all that was added.
   *
   * @param {object} about
   * @param {string} about.event
   * @param {string} about.unit what a weight of 1 counts, with the builder's decimals
   * @param {number | null} about.samples how many there were, where the captures tell
   * @param {boolean} about.samplesByNode whether `add()` was told the samples of each node
   * @param {import("./profile.js").Capture[]} about.captures
   * @returns {import("./profile.js").Profile}
   */
  build({ event, unit, samples, samplesByNode, captures }) {
    const order = this.#preorder();
    const { names, classes, nameOfFrame } = this.#namesInOrder(order);
    const place = new Int32Array(order.length); // of a node among those of the profile
    for (let at = 0; at < order.length; at++) place[order[at]] = at;
    const { scale, total, self } = scaled(Array.from(order, (node) => this.#self.get(node)));
    return {
      format: "perfpress-profile",
      version: 1,
      event,
      unit,
      scale,
      total,
      samples,
      class_names: CLASS_NAMES,
      names,
      keys: names.map((name, index) => {
        const key = matchKey(name, classes[index]);
        return key === name ? null : key;
      }),
      classes,
      parent: Array.from(order, (node) => (node === 0 ? -1 : place[this.#parent[node]])),
      name: Array.from(order, (node) => nameOfFrame[this.#frameOf[node]]),
      self,
      self_samples: samplesByNode ? Array.from(order, (node) => this.#selfSamples[node]) : null,
      captures: [...captures].sort(byFileAndContent),
    };
  }

  /**
   * @param {number} parent
   * @param {number} frame
   */
  #append(parent, frame) {
    this.#self.append();
    this.#selfSamples.push(0);
    this.#frameOf.push(frame);
    return this.#parent.push(parent) - 1;
  }

  /** Return all nodes, parents first and siblings by their frame's rank. */
  #preorder() {
    const size = this.#parent.length;
    const firstChild = new Int32Array(size).fill(-1);
    const nextSibling = new Int32Array(size).fill(-1);
    for (const node of this.#nodesByRankBackwards()) {
      const parent = this.#parent[node];
      if (parent < 0) continue;
      nextSibling[node] = firstChild[parent];
      firstChild[parent] = node;
    }
    const order = new Int32Array(size);
    let node = 0;
    for (let at = 0; at < size; at++) {
      order[at] = node;
      if (firstChild[node] >= 0) {
        node = firstChild[node];
        continue;
      }
      while (node > 0 && nextSibling[node] < 0) node = this.#parent[node];
      node = nextSibling[node];
    }
    return order;
  }

  /** Return all nodes, those of the last frame first: a counting sort by their frame's rank. */
  #nodesByRankBackwards() {
    const ranks = this.#frameRanks();
    const start = new Int32Array(ranks.length + 1);
    for (const frame of this.#frameOf) start[ranks.length - 1 - ranks[frame] + 1]++;
    for (let at = 0; at < ranks.length; at++) start[at + 1] += start[at];
    const sorted = new Int32Array(this.#frameOf.length);
    this.#frameOf.forEach((frame, node) => {
      sorted[start[ranks.length - 1 - ranks[frame]]++] = node;
    });
    return sorted;
  }

  /** Return the place of each frame in the order of its name's UTF-8 bytes, then its class. */
  #frameRanks() {
    const encoder = new TextEncoder();
    const bytes = this.#frameNames.map((name) => encoder.encode(name));
    const frames = bytes.map((_, frame) => frame);
    frames.sort(
      (a, b) => compareBytes(bytes[a], bytes[b]) || this.#frameClasses[a] - this.#frameClasses[b],
    );
    const ranks = new Int32Array(frames.length);
    frames.forEach((frame, rank) => {
      ranks[frame] = rank;
    });
    return ranks;
  }

  /**
   * Return the names that nodes have, in the order of their first node.
   *
   * @param {Int32Array} order
   */
  #namesInOrder(order) {
    /** @type {string[]} */
    const names = [];
    /** @type {number[]} */
    const classes = [];
    const nameOfFrame = new Int32Array(this.#frameNames.length).fill(-1);
    for (const node of order) {
      const frame = this.#frameOf[node];
      if (nameOfFrame[frame] >= 0) continue;
      nameOfFrame[frame] = names.push(this.#frameNames[frame]) - 1;
      classes.push(this.#frameClasses[frame]);
    }
    return { names, classes, nameOfFrame };
  }
}

/**
 * Return self weights as the profile file has them.
 *
 * @param {(number | bigint)[]} exact
 * @returns {Pick<import("./profile.js").Profile, "scale" | "total" | "self">}
 */
function scaled(exact) {
  const total = exactSum(exact);
  const divisor = greatestDivisor(exact);
  const scale = typeof divisor === "number" && divisor > 0 ? divisor : 1;
  if (total / BigInt(scale) > Number.MAX_SAFE_INTEGER) {
    const self = exact.map((weight) => String(BigInt(weight) / BigInt(scale)));
    return { scale, total: String(total), self };
  }
  const self = exact.map((weight) =>
    typeof weight === "number" ? weight / scale : Number(weight / BigInt(scale)),
  );
  return { scale, total: String(total), self };
}

/**
 * @param {Uint8Array} a
 * @param {Uint8Array} b
 */
function compareBytes(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

/**
 * @param {import("./profile.js").Capture} a
 * @param {import("./profile.js").Capture} b
 */
function byFileAndContent(a, b) {
  const [left, right] = [a, b].map((capture) => JSON.stringify([capture.file, capture.sha256]));
  return left < right ? -1 : Number(left > right);
}

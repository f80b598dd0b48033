/** The order of a profile's nodes and names: the same for the same stacks, however they came. */

/**
 * The frames of a growing tree, by their numbers.
 *
 * @typedef {{ names: string[], classes: number[] }} Frames
 */

/**
 * Return all nodes, parents first and siblings by their frame's rank.
 *
 * @param {Int32Array} parents by node; -1 of the root, which is node 0
 * @param {Int32Array} frameOf by node
 * @param {Int32Array} ranks by frame
 */
export function preorder(parents, frameOf, ranks) {
  const size = parents.length;
  const firstChild = new Int32Array(size).fill(-1);
  const nextSibling = new Int32Array(size).fill(-1);
  for (const node of byRankBackwards(size, frameOf, ranks)) {
    const parent = parents[node];
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
    while (node > 0 && nextSibling[node] < 0) node = parents[node];
    node = nextSibling[node];
  }
  return order;
}

/**
 * Return all nodes, those of the last frame first: a counting sort by their frame's rank.
 *
 * @param {number} size how many nodes there are
 * @param {Int32Array} frameOf by node
 * @param {Int32Array} ranks by frame
 */
function byRankBackwards(size, frameOf, ranks) {
  const last = ranks.length - 1;
  const start = new Int32Array(ranks.length + 1);
  for (let node = 0; node < size; node++) start[last - ranks[frameOf[node]] + 1]++;
  for (let at = 0; at < ranks.length; at++) start[at + 1] += start[at];
  const sorted = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    sorted[start[last - ranks[frameOf[node]]]++] = node;
  }
  return sorted;
}

/**
 * Return the place of each frame in the order of its name's UTF-8 bytes, then its class.
 *
 * @param {Frames} frames
 */
export function frameRanks({ names, classes }) {
  // Without such characters, UTF-16 sorts as UTF-8 does.
  const compare = names.some((name) => HALVES.test(name))
    ? compareBytes
    : (/** @type {string} */ a, /** @type {string} */ b) => (a < b ? -1 : Number(a > b));
  const frames = Int32Array.from(names, (_, frame) => frame);
  frames.sort((a, b) => compare(names[a], names[b]) || classes[a] - classes[b]);
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
 * @param {Int32Array} frameOf by node
 * @param {Frames} frames
 */
export function namesInOrder(order, frameOf, frames) {
  /** @type {string[]} */
  const names = [];
  /** @type {number[]} */
  const classes = [];
  const nameOfFrame = new Int32Array(frames.names.length).fill(-1);
  for (const node of order) {
    const frame = frameOf[node];
    if (nameOfFrame[frame] >= 0) continue;
    nameOfFrame[frame] = names.push(frames.names[frame]) - 1;
    classes.push(frames.classes[frame]);
  }
  return { names, classes, nameOfFrame };
}

/** Characters of four bytes, which a string has in halves that sort before some of three bytes. */
const HALVES = /[\ud800-\udfff]/;

const ENCODER = new TextEncoder();

/**
 * Compare the UTF-8 bytes of names.
 *
 * @param {string} left
 * @param {string} right
 */
function compareBytes(left, right) {
  const [a, b] = [left, right].map((name) => ENCODER.encode(name));
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) if (a[at] !== b[at]) return a[at] - b[at];
  return a.length - b.length;
}

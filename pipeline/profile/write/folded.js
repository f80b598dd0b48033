/** Writes folded stacks; read/folded/reader.js says what they are. */

import { Buffer } from "node:buffer";
import { withRoom } from "../model/columns.js";
import { foldedFrame, formatFacts, weightText } from "../model/export_format.js";
import { selfWeights } from "../model/profile.js";
import { wholeUnit } from "../model/units.js";

/** Stacks are gathered to pieces of this size, and never held all at once. */
const PIECE_SIZE = 2 ** 20;

/**
 * Write a profile as folded stacks, in the order of its nodes.
 *
 * @param {import("../model/profile.js").Profile} profile
 * @returns {Generator<Uint8Array, void>} UTF-8, each good until the next is asked for
 */
export function foldedProfile(profile) {
  return gathered(foldedLines(profile, { ...profile, self: selfWeights(profile) }));
}

/**
 * Write a tree as folded stacks: the same bytes as those of its profile.
 *
 * @param {import("../model/event_tree.js").EventTree} tree
 */
export function foldedTree(tree) {
  return gathered(foldedLines(tree, tree.builder.tree()));
}

/**
 * Write the stack of each node.
 *
 * @param {import("../model/naming.js").NamedNodes} nodes
 * @returns {string[]}
 */
export function foldedStacks({ names, classes, parent, name }) {
  const { first, further } = frameTexts(names, classes);
  const stacks = [first[name[0]]];
  for (let node = 1; node < parent.length; node++) {
    const above = parent[node];
    stacks[node] = above === 0 ? first[name[node]] : `${stacks[above]}${further[name[node]]}`;
  }
  return stacks;
}

/**
 * Write the head and the line of each node that weighs something, in parts. A node's path is written
 * after that of its parent, which is in the same buffer: nodes are in preorder.
 *
 * @param {import("../model/export_format.js").Facts} facts
 * @param {Omit<import("../model/event_tree.js").WeighedNodes, "library">} nodes
 * @returns {Generator<Uint8Array, void>} each good until the next is asked for
 */
function* foldedLines(facts, { names, classes, parent, name, self, scale }) {
  yield Buffer.from(`# ${formatFacts({ ...facts, unit: wholeUnit(facts.unit) })}\n`);
  const texts = frameTexts(names, classes);
  const [first, further] = [texts.first, texts.further].map((list) =>
    list.map((text) => Buffer.from(text)),
  );
  let path = new Uint8Array(2 ** 12);
  const ends = new Int32Array(parent.length);
  for (let node = 0; node < parent.length; node++) {
    const above = parent[node];
    const text = (above <= 0 ? first : further)[name[node]];
    const start = above <= 0 ? 0 : ends[above];
    const end = start + text.length;
    ends[node] = end;
    path = withRoom(path, end);
    path.set(text, start);
    if (!self[node]) continue;
    const weight = ` ${weightText({ unit: facts.unit, scale }, self[node])}\n`;
    path = withRoom(path, end + weight.length);
    for (let at = 0; at < weight.length; at++) path[end + at] = weight.charCodeAt(at);
    yield path.subarray(0, end + weight.length); // a child's name replaces the weight
  }
}

/**
 * Write each name as a first frame, a thread, and as any further one.
 *
 * @param {string[]} names
 * @param {ArrayLike<number>} classes
 */
function frameTexts(names, classes) {
  const first = names.map((text) => foldedFrame(text));
  const further = names.map((text, index) => `;${foldedFrame(text, classes[index])}`);
  return { first, further };
}

/**
 * Gather parts to pieces that are worth a write each.
 *
 * @param {Iterable<Uint8Array>} parts
 */
function* gathered(parts) {
  const piece = new Uint8Array(PIECE_SIZE);
  let filled = 0;
  for (const part of parts) {
    if (filled + part.length > PIECE_SIZE) {
      yield piece.subarray(0, filled);
      filled = 0;
    }
    if (part.length > PIECE_SIZE) {
      yield part;
    } else {
      piece.set(part, filled);
      filled += part.length;
    }
  }
  yield piece.subarray(0, filled);
}

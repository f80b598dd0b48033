/** Converts an event's tree: to counts of samples, or to fewer classes. */

import { addNodes } from "./event_tree.js";
import { BadInput, problem } from "./problems.js";
import { CLASS_NAMES, INLINED, JIT, KERNEL, LIBRARY, THREAD, USER } from "./profile.js";
import { ProfileBuilder } from "./profile_builder.js";

/** @typedef {import("./event_tree.js").EventTree} EventTree */

/** Classes that folded stacks can mark, by the words that choose them. */
export const ANNOTATIONS = [KERNEL, JIT, INLINED, LIBRARY].map((each) => CLASS_NAMES[each]);

/**
 * Return a tree in which each sample weighs 1, whatever its period.
 *
 * @param {EventTree} tree
 * @param {string} path of its file, for messages
 * @returns {EventTree}
 * @throws {BadInput} where its captures do not state samples
 */
export function bySamples(tree, path) {
  if (!tree.samplesByNode || tree.samples === null) {
    const found = "stacks without numbers of samples";
    const todo = "name captures that do, as perf script text does, or leave --samples out";
    throw new BadInput(
      problem({ path, found, expected: "samples, each with its stack", do: todo }),
    );
  }
  const nodes = tree.builder.tree();
  const builder = new ProfileBuilder();
  addNodes(builder, { ...nodes, self: nodes.selfSamples, scale: 1 }, nodes.selfSamples);
  const captures = tree.captures.map((capture) => ({ ...capture, weight: `${capture.samples}` }));
  return { ...tree, unit: "samples", builder, captures };
}

/**
 * Return a tree that knows some classes only: frames of the others are the program's own.
 *
 * @param {EventTree} tree
 * @param {string[]} kept of ANNOTATIONS
 * @returns {EventTree}
 */
export function annotated(tree, kept) {
  const known = new Set([CLASS_NAMES[THREAD], ...kept]);
  const nodes = tree.builder.tree();
  const classes = nodes.classes.map((each) => (known.has(CLASS_NAMES[each]) ? each : USER));
  const builder = new ProfileBuilder();
  builder.refine(tree.builder.decimals);
  addNodes(builder, { ...nodes, classes }, nodes.selfSamples);
  return { ...tree, builder };
}

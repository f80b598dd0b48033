/**
 * Writes files for speedscope: https://www.speedscope.app/file-format-schema.json
 *
 * A frame's class and library are its file. Facts that speedscope has no field for are in the name of the exporter
 * (model/export_format.js), where read/speedscope/reader.js finds them.
 */

import { formatFacts, formatObject } from "../model/export_format.js";
import { BadInput, problem } from "../model/problems.js";
import { exactWeight } from "../model/profile.js";

const SCHEMA = "https://www.speedscope.app/file-format-schema.json";

/**
 * Speedscope's names of our units, where it has one.
 *
 * @type {Record<string, string>}
 */
const SPEEDSCOPE_UNITS = { "CPU ns": "nanoseconds", ns: "nanoseconds", bytes: "bytes" };

/**
 * Write a tree for speedscope: its weights and, where they are known, its samples as a second
 * profile.
 *
 * @param {import("../model/event_tree.js").EventTree} tree
 * @returns {Generator<string, void>}
 * @throws {BadInput} where JavaScript's numbers, which speedscope counts with, cannot hold a weight
 */
export function* speedscopeTree(tree) {
  const { names, classes, library, parent, name, self, selfSamples, scale } = tree.builder.tree();
  const frames = names.map((text, at) => ({
    name: text,
    file: formatObject(classes[at], library[at]),
  }));
  const head = { $schema: SCHEMA, exporter: formatFacts(tree), activeProfileIndex: 0 };
  yield `${JSON.stringify(head).slice(0, -1)},\n"shared":${JSON.stringify({ frames })},\n"profiles":[`;
  const weights = Array.from(self.keys(), (node) =>
    exactNumber(tree, exactWeight({ scale }, self[node])),
  );
  const unit = SPEEDSCOPE_UNITS[tree.unit] ?? "none";
  yield* sampledProfile({ name: tree.event, unit }, { parent, name }, weights);
  if (tree.samplesByNode) {
    yield ",";
    yield* sampledProfile({ name: "samples", unit: "none" }, { parent, name }, selfSamples);
  }
  yield "]}\n";
}

/**
 * @param {{ name: string, unit: string }} about
 * @param {{ parent: Int32Array, name: Int32Array }} nodes
 * @param {ArrayLike<number>} weights one a node
 * @returns {Generator<string, void>}
 */
function* sampledProfile(about, { parent, name }, weights) {
  const weighed = Array.from(weights, (_, node) => node).filter((node) => weights[node] > 0);
  const endValue = weighed.reduce((sum, node) => sum + weights[node], 0);
  const head = { type: "sampled", ...about, startValue: 0, endValue };
  yield `\n${JSON.stringify(head).slice(0, -1)},\n"samples":[`;
  for (const [at, node] of weighed.entries()) {
    const path = [];
    for (let each = node; each > 0; each = parent[each]) path.push(name[each]);
    yield `${at === 0 ? "" : ","}${JSON.stringify(path.reverse())}`;
  }
  yield `],\n"weights":${JSON.stringify(weighed.map((node) => weights[node]))}}`;
}

/**
 * @param {import("../model/event_tree.js").EventTree} tree
 * @param {bigint} weight
 */
function exactNumber({ captures, unit }, weight) {
  if (weight <= Number.MAX_SAFE_INTEGER) return Number(weight);
  throw new BadInput(
    problem({
      path: captures[0]?.file ?? "speedscope",
      found: `a stack that weighs ${weight} ${unit}`,
      expected: `at most ${Number.MAX_SAFE_INTEGER}, which is all that speedscope counts exactly`,
      do: "write folded stacks or a profile, which hold any",
    }),
  );
}

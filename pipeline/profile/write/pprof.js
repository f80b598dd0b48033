/**
 * Writes pprof files: https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * A name is a function and a location. The file of the location's mapping is the library, where it is known; class and
 * library are its build id. Facts that pprof has no field for are in a comment (model/export_format.js), so that
 * read/pprof reads the same again.
 */

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { formatFacts, formatObject } from "../model/export_format.js";
import { SEVERAL } from "../model/libraries.js";
import { BadInput, problem } from "../model/problems.js";
import { exactWeight, INLINED, JIT, KERNEL, LIBRARY, THREAD, USER } from "../model/profile.js";

/** Weights are signed integers of 64 bits, and so are the sums that pprof makes of them. */
const LARGEST_WEIGHT = 2n ** 63n - 1n;

/**
 * Names of units in pprof's own words; others are written as they are.
 *
 * @type {Record<string, string>}
 */
const PPROF_UNITS = {
  "CPU ns": "nanoseconds",
  ns: "nanoseconds",
  samples: "count",
  events: "count",
};

/** The classes, each a mapping of what is in no known library. pprof takes the first for that of the program itself. */
const MAPPINGS = [USER, THREAD, LIBRARY, KERNEL, JIT, INLINED];

/** Nodes whose samples are written as one piece. */
const PIECE_SIZE = 2 ** 16;

/**
 * Write a tree as a pprof file, not compressed.
 *
 * @param {import("../model/event_tree.js").EventTree} tree
 * @returns {Generator<Uint8Array, void>}
 * @throws {BadInput} where pprof cannot hold the weights
 */
export function* pprofTree(tree) {
  const { names, classes, library, parent, name, self, selfSamples, scale, total } =
    tree.builder.tree();
  if (total > LARGEST_WEIGHT) throw new BadInput(tooHeavy(tree, total));
  const strings = new Strings();
  const writer = new BinaryWriter();
  if (tree.samplesByNode) valueType(writer, strings.index("samples"), strings.index("count"));
  const unit = strings.index(PPROF_UNITS[tree.unit] ?? tree.unit);
  valueType(writer, strings.index(tree.event), unit);
  for (let node = 0; node < parent.length; node++) {
    if (!self[node] && !(tree.samplesByNode && selfSamples[node])) continue;
    const weight = exactWeight({ scale }, self[node]);
    const values = tree.samplesByNode ? [BigInt(selfSamples[node]), weight] : [weight];
    sample(writer, pathOf(node, parent, name), values);
    if (node % PIECE_SIZE === 0) yield writer.finish();
  }
  const program = programOf({ names, classes, parent, name });
  const mappings = mappingsOf(classes, library);
  for (const [object, { id, frameClass, file }] of mappings) {
    const known = file || (frameClass === USER && program) || object;
    mapping(writer, id, strings.index(known), strings.index(object));
  }
  names.forEach((text, at) => {
    const object = formatObject(classes[at], library[at]);
    location(writer, at + 1, /** @type {Mapping} */ (mappings.get(object)).id);
    functionName(writer, at + 1, strings.index(text));
  });
  const comment = strings.index(formatFacts(tree));
  for (const text of strings.list) writer.tag(6, WireType.LengthDelimited).string(text);
  writer.tag(13, WireType.Varint).int64(comment);
  writer.tag(14, WireType.Varint).int64(strings.index(tree.event)); // the type of samples to show
  yield writer.finish();
}

/** @typedef {{ id: number, frameClass: number, file: string }} Mapping */

/**
 * Return a mapping for each class, and for each library of one, by what its build id says.
 *
 * @param {number[]} classes by name
 * @param {string[]} library by name
 */
function mappingsOf(classes, library) {
  /** @type {Map<string, Mapping>} */
  const mappings = new Map();
  /** @param {number} frameClass @param {string} file */
  const add = (frameClass, file) => {
    const object = formatObject(frameClass, file);
    if (!mappings.has(object)) mappings.set(object, { id: mappings.size + 1, frameClass, file });
  };
  for (const each of MAPPINGS) add(each, "");
  classes.forEach((each, at) => {
    if (library[at] !== SEVERAL) add(each, library[at]);
  });
  return mappings;
}

/**
 * Return the name of the program, which is that of its thread, where all threads have one name; else null.
 *
 * @param {{ names: string[], classes: number[], parent: Int32Array, name: Int32Array }} tree
 */
function programOf({ names, classes, parent, name }) {
  const threads = new Set(name.filter((_, node) => parent[node] === 0));
  const [only] = threads;
  if (threads.size !== 1 || classes[only] !== THREAD) return null;
  return names[only].startsWith("[") ? null : names[only];
}

/** The strings of a file, each once; the first is empty. */
class Strings {
  list = [""];
  /** @type {Map<string, number>} */
  #indices = new Map([["", 0]]);

  /** @param {string} text */
  index(text) {
    let index = this.#indices.get(text);
    if (index === undefined) {
      index = this.list.push(text) - 1;
      this.#indices.set(text, index);
    }
    return index;
  }
}

/**
 * Return the locations of a stack, innermost first, without the root.
 *
 * @param {number} node
 * @param {Int32Array} parent
 * @param {Int32Array} name
 */
function pathOf(node, parent, name) {
  const path = [];
  for (let at = node; at > 0; at = parent[at]) path.push(name[at] + 1);
  return path;
}

/**
 * @param {BinaryWriter} writer
 * @param {number} type
 * @param {number} unit
 */
function valueType(writer, type, unit) {
  writer.tag(1, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).int64(type).tag(2, WireType.Varint).int64(unit).join();
}

/**
 * @param {BinaryWriter} writer
 * @param {number[]} locations
 * @param {bigint[]} values
 */
function sample(writer, locations, values) {
  writer.tag(2, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.LengthDelimited).fork();
  for (const id of locations) writer.uint64(id);
  writer.join().tag(2, WireType.LengthDelimited).fork();
  for (const value of values) writer.int64(value);
  writer.join().join();
}

/**
 * @param {BinaryWriter} writer
 * @param {number} id
 * @param {number} file
 * @param {number} buildId which has the class, also where the file is the program
 */
function mapping(writer, id, file, buildId) {
  writer.tag(3, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).uint64(id).tag(5, WireType.Varint).int64(file);
  writer.tag(6, WireType.Varint).int64(buildId);
  writer.tag(7, WireType.Varint).bool(true).join(); // it has functions: nothing is left to look up
}

/**
 * @param {BinaryWriter} writer
 * @param {number} id of the location, and of its function
 * @param {number} mappingId
 */
function location(writer, id, mappingId) {
  writer.tag(4, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).uint64(id).tag(2, WireType.Varint).uint64(mappingId);
  writer.tag(4, WireType.LengthDelimited).fork();
  writer.tag(1, WireType.Varint).uint64(id).join().join();
}

/**
 * @param {BinaryWriter} writer
 * @param {number} id
 * @param {number} text
 */
function functionName(writer, id, text) {
  writer.tag(5, WireType.LengthDelimited).fork();
  // with a system name that is the same, `go tool pprof` would take it for a mangled one, and cut off what is in brackets
  writer.tag(1, WireType.Varint).uint64(id).tag(2, WireType.Varint).int64(text).join();
}

/**
 * @param {import("../model/event_tree.js").EventTree} tree
 * @param {bigint} total
 */
function tooHeavy({ captures, unit }, total) {
  return problem({
    path: captures[0]?.file ?? "pprof",
    found: `a weight of ${total} ${unit}`,
    expected: `at most ${LARGEST_WEIGHT}, which is all that pprof holds`,
    do: "write folded stacks or a profile, which hold any",
  });
}

/**
 * Writes files for the Firefox Profiler, in its processed format:
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
 *
 * Each thread of the tree is one of its threads, a class of code a category, a library one of its own, and a stack a sample with its weight. It
 * reads older versions of its format: this is 55, that of 2025. Facts that it has no field for are in one of our own
 * (model/export_format.js).
 */

import { formatFacts } from "../model/export_format.js";
import { SEVERAL } from "../model/libraries.js";
import { BadInput, problem } from "../model/problems.js";
import { CLASS_NAMES, exactWeight } from "../model/profile.js";

const VERSION = 55;

/** Of Firefox's own profiles, which these are not; a number has to be there. */
const GECKO_VERSION = 24;

/** `resourceTypes.library` of its format. */
const LIBRARY_RESOURCE = 1;

/** Colours of the classes in its graphs, in their order: thread, user, library, kernel, jit, inlined. */
const COLOURS = ["grey", "yellow", "blue", "orange", "green", "lightblue"];

/**
 * Write a tree for the Firefox Profiler.
 *
 * @param {import("../model/event_tree.js").EventTree} tree
 * @returns {Generator<string, void>}
 * @throws {BadInput} where JavaScript's numbers, which it counts with, cannot hold a weight
 */
export function* firefoxTree(tree) {
  const { names, classes, library, parent, name, self, scale } = tree.builder.tree();
  const libraries = [...new Set(library)].filter((each) => each !== "" && each !== SEVERAL);
  const head = { meta: metaOf(tree), libs: libraries.map(libOf), pages: [], counters: [] };
  yield `${JSON.stringify(head).slice(0, -1)},\n"threads":[`;
  for (let node = 1, count = 0; node < parent.length; count++) {
    let end = node + 1;
    while (end < parent.length && parent[end] !== 0) end++;
    const weights = [];
    for (let at = node; at < end; at++)
      weights.push(exactNumber(tree, exactWeight({ scale }, self[at])));
    const nodes = { names, classes, library, libraries, parent, name, start: node, end };
    yield `${count === 0 ? "" : ","}\n${JSON.stringify(threadOf(tree, nodes, weights, count))}`;
    node = end;
  }
  yield "]}\n";
}

/** @param {string} name */
function libOf(name) {
  const [path, debugPath] = [name, name];
  return { arch: "", name, path, debugName: name, debugPath, breakpadId: "", codeId: null };
}

/** @param {import("../model/event_tree.js").EventTree} tree */
function metaOf(tree) {
  return {
    interval: 1,
    startTime: 0,
    processType: 0,
    product: `Perfpress: ${tree.event} in ${tree.unit}`,
    importedFrom: "Perfpress",
    perfpress: formatFacts(tree),
    version: GECKO_VERSION,
    preprocessedProfileVersion: VERSION,
    symbolicated: true,
    debug: false,
    stackwalk: 0,
    extensions: { baseURL: [], id: [], name: [], length: 0 },
    categories: CLASS_NAMES.map((name, at) => ({
      name,
      color: COLOURS[at],
      subcategories: ["Other"],
    })),
    sampleUnits: { time: "ms", eventDelay: "ms", threadCPUDelta: "µs" },
    usesOnlyOneStackType: true,
    sourceCodeIsNotOnSearchfox: true,
    markerSchema: [],
  };
}

/**
 * @typedef {object} ThreadNodes a thread and what is below it, which are next to each other
 * @property {string[]} names
 * @property {number[]} classes
 * @property {string[]} library by name
 * @property {string[]} libraries those that there are
 * @property {Int32Array} parent
 * @property {Int32Array} name
 * @property {number} start
 * @property {number} end
 */

/**
 * @param {import("../model/event_tree.js").EventTree} tree
 * @param {ThreadNodes} nodes
 * @param {number[]} weights of each
 * @param {number} tid
 */
function threadOf({ unit }, nodes, weights, tid) {
  const { names, classes, library, libraries, parent, name, start, end } = nodes;
  /** @type {Map<number, number>} the thread's own number of a name */
  const functions = new Map();
  const [prefix, frame] = [/** @type {(number | null)[]} */ ([]), /** @type {number[]} */ ([])];
  for (let node = start; node < end; node++) {
    if (!functions.has(name[node])) functions.set(name[node], functions.size);
    frame.push(/** @type {number} */ (functions.get(name[node])));
    prefix.push(node === start ? null : parent[node] - start);
  }
  const sampled = weights.flatMap((weight, at) => (weight > 0 ? [at] : []));
  const used = [...functions.keys()];
  const { length } = used;
  const indices = used.map((_, at) => at);
  const resources = [...new Set(used.map((index) => libraries.indexOf(library[index])))].filter(
    (lib) => lib >= 0,
  );
  /** @param {unknown} value */
  const all = (value) => used.map(() => value);
  return {
    name: names[name[start]],
    isMainThread: tid === 0,
    processType: "default",
    processName: "Perfpress",
    processStartupTime: 0,
    processShutdownTime: null,
    registerTime: 0,
    unregisterTime: null,
    pausedRanges: [],
    pid: "0",
    tid,
    samples: {
      stack: sampled,
      time: sampled.map((_, at) => at),
      weight: sampled.map((at) => weights[at]),
      weightType: unit === "bytes" ? "bytes" : "samples",
      length: sampled.length,
    },
    stackTable: { prefix, frame, length: frame.length },
    frameTable: {
      address: all(-1),
      inlineDepth: all(0),
      category: used.map((index) => classes[index]),
      subcategory: all(0),
      func: indices,
      nativeSymbol: all(null),
      innerWindowID: all(0),
      line: all(null),
      column: all(null),
      length,
    },
    funcTable: {
      name: indices,
      isJS: all(false),
      relevantForJS: all(false),
      resource: used.map((index) => resources.indexOf(libraries.indexOf(library[index]))),
      fileName: all(null),
      lineNumber: all(null),
      columnNumber: all(null),
      length,
    },
    resourceTable: {
      lib: resources,
      name: resources.map((_, at) => length + at),
      host: resources.map(() => null),
      type: resources.map(() => LIBRARY_RESOURCE),
      length: resources.length,
    },
    nativeSymbols: { libIndex: [], address: [], name: [], functionSize: [], length: 0 },
    markers: { category: [], data: [], endTime: [], name: [], phase: [], startTime: [], length: 0 },
    stringArray: [...used.map((index) => names[index]), ...resources.map((lib) => libraries[lib])],
  };
}

/**
 * @param {import("../model/event_tree.js").EventTree} tree
 * @param {bigint} weight
 */
function exactNumber({ captures, unit }, weight) {
  if (weight <= Number.MAX_SAFE_INTEGER) return Number(weight);
  throw new BadInput(
    problem({
      path: captures[0]?.file ?? "Firefox Profiler",
      found: `a weight of ${weight} ${unit}`,
      expected: `at most ${Number.MAX_SAFE_INTEGER}, which is all that the Firefox Profiler holds`,
      do: "write folded stacks or a profile, which hold any",
    }),
  );
}

/**
 * Reads the Firefox Profiler's files, which samply, Firefox and other tools write too: each thread with its samples,
 * and where the recorder measured it, the CPU time between them.
 */

import { FACTS, parseFacts } from "../../model/export_format.js";
import { plainName } from "../../model/languages/languages.js";
import { CLASS_NAMES, THREAD } from "../../model/profile.js";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { decimalsOf, unitOf } from "../../model/units.js";
import { NO_LINE } from "../stacks/event_trees.js";
import { isCount, JsonReader, listOf, recogniseJson, textOf } from "../stacks/json_file.js";
import { TOO_DEEP } from "../stacks/limits.js";
import { plainThread } from "../stacks/thread_names.js";
import { columnsOf, tablesOf } from "./tables.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

/** @typedef {import("../stacks/json_file.js").Json} Json */

export const FORMAT = "firefox-profiler";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

export const recognise = recogniseJson(
  (text) =>
    /"preprocessedProfileVersion"|"(?:geckoVersion|gcpoison|processType)"/.test(text) &&
    text.includes('"meta"'),
);

/** @type {Record<string, number>} nanoseconds */
const CPU_UNITS = { ns: 1, µs: 1000, us: 1000, ms: 1_000_000 };

/** @implements {CaptureReader} */
export class Reader extends JsonReader {
  /** @param {Json} json */
  take(json) {
    const own = textOf(json.meta?.perfpress);
    if (own.startsWith(FACTS)) {
      this.#takeOwn(json, parseFacts(own.slice(FACTS.length)));
      return;
    }
    let unnamed = 0;
    const unit = CPU_UNITS[textOf(json.meta?.sampleUnits?.threadCPUDelta)];
    /** @type {Json[]} */
    const processes = [json];
    for (let process = processes.pop(); process; process = processes.pop()) {
      for (const thread of listOf(process.threads)) {
        if (typeof thread !== "object" || thread === null) continue;
        this.#takeThread(
          { ...process, shared: process.shared ?? json.shared },
          thread,
          unit,
          () => {
            unnamed++;
          },
        );
      }
      for (const child of listOf(process.processes).slice(0, 64)) {
        if (child !== null && typeof child === "object") processes.push(child);
      }
    }
    if (unnamed > 0) this.trees.skipped.add(UNNAMED, NO_LINE, unnamed);
  }

  /**
   * Take a file that we wrote: its categories are the classes of frames, the first frame is the thread.
   *
   * @param {Json} json
   * @param {import("../../model/export_format.js").StatedFacts} facts
   */
  #takeOwn(json, facts) {
    const { trees } = this;
    const event = facts.event ?? trees.event;
    const unit = facts.unit ?? unitOf(event);
    const tree = trees.tree(event, unit);
    tree?.builder.refine(decimalsOf(unit));
    for (const thread of listOf(json.threads)) {
      const { prefix, frame } = columnsOf(thread?.stackTable);
      const { func, category } = columnsOf(thread?.frameTable);
      const { resource } = columnsOf(thread?.funcTable);
      const { name: libraryAt } = columnsOf(thread?.resourceTable);
      const samples = columnsOf(thread?.samples);
      for (const [at, first] of listOf(samples.stack).entries()) {
        const stack = [];
        for (
          let each = first;
          Number.isInteger(each) && stack.length < DEEPEST_STACK;
          each = prefix?.[each]
        ) {
          const index = func?.[frame?.[each]];
          const name = textOf(thread.stringArray?.[index]);
          const frameClass = category?.[frame?.[each]];
          const library = textOf(thread.stringArray?.[libraryAt?.[resource?.[index]]]);
          if (name !== "" && frameClass in CLASS_NAMES) stack.push({ name, frameClass, library });
        }
        const weight = samples.weight?.[at];
        if (stack.length > 0 && isCount(weight)) trees.add(tree, stack.reverse(), weight);
        else trees.skipped.add("sample of a stack that is not listed", NO_LINE);
      }
    }
  }

  /**
   * @param {Json} json
   * @param {Json} thread
   * @param {number | undefined} nanoseconds of a unit of CPU time
   * @param {() => void} onUnnamed
   */
  #takeThread(json, thread, nanoseconds, onUnnamed) {
    const samples = columnsOf(thread.samples);
    const stacks = listOf(samples.stack);
    const isTime = samples.weightType === "tracing-ms";
    const { trees } = this;
    const counted =
      samples.weightType === "bytes"
        ? trees.tree("bytes", "bytes")
        : trees.tree(trees.event, isTime ? "ns" : "samples", true);
    const deltas = nanoseconds === undefined ? [] : listOf(samples.threadCPUDelta);
    const cpu = deltas.some((delta) => delta > 0) ? trees.tree("cpu", "CPU ns", true) : null;
    const tables = tablesOf(json, thread, onUnnamed);
    const name = plainThread(textOf(thread.name).trim());
    const nodes = [counted, cpu].map(
      (tree) => tree && new Nodes(tree, tables, name, trees.skipped),
    );
    for (const [at, stack] of stacks.entries()) {
      if (stack === null) continue; // nothing was on the stack: the thread waited
      const weight = samples.weight?.[at] ?? 1;
      for (const [index, tree] of [counted, cpu].entries()) {
        const node = nodes[index]?.of(stack) ?? null;
        if (tree === null) continue;
        const amount =
          index === 0 ? weight * (isTime ? CPU_UNITS.ms : 1) : deltas[at] * (nanoseconds ?? 0);
        if (node === null) trees.skipped.add("sample of a stack that is not listed", NO_LINE);
        else if (!isCount(Math.round(amount))) trees.skipped.add("weight below zero", NO_LINE);
        else trees.addTo(tree, node, Math.round(amount), 1);
      }
    }
  }
}

const UNNAMED =
  "function that has an address only, and is shown as its program or library: open the file in the Firefox " +
  "Profiler, which finds the names, and save it from there";

/**
 * @typedef {object} Reached
 * @property {number} node
 * @property {number} depth
 * @property {string} script name of the function of JavaScript that the stack ends in, if it does
 */

/** The nodes of a thread's stacks in a call tree. */
class Nodes {
  #builder;
  #tables;
  #thread;
  #skipped;
  /** @type {(Reached | undefined)[]} */
  #known = [];

  /**
   * @param {import("../stacks/event_trees.js").CountedTree} tree
   * @param {import("./tables.js").Tables} tables
   * @param {string} name of the thread
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   */
  constructor({ builder }, tables, name, skipped) {
    this.#skipped = skipped;
    this.#builder = builder;
    this.#tables = tables;
    this.#thread = builder.child(0, builder.frame(name, THREAD));
  }

  /**
   * @param {unknown} stack
   * @returns {number | null} null where it is not listed
   */
  of(stack) {
    if (typeof stack !== "number") return null;
    /** @type {number[]} */
    const way = [];
    /** @type {unknown} */
    let at = stack;
    while (typeof at === "number" && this.#known[at] === undefined) {
      if (way.length > this.#tables.stacks || !(at >= 0 && at < this.#tables.stacks)) return null;
      way.push(at);
      at = this.#tables.callerOf(at);
    }
    const above = typeof at === "number" ? this.#known[at] : undefined;
    let { node, depth, script } = above ?? { node: this.#thread, depth: 1, script: "" };
    for (const each of way.reverse()) {
      const { name, frameClass, library } = this.#tables.frameOf(each);
      const isScript = this.#tables.isScript(each);
      if (!isScript && script !== "" && plainName(name) === script) {
        // the compiled code of the function that is there already
      } else if (depth < DEEPEST_STACK) {
        node = this.#builder.child(node, this.#builder.frame(name, frameClass, library));
        depth++;
      } else this.#skipped.add(TOO_DEEP, NO_LINE);
      script = isScript ? plainName(name) : "";
      this.#known[each] = { node, depth, script };
    }
    return node;
  }
}

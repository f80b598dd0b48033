/**
 * Reads a call tree that was copied from Instruments (Edit > Deep Copy): a line a function, with its weight and that
 * of its own code, indented below its caller.
 *
 *     Weight<tab>Self Weight<tab><tab>Symbol Name
 *     96.08 Gc  100.0%<tab>-<tab> <tab>shop (40414)
 *     96.08 Gc  100.0%<tab>-<tab> <tab> start
 *     46.92 Gc   48.8%<tab>404.75 Mc<tab> <tab>  find_order
 *
 * Other versions head it `Running Time`, `Self (ms)` or leave out the empty column. Allocations, headed
 * `Bytes Used`, `Count`, have no weights of their own. Instruments prints a few digits of each number.
 */

import { THREAD } from "../../model/profile.js";
import { EventTrees } from "../stacks/event_trees.js";
import { TextReader } from "../stacks/line_reader.js";
import { cleanName, frameOfSymbol } from "../stacks/perf_frame.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */
/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "instruments";

const HEAD = /^(?:Weight|Running Time|Bytes Used|Sample Count)\t.*\tSymbol Names?$/;

/** `Self Weight`, `Self (ms)`: the column of the weights of functions' own code */
const OWN_HEAD = /^Self (?:Weight|\((?<unit>\w+)\))$/;

/**
 * What a unit counts, and how many of it. The kilobytes of Instruments have 1,024 bytes.
 *
 * @type {Map<string, { event: string, unit: string, factor: number }>}
 */
const UNITS = new Map([
  ...units("cpu", "CPU ns", { ns: 1, µs: 1e3, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 }),
  ...units("cycles", "cycles", { cycles: 1, c: 1, Kc: 1e3, Mc: 1e6, Gc: 1e9, Tc: 1e12 }),
  ...units("bytes", "bytes", { Bytes: 1, B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 }),
]);

/** `4.93 s  100.0%`, `4273.0ms`, `4,93 s` where numbers have commas, `1,024 Bytes`, `696` */
const WEIGHT =
  /^(?<whole>\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:[.,](?<part>\d{1,9}))? ?(?<unit>[A-Za-zµ]*)(?: +[\d.,]+%)?$/;

/** In place of a weight of nothing. */
const NONE = "-";

/** `shop (40414)`: the process; `Main Thread  0xbb9c4`, `worker  0x2f1a7`: one of its threads */
const PROCESS = /^(.+) \(\d+\)$/s;
const NAMED_THREAD = /^(.+?) +0x[0-9a-f]+$/s;
const MAIN_THREAD = "Main Thread";

/**
 * @param {string} event
 * @param {string} unit
 * @param {Record<string, number>} factors by what Instruments writes
 * @returns {[string, { event: string, unit: string, factor: number }][]}
 */
function units(event, unit, factors) {
  return Object.entries(factors).map(([name, factor]) => [name, { event, unit, factor }]);
}

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined) return "more";
  return HEAD.test(first.trim()) ? "yes" : "no";
}

/**
 * A line whose callees may follow.
 *
 * @typedef {object} Call
 * @property {number} depth columns of indentation
 * @property {string} name
 * @property {Weight} own what the callees so far leave of it
 *
 * @typedef {{ event: string, unit: string, count: number }} Weight
 *
 * @typedef {object} Columns
 * @property {number} weight the number of the column
 * @property {string} unit of numbers without one
 * @property {boolean} isOwn whether weights are without those of callees
 */

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees;
  /** @type {Columns | null} */
  #columns = null;
  /** @type {Call[]} the last line and its callers */
  #path = [];

  /** @param {string} [event] what plain numbers count */
  constructor(event) {
    super();
    this.#trees = new EventTrees(event);
  }

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial) {
    this.endLines(partial);
    this.#close(0);
    const folded = this.#trees.folded(partial);
    return { ...folded, skipped: [...folded.skipped, ...this.skipped.list()] };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null || line.trim() === "") return;
    const cells = line.split("\t");
    if (this.#columns === null) this.#columns = columnsOf(cells);
    else if (!this.#takeCall(cells, this.#columns)) {
      this.skipped.add("line that is no function with its weight", this.line);
    }
  }

  /**
   * @param {string[]} cells
   * @param {Columns} columns
   */
  #takeCall(cells, columns) {
    const text = cells.at(-1) ?? "";
    const name = cleanName(text);
    const own = this.#weight(cells[columns.weight] ?? "", columns.unit);
    if (cells.length <= columns.weight + 1 || name === "" || own === null) return false;
    const depth = text.length - text.trimStart().length;
    this.#close(depth);
    const caller = this.#path.at(-1);
    // numbers are rounded: callees may weigh a little more than their caller
    if (caller && !columns.isOwn) caller.own.count = Math.max(0, caller.own.count - own.count);
    this.#path.push({ depth, name, own });
    return true;
  }

  /**
   * @param {string} text
   * @param {string} unitOfPlain
   * @returns {Weight | null}
   */
  #weight(text, unitOfPlain) {
    const plain = { event: this.#trees.event, unit: "samples", factor: 1 };
    if (text.trim() === NONE) return { ...plain, count: 0 };
    const found = WEIGHT.exec(text.trim())?.groups;
    if (found === undefined) return null;
    const { whole, part = "", unit } = found;
    const kind = UNITS.get(unit || unitOfPlain) ?? (unit === "" ? plain : null);
    if (kind === null) return null;
    const count = Number(`${whole.replaceAll(",", "")}.${part}`) * kind.factor;
    return { event: kind.event, unit: kind.unit, count: Math.round(count) };
  }

  /**
   * Add what lines weigh by themselves that are not above the next one.
   *
   * @param {number} depth of the next line
   */
  #close(depth) {
    for (let call = this.#path.at(-1); call && call.depth >= depth; call = this.#path.at(-1)) {
      const { event, unit, count } = call.own;
      if (count > 0) {
        const tree = this.#trees.tree(event, unit);
        this.#trees.add(tree, stackOf(this.#path.map(({ name }) => name)), count);
      }
      this.#path.pop();
    }
  }
}

/**
 * @param {string[]} heads
 * @returns {Columns}
 */
function columnsOf(heads) {
  const weight = heads.findIndex((head) => OWN_HEAD.test(head.trim()));
  if (weight < 0) return { weight: 0, unit: "", isOwn: false };
  return { weight, unit: OWN_HEAD.exec(heads[weight].trim())?.groups?.unit ?? "", isOwn: true };
}

/**
 * Return the frames of a line and its callers, with the thread that Instruments was asked to show, if it was.
 *
 * @param {string[]} names the outermost first
 * @returns {Frame[]}
 */
function stackOf(names) {
  const process = PROCESS.exec(names[0])?.[1];
  const inner = names.slice(process === undefined ? 0 : 1);
  const named = inner.length > 0 ? NAMED_THREAD.exec(inner[0])?.[1] : undefined;
  const thread = named === undefined || named === MAIN_THREAD ? process : named;
  return [
    { name: thread ?? SOME_PROCESS, frameClass: THREAD },
    ...inner.slice(named === undefined ? 0 : 1).map((name) => frameOfSymbol(name, "", ".")),
  ];
}

/**
 * Reads what Callgrind and Cachegrind (`valgrind --tool=…`) write, and Xdebug's profiler in their format: what each
 * function cost by itself. Which function called which is in the file, but not along which stacks, so that a profile of
 * it is flat. https://valgrind.org/docs/manual/cl-format.html
 */

import { THREAD, USER } from "../../model/profile.js";
import { withoutParameters } from "../../model/signature.js";
import { EventTrees } from "../stacks/event_trees.js";
import { TextReader } from "../stacks/line_reader.js";
import { classOfObject, libraryOf, unknownIn } from "../stacks/objects.js";
import { SOME_PROCESS } from "../stacks/thread_names.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "callgrind";

/** Lines of the head, before the events: descriptions, the command. */
const MOST_HEAD = 200;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const head = lines.slice(0, MOST_HEAD);
  if (
    !/^(?:# callgrind format|version:|creator:|desc:|cmd:|positions:|events:)/.test(head[0] ?? "")
  )
    return head.every((line) => line.trim() === "") ? "more" : "no";
  // what StackProf writes so lacks the cost of functions in C
  if (head.some((line) => /^(?:time_unit:|creator: stackprof)/.test(line))) return "no";
  return head.some((line) => /^events:/.test(line)) && lines.some((line) => /^fn=/.test(line))
    ? "yes"
    : "more";
}

/** `fn=(18) main`, and later `fn=(18)` alone; `cfn=` is a function that is called. */
const SPEC = /^(ob|fl|fi|fe|fn|cob|cfi|cfl|cfn)\s?=\s?(?:\((\d+)\)\s?)?(.*)$/s;

/** `+3 12 4` or `0x401000 12 3`: where it is, and what it cost there */
const COST = /^(?:[+-]?\d+|\*|0x[0-9a-f]+)(?: |$)/i;

/** @type {Record<string, { event: string, unit: string, factor: number }>} */
const EVENTS = {
  Ir: { event: "instructions", unit: "instructions", factor: 1 },
  Ticks: { event: "time", unit: "ns", factor: 1000 }, // yappi's microseconds
  Time_in_μs: { event: "time", unit: "ns", factor: 1000 },
};

/** `Time_(10ns)` of Xdebug, `cpu(ms)` of pprof */
const EVENT_OF_UNIT = /^(\w+?)_?\(([\wµ]+)\)$/;

/** @type {Record<string, { unit: string, factor: number }>} */
const UNITS = {
  ns: { unit: "ns", factor: 1 },
  "10ns": { unit: "ns", factor: 10 },
  us: { unit: "ns", factor: 1e3 },
  µs: { unit: "ns", factor: 1e3 },
  ms: { unit: "ns", factor: 1e6 },
  s: { unit: "ns", factor: 1e9 },
  bytes: { unit: "bytes", factor: 1 },
  B: { unit: "bytes", factor: 1 },
  kB: { unit: "bytes", factor: 2 ** 10 },
  MB: { unit: "bytes", factor: 2 ** 20 },
  GB: { unit: "bytes", factor: 2 ** 30 },
};

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #trees = new EventTrees();
  /** @type {{ event: string, unit?: string, factor: number }[]} */
  #events = [];
  #positions = 1;
  /** @type {Record<string, Map<string, string>>} names by number: objects, functions */
  #names = { ob: new Map(), fn: new Map() };
  #object = "";
  #function = "";
  #program = SOME_PROCESS;
  /** Whether the next line is what a call cost, which is the called function's. */
  #afterCalls = false;
  /** @type {number[]} of each event */
  #sums = [];
  /** @type {number[] | null} what the file says these are */
  #totals = null;

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen]
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    this.endLines(partial);
    const totals = this.#totals;
    const differs = totals?.findIndex((total, at) => total !== (this.#sums[at] ?? 0)) ?? -1;
    if (totals && differs >= 0) {
      const reason = `${this.#events[differs]?.event}: lines that add up to ${this.#sums[differs] ?? 0}, not to the file's total of ${totals[differs]}`;
      this.skipped.add(reason, this.line);
    }
    return { ...this.#trees.folded(partial || isOpen), skipped: this.skipped.list() };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null || line.trim() === "" || line.startsWith("#")) return;
    if (COST.test(line)) this.#takeCost(line);
    else if (line.startsWith("calls=")) this.#afterCalls = true;
    else if (!this.#takeName(line)) this.#takeHead(line);
  }

  /** @param {string} line */
  #takeName(line) {
    const [, kind, number, name = ""] = SPEC.exec(line) ?? [];
    if (kind === undefined) return false;
    const list = kind.endsWith("ob") ? "ob" : kind.endsWith("fn") ? "fn" : null;
    if (list === null) return true;
    const names = this.#names[list];
    if (number !== undefined && name !== "") names.set(number, name);
    const meant = name || names.get(number ?? "") || "";
    if (kind === "ob") this.#object = meant;
    if (kind === "fn") this.#function = meant;
    return true;
  }

  /** @param {string} line */
  #takeHead(line) {
    const [, key, value] = /^(\w+):\s*(.*)$/s.exec(line) ?? [];
    if (key === "events") this.#events = value.trim().split(/\s+/).slice(0, 32).map(eventOf);
    else if (key === "positions") this.#positions = Math.min(value.trim().split(/\s+/).length, 3);
    else if (key === "cmd") this.#program = value.split(" ")[0].split("/").at(-1) || SOME_PROCESS;
    else if (key === "summary" || key === "totals") {
      const totals = value.trim().split(/\s+/).map(Number);
      if (key === "summary" || this.#totals === null) this.#totals = totals;
    } else if (key === undefined && !/^(?:jump|jcnd|rec|frfn)\b/.test(line)) {
      this.skipped.add("line that is no cost and no name", this.line);
    }
  }

  /** @param {string} line */
  #takeCost(line) {
    if (this.#afterCalls) {
      this.#afterCalls = false;
      return;
    }
    const costs = line.trim().split(/\s+/).slice(this.#positions);
    for (const [at, digits] of costs.entries()) {
      const counted = this.#events[at];
      if (counted === undefined || !/^\d{1,15}$/.test(digits)) {
        this.skipped.add("cost that is no number, or of no event", this.line);
        continue;
      }
      const cost = Number(digits);
      if (cost === 0) continue;
      this.#sums[at] = (this.#sums[at] ?? 0) + cost;
      const { event, unit, factor } = counted;
      this.#trees.add(this.#trees.tree(event, unit), this.#stack(), cost * factor);
    }
  }

  #stack() {
    const object = this.#object || null;
    const frameClass = object === null ? USER : classOfObject(object, "");
    const plain = this.#function.replace(/'\d+$/, ""); // how often a function that calls itself is open
    const isUnknown = plain === "" || plain === "???" || /^0x[0-9a-f]+$/.test(plain);
    const name = isUnknown ? unknownIn(object) : withoutParameters(plain);
    return [
      { name: this.#program, frameClass: THREAD },
      { name, frameClass, library: libraryOf(object) },
    ];
  }
}

/** @param {string} name */
function eventOf(name) {
  if (Object.hasOwn(EVENTS, name)) return EVENTS[name];
  const [, event, unit = ""] = EVENT_OF_UNIT.exec(name) ?? [];
  return Object.hasOwn(UNITS, unit)
    ? { event: event.toLowerCase(), ...UNITS[unit] }
    : { event: name, factor: 1 };
}

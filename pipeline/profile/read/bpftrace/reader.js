/**
 * Reads what bpftrace prints of its maps when it ends, where stacks are among the keys:
 *
 *     @[                                     profile:hz:99 { @[kstack, ustack, comm] = count(); }
 *         vfs_write+115
 *         entry_SYSCALL_64_after_hwframe+118
 *     ,
 *         __write+16
 *         commit+35
 *     , writer]: 12
 *
 * or in JSON, with `-f json`. Innermost first. A stack that is empty leaves a key without a name: `@[, ` and then the other.
 */

import { THREAD } from "../../model/profile.js";
import { ProfileBuilder, roomOfCapture } from "../../model/profile_builder.js";
import { plainEvent, UNKNOWN_EVENT, unitOf } from "../../model/units.js";
import { joinedStacks } from "../stacks/kernel_stacks.js";
import { keptFrames, MOST_EVENTS } from "../stacks/limits.js";
import { TextReader } from "../stacks/line_reader.js";
import { cleanName, frameOfSymbol, threadName } from "../stacks/perf_frame.js";
import { doubtOf } from "../stacks/plausible.js";
import { BAD_NAME, ENDS_TOO_EARLY } from "../stacks/skipped.js";
import { entriesIn, JSON_LINE } from "./json_lines.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */
/** @typedef {import("../stacks/perf_frame.js").Frame} Frame */

export const FORMAT = "bpftrace";

/** `@[`, `@cpu[writer, 22975, `: one entry of a map; what follows are its keys. */
const ENTRY = /^(@\w{0,100})\[(.*)$/s;
const ENTRY_END = /^(.*)\]: (\S.*)$/s;
const COUNT = /^\d{1,300}$/;

/** `    vfs_write+115`; with `kstack(perf)` a tab, an address, and for programs the file. */
const FRAME = /^(?: {4}|\t([0-9a-f]{1,16}) )(\S.*)$/s;
const OFFSET = /\+\d+$/;
const OBJECT = / \(([^()]*)\)$/;
const ADDRESS = /^0x[0-9a-f]+$|^[0-9a-f]{8,16}$/;

/** Where the kernel is entered: the outermost frame of its stacks. */
const KERNEL_ENTRY =
  /^(?:entry_|asm_|do_syscall_|ret_from_fork|secondary_startup|start_secondary|el[01]|__?irqentry|common_interrupt|x86_64_start)/;
const KERNEL_ADDRESS = /^ffff[0-9a-f]{12}$/;

const ALL_THREADS = "[all threads]";

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const seen = lines.filter((line) => line.trim() !== "").slice(0, 1000);
  if (seen.some((line) => /^\{"type": ?"(?:attached_probes|map)"/.test(line))) return "yes";
  const at = seen.findIndex((line) => ENTRY.test(line) && !ENTRY_END.test(line));
  if (at >= 0 && at + 1 < seen.length) return FRAME.test(seen[at + 1]) ? "yes" : "no";
  return seen.every((line) => /^(?:Attaching|@)/.test(line)) ? "more" : "no";
}

/**
 * An entry that is not read to its end.
 *
 * @typedef {object} MapEntry
 * @property {string} map
 * @property {string[]} keys that are not stacks
 * @property {RawFrame[][]} stacks
 * @property {boolean} inStack whether frames may follow
 * @property {number} line
 *
 * @typedef {object} RawFrame
 * @property {string} text
 * @property {boolean} inKernel whether its address says so
 */

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  /** @type {MapEntry | null} */
  #entry = null;
  /** @type {Map<string, { builder: ProfileBuilder, smallest: number }>} by name */
  #maps = new Map();
  #room = roomOfCapture();
  #event;

  /** @param {string} [event] what is counted, which bpftrace does not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    this.#event = plainEvent(event);
  }

  /**
   * @param {boolean} partial whether the text ends too early: then its last line is not whole
   * @param {boolean} [isOpen] whether the last line has no end: then it counts if it ends in a count
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    const cutOff = isOpen && !/(?:\]: \d+|\})\s*$/.test(this.unfinished);
    if (partial || cutOff) this.dropUnfinished();
    this.endLines();
    if (this.#entry) this.skipped.add(`entry of a map ${ENDS_TOO_EARLY}`, this.#entry.line);
    const isSingle = this.#maps.size === 1;
    return {
      events: [...this.#maps].map(([name, { builder, smallest }]) => {
        const event = isSingle ? this.#event : name;
        const doubt = doubtOf(event, smallest, Number(builder.total()));
        return {
          event,
          unit: doubt ? "samples" : unitOf(event),
          builder,
          samples: null,
          samplesByNode: false,
          ...(doubt && { doubt }),
        };
      }),
      cutOff,
      skipped: this.skipped.list(),
    };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null) return this.#abandon();
    if (!JSON_LINE.test(line)) return this.#takeText(line);
    const entries = entriesIn(line);
    if (entries === null) this.skipped.add("line of JSON that is cut off", this.line);
    for (const entry of entries ?? []) for (const each of entry.split("\n")) this.#takeText(each);
  }

  /** @param {string} line */
  #takeText(line) {
    const entry = this.#entry;
    if (entry) {
      const frame = FRAME.exec(line);
      if (frame && entry.inStack) {
        const inKernel = KERNEL_ADDRESS.test(frame[1] ?? "");
        entry.stacks[entry.stacks.length - 1].push({ text: frame[2], inKernel });
        return;
      }
      if (line.startsWith(",")) return this.#keys(entry, line.replace(/^, ?/, ""));
      if (line.startsWith("]: ")) return this.#end(entry, line.slice(3));
      this.#abandon();
    }
    this.#outside(line);
  }

  /** @param {string} line outside of an entry */
  #outside(line) {
    const [, map, keys] = ENTRY.exec(line) ?? [];
    if (map !== undefined && mayHaveStacks(keys)) {
      this.#entry = { map, keys: [], stacks: [], inStack: false, line: this.line };
      this.#keys(this.#entry, keys);
    } else if (/^@\w*[[:]/.test(line)) {
      this.skipped.add("entry of a map without stacks", this.line);
    } else if (line.trim() !== "" && !/^Attaching \d+ probes?\.\.\.$/.test(line)) {
      this.skipped.add("line that is no part of a map with stacks", this.line);
    }
  }

  /**
   * Take the keys in a line. One without a name is a stack: the last's frames follow, others have
   * none.
   *
   * @param {MapEntry} entry
   * @param {string} text `writer, 22975, ` or, where the entry ends, `writer]: 12`
   */
  #keys(entry, text) {
    const [, last, value] = ENTRY_END.exec(text) ?? [];
    for (const key of (last ?? text).split(/, ?/)) {
      entry.inStack = key.trim() === "";
      if (entry.inStack) entry.stacks.push([]);
      else entry.keys.push(key);
    }
    if (value !== undefined) this.#end(entry, value);
  }

  #abandon() {
    if (this.#entry) this.skipped.add("entry of a map that has no end", this.#entry.line);
    this.#entry = null;
  }

  /**
   * @param {MapEntry} entry
   * @param {string} value
   */
  #end(entry, value) {
    this.#entry = null;
    if (!COUNT.test(value)) {
      this.skipped.add("entry of a map whose value is no count", entry.line);
      return;
    }
    let sum = this.#maps.get(entry.map);
    if (!sum) {
      if (this.#maps.size >= MOST_EVENTS) {
        this.skipped.add(`entry of a map beyond the first ${MOST_EVENTS}`, entry.line);
        return;
      }
      sum = { builder: new ProfileBuilder(this.#room), smallest: Number.POSITIVE_INFINITY };
      this.#maps.set(entry.map, sum);
    }
    const { builder } = sum;
    // numbers are of processes, threads and CPUs, which come and go
    const names = entry.keys.filter((key) => !/^-?\d+$/.test(key));
    const thread = names.length > 0 ? threadName(names.join(" ")) : ALL_THREADS;
    const all = joinedStacks(entry.stacks, isOfKernel).map(({ frame, inKernel }) =>
      frameOf(frame.text, inKernel),
    );
    const frames = keptFrames(all, this.skipped, entry.line);
    for (const { name } of frames) {
      if (name.includes("\ufffd")) this.skipped.add(BAD_NAME, entry.line);
    }
    const weight = BigInt(value);
    builder.addStack([{ name: thread, frameClass: THREAD }, ...frames], weight, 0);
    if (weight > 0n) sum.smallest = Math.min(sum.smallest, Number(weight));
  }
}

/**
 * Whether an entry has stacks: `writer]: 12` has none, `, writer]: 12` one that is empty.
 *
 * @param {string} text its first line after the bracket
 */
function mayHaveStacks(text) {
  const keys = ENTRY_END.exec(text)?.[1].split(/, ?/);
  return keys === undefined || keys.some((key) => key.trim() === "");
}

/** @param {RawFrame[]} stack */
function isOfKernel(stack) {
  const outermost = stack[stack.length - 1];
  return outermost.inKernel || KERNEL_ENTRY.test(outermost.text);
}

/**
 * @param {string} text `vfs_write+115`, `__write+16 (/usr/lib/x86_64-linux-gnu/libc.so.6)`
 * @param {boolean} inKernel
 * @returns {Frame}
 */
function frameOf(text, inKernel) {
  const object = OBJECT.exec(text)?.[1] ?? "";
  const name = text.replace(OBJECT, "").replace(OFFSET, "");
  const known = ADDRESS.test(name) ? "" : cleanName(name);
  return frameOfSymbol(known, object, inKernel ? "k" : ".");
}

/** Reads what `bpftrace -f json` writes: its maps, whose keys have the stacks as bpftrace writes them as text. */

import { Buffer } from "node:buffer";
import { Reader as TextOfMaps } from "../bpftrace/reader.js";
import { TextReader } from "../stacks/line_reader.js";

/** @typedef {import("../stacks/format.js").CaptureReader} CaptureReader */

export const FORMAT = "bpftrace-json";

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ lines }) {
  const found = lines.find((line) => line.startsWith("{"));
  if (found === undefined) return lines.length > 20 ? "no" : "more";
  return /^\{"type": ?"(?:attached_probes|map|printf|lost_events|stats)"/.test(found)
    ? "yes"
    : "no";
}

/** @implements {CaptureReader} */
export class Reader extends TextReader {
  #maps;

  /** @param {string} [event] what the weights count */
  constructor(event) {
    super();
    this.#maps = new TextOfMaps(event);
  }

  /**
   * @param {boolean} partial
   * @param {boolean} [isOpen]
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial, isOpen = false) {
    this.endLines(partial || isOpen);
    const folded = this.#maps.finish(false);
    return {
      ...folded,
      partial: partial || isOpen,
      skipped: [...this.skipped.list(), ...folded.skipped],
    };
  }

  /** @param {string | null} line */
  takeLine(line) {
    if (line === null || line.trim() === "") return;
    const map = mapIn(line);
    if (map === null) {
      this.skipped.add("line that is no JSON", this.line);
      return;
    }
    for (const [name, entries] of Object.entries(map)) {
      if (entries === null || typeof entries !== "object") continue; // a map without keys: a number
      for (const [key, count] of Object.entries(entries)) this.#takeEntry(name, key, count);
    }
  }

  /**
   * @param {string} name
   * @param {string} key
   * @param {unknown} count
   */
  #takeEntry(name, key, count) {
    if (!Number.isSafeInteger(count)) {
      this.skipped.add("entry that is no count", this.line);
      return;
    }
    const entry = `${name}[${key.replaceAll("\n,", "\n, ")}]: ${count}\n`;
    this.#maps.push(Buffer.from(entry));
  }
}

/**
 * Return the maps of a line; none where it is of another kind, null where it is no JSON.
 *
 * @param {string} line
 * @returns {Record<string, any> | null}
 */
function mapIn(line) {
  if (!line.startsWith("{")) return null;
  try {
    const { type, data } = JSON.parse(line);
    return type === "map" && data !== null && typeof data === "object" ? data : {};
  } catch {
    return null;
  }
}

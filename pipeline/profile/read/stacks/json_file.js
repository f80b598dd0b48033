/** What readers of JSON have in common: it is read whole, and one look says whose it is. */

import { LARGEST_IN_WORDS, WholeFileReader } from "../input/whole_file.js";
import { EventTrees, NO_LINE } from "./event_trees.js";

/** @typedef {import("./format.js").CaptureReader} CaptureReader */

/** @typedef {Record<string, any>} Json */

/**
 * Return what recognises JSON by something that only its tool writes.
 *
 * @param {(text: string) => boolean} isOne takes the first bytes of a file
 * @returns {import("./format.js").Recognise}
 */
export function recogniseJson(isOne) {
  return ({ bytes }) => {
    const text = bytes.toString("latin1");
    if (!/^\s*[{[]/.test(text)) return text.trim() === "" ? "more" : "no";
    return isOne(text) ? "yes" : "more";
  };
}

/** @implements {CaptureReader} */
export class JsonReader extends WholeFileReader {
  trees;

  /** @param {string} [event] what the weights count, where the file does not say */
  constructor(event) {
    super();
    this.trees = new EventTrees(event);
  }

  /**
   * @param {boolean} partial
   * @returns {import("./format.js").Folded}
   */
  finish(partial) {
    const { skipped } = this.trees;
    if (this.isTooLarge) skipped.add(`file larger than ${LARGEST_IN_WORDS}`, NO_LINE);
    else this.#parse(this.takeBytes().toString("utf8"));
    return this.trees.folded(partial);
  }

  /** @param {string} text */
  #parse(text) {
    /** @type {Json} */
    let json;
    try {
      json = JSON.parse(text);
    } catch (error) {
      const reason = `file that is no JSON: ${/** @type {Error} */ (error).message}`;
      this.trees.skipped.add(reason.replace(/\s+/g, " "), NO_LINE);
      return;
    }
    if (json !== null && typeof json === "object") this.take(json);
  }

  /**
   * Take the file; each reader does it in its own way, and trusts nothing in it.
   *
   * @param {Json} _json
   */
  take(_json) {
    throw new Error("a reader takes JSON");
  }
}

/**
 * Return a list, empty where there is none.
 *
 * @param {unknown} value
 * @returns {any[]}
 */
export function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * Return text, empty where there is none.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  return typeof value === "string" ? value : "";
}

/**
 * Return whether something is a count.
 *
 * @param {unknown} value
 * @returns {value is number}
 */
export function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

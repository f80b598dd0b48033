/** The columns of a table of waits, and what they tell of a row. */

import { framesOf, threadFrame } from "./wait_name.js";

/**
 * Whether a value is a whole number as the server's columns hold them: `bigint unsigned`.
 *
 * @param {string} value
 */
export function isWeight(value) {
  return /^\d{1,20}$/.test(value);
}

export class WaitColumns {
  /** @type {Map<string, number>} */
  #places;
  /** @type {Map<string, string[]>} the frames of all waits that differ */
  #stacks = new Map();

  /** @param {string[]} names as the client prints them: `EVENT_NAME` or `event_name` */
  constructor(names) {
    this.names = names.map((name) => name.toLowerCase());
    this.#places = new Map(this.names.map((name, place) => [name, place]));
  }

  /** @param {string} name */
  has(name) {
    return this.#places.has(name);
  }

  /**
   * @param {string[]} values of a row
   * @param {string} name
   */
  value(values, name) {
    return values[this.#places.get(name) ?? -1] ?? "";
  }

  /**
   * Return what a row is of.
   *
   * @param {string[]} values
   * @returns {{ name: string, thread: string, frames: string[] }} the instrument's name, the
   *   thread where the columns tell it, and the frames below
   */
  stack(values) {
    const name = this.value(values, "event_name");
    const operation = this.value(values, "operation");
    const schema = this.value(values, "object_schema");
    const object = this.value(values, "object_name") || this.value(values, "file_name");
    const key = JSON.stringify([name, operation, schema, object]);
    let frames = this.#stacks.get(key);
    if (!frames) {
      frames = framesOf(name, { operation, schema, object });
      this.#stacks.set(key, frames);
    }
    return { name, thread: this.#thread(values), frames };
  }

  /** @param {string[]} values */
  #thread(values) {
    const column = ["thread_name", "name"].find((each) => this.has(each));
    return column ? threadFrame(this.value(values, column)) : "";
  }
}

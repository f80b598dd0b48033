/**
 * The tables of a thread in the Firefox Profiler's files, in its two forms: processed, with a list a column
 * (https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md), and as
 * Firefox writes it, with a list a row and a schema.
 */

import { nameInFile } from "../../model/languages/languages.js";
import { KERNEL, LIBRARY, USER } from "../../model/profile.js";
import { listOf, textOf } from "../stacks/json_file.js";
import { classOfObject, libraryOf, unknownIn } from "../stacks/objects.js";

/**
 * @typedef {import("../stacks/json_file.js").Json} Json
 * @typedef {import("../stacks/perf_frame.js").Frame} Frame
 *
 * @typedef {object} Tables
 * @property {(stack: number) => unknown} callerOf a stack: another stack, or null
 * @property {(stack: number) => Frame} frameOf
 * @property {(stack: number) => boolean} isScript whether the frame is what an engine of JavaScript says that it runs,
 *   above the frame of the code that it compiled of it
 * @property {number} stacks how many there are
 */

/** @type {Frame} */
const UNKNOWN = { name: "[unknown]", frameClass: USER };

/**
 * Return a table in columns, whichever form it has.
 *
 * @param {any} table
 * @returns {Json}
 */
export function columnsOf(table) {
  const { schema, data } = table ?? {};
  if (!schema || !Array.isArray(data)) return table ?? {};
  return Object.fromEntries(
    Object.entries(schema).map(([name, at]) => [name, data.map((row) => row?.[at])]),
  );
}

/**
 * @param {Json} json the file, which newer versions keep tables in that threads share
 * @param {Json} thread
 * @param {() => void} onUnnamed called for each function that has an address only
 * @returns {Tables}
 */
export function tablesOf(json, thread, onUnnamed) {
  const shared = json.shared ?? {};
  /** @param {string} name */
  const table = (name) => columnsOf(thread[name] ?? shared[name]);
  const strings = listOf(thread.stringArray ?? shared.stringArray ?? thread.stringTable);
  const [stacks, frames, funcs] = ["stackTable", "frameTable", "funcTable"].map(table);
  const resources = table("resourceTable");
  const libs = listOf(json.libs ?? thread.libs);
  /** @type {Frame[]} */
  const known = [];

  /** @param {any} frame */
  function read(frame) {
    const func = frames.func?.[frame];
    if (func === undefined) return fromLocation(textOf(strings[frames.location?.[frame]]));
    const name = textOf(strings[funcs.name?.[func]]);
    const resource = funcs.resource?.[func];
    const lib = libs[resources.lib?.[resource]];
    const object =
      textOf(lib?.debugName ?? lib?.name) || textOf(strings[resources.name?.[resource]]);
    // on Windows, debugName is the file of the symbols
    const library = libraryOf(textOf(lib?.name) || textOf(lib?.debugName));
    const frameClass = classIn(object, textOf(lib?.path));
    const file = strings[funcs.fileName?.[func]];
    if (/^0x[0-9a-f]+$/.test(name)) {
      onUnnamed();
      return { name: unknownIn(object), frameClass, library };
    }
    if (name === "") return { name: unknownIn(object), frameClass: USER, library };
    return { name: nameInFile(name, file), frameClass, library };
  }

  return {
    callerOf: (stack) => stacks.prefix?.[stack],
    frameOf: (stack) => {
      const frame = stacks.frame?.[stack];
      if (!Number.isInteger(frame)) return UNKNOWN;
      if (known[frame] === undefined) known[frame] = read(frame);
      return known[frame];
    },
    isScript: (stack) => funcs.isJS?.[frames.func?.[stacks.frame?.[stack]]] === true,
    stacks: listOf(stacks.frame).length,
  };
}

/**
 * @param {string} object
 * @param {string} path
 */
function classIn(object, path) {
  if (/^(?:\[?kernel|vmlinux)/.test(object)) return KERNEL;
  if (/\.dylib$|\.dll$/i.test(path || object)) return LIBRARY;
  return object === "" ? USER : classOfObject(path || object, "");
}

/**
 * Firefox writes the location of a function of JavaScript with its file: `next (https://a.org/router.js:130:12)`.
 *
 * @param {string} location
 * @returns {Frame}
 */
function fromLocation(location) {
  if (location === "") return UNKNOWN;
  const [, name, file] = /^(.*) \((\S+?)(?::\d+){1,2}\)$/s.exec(location) ?? [];
  return { name: name ? nameInFile(name, file) : location, frameClass: USER };
}

/** The frames of locations, as pprof and OTLP have them in tables: names, classes and libraries. */

import { parseObject } from "../../model/export_format.js";
import { nameInFile } from "../../model/languages/languages.js";
import { INLINED } from "../../model/profile.js";
import { baseName, classOfObject, libraryOf, unknownIn } from "./objects.js";
import { BAD_NAME } from "./skipped.js";

/** @typedef {import("./perf_frame.js").Frame} Frame */

/**
 * Numbers are indices into the strings.
 *
 * @typedef {{ id: bigint, object: number, buildId: number }} Mapping
 * @typedef {{ id: bigint, mapping: bigint, address: bigint, lines: bigint[] }} Location with the functions of its
 *   lines, innermost first
 * @typedef {{ id: bigint, name: number, systemName: number, file: number }} FunctionName
 *
 * What locations refer to; strings are found by their index, undefined where there is none.
 *
 * @typedef {object} LocationTables
 * @property {Map<bigint, Mapping>} mappings the first is the program's own
 * @property {Map<bigint, Location>} locations
 * @property {Map<bigint, FunctionName>} functions
 * @property {(index: number) => string | undefined} string
 * @property {(index: number) => string | undefined} shortString the beginning of one that is long
 * @property {(index: number) => boolean} isText whether all its bytes are UTF-8
 */

/** Characters of a name that its file is put beside: many functions may have one long name. */
const LONGEST_NAME = 8192;

export class LocationFrames {
  /** @type {Map<bigint, Frame[] | null>} by the location's id */
  #frames = new Map();
  /** @type {Map<number, boolean>} by the index of a name */
  #texts = new Map();
  #tables;
  #skipped;

  /**
   * @param {LocationTables} tables
   * @param {import("./skipped.js").SkippedCounts} skipped counts what is wrong with names
   */
  constructor(tables, skipped) {
    this.#tables = tables;
    this.#skipped = skipped;
  }

  /** Return the name of the first mapping's file, which is the program's own. */
  program() {
    const [first] = this.#tables.mappings.values();
    return first && baseName(this.#tables.shortString(first.object) ?? "");
  }

  /**
   * Return the frames of a location, innermost first; null where the file lacks some.
   *
   * @param {bigint} id
   */
  of(id) {
    let frames = this.#frames.get(id);
    if (frames === undefined) {
      frames = this.#readLocation(id);
      this.#frames.set(id, frames);
    }
    return frames;
  }

  /**
   * @param {bigint} id
   * @returns {Frame[] | null}
   */
  #readLocation(id) {
    const location = this.#tables.locations.get(id);
    if (location === undefined) return null;
    const mapping = this.#tables.mappings.get(location.mapping);
    const object = (mapping && this.#tables.shortString(mapping.object)) || null;
    const buildId = (mapping && this.#tables.shortString(mapping.buildId)) || "";
    const { frameClass: ownClass, library } = parseObject(buildId) ??
      parseObject(object) ?? {
        frameClass: classOfObject(object, location.address.toString(16)),
        library: libraryOf(object),
      };
    if (location.lines.length === 0)
      return [{ name: unknownIn(object), frameClass: ownClass, library }];
    const frames = [];
    for (const [at, line] of location.lines.entries()) {
      const name = this.#functionName(line);
      if (name === null) return null;
      const frameClass = at < location.lines.length - 1 ? INLINED : ownClass;
      frames.push({ name: name || unknownIn(object), frameClass, library });
    }
    return frames;
  }

  /**
   * Return whether a name is UTF-8; each is looked at once, however many functions have it.
   *
   * @param {number} index
   */
  #isText(index) {
    const isText = this.#texts.get(index) ?? this.#tables.isText(index);
    this.#texts.set(index, isText);
    return isText;
  }

  /**
   * Return the name of a function, empty where it has none; null where the file lacks it.
   *
   * @param {bigint} id
   */
  #functionName(id) {
    const known = this.#tables.functions.get(id);
    if (known === undefined) return null;
    const index = known.name || known.systemName;
    const name = this.#tables.string(index);
    if (name === undefined) return null;
    if (!this.#isText(index)) this.#skipped.add(BAD_NAME, 0);
    if (name.length > LONGEST_NAME) return name;
    return name && nameInFile(name, this.#tables.shortString(known.file));
  }
}

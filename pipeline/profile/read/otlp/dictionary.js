/** The dictionary of a message of OTLP: what its samples refer to, by place in a table. */

import { isUtf8 } from "node:buffer";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { fieldsOf } from "./messages.js";

/**
 * @typedef {import("./messages.js").Part} Part
 * @typedef {import("../stacks/location_frames.js").LocationTables} LocationTables
 */

/** Characters of a path or an attribute: no system has longer ones, and many places may refer to one. */
const LONGEST = 4096;

/** The attribute of a location that says what kind of code it is in: `kernel`, `native`, `cpython`. */
const FRAME_TYPE = "profile.frame.type";

/** In place of the mapping of kernel code. */
const KERNEL_MAPPING = -1n;
const KERNEL_OBJECT = "[kernel.kallsyms]";

/** @implements {LocationTables} */
export class Dictionary {
  /** @type {Map<bigint, import("../stacks/location_frames.js").Mapping>} */
  mappings = new Map();
  /** @type {Map<bigint, import("../stacks/location_frames.js").Location>} */
  locations = new Map();
  /** @type {Map<bigint, import("../stacks/location_frames.js").FunctionName>} */
  functions = new Map();
  #strings;
  #stacks;
  /** @type {{ key: string, value: string }[]} */
  #attributes;

  /**
   * @param {Part | null} part
   * @throws {Error} where bytes are no message
   */
  constructor(part) {
    const tables = fieldsOf("dictionary", part);
    this.#strings = tables.stringTable;
    this.#stacks = tables.stackTable;
    this.#attributes = tables.attributeTable.map((entry) => {
      const { keyStrindex, value } = fieldsOf("keyValueAndUnit", entry);
      return { key: this.shortString(index(keyStrindex)) ?? "", value: this.value(value) };
    });
    for (const [at, entry] of tables.mappingTable.entries()) {
      if (at === 0) continue; // stands for none
      const object = index(fieldsOf("mapping", entry).filenameStrindex);
      this.mappings.set(BigInt(at), { id: BigInt(at), object, buildId: 0 });
    }
    for (const [at, entry] of tables.functionTable.entries()) {
      const read = fieldsOf("function", entry);
      this.functions.set(BigInt(at), {
        id: BigInt(at),
        name: index(read.nameStrindex),
        systemName: index(read.systemNameStrindex),
        file: index(read.filenameStrindex),
      });
    }
    for (const [at, entry] of tables.locationTable.entries()) this.#takeLocation(BigInt(at), entry);
  }

  /** Whether there are stacks, which drafts of OTLP before 1.8 did not have here. */
  get hasStacks() {
    return this.#stacks.length > 0;
  }

  /**
   * Return the locations of a stack, innermost first; null where the dictionary lacks it.
   *
   * @param {bigint} at
   */
  stack(at) {
    const part = this.#stacks[index(at)];
    return part === undefined ? null : fieldsOf("stack", part).locationIndices;
  }

  /** @param {number} at */
  string(at) {
    return this.#strings[at]?.toString();
  }

  /** @param {number} at */
  shortString(at) {
    return this.string(at)?.slice(0, LONGEST);
  }

  /** @param {number} at */
  isText(at) {
    const text = this.#strings[at];
    return typeof text === "string" || isUtf8(text);
  }

  /**
   * Return attributes by their keys.
   *
   * @param {bigint[]} places in the table
   * @returns {Map<string, string>}
   */
  attributes(places) {
    const known = places.flatMap((at) => this.#attributes[index(at)] ?? []);
    return new Map(known.filter(({ key }) => key !== "").map(({ key, value }) => [key, value]));
  }

  /**
   * Return the value of an attribute as text; empty where it is neither text nor an integer.
   *
   * @param {Part | null} part
   */
  value(part) {
    const { stringValue, intValue, stringValueStrindex } = fieldsOf("anyValue", part);
    const text =
      stringValueStrindex > 0n ? this.shortString(index(stringValueStrindex)) : stringValue;
    const plain = (text ?? "").toString().slice(0, LONGEST);
    return plain === "" && intValue !== 0n ? String(intValue) : plain;
  }

  /**
   * @param {bigint} id
   * @param {Part} entry
   */
  #takeLocation(id, entry) {
    const { mappingIndex, address, lines, attributeIndices } = fieldsOf("location", entry);
    const isKernel = this.attributes(attributeIndices.first).get(FRAME_TYPE) === "kernel";
    this.locations.set(id, {
      id,
      mapping: isKernel ? this.#kernelMapping() : mappingIndex,
      address: BigInt.asUintN(64, address),
      lines: lines
        .slice(0, DEEPEST_STACK)
        .map((line) => BigInt.asUintN(64, fieldsOf("line", line).functionIndex)),
    });
  }

  #kernelMapping() {
    if (!this.mappings.has(KERNEL_MAPPING)) {
      const object = this.#strings.push(KERNEL_OBJECT) - 1;
      this.mappings.set(KERNEL_MAPPING, { id: KERNEL_MAPPING, object, buildId: 0 });
    }
    return KERNEL_MAPPING;
  }
}

/**
 * Return a place in a table; -1 where there can be none.
 *
 * @param {bigint} integer
 */
function index(integer) {
  return integer >= 0n && integer < 2n ** 32n ? Number(integer) : -1;
}

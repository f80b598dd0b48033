/**
 * Reads the protobuf message of a pprof file: keeps the tables that samples refer to, and visits
 * the samples one at a time. The numbers of the fields are those of
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 */

import { Buffer, isUtf8 } from "node:buffer";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { DEEPEST_STACK } from "../../model/profile_builder.js";
import { eachField, Field, messageReader, wordsOf } from "../stacks/protobuf.js";

/**
 * @typedef {{ type: number, unit: number }} ValueType indices into the strings
 * @typedef {import("../stacks/location_frames.js").Mapping} Mapping
 * @typedef {import("../stacks/location_frames.js").Location} Location
 * @typedef {import("../stacks/location_frames.js").FunctionName} FunctionName
 * @typedef {{ key: number, text: number, number: bigint }} Label
 *
 * @typedef {object} Sample
 * @property {bigint[]} locations innermost first; no more than a stack may be deep
 * @property {number} further how many more locations it has
 * @property {bigint[]} values
 * @property {Label[]} labels
 */

/** Entries of a table, values or labels of a sample: no profiler writes as many. */
const MOST_ENTRIES = 2 ** 21;
const MOST_VALUES = 2 ** 10;

/**
 * Characters of a path, or of the value of a label: no system has longer ones. A few bytes each may refer
 * to one string again and again, and each time all of it is looked at.
 */
const LONGEST = 4096;

/** The fields of the outermost message. */
const SAMPLE_TYPE = 1;
const SAMPLE = 2;
const MAPPING = 3;
const LOCATION = 4;
const FUNCTION = 5;
const STRING = 6;
const PERIOD_TYPE = 11;
const COMMENT = 13;
const INTEGERS = new Set([7, 8, 9, 10, 12, COMMENT, 14, 15]);
const PARTS = new Set([
  SAMPLE_TYPE,
  SAMPLE,
  MAPPING,
  LOCATION,
  FUNCTION,
  STRING,
  PERIOD_TYPE,
  COMMENT,
]);

/** What samples refer to. */
export class Tables {
  /** @type {ValueType[]} */
  sampleTypes = [];
  /** @type {Map<bigint, Mapping>} in the order of the file: the first is the program's own */
  mappings = new Map();
  /** @type {Map<bigint, Location>} */
  locations = new Map();
  /** @type {Map<bigint, FunctionName>} */
  functions = new Map();
  /** @type {number[]} indices into the strings */
  comments = [];
  /** @type {Buffer[]} */
  #strings = [];
  /** @type {(string | undefined)[]} the strings that were asked for */
  #decoded = [];
  /** Entries beyond MOST_ENTRIES. */
  leftOut = 0;
  /** @type {string | null} what stopped the reader before the end, where something did */
  damage = null;

  /** @param {Uint8Array} bytes all of the message */
  constructor(bytes) {
    try {
      eachField(bytes, (field, reader) => this.#take(field, reader));
    } catch (error) {
      this.damage = wordsOf(error);
    }
  }

  /**
   * Return a string; undefined where the file lacks it. Bytes that are not UTF-8 are U+FFFD.
   *
   * @param {number} index
   */
  string(index) {
    this.#decoded[index] ??= this.#strings[index]?.toString("utf8");
    return this.#decoded[index];
  }

  /**
   * Return a string that is never long: the beginning of one that is.
   *
   * @param {number} index
   */
  shortString(index) {
    return this.string(index)?.slice(0, LONGEST);
  }

  /**
   * Return whether all bytes of a string are UTF-8.
   *
   * @param {number} index
   */
  isText(index) {
    return index in this.#strings && isUtf8(this.#strings[index]);
  }

  /**
   * @param {number} field
   * @param {Field} reader
   */
  #take(field, reader) {
    if (field === SAMPLE_TYPE) this.#keep(this.sampleTypes, valueType(reader.bytes()));
    else if (field === MAPPING) this.#keepById(this.mappings, mapping(reader.bytes()));
    else if (field === LOCATION) this.#keepById(this.locations, location(reader.bytes()));
    else if (field === FUNCTION) this.#keepById(this.functions, functionName(reader.bytes()));
    else if (field === STRING) {
      const { buffer, byteOffset, byteLength } = reader.bytes();
      this.#keep(this.#strings, Buffer.from(buffer, byteOffset, byteLength));
    } else if (field === COMMENT)
      for (const one of reader.integers()) this.comments.push(index(one));
  }

  /**
   * @template T
   * @param {T[]} table
   * @param {T} entry
   */
  #keep(table, entry) {
    if (table.length < MOST_ENTRIES) table.push(entry);
    else this.leftOut++;
  }

  /**
   * @template {{ id: bigint }} T
   * @param {Map<bigint, T>} table
   * @param {T} entry
   */
  #keepById(table, entry) {
    if (table.size < MOST_ENTRIES || table.has(entry.id)) table.set(entry.id, entry);
    else this.leftOut++;
  }
}

/**
 * Go through the samples, in the order of the file, up to its end or what is damaged.
 *
 * @param {Uint8Array} bytes all of the message
 * @param {(sample: Sample | null) => void} take null represents one that is damaged itself
 */
export function eachSample(bytes, take) {
  try {
    eachField(bytes, (field, reader) => {
      if (field === SAMPLE) take(sampleOrNull(reader.bytes()));
    });
  } catch (error) {
    wordsOf(error); // the tables have reported it
  }
}

/**
 * Return whether bytes begin a message like that of a pprof file: its fields are of their types, and a
 * type of samples or a sample is among them.
 *
 * @param {Uint8Array} bytes
 * @returns {"yes" | "no" | "more"}
 */
export function beginsMessage(bytes) {
  let known = false;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    try {
      known = isField(reader) || known;
    } catch {
      if (reader.pos <= reader.len) return "no";
      break; // the bytes end in the middle of a field
    }
  }
  return known ? "yes" : "more";
}

/**
 * Return whether the next field is one that every file has.
 *
 * @param {BinaryReader} reader
 * @throws where the next field is none of a pprof file
 */
function isField(reader) {
  const [field, wire] = reader.tag();
  const known = wire === WireType.Varint ? INTEGERS : PARTS;
  if (!known.has(field) || (wire !== WireType.Varint && wire !== WireType.LengthDelimited))
    throw new Error("a field of another message");
  const value = new Field(reader, wire);
  if (wire === WireType.Varint) {
    value.integer();
    return false;
  }
  const bytes = value.bytes();
  if (field === SAMPLE_TYPE) return valueType(bytes).type > 0;
  if (field === SAMPLE) return sample(bytes).values.length > 0;
  if (field === MAPPING) mapping(bytes);
  else if (field === LOCATION) location(bytes);
  else if (field === FUNCTION) functionName(bytes);
  else if (field !== STRING && field !== COMMENT && field !== PERIOD_TYPE)
    throw new Error("no text");
  return false;
}

const valueType = messageReader(() => ({ type: 0, unit: 0 }), {
  1: (made, value) => (made.type = index(value.integer())),
  2: (made, value) => (made.unit = index(value.integer())),
});

const mapping = messageReader(() => ({ id: 0n, object: 0, buildId: 0 }), {
  1: (made, value) => (made.id = value.id()),
  5: (made, value) => (made.object = index(value.integer())),
  6: (made, value) => (made.buildId = index(value.integer())),
});

const lineOf = messageReader(() => ({ function: 0n }), {
  1: (made, value) => (made.function = value.id()),
});

const location = messageReader(
  /** @returns {Location} */ () => ({ id: 0n, mapping: 0n, address: 0n, lines: [] }),
  {
    1: (made, value) => (made.id = value.id()),
    2: (made, value) => (made.mapping = value.id()),
    3: (made, value) => (made.address = value.id()),
    4: ({ lines }, value) => {
      const line = lineOf(value.bytes());
      if (lines.length < DEEPEST_STACK) lines.push(line.function);
    },
  },
);

const functionName = messageReader(() => ({ id: 0n, name: 0, systemName: 0, file: 0 }), {
  1: (made, value) => (made.id = value.id()),
  2: (made, value) => (made.name = index(value.integer())),
  3: (made, value) => (made.systemName = index(value.integer())),
  4: (made, value) => (made.file = index(value.integer())),
});

const label = messageReader(() => ({ key: 0, text: 0, number: 0n }), {
  1: (made, value) => (made.key = index(value.integer())),
  2: (made, value) => (made.text = index(value.integer())),
  3: (made, value) => (made.number = value.integer()),
});

const sample = messageReader(
  /** @returns {Sample} */ () => ({ locations: [], further: 0, values: [], labels: [] }),
  {
    1: (made, value) => {
      for (const one of value.integers()) {
        if (made.locations.length <= DEEPEST_STACK) made.locations.push(BigInt.asUintN(64, one));
        else made.further++;
      }
    },
    2: ({ values }, value) => {
      for (const one of value.integers()) if (values.length < MOST_VALUES) values.push(one);
    },
    3: ({ labels }, value) => {
      const one = label(value.bytes());
      if (labels.length < MOST_VALUES) labels.push(one);
    },
  },
);

/** @param {Uint8Array} bytes */
function sampleOrNull(bytes) {
  try {
    return sample(bytes);
  } catch (error) {
    wordsOf(error);
    return null;
  }
}

/**
 * Return an index into the strings; -1 where it can be none.
 *
 * @param {bigint} integer
 */
function index(integer) {
  return integer >= 0n && integer < MOST_ENTRIES ? Number(integer) : -1;
}

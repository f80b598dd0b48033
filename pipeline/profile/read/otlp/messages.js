/**
 * The messages of OTLP profiles, in protobuf or in JSON, as far as they are read. Numbers of fields:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/profiles/v1development/profiles.proto
 * in version 1.8 and later, which have a table of stacks.
 */

import { Buffer } from "node:buffer";
import { listOf, textOf } from "../stacks/json_file.js";
import { eachField } from "../stacks/protobuf.js";

/**
 * What values of fields are read as.
 *
 * @typedef {object} Kinds
 * @property {bigint} integer
 * @property {Integers} integers
 * @property {Text} text
 * @property {Text[]} texts
 * @property {Part | null} part a message, to be read in turn; null where there is none
 * @property {Part[]} parts
 *
 * @typedef {Uint8Array | Record<string, any>} Part of protobuf, or of JSON
 * @typedef {Buffer | string} Text the same
 * @typedef {{ first: bigint[], further: number }} Integers `further` counts those beyond MOST_INTEGERS
 */

/** Entries of a table, and integers of a list: no profiler writes as many. */
const MOST_ENTRIES = 2 ** 21;
const MOST_INTEGERS = 2 ** 13;

/**
 * Each field with its number in protobuf, named as in JSON.
 *
 * @satisfies {Record<string, Record<string, [number, keyof Kinds]>>}
 */
const MESSAGES = {
  data: { resourceProfiles: [1, "parts"], dictionary: [2, "part"] },
  dictionary: {
    mappingTable: [1, "parts"],
    locationTable: [2, "parts"],
    functionTable: [3, "parts"],
    stringTable: [5, "texts"],
    attributeTable: [6, "parts"],
    stackTable: [7, "parts"],
  },
  resourceProfiles: { resource: [1, "part"], scopeProfiles: [2, "parts"] },
  resource: { attributes: [1, "parts"] },
  scopeProfiles: { profiles: [2, "parts"] },
  /** Without its samples, which are visited one at a time. */
  profile: { sampleType: [1, "part"], periodType: [5, "part"], period: [6, "integer"] },
  valueType: { typeStrindex: [1, "integer"], unitStrindex: [2, "integer"] },
  sample: {
    stackIndex: [1, "integer"],
    attributeIndices: [2, "integers"],
    values: [4, "integers"],
    timestampsUnixNano: [5, "integers"],
  },
  mapping: { filenameStrindex: [4, "integer"] },
  stack: { locationIndices: [1, "integers"] },
  location: {
    mappingIndex: [1, "integer"],
    address: [2, "integer"],
    lines: [3, "parts"],
    attributeIndices: [4, "integers"],
  },
  line: { functionIndex: [1, "integer"] },
  function: {
    nameStrindex: [1, "integer"],
    systemNameStrindex: [2, "integer"],
    filenameStrindex: [3, "integer"],
  },
  /** Of a resource. */
  keyValue: { key: [1, "text"], value: [2, "part"], keyStrindex: [3, "integer"] },
  /** Of the table of attributes. */
  keyValueAndUnit: { keyStrindex: [1, "integer"], value: [2, "part"] },
  anyValue: {
    stringValue: [1, "text"],
    intValue: [3, "integer"],
    stringValueStrindex: [8, "integer"],
  },
};

/**
 * The fields of a message; those that are not there have the default of their kind.
 *
 * @template {keyof typeof MESSAGES} K
 * @typedef {{ [F in keyof (typeof MESSAGES)[K]]: KindOf<(typeof MESSAGES)[K][F]> }} Fields
 */

/**
 * @template F
 * @typedef {F extends [number, infer Kind extends keyof Kinds] ? Kinds[Kind] : never} KindOf
 */

/**
 * Read a part as a message.
 *
 * @template {keyof typeof MESSAGES} K
 * @param {K} name
 * @param {Part | null} part
 * @returns {Fields<K>}
 * @throws {Error} where bytes are no message
 */
export function fieldsOf(name, part) {
  /** @type {[string, [number, keyof Kinds]][]} */
  const fields = Object.entries(MESSAGES[name]);
  const made = Object.fromEntries(fields.map(([field, [, kind]]) => [field, EMPTY[kind]()]));
  if (part instanceof Uint8Array) {
    eachField(part, (number, value) => {
      const [field, [, kind]] = fields.find(([, [known]]) => known === number) ?? ["", [0, null]];
      if (kind !== null) made[field] = FROM_PROTOBUF[kind](value, made[field]);
    });
  } else if (part !== null) {
    for (const [field, [, kind]] of fields) {
      if (part[field] !== undefined) made[field] = FROM_JSON[kind](part[field]);
    }
  }
  return /** @type {Fields<K>} */ (made);
}

/**
 * Visit the samples of a profile.
 *
 * @param {Part} profile
 * @param {(sample: Fields<"sample">) => void} take
 */
export function eachSample(profile, take) {
  if (profile instanceof Uint8Array) {
    eachField(profile, (number, value) => {
      if (number === SAMPLES) take(fieldsOf("sample", value.bytes()));
    });
  } else {
    for (const sample of partsIn(profile.samples)) take(fieldsOf("sample", sample));
  }
}

const SAMPLES = 2;

/** @type {{ [K in keyof Kinds]: () => Kinds[K] }} */
const EMPTY = {
  integer: () => 0n,
  integers: () => ({ first: [], further: 0 }),
  text: () => "",
  texts: () => [],
  part: () => null,
  parts: () => [],
};

/** @type {{ [K in keyof Kinds]: (value: import("../stacks/protobuf.js").Field, before: any) => Kinds[K] }} */
const FROM_PROTOBUF = {
  integer: (value) => value.integer(),
  integers: (value, /** @type {Integers} */ before) => {
    for (const each of value.integers()) {
      if (before.first.length < MOST_INTEGERS) before.first.push(each);
      else before.further++;
    }
    return before;
  },
  text: (value) => bufferOf(value),
  texts: (value, /** @type {Text[]} */ before) => withOneMore(before, bufferOf(value)),
  part: (value) => value.bytes(),
  parts: (value, /** @type {Part[]} */ before) => withOneMore(before, value.bytes()),
};

/** @type {{ [K in keyof Kinds]: (value: unknown) => Kinds[K] }} */
const FROM_JSON = {
  integer: integerIn,
  integers: (value) => {
    const list = listOf(value);
    const first = list.slice(0, MOST_INTEGERS).map(integerIn);
    return { first, further: list.length - first.length };
  },
  text: textOf,
  texts: (value) => listOf(value).slice(0, MOST_ENTRIES).map(textOf),
  part: (value) => (isObject(value) ? value : null),
  parts: partsIn,
};

/** @param {import("../stacks/protobuf.js").Field} value */
function bufferOf(value) {
  const { buffer, byteOffset, byteLength } = value.bytes();
  return Buffer.from(buffer, byteOffset, byteLength);
}

/**
 * @template T
 * @param {T[]} list
 * @param {T} one
 */
function withOneMore(list, one) {
  if (list.length < MOST_ENTRIES) list.push(one);
  return list;
}

/**
 * Return a number of JSON, where 64 bits are text; -1, which no index or weight is, in place of anything else.
 *
 * @param {unknown} value
 */
function integerIn(value) {
  if (typeof value === "string" && /^-?\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : -1n;
}

/**
 * @param {unknown} value
 * @returns {Part[]}
 */
function partsIn(value) {
  return listOf(value).slice(0, MOST_ENTRIES).filter(isObject);
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
function isObject(value) {
  return value !== null && typeof value === "object";
}

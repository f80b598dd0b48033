/**
 * Takes the chunks of a JFR recording apart: each describes the types of its events, and has its own pools of values
 * that events refer to. The format is that of the JDK's `jdk.jfr.internal.consumer`; its numbers are written with
 * seven bits a byte.
 */

import { Buffer } from "node:buffer";

const HEADER = 68;

/** Types within types, elements within elements: no recorder writes as many. */
const DEEPEST = 16;

/** Values that are decoded at most for each byte of a file: a type without fields takes no bytes. */
const VALUES_PER_BYTE = 2;

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type id of its type
 * @property {boolean} isArray
 * @property {boolean} isPooled whether it is an index into the pool of its type
 *
 * @typedef {{ name: string, fields: Field[] }} Type
 *
 * @typedef {{ pool: string, index: number }} Reference to a value in a pool
 */

/** Thrown where bytes are not what they should be. */
export class Damaged extends Error {}

class Bytes {
  #bytes;
  #left;
  at = 0;

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
    this.#left = VALUES_PER_BYTE * bytes.length;
  }

  /** Count a value, of which there are no more than the file has bytes for. */
  step() {
    if (this.#left-- <= 0) throw new Damaged("values that take no bytes");
  }

  byte() {
    if (this.at >= this.#bytes.length) throw new Damaged("end of the chunk");
    return this.#bytes[this.at++];
  }

  /** Return a number of seven bits a byte, eight in the ninth; those of 64 bits lose their last digits. */
  number() {
    let sum = 0;
    let factor = 1;
    for (let count = 0; count < 9; count++) {
      const byte = this.byte();
      if (count === 8) return sum + byte * factor;
      sum += (byte & 0x7f) * factor;
      if (byte < 0x80) break;
      factor *= 128;
    }
    return sum;
  }

  /** @param {number} length */
  skip(length) {
    this.at += length;
    if (this.at > this.#bytes.length) throw new Damaged("end of the chunk");
  }

  /** Return text; an index into the pool of strings where it is one. */
  text() {
    const encoding = this.byte();
    if (encoding <= 1) return "";
    if (encoding === 2) return { pool: "string", index: this.number() };
    const length = this.number();
    if (encoding === 4) {
      let text = "";
      for (let at = 0; at < length; at++) text += String.fromCharCode(this.number() & 0xffff);
      return text;
    }
    if (encoding !== 3 && encoding !== 5) throw new Damaged(`text in an encoding ${encoding}`);
    const start = this.at;
    this.skip(length);
    return this.#bytes.toString(encoding === 3 ? "utf8" : "latin1", start, this.at);
  }
}

/** @type {Record<string, (bytes: Bytes) => unknown>} */
const PRIMITIVES = {
  boolean: (bytes) => bytes.byte() !== 0,
  byte: (bytes) => bytes.byte(),
  char: (bytes) => bytes.number(),
  short: (bytes) => bytes.number(),
  int: (bytes) => bytes.number(),
  long: (bytes) => bytes.number(),
  float: (bytes) => bytes.skip(4),
  double: (bytes) => bytes.skip(8),
  "java.lang.String": (bytes) => bytes.text(),
};

/** One chunk: its types, pools and events. */
export class Chunk {
  /** @type {Map<string, Type>} by id */
  types = new Map();
  /** @type {Map<string, Map<number, any>>} by the id of the type */
  #pools = new Map();
  #bytes;
  #poolsAt;

  /** @param {Buffer} bytes those of the chunk alone */
  constructor(bytes) {
    this.#bytes = new Bytes(bytes);
    this.#poolsAt = Number(bytes.readBigInt64BE(16));
    this.#readTypes(Number(bytes.readBigInt64BE(24)));
  }

  /** @param {number} at */
  #readTypes(at) {
    const bytes = this.#bytes;
    bytes.at = at;
    bytes.number();
    if (bytes.number() !== 0) throw new Damaged("no description of types where it should be");
    for (let skipped = 0; skipped < 3; skipped++) bytes.number();
    const strings = Array.from({ length: this.#length() }, () => String(bytes.text()));
    /** @type {any} */
    let type = null;
    /** @param {number} depth */
    const element = (depth) => {
      bytes.step();
      if (depth > DEEPEST) throw new Damaged("types within types");
      const name = strings[bytes.number()];
      /** @type {Record<string, string>} */
      const attributes = {};
      for (let count = this.#length(); count > 0; count--) {
        const key = strings[bytes.number()];
        attributes[key] = strings[bytes.number()];
      }
      if (name === "class") {
        type = { name: attributes.name ?? "", fields: [] };
        this.types.set(attributes.id, type);
      } else if (name === "field" && type) {
        const { name: field, class: id, dimension, constantPool } = attributes;
        const isPooled = constantPool === "true";
        type.fields.push({ name: field, type: id, isArray: dimension === "1", isPooled });
      }
      for (let count = this.#length(); count > 0; count--) element(depth + 1);
    };
    element(0);
  }

  /** Return how many things follow, of at least a byte each. */
  #length() {
    const length = this.#bytes.number();
    if (length > 2 ** 27) throw new Damaged(`a list of ${length}`);
    return length;
  }

  /** Read the pools, the last first: each says how far before it another is. */
  readPools() {
    const bytes = this.#bytes;
    const seen = new Set();
    for (let at = this.#poolsAt; at > 0 && !seen.has(at); ) {
      seen.add(at);
      bytes.at = at;
      bytes.number();
      if (bytes.number() !== 1) throw new Damaged("no pool of values where it should be");
      bytes.number();
      bytes.number();
      const back = bytes.number();
      bytes.byte();
      for (let pools = this.#length(); pools > 0; pools--) this.#readPool();
      // it is negative, of 64 bits
      const before = back === 0 ? 0 : Number(BigInt.asIntN(64, this.#signed(at)));
      at = before === 0 ? 0 : at + before;
    }
  }

  /**
   * Read once more, exactly, how far before a pool another is.
   *
   * @param {number} at of the pool
   */
  #signed(at) {
    const bytes = this.#bytes;
    const end = bytes.at;
    bytes.at = at;
    for (let count = 0; count < 4; count++) bytes.number();
    let sum = 0n;
    for (let count = 0n; count < 9n; count++) {
      const byte = BigInt(bytes.byte());
      sum |= (count === 8n ? byte : byte & 0x7fn) << (7n * count);
      if (count < 8n && byte < 0x80n) break;
    }
    bytes.at = end;
    return sum;
  }

  #readPool() {
    const bytes = this.#bytes;
    const id = String(bytes.number());
    const pool = this.#pools.get(id) ?? new Map();
    this.#pools.set(id, pool);
    for (let count = this.#length(); count > 0; count--) {
      const key = bytes.number();
      const value = this.#value(id, 0);
      if (!pool.has(key)) pool.set(key, value);
    }
  }

  /**
   * Decode a value.
   *
   * @param {string} id of its type
   * @param {number} depth
   * @returns {any}
   */
  #value(id, depth) {
    this.#bytes.step();
    const type = this.types.get(id);
    if (type === undefined) throw new Damaged(`a value of a type ${id} that is not described`);
    const primitive = PRIMITIVES[type.name];
    if (primitive) return primitive(this.#bytes);
    if (depth > DEEPEST) throw new Damaged("values within values");
    return this.#fields(type, depth);
  }

  /**
   * @param {Type} type
   * @param {number} depth
   */
  #fields({ fields }, depth) {
    /** @type {Record<string, any>} */
    const value = {};
    for (const { name, type, isArray, isPooled } of fields) {
      const one = () =>
        isPooled ? { pool: type, index: this.#bytes.number() } : this.#value(type, depth + 1);
      value[name] = isArray ? Array.from({ length: this.#length() }, one) : one();
    }
    return value;
  }

  /**
   * Return what a reference refers to; anything else as it is.
   *
   * @param {any} value
   * @returns {any}
   */
  resolved(value) {
    if (typeof value?.index !== "number" || value.pool === undefined) return value;
    if (value.pool !== "string") return this.#pools.get(value.pool)?.get(value.index);
    const [id] = [...this.types].find(([, { name }]) => name === "java.lang.String") ?? [];
    return this.#pools.get(id ?? "")?.get(value.index);
  }

  /**
   * Decode the events of some types.
   *
   * @param {(name: string) => boolean} isWanted
   * @param {number} size of the chunk
   * @returns {Generator<{ name: string, event: Record<string, any> }, void>}
   */
  *events(isWanted, size) {
    const bytes = this.#bytes;
    const wanted = new Map([...this.types].filter(([, { name }]) => isWanted(name)));
    for (let start = HEADER; start < size; ) {
      bytes.at = start;
      const length = bytes.number();
      if (length <= 0) throw new Damaged("an event of no bytes");
      const type = wanted.get(String(bytes.number()));
      if (type) yield { name: type.name, event: this.#fields(type, 0) };
      start += length;
    }
  }
}

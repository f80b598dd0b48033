/** The fields of protobuf messages, one at a time: https://protobuf.dev/programming-guides/encoding/ */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A field's value, of which the wire type is known. */
export class Field {
  #reader;
  #wire;

  /**
   * @param {BinaryReader} reader
   * @param {WireType} wire
   */
  constructor(reader, wire) {
    this.#reader = reader;
    this.#wire = wire;
  }

  bytes() {
    this.#expect(WireType.LengthDelimited);
    return this.#reader.bytes();
  }

  /** Return a signed integer. */
  integer() {
    this.#expect(WireType.Varint);
    return BigInt(this.#reader.int64());
  }

  /** Return an unsigned integer. */
  id() {
    return BigInt.asUintN(64, this.integer());
  }

  /**
   * Go through integers, packed or one by one.
   *
   * @returns {Generator<bigint, void>}
   */
  *integers() {
    if (this.#wire !== WireType.LengthDelimited) {
      yield this.integer();
      return;
    }
    const packed = new BinaryReader(this.bytes());
    while (packed.pos < packed.len) yield BigInt(packed.int64());
  }

  /** @param {number} number */
  skip(number) {
    this.#reader.skip(this.#wire, number);
  }

  /** @param {WireType} wire */
  #expect(wire) {
    if (this.#wire !== wire) throw new Error(`a field of wire type ${this.#wire}, not ${wire}`);
  }
}

/**
 * Go through the fields of a message. A field whose value `take` leaves is skipped.
 *
 * @param {Uint8Array} bytes
 * @param {(field: number, value: Field) => void} take
 * @throws {Error} where the bytes are not fields
 */
export function eachField(bytes, take) {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    const start = reader.pos;
    const value = new Field(reader, wire);
    take(field, value);
    if (reader.pos === start) value.skip(field);
  }
}

/**
 * Return what reads a message into an object: of each field that counts, what it sets.
 *
 * @template T
 * @param {() => T} empty
 * @param {Record<number, (made: T, value: Field) => void>} fields by number
 */
export function messageReader(empty, fields) {
  return (/** @type {Uint8Array} */ bytes) => {
    const made = empty();
    eachField(bytes, (field, value) => fields[field]?.(made, value));
    return made;
  };
}

/**
 * Return the message of an error of the protobuf reader; rethrow a defect of our own.
 *
 * @param {unknown} error
 */
export function wordsOf(error) {
  if (error instanceof TypeError || !(error instanceof Error)) throw error;
  return error.message;
}

/** How messages of OTLP follow each other in a file. */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { LARGEST } from "../input/whole_file.js";

/** @typedef {import("./messages.js").Part} Part */

/** In bytes: the size of a message, which the file exporter of the Collector writes before each. */
const SIZE = 4;

/** `resource_profiles` of the outermost message, and what is in it, the outermost first. */
const RESOURCE_PROFILES = 1;
const DICTIONARY = 2;
const RESOURCE = 1;
const SCOPE_PROFILES = 2;
const SCHEMA = 3;

/**
 * Return what reads each message of a file; each may throw where it is none.
 *
 * @param {Buffer} bytes
 * @returns {(() => Part)[]}
 */
export function messagesIn(bytes) {
  if (startsProtobuf(bytes) === "yes") {
    return sizedMessages(bytes) ?? [() => bytes];
  }
  const text = bytes.toString("utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  // the file exporter writes a message a line; others may break one over lines
  const texts = lines.length > 1 && isJson(lines[0]) ? lines : [text];
  return texts.map((each) => () => JSON.parse(each));
}

/**
 * Return whether bytes begin a message, with or without its size before it.
 *
 * @param {Buffer} bytes
 * @returns {"yes" | "no" | "more"}
 */
export function startsProtobuf(bytes) {
  const plain = startsMessage(bytes);
  if (plain !== "no" || bytes.length < SIZE) return plain;
  const size = bytes.readUInt32BE(0);
  return size > 0 && size <= LARGEST ? startsMessage(bytes.subarray(SIZE)) : "no";
}

/**
 * Return the messages of a file in which each follows its size; null where they do not.
 *
 * @param {Buffer} bytes
 */
function sizedMessages(bytes) {
  if (startsMessage(bytes) === "yes") return null;
  const messages = [];
  for (let at = 0; at < bytes.length; ) {
    const size = at + SIZE <= bytes.length ? bytes.readUInt32BE(at) : 0;
    const message = bytes.subarray(at + SIZE, at + SIZE + size);
    messages.push(() => {
      if (size === 0 || message.length < size) throw new Error("a message without its end");
      return message;
    });
    at += SIZE + size;
    if (size === 0) break;
  }
  return messages;
}

/**
 * @param {Buffer} bytes
 * @returns {"yes" | "no" | "more"}
 */
function startsMessage(bytes) {
  const outer = new BinaryReader(bytes);
  try {
    while (outer.pos < outer.len) {
      const [field, wire] = outer.tag();
      if (wire !== WireType.LengthDelimited) return "no";
      const end = outer.uint32() + outer.pos;
      if (field === RESOURCE_PROFILES) return startsResource(bytes.subarray(outer.pos, end));
      if (field !== DICTIONARY) return "no";
      if (end > outer.len) return "more";
      outer.pos = end;
    }
  } catch {
    return outer.pos > outer.len ? "more" : "no";
  }
  return "more";
}

/**
 * Return whether bytes begin `resource_profiles`, which hold a scope's.
 *
 * @param {Uint8Array} bytes
 * @returns {"yes" | "no" | "more"}
 */
function startsResource(bytes) {
  const inner = new BinaryReader(bytes);
  try {
    while (inner.pos < inner.len) {
      const [field, wire] = inner.tag();
      if (wire !== WireType.LengthDelimited) return "no";
      const end = inner.uint32() + inner.pos;
      if (field === SCOPE_PROFILES) return "yes";
      if (field !== RESOURCE && field !== SCHEMA) return "no";
      if (end > inner.len) return "more";
      inner.pos = end;
    }
  } catch {
    return inner.pos > inner.len ? "more" : "no";
  }
  return "more";
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The call tree of folded stacks, one line after the other.
 *
 * Neighbouring lines begin alike, those of a sorted file above all: what a line shares with the one
 * before is not looked up again, and no line becomes a string.
 */

import { Buffer } from "node:buffer";
import { withRoom } from "../../model/columns.js";
import { SUFFIX_OF_CLASS } from "../../model/export_format.js";
import { mayBeMethod } from "../../model/languages/java.js";
import { isFunctionName } from "../../model/languages/languages.js";
import { exactWeight, INLINED, JIT, KERNEL, THREAD, USER } from "../../model/profile.js";
import { CUT_OFF, DEEPEST_STACK, ProfileBuilder, TOO_MANY } from "../../model/profile_builder.js";
import { TOO_DEEP } from "../stacks/limits.js";
import { BAD_NAME } from "../stacks/skipped.js";
import { plainThread, SOME_PROCESS } from "../stacks/thread_names.js";

const SEMICOLON = 0x3b;
const MINUS = 0x2d;

/**
 * Ours, and those of async-profiler for methods that were interpreted, or compiled by the quick compiler: how far a
 * method is compiled changes while the program runs, and is not what distinguishes methods.
 *
 * @type {Map<string, number>}
 */
const CLASS_OF_SUFFIX = new Map([
  ["_[0]", JIT],
  ["_[1]", JIT],
  ...Object.entries(SUFFIX_OF_CLASS).map(
    ([frameClass, suffix]) => /** @type {[string, number]} */ ([suffix, Number(frameClass)]),
  ),
]);
const SUFFIX_LENGTH = 4;

/** In place of the number of a frame. */
const DELIMITER = -1;

/** A thread below its process, as Austin writes it: `P17638;T17638;w.py:heavy:3` */
const AUSTIN_THREAD = /^T(?:\w+:)?\w+$/;

export class FoldedTree {
  builder;
  #skipped;
  #hasDelimiters;
  /** Whether first frames are threads: functions, where the tool writes none. */
  #hasThreads = true;

  /** @type {Map<string, number>[]} frames by their bytes, for each class of those without suffix */
  #frames = [];

  /** The bytes of the last stack. */
  #stack = new Uint8Array(2 ** 10);
  #length = 0;
  /** Of each of its frames: where it ends, its number, its node, and the class of the next. */
  #ends = new Int32Array(64);
  #numbers = new Int32Array(64);
  #nodes = new Int32Array(64);
  #classes = new Uint8Array(64);
  #depth = 0;
  /** Whether the first of them is Austin's process. */
  #isBelowProcess = false;
  /** How many of them mean the same in any other stack that begins with them. */
  #shareable = 0;

  /**
   * @param {import("../stacks/skipped.js").SkippedCounts} skipped
   * @param {boolean} hasDelimiters whether `-` and `--` are none of the program's functions
   * @param {import("../../model/profile_builder.js").Room} room
   */
  constructor(skipped, hasDelimiters, room) {
    this.builder = new ProfileBuilder(room);
    this.#skipped = skipped;
    this.#hasDelimiters = hasDelimiters;
  }

  /** Put the thread above all stacks that the tool did not write. */
  finish() {
    if (!this.#hasThreads) this.builder = belowProcess(this.builder);
  }

  /**
   * Return the node of a stack.
   *
   * @param {Buffer} bytes
   * @param {number} start of the first frame
   * @param {number} end of the last frame
   * @param {number} line its number
   */
  node(bytes, start, end, line) {
    const shared = this.#keepShared(bytes, start, end);
    let from = start + (shared === 0 ? 0 : this.#ends[shared - 1] + 1);
    const stack = withRoom(this.#stack, end - start);
    this.#stack = stack;
    for (let at = from; at < end; at++) {
      const byte = bytes[at];
      stack[at - start] = byte;
      if (byte !== SEMICOLON) continue;
      this.#takeFrame(bytes, from, at, end, line);
      this.#ends[this.#depth - 1] = at - start;
      from = at + 1;
    }
    this.#takeFrame(bytes, from, end, end, line);
    this.#ends[this.#depth - 1] = end - start;
    return this.#depth > DEEPEST_STACK ? this.#cutOffNode(line) : this.#nodeBelow(shared);
  }

  /**
   * Keep the frames that the last stack has in common with the next; returns how many.
   *
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   */
  #keepShared(bytes, start, end) {
    const stack = this.#stack;
    let depth = Math.min(this.#depth, this.#shareable);
    const length = depth === 0 ? 0 : Math.min(end - start, this.#length);
    let same = 0;
    while (same < length && bytes[start + same] === stack[same]) same++;
    while (depth > 0 && this.#ends[depth - 1] >= same) depth--;
    this.#depth = depth;
    this.#length = end - start;
    this.#shareable = Number.POSITIVE_INFINITY;
    return depth;
  }

  /**
   * Take the next frame of a stack.
   *
   * With `-d`, bcc's tools write `-` between the frames of the program and of the kernel, and
   * offwaketime `--` before the thread that woke this one, whose frames have the opposite order:
   * `mysqld;futex_wait;-;schedule;--;try_to_wake_up;-;notify;mysqld`.
   *
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to
   * @param {number} end of the stack
   * @param {number} line
   */
  #takeFrame(bytes, from, to, end, line) {
    const depth = this.#depth++;
    if (depth >= this.#ends.length) this.#grow();
    const frameClass = depth === 0 ? THREAD : this.#classes[depth - 1];
    this.#classes[depth] = depth === 0 ? USER : frameClass;
    const mayDelimit = this.#hasDelimiters && depth > 0 && to < end && bytes[from] === MINUS;
    if (mayDelimit && to - from === 1) {
      this.#numbers[depth] = DELIMITER;
      this.#classes[depth] = frameClass === KERNEL ? USER : KERNEL;
      return;
    }
    if (mayDelimit && to - from === 2 && bytes[from + 1] === MINUS) {
      const isDelimited = bytes.subarray(to, end).includes(";-;");
      this.#classes[depth] = isDelimited ? KERNEL : USER;
      this.#shareable = Math.min(this.#shareable, depth);
      this.#numbers[depth] = this.#frame("--", USER, line);
      return;
    }
    const text = bytes.toString("latin1", from, to);
    if (depth === 0) this.#takeFirst(text, line);
    else if (depth === 1 && this.#isBelowProcess && AUSTIN_THREAD.test(text))
      this.#numbers[depth] = DELIMITER;
    else this.#numbers[depth] = this.#frame(text, frameClass, line);
  }

  /**
   * @param {string} latin1
   * @param {number} line
   */
  #takeFirst(latin1, line) {
    this.#hasThreads &&= !isFunctionName(latin1);
    this.#isBelowProcess = /^P\d+$/.test(latin1);
    this.#numbers[0] = this.#frame(latin1, THREAD, line);
  }

  #grow() {
    const size = this.#ends.length * 2;
    this.#ends = withRoom(this.#ends, size);
    this.#numbers = withRoom(this.#numbers, size);
    this.#nodes = withRoom(this.#nodes, size);
    this.#classes = withRoom(this.#classes, size);
  }

  /**
   * @param {string} latin1 a frame, a character a byte
   * @param {number} usualClass where no suffix gives another
   * @param {number} line
   */
  #frame(latin1, usualClass, line) {
    this.#frames[usualClass] ??= new Map();
    const known = this.#frames[usualClass].get(latin1);
    if (known !== undefined) return known;
    const text = Buffer.from(latin1, "latin1").toString("utf8");
    if (text.includes("\ufffd")) this.#skipped.add(BAD_NAME, line);
    const frame = readFrame(this.builder, text, usualClass);
    if (frame !== TOO_MANY) this.#frames[usualClass].set(latin1, frame);
    return frame;
  }

  /**
   * Return the node of all frames, of which some are those of the last stack.
   *
   * @param {number} shared
   */
  #nodeBelow(shared) {
    let node = shared === 0 ? 0 : this.#nodes[shared - 1];
    for (let depth = shared; depth < this.#depth; depth++) {
      const frame = this.#numbers[depth];
      if (frame !== DELIMITER) node = this.builder.child(node, frame);
      this.#nodes[depth] = node;
    }
    return node;
  }

  /**
   * Return the node of a stack that is too deep: of the thread and the innermost frames.
   *
   * @param {number} line
   */
  #cutOffNode(line) {
    const { builder } = this;
    const left = this.#depth - (DEEPEST_STACK - 1);
    this.#skipped.add(TOO_DEEP, line, left);
    this.#shareable = 0;
    let node = builder.child(0, this.#numbers[0]);
    node = builder.child(node, builder.frame(CUT_OFF, USER));
    for (const frame of this.#numbers.subarray(1 + left, this.#depth)) {
      if (frame !== DELIMITER) node = builder.child(node, frame);
    }
    return node;
  }
}

/**
 * @param {ProfileBuilder} builder
 * @param {string} text
 * @param {number} usualClass where no suffix gives another
 */
function readFrame(builder, text, usualClass) {
  if (usualClass === THREAD) return builder.frame(plainThread(text.trim() || "[unknown]"), THREAD);
  const found = CLASS_OF_SUFFIX.get(text.slice(-SUFFIX_LENGTH));
  const name = (found === undefined ? text : text.slice(0, -SUFFIX_LENGTH)).trim() || "[unknown]";
  const isInlinedMethod = found === INLINED && mayBeMethod(name);
  return builder.frame(name, isInlinedMethod ? JIT : (found ?? usualClass));
}

/**
 * Return a tree whose first frames are functions, below one thread.
 *
 * @param {ProfileBuilder} builder of which the first frames are threads
 */
function belowProcess(builder) {
  const { names, classes, parent, name, self, selfSamples, scale } = builder.tree();
  const made = new ProfileBuilder();
  made.refine(builder.decimals);
  const process = made.child(0, made.frame(SOME_PROCESS, THREAD));
  const nodes = new Int32Array(parent.length);
  for (let node = 1; node < parent.length; node++) {
    const text = names[name[node]];
    nodes[node] =
      parent[node] === 0
        ? made.child(process, readFrame(made, text, USER))
        : made.child(nodes[parent[node]], made.frame(text, classes[name[node]]));
    made.add(nodes[node], exactWeight({ scale }, self[node]), selfSamples[node]);
  }
  return made;
}

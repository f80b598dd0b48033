/** The functions of two profiles, numbered, so that comparing them is comparing numbers. */

import { matchClass } from "../model/function_names.js";
import { nameSimilarity, stem, wordsOf } from "./similarity.js";

/** Classes whose functions' names are taken apart: those of C++, Rust and the like. */
const WITH_SCOPES = new Set(["user", "inlined"]);

/** @typedef {{ className: string, key: string, identity: string }} FunctionName `identity`: both */

export class Functions {
  constructor() {
    /** @type {FunctionName[]} */
    this.names = [];
    /** @type {number[]} which sides have it: a sum of bits */
    this.sides = [];
    /**
     * Functions of one group may be the same. Where both sides have a function, it is alone in its
     * group: it is never matched with another.
     *
     * @type {number[]}
     */
    this.group = [];
    /** @type {Map<number, number>} by group: which sides have one of it */
    this.groupSides = new Map();
    /** @type {import("./similarity.js").Words[]} of those that were asked for */
    this.wordsOf = [];
    /** @type {Map<string, number>} */
    this.numbers = new Map();
  }

  /**
   * @param {string} className
   * @param {string} key
   * @param {number} side a bit
   */
  add(className, key, side) {
    const matched = matchClass(className);
    const identity = `${matched} ${key}`;
    let number = this.numbers.get(identity);
    if (number === undefined) {
      number = this.names.push({ className: matched, key, identity }) - 1;
      this.sides.push(0);
      this.numbers.set(identity, number);
    }
    this.sides[number] |= side;
    return number;
  }

  /**
   * Group what may be the same, once all functions are known.
   *
   * @param {[number, number][]} renamed pairs of functions that only one side has each
   */
  makeGroups(renamed) {
    /** @type {Map<string, number>} */
    const stems = new Map();
    this.group = this.names.map(({ className, key }, number) => {
      if (!this.isOneSided(number) || !WITH_SCOPES.has(className)) return number;
      const text = `${className} ${stem(key)}`;
      const first = stems.get(text) ?? number;
      stems.set(text, first);
      return first;
    });
    for (const [one, other] of renamed) this.group[one] = this.group[other];
    this.groupSides.clear();
    this.group.forEach((group, number) => {
      this.groupSides.set(group, (this.groupSides.get(group) ?? 0) | this.sides[number]);
    });
  }

  /**
   * Return how likely a function of one side was renamed to one of the other, by their names alone.
   *
   * @param {number} number
   * @param {number} other
   * @returns {number} 0 where either, or its like, is on both sides
   */
  renameSimilarity(number, other) {
    const [name, otherName] = [this.names[number], this.names[other]];
    if (name.className !== otherName.className || !WITH_SCOPES.has(name.className)) return 0;
    if (!this.isAlone(number) || !this.isAlone(other)) return 0;
    return nameSimilarity(this.words(number), this.words(other));
  }

  /** @param {number} number */
  words(number) {
    const known = this.wordsOf[number] ?? wordsOf(this.names[number].key);
    this.wordsOf[number] = known;
    return known;
  }

  /** @param {number} number */
  isAlone(number) {
    const sides = this.groupSides.get(this.group[number]) ?? 0;
    return (sides & (sides - 1)) === 0;
  }

  /** @param {number} number */
  isOneSided(number) {
    return (this.sides[number] & (this.sides[number] - 1)) === 0;
  }
}

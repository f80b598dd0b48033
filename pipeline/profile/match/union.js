/**
 * The union of two call trees: it has every frame of either below its own caller, and what is
 * the same on both sides once.
 */

import { CLASS_NAMES } from "../model/profile.js";

/** Which sides have a frame: bits, so that both is their sum. */
export const IN_BASE = 1;
export const IN_AFTER = 2;

/**
 * @typedef {import("./places.js").Place} Place
 *
 * @typedef {object} Image where a node of a profile is in the union
 * @property {number} node of the profile
 * @property {number} at node of the union
 * @property {number} part of its weight that is there
 */

export class Union {
  /** @param {import("./functions.js").Functions} functions */
  constructor(functions) {
    this.functions = functions;
    this.parent = [-1];
    /** @type {[number, number][]} the function that base and after have here; the root has none */
    this.function = [[-1, -1]];
    this.className = [CLASS_NAMES[0]];
    /** @type {(Map<number | string, number> | undefined)[]} */
    this.children = [];
    /** @type {Map<number, Image[]>} by bit of the side */
    this.images = new Map();
  }

  /**
   * @param {number} above
   * @param {number} ofBase a function
   * @param {number} ofAfter the same function, or one joined with it
   * @returns {number} the node below another, made where there was none
   */
  child(above, ofBase, ofAfter) {
    this.children[above] ??= new Map();
    const identity = identityOf(ofBase, ofAfter);
    const known = this.children[above].get(identity);
    if (known !== undefined) return known;
    const node = this.parent.push(above) - 1;
    this.function.push([ofBase, ofAfter]);
    this.className.push(this.functions.names[ofAfter].className);
    this.children[above].set(identity, node);
    return node;
  }

  /**
   * Put the nodes of a place where they are.
   *
   * @param {number} at node of the union
   * @param {Place} place
   */
  put(at, { side, nodes, part }) {
    const images = this.images.get(side.bit) ?? [];
    this.images.set(side.bit, images);
    const { name, classes, class_names } = side.profile;
    for (const node of nodes) {
      images.push({ node, at, part });
      // Folded stacks call "user" what others know to be a library's.
      if (class_names[classes[name[node]]] === "library") this.className[at] = "library";
    }
  }

  /** @param {number} node */
  identity(node) {
    return identityOf(...this.function[node]);
  }

  /**
   * @param {number} node not the root
   * @returns {[string, string]} the keys of base and after, different where they were joined
   */
  keys(node) {
    const [ofBase, ofAfter] = this.function[node];
    return [this.functions.names[ofBase].key, this.functions.names[ofAfter].key];
  }

  /** @returns {number[]} siblings in the order of key and class, whichever side is which */
  preorder() {
    const order = [];
    const waiting = [0];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      order.push(node);
      const children = [...(this.children[node]?.values() ?? [])].map((child) => ({
        child,
        keys: this.keys(child).sort(compareText),
        className: CLASS_NAMES.indexOf(this.className[child]),
      }));
      children.sort(
        (a, b) =>
          compareText(b.keys[0], a.keys[0]) ||
          compareText(b.keys[1], a.keys[1]) ||
          b.className - a.className,
      );
      for (const { child } of children) waiting.push(child);
    }
    return order;
  }
}

/**
 * @param {number} ofBase
 * @param {number} ofAfter
 */
function identityOf(ofBase, ofAfter) {
  return ofBase === ofAfter ? ofBase : [ofBase, ofAfter].join("=");
}

/**
 * Compare in the order of the UTF-8 bytes, which is that of the code points.
 *
 * @param {string} a
 * @param {string} b
 */
export function compareText(a, b) {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    // Where the units differ, whole code points decide: a surrogate sorts above all of the BMP.
    if (a[at] !== b[at]) return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
  }
  return a.length - b.length;
}

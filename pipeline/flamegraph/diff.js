/**
 * Two profiles as one tree: the union of both, matched along call paths by class and name-match key,
 * with the weights of either side beside each other. Nothing is lost: the selfs of each side add up to
 * its profile, to the unit.
 *
 * @typedef {"share" | "cost_per_operation" | "weight_per_second"} Basis
 *
 * @typedef {object} DiffSide
 * @property {string} label the release, for readers
 * @property {string} unit what one of `total` is, as in the profile
 * @property {string} total exact and unscaled, in decimal digits
 * @property {number | null} samples
 * @property {number} scale a stored weight × scale = the exact weight
 * @property {number} factor an exact weight × factor = its value in the basis
 *
 * @typedef {object} Joined names that are one function here, though they differ
 * @property {string} key
 * @property {string} class
 * @property {string[]} base
 * @property {string[]} after
 *
 * @typedef {object} Matched share of the weight on call paths that both sides have, in percent
 * @property {number} percent mean of both sides
 * @property {number} base_percent
 * @property {number} after_percent
 *
 * @typedef {import("./graph.js").NamedNodes & {
 *   format: "perfpress-diff", version: 1, event: string, unit: string, basis: Basis,
 *   noise_floor: number, present: number[], colour_scale: number, base: DiffSide, after: DiffSide, matched: Matched, joined: Joined[],
 *   base_self: number[] | string[], after_self: number[] | string[] }} Diff
 *   The diff file, key for key. Nodes are in preorder, siblings in the order of key and class.
 *   `noise_floor` (not coloured) and `colour_scale` (strongest colour) are changes in the basis: a
 *   share of 1, or the basis's own unit.
 *
 * @typedef {object} DiffOptions
 * @property {string} baseLabel
 * @property {string} afterLabel
 * @property {Basis} [basis] default: share
 * @property {number} [baseFactor] for the bases other than share: 1 ÷ operations (or seconds)
 * @property {number} [afterFactor]
 * @property {number} [noiseFloor]
 * @property {Record<string, string[]>} [aliases] by name-match key: the keys that are the same function
 */

import { colourScale, IN_AFTER, IN_BASE } from "./diff_graph.js";
import { matchClass } from "./names.js";
import { BadInput, problem } from "./problems.js";
import { CLASS_NAMES, selfWeights } from "./profile.js";
import { findWrappers } from "./wrappers.js";

/**
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {DiffOptions} options
 * @returns {Diff}
 * @throws {BadInput} where the sides count different things and the basis is not a share
 */
export function diffProfiles(base, after, options) {
  const basis = options.basis ?? "share";
  if (basis !== "share" && base.unit !== after.unit) throw differentUnits(base, after, options);
  const keyOf = joinedKeys(options.aliases ?? {});
  const union = new Union(keyOf);
  const wrappers = findWrappers(base, after, (className, key) => identityOf(className, keyOf(key)));
  const ofBase = union.add(base, wrappers.base);
  const ofAfter = union.add(after, wrappers.after);
  const order = union.preorder();
  const position = new Int32Array(order.length);
  order.forEach((node, index) => {
    position[node] = index;
  });

  const baseSelf = gather(selfWeights(base), ofBase, position);
  const afterSelf = gather(selfWeights(after), ofAfter, position);
  const present = { base: new Set(ofBase), after: new Set(ofAfter) };
  /** @type {(node: number) => boolean} */
  const shared = (index) => present.base.has(order[index]) && present.after.has(order[index]);
  const presence = order.map(
    (node) => (present.base.has(node) ? IN_BASE : 0) + (present.after.has(node) ? IN_AFTER : 0),
  );
  const basePercent = sharedPercent(baseSelf, shared);
  const afterPercent = sharedPercent(afterSelf, shared);
  const diff = {
    format: /** @type {const} */ ("perfpress-diff"),
    version: /** @type {const} */ (1),
    event: base.event === after.event ? after.event : `${base.event} and ${after.event}`,
    unit: base.unit === after.unit ? after.unit : "weight",
    basis,
    noise_floor: options.noiseFloor ?? 0,
    base: side(base, options.baseLabel, basis, options.baseFactor),
    after: side(after, options.afterLabel, basis, options.afterFactor),
    matched: {
      percent: (basePercent + afterPercent) / 2,
      base_percent: basePercent,
      after_percent: afterPercent,
    },
    joined: union.joined(),
    ...union.columns(order, position),
    present: presence,
    base_self: stored(baseSelf),
    after_self: stored(afterSelf),
  };
  return { ...diff, colour_scale: colourScale(diff) };
}

/**
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {DiffOptions} options
 */
function differentUnits(base, after, { baseLabel, afterLabel }) {
  return new BadInput(
    problem({
      path: `${baseLabel} and ${afterLabel}`,
      found: `${baseLabel} counts ${base.unit}, ${afterLabel} counts ${after.unit}`,
      expected: "the same unit on both sides",
      do: "compare profiles of the same event, or compare shares",
    }),
  );
}

/**
 * @param {import("./profile.js").Profile} profile
 * @param {string} label
 * @param {Basis} basis
 * @param {number} [factor]
 * @returns {DiffSide}
 */
function side({ unit, total, samples, scale }, label, basis, factor = 1) {
  const share = total === "0" ? 0 : 1 / Number(total);
  return { label, unit, total, samples, scale, factor: basis === "share" ? share : factor };
}

/**
 * Return what two frames of the same function have in common.
 *
 * @param {string} className
 * @param {string} key
 */
function identityOf(className, key) {
  return `${matchClass(className)} ${key}`;
}

/**
 * Return what gives a key the one under which its author joins it with others.
 *
 * @param {Record<string, string[]>} aliases
 * @returns {(key: string) => string}
 */
function joinedKeys(aliases) {
  const joined = new Map(
    Object.entries(aliases).flatMap(([key, others]) => others.map((other) => [other, key])),
  );
  return (key) => joined.get(key) ?? key;
}

/** The union of call trees, built a profile at a time. */
class Union {
  /** @param {(key: string) => string} joinedKey */
  constructor(joinedKey) {
    this.joinedKey = joinedKey;
    this.parent = [-1];
    this.keyOf = ["all"];
    this.classOf = [CLASS_NAMES[0]];
    /** @type {Map<string, number>[]} children by class and key */
    this.children = [new Map()];
    /** @type {Set<string>[][]} the names that stand at a node, a set a profile */
    this.namesOf = [];
  }

  /**
   * @param {import("./profile.js").Profile} profile
   * @param {import("./wrappers.js").Wrappers} wrappers frames that the profile lacks
   * @returns {Int32Array} the union's node of each of the profile's
   */
  add({ parent, name, names, keys, classes, class_names }, wrappers) {
    /** @type {Set<string>[]} */
    const namesOf = [];
    this.namesOf.push(namesOf);
    const nodes = new Int32Array(parent.length);
    for (let node = 0; node < parent.length; node++) {
      const index = name[node];
      const key = this.joinedKey(keys[index] ?? names[index]);
      const className = class_names[classes[index]];
      const above = (wrappers.get(node) ?? []).reduce(
        (place, wrapper) => this.child(place, this.joinedKey(wrapper.key), wrapper.className),
        nodes[parent[node]],
      );
      nodes[node] = node === 0 ? 0 : this.child(above, key, className);
      namesOf[nodes[node]] ??= new Set();
      namesOf[nodes[node]].add(names[index]);
    }
    return nodes;
  }

  /**
   * @param {number} above
   * @param {string} key
   * @param {string} className
   */
  child(above, key, className) {
    const identity = identityOf(className, key);
    const known = this.children[above].get(identity);
    if (known !== undefined) {
      if (className !== matchClass(className)) this.classOf[known] = className;
      return known;
    }
    const node = this.parent.push(above) - 1;
    this.keyOf.push(key);
    this.classOf.push(className);
    this.children.push(new Map());
    this.children[above].set(identity, node);
    return node;
  }

  /** @returns {number[]} */
  preorder() {
    const order = [];
    const waiting = [0];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      order.push(node);
      const children = [...this.children[node].values()];
      children.sort(
        (a, b) =>
          compareText(this.keyOf[b], this.keyOf[a]) ||
          CLASS_NAMES.indexOf(this.classOf[b]) - CLASS_NAMES.indexOf(this.classOf[a]),
      );
      for (const child of children) waiting.push(child);
    }
    return order;
  }

  /**
   * Name a node: its name where all its names are one, else the key that joins them; so swapping
   * the sides changes nothing.
   *
   * @param {number} node
   */
  nameOf(node) {
    const all = new Set(this.namesOf.flatMap((names) => [...(names[node] ?? [])]));
    const [only] = all;
    return all.size === 1 ? only : this.keyOf[node];
  }

  /**
   * @param {number[]} order
   * @param {Int32Array} position
   * @returns {import("./graph.js").NamedNodes}
   */
  columns(order, position) {
    /** @type {Map<string, number>} */
    const known = new Map();
    /** @type {import("./graph.js").NamedNodes} */
    const columns = {
      class_names: CLASS_NAMES,
      names: [],
      keys: [],
      classes: [],
      parent: order.map((node) => (node === 0 ? -1 : position[this.parent[node]])),
      name: [],
    };
    for (const node of order) {
      const name = this.nameOf(node);
      const identity = `${this.classOf[node]} ${name}`;
      let index = known.get(identity);
      if (index === undefined) {
        index = columns.names.push(name) - 1;
        known.set(identity, index);
        columns.keys.push(this.keyOf[node] === name ? null : this.keyOf[node]);
        columns.classes.push(CLASS_NAMES.indexOf(this.classOf[node]));
      }
      columns.name.push(index);
    }
    return columns;
  }

  /** @returns {Joined[]} */
  joined() {
    /** @type {Map<string, { node: number, base: Set<string>, after: Set<string> }>} */
    const joined = new Map();
    for (let node = 0; node < this.parent.length; node++) {
      const [base, after] = this.namesOf.map((names) => [...(names[node] ?? [])]);
      if (new Set([...base, ...after]).size < 2) continue;
      const identity = `${this.classOf[node]} ${this.keyOf[node]}`;
      const names = joined.get(identity) ?? { node, base: new Set(), after: new Set() };
      for (const name of base) names.base.add(name);
      for (const name of after) names.after.add(name);
      joined.set(identity, names);
    }
    return [...joined]
      .sort(([a], [b]) => compareText(a, b))
      .map(([, { node, base, after }]) => ({
        key: this.keyOf[node],
        class: this.classOf[node],
        base: [...base].sort(compareText),
        after: [...after].sort(compareText),
      }));
  }
}

/**
 * Compare in the order of the UTF-8 bytes, which is that of the code points.
 *
 * @param {string} a
 * @param {string} b
 */
function compareText(a, b) {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    // Where the units differ, whole code points decide: a surrogate sorts above all of the BMP.
    if (a[at] !== b[at]) return (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0);
  }
  return a.length - b.length;
}

/**
 * @param {import("./profile.js").Weights} self
 * @param {Int32Array} nodes
 * @param {Int32Array} position
 * @returns {number[] | bigint[]} summed at the union's nodes, in preorder
 */
function gather(self, nodes, position) {
  // `+=` is exact for either kind of weights, and never mixes them.
  const zero = /** @type {number} */ (self instanceof Float64Array ? 0 : 0n);
  const sums = new Array(position.length).fill(zero);
  for (let node = 0; node < nodes.length; node++) sums[position[nodes[node]]] += self[node];
  return sums;
}

/**
 * @param {number[] | bigint[]} self
 * @param {(index: number) => boolean} shared
 */
function sharedPercent(self, shared) {
  let both = 0;
  let all = 0;
  self.forEach((/** @type {number | bigint} */ weight, /** @type {number} */ index) => {
    all += Number(weight);
    if (shared(index)) both += Number(weight);
  });
  return all > 0 ? (100 * both) / all : 0;
}

/**
 * @param {number[] | bigint[]} weights
 * @returns {number[] | string[]}
 */
function stored(weights) {
  return typeof weights[0] === "bigint" ? weights.map(String) : /** @type {number[]} */ (weights);
}

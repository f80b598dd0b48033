/**
 * Finds wrappers: frames that one of two profiles lacks although what they call goes on in it, as
 * between PostgreSQL 12 and 18:
 *
 *     ServerLoop → PostgresMain
 *     ServerLoop → postmaster_child_launch → BackendMain → PostgresMain
 *
 * Without them, all that stands below would be gone on one side and new on the other.
 */

import { selfWeights } from "./profile.js";
import { callTree } from "./tree.js";

/** How many frames may stand between. */
const MOST_FRAMES = 8;
/** The part of a wrapper's weight that must go on in the other profile. */
const LEAST_PART = 0.5;

/**
 * @typedef {object} Wrapper a frame that a profile lacks
 * @property {string} key
 * @property {string} className
 *
 * @typedef {Map<number, Wrapper[]>} Wrappers by node: the frames above it, outermost first
 *
 * @typedef {object} Place nodes of one function below one call path
 * @property {number[]} nodes
 * @property {number} total
 * @property {Wrapper} frame
 */

/**
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {(className: string, key: string) => string} identityOf
 * @returns {{ base: Wrappers, after: Wrappers }} what each of the two lacks
 */
export function findWrappers(base, after, identityOf) {
  const sides = { base: new Side(base, identityOf), after: new Side(after, identityOf) };
  const waiting = [{ base: sides.base.root(), after: sides.after.root() }];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const called = {
      base: sides.base.calledBy(pair.base),
      after: sides.after.calledBy(pair.after),
    };
    for (const [identity, place] of called.base) {
      const other = called.after.get(identity);
      if (other) waiting.push({ base: place, after: other });
    }
    for (const passage of passages(sides, called)) {
      const { lacking, having, frames, met } = passage;
      for (const [identity, place] of met) {
        const own = /** @type {Place} */ (called[lacking].get(identity));
        for (const node of own.nodes) sides[lacking].wrappers.set(node, frames);
        const matched = { [lacking]: own, [having]: place };
        waiting.push(/** @type {{ base: Place, after: Place }} */ (matched));
      }
    }
  }
  return { base: sides.base.wrappers, after: sides.after.wrappers };
}

/** A profile, as places that are reached by names. */
class Side {
  /** @type {Wrappers} */
  wrappers = new Map();

  /**
   * @param {import("./profile.js").Profile} profile
   * @param {(className: string, key: string) => string} identityOf
   */
  constructor(profile, identityOf) {
    this.profile = profile;
    this.identityOf = identityOf;
    this.tree = callTree(profile.parent, Array.from(selfWeights(profile), Number));
  }

  /** @returns {Place} */
  root() {
    return { nodes: [0], total: this.tree.total[0], frame: { key: "all", className: "" } };
  }

  /**
   * @param {Place} place
   * @returns {Map<string, Place>} by what identifies a function
   */
  calledBy({ nodes }) {
    const { name, names, keys, classes, class_names } = this.profile;
    const { firstChild, nextSibling, total } = this.tree;
    /** @type {Map<string, Place>} */
    const called = new Map();
    for (const above of nodes) {
      for (let node = firstChild[above]; node >= 0; node = nextSibling[node]) {
        const index = name[node];
        const frame = { key: keys[index] ?? names[index], className: class_names[classes[index]] };
        const identity = this.identityOf(frame.className, frame.key);
        const place = called.get(identity) ?? { nodes: [], total: 0, frame };
        place.nodes.push(node);
        place.total += total[node];
        called.set(identity, place);
      }
    }
    return called;
  }

  /**
   * Return the way from a frame down to where what the other side calls goes on.
   *
   * @param {Place} place
   * @param {Set<string>} wanted
   * @returns {{ frames: Wrapper[], met: [string, Place][] } | null}
   */
  wayTo(place, wanted) {
    /** @type {Wrapper[]} */
    const frames = [];
    for (let at = place; frames.length < MOST_FRAMES; ) {
      frames.push(at.frame);
      const least = LEAST_PART * at.total;
      const called = [...this.calledBy(at)];
      const met = called.filter(([identity]) => wanted.has(identity));
      if (met.length > 0 && met.reduce((sum, [, { total }]) => sum + total, 0) >= least) {
        return { frames, met };
      }
      const next = called.find(([, { total }]) => total > least);
      if (!next) return null;
      at = next[1];
    }
    return null;
  }
}

/**
 * Return the ways through wrappers below one call path, of both sides, the heaviest first; none uses
 * what another has met. The order does not tell the sides apart, so that swapping them changes
 * nothing.
 *
 * @param {{ base: Side, after: Side }} sides
 * @param {{ base: Map<string, Place>, after: Map<string, Place> }} called
 */
function passages(sides, called) {
  const candidates = /** @type {const} */ ([
    ["base", "after"],
    ["after", "base"],
  ]).flatMap(([lacking, having]) => {
    const whole = sides[having].tree.total[0] || 1;
    return [...called[having]]
      .filter(([identity]) => !called[lacking].has(identity))
      .map(([identity, place]) => ({
        lacking,
        having,
        identity,
        place,
        part: place.total / whole,
      }));
  });
  candidates.sort((a, b) => b.part - a.part || (a.identity < b.identity ? -1 : 1));
  const used = new Set();
  const found = [];
  for (const { lacking, having, identity, place } of candidates) {
    if (used.has(identity)) continue;
    const wanted = [...called[lacking].keys()].filter(
      (each) => !called[having].has(each) && !used.has(each),
    );
    const way = sides[having].wayTo(place, new Set(wanted));
    if (!way) continue;
    used.add(identity);
    for (const [met] of way.met) used.add(met);
    found.push({ lacking, having, ...way });
  }
  return found;
}

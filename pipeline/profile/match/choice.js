/**
 * Chooses which of the candidates below one call path are the same, and the order of the frames that
 * only one side has: one above the other, each below its own caller.
 *
 *     base    P → W → f           the union  P → W → V → f
 *     after   P → V → f
 */

import { compareKeys } from "./candidates.js";
import { calls, size } from "./places.js";

/**
 * @typedef {import("./places.js").Place} Place
 * @typedef {import("./candidates.js").Candidate} Candidate
 *
 * @typedef {object} Wrapper a frame that one side has and that is matched through
 * @property {Place} place
 * @property {Wrapper | null} above null where the common caller is
 *
 * @typedef {object} Pair
 * @property {Candidate} candidate
 * @property {Wrapper | null} above
 *
 * @typedef {object} Stacked frames of both sides, one above the other
 * @property {Wrapper | null} above the innermost
 * @property {Wrapper[]} added the new ones
 */

/** The least share of a wrapper's callees that has a match on the other side … */
const LEAST_OF_CALLEES = 1 / 3;
/** … and the least share of the wrapper's weight that they are. */
const LEAST_OF_TOTAL = 0.2;
/** A place may match a further one while this share of the further one's weight still fits into it. */
const LEAST_COVERED = 0.25;
/** Rounds in which the least proven wrapper is dropped; after them all unproven ones are, at once. */
const MOST_ROUNDS = 32;

/**
 * @param {Candidate[]} found best first
 * @param {{ base: Place[], after: Place[] }} level what is called from the common caller
 * @param {number} mostCopies nodes that may be copied, where a place continues in several
 * @returns {Choice}
 */
export function choose(found, level, mostCopies) {
  /** @type {Set<Place>} */
  const barred = new Set();
  for (let round = 0; ; round++) {
    const choice = new Choice(level, mostCopies);
    for (const candidate of found) {
      if (!passes(candidate, barred)) choice.take(candidate);
    }
    const doubtful = unproven(choice.pairs.map(({ candidate }) => candidate));
    if (doubtful.length === 0) return choice;
    // An unproven wrapper may have taken the match that proves another.
    const given = round < MOST_ROUNDS ? doubtful.slice(0, 1) : doubtful;
    for (const place of given) barred.add(place);
  }
}

/**
 * Return whether the way to a candidate leads through one of some places.
 *
 * @param {Candidate} candidate
 * @param {{ has: (place: Place) => boolean }} places
 */
function passes({ baseWay, afterWay }, places) {
  for (const frame of baseWay) if (places.has(frame)) return true;
  for (const frame of afterWay) if (places.has(frame)) return true;
  return false;
}

/**
 * Return the frames that match too little on the other side to be wrappers, the least first.
 *
 * @param {Candidate[]} taken
 */
function unproven(taken) {
  /** @type {Map<Place, Set<Place>>} */
  const met = new Map();
  /** @type {Map<Place, Set<Place>>} */
  const between = new Map();
  for (const { base, after, baseWay, afterWay } of taken) {
    for (const [way, place] of /** @type {[Place[], Place][]} */ ([
      [baseWay, base],
      [afterWay, after],
    ])) {
      way.forEach((frame, index) => {
        met.set(frame, (met.get(frame) ?? new Set()).add(place));
        const inner = between.get(frame) ?? new Set();
        for (const below of way.slice(index + 1)) inner.add(below);
        between.set(frame, inner);
      });
    }
  }
  return [...met]
    .map(([frame, places]) => {
      const goesOn = sum([...places], "total");
      const inner = sum([...(between.get(frame) ?? [])], "self");
      const part = Math.min(
        goesOn / (LEAST_OF_TOTAL * frame.total),
        (goesOn + inner) / (LEAST_OF_CALLEES * (frame.total - frame.self)),
      );
      return { frame, part };
    })
    .filter(({ part }) => part < 1)
    .sort((a, b) => a.part - b.part || compareKeys(a.frame, b.frame))
    .map(({ frame }) => frame);
}

/**
 * @param {Place[]} places
 * @param {"total" | "self"} weight
 */
function sum(places, weight) {
  return places.reduce((all, place) => all + place[weight], 0);
}

class Choice {
  /** @type {Pair[]} */
  pairs = [];
  /** @type {Map<Place, Wrapper>} */
  wrappers = new Map();
  /** @type {Map<Place, Place[]>} those of the other side that a place is the same as */
  partners = new Map();
  /** @type {Map<Place, Place | undefined>} the first frame on the way to what has a partner */
  outermost = new Map();
  /** @type {Map<Wrapper | null, Set<number>>} functions that are below a frame */
  functionsBelow = new Map();

  /**
   * @param {{ base: Place[], after: Place[] }} level
   * @param {number} mostCopies
   */
  constructor(level, mostCopies) {
    this.level = level;
    this.copiesLeft = mostCopies;
  }

  /** @param {Place} place */
  isTaken(place) {
    return this.partners.has(place) || this.wrappers.has(place);
  }

  /**
   * Match two places, unless an earlier match contradicts it.
   *
   * @param {Candidate} candidate
   */
  take(candidate) {
    const { base, after, baseWay, afterWay } = candidate;
    if (this.wrappers.has(base) || this.wrappers.has(after)) return;
    if (passes(candidate, this.partners)) return;
    const copies = this.copiesNeeded(candidate);
    if (copies > this.copiesLeft) return;
    const stacked = this.stack(candidate);
    if (stacked === null) return;
    const { above, added } = stacked;
    for (const { place, above: outer } of added) this.addBelow(place.function, outer);
    for (const wrapper of added) this.wrappers.set(wrapper.place, wrapper);
    if (base.function === after.function) this.addBelow(base.function, above);
    this.outermost.set(base, baseWay[0]).set(after, afterWay[0]);
    this.copiesLeft -= copies;
    this.pairs.push({ candidate, above });
    this.partners.set(base, [...(this.partners.get(base) ?? []), after]);
    this.partners.set(after, [...(this.partners.get(after) ?? []), base]);
  }

  /**
   * Return how many nodes must be copied for two places to be one: none where neither has a
   * partner. A place continues in several of the other side's, as where what was inlined into its
   * caller is not any more: all below one frame that its side does not have, or while its weight
   * covers theirs.
   *
   * @param {Candidate} candidate
   * @returns {number} infinite where they cannot be one
   */
  copiesNeeded({ base, after, baseWay, afterWay }) {
    const ofBase = this.partners.get(base) ?? [];
    const ofAfter = this.partners.get(after) ?? [];
    if (ofBase.length + ofAfter.length === 0) return 0;
    if (ofBase.length > 0 && ofAfter.length > 0) return Number.POSITIVE_INFINITY;
    const [shared, other, taken, [frame]] =
      ofBase.length > 0 ? [base, after, ofBase, afterWay] : [after, base, ofAfter, baseWay];
    const isOfOneFrame = taken.every((place) => frame && this.outermost.get(place) === frame);
    const covered = sum(taken, "total") + LEAST_COVERED * other.total;
    const mayShare =
      shared.function === other.function &&
      taken.every((place) => this.partners.get(place)?.length === 1) &&
      (isOfOneFrame || covered <= shared.total);
    return mayShare ? size(shared) : Number.POSITIVE_INFINITY;
  }

  /**
   * Put the frames of both ways one above the other; those that have a position keep it. Heavier ones are
   * above; where that puts a frame below a caller of its like, all of its own way are below the other's:
   *
   *     MySQL 5.6    thread → connection → do_command, dispatch       a tail call left no frame
   *     MySQL 5.7    thread → spawn → handle → do_command → dispatch
   *     the union    thread → connection → spawn → handle → do_command → dispatch
   *
   * What is below its like of the other side comes first: cut_stacks.js joins the two.
   *
   * @param {Candidate} candidate
   * @returns {Stacked | null} null where that is impossible
   */
  stack(candidate) {
    const stacked = this.stackWith(candidate, null);
    if (!stacked?.refused) return stacked;
    const again = this.stackWith(candidate, stacked.refused.side);
    return again?.refused ? null : again;
  }

  /**
   * @param {Candidate} candidate
   * @param {import("./places.js").Side | null} last the side whose frames are below the other's
   * @returns {(Stacked & { refused?: Place }) | null} with the frame that cannot be where it would be
   */
  stackWith({ base, after, baseWay, afterWay }, last) {
    const ways = [[...baseWay], [...afterWay]];
    /** @type {Wrapper | null} */
    let above = null;
    /** @type {Wrapper[]} */
    const added = [];
    for (;;) {
      const next = ways.filter((way) => way.length > 0);
      if (next.length === 0) break;
      const standing = next.find(([frame]) => this.wrappers.get(frame)?.above === above);
      if (standing && added.length === 0) {
        above = this.wrappers.get(/** @type {Place} */ (standing.shift())) ?? null;
        continue;
      }
      if (next.some(([frame]) => this.wrappers.has(frame))) return null;
      const outer = above?.place.function;
      next.sort(
        ([a], [b]) =>
          Number(b.function === outer) - Number(a.function === outer) ||
          Number(a.side === last) - Number(b.side === last) ||
          b.total - a.total ||
          compareKeys(a, b),
      );
      const place = /** @type {Place} */ (next[0].shift());
      if (!this.isFree(place, above)) return { above, added, refused: place };
      above = { place, above };
      added.push(above);
    }
    const isFree =
      base.function !== after.function || !this.functionsBelow.get(above)?.has(base.function);
    return isFree ? { above, added } : null;
  }

  /**
   * Return whether a frame may be below another without meeting its like: what its own side calls
   * through it would seem to be called by the other side's frame.
   *
   * @param {Place} frame
   * @param {Wrapper | null} above
   */
  isFree({ side, function: number }, above) {
    if (this.functionsBelow.get(above)?.has(number)) return false;
    const { base, after } = this.level;
    const called = above ? calls(above.place) : [...base, ...after];
    return called.every(
      (place) => place.side === side || place.function !== number || this.isTaken(place),
    );
  }

  /**
   * @param {number} number of a function
   * @param {Wrapper | null} above
   */
  addBelow(number, above) {
    const functions = this.functionsBelow.get(above) ?? new Set();
    this.functionsBelow.set(above, functions.add(number));
  }
}

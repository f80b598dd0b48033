/**
 * What may be the same, of two lists of places that are called from the same one: places of one
 * function, directly or below frames that only one side has, and functions that were renamed.
 */

import { calls, overlap, WHOLE } from "./places.js";

/** @typedef {import("./places.js").Place} Place */

/**
 * @typedef {object} Candidate two places that may be the same
 * @property {Place} base
 * @property {Place} after
 * @property {Place[]} baseWay the frames of the base between the common caller and its place,
 *   outermost first
 * @property {Place[]} afterWay
 * @property {number} score the higher, the sooner it is taken
 * @property {boolean} isGuess whether it rests on similarity alone: of names, callees and weight
 */

/** How many frames may be between. */
const MOST_FRAMES = 8;
/** What weighs less is not looked for elsewhere: a thousandth of a percent, which no picture shows. */
const LEAST_SHARE = 1e-5 * WHOLE;
/** Of one call path: the places looked at on either side, of these of one function, and siblings. */
const MOST_PLACES = 2000;
const MOST_OF_FUNCTION = 16;
const MOST_SIBLINGS = 64;

/** The part of a place's weight that must be of the same functions, for it to need no other match. */
const CLEARLY_SAME = 0.8;
/** The least such part of the lighter of two places: of one function below different frames … */
const LEAST_OVERLAP = 0.05;
/** … of functions of one class and name, in other namespaces, or known to be renamed … */
const LEAST_OVERLAP_OF_SCOPES = 0.1;
/** … and of functions that are like in words of their names only. */
const LEAST_OVERLAP_OF_GUESSES = 0.5;
/** How many times heavier one of the two may be, and one of two that are guessed. */
const MOST_GROWTH = 100;
const MOST_GROWTH_OF_GUESSES = 3;
/** How much more a pair counts that is below the same caller. */
const DIRECT = 1.1;
/** How much less a pair counts for each frame between. */
const LOSS_PER_FRAME = 0.05;
const LOSS_OF_SCOPES = 0.9;

/**
 * @param {Place[]} base
 * @param {Place[]} after
 * @param {boolean} mayGuess
 * @returns {Candidate[]} best first; in an order that swapping the sides does not change
 */
export function candidates(base, after, mayGuess) {
  const found = direct(base, after);
  const paired = new Map(
    found.flatMap((pair) => [
      [pair.base, pair],
      [pair.after, pair],
    ]),
  );
  /** @param {Place} place */
  const isLeft = (place) => !paired.has(place) && place.total >= LEAST_SHARE;
  const left = { base: heaviest(base.filter(isLeft)), after: heaviest(after.filter(isLeft)) };
  if (left.base.length + left.after.length === 0) return found;
  for (const pair of found) pair.score = DIRECT * overlap(pair.base, pair.after);
  if (mayGuess) found.push(...guesses(left.base, left.after));
  /** @param {Place} place */
  const isOpen = (place) => {
    const same = paired.get(place)?.score ?? 0;
    return place.total >= LEAST_SHARE && same < DIRECT * CLEARLY_SAME * place.total;
  };
  found.push(
    ...apart(within(heaviest(base.filter(isOpen))), within(heaviest(after.filter(isOpen)))),
  );
  return inOrder(found);
}

/**
 * @param {Place[]} base
 * @param {Place[]} after
 * @returns {Candidate[]} the places of one function
 */
function direct(base, after) {
  const others = new Map(after.map((place) => [place.function, place]));
  return base.flatMap((place) => {
    const other = others.get(place.function);
    return other ? [candidate(place, other, 0)] : [];
  });
}

/**
 * @param {Place} base
 * @param {Place} after
 * @param {number} score
 * @returns {Candidate}
 */
function candidate(base, after, score) {
  return { base, after, baseWay: [], afterWay: [], score, isGuess: false };
}

/** @param {Place[]} places */
function heaviest(places) {
  return places.sort((a, b) => b.total - a.total || compareKeys(a, b)).slice(0, MOST_SIBLINGS);
}

/**
 * @param {Place} a
 * @param {Place} b
 */
export function compareKeys(a, b) {
  const [key, other] = [keyOf(a), keyOf(b)];
  return key < other ? -1 : Number(key > other);
}

/** @param {Place} place */
function keyOf({ side, function: number }) {
  return side.functions.names[number].identity;
}

/**
 * Return the siblings that were renamed, if anything: where neither function nor its like is on
 * both sides, and names, callees and weight are alike; or names that say the same, and weight.
 *
 * @param {Place[]} base
 * @param {Place[]} after
 */
function guesses(base, after) {
  /** @type {Candidate[]} */
  const found = [];
  for (const place of base) {
    for (const other of after) {
      if (differ(place, other, MOST_GROWTH_OF_GUESSES)) continue;
      const similarity = place.side.functions.renameSimilarity(place.function, other.function);
      if (similarity === 0) continue;
      const same = overlap(place, other);
      const least = LEAST_OVERLAP_OF_GUESSES * Math.min(place.total, other.total);
      if (same < least && similarity < 1) continue;
      const score = (1 + similarity) * Math.max(same, least);
      found.push({ ...candidate(place, other, score), isGuess: true });
    }
  }
  return found;
}

/**
 * @param {Place} place
 * @param {Place} other
 * @param {number} most
 */
function differ({ total }, { total: other }, most) {
  return Math.max(total, other) > most * Math.min(total, other);
}

/** @typedef {{ place: Place, way: Place[] }} Reached */

/**
 * Return places and what can be reached through frames that may be between, nearest first.
 *
 * @param {Place[]} places
 * @returns {Reached[]}
 */
function within(places) {
  /** @type {Reached[]} */
  let level = places.map((place) => ({ place, way: [] }));
  const reached = [...level];
  for (let depth = 0; depth < MOST_FRAMES && level.length > 0; depth++) {
    level = level.flatMap(({ place, way }) =>
      calls(place)
        .filter(({ total }) => total >= LEAST_SHARE)
        .map((called) => ({ place: called, way: [...way, place] })),
    );
    level.sort((a, b) => b.place.total - a.place.total || compareKeys(a.place, b.place));
    level = level.slice(0, Math.max(0, MOST_PLACES - reached.length));
    reached.push(...level);
  }
  return reached;
}

/**
 * Return the pairs of which at least one is below frames that the other side lacks, or whose
 * functions have different names.
 *
 * @param {Reached[]} base
 * @param {Reached[]} after
 */
function apart(base, after) {
  const others = byGroup(after);
  /** @type {Candidate[]} */
  const found = [];
  for (const [group, places] of byGroup(base)) {
    for (const one of places) {
      for (const other of others.get(group) ?? []) {
        const pair = pairApart(one, other);
        if (pair) found.push(pair);
      }
    }
  }
  return found;
}

/** @param {Reached[]} reached */
function byGroup(reached) {
  /** @type {Map<number, Reached[]>} */
  const groups = new Map();
  for (const each of reached) {
    const group = each.place.side.functions.group[each.place.function];
    const listed = groups.get(group) ?? [];
    if (listed.length < MOST_OF_FUNCTION) listed.push(each);
    groups.set(group, listed);
  }
  return groups;
}

/**
 * @param {Reached} base
 * @param {Reached} after
 * @returns {Candidate | null}
 */
function pairApart({ place, way: baseWay }, { place: other, way: afterWay }) {
  const isSame = place.function === other.function;
  const frames = baseWay.length + afterWay.length;
  if ((isSame && frames === 0) || differ(place, other, MOST_GROWTH)) return null;
  const same = overlap(place, other);
  const least = isSame ? LEAST_OVERLAP : LEAST_OVERLAP_OF_SCOPES;
  if (same < least * Math.min(place.total, other.total)) return null;
  const score = ((isSame ? 1 : LOSS_OF_SCOPES) * same) / (1 + LOSS_PER_FRAME * frames);
  return { base: place, after: other, baseWay, afterWay, score, isGuess: false };
}

/** @param {Candidate[]} found */
function inOrder(found) {
  const names = new Map();
  /** @param {Candidate} pair */
  const text = (pair) => {
    let known = names.get(pair);
    if (known === undefined) {
      const paths = [
        [...pair.baseWay, pair.base],
        [...pair.afterWay, pair.after],
      ].map((path) => path.map(keyOf).join(";"));
      known = paths.sort().join("\n");
      names.set(pair, known);
    }
    return known;
  };
  return found.sort((a, b) => {
    if (a.score !== b.score) return b.score - a.score;
    return text(a) < text(b) ? -1 : Number(text(a) > text(b));
  });
}

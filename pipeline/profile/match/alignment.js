/**
 * Matches two call trees, from the root down: below two places that are the same, those are the same
 * that have the same function, or a function of the same class elsewhere, or one that was renamed;
 * frames that only one side has may be between, as between PostgreSQL 12 and 18:
 *
 *     ServerLoop → PostgresMain
 *     ServerLoop → postmaster_child_launch → BackendMain → PostgresMain
 *
 * Nothing here depends on which side is which.
 */

import { candidates } from "./candidates.js";
import { choose } from "./choice.js";
import { Functions } from "./functions.js";
import { calls, partOf, Side, WHOLE } from "./places.js";
import { compareText, IN_AFTER, IN_BASE, Union } from "./union.js";

/** Threads correspond where those of one name have at least this part of the weight of each side. */
const LEAST_COMMON_THREADS = 0.5;

/**
 * @typedef {import("./places.js").Place} Place
 *
 * @typedef {object} Threads
 * @property {boolean} together whether all threads are taken together on both sides, as their names
 *   do not correspond: then no thread is in the union
 * @property {string[]} base
 * @property {string[]} after
 *
 * @typedef {object} Alignment
 * @property {Union} union
 * @property {Threads} threads
 * @property {import("./union.js").Image[]} base where the nodes of the base are in the union
 * @property {import("./union.js").Image[]} after
 */

/**
 * @param {import("../model/profile.js").Profile} base
 * @param {import("../model/profile.js").Profile} after
 * @param {(key: string) => string} joinedKey gives a key the one that its author joins it with
 * @returns {Alignment}
 */
export function align(base, after, joinedKey) {
  const functions = new Functions();
  const sides = {
    base: new Side(base, IN_BASE, functions, joinedKey),
    after: new Side(after, IN_AFTER, functions, joinedKey),
  };
  functions.makeGroups([]);
  const first = new TreeMatcher(functions, sides, true);
  const proposed = first.run();
  const renamed = surest(functions, first.guessed);
  if (renamed.length === 0) return proposed;
  // Once it is known what was renamed, it is so everywhere, and below it much more is the same.
  functions.makeGroups(renamed);
  return new TreeMatcher(functions, sides, false).run();
}

/**
 * Return the renamed functions, each once: those with the most weight in what they have in common.
 *
 * @param {Functions} functions
 * @param {import("./candidates.js").Candidate[]} guessed
 * @returns {[number, number][]}
 */
function surest(functions, guessed) {
  /** @type {Map<string, { pair: [number, number], score: number, text: string }>} */
  const pairs = new Map();
  for (const { base, after, score } of guessed) {
    const key = `${base.function} ${after.function}`;
    const names = [base, after].map(({ function: number }) => functions.names[number].key);
    const text = names.sort(compareText).join("\n");
    const known = pairs.get(key) ?? { pair: [base.function, after.function], score: 0, text };
    known.score += score;
    pairs.set(key, known);
  }
  const sorted = [...pairs.values()].sort(
    (a, b) => b.score - a.score || compareText(a.text, b.text),
  );
  const used = new Set();
  return sorted.flatMap(({ pair }) => {
    if (pair.some((number) => used.has(number))) return [];
    for (const number of pair) used.add(number);
    return [pair];
  });
}

/**
 * @typedef {object} Level places below one node of the union that are not matched yet
 * @property {number} at
 * @property {Place[]} base
 * @property {Place[]} after
 */

class TreeMatcher {
  /**
   * @param {Functions} functions
   * @param {{ base: Side, after: Side }} sides
   * @param {boolean} mayGuess whether to look for renamed functions
   */
  constructor(functions, sides, mayGuess) {
    this.functions = functions;
    this.sides = sides;
    this.mayGuess = mayGuess;
    this.union = new Union(functions);
    /** @type {Level[]} */
    this.waiting = [];
    /** @type {import("./candidates.js").Candidate[]} */
    this.guessed = [];
    // Together, copies at most double the work.
    this.copiesLeft = sides.base.tree.parent.length + sides.after.tree.parent.length;
  }

  /** @returns {Alignment} */
  run() {
    const threads = this.start();
    for (let level = this.waiting.pop(); level; level = this.waiting.pop()) this.match(level);
    const { images } = this.union;
    return {
      union: this.union,
      threads,
      base: images.get(IN_BASE) ?? [],
      after: images.get(IN_AFTER) ?? [],
    };
  }

  /**
   * Begin with the threads, or below them where they do not correspond.
   *
   * @returns {Threads}
   */
  start() {
    const { base, after } = this.sides;
    const roots = { base: base.group([0])[0], after: after.group([0])[0] };
    this.union.put(0, roots.base);
    this.union.put(0, roots.after);
    const called = { base: calls(roots.base), after: calls(roots.after) };
    const together =
      !correspond(called.base, called.after) || !correspond(called.after, called.base);
    const threads = {
      together,
      base: threadNames(called.base),
      after: threadNames(called.after),
    };
    this.waiting.push(
      together
        ? { at: 0, base: this.skip(base, called.base), after: this.skip(after, called.after) }
        : { at: 0, ...called },
    );
    return threads;
  }

  /**
   * Take the threads of a side together.
   *
   * @param {Side} side
   * @param {Place[]} places
   * @returns {Place[]} what they call
   */
  skip(side, places) {
    const threads = places.filter(isThread);
    for (const thread of threads) this.union.put(0, thread);
    const others = places.filter((place) => !isThread(place));
    const nodes = threads.flatMap((thread) => calls(thread));
    return side.group([...nodes, ...others].flatMap((place) => place.nodes));
  }

  /** @param {Level} level */
  match({ at, base, after }) {
    if (base.length === 0 || after.length === 0) {
      for (const place of [...base, ...after]) this.putAlone(at, place);
      return;
    }
    const found = candidates(base, after, this.mayGuess);
    const choice = choose(found, { base, after }, this.copiesLeft);
    this.copiesLeft = choice.copiesLeft;
    /** @type {Map<import("./choice.js").Wrapper | null, number>} */
    const nodes = new Map([[null, at]]);
    for (const wrapper of choice.wrappers.values()) {
      const { place, above } = wrapper;
      const node = this.union.child(nodes.get(above) ?? at, place.function, place.function);
      nodes.set(wrapper, node);
      this.union.put(node, place);
      this.wait(
        node,
        calls(place).filter((called) => !choice.isTaken(called)),
      );
    }
    for (const { candidate, above } of choice.pairs) {
      this.putPair(nodes.get(above) ?? at, candidate, choice.partners);
    }
    for (const place of [...base, ...after]) {
      if (!choice.isTaken(place)) this.putAlone(at, place);
    }
  }

  /**
   * @param {number} at
   * @param {Place[]} places of one side
   */
  wait(at, places) {
    const isBase = places[0]?.side === this.sides.base;
    this.waiting.push({ at, base: isBase ? places : [], after: isBase ? [] : places });
  }

  /**
   * @param {number} above
   * @param {Place} place
   */
  putAlone(above, place) {
    const node = this.union.child(above, place.function, place.function);
    this.union.put(node, place);
    this.wait(node, calls(place));
  }

  /**
   * Put two places that are the same; where one continues in several, each gets its part of the
   * weight.
   *
   * @param {number} above
   * @param {import("./candidates.js").Candidate} candidate
   * @param {Map<Place, Place[]>} partners
   */
  putPair(above, candidate, partners) {
    const base = share(candidate.base, candidate.after, partners);
    const after = share(candidate.after, candidate.base, partners);
    if (candidate.isGuess) this.guessed.push(candidate);
    const node = this.union.child(above, base.function, after.function);
    this.union.put(node, base);
    this.union.put(node, after);
    this.waiting.push({ at: node, base: calls(base), after: calls(after) });
  }
}

/**
 * @param {Place} place
 * @param {Place} partner
 * @param {Map<Place, Place[]>} partners
 */
function share(place, partner, partners) {
  const all = partners.get(place) ?? [];
  if (all.length < 2) return place;
  return partOf(place, partner.total / all.reduce((sum, { total }) => sum + total, 0));
}

/** @param {Place} place */
function isThread({ side, function: number }) {
  return side.functions.names[number].className === "thread";
}

/**
 * Return whether the threads that the other side has as well carry enough of a side's weight.
 *
 * @param {Place[]} places
 * @param {Place[]} others
 */
function correspond(places, others) {
  const threads = places.filter(isThread);
  if (threads.length === 0 || !others.some(isThread)) return true;
  const there = new Set(others.map((place) => place.function));
  const common = threads.filter((place) => there.has(place.function));
  const weight = common.reduce((sum, { total }) => sum + total, 0);
  return weight >= LEAST_COMMON_THREADS * WHOLE;
}

/**
 * @param {Place[]} places
 * @returns {string[]}
 */
function threadNames(places) {
  const names = places
    .filter(isThread)
    .flatMap(({ side, nodes }) => nodes.map((node) => side.profile.names[side.profile.name[node]]));
  return [...new Set(names)].sort(compareText);
}

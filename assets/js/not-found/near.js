/**
 * Finds the pages whose addresses are nearest to one that does not exist.
 *
 * Addresses are compared by their parts between slashes: a part may be misspelled, missing or extra. So
 * the nearest to a step that a release does not have is that step of another release, or the release.
 */

import { decoded } from "@perfpress/flamegraph/viewer/fragment.js";

/**
 * @typedef {object} Page
 * @property {string} label
 * @property {string} url below the address of the site, without a slash at its beginning
 */

/** Proposals shown at most. */
export const MOST_PROPOSED = 5;

/** The largest share of an address that may differ. */
const MOST_DIFFERENT = 0.4;
/** By how many parts a proposal may be farther away than the nearest one. */
const MARGIN = 0.5;
/** Only the beginning of a longer address is compared. */
const MOST_PARTS = 12;
const LONGEST_PART = 100;

/**
 * @param {Iterable<Page>} pages of equally near ones the first comes first
 * @param {string} address below the address of the site, percent-encoded
 * @returns {Page[]} the nearest first
 */
export function nearPages(pages, address) {
  const asked = partsOf(address);
  if (asked.length === 0) return [];
  const similarity = remembered();
  /** @type {{ page: Page, distance: number, length: number }[]} */
  const found = [];
  for (const page of pages) {
    const parts = partsOf(page.url);
    const distance = distanceOf(asked, parts, similarity);
    if (distance > MOST_DIFFERENT * Math.max(asked.length, parts.length)) continue;
    if (page.url !== address) found.push({ page, distance, length: parts.length });
  }
  found.sort((a, b) => a.distance - b.distance || a.length - b.length);
  return found
    .filter(({ distance }) => distance <= found[0].distance + MARGIN)
    .slice(0, MOST_PROPOSED)
    .map(({ page }) => page);
}

/** @param {string} address */
function partsOf(address) {
  return address
    .split("/", MOST_PARTS)
    .map((part) => decoded(part).slice(0, LONGEST_PART).toLowerCase())
    .filter((part) => part && part !== "index.html");
}

/**
 * Edit distance over the parts of two addresses; a part that is replaced counts by how much it differs.
 *
 * @param {string[]} some
 * @param {string[]} others
 * @param {(a: string, b: string) => number} similarity
 */
function distanceOf(some, others, similarity) {
  let above = Array.from({ length: others.length + 1 }, (_, at) => at);
  for (const [row, part] of some.entries()) {
    const here = [row + 1];
    for (const [at, other] of others.entries()) {
      const replaced = above[at] + 1 - similarity(part, other);
      here.push(Math.min(replaced, above[at + 1] + 1, here[at] + 1));
    }
    above = here;
  }
  return above[others.length];
}

/** Many addresses share their parts. */
function remembered() {
  /** @type {Map<string, number>} */
  const known = new Map();
  return (/** @type {string} */ a, /** @type {string} */ b) => {
    const key = `${a}/${b}`;
    let value = known.get(key);
    if (value === undefined) {
      value = similarityOf(a, b);
      known.set(key, value);
    }
    return value;
  };
}

/**
 * The pairs of neighbouring letters that two words share, of all they have (Dice): from 0 to 1. The
 * edges of a word count as letters, so that words of one letter have pairs, too.
 *
 * @param {string} a
 * @param {string} b
 */
function similarityOf(a, b) {
  const left = pairsOf(a);
  const right = pairsOf(b);
  const count = left.length + right.length;
  const shared = left.filter((pair) => {
    const at = right.indexOf(pair);
    if (at >= 0) right.splice(at, 1);
    return at >= 0;
  });
  return (2 * shared.length) / count;
}

/** @param {string} word */
function pairsOf(word) {
  const framed = `/${word}/`;
  return Array.from({ length: framed.length - 1 }, (_, at) => framed.slice(at, at + 2));
}

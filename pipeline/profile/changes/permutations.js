/** Ways to part captures in two. */

/**
 * Yield ways to take some of all: every one, or as many as asked for, drawn by chance, the first of which
 * is the last captures, which is how it was.
 *
 * @param {number} all
 * @param {number} some
 * @param {number | null} draws
 * @returns {Generator<Uint8Array>}
 */
export function* permutations(all, some, draws) {
  const taken = new Uint8Array(all);
  taken.fill(1, all - some);
  yield taken;
  if (draws === null) {
    while (next(taken)) yield taken;
    return;
  }
  const random = pseudoRandom();
  for (let draw = 1; draw < draws; draw++) {
    taken.fill(0);
    // Floyd's choice of some of all, each set as likely.
    for (let last = all - some; last < all; last++) {
      const at = Math.floor(random() * (last + 1));
      taken[taken[at] ? last : at] = 1;
    }
    yield taken;
  }
}

/**
 * Go on to the next way, from the last captures to the first.
 *
 * @param {Uint8Array} taken
 * @returns {boolean} false after the last
 */
function next(taken) {
  const at = taken.findIndex((each, index) => each === 1 && index > 0 && taken[index - 1] === 0);
  if (at < 0) return false;
  taken[at] = 0;
  taken[at - 1] = 1;
  // Those before start again, from the right.
  const before = taken.subarray(0, at - 1);
  const count = before.reduce((sum, each) => sum + each, 0);
  before.fill(0);
  before.fill(1, before.length - count);
  return true;
}

/** @returns {() => number} numbers from 0 to 1, always the same (Park and Miller, 1988) */
function pseudoRandom() {
  let state = 20240901;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

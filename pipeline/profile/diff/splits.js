/** In how many ways captures can be split in two, and which level a permutation test over them can reach. */

/** The most that p may be, strictest first. */
const LEVELS = [0.01, 0.05];
/** Nobody counts further. */
const MANY = 1_000_000;

/**
 * @param {number} all
 * @param {number} some
 * @returns {number} ways to take `some` of `all`, or MANY
 */
export function combinations(all, some) {
  let ways = 1;
  for (let taken = 1; taken <= some; taken++) {
    ways = (ways * (all - some + taken)) / taken;
    if (ways > MANY) return MANY;
  }
  return Math.round(ways);
}

/**
 * @param {import("./diff.js").Captures} captures
 * @returns {{ ways: number, level: number | null }} null where there are too few ways
 */
export function splitsOf({ base, after }) {
  const [one, other] = [base, after].map(({ exposures }) => exposures.length);
  const ways = combinations(one + other, other);
  // Each way has its mirror image, in which all that grew shrank.
  return { ways, level: LEVELS.find((each) => ways * each >= 2) ?? null };
}

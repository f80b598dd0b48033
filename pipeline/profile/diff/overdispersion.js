/**
 * By how much more the weights of frames vary between captures than counts of samples do by chance.
 *
 * A count of n samples has variance n. What a server does comes in bursts, so captures differ by more: by
 * a factor that is estimated from them. Few captures say little about a single frame, so that the frames
 * share what they say, as far as they agree (G. Smyth, Linear Models and Empirical Bayes Methods for
 * Assessing Differential Expression in Microarray Experiments, 2004).
 */

/** Fewer captures of a release cannot show how far they differ. */
export const FEWEST_CAPTURES = 2;
/**
 * The factor where nothing shows it: of three archives the middle one. The median cell of PostgreSQL with
 * one client, 16 cells of 5 or 6 captures of 3 s, has 1.1; MariaDB with 16 threads, 12 captures of 3 s,
 * 2.0; PostgreSQL with many clients, 12 cells of 8 or 15 captures of 1,000 to 4,000 samples, 3.8.
 */
export const DOCUMENTED = 2;
/**
 * How alike the factors of functions are, as degrees of freedom, where nothing shows it: of the same
 * archives the middle one (43, 2.8 and 17). Where few captures show less difference, that is luck: some
 * functions, such as those that first touch a page, come in bursts in any program.
 */
export const ALIKE = 17;
/** A smaller estimate is luck, and its logarithm would outweigh all others. */
const LEAST = 0.05;
/** Fewer frames or functions do not show what they have in common. */
const FEWEST_ESTIMATES = 5;

/**
 * @typedef {object} Overdispersions of one side
 * @property {number} degrees of freedom; 0 of a single capture
 * @property {Float64Array} factors by frame or function; NaN where it has no weight; none of a single
 *   capture
 *
 * @typedef {object} Common what frames or functions have in common
 * @property {number} factor
 * @property {number} degrees of freedom: how alike they are
 *
 * @typedef {object} Moderated both sides together
 * @property {(at: number) => number} factorOf a frame or function
 * @property {(at: number) => number} degreesOf what that rests on
 */

/**
 * Compare the variance between captures with that of counts of samples.
 *
 * @param {ArrayLike<number>[]} rows a capture a row, a frame or function a column
 * @param {number[]} per what each capture represents
 * @param {number} unit what a sample weighs in the basis
 * @param {number} most value of all, infinite where it varies: then captures represent no weight
 * @returns {Overdispersions}
 */
export function overdispersions(rows, per, unit, most) {
  const captures = rows.length;
  if (captures < FEWEST_CAPTURES) return { degrees: 0, factors: new Float64Array(0) };
  const whole = sum(per);
  const factors = ratioVariances(rows, per).map((variance, at) => {
    const ratio = sum(rows.map((row) => row[at])) / whole;
    const expected = unit * ratio * (1 - ratio / most) * whole ** 2;
    return expected > 0 ? variance / expected : Number.NaN;
  });
  return { degrees: captures - 1, factors };
}

/**
 * Return the variance of the captures' sum by the ratio estimator (Cochran, Sampling Techniques, 6.4): a
 * capture is expected to have of a frame what all have of it, in proportion to what it represents.
 *
 * @param {ArrayLike<number>[]} rows a capture a row, a frame or function a column
 * @param {number[]} per what each capture represents
 */
function ratioVariances(rows, per) {
  const captures = rows.length;
  const whole = sum(per);
  return Float64Array.from(rows[0], (_, at) => {
    const ratio = sum(rows.map((row) => row[at])) / whole;
    const squares = sum(rows.map((row, each) => (row[at] - ratio * per[each]) ** 2));
    return (squares * captures) / (captures - 1);
  });
}

/** @param {number[]} values */
function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}

/**
 * Return the factor of single frames or functions: what captures show of each, drawn to what all have in
 * common.
 *
 * @param {Overdispersions[]} sides
 * @param {Common} common
 * @returns {Moderated}
 */
export function moderated(sides, common) {
  return {
    degreesOf: (at) => common.degrees + ownOf(sides, at).degrees,
    factorOf(at) {
      const { degrees, squares } = ownOf(sides, at);
      return (common.degrees * common.factor + squares) / (common.degrees + degrees);
    },
  };
}

/**
 * @param {Overdispersions[]} sides
 * @param {number} at a frame or function
 * @returns {{ degrees: number, squares: number }} `squares`: factor × degrees
 */
function ownOf(sides, at) {
  const some = sides.filter(({ factors }) => factors[at] >= 0);
  return {
    degrees: some.reduce((sum, each) => sum + each.degrees, 0),
    squares: some.reduce((sum, each) => sum + each.degrees * each.factors[at], 0),
  };
}

/**
 * Fit what factors have in common: their logarithms vary as estimates on so few captures do, and beyond
 * that as the factors themselves (Smyth, section 6.2). Samples never vary by less than counts.
 *
 * @param {Overdispersions[]} sides
 * @returns {Common | null} null where too few frames or functions, or no captures, show it
 */
export function commonOf(sides) {
  const size = Math.max(...sides.map(({ factors }) => factors.length));
  const logs = Array.from({ length: size }, (_, at) => ownOf(sides, at))
    .filter(({ degrees }) => degrees > 0)
    .map(({ degrees, squares }) => ({
      log: Math.log(Math.max(LEAST, squares / degrees)) - biasOfLog(degrees),
      variance: varianceOfLog(degrees),
    }));
  if (logs.length < FEWEST_ESTIMATES) return null;
  const mean = logs.reduce((sum, { log }) => sum + log, 0) / logs.length;
  const beyond =
    logs.reduce((sum, { log, variance }) => sum + (log - mean) ** 2 - variance, 0) / logs.length;
  // The inverse of the trigamma function, as limma starts from it.
  const degrees = Math.min(ALIKE, 1 + 2 / Math.max(0, beyond));
  return { degrees, factor: Math.max(1, Math.exp(mean + biasOfLog(degrees))) };
}

/**
 * @param {number} degrees of freedom
 * @returns {number} mean of the logarithm of chi-square over its degrees: digamma(d/2) - log(d/2), by the
 *   series at d/2 + 1, as it is 5 % wrong at one degree (Abramowitz and Stegun 6.3.5, 6.3.18)
 */
function biasOfLog(degrees) {
  const half = degrees / 2;
  const next = half + 1;
  return Math.log1p(1 / half) - 1 / half - 1 / (2 * next) - 1 / (12 * next ** 2);
}

/**
 * @param {number} degrees of freedom
 * @returns {number} variance of the logarithm of chi-square: trigamma(d/2), by the series at
 *   d/2 + 1, as it is 14 % wrong at one degree (Abramowitz and Stegun 6.4.6, 6.4.12)
 */
function varianceOfLog(degrees) {
  const half = degrees / 2;
  const next = half + 1;
  const series = 1 / next + 1 / (2 * next ** 2) + 1 / (6 * next ** 3) - 1 / (30 * next ** 5);
  return 1 / half ** 2 + series;
}

/**
 * @param {number} tail probability of more, up to a half
 * @returns {number} the normal's quantile, to 5e-4 (Abramowitz and Stegun 26.2.23)
 */
export function normalQuantile(tail) {
  const t = Math.sqrt(-2 * Math.log(tail));
  const above = 2.515517 + 0.802853 * t + 0.010328 * t ** 2;
  return t - above / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3);
}

/**
 * @param {number} z a quantile of the normal
 * @param {number} degrees of freedom
 * @returns {number} the quantile of Student's t at the same probability (D. Wallace, Bounds on Normal
 *   Approximations to Student's and the Chi-Square Distributions, 1959)
 */
export function studentOf(z, degrees) {
  const scaled = (z * (8 * degrees + 3)) / (8 * degrees + 1);
  return Math.sqrt(degrees * Math.expm1(scaled ** 2 / degrees));
}

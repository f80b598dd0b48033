/**
 * How large a change may be by chance: estimated from how far the single captures of either side
 * differ, frame by frame.
 *
 * A frame's noise is the larger of two numbers:
 *
 *   own      t × the standard error of the change, from the frame's own weights in the captures; t is
 *            that of Student for as many captures, so that few of them make it wide
 *   typical  z × the standard error that frames of this weight have on the whole. Counts of samples
 *            vary by their square root, so variance is proportional to weight; by how much, the frames
 *            of the side tell together. Few captures may agree on one frame by luck, not on all
 *
 * Both at 1 % (two-sided): there are hundreds of frames in a picture, and of a hundred that did not
 * change one is then taken for changed. Nothing is corrected for their number beyond that: the totals
 * of callers and callees are nearly the same number, and a threshold for the worst of thousands would
 * hide what grew by a tenth.
 *
 * Captures of one run are not repeats: the noise tells what captures of the same runs would show, not
 * what another run or another build of the same sources would.
 */

/** Fewer captures of a side do not tell how far they differ. */
export const FEWEST_CAPTURES = 2;
/** The normal's quantile at 1 %, two-sided. */
const Z = 2.5758;
/** Student's at 1 %, two-sided, of 1 to 10 degrees of freedom. */
const T = [63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.25, 3.169];
/** The noise is known to no more digits than these. */
const DIGITS = 2;

/**
 * @typedef {import("./diff.js").Basis} Basis
 * @typedef {import("./profile.js").Profile} Profile
 * @typedef {import("./capture_rows.js").CaptureRows} CaptureRows
 *
 * @typedef {object} NoisySide
 * @property {Profile} profile what the captures add up to
 * @property {CaptureRows} rows
 * @property {Partial<Record<Basis, number>>} factors an exact weight × factor = its value in the basis
 *
 * @typedef {object} Spread by node, in the side's exact weights
 * @property {Float64Array} own variance of the side's weight, from the node's own weights
 * @property {Float64Array} typical from the frames of the side together
 */

/**
 * Return the noise of each node, in each basis that both sides tell.
 *
 * @param {{ base: NoisySide, after: NoisySide }} sides
 * @returns {Partial<Record<`noise_${Basis}` | `self_noise_${Basis}`, number[]>>} nothing where a side has
 *   too few captures
 */
export function noiseColumns({ base, after }) {
  const rows = [base.rows, after.rows];
  if (rows.some(({ exposures }) => exposures.length < FEWEST_CAPTURES)) return {};
  const degrees = rows[0].exposures.length + rows[1].exposures.length - 2;
  const weights = rows.map(({ total }) => total.map((row) => row[0]));
  /** @type {ReturnType<typeof noiseColumns>} */
  const noise = {};
  const bases = /** @type {Basis[]} */ (Object.keys(base.factors));
  for (const basis of bases.filter((each) => after.factors[each] !== undefined)) {
    const per = basis === "share" ? weights : rows.map(({ exposures }) => exposures);
    for (const [key, which] of /** @type {const} */ ([
      ["noise", "total"],
      ["self_noise", "self"],
    ])) {
      const spreads = rows.map((each, side) =>
        spread(each[which], each.self, per[side], basis === "share"),
      );
      const scales = [base, after].map(
        ({ factors, profile }, side) => (factors[basis] ?? 0) * missing(profile, weights[side]),
      );
      noise[`${key}_${basis}`] = combined(spreads, scales, degrees);
    }
  }
  return noise;
}

/**
 * Return by how much the profile is more than its whole captures.
 *
 * @param {Profile} profile
 * @param {number[]} weights
 */
function missing({ total }, weights) {
  return Number(total) / weights.reduce((sum, weight) => sum + weight, 0);
}

/**
 * @param {Spread[]} spreads of base and after
 * @param {number[]} scales
 * @param {number} degrees of freedom
 * @returns {number[]}
 */
function combined(spreads, scales, degrees) {
  const t = student(degrees);
  const [base, after] = spreads;
  const [ofBase, ofAfter] = scales.map((scale) => scale * scale);
  return Array.from(base.own, (_, node) => {
    const own = t * Math.sqrt(base.own[node] * ofBase + after.own[node] * ofAfter);
    const typical = Z * Math.sqrt(base.typical[node] * ofBase + after.typical[node] * ofAfter);
    return Number(Math.max(own, typical).toPrecision(DIGITS));
  });
}

/**
 * @param {number} degrees of freedom
 * @returns {number} Student's quantile at 1 %, two-sided; above ten degrees by the expansion of
 *   Cornish and Fisher (Abramowitz and Stegun 26.7.5), to a hundredth
 */
export function student(degrees) {
  const listed = T[degrees - 1];
  if (listed !== undefined) return listed;
  const first = (Z ** 3 + Z) / 4;
  const second = (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96;
  return Z + first / degrees + second / degrees ** 2;
}

/**
 * Return the variance of the captures' sum, by the ratio estimator (Cochran, Sampling Techniques, 6.4):
 * a capture is expected to have of a frame what all have of it, in proportion to what it stands for.
 *
 * @param {Float64Array[]} rows
 * @param {Float64Array[]} selfRows which weigh no sample twice
 * @param {number[]} per what each capture stands for
 * @param {boolean} isShare whether that is its own weight: then all of it never varies
 * @returns {Spread}
 */
function spread(rows, selfRows, per, isShare) {
  const own = ratioVariance(rows, per);
  const selfVariance = ratioVariance(selfRows, per);
  const whole = sum(per);
  /** @param {Float64Array[]} of @param {number} node weight that can vary */
  const varying = (of, node) => {
    const weight = of.reduce((all, row) => all + row[node], 0);
    return isShare ? weight * Math.max(0, 1 - weight / whole) : weight;
  };
  const rates = Array.from(selfVariance, (variance, node) => {
    const weight = varying(selfRows, node);
    return { weight, rate: weight > 0 ? variance / weight : 0 };
  });
  const rate = weightedMedian(rates) / medianOfVariance(rows.length - 1);
  return { own, typical: own.map((_, node) => rate * varying(rows, node)) };
}

/**
 * Return the rate below which half of the weight is: a function that comes and goes does not make all
 * others noisy.
 *
 * @param {{ weight: number, rate: number }[]} rates
 */
function weightedMedian(rates) {
  const ordered = rates.sort((a, b) => a.rate - b.rate);
  const half = ordered.reduce((all, { weight }) => all + weight, 0) / 2;
  let below = 0;
  for (const { weight, rate } of ordered) {
    below += weight;
    if (weight > 0 && below >= half) return rate;
  }
  return 0;
}

/**
 * Return the median of an estimated variance whose mean is 1: that of chi-square over its degrees of
 * freedom (Wilson and Hilferty).
 *
 * @param {number} degrees
 */
export function medianOfVariance(degrees) {
  return (1 - 2 / (9 * degrees)) ** 3;
}

/**
 * @param {Float64Array[]} rows
 * @param {number[]} per
 */
function ratioVariance(rows, per) {
  const captures = rows.length;
  const whole = sum(per);
  return rows[0].map((_, node) => {
    const ratio = rows.reduce((all, row) => all + row[node], 0) / whole;
    const squares = rows.reduce((all, row, at) => all + (row[node] - ratio * per[at]) ** 2, 0);
    return (squares * captures) / (captures - 1);
  });
}

/** @param {ArrayLike<number>} values */
function sum(values) {
  let all = 0;
  for (let at = 0; at < values.length; at++) all += values[at];
  return all;
}

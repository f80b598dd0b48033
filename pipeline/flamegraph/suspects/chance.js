/**
 * Whether functions grew by more than captures of one release differ by.
 *
 * Captures are permuted, not samples: samples of one capture have in common what went on meanwhile, so
 * that thousands of them say no more than one capture does. Were the releases the same, any of the
 * captures could be of either; so all captures are parted in two in every other way, and what of a function
 * the one part has more than the other is compared with what it really was. The differences are in
 * standard errors, and each way counts with the largest of all functions (Westfall and Young,
 * Resampling-Based Multiple Testing, 1993): p is the chance that any function whatever would look as much
 * grown. Standard errors are not less than what functions of that weight have on the whole, as few
 * captures may agree by luck (Tusher, Tibshirani and Chu, PNAS 98, 2001, add such a floor).
 *
 * @typedef {object} Chance
 * @property {number} ways to part the captures
 * @property {number} tried of them
 * @property {number | null} level that p must not be above; null where there are too few ways
 * @property {Float64Array | null} p by function; NaN where it was not looked at; null as `level`
 * @property {(index: number) => boolean} isBeyond whether a function grew by more than chance, as far as
 *   can be told
 * @property {Range[][]} ranges of base and after, by function; none of a side of one capture
 *
 * @typedef {[number, number]} Range the least and the most that a capture has, in the basis
 */

import { FEWEST_CAPTURES, medianOfVariance, student } from "../noise.js";
import { combinations, partings } from "./partings.js";

/** The most a suspect's p may be, strictest first, and the ways it takes to get there. */
const LEVELS = [0.01, 0.05];
/** Ways tried where there are more; drawn by chance, always the same. */
const MOST_WAYS = 2000;
/** Ways × functions × captures: some tenths of a second. */
const MOST_WORK = 4_000_000;
/** Where no p can be told: standard errors that one function of some hundreds exceeds in 30 profiles. */
const FAR = 3.7;

/**
 * @typedef {object} Sample one capture
 * @property {Float64Array} weight by tested function
 * @property {number} per operations, seconds or weight that it stands for
 */

/**
 * @param {import("../diff.js").Diff} diff
 * @param {import("../diff.js").Captures} captures
 * @param {import("./growth.js").Growth} growth
 * @param {import("./functions.js").Functions} functions
 * @param {number[]} tested functions
 * @returns {Chance}
 */
export function chanceOf(diff, captures, { basis, even }, { calls, count }, tested) {
  const sides = /** @type {const} */ (["base", "after"]).map((side) => {
    const factor = diff[side].factors[basis] ?? 0;
    return samplesOf(captures[side], basis === "share" ? null : factor, calls, tested);
  });
  const ranges = sides.map((samples) => rangesOf(samples, tested, count));
  const counts = sides.map(({ length }) => length);
  const ways = combinations(counts[0] + counts[1], counts[1]);
  if (counts.some((each) => each < FEWEST_CAPTURES)) {
    return { ways, tried: 0, level: null, p: null, isBeyond: () => true, ranges };
  }
  const [before, after] = sides;
  const grown = before.map(({ weight, per }) => ({
    weight: weight.map((each) => each * even),
    per,
  }));
  const test = new Test([inOrder(grown), inOrder(after)], basis === "share");
  const level = LEVELS.find((each) => ways * each >= 1) ?? null;
  const beyond = new Set(tested.filter((_, at) => test.isFar(at)));
  if (level === null) {
    return { ways, tried: 0, level, p: null, isBeyond: (index) => beyond.has(index), ranges };
  }
  const most = Math.min(MOST_WAYS, Math.floor(MOST_WORK / (tested.length * test.samples.length)));
  const { values, tried } = test.run(ways, Math.max(most, Math.ceil(1 / level)));
  const p = new Float64Array(count).fill(Number.NaN);
  tested.forEach((index, at) => {
    p[index] = values[at];
  });
  const isBeyond = (/** @type {number} */ index) => p[index] <= level && beyond.has(index);
  return { ways, tried, level, p, isBeyond, ranges };
}

/**
 * @param {import("../capture_rows.js").CaptureRows} rows
 * @param {number | null} factor an exact weight × factor = its value in the basis; null where captures
 *   stand for their weight
 * @param {number[][]} calls by function
 * @param {number[]} tested
 * @returns {Sample[]}
 */
function samplesOf({ exposures, total }, factor, calls, tested) {
  const whole = exposures.reduce((sum, each) => sum + each, 0);
  return total.map((row, capture) => ({
    weight: Float64Array.from(tested, (index) =>
      calls[index].reduce((sum, node) => sum + row[node], 0),
    ),
    per: factor === null ? row[0] : exposures[capture] / whole / factor,
  }));
}

/**
 * @param {Sample[]} samples
 * @param {number[]} tested
 * @param {number} count
 * @returns {Range[]} by function
 */
function rangesOf(samples, tested, count) {
  /** @type {Range[]} */
  const ranges = new Array(count);
  if (samples.length < FEWEST_CAPTURES) return ranges;
  tested.forEach((index, at) => {
    const values = samples.map(({ weight, per }) => weight[at] / per);
    ranges[index] = [Math.min(...values), Math.max(...values)];
  });
  return ranges;
}

/**
 * Put captures in an order of their own, so that theirs in the bundle decides nothing.
 *
 * @param {Sample[]} samples
 */
function inOrder(samples) {
  return samples.sort((a, b) => {
    if (a.per !== b.per) return a.per - b.per;
    const at = a.weight.findIndex((weight, index) => weight !== b.weight[index]);
    return at < 0 ? 0 : a.weight[at] - b.weight[at];
  });
}

/** Parts captures in two, and says by how many standard errors functions differ. */
class Test {
  /**
   * @param {Sample[][]} sides
   * @param {boolean} isShare
   */
  constructor([base, after], isShare) {
    this.samples = [...base, ...after];
    this.taken = after.length;
    this.size = this.samples[0].weight.length;
    this.all = new Sums(this.size);
    for (const sample of this.samples) this.all.add(sample);
    this.one = new Sums(this.size);
    this.other = new Sums(this.size);
    /** What of a function varies: of a share, what is near all of it does not. */
    this.varying = this.all.weight.map((weight) => {
      const share = isShare ? weight / this.all.per : 0;
      return (weight / this.all.per) * Math.max(0, 1 - share);
    });
    this.rate = this.typicalRate();
  }

  /** Return the variance that a unit of weight has, of half of the weight at most: see noise.js. */
  typicalRate() {
    this.part((at) => at >= this.samples.length - this.taken);
    const rates = Array.from(this.varying, (varying, at) => ({
      weight: varying,
      rate:
        varying > 0
          ? (this.one.variance(at) + this.other.variance(at)) / (varying * this.perSamples())
          : 0,
    })).sort((a, b) => a.rate - b.rate);
    const half = rates.reduce((sum, { weight }) => sum + weight, 0) / 2;
    let below = 0;
    for (const { weight, rate } of rates) {
      below += weight;
      if (weight > 0 && below >= half) return rate / medianOfVariance(this.samples.length - 2);
    }
    return 0;
  }

  perSamples() {
    return 1 / this.one.per + 1 / this.other.per;
  }

  /** @param {(at: number) => boolean} isTaken */
  part(isTaken) {
    this.one.clear();
    this.samples.forEach((sample, at) => {
      if (isTaken(at)) this.one.add(sample);
    });
    this.other.without(this.all, this.one);
  }

  /** @param {number} at */
  difference(at) {
    return this.one.weight[at] / this.one.per - this.other.weight[at] / this.other.per;
  }

  /** @param {number} at */
  typicalVariance(at) {
    return this.rate * this.varying[at] * this.perSamples();
  }

  /** @param {number} at */
  standardErrors(at) {
    const own = this.one.variance(at) + this.other.variance(at);
    const variance = Math.max(own, this.typicalVariance(at));
    return variance > 0 ? this.difference(at) / Math.sqrt(variance) : 0;
  }

  /**
   * Tell by a function's own captures, and by those of all, whether it grew by more than they differ.
   *
   * @param {number} at
   */
  isFar(at) {
    this.part((sample) => sample >= this.samples.length - this.taken);
    const own = Math.sqrt(this.one.variance(at) + this.other.variance(at));
    const typical = Math.sqrt(this.typicalVariance(at));
    const limit = Math.max(student(this.samples.length - 2) * own, FAR * typical);
    return this.difference(at) > limit;
  }

  /**
   * @param {number} ways
   * @param {number} most
   * @returns {{ values: Float64Array, tried: number }} p by tested function
   */
  run(ways, most) {
    const first = this.samples.length - this.taken;
    this.part((at) => at >= first);
    const found = Float64Array.from({ length: this.size }, (_, at) => this.standardErrors(at));
    const reached = new Float64Array(this.size);
    let tried = 0;
    for (const taken of partings(this.samples.length, this.taken, ways <= most ? null : most)) {
      this.part((at) => taken[at] === 1);
      let largest = 0;
      for (let at = 0; at < this.size; at++) largest = Math.max(largest, this.standardErrors(at));
      // A hair less, as the way that it really was adds up in another order.
      for (let at = 0; at < this.size; at++) if (largest >= found[at] * (1 - 1e-9)) reached[at]++;
      tried++;
    }
    return { values: reached.map((count) => count / tried), tried };
  }
}

/** Sums over some captures, from which the variance of a ratio is told (Cochran, 6.4). */
class Sums {
  /** @param {number} size */
  constructor(size) {
    this.weight = new Float64Array(size);
    this.squares = new Float64Array(size);
    this.products = new Float64Array(size);
    this.per = 0;
    this.perSquares = 0;
    this.count = 0;
  }

  clear() {
    this.weight.fill(0);
    this.squares.fill(0);
    this.products.fill(0);
    this.per = 0;
    this.perSquares = 0;
    this.count = 0;
  }

  /** @param {Sample} sample */
  add({ weight, per }) {
    const { weight: sum, squares, products } = this;
    for (let at = 0; at < sum.length; at++) {
      const one = weight[at];
      sum[at] += one;
      squares[at] += one * one;
      products[at] += one * per;
    }
    this.per += per;
    this.perSquares += per * per;
    this.count++;
  }

  /**
   * @param {Sums} all
   * @param {Sums} some
   */
  without(all, some) {
    for (let at = 0; at < this.weight.length; at++) {
      this.weight[at] = all.weight[at] - some.weight[at];
      this.squares[at] = all.squares[at] - some.squares[at];
      this.products[at] = all.products[at] - some.products[at];
    }
    this.per = all.per - some.per;
    this.perSquares = all.perSquares - some.perSquares;
    this.count = all.count - some.count;
  }

  /**
   * @param {number} at
   * @returns {number} of the weight per what the captures stand for
   */
  variance(at) {
    const ratio = this.weight[at] / this.per;
    const squares =
      this.squares[at] - 2 * ratio * this.products[at] + ratio * ratio * this.perSquares;
    const scale = this.count / (this.count - 1) / (this.per * this.per);
    return Math.max(0, squares * scale);
  }
}

/**
 * Two profiles as one tree: the union of both, matched along call paths (match/alignment.js), with the
 * weights of either side beside each other. Nothing is lost: the selfs of each side add up to its
 * profile, to the unit.
 *
 * @typedef {import("./bases.js").Basis} Basis
 *
 * @typedef {Basis | "share_of_frame"} ShownBasis that of a file, or the share of the frame that the
 *   reader has zoomed to
 *
 * @typedef {object} DiffSide
 * @property {string} label the release, for readers: as names are shown
 * @property {string} unit what one of `total` is, as in the profile
 * @property {string} total exact and unscaled, in decimal digits
 * @property {number | null} samples
 * @property {number} sample_weight what a sample weighs, exact and unscaled; estimated where the captures
 *   do not state their samples (sample_weight.js)
 * @property {number} scale a stored weight × scale = the exact weight
 * @property {Partial<Record<Basis, number>>} factors by each basis that is known: an exact weight ×
 *   factor = its value in the basis
 * @property {number} captures how many there are that do not end too early; 0 where unknown
 *
 * @typedef {object} Matched share of the weight that is on frames of both sides, in percent
 * @property {number} percent mean of both sides
 * @property {number} base_percent
 * @property {number} after_percent
 *
 * @typedef {import("../model/naming.js").NamedNodes & {
 *   format: "perfpress-diff", version: 1, event: string, unit: string, basis: Basis,
 *   base: DiffSide, after: DiffSide, matched: Matched,
 *   threads: import("../match/alignment.js").Threads, cut: import("../match/cut_stacks.js").CutStacks,
 *   joined: import("./names.js").Joined[],
 *   join: (number | null)[], present: number[], shared_out: number[], noise: Partial<Record<Basis, import("./common_noise.js").CommonNoise>>,
 *   cost_of?: string,
 *   base_self: number[] | string[], after_self: number[] | string[] } & NoiseColumns} Diff
 *   The diff file, key for key. Nodes are in preorder, siblings in the order of key and class.
 *   `join` has for each name its index in `joined`.
 *
 * @typedef {Pick<Diff, "format" | "basis" | "unit" | "base" | "after" | "joined" | "join" | "present"
 *   | "shared_out" | "cost_of" | "base_self" | "after_self"> & NoiseColumns & import("../model/naming.js").NamedNodes
 *   & { base_rest?: number[], after_rest?: number[], gone_rest?: number[], new_rest?: number[] }} DiffTree
 *   a diff, or an excerpt of one: then the `…_rest` columns have the weight of what was left out
 *
 * @typedef {Partial<Record<`noise_${Basis}` | `self_noise_${Basis}`, number[]>>} NoiseColumns changes of
 *   total and self, in the basis, that may be chance (noise.js); of each basis that both sides have
 *
 * @typedef {{ base: import("./capture_weights.js").CaptureRows, after: import("./capture_weights.js").CaptureRows }} Captures
 *
 * @typedef {object} Factors 1 ÷ the operations that a side's weight represents, or ÷ its seconds
 * @property {number} base
 * @property {number} after
 *
 * @typedef {object} DiffOptions
 * @property {string} [baseLabel] default: base
 * @property {string} [afterLabel] default: after
 * @property {Basis} [basis] that is shown first; default: share
 * @property {Partial<Record<Basis, Factors>>} [bases] those known besides the share
 * @property {import("./capture_weights.js").CaptureProfile[]} [baseCaptures] what the base was merged from
 * @property {import("./capture_weights.js").CaptureProfile[]} [afterCaptures]
 * @property {string} [costOf] the operation that relative costs are percent of: `one insert on 17`
 * @property {number} [overdispersion] of other captures, where these do not show it (common_noise.js)
 * @property {Record<string, string[]>} [aliases] by name-match key: the keys that are the same function
 */

import { align } from "../match/alignment.js";
import { joinCutStacks } from "../match/cut_stacks.js";
import { IN_AFTER, IN_BASE } from "../match/union.js";
import { BadInput, problem } from "../model/problems.js";
import { selfWeights } from "../model/profile.js";
import { shownName } from "../model/shown_names.js";
import { totalsOf } from "../model/tree.js";
import { captureRows } from "./capture_weights.js";
import { commonNoise } from "./common_noise.js";
import { nameColumns } from "./names.js";
import { noiseColumns } from "./noise.js";
import { FEWEST_CAPTURES } from "./overdispersion.js";
import { sampleWeight } from "./sample_weight.js";

/**
 * @param {import("../model/profile.js").Profile} base
 * @param {import("../model/profile.js").Profile} after
 * @param {DiffOptions} options
 * @returns {Diff}
 * @throws {BadInput} where the sides count different things and the basis is not a share
 */
export function diffProfiles(base, after, options) {
  return compareProfiles(base, after, options).diff;
}

/**
 * @template {{ base: { label: string }, after: { label: string } }} Sides
 * @param {Sides} compared a diff, or what was found in one
 * @param {string} base
 * @param {string} after
 * @returns {Sides} with other labels of its sides
 */
export function labelled(compared, base, after) {
  return {
    ...compared,
    base: { ...compared.base, label: shownName(base) },
    after: { ...compared.after, label: shownName(after) },
  };
}

/**
 * As `diffProfiles`, with the single captures at the nodes of the diff.
 *
 * @param {import("../model/profile.js").Profile} base
 * @param {import("../model/profile.js").Profile} after
 * @param {DiffOptions} options
 * @returns {{ diff: Diff, captures: Captures }}
 * @throws {BadInput}
 */
export function compareProfiles(base, after, options) {
  const { basis = "share", bases = {}, baseCaptures = [], afterCaptures = [] } = options;
  if (Object.keys(bases).length > 0 && base.unit !== after.unit)
    throw differentUnits(base, after, options);
  const alignment = align(base, after, joinedKeys(options.aliases ?? {}));
  const cut = joinCutStacks(alignment.union, [
    { images: alignment.base, self: Array.from(selfWeights(base), Number) },
    { images: alignment.after, self: Array.from(selfWeights(after), Number) },
  ]);
  const { parent, order, position } = inPreorder(alignment.union);
  const baseSelf = gather(selfWeights(base), alignment.base, position, parent.length);
  const afterSelf = gather(selfWeights(after), alignment.after, position, parent.length);
  const present = marked(alignment, position, parent.length, () => true);
  const [ofBase, ofAfter] = [factorsOf(base, bases, "base"), factorsOf(after, bases, "after")];
  const captures = {
    base: captureRows(base, baseCaptures, alignment.base, parent, position),
    after: captureRows(after, afterCaptures, alignment.after, parent, position),
  };
  const sides = {
    base: side(base, labelsOf(options).base, ofBase, captures.base),
    after: side(after, labelsOf(options).after, ofAfter, captures.after),
  };
  const isShown = Object.values(sides).some((each) => each.captures >= FEWEST_CAPTURES);
  const compared = {
    format: /** @type {const} */ ("perfpress-diff"),
    version: /** @type {const} */ (1),
    event: base.event === after.event ? after.event : `${base.event} and ${after.event}`,
    unit: base.unit === after.unit ? after.unit : "weight",
    basis,
    ...sides,
    matched: matched(present, baseSelf, afterSelf),
    threads: alignment.threads,
    cut,
    ...nameColumns(alignment, base, after, order),
    parent,
    present,
    shared_out: marked(alignment, position, parent.length, ({ part }) => part < 1),
    base_self: stored(baseSelf),
    after_self: stored(afterSelf),
    ...(options.costOf ? { cost_of: options.costOf } : {}),
  };
  const noise = commonNoise(compared, captures, isShown ? undefined : options.overdispersion);
  const columns = noiseColumns(
    [
      noisySide(sides.base, baseSelf, parent, captures.base),
      noisySide(sides.after, afterSelf, parent, captures.after),
    ],
    noise,
  );
  const diff = { ...compared, noise, ...columns };
  return { diff, captures };
}

/**
 * @param {import("../model/profile.js").Profile} base
 * @param {import("../model/profile.js").Profile} after
 * @param {DiffOptions} options
 */
function differentUnits(base, after, options) {
  const labels = labelsOf(options);
  return new BadInput(
    problem({
      path: `${labels.base} and ${labels.after}`,
      found: `${labels.base} counts ${base.unit}, ${labels.after} counts ${after.unit}`,
      expected: "the same unit on both sides",
      do: "compare profiles of the same event, or compare shares",
    }),
  );
}

/** @param {DiffOptions} options */
function labelsOf({ baseLabel = "base", afterLabel = "after" }) {
  return { base: baseLabel, after: afterLabel };
}

/**
 * @param {import("../model/profile.js").Profile} profile
 * @param {Partial<Record<Basis, Factors>>} bases
 * @param {"base" | "after"} side
 * @returns {Partial<Record<Basis, number>>}
 */
function factorsOf({ total }, bases, side) {
  /** @type {Partial<Record<Basis, number>>} */
  const factors = { share: total === "0" ? 0 : 1 / Number(total) };
  for (const basis of /** @type {Basis[]} */ (Object.keys(bases))) {
    factors[basis] = bases[basis]?.[side];
  }
  return factors;
}

/**
 * @param {import("../model/profile.js").Profile} profile
 * @param {string} label
 * @param {Partial<Record<Basis, number>>} factors
 * @param {import("./capture_weights.js").CaptureRows} rows
 * @returns {DiffSide}
 */
function side(profile, label, factors, { exposures }) {
  const { unit, total, samples, scale } = profile;
  return {
    label: shownName(label),
    unit,
    total,
    samples,
    sample_weight: sampleWeight(profile),
    scale,
    factors,
    captures: exposures.length,
  };
}

/**
 * @param {DiffSide} side
 * @param {number[] | bigint[]} self stored, by node in preorder
 * @param {number[]} parent
 * @param {import("./capture_weights.js").CaptureRows} rows
 * @returns {import("./noise.js").NoisySide}
 */
function noisySide({ sample_weight, scale, factors }, self, parent, rows) {
  const exact = Float64Array.from(
    /** @type {ArrayLike<number>} */ (self),
    (weight) => Number(weight) * scale,
  );
  const weights = { total: totalsOf(parent, exact), self: exact };
  return { sampleWeight: sample_weight, factors, weights, rows };
}

/**
 * Return what gives a key the one under which its author joins it with others.
 *
 * @param {Record<string, string[]>} aliases
 * @returns {(key: string) => string}
 */
function joinedKeys(aliases) {
  const joined = new Map(
    Object.entries(aliases).flatMap(([key, others]) => others.map((other) => [other, key])),
  );
  return (key) => joined.get(key) ?? key;
}

/**
 * @param {import("../match/union.js").Union} union
 * @returns {{ parent: number[], order: number[], position: Int32Array }} the nodes of the union in
 *   preorder, and where each is there
 */
function inPreorder(union) {
  const order = union.preorder();
  const position = new Int32Array(union.parent.length);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const parent = order.map((node) => (node === 0 ? -1 : position[union.parent[node]]));
  return { parent, order, position };
}

/**
 * @param {import("../match/alignment.js").Alignment} alignment
 * @param {Int32Array} position
 * @param {number} size
 * @param {(image: import("../match/union.js").Image) => boolean} isMarked
 * @returns {number[]} by node: the sides that have a marked image there
 */
function marked({ base, after }, position, size, isMarked) {
  const marks = new Array(size).fill(0);
  for (const [images, bit] of /** @type {const} */ ([
    [base, IN_BASE],
    [after, IN_AFTER],
  ])) {
    for (const image of images) if (isMarked(image)) marks[position[image.at]] |= bit;
  }
  return marks;
}

/**
 * @param {import("../model/profile.js").Weights} self
 * @param {import("../match/union.js").Image[]} images
 * @param {Int32Array} position
 * @param {number} size
 * @returns {number[] | bigint[]} summed at the union's nodes, in preorder
 */
function gather(self, images, position, size) {
  /** @type {Map<number, import("../match/union.js").Image[]>} */
  const several = new Map();
  for (const image of images) {
    if (image.part < 1) several.set(image.node, [...(several.get(image.node) ?? []), image]);
  }
  // `+=` is exact for either kind of weights, and never mixes them.
  const zero = /** @type {number} */ (self instanceof Float64Array ? 0 : 0n);
  const sums = new Array(size).fill(zero);
  for (const { node, at, part } of images) if (part === 1) sums[position[at]] += self[node];
  for (const [node, shared] of several) {
    const inOrder = shared.sort((a, b) => position[a.at] - position[b.at]);
    const parts = shareOut(
      BigInt(self[node]),
      inOrder.map(({ part }) => part),
    );
    parts.forEach((part, index) => {
      sums[position[inOrder[index].at]] += typeof zero === "bigint" ? part : Number(part);
    });
  }
  return sums;
}

/** Parts of a weight are counted in as many. */
const PARTS = 2 ** 40;

/**
 * Share a weight out, to the unit: what is left over goes to the first.
 *
 * @param {bigint} weight
 * @param {number[]} parts
 */
function shareOut(weight, parts) {
  const whole = parts.map((part) => BigInt(Math.round(part * PARTS)));
  const sum = whole.reduce((all, part) => all + part, 0n) || 1n;
  const shares = whole.map((part) => (weight * part) / sum);
  const left = Number(shares.reduce((rest, share) => rest - share, weight));
  return shares.map((share, index) => share + (index < left ? 1n : 0n));
}

/**
 * @param {number[]} present
 * @param {number[] | bigint[]} baseSelf
 * @param {number[] | bigint[]} afterSelf
 * @returns {Matched}
 */
function matched(present, baseSelf, afterSelf) {
  const [ofBase, ofAfter] = [baseSelf, afterSelf].map((self) => {
    let [all, common] = [0, 0];
    self.forEach((weight, node) => {
      all += Number(weight);
      if (present[node] === IN_BASE + IN_AFTER) common += Number(weight);
    });
    return all > 0 ? (100 * common) / all : 0;
  });
  return { percent: (ofBase + ofAfter) / 2, base_percent: ofBase, after_percent: ofAfter };
}

/**
 * @param {number[] | bigint[]} weights
 * @returns {number[] | string[]}
 */
function stored(weights) {
  return typeof weights[0] === "bigint" ? weights.map(String) : /** @type {number[]} */ (weights);
}

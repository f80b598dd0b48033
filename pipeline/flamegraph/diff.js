/**
 * Two profiles as one tree: the union of both, matched along call paths (match/alignment.js), with the
 * weights of either side beside each other. Nothing is lost: the selfs of each side add up to its
 * profile, to the unit.
 *
 * @typedef {"share" | "cost_per_operation" | "weight_per_second"} Basis
 *
 * @typedef {object} DiffSide
 * @property {string} label the release, for readers: as names are shown
 * @property {string} unit what one of `total` is, as in the profile
 * @property {string} total exact and unscaled, in decimal digits
 * @property {number | null} samples
 * @property {number} scale a stored weight × scale = the exact weight
 * @property {Partial<Record<Basis, number>>} factors by each basis that is known: an exact weight ×
 *   factor = its value in the basis
 * @property {number} captures how many there are that do not end too early; 0 where nobody told
 *
 * @typedef {object} Matched share of the weight that is neither new nor gone, in percent: on frames that
 *   both sides have, and on those that one has and what they call goes on in the other
 * @property {number} percent mean of both sides
 * @property {number} base_percent
 * @property {number} after_percent
 * @property {number} base_percent_of_both of that, on frames that both sides have
 * @property {number} after_percent_of_both
 *
 * @typedef {import("./graph.js").NamedNodes & {
 *   format: "perfpress-diff", version: 1, event: string, unit: string, basis: Basis,
 *   base: DiffSide, after: DiffSide, matched: Matched,
 *   threads: import("./match/alignment.js").Threads, joined: import("./diff_names.js").Joined[],
 *   join: (number | null)[], present: number[], shared_out: number[], colour_scale: number,
 *   base_self: number[] | string[], after_self: number[] | string[] } & NoiseColumns} Diff
 *   The diff file, key for key. Nodes are in preorder, siblings in the order of key and class.
 *   `join` has for each name its index in `joined`. `colour_scale`, the change with the strongest
 *   colour, is in the basis: a share of 1, or the basis's own unit.
 *
 * @typedef {Partial<Record<`noise_${Basis}` | `self_noise_${Basis}`, number[]>>} NoiseColumns changes of
 *   total and self, in the basis, that may be chance (noise.js); absent where nobody can tell
 *
 * @typedef {{ base: import("./capture_rows.js").CaptureRows, after: import("./capture_rows.js").CaptureRows }} Captures
 *
 * @typedef {object} Factors 1 ÷ the operations that a side's weight stands for, or ÷ its seconds
 * @property {number} base
 * @property {number} after
 *
 * @typedef {object} DiffOptions
 * @property {string} baseLabel
 * @property {string} afterLabel
 * @property {Basis} [basis] that is shown first; default: share
 * @property {Partial<Record<Basis, Factors>>} [bases] those known besides the share
 * @property {import("./capture_rows.js").CaptureProfile[]} [baseCaptures] what the base was merged from
 * @property {import("./capture_rows.js").CaptureProfile[]} [afterCaptures]
 * @property {Record<string, string[]>} [aliases] by name-match key: the keys that are the same function
 */

import { captureRows } from "./capture_rows.js";
import { colourScale } from "./diff_graph.js";
import { nameColumns } from "./diff_names.js";
import { shownName } from "./labels.js";
import { align } from "./match/alignment.js";
import { noiseColumns } from "./noise.js";
import { BadInput, problem } from "./problems.js";
import { selfWeights } from "./profile.js";
import { IN_AFTER, IN_BASE } from "./sides.js";
import { callTree } from "./tree.js";

/** @typedef {import("./tree.js").CallTree} CallTree */

/**
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {DiffOptions} options
 * @returns {Diff}
 * @throws {BadInput} where the sides count different things and the basis is not a share
 */
export function diffProfiles(base, after, options) {
  return compareProfiles(base, after, options).diff;
}

/**
 * As `diffProfiles`, with the single captures at the nodes of the diff.
 *
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {DiffOptions} options
 * @returns {{ diff: Diff, captures: Captures }}
 * @throws {BadInput}
 */
export function compareProfiles(base, after, options) {
  const { basis = "share", bases = {}, baseCaptures = [], afterCaptures = [] } = options;
  if (Object.keys(bases).length > 0 && base.unit !== after.unit)
    throw differentUnits(base, after, options);
  const alignment = align(base, after, joinedKeys(options.aliases ?? {}));
  const { parent, order, position } = inPreorder(alignment.union);
  const baseSelf = gather(selfWeights(base), alignment.base, position);
  const afterSelf = gather(selfWeights(after), alignment.after, position);
  const present = marked(alignment, position, () => true);
  const [ofBase, ofAfter] = [factorsOf(base, bases, "base"), factorsOf(after, bases, "after")];
  const captures = {
    base: captureRows(base, baseCaptures, alignment.base, parent, position),
    after: captureRows(after, afterCaptures, alignment.after, parent, position),
  };
  const noise = noiseColumns({
    base: { profile: base, rows: captures.base, factors: ofBase },
    after: { profile: after, rows: captures.after, factors: ofAfter },
  });
  const diff = {
    format: /** @type {const} */ ("perfpress-diff"),
    version: /** @type {const} */ (1),
    event: base.event === after.event ? after.event : `${base.event} and ${after.event}`,
    unit: base.unit === after.unit ? after.unit : "weight",
    basis,
    base: side(base, options.baseLabel, ofBase, captures.base),
    after: side(after, options.afterLabel, ofAfter, captures.after),
    matched: matched(parent, present, baseSelf, afterSelf),
    threads: alignment.threads,
    ...nameColumns(alignment, base, after, order),
    parent,
    present,
    shared_out: marked(alignment, position, ({ part }) => part < 1),
    base_self: stored(baseSelf),
    after_self: stored(afterSelf),
    ...noise,
  };
  return { diff: { ...diff, colour_scale: colourScale(diff) }, captures };
}

/**
 * @param {import("./profile.js").Profile} base
 * @param {import("./profile.js").Profile} after
 * @param {DiffOptions} options
 */
function differentUnits(base, after, { baseLabel, afterLabel }) {
  return new BadInput(
    problem({
      path: `${baseLabel} and ${afterLabel}`,
      found: `${baseLabel} counts ${base.unit}, ${afterLabel} counts ${after.unit}`,
      expected: "the same unit on both sides",
      do: "compare profiles of the same event, or compare shares",
    }),
  );
}

/**
 * @param {import("./profile.js").Profile} profile
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
 * @param {import("./profile.js").Profile} profile
 * @param {string} label
 * @param {Partial<Record<Basis, number>>} factors
 * @param {import("./capture_rows.js").CaptureRows} rows
 * @returns {DiffSide}
 */
function side({ unit, total, samples, scale }, label, factors, { exposures }) {
  return {
    label: shownName(label),
    unit,
    total,
    samples,
    scale,
    factors,
    captures: exposures.length,
  };
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
 * @param {import("./match/union.js").Union} union
 * @returns {{ parent: number[], order: number[], position: Int32Array }} the nodes of the union in
 *   preorder, and where each stands there
 */
function inPreorder(union) {
  const order = union.preorder();
  const position = new Int32Array(order.length);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const parent = order.map((node) => (node === 0 ? -1 : position[union.parent[node]]));
  return { parent, order, position };
}

/**
 * @param {import("./match/alignment.js").Alignment} alignment
 * @param {Int32Array} position
 * @param {(image: import("./match/union.js").Image) => boolean} isMarked
 * @returns {number[]} by node: the sides of which an image that is marked stands there
 */
function marked({ base, after }, position, isMarked) {
  const marks = new Array(position.length).fill(0);
  for (const [images, bit] of /** @type {const} */ ([
    [base, IN_BASE],
    [after, IN_AFTER],
  ])) {
    for (const image of images) if (isMarked(image)) marks[position[image.at]] |= bit;
  }
  return marks;
}

/**
 * @param {import("./profile.js").Weights} self
 * @param {import("./match/union.js").Image[]} images
 * @param {Int32Array} position
 * @returns {number[] | bigint[]} summed at the union's nodes, in preorder
 */
function gather(self, images, position) {
  /** @type {Map<number, import("./match/union.js").Image[]>} */
  const several = new Map();
  for (const image of images) {
    if (image.part < 1) several.set(image.node, [...(several.get(image.node) ?? []), image]);
  }
  // `+=` is exact for either kind of weights, and never mixes them.
  const zero = /** @type {number} */ (self instanceof Float64Array ? 0 : 0n);
  const sums = new Array(position.length).fill(zero);
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
 * @param {number[]} parent
 * @param {number[]} present
 * @param {number[] | bigint[]} baseSelf
 * @param {number[] | bigint[]} afterSelf
 * @returns {Matched}
 */
function matched(parent, present, baseSelf, afterSelf) {
  const base = callTree(parent, Array.from(baseSelf, Number));
  const after = callTree(parent, Array.from(afterSelf, Number));
  /** @param {CallTree} tree @param {(node: number) => boolean} isMatched */
  const percent = ({ self, total }, isMatched) => {
    const weight = self.reduce((sum, own, node) => sum + (isMatched(node) ? own : 0), 0);
    return total[0] > 0 ? (100 * weight) / total[0] : 0;
  };
  /** @param {number} node */
  const isOfBoth = (node) => present[node] === IN_BASE + IN_AFTER;
  const ofBase = percent(base, (node) => isOfBoth(node) || after.total[node] > 0);
  const ofAfter = percent(after, (node) => isOfBoth(node) || base.total[node] > 0);
  return {
    percent: (ofBase + ofAfter) / 2,
    base_percent: ofBase,
    after_percent: ofAfter,
    base_percent_of_both: percent(base, isOfBoth),
    after_percent_of_both: percent(after, isOfBoth),
  };
}

/**
 * @param {number[] | bigint[]} weights
 * @returns {number[] | string[]}
 */
function stored(weights) {
  return typeof weights[0] === "bigint" ? weights.map(String) : /** @type {number[]} */ (weights);
}

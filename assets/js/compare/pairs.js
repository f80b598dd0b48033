// Which profiles of two cells are compared, and by what.

/**
 * @typedef {import("./choice.js").Cell} Cell
 * @typedef {import("./choice.js").Profile} Profile
 *
 * @typedef {object} Pair
 * @property {Profile} base
 * @property {Profile} after
 * @property {string} event that was asked for and that both have; empty for the first
 * @property {boolean} isCommon whether both have one event and unit
 * @property {boolean} isOneVariant
 */

/**
 * Return the events that both sides were sampled by, as `Figures.common_profile` orders them: that
 * of the report's tables first, then CPU time.
 *
 * @param {Cell} base
 * @param {Cell} after
 * @returns {Pair[]}
 */
export function commonPairs(
  { profiles: ofBase = [], variant },
  { profiles: ofAfter = [], variant: variantAfter },
) {
  const isOneVariant = variant === variantAfter;
  const pairs = ofAfter.flatMap((after) => {
    const base = ofBase.find(({ event, unit }) => event === after.event && unit === after.unit);
    return base ? [{ base, after, event: after.event, isCommon: true, isOneVariant }] : [];
  });
  return [...pairs.filter(({ after }) => after.main), ...pairs.filter(({ after }) => !after.main)];
}

/**
 * Return the profiles to compare: of the event that was asked for, else of the first that both have, else
 * the first of each.
 *
 * @param {Cell} base
 * @param {Cell} after
 * @param {string} event
 * @returns {Pair | null} null where a side has none
 */
export function pairOf(base, after, event) {
  const [first, ...others] = commonPairs(base, after);
  const asked = [first, ...others].find((pair) => pair?.event === event);
  if (asked ?? first) return asked ?? first;
  const [ofBase, ofAfter] = [base.profiles?.[0], after.profiles?.[0]];
  if (!ofBase || !ofAfter) return null;
  const isOneVariant = base.variant === after.variant;
  return { base: ofBase, after: ofAfter, event: "", isCommon: false, isOneVariant };
}

/**
 * Return whether costs of both sides are counted in one unit. By an author's rates they are percent of
 * an operation of the base, on the same variant.
 *
 * @param {Pair} pair
 */
export function hasCommonCost({ base, after, isOneVariant }) {
  return base.cost_of === after.cost_of && (!after.cost_of || isOneVariant);
}

/**
 * Return the address of the page that a pair has of its own, if it has one. A release may be called as
 * what every object has: `constructor`.
 *
 * @param {Cell} base
 * @param {Cell} after
 * @returns {string | undefined}
 */
export function builtPage(base, after) {
  const { diffs = {} } = after;
  const isOneVariant = base.variant === after.variant;
  return isOneVariant && Object.hasOwn(diffs, base.release) ? diffs[base.release] : undefined;
}

/**
 * Return by what a pair can be compared besides shares: 1 ÷ the operations, or the seconds, that a
 * side's weight represents.
 *
 * @param {Pair} pair
 * @returns {Partial<Record<import("@perfpress/profile/diff/diff.js").Basis, import("@perfpress/profile/diff/diff.js").Factors>>}
 */
export function basesOf(pair) {
  const { base, after, isCommon } = pair;
  if (!isCommon) return {};
  /** @type {ReturnType<typeof basesOf>} */
  const bases = {};
  for (const [basis, key] of /** @type {const} */ ([
    [after.cost_of ? "relative_cost" : "cost_per_operation", "operations"],
    ["weight_per_second", "seconds"],
  ])) {
    const [was, is] = [base[key], after[key]];
    const isKnown = key !== "operations" || hasCommonCost(pair);
    if (was && is && isKnown) bases[basis] = { base: 1 / was, after: 1 / is };
  }
  return bases;
}

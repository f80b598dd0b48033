// Which profiles of two cells are compared, and by what.

/**
 * @typedef {import("./choice.js").Cell} Cell
 * @typedef {import("./choice.js").Profile} Profile
 *
 * @typedef {object} Pair
 * @property {Profile} base
 * @property {Profile} after
 * @property {string} event that was asked for and that both have; empty for the first
 * @property {boolean} isCommon whether both are of one event and unit
 */

/**
 * Return the events that both sides were sampled by, as `Figures.common_profile` orders them: that
 * of the report's tables first, then CPU time.
 *
 * @param {Cell} base
 * @param {Cell} after
 * @returns {Pair[]}
 */
export function commonPairs({ profiles: ofBase = [] }, { profiles: ofAfter = [] }) {
  const pairs = ofAfter.flatMap((after) => {
    const base = ofBase.find(({ event, unit }) => event === after.event && unit === after.unit);
    return base ? [{ base, after, event: after.event, isCommon: true }] : [];
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
  return ofBase && ofAfter ? { base: ofBase, after: ofAfter, event: "", isCommon: false } : null;
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
 * side's weight stands for.
 *
 * @param {Pair} pair
 * @returns {Partial<Record<import("../flamegraph/diff.js").Basis, import("../flamegraph/diff.js").Factors>>}
 */
export function basesOf({ base, after, isCommon }) {
  if (!isCommon) return {};
  /** @type {ReturnType<typeof basesOf>} */
  const bases = {};
  for (const [basis, key] of /** @type {const} */ ([
    ["cost_per_operation", "operations"],
    ["weight_per_second", "seconds"],
  ])) {
    const [was, is] = [base[key], after[key]];
    if (was && is) bases[basis] = { base: 1 / was, after: 1 / is };
  }
  return bases;
}

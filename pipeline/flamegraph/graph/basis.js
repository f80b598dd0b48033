/** What a diff compares: the bases, and how values and changes of each are written. */

import { formatChange, formatShare, formatWeight, grouped } from "../../profile/model/numbers.js";

/**
 * @typedef {object} BasisWords
 * @property {string} name
 * @property {(value: number) => string} value
 * @property {(size: number) => string} size of a change, without its sign
 * @property {(was: number, is: number) => string} change
 * @property {(was: number, is: number) => string} shortChange
 */

/** The columns of a diff with its noise. */
export const NOISE_COLUMNS = /** @type {const} */ ([
  "noise_share",
  "noise_cost_per_operation",
  "noise_relative_cost",
  "noise_weight_per_second",
  "self_noise_share",
  "self_noise_cost_per_operation",
  "self_noise_relative_cost",
  "self_noise_weight_per_second",
]);

/**
 * @param {import("../../profile/diff/diff.js").ShownBasis} basis
 * @param {Pick<import("../../profile/diff/diff.js").Diff, "unit" | "cost_of">} diff
 * @returns {BasisWords}
 */
export function basisWords(basis, { unit, cost_of }) {
  if (basis === "cost_per_operation") {
    return { name: "cost per operation", ...costWords(`${unit} per operation`) };
  }
  if (basis === "weight_per_second") {
    return { name: "weight per second", ...costWords(`${unit} per second`) };
  }
  if (basis === "relative_cost") {
    const of = ` of ${cost_of}, by the author’s rates`;
    return { name: "cost by the author’s rates", ...percentWords(1, of) };
  }
  return {
    name: basis === "share" ? "share" : "share of the zoomed frame",
    ...percentWords(100, ""),
  };
}

/**
 * @param {number} percent what one is
 * @param {string} of what, after a change
 * @returns {Omit<BasisWords, "name">}
 */
function percentWords(percent, of) {
  /** @param {number} size */
  const size = (size) => grouped(size * percent, 2);
  /** @param {number} was @param {number} is */
  const points = (was, is) => formatChange(is - was, size);
  return {
    value: (value) => formatShare((value * percent) / 100),
    size: (change) => `${size(change)} points`,
    change: (was, is) => `${points(was, is)} points${of}`,
    shortChange: points,
  };
}

/**
 * @param {string} unit
 * @returns {Omit<BasisWords, "name">}
 */
function costWords(unit) {
  /** @param {number} value */
  const value = (value) => formatWeight(value, unit);
  return {
    value,
    size: value,
    change: (was, is) =>
      was === is ? "±0" : `${formatChange(is - was, value)} (${relative(was, is)})`,
    shortChange: relative,
  };
}

/**
 * @param {number} was
 * @param {number} is
 */
function relative(was, is) {
  return was > 0 ? formatChange(is / was - 1, (size) => `${grouped(size * 100, 1)} %`) : "new";
}

/**
 * Say how much more or less an operation costs overall, where that is known: shares cannot show it.
 *
 * @param {Pick<import("../../profile/diff/diff.js").Diff, "base" | "after">} diff
 * @returns {string} empty where it is not known
 */
export function overallWords({ base, after }) {
  for (const [basis, source] of /** @type {const} */ ([
    ["cost_per_operation", ""],
    ["relative_cost", " by the author’s rates"],
  ])) {
    const [was, is] = [base, after].map(
      ({ total, factors }) => Number(total) * (factors[basis] ?? 0),
    );
    // A number and its sign stay in one line.
    if (was > 0 && is > 0) return `${relative(was, is).replace(" ", "\u00a0")} overall${source}`;
  }
  return "";
}

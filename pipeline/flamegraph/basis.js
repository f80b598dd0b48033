/** What a diff compares: the bases, and how values and changes of each are said. */

import { formatChange, formatShare, formatWeight, grouped } from "./numbers.js";

/**
 * @typedef {import("./diff.js").Basis | "share_of_frame"} ShownBasis that of a file, or the share of the
 *   frame that the reader has zoomed to
 *
 * @typedef {object} BasisWords
 * @property {string} name
 * @property {(value: number) => string} value
 * @property {(size: number) => string} size of a change, without its sign
 * @property {(was: number, is: number) => string} change
 * @property {(was: number, is: number) => string} shortChange
 */

/** The columns of a diff that tell its noise. */
export const NOISE_COLUMNS = /** @type {const} */ ([
  "noise_share",
  "noise_cost_per_operation",
  "noise_weight_per_second",
  "self_noise_share",
  "self_noise_cost_per_operation",
  "self_noise_weight_per_second",
]);

/**
 * @param {ShownBasis} basis
 * @param {string} unit
 * @returns {BasisWords}
 */
export function basisWords(basis, unit) {
  if (basis === "share" || basis === "share_of_frame") {
    /** @param {number} size */
    const size = (size) => grouped(size * 100, 2);
    /** @param {number} was @param {number} is */
    const points = (was, is) => formatChange(is - was, size);
    return {
      name: basis === "share" ? "share" : "share of the zoomed frame",
      value: formatShare,
      size: (change) => `${size(change)} points`,
      change: (was, is) => `${points(was, is)} points`,
      shortChange: points,
    };
  }
  const per = basis === "cost_per_operation" ? "operation" : "second";
  /** @param {number} value */
  const value = (value) => formatWeight(value, `${unit} per ${per}`);
  return {
    name: basis === "cost_per_operation" ? "cost per operation" : "weight per second",
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
 * Say how much more or less an operation costs overall, where that is known: no share tells it.
 *
 * @param {Pick<import("./diff.js").Diff, "base" | "after">} diff
 * @returns {string} empty where it is not known
 */
export function overallWords({ base, after }) {
  const [was, is] = [base, after].map(
    ({ total, factors }) => Number(total) * (factors.cost_per_operation ?? 0),
  );
  // A number and its sign stand in one line.
  return was > 0 && is > 0 ? `${relative(was, is).replace(" ", "\u00a0")} overall` : "";
}

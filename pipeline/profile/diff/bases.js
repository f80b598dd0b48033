/**
 * By what two profiles are compared.
 *
 * @typedef {"share" | "cost_per_operation" | "relative_cost" | "weight_per_second"} Basis
 *   `relative_cost`: share ÷ relative rate, in percent of an operation of the release whose rate is 1
 */

/**
 * Return what all of a side is, however much it weighs: then its parts alone can vary.
 *
 * @param {Basis} basis
 * @param {number} whole value of all of a side
 * @returns {number} infinite where the whole varies as its parts do
 */
export function fixedWhole(basis, whole) {
  if (basis === "share") return 1;
  return basis === "relative_cost" ? whole : Number.POSITIVE_INFINITY;
}

/**
 * Return how columns of relative costs are written.
 *
 * @param {string | undefined} costOf
 */
export function relativeColumn(costOf) {
  return { factor: 1, unit: `% of ${costOf}, author’s rates`, decimals: 2 };
}

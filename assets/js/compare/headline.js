// What is known of both sides besides their profiles: a comparison opens with that.

import { grouped } from "../flamegraph/numbers.js";

/**
 * @typedef {import("./choice.js").Cell} Cell
 * @typedef {import("./choice.js").Data} Data
 * @typedef {import("./pairs.js").Pair} Pair
 *
 * @typedef {{ label: string, value: string, note: string }} Fact
 */

const NO_VALUE = "–";
const NO_COMMON_EVENT = "the two have no profiles of the same event and unit";

/**
 * Return what is known of both sides, as built pages open with it (pipeline/site_data/diff_headline.py).
 *
 * @param {Data} data
 * @param {{ base: Cell, after: Cell, baseLabel: string, afterLabel: string }} sides
 * @param {Pair | null} pair
 * @returns {Fact[]}
 */
export function headlineOf(data, { base, after, baseLabel, afterLabel }, pair) {
  const step = data.steps.find(({ id }) => id === after.step);
  return data.metrics.flatMap(({ key, label, unit }) => {
    const [was, is] = [base.metrics?.[key], after.metrics?.[key]];
    const fact = compared(label, was, is, unit || (step?.rate_unit ?? ""));
    const missing = [
      ...(was === undefined && base.missing ? [`${baseLabel}: ${base.missing}`] : []),
      ...(is === undefined && after.missing ? [`${afterLabel}: ${after.missing}`] : []),
    ].join("; ");
    if (key !== "throughput") return was === undefined && is === undefined ? [] : [fact];
    const cost = costs(pair, baseLabel, afterLabel, step?.operation ?? "operation");
    return [missing ? { ...fact, note: missing } : fact, cost];
  });
}

/**
 * @param {Pair | null} pair
 * @param {string} baseLabel
 * @param {string} afterLabel
 * @param {string} operation
 * @returns {Fact}
 */
function costs(pair, baseLabel, afterLabel, operation) {
  const label = "Cost per operation";
  if (!pair?.isCommon) return { label, value: NO_VALUE, note: NO_COMMON_EVENT };
  const { base, after } = pair;
  const larger = (base.cost?.value ?? 0) > (after.cost?.value ?? 0) ? base.cost : after.cost;
  const { factor, unit } = larger ?? base.cost ?? { factor: 1, unit: after.unit };
  const [was, is] = [base, after].map(({ cost }) => cost && cost.value * factor);
  const fact = compared(label, was, is, `${unit}/${operation}`);
  const reasons = [
    ...(base.cost ? [] : [`${baseLabel}: ${base.work}`]),
    ...(after.cost ? [] : [`${afterLabel}: ${after.work}`]),
  ];
  return reasons.length > 0 ? { ...fact, note: reasons.join("; ") } : fact;
}

/**
 * @param {string} label
 * @param {number | undefined} was
 * @param {number | undefined} is
 * @param {string} unit
 * @returns {Fact}
 */
function compared(label, was, is, unit) {
  if (was === undefined && is === undefined) return { label, value: "not known", note: "" };
  const [before, now] = [was, is].map((value) => (value === undefined ? NO_VALUE : number(value)));
  const note = was && is !== undefined ? percentChange(is / was) : "no change known";
  return { label, value: `${before} → ${now} ${unit}`, note };
}

/**
 * Say a number that stands alone with four significant digits at least, as pipeline/display.py does.
 *
 * @param {number} value
 */
function number(value) {
  const digits = value === 0 ? 0 : 3 - Math.floor(Math.log10(Math.abs(value)));
  return grouped(value, Math.min(9, Math.max(0, digits)));
}

/** @param {number} ratio */
function percentChange(ratio) {
  const text = grouped((ratio - 1) * 100, 1);
  const sign = /[1-9]/.test(text) && ratio > 1 ? "+" : "";
  return `${sign}${text}\u00a0%`;
}

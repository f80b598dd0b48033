/**
 * Numbers as readers see them, in the renderer and in the viewer. The minus sign is U+2212, groups
 * of digits are separated by commas; nothing depends on the reader's language, so that the same
 * profile gives the same bytes. Numbers without a unit read as those that Python writes into pages
 * (pipeline/perfpress/base/display.py): tests/vectors/numbers.json holds for both.
 */

import { decimalsOf, wholeUnit } from "./units.js";

/** In place of a number that is not there. */
export const NO_VALUE = "–";

/** @type {Record<string, { name: string, seconds: number }>} */
const TIMES = {
  "CPU ns": { name: "CPU ", seconds: 1e-9 },
  ns: { name: "", seconds: 1e-9 },
  ps: { name: "", seconds: 1e-12 },
};

const SCALES = /** @type {const} */ ([
  [1e13, 1e12, "T "],
  [1e10, 1e9, "G "],
  [1e6, 1e6, "M "],
]);

const SECONDS = /** @type {const} */ ([
  [1, 1, "s"],
  [1e-3, 1e-3, "ms"],
  [1e-6, 1e-6, "µs"],
]);

/**
 * Write a number with commas; `1234567.8` with one decimal: `1,234,567.8`.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function grouped(value, decimals) {
  if (!Number.isFinite(value)) return NO_VALUE;
  const plain = plainDigits(Math.abs(value), decimals);
  if (value >= 0 && value < 999) return plain;
  const [whole, fraction] = plain.split(".");
  const digits = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  const sign = value < 0 && /[1-9]/.test(`${whole}${fraction ?? ""}`) ? "−" : "";
  return `${sign}${digits}${fraction ? `.${fraction}` : ""}`;
}

/**
 * @param {number} size from 0
 * @param {number} decimals
 */
function plainDigits(size, decimals) {
  // From here on toFixed() writes an exponent.
  if (size < 1e21) return size.toFixed(decimals);
  return `${BigInt(size)}${decimals > 0 ? `.${"0".repeat(decimals)}` : ""}`;
}

/**
 * Return how many decimals show the largest of a column with so many significant digits: none for
 * 31204.3 beside 987.6, four for 0.1953 beside 0.04.
 *
 * @param {number[]} values
 * @param {number} [digits]
 */
export function decimalsFor(values, digits = 4) {
  const largest = Math.max(0, ...values.filter(Number.isFinite).map(Math.abs));
  if (largest === 0) return 0;
  return Math.min(9, Math.max(0, digits - 1 - Math.floor(Math.log10(largest))));
}

/**
 * Write a single number, with so many significant digits at least.
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function number(value, digits = 4) {
  return grouped(value, decimalsFor([value], digits));
}

/**
 * Write a change with its sign: `+4.31`, `−0.20`, `0.00`.
 *
 * @param {number} value
 * @param {number} decimals
 */
export function signed(value, decimals) {
  const text = grouped(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/**
 * Write the change that a ratio stands for: 1.043 is `+4.3 %`, not broken at the space.
 *
 * @param {number} ratio
 */
export function percentChange(ratio) {
  const change = (ratio - 1) * 100;
  return `${signed(change, change < 1000 ? 1 : 0)}\u00a0%`;
}

/**
 * Write three or more significant digits: `1,234`, `56.8`, `0.00123`.
 *
 * @param {number} value
 */
function significant(value) {
  if (Number.isInteger(value)) return grouped(value, 0);
  const decimals = 2 - Math.floor(Math.log10(Math.abs(value)));
  return grouped(value, Math.min(Math.max(decimals, 0), 12));
}

/**
 * Write a weight with its unit: `1,234.5 M cycles`, `812.00 CPU ms`, `42 samples`. What is
 * after the unit's first words is kept: `CPU ns per operation` gives `1.25 CPU ms per operation`;
 * a fraction before them is counted in: 250 of `0.01 samples` are `2.50 samples`.
 *
 * @param {number} value in `unit`
 * @param {string} unit
 */
export function formatWeight(value, unit) {
  const decimals = decimalsOf(unit);
  if (decimals > 0) return formatWeight(value / 10 ** decimals, wholeUnit(unit));
  for (const name in TIMES) {
    if (unit.startsWith(name) && (unit === name || unit.startsWith(`${name} per `))) {
      const time = TIMES[name];
      const seconds = Math.abs(value) * time.seconds;
      const [, divisor, suffix] = SECONDS.find(([from]) => seconds >= from) ?? [0, 1e-9, "ns"];
      const decimals = seconds >= 1000 || seconds === 0 ? 0 : 2;
      const text = grouped((value * time.seconds) / divisor, decimals);
      return `${text} ${time.name}${suffix}${unit.slice(name.length)}`;
    }
  }
  const size = Math.abs(value);
  const scale = SCALES.find(([from]) => size >= from);
  if (!scale) return `${significant(value)} ${unit}`;
  return `${grouped(value / scale[1], 1)} ${scale[2]}${unit}`;
}

/**
 * Say in which unit a column of weights is written, and how exactly: with as many digits of the
 * largest as shares have, of which all is `100.00`, or, where it has more, to the whole unit.
 *
 * @param {number} largest in `unit`
 * @param {string} unit
 * @returns {{ factor: number, unit: string, decimals: number }} `factor`: what to multiply weights by
 */
export function columnUnit(largest, unit) {
  const decimalsOfUnit = decimalsOf(unit);
  if (decimalsOfUnit > 0) {
    const whole = columnUnit(largest / 10 ** decimalsOfUnit, wholeUnit(unit));
    return { ...whole, factor: whole.factor / 10 ** decimalsOfUnit };
  }
  const { factor, name } = unitOfColumn(largest, unit);
  const size = largest * factor;
  const decimals = size > 0 ? Math.min(Math.max(4 - Math.floor(Math.log10(size)), 0), 12) : 0;
  return { factor, unit: name, decimals };
}

/**
 * @param {number} largest
 * @param {string} unit
 */
function unitOfColumn(largest, unit) {
  for (const [name, time] of Object.entries(TIMES)) {
    if (unit === name || unit.startsWith(`${name} per `)) {
      const seconds = largest * time.seconds;
      const [, divisor, suffix] = SECONDS.find(([from]) => seconds >= from) ?? [0, 1e-9, "ns"];
      return {
        factor: time.seconds / divisor,
        name: `${time.name}${suffix}${unit.slice(name.length)}`,
      };
    }
  }
  const scale = SCALES.find(([from]) => largest >= from);
  return scale ? { factor: 1 / scale[1], name: `${scale[2]}${unit}` } : { factor: 1, name: unit };
}

/**
 * Write a share of one as a percentage: `12.34 %`. What is there but rounds to nothing is
 * `<0.01 %`.
 *
 * @param {number} share
 */
export function formatShare(share) {
  if (share === 0) return "0 %";
  if (share === 1) return "100 %";
  if (share > 0 && share < 0.00005) return "<0.01 %";
  return `${grouped(share * 100, 2)} %`;
}

/**
 * Write a change with its sign, always: `+1.20`, `−0.35`, `±0`.
 *
 * @param {number} change
 * @param {(size: number) => string} format of the size without its sign
 */
export function formatChange(change, format) {
  if (change === 0) return "±0";
  return `${change > 0 ? "+" : "−"}${format(Math.abs(change))}`;
}

// The sentences and headline facts of the compare page: throughput, cost and p95 of both releases.

import { NO_VALUE, number, percentChange } from "@perfpress/profile/model/numbers.js";
import { hasCommonCost } from "./pairs.js";

/**
 * @typedef {import("./choice.js").Cell} Cell
 * @typedef {import("./choice.js").Data} Data
 * @typedef {import("./pairs.js").Pair} Pair
 *
 * @typedef {object} Sides the two cells, by their names for readers
 * @property {Cell} base
 * @property {Cell} after
 * @property {string} baseLabel
 * @property {string} afterLabel
 *
 * @typedef {{ kind: "correction" | "problem" | "warning", text: string }} Notice
 */

/**
 * Name both sides: by their releases, and by their variants where these differ.
 *
 * @param {Data} data
 * @param {Cell} base
 * @param {Cell} after
 * @returns {Sides}
 */
export function sidesOf(data, base, after) {
  /** @param {Cell} cell */
  const label = ({ release, variant }) => {
    const name = data.releases.find(({ id }) => id === release)?.label ?? release;
    if (base.variant === after.variant) return name;
    return `${name} on ${data.variants.find(({ id }) => id === variant)?.label ?? variant}`;
  };
  return { base, after, baseLabel: label(base), afterLabel: label(after) };
}

/**
 * Return whether the difference is more than noise, as the pages of the release say it. Of a pair
 * that they do not judge, such as with a release that stands in for a base without a profile, this
 * is what they say of the second release.
 *
 * @param {Data} data
 * @param {Sides} sides
 * @returns {string} empty of a step with profiles alone, where nothing has a verdict
 */
export function verdictOf(data, { base, after, baseLabel }) {
  const found = base.variant === after.variant ? after.verdicts?.[base.release] : undefined;
  if (found) return `Verdict against ${baseLabel}: ${found}.`;
  if (data.cells.every((cell) => !cell.verdicts)) return "";
  const label = (/** @type {string} */ release) =>
    data.releases.find(({ id }) => id === release)?.label ?? release;
  const others = Object.entries(after.verdicts ?? {}).map(
    ([release, words]) => `against ${label(release)}: ${words}`,
  );
  if (others.length > 0) {
    return `No verdict for this pair. ${label(after.release)} ${others.join("; ")}.`;
  }
  return "No verdict for this pair: releases are judged against the base and against the one before.";
}

/**
 * @param {Data} data
 * @returns {boolean} whether any release has a profile of the step: to miss it elsewhere says something
 */
export const hasProfiles = ({ cells }) => cells.some(({ profiles }) => profiles);

/**
 * @param {Data} data
 * @param {Sides} sides
 * @param {Pair | null} pair
 * @param {string[]} events that both have
 * @returns {Notice[]}
 */
export function noticesOf(data, { base, after, baseLabel, afterLabel }, pair, events) {
  /** @type {Notice[]} */
  const notices = [];
  /** @param {string} text */
  const warn = (text) => notices.push({ kind: "warning", text });
  for (const [cell, label] of /** @type {const} */ ([
    [base, baseLabel],
    [after, afterLabel],
  ])) {
    for (const text of cell.notices ?? []) {
      notices.push({ kind: "correction", text: `${label}: ${text}` });
    }
  }
  if (base.variant !== after.variant) {
    warn("The two were measured on different variants: a difference can come from either.");
  }
  const without = [
    ...(base.profiles ? [] : [baseLabel]),
    ...(after.profiles ? [] : [afterLabel]),
  ].join(" and of ");
  if (without && hasProfiles(data))
    warn(`There is no profile of ${without}, so there are only these numbers to compare.`);
  if (!pair) return notices;
  if (!pair.isCommon) {
    const of = (/** @type {import("./choice.js").Profile} */ { event, unit }) =>
      `${event} (${unit})`;
    warn(
      `${baseLabel} was sampled by ${of(pair.base)}, ${afterLabel} by ${of(pair.after)}. They have no event and unit in common, so only shares can be compared, and a share of the one is not a share of the other.`,
    );
  } else if (events.length > 1) {
    const others = events.filter((event) => event !== pair.event).join(" and ");
    warn(`This is of ${pair.event}. Both were captured with ${others}, too: choose it above.`);
  }
  const [was, is] = [pair.base.scope, pair.after.scope];
  if (pair.isCommon && was && is && was !== is) {
    warn(`What was sampled differs. ${baseLabel}: ${was}. ${afterLabel}: ${is}.`);
  }
  for (const text of pair.base.warnings ?? []) warn(`${baseLabel}: ${text}`);
  for (const text of pair.after.warnings ?? []) warn(`${afterLabel}: ${text}`);
  return notices;
}

/**
 * @typedef {{ label: string, value: string, note: string }} Fact
 */

/**
 * Return what is known of both sides, as built pages open with it. The words are theirs:
 * pipeline/perfpress/site/words/diff_headline.py.
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
    const fact = compared(data.words, label, was, is, unit || (step?.rate_unit ?? ""));
    const missing = [
      ...(was === undefined && base.missing ? [`${baseLabel}: ${base.missing}`] : []),
      ...(is === undefined && after.missing ? [`${afterLabel}: ${after.missing}`] : []),
    ].join("; ");
    if (key !== "throughput") return was === undefined && is === undefined ? [] : [fact];
    const cost = costs(data.words, pair, baseLabel, afterLabel);
    // Of a step with profiles alone no release has a rate: to miss it here would say nothing.
    if (data.cells.every((cell) => cell.metrics?.throughput === undefined)) {
      return cost.value === data.words.not_known ? [] : [cost];
    }
    return [missing ? { ...fact, note: missing } : fact, ...(hasProfiles(data) ? [cost] : [])];
  });
}

/**
 * @param {string} template as Python has it: `{step}: {after} against {base}`
 * @param {Record<string, string>} values
 */
export function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/**
 * @param {Data["words"]} words
 * @param {Pair | null} pair
 * @param {string} baseLabel
 * @param {string} afterLabel
 * @returns {Fact}
 */
function costs(words, pair, baseLabel, afterLabel) {
  const label = words.cost;
  if (!pair?.isCommon) return { label, value: NO_VALUE, note: words.no_common_event };
  if (!hasCommonCost(pair)) return { label, value: NO_VALUE, note: words.no_common_cost };
  const { base, after } = pair;
  const larger = (base.cost?.value ?? 0) > (after.cost?.value ?? 0) ? base.cost : after.cost;
  const { factor, unit } = larger ?? base.cost ?? { factor: 1, unit: "" };
  const [was, is] = [base, after].map(({ cost }) => cost && cost.value * factor);
  const fact = compared(words, label, was, is, unit);
  if (!base.cost && !after.cost && base.work === after.work) return { ...fact, note: base.work };
  const reasons = [
    ...(base.cost ? [] : [`${baseLabel}: ${base.work}`]),
    ...(after.cost ? [] : [`${afterLabel}: ${after.work}`]),
  ];
  return reasons.length > 0 ? { ...fact, note: reasons.join("; ") } : fact;
}

/**
 * @param {Data["words"]} words
 * @param {string} label
 * @param {number | undefined} was
 * @param {number | undefined} is
 * @param {string} unit
 * @returns {Fact}
 */
export function compared(words, label, was, is, unit) {
  if (was === undefined && is === undefined) return { label, value: words.not_known, note: "" };
  const [before, now] = [was, is].map((value) => (value === undefined ? NO_VALUE : number(value)));
  const note = was && is !== undefined ? percentChange(is / was) : words.no_change_known;
  return { label, value: `${before} → ${now} ${unit}`, note };
}

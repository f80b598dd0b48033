/** How a diff says what it took for the same: in its tooltips, above its drawing and on its page. */

import { overallWords } from "./basis.js";
import { shownName } from "./labels.js";
import { grouped } from "./numbers.js";

/** Of names that stand in one sentence. */
const MOST_NAMES = 3;

/** @type {Record<import("./diff_names.js").How, string>} */
const REASONS = {
  name: "names differ in what compilers and CPUs add",
  alias: "an alias of the report",
  scope: "same function and class, other namespace or template arguments",
  renamed: "likely renamed: like name, callees, weight and place",
};

/**
 * @typedef {object} Told what a page says of a diff
 * @property {number} matched_percent of the weight, mean of both sides
 * @property {number} base_matched_percent
 * @property {number} after_matched_percent
 * @property {(import("./diff_names.js").Joined & { why: string })[]} joined `why` in words
 * @property {string[]} threads a sentence where all threads are taken together
 * @property {string[]} legend which colour is which, in words
 * @property {string} about what width and colour are
 * @property {string} noise what is taken for noise, or that nobody can tell
 */

/**
 * @param {import("./diff.js").Diff} diff
 * @param {import("./diff_graph.js").DiffGraph} graph of it
 * @returns {Told}
 */
export function toldOf(diff, graph) {
  return {
    matched_percent: diff.matched.percent,
    base_matched_percent: diff.matched.base_percent,
    after_matched_percent: diff.matched.after_percent,
    joined: diff.joined.map((joined) => ({ ...joined, why: REASONS[joined.how] })),
    threads: threadWords(diff.threads, diff.base, diff.after),
    legend: graph.legend.map(({ text }) => text),
    about: graph.about,
    noise: noiseWords(diff),
  };
}

/**
 * @param {import("./diff_names.js").Joined} joined
 * @param {{ label: string }} base
 * @param {{ label: string }} after
 */
export function joinedWords(joined, base, after) {
  const sides = [
    [joined.base, base.label],
    [joined.after, after.label],
  ].flatMap(([names, label]) =>
    names.length > 0 ? [`${listed(/** @type {string[]} */ (names))} in ${label}`] : [],
  );
  return `joined: ${sides.join(", ")} (${REASONS[joined.how]})`;
}

/**
 * @param {import("./diff.js").Matched} matched
 */
export function matchedWords({ percent, base_percent_of_both, after_percent_of_both }) {
  const ofBoth = (base_percent_of_both + after_percent_of_both) / 2;
  return `Matched: ${grouped(percent, 1)} % of the weight, ${grouped(ofBoth, 1)} % on frames that both have; the rest is new or gone.`;
}

/**
 * @param {import("./diff.js").NoiseColumns} diff
 */
export function hasNoise(diff) {
  return diff.noise_share !== undefined;
}

/**
 * Say what is taken for noise, or that it cannot be told.
 *
 * @param {Pick<import("./diff.js").Diff, "base" | "after"> & import("./diff.js").NoiseColumns} diff
 */
export function noiseWords(diff) {
  const { base, after } = diff;
  if (hasNoise(diff)) {
    const counts = `${base.captures} captures of ${base.label} and ${after.captures} of ${after.label}`;
    return `Grey: a change no larger than the noise, told by how ${counts} differ. Other runs and builds may differ more.`;
  }
  return "The noise cannot be told: it takes two captures or more of each side.";
}

/**
 * Say what width and colour are; and of shares, that a larger one is not a higher cost.
 *
 * @param {Pick<import("./diff.js").Diff, "base" | "after">} diff
 * @param {import("./basis.js").BasisWords} basis
 * @param {{ bySelf: boolean, scale: number, isShare: boolean }} shown
 */
export function aboutWords(diff, { name, size }, { bySelf, scale, isShare }) {
  const what = bySelf ? "alone" : "with everything it called";
  const about = `Width: ${name} in ${diff.after.label}. Colour: change of the frame ${what}, strongest from ${size(scale)} on.`;
  if (!isShare) return about;
  const overall = overallWords(diff);
  return overall
    ? `${about} A larger share is not slower: the cost per operation is ${overall}.`
    : `${about} A larger share is not slower: shares add up to 100 % on either side.`;
}

/**
 * @param {import("./match/alignment.js").Threads} threads
 * @param {{ label: string }} base
 * @param {{ label: string }} after
 * @returns {string[]} a sentence where threads are taken together, else none
 */
export function threadWords(threads, base, after) {
  if (!threads.together) return [];
  const names = `${listed(threads.base)} in ${base.label}, ${listed(threads.after)} in ${after.label}`;
  return [`All threads are taken together, as their names do not correspond: ${names}.`];
}

/** @param {string[]} names */
function listed(names) {
  const shown = names.slice(0, MOST_NAMES).map(shownName).join(", ");
  return names.length > MOST_NAMES ? `${shown} and others` : shown;
}

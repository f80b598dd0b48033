/**
 * The words of a diff about what was matched: in tooltips, above drawings, on its page, and on the
 * page on which readers compare any two releases.
 */

import { FEWEST_CAPTURES } from "../../profile/diff/overdispersion.js";
import { grouped } from "../../profile/model/numbers.js";
import { nameInSentence, shownName } from "../../profile/model/shown_names.js";
import { overallWords } from "./basis.js";

/** Percent of the weight; if less is matched, the table of functions says more than the graph. */
const MATCHED_ENOUGH = 50;
/** Percent of a side; fewer cut stacks need no sentence. */
const LEAST_CUT = 0.5;
/** Most names listed in one sentence. */
const MOST_NAMES = 3;

/** @type {Record<import("../../profile/diff/names.js").How, string>} */
const REASONS = {
  name: "names differ in what compilers and CPUs add",
  alias: "an alias of the report",
  scope: "same function and class, other namespace or template arguments",
  renamed: "likely renamed: like name, callees, weight and place",
};

/**
 * @typedef {Omit<import("../../messages.js").DiffAnswer, "frames" | "functions" | "gone" | "changes">} DiffSummary
 *   what a page says of a diff
 */

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {import("./diff_graph.js").DiffGraph} graph of it
 * @returns {DiffSummary}
 */
export function summaryOf(diff, graph) {
  return {
    matched_percent: diff.matched.percent,
    matched: matchedSentence(diff),
    functions_first: diff.matched.percent < MATCHED_ENOUGH,
    joined: diff.joined.map((joined) => ({ ...joined, why: REASONS[joined.how] })),
    threads: [...threadWords(diff.threads, diff.base, diff.after), ...cutWords(diff)],
    legend: graph.legend.map(({ text }) => text),
    about: graph.about,
    noise: noiseWords(diff),
  };
}

/**
 * @param {import("../../profile/diff/names.js").Joined} joined
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
  return `matched: ${sides.join(", ")} (${REASONS[joined.how]})`;
}

/** @param {Pick<import("../../profile/diff/diff.js").Diff, "matched" | "base" | "after">} diff */
function matchedSentence({ matched, base, after }) {
  const percent = (/** @type {number} */ value) => `${grouped(value, 1)}\u00a0%`;
  const [ofBase, ofAfter] = [
    `${percent(matched.base_percent)} of ${nameInSentence(base.label)}`,
    `${percent(matched.after_percent)} of ${nameInSentence(after.label)}`,
  ];
  return `${percent(matched.percent)} of the weight could be matched between the two call trees (${ofBase}, ${ofAfter})`;
}

/**
 * @param {import("../../profile/diff/diff.js").Matched} matched
 */
export function matchedWords({ percent }) {
  return `Matched: ${grouped(percent, 1)} % of the weight is on frames that both have; the rest is on frames of one.`;
}

/**
 * Say how large the noise is, and what it is estimated from.
 *
 * @param {Pick<import("../../profile/diff/diff.js").Diff, "base" | "after" | "basis" | "noise">} diff
 */
export function noiseWords({ base, after, basis, noise }) {
  const { factor, from } = /** @type {import("../../profile/diff/common_noise.js").CommonNoise} */ (
    noise[basis]
  );
  const counts = [base, after]
    .filter(({ captures }) => captures >= FEWEST_CAPTURES)
    .map(({ captures, label }) => `${captures} captures of ${label}`);
  const source = {
    captures: `estimated from how ${counts.join(" and ")} differ`,
    sides: "estimated from how most functions of the two differ",
    limit: "the most that is assumed, as most functions of the two differ by more",
    report: "assumed, as other captures of the report differ",
    archives: "assumed, as captures of other archives differ",
  }[from];
  return `Grey: a change no larger than the noise: ${grouped(factor, 1)} times the variance of counts of samples, ${source}. Other runs and builds may differ more.`;
}

/**
 * Say what width and colour are; and of shares, that a larger one is not a higher cost.
 *
 * @param {Pick<import("../../profile/diff/diff.js").Diff, "base" | "after">} diff
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
 * @param {import("../../profile/match/alignment.js").Threads} threads
 * @param {{ label: string }} base
 * @param {{ label: string }} after
 * @returns {string[]} a sentence where threads are compared as one, else none
 */
export function threadWords(threads, base, after) {
  if (!threads.together) return [];
  const names = `${listed(threads.base)} in ${base.label}; ${listed(threads.after)} in ${after.label}`;
  return [`The threads of each release are compared as one, as their names differ: ${names}.`];
}

/**
 * Say how much of each side were stacks without outer frames, where it is worth a sentence.
 *
 * @param {Pick<import("../../profile/diff/diff.js").Diff, "cut" | "base" | "after">} diff
 * @returns {string[]}
 */
function cutWords({ cut, base, after }) {
  if (Math.max(cut.base_percent, cut.after_percent) < LEAST_CUT) return [];
  const [ofBase, ofAfter] = [cut.base_percent, cut.after_percent].map((part) => grouped(part, 1));
  return [
    `Stacks without some of their outer frames (${ofBase}\u00a0% of ${base.label}, ${ofAfter}\u00a0% of ${after.label}) are shown where whole stacks call the same functions.`,
  ];
}

/** @param {string[]} names */
function listed(names) {
  const shown = names.slice(0, MOST_NAMES).map(shownName).join(", ");
  return names.length > MOST_NAMES ? `${shown} and others` : shown;
}

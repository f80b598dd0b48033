/** A diff as SVG: the legend in words, and the excerpt that the file carries. */

import { grouped } from "../../profile/model/numbers.js";
import { shownName } from "../../profile/model/shown_names.js";
import { basisWords, NOISE_COLUMNS } from "../graph/basis.js";
import { diffGraph } from "../graph/diff_graph.js";
import { matchedWords, noiseWords, threadWords } from "../graph/diff_words.js";
import { cardSvg } from "./card.js";
import { excerptNames, excerptWeights } from "./excerpt.js";
import { inlineSvg, standaloneSvg } from "./svg.js";

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {string} title
 * @param {string[]} [headline] what else is known of both sides, such as throughput: lines of text
 * @param {import("../graph/diff_graph.js").DiffGraph} [graph] of the diff, where there is one already
 * @returns {import("./svg.js").Rendered}
 */
export function diffSvg(diff, title, headline = [], graph = diffGraph(diff)) {
  return standaloneSvg(picture(diff, graph, title, headline));
}

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {string} title
 * @param {number} maximumFrames
 * @param {import("../graph/diff_graph.js").DiffGraph} [graph] of the diff, where there is one already
 * @returns {import("./svg.js").Rendered}
 */
export function inlineDiffSvg(diff, title, maximumFrames, graph = diffGraph(diff)) {
  return inlineSvg({ ...picture(diff, graph, title, []), maximumFrames });
}

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {{ title: string, about: string, line?: string }} text `line`: the verdict, a sentence
 * @param {import("../graph/diff_graph.js").DiffGraph} [graph] of the diff, where there is one already
 * @returns {string} SVG
 */
export function diffCard(diff, { title, about, line = "" }, graph = diffGraph(diff)) {
  const { name } = basisWords(diff.basis, diff);
  return cardSvg(graph, {
    title,
    about,
    line: `${line} Change of ${name}; matched: ${grouped(diff.matched.percent, 1)} %.`.trimStart(),
    legend: [
      { colour: "g4", text: `red, +: more in ${diff.after.label}` },
      { colour: "s4", text: `blue, −: less in ${diff.after.label}` },
      { colour: "n", text: "grey: no more than noise" },
    ],
  });
}

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {import("../graph/diff_graph.js").DiffGraph} graph of it
 * @param {string} title
 * @param {string[]} headline
 * @returns {import("./svg.js").Picture}
 */
function picture(diff, graph, title, headline) {
  return {
    graph,
    title,
    subtitle: [
      ...headline.map(shownName),
      graph.about,
      noiseWords(diff),
      matchedWords(diff.matched),
      ...threadWords(diff.threads, diff.base, diff.after),
    ],
    legend: graph.legend,
    data: (kept) => diffExcerpt(diff, graph, kept),
  };
}

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {import("../graph/diff_graph.js").DiffGraph} graph
 * @param {number[]} kept
 * @returns {import("../graph/diff_graph.js").DrawnDiff}
 */
function diffExcerpt(diff, graph, kept) {
  /** @param {import("../../profile/model/tree.js").CallTree} tree @param {import("../../profile/diff/diff.js").DiffSide} side */
  const weights = (tree, { scale, factors }) => {
    const { self, rest } = excerptWeights(tree, kept);
    const factor = factors[diff.basis] ?? 0;
    /** @param {number} value in the basis; back to the scaled weight it came from */
    const weight = (value) => (factor > 0 ? Math.max(0, Math.round(value / factor / scale)) : 0);
    return { self: self.map(weight), rest: rest.map(weight) };
  };
  const base = weights(graph.baseTree, diff.base);
  const after = weights(graph.afterTree, diff.after);
  const flipped = diffGraph({ ...diff, colour_scale: graph.colourScale }, { flipped: true });
  return {
    format: diff.format,
    basis: diff.basis,
    unit: diff.unit,
    cost_of: diff.cost_of,
    colour_scale: graph.colourScale,
    base: diff.base,
    after: diff.after,
    ...excerptNames(diff, kept),
    ...excerptJoined(diff, kept),
    present: kept.map((node) => diff.present[node]),
    shared_out: kept.map((node) => diff.shared_out[node]),
    base_self: base.self,
    base_rest: base.rest,
    after_self: after.self,
    after_rest: after.rest,
    gone_rest: weights(graph.goneTree, diff.base).rest,
    new_rest: weights(flipped.goneTree, diff.after).rest,
    ...excerptNoise(diff, kept),
  };
}

/**
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {number[]} kept
 * @returns {import("../../profile/diff/diff.js").NoiseColumns}
 */
function excerptNoise(diff, kept) {
  /** @type {import("../../profile/diff/diff.js").NoiseColumns} */
  const noise = {};
  for (const key of NOISE_COLUMNS) {
    const column = diff[key];
    if (column) noise[key] = kept.map((node) => column[node]);
  }
  return noise;
}

/** Of a side's names that are joined, in an excerpt: tooltips show no more. */
const MOST_JOINED = 4;

/**
 * Return what of the joined names an excerpt needs.
 *
 * @param {import("../../profile/diff/diff.js").Diff} diff
 * @param {number[]} kept
 * @returns {Pick<import("../../profile/diff/diff.js").Diff, "joined" | "join">}
 */
function excerptJoined({ name, joined, join }, kept) {
  const names = [...new Set(kept.map((node) => name[node]))];
  const used = [...new Set(names.flatMap((each) => join[each] ?? []))];
  const position = new Map(used.map((index, at) => [index, at]));
  return {
    joined: used.map((index) => ({
      ...joined[index],
      key: shownName(joined[index].key),
      base_key: shownName(joined[index].base_key),
      base: joined[index].base.slice(0, MOST_JOINED).map(shownName),
      after: joined[index].after.slice(0, MOST_JOINED).map(shownName),
    })),
    join: names.map((each) => position.get(join[each] ?? -1) ?? null),
  };
}

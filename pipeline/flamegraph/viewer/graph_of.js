/** The graph of what a reader asks to see of a profile or a diff, and what to say of it. */

import { withFamily } from "../../profile/model/function_names.js";
import { formatShare } from "../../profile/model/numbers.js";
import { nameInSentence } from "../../profile/model/shown_names.js";
import { edited, IDLE, RECURSION, termsOf } from "../graph/edits.js";
import { functionTree } from "../graph/function_tree.js";
import { leafTree } from "../graph/leaf_tree.js";
import { profileGraph } from "../graph/profile_graph.js";
import { kinds } from "./kinds.js";
import { INITIAL } from "./link_state.js";

/**
 * @typedef {import("../graph/rebuild.js").Columns} Columns
 * @typedef {Pick<import("./link_state.js").LinkState, "view" | "of">
 *   & import("../graph/edits.js").Edits & import("./diff_controls.js").DiffState} Shown
 */

const LEAF_WORDS =
  "Each function is as wide as its own weight; above it are its callers, down to 0.02 % of all.";
/** Most names of hidden functions listed in one sentence. */
const MOST_WAITING = 3;

/**
 * @param {Columns} data
 * @param {import("./diff_controls.js").DiffState} [state] how a diff is looked at
 * @param {number} [zoomed] what the shares of a diff may be of
 * @returns {import("../graph/graph.js").Graph}
 */
export function graphOf(data, state = INITIAL, zoomed = 0) {
  if (data.format !== "perfpress-diff") return profileGraph(data);
  if (!kinds.diff) throw new Error("diffs.js is not part of this viewer");
  return kinds.diff.graphOf(data, state, zoomed);
}

/**
 * @param {Columns} data
 * @param {Shown} state
 * @param {number} [zoomed] what the shares of a diff may be of
 * @returns {{ graph: import("../graph/graph.js").Graph, columns: Columns, words: string[], about: string, missing: boolean }}
 *   `columns` are what the graph is of, `words` say what the graph is other than the whole, `about` what a diff's width and colour are;
 *   where the function is missing it is the whole
 */
export function shownGraph(data, state, zoomed = 0) {
  const { view, of } = state;
  /** @type {string[]} */
  const words = [];
  let tree = data;
  if (hasEdits(state)) {
    const made = edited(tree, state);
    tree = made.data;
    words.push(
      ...editWords(state, made),
      ...(state.only || state.hide ? restWords(data, state.basis) : []),
    );
  }
  const made = isSide(view) ? functionTree(tree, of, view) : view ? leafTree(tree) : tree;
  if (view === "leaves") words.unshift(LEAF_WORDS, ...thinWords(data));
  if (made === null) words.unshift(`“${functionWords(of)}” is not in this graph.`);
  else if (isSide(view)) words.unshift(sideWords(view, functionWords(of)), ...thinWords(data));
  if (data.format === "perfpress-diff" && state.sides) words.push(flippedWords(data));
  const graph = graphOf(made ?? tree, state, zoomed);
  return { graph, columns: made ?? tree, words, about: aboutWords(graph), missing: made === null };
}

/** @param {import("../graph/diff_graph.js").DrawnDiff} diff */
function flippedWords({ base, after }) {
  return `Base and after have changed places: this is what changed from ${after.label} to ${base.label}.`;
}

/** @param {string} of a function, as links name it */
function functionWords(of) {
  const { family, key } = withFamily(of);
  return family ? `${nameInSentence(key)} (${family})` : nameInSentence(key);
}

/** @param {import("../graph/graph.js").Graph | import("../graph/diff_graph.js").DiffGraph} graph */
export function aboutWords(graph) {
  return "about" in graph ? graph.about : "";
}

/**
 * @param {string} view
 * @returns {view is import("../graph/function_tree.js").CallDirection}
 */
function isSide(view) {
  return view === "callees" || view === "callers" || view === "both";
}

/**
 * @param {import("../graph/function_tree.js").CallDirection} side
 * @param {string} name
 */
function sideWords(side, name) {
  if (side === "callees") return `What ${name} calls, wherever it was called from.`;
  if (side === "callers") return `What calls ${name}, and what calls that.`;
  return `What calls ${name} above it, what it calls below.`;
}

/** @param {import("../graph/edits.js").Edits} edits */
export function hasEdits({ merge, only, hide, collapse }) {
  return [merge, only, hide, collapse].some(Boolean);
}

/**
 * Say what is left out; which functions, the buttons beside it say.
 *
 * @param {import("../graph/edits.js").Edits} edits
 * @param {import("../graph/edits.js").Edited} made
 */
function editWords({ merge, only, hide }, { hidden, waiting, missing }) {
  const words = missing.map((term) => `“${functionWords(term)}” is not in this graph.`);
  if (termsOf(merge).includes(RECURSION)) words.push("Direct recursion is one frame.");
  const isIdle = termsOf(hide).includes(IDLE);
  if (isIdle && waiting.length === 0) words.push("Nothing here waits, so nothing is hidden.");
  if (!only && !(hide && (!isIdle || waiting.length > 0))) return words;
  const shares = hidden.map(
    ({ label, share }) => `${formatShare(share)}${label && ` of ${label}`}`,
  );
  const more = waiting.length > MOST_WAITING ? ` and ${waiting.length - MOST_WAITING} more` : "";
  const listed = waiting.slice(0, MOST_WAITING).map(nameInSentence).join(", ");
  const where = listed && `, waiting in ${listed}${more}`;
  words.push(`Hidden: ${shares.join(" and ")}${where}.`);
  return words;
}

/**
 * @param {Columns} data
 * @param {string} basis that the reader chose, of a diff
 */
function restWords(data, basis) {
  const isShare = data.format !== "perfpress-diff" || (basis || data.basis).startsWith("share");
  return isShare ? ["Percentages are relative to what is left."] : [];
}

/**
 * Say how much a function may weigh besides, where the data is an excerpt.
 *
 * @param {Columns} data
 */
function thinWords(data) {
  const graph = graphOf(data);
  const { tree } = graph.lanes[0];
  const rest = tree.rest.reduce((sum, weight) => sum + weight, 0);
  if (!(rest > 0)) return [];
  return [
    `Calls too thin for this file are not counted: ${formatShare(rest / tree.total[0])} of all.`,
  ];
}

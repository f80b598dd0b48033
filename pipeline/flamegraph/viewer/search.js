/**
 * Search by text or, between slashes, by regular expression: `hash`, `/^ExecHash(Join)?$/`; of libraries with
 * `lib:` before it: `lib:libc`.
 */

import { formatShare, grouped } from "../../profile/model/numbers.js";
import { subtreeEnd } from "../../profile/model/tree.js";
import { IN_LIBRARY } from "../graph/edits.js";
import { filling } from "../graph/sections.js";
import { expression, NotUnderstood } from "./expression.js";

/** Milliseconds after which a search is given up. */
const LONGEST_SEARCH = 1000;

/**
 * @typedef {object} Found
 * @property {Set<number>} nodes
 * @property {Matches | null} matches null where there is nothing to match
 * @property {string} problem why the query has no answer, in words
 */

/** @typedef {(name: string, library?: string) => boolean} Matches */

/**
 * @param {import("../graph/graph.js").Graph} graph
 * @param {string} query
 * @returns {Found}
 */
export function search(graph, query) {
  if (!query) return { nodes: new Set(), matches: null, problem: "" };
  try {
    const matches = matcher(query);
    return { nodes: matchingNodes(graph, matches), matches, problem: "" };
  } catch (error) {
    const why = String(error).replace(/^.*: /s, "");
    const what =
      error instanceof NotUnderstood
        ? "This expression cannot be searched for"
        : "Not a regular expression";
    return { nodes: new Set(), matches: null, problem: `${what}: ${why}` };
  }
}

/**
 * @param {string} query
 * @returns {Matches}
 * @throws {SyntaxError | NotUnderstood} where it is an expression that cannot be read
 */
export function matcher(query) {
  if (query.startsWith(IN_LIBRARY)) {
    const matches = matcher(query.slice(IN_LIBRARY.length));
    return (_, library) => !!library && matches(library);
  }
  const source = /^\/(.+)\/$/s.exec(query)?.[1];
  if (source !== undefined) return expression(source);
  const text = query.toLowerCase();
  return (name) => name.toLowerCase().includes(text);
}

/**
 * @param {import("../graph/graph.js").Graph} graph
 * @param {Matches} matches
 * @returns {Set<number>}
 * @throws {NotUnderstood} where it takes longer than a reader waits
 */
export function matchingNodes(graph, matches) {
  const until = performance.now() + LONGEST_SEARCH;
  /** @type {boolean[]} by name: most frames have the name of another one */
  const known = [];
  const found = new Set();
  const nodes = graph.lanes[0].tree.parent.length;
  // The root is not a function.
  for (let node = 1; node < nodes; node++) {
    const name = graph.nameIndex(node);
    if (known[name] === undefined) {
      if (performance.now() > until) throw new NotUnderstood("it takes too long");
      known[name] = matches(graph.name(node), graph.library(node));
    }
    if (known[name]) found.add(node);
  }
  return found;
}

/**
 * Say how much of what is shown lies in or below matching frames.
 *
 * @param {import("../graph/graph.js").Graph} graph
 * @param {Found} found
 * @param {number} zoomed
 */
export function foundWords({ lanes }, { nodes, problem }, zoomed) {
  if (problem) return problem;
  const shares = lanes.flatMap(({ tree, title, section }) => {
    const whole = filling(section, zoomed);
    if (!(tree.total[whole] > 0)) return [];
    const share = formatShare(matchedShare(tree, nodes, whole));
    const of = title || (lanes.length > 1 ? section.title : "");
    return [of ? `${share} of “${of}”` : share];
  });
  return `Matched: ${shares.join(", ")}`;
}

/**
 * Return the share of a subtree's weight that lies in or below matching frames; a sample counts
 * once.
 *
 * @param {import("../../profile/model/tree.js").CallTree} tree
 * @param {Set<number>} matching
 * @param {number} zoomed
 */
export function matchedShare(tree, matching, zoomed) {
  const end = subtreeEnd(tree, zoomed);
  let weight = 0;
  for (let node = zoomed; node < end; ) {
    if (matching.has(node)) {
      weight += tree.total[node];
      node = subtreeEnd(tree, node);
    } else node++;
  }
  return tree.total[zoomed] > 0 ? weight / tree.total[zoomed] : 0;
}

export class MatchSteps {
  /** @param {import("./view.js").GraphView} view */
  constructor(view) {
    this.view = view;
    /** The frame that a step zoomed to, and the one it stepped within. */
    this.zoomed = { to: -1, within: 0 };
  }

  /** @returns {number} the frame stepped in: not one that a step zoomed to, as it was too thin to be seen */
  within() {
    const { zoomed } = this.view;
    return this.zoomed.to === zoomed ? this.zoomed.within : zoomed;
  }

  /** @returns {number[]} */
  matches() {
    const within = this.within();
    const end = subtreeEnd(this.view.graph.lanes[0].tree, within);
    return [...this.view.found.nodes].filter((node) => node >= within && node < end);
  }

  /** @returns {string[]} which match the cursor is on, in words; empty where on none */
  place() {
    const { found, cursor } = this.view;
    if (!found.nodes.has(cursor.node)) return [];
    const matches = this.matches();
    return [`${grouped(matches.indexOf(cursor.node) + 1, 0)} of ${grouped(matches.length, 0)}`];
  }

  /**
   * Go to the next or previous match; one too thin to draw is zoomed to.
   *
   * @param {1 | -1} step
   */
  go(step) {
    const { view } = this;
    const within = this.within();
    const matches = this.matches();
    if (matches.length === 0) return;
    const { node: here } = view.cursor;
    const next =
      step > 0
        ? (matches.find((node) => node > here) ?? matches[0])
        : (matches.findLast((node) => node < here) ?? matches[matches.length - 1]);
    if (!view.picture.drawn(next) && within !== view.zoomed) view.show(within);
    if (!view.picture.drawn(next)) {
      view.moves.zoomTo(next);
      this.zoomed = { to: view.zoomed, within };
    }
    const frame = view.picture.drawn(next);
    if (frame) view.cursor.moveTo(frame);
    view.cursor.focus();
  }
}

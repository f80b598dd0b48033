// Weights of functions: over the whole profile, below a call path, or below another function.
//
// The tree holds the call paths of all releases in preorder; what is below a node are the nodes up to
// its end. A sample counts once, however a function recurs.

import { nodesAt } from "./path.js";

/** @typedef {import("./data.js").Data} Data */

/**
 * @typedef {object} FunctionWeights a function somewhere
 * @property {number} function -1 for callees that the data has only as a sum
 * @property {number[]} totals by release
 * @property {number[]} selfs by release
 * @property {number[]} nodes
 */

/** The sum of callees that are too small to be kept one by one. */
export const OTHERS = -1;

export class Counts {
  /** @param {Data} data */
  constructor(data) {
    this.data = data;
    this.end = ends(data.parent);
    this.totals = data.self.map((own) => totals(data.parent, own));
    this.known = [...data.key.keys()];
  }

  /**
   * @param {string} path ends of call paths, as the path language has them with `>` and `>>`
   * @returns {number[]} nodes
   */
  find(path) {
    return nodesAt(path, this.data);
  }

  /**
   * @param {number[]} nodes
   * @returns {number[]} what they weigh by release, with all that they called
   */
  weigh(nodes) {
    return this.totals.map((own) => this.outermost(nodes).reduce((sum, at) => sum + own[at], 0));
  }

  /**
   * @param {number[] | null} below nodes; null for the whole profile
   * @returns {FunctionWeights[]} the functions at or below those nodes
   */
  functions(below) {
    if (below === null) return this.everywhere();
    /** @type {Map<number, number[]>} */
    const nodesOf = new Map();
    for (const start of this.outermost(below)) {
      for (let node = start; node < this.end[start]; node++) this.note(nodesOf, node);
    }
    return this.weightsOf(nodesOf);
  }

  /**
   * @param {number[]} nodes
   * @returns {FunctionWeights[]} what they called directly
   */
  callees(nodes) {
    /** @type {Map<number, number[]>} */
    const nodesOf = new Map();
    for (const node of nodes) {
      for (let callee = node + 1; callee < this.end[node]; callee = this.end[callee]) {
        this.note(nodesOf, callee);
      }
    }
    return this.weightsOf(nodesOf);
  }

  /**
   * @param {number} wanted function
   * @returns {number[]} its nodes
   */
  nodesOf(wanted) {
    const nodes = [];
    for (const [node, each] of this.data.function.entries()) if (each === wanted) nodes.push(node);
    return nodes;
  }

  /** Functions over the whole profile, as they were counted before small frames were summed up. */
  everywhere() {
    const { totals: all, selfs } = this.data;
    return this.known.map((each) => ({
      function: each,
      totals: all.map((own) => own[each]),
      selfs: selfs.map((own) => own[each]),
      nodes: [],
    }));
  }

  /**
   * @param {Map<number, number[]>} nodesOf
   * @param {number} node
   */
  note(nodesOf, node) {
    const which = this.data.function[node];
    const nodes = nodesOf.get(which);
    if (nodes) nodes.push(node);
    else nodesOf.set(which, [node]);
  }

  /**
   * @param {Map<number, number[]>} nodesOf
   * @returns {FunctionWeights[]}
   */
  weightsOf(nodesOf) {
    return Array.from(nodesOf, ([which, nodes]) => ({
      function: which,
      totals: this.weigh(nodes),
      selfs: this.data.self.map((own) => nodes.reduce((sum, node) => sum + own[node], 0)),
      nodes,
    }));
  }

  /**
   * @param {number[]} nodes
   * @returns {number[]} those that are below no other of them
   */
  outermost(nodes) {
    let end = 0;
    return nodes
      .toSorted((a, b) => a - b)
      .filter((node) => {
        if (node < end) return false;
        end = this.end[node];
        return true;
      });
  }
}

/** @param {number[]} parent */
function ends(parent) {
  const end = parent.map((_, node) => node + 1);
  for (let node = parent.length - 1; node > 0; node--) {
    end[parent[node]] = Math.max(end[parent[node]], end[node]);
  }
  return end;
}

/**
 * @param {number[]} parent
 * @param {number[]} own
 */
function totals(parent, own) {
  const sums = [...own];
  for (let node = parent.length - 1; node > 0; node--) sums[parent[node]] += sums[node];
  return sums;
}

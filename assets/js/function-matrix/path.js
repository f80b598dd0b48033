// Call paths that readers type: a part of the language of drilldowns, which Python reads
// (pipeline/perfpress/analysis/paths). tests/vectors/drilldown_paths.json holds for both.

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {boolean} literal a whole name, in double quotes
 * @property {boolean} direct called by the one before
 */

/** A name, in quotes or not, and the operator after it or the end. */
const STEP =
  /\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<bare>[^\s">][^"]*?))(?:\s+(?<operator>>>?)(?=\s)|\s*$)/suy;

/**
 * Read a path: names with ` > ` for called by, ` >> ` for anywhere below.
 *
 * @param {string} path
 * @returns {Step[]} none where a name is missing
 */
function stepsOf(path) {
  /** @type {Step[]} */
  const steps = [];
  let operator = "";
  STEP.lastIndex = 0;
  do {
    const groups = STEP.exec(path)?.groups;
    if (!groups) return [];
    const { quoted, bare } = groups;
    const name = bare ?? quoted.replace(/\\(["\\])/g, "$1");
    steps.push({ name, literal: bare === undefined, direct: operator === ">" });
    operator = groups.operator;
  } while (operator);
  return steps;
}

/**
 * @param {string} path
 * @param {{ parent: number[], function: number[], key: string[], class: string[] }} data
 * @returns {number[]} the nodes of its last name
 */
export function nodesAt(path, data) {
  const steps = stepsOf(path);
  const fits = steps.map((step) => data.key.map((key, at) => matches(step, key, data.class[at])));
  let nodes = new Set(steps.length > 0 ? data.parent.keys() : []);
  for (const [at, { direct }] of steps.entries()) {
    const before = nodes;
    nodes = new Set();
    /** By node: whether a node of the step before is above it. */
    const below = new Uint8Array(data.parent.length);
    for (const [node, parent] of data.parent.entries()) {
      if (parent < 0) continue;
      below[node] = before.has(parent) || below[parent] ? 1 : 0;
      const isMatch = at === 0 || (direct ? before.has(parent) : below[node]);
      const which = data.function[node];
      if (which >= 0 && isMatch && fits[at][which]) nodes.add(node);
    }
  }
  return [...nodes];
}

/**
 * @param {Step} step
 * @param {string} key
 * @param {string} className
 */
function matches({ name, literal }, key, className) {
  if (key === name) return true;
  if (literal) return false;
  // The kernel keeps 15 characters of a thread's name.
  if (className === "thread") return key.slice(0, 15) === name.slice(0, 15);
  return key.endsWith(`::${name}`);
}

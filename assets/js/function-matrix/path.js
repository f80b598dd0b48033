// Call paths that readers type, and those that links into graphs hold.

/** @typedef {{ name: string, direct: boolean }} Step `direct`: called by the one before */

/**
 * Read a path: names with ` > ` for called by, ` >> ` for anywhere below. Quotes are taken literally.
 *
 * @param {string} path
 * @returns {Step[]} none where a name is missing
 */
export function stepsOf(path) {
  const parts = path.trim().split(/\s+(>>?)\s+/);
  const steps = [];
  for (let at = 0; at < parts.length; at += 2) {
    steps.push({ name: parts[at], direct: parts[at - 1] === ">" });
  }
  return steps.every(({ name }) => name) ? steps : [];
}

/**
 * @param {string} path
 * @param {{ parent: number[], function: number[], key: string[], class: string[] }} data
 * @returns {number[]} the nodes of its last name
 */
export function meant(path, data) {
  const steps = stepsOf(path);
  const fits = steps.map(({ name }) =>
    data.key.map((key, at) => isMeant(name, key, data.class[at])),
  );
  let nodes = new Set(steps.length > 0 ? data.parent.keys() : []);
  for (const [at, { direct }] of steps.entries()) {
    const before = nodes;
    nodes = new Set();
    /** Whether a node of the step before stands above. */
    const below = new Uint8Array(data.parent.length);
    for (const [node, parent] of data.parent.entries()) {
      if (parent < 0) continue;
      below[node] = before.has(parent) || below[parent] ? 1 : 0;
      const stands = at === 0 || (direct ? before.has(parent) : below[node]);
      const which = data.function[node];
      if (which >= 0 && stands && fits[at][which]) nodes.add(node);
    }
  }
  return [...nodes];
}

/**
 * @param {string} name
 * @param {string} key
 * @param {string} className
 */
function isMeant(name, key, className) {
  // The kernel keeps 15 characters of a thread's name.
  if (className === "thread") return key === name || key === name.slice(0, 15);
  return key === name || key.endsWith(`::${name}`);
}

/**
 * @param {{ key: string, className: string }[]} functions each called by the one before
 * @returns {string} the path by which a graph finds the last
 */
export function framePath(functions) {
  const last = functions.length - 1;
  return functions
    .map(({ key, className }, at) => {
      const literal = `"${key.replace(/["\\]/g, "\\$&")}"`;
      return at === last ? `[${className}]${literal}` : literal;
    })
    .join(" > ");
}

/**
 * The columns of an excerpt as a picture carries them, smaller: what follows from the order of nodes
 * and of names is not repeated, and columns in which one value comes nearly always list the others.
 */

/**
 * @typedef {Record<string, unknown> & { parent: number[], name: number[] }} Columns names in the order
 *   of their first node, nodes in preorder
 *
 * @typedef {Record<string, unknown> & { climbs: number[], known: number[] }} Compressed
 *   `climbs`: by node, how many frames up from the one before it its caller is; `known`: by node, 0
 *   for the next name that no node had before, 1 for the one that is expected, else 2 and how many other
 *   names nodes had since this one
 *
 * @typedef {object} Sparse a column that mostly holds one value
 * @property {number} length
 * @property {unknown} mostly
 * @property {number[]} steps to the place of each other value, from the one before it
 * @property {unknown[]} others
 */

/**
 * @param {Columns} columns
 * @returns {object}
 */
export function compressed(columns) {
  const { parent, name } = columns;
  const depth = new Int32Array(parent.length);
  const climbs = parent.map((above, node) => {
    depth[node] = above < 0 ? 0 : depth[above] + 1;
    return node === 0 ? 0 : depth[node - 1] + 1 - depth[node];
  });
  const next = nextNames(parent);
  const known = name.map((index, node) => {
    let code = 0;
    next(node, (expected, recent) => {
      const at = recent.indexOf(index);
      if (index === expected) code = 1;
      else if (at >= 0) code = at + 2;
      return index;
    });
    return code;
  });
  // In their places: small numbers compress better apart from weights.
  /** @type {Record<string, [string, unknown]>} */
  const instead = { parent: ["climbs", climbs], name: ["known", known] };
  return Object.fromEntries(
    Object.entries(columns)
      .map(([key, value]) => instead[key] ?? [key, value])
      .map(([key, value]) => [key, sparse(value)]),
  );
}

/**
 * @param {any} data what `compressed` made
 * @returns {any} what it was made of
 */
export function decompressed(data) {
  const { climbs, known, ...others } = /** @type {Compressed} */ (
    Object.fromEntries(Object.entries(data).map(([key, value]) => [key, full(value)]))
  );
  /** @type {number[]} the node before and its callers, root first */
  const path = [];
  const parent = climbs.map((climb, node) => {
    path.length -= climb;
    path.push(node);
    return path[path.length - 2] ?? -1;
  });
  const next = nextNames(parent);
  let names = 0;
  const name = known.map((code, node) =>
    next(node, (expected, recent) => (code ? (code > 1 ? recent[code - 2] : expected) : names++)),
  );
  return { ...others, parent, name };
}

/**
 * Return what takes the names of nodes in their order. Calls recur: below a caller, the same callee mostly
 * follows the same one as the last time.
 *
 * @param {number[]} parent
 * @returns {(node: number, pick: (expected: number, recent: number[]) => number) => number} `pick` gets the
 *   name that is expected, and all that nodes had, the last first
 */
function nextNames(parent) {
  /** @type {number[]} */
  const name = [];
  /** By node: the name of the last of its callees so far. @type {number[]} */
  const last = [];
  /** @type {Record<string, number>} */
  const followed = {};
  /** @type {number[]} */
  const recent = [];
  return (node, pick) => {
    const caller = parent[node];
    const place = `${name[caller]} ${last[caller]}`;
    const index = pick(followed[place], recent);
    followed[place] = index;
    last[caller] = index;
    name[node] = index;
    const at = recent.indexOf(index);
    if (at >= 0) recent.splice(at, 1);
    recent.unshift(index);
    return index;
  };
}

/**
 * @param {unknown} column
 * @returns {unknown} a `Sparse` where that is shorter
 */
function sparse(column) {
  if (!Array.isArray(column)) return column;
  if (column.length < 20) return column;
  const mostly = majority(column);
  let different = 0;
  for (const value of column) {
    if (value !== mostly && ++different > 0.25 * column.length) return column;
  }
  /** @type {number[]} */
  const places = [];
  for (let index = 0; index < column.length; index++) {
    if (column[index] !== mostly) places.push(index);
  }
  const steps = places.map((place, index) => place - (places[index - 1] ?? 0));
  return { length: column.length, mostly, steps, others: places.map((place) => column[place]) };
}

/**
 * Return the value that most places have, if one has more than half: each other value cancels out one
 * of it, so it is what is left (https://www.cs.utexas.edu/~moore/best-ideas/mjrty/).
 *
 * @param {unknown[]} column
 */
function majority(column) {
  let candidate;
  let left = 0;
  for (const value of column) {
    if (left === 0) candidate = value;
    left += value === candidate ? 1 : -1;
  }
  return candidate;
}

/**
 * @param {unknown} column
 * @returns {unknown}
 */
function full(column) {
  if (!isSparse(column)) return column;
  const values = new Array(column.length).fill(column.mostly);
  let place = 0;
  column.steps.forEach((step, index) => {
    place += step;
    values[place] = column.others[index];
  });
  return values;
}

/**
 * @param {unknown} value
 * @returns {value is Sparse}
 */
function isSparse(value) {
  return typeof value === "object" && value !== null && "mostly" in value;
}

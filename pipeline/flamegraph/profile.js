/**
 * The profile: a call tree with its weights in columns, and where they came from. It is what the
 * profile file holds, key for key, so reading one is `JSON.parse` and a check (profile_check.js).
 *
 * Nodes are in preorder (a parent before its children, a subtree without gaps), siblings in the
 * order of their name's UTF-8 bytes and class, names in the order of their first node: the same
 * weights give the same bytes.
 *
 * @typedef {object} Profile
 * @property {"perfpress-profile"} format
 * @property {1} version
 * @property {string} event what the kernel or server counted: `cycles`, `cpu-clock:ppp`
 * @property {string} unit what one of `total` is: `cycles`, `CPU ns`, `samples` (see units.js)
 * @property {number} scale a stored weight × scale = the exact weight
 * @property {string} total the weight of all, exact and unscaled, in decimal digits
 * @property {number | null} samples null where the captures do not tell, as folded stacks
 * @property {string[]} class_names
 * @property {string[]} names distinct (name, class); the first is that of the root, "all"
 * @property {(string | null)[]} keys the name-match key where it differs from the name (names.js)
 * @property {number[]} classes index into `class_names`, one a name
 * @property {number[]} parent one a node; -1 for the root, which is node 0
 * @property {number[]} name one a node: index into `names`
 * @property {number[] | string[]} self one a node: scaled weight of the frame itself; in decimal
 *   digits where the scaled total passes 2^53 - 1
 * @property {number[] | null} self_samples one a node
 * @property {Capture[]} captures sorted by file and content
 *
 * @typedef {object} Capture
 * @property {string} file as its user names it
 * @property {string} sha256 of the file as it lies there
 * @property {string} format `perf-script` or `folded`
 * @property {number | null} samples null where the format does not tell
 * @property {string} weight exact, unscaled, in decimal digits
 * @property {number} lost samples that the recorder says it lost
 * @property {boolean} partial whether the file ends too early or is damaged; what stood before counts
 * @property {Skipped[]} skipped what was not read, a reason at a time
 *
 * @typedef {object} Skipped
 * @property {string} reason
 * @property {number} count
 * @property {number} first_line
 *
 * Weights in memory: doubles where the scaled total is exact in them, else big integers.
 * @typedef {Float64Array | bigint[]} Weights
 */

/** Index of a class in `class_names` is index into this, in every profile that we write. */
export const CLASS_NAMES = ["thread", "user", "library", "kernel", "jit", "inlined"];

export const THREAD = 0;
export const USER = 1;
export const LIBRARY = 2;
export const KERNEL = 3;
export const JIT = 4;
export const INLINED = 5;

/** The name of the root. */
export const ROOT_NAME = "all";

/**
 * The scaled self weight of each node, ready to count with.
 *
 * @param {Pick<Profile, "self">} profile
 * @returns {Weights}
 */
export function selfWeights({ self }) {
  return typeof self[0] === "string" ? self.map(BigInt) : Float64Array.from(self, Number);
}

/**
 * The scaled weight of each node with everything it called: one pass backwards, as parents stand
 * before their children.
 *
 * @param {Pick<Profile, "self" | "parent">} profile
 * @returns {Weights}
 */
export function totalWeights(profile) {
  // `+=` is exact for either kind of weights, and never mixes them.
  const totals = /** @type {Float64Array} */ (selfWeights(profile));
  const { parent } = profile;
  for (let node = parent.length - 1; node > 0; node--) totals[parent[node]] += totals[node];
  return totals;
}

/**
 * The exact weight that a scaled one stands for.
 *
 * @param {Pick<Profile, "scale">} profile
 * @param {number | bigint} weight
 */
export function exactWeight({ scale }, weight) {
  return BigInt(weight) * BigInt(scale);
}

/**
 * The scaled weight of everything that ran in or below each name: of a stack in which a function
 * recurs, only its outermost call counts, so no weight counts twice.
 *
 * @param {Profile} profile
 * @param {ArrayLike<number>} [groupOf] the group of each name, where several names count as one
 *   function; without it each name is a group by itself. Groups are numbered from 0.
 * @returns {Weights} one a group
 */
export function functionTotals(profile, groupOf = profile.names.map((_, name) => name)) {
  const { parent, name } = profile;
  const totals = /** @type {Float64Array} */ (totalWeights(profile));
  let groups = 0;
  for (let at = 0; at < groupOf.length; at++) groups = Math.max(groups, groupOf[at] + 1);
  const sums = /** @type {Float64Array} */ (
    totals instanceof Float64Array ? new Float64Array(groups) : new Array(groups).fill(0n)
  );
  const open = new Int32Array(groups); // calls of a group on the path to the node
  /** @type {number[]} */
  const path = [];
  for (let node = 0; node < parent.length; node++) {
    while (path.length > 0 && path[path.length - 1] !== parent[node]) {
      open[groupOf[name[/** @type {number} */ (path.pop())]]]--;
    }
    path.push(node);
    const group = groupOf[name[node]];
    if (open[group] === 0) sums[group] += totals[node];
    open[group]++;
  }
  return sums;
}

/**
 * The text of a profile file: a line a column, so that two of them can be compared.
 *
 * @param {Profile} profile
 */
export function formatProfile(profile) {
  const columns = Object.entries(profile).map(
    ([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  return `{\n${columns.join(",\n")}\n}\n`;
}

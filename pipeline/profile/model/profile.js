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
 * @property {number | null} samples null where the captures do not state it, as folded stacks
 * @property {string[]} class_names
 * @property {string[]} names distinct (name, class); the first is that of the root, "all"
 * @property {(string | null)[]} keys the name-match key where it differs from the name (names.js)
 * @property {number[]} classes index into `class_names`, one a name
 * @property {string[]} [libraries] distinct names of the files of code that functions are in: `libc.so.6`,
 *   `postgres`; in the order of their first name, absent where captures state none (libraries.js)
 * @property {number[]} [library] index into `libraries`, one a name; -1 where captures state none or several
 * @property {number[]} parent one a node; -1 for the root, which is node 0
 * @property {number[]} name one a node: index into `names`
 * @property {number[] | string[]} self one a node: scaled weight of the frame itself; in decimal
 *   digits where the scaled total passes 2^53 - 1
 * @property {number[] | null} self_samples one a node
 * @property {Capture[]} captures sorted by file and content
 *
 * @typedef {object} Capture
 * @property {string} file as its user names it
 * @property {string} sha256 of the file as stored
 * @property {string} format that of its reader: `perf-script`, `folded`, `pprof` (read/formats.js)
 * @property {number | null} samples null where the format does not state it
 * @property {string} weight exact, unscaled, in decimal digits
 * @property {number} lost samples that the recorder says it lost
 * @property {boolean} partial whether the file ends too early or is damaged; what comes before counts
 * @property {string | null} shares_only why its weights give shares only, not what an operation or a
 *   second costs; null where they give that too
 * @property {Skipped[]} skipped what was not read, a reason at a time
 * @property {Label[]} [labels] by key, where samples have some: pprof's
 *
 * @typedef {object} Skipped
 * @property {string} reason
 * @property {number} count
 * @property {number} first_line
 *
 * @typedef {object} Label
 * @property {string} key
 * @property {number} values how many different ones
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
 * Return the scaled self weight of each node, ready to count with.
 *
 * @param {Pick<Profile, "self">} profile
 * @returns {Weights}
 */
export function selfWeights({ self }) {
  return typeof self[0] === "string" ? self.map(BigInt) : Float64Array.from(self, Number);
}

/**
 * Return the exact weight that a scaled one represents.
 *
 * @param {Pick<Profile, "scale">} profile
 * @param {number | bigint} weight
 */
export function exactWeight({ scale }, weight) {
  return BigInt(weight) * BigInt(scale);
}

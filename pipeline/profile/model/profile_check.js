/** Validates profile files, so that later code can rely on them. */

import { LONGEST_LIBRARY, MOST_LIBRARIES, NO_LIBRARY } from "./libraries.js";
import { BadInput, problem } from "./problems.js";
import { CLASS_NAMES, exactWeight } from "./profile.js";
import { exactSum } from "./weights.js";

/** @typedef {Record<string, any>} Json */

/**
 * Read the profile in the text of a file.
 *
 * @param {string} text
 * @param {string} path for messages
 * @returns {import("./profile.js").Profile}
 * @throws {BadInput}
 */
export function parseProfile(text, path) {
  /** @type {Json} */
  let json;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new BadInput(
      problem({
        path,
        found: `no JSON: ${/** @type {Error} */ (error).message}`,
        expected: "a profile",
        do: "fold the captures again",
      }),
    );
  }
  const wrong = firstFault(json);
  if (wrong) {
    const [found, expected] = wrong;
    throw new BadInput(problem({ path, found, expected, do: "fold the captures again" }));
  }
  return /** @type {import("./profile.js").Profile} */ (json);
}

/** @typedef {[found: string, expected: string]} Fault */

/** @type {[key: string, fits: (value: any) => boolean, expected: string][]} */
const HEAD = [
  ["event", isText, "text"],
  ["unit", isText, "text"],
  ["scale", (value) => isCount(value) && value >= 1, "a whole number from 1"],
  ["total", isDigits, "decimal digits as text"],
  ["samples", (value) => value === null || isCount(value), "a count or null"],
  [
    "class_names",
    (value) => JSON.stringify(value) === JSON.stringify(CLASS_NAMES),
    CLASS_NAMES.join(", "),
  ],
];

/**
 * Return what is wrong and what was expected there; null where nothing is.
 *
 * @param {Json} json
 * @returns {Fault | null}
 */
function firstFault(json) {
  if (json === null || typeof json !== "object" || json.format !== "perfpress-profile") {
    return ["JSON of another kind", 'an object with "format": "perfpress-profile"'];
  }
  if (json.version !== 1) return [`version ${show(json.version)}`, "version 1"];
  for (const [key, fits, expected] of HEAD) {
    if (!fits(json[key])) return [`${key} ${show(json[key])}`, expected];
  }
  const { captures } = json;
  return (
    faultInNames(json) ??
    faultInTree(json) ??
    faultInWeights(json) ??
    faultInColumn("captures", captures, captures?.length, isCapture, "a capture", 0)
  );
}

/**
 * @param {Json} json
 * @returns {Fault | null}
 */
function faultInNames({ names, keys, classes, libraries, library }) {
  const count = names?.length;
  const isKey = (/** @type {unknown} */ value) => value === null || isText(value);
  const isClass = indexBelow(CLASS_NAMES.length);
  const fault =
    faultInColumn("names", names, count, isText, "text") ??
    faultInColumn("keys", keys, count, isKey, "text or null") ??
    faultInColumn("classes", classes, count, isClass, `an index below ${CLASS_NAMES.length}`) ??
    (libraries === undefined && library === undefined
      ? null
      : faultInLibraries({ libraries, library }, count));
  if (fault) return fault;
  const ofClass = CLASS_NAMES.map(() => new Set());
  for (let at = 0; at < count; at++) ofClass[classes[at]].add(names[at]);
  const distinct = ofClass.reduce((sum, { size }) => sum + size, 0);
  return distinct < count ? ["a name twice in one class", "each once"] : null;
}

/**
 * @param {Json} json
 * @param {number} count of names
 * @returns {Fault | null}
 */
function faultInLibraries({ libraries, library }, count) {
  const isName = (/** @type {any} */ value) =>
    isText(value) && value !== "" && value.length <= LONGEST_LIBRARY;
  const isLibrary = (/** @type {any} */ value) =>
    value === NO_LIBRARY || (isCount(value) && value < libraries.length);
  const fault =
    faultInColumn(
      "libraries",
      libraries,
      Math.min(libraries?.length, MOST_LIBRARIES),
      isName,
      `text of at most ${LONGEST_LIBRARY} characters`,
    ) ?? faultInColumn("library", library, count, isLibrary, "an index of libraries, or -1");
  if (fault) return fault;
  return new Set(libraries).size < libraries.length ? ["a library twice", "each once"] : null;
}

/**
 * @param {Json} json
 * @returns {Fault | null}
 */
function faultInTree({ parent, name, names }) {
  const count = parent?.length;
  const expected = `an index below ${names.length}`;
  const fault =
    faultInColumn("parent", parent, count, Number.isInteger, "the number of a node") ??
    faultInColumn("name", name, count, indexBelow(names.length), expected);
  if (fault) return fault;
  if (parent[0] !== -1) return [`parent[0] ${show(parent[0])}`, "-1: node 0 is the root"];
  for (let node = 1; node < count; node++) {
    let open = node - 1; // in preorder, the parent is the node before or one of its callers
    while (open >= 0 && open !== parent[node]) open = open > parent[node] ? parent[open] : -1;
    if (open < 0) return [`parent[${node}] ${show(parent[node])}`, "nodes in preorder"];
  }
  return null;
}

/**
 * @param {Json} json
 * @returns {Fault | null}
 */
function faultInWeights({ parent, scale, total, samples, self, self_samples: selfSamples }) {
  const count = parent.length;
  const isTexts = Array.isArray(self) && isText(self[0]);
  const [fits, expected] = isTexts
    ? [isDigits, "decimal digits as text"]
    : [isCount, "a whole number from 0"];
  const fault =
    faultInColumn("self", self, count, fits, expected) ??
    (selfSamples === null
      ? null
      : faultInColumn("self_samples", selfSamples, count, isCount, "a count"));
  if (fault) return fault;
  const sum = exactWeight({ scale }, exactSum(isTexts ? self.map(BigInt) : self));
  if (sum !== BigInt(total)) return [`total ${total}`, `${sum}, the sum of "self" × "scale"`];
  if (selfSamples && exactSum(selfSamples) !== BigInt(samples ?? -1)) {
    return [`samples ${show(samples)}`, 'the sum of "self_samples"'];
  }
  return null;
}

/** @param {any} value */
function isCapture(value) {
  return (
    [value?.file, value?.sha256, value?.format].every(isText) &&
    (value.samples === null || isCount(value.samples)) &&
    isDigits(value.weight) &&
    isCount(value.lost) &&
    typeof value.partial === "boolean" &&
    (value.shares_only === null || isText(value.shares_only)) &&
    Array.isArray(value.skipped) &&
    value.skipped.every(
      (/** @type {any} */ one) =>
        isText(one?.reason) && isCount(one.count) && isCount(one.first_line),
    ) &&
    (value.labels === undefined ||
      (Array.isArray(value.labels) &&
        value.labels.every((/** @type {any} */ one) => isText(one?.key) && isCount(one.values))))
  );
}

/**
 * @param {string} key
 * @param {unknown} column
 * @param {number} length
 * @param {(value: any) => boolean} fits
 * @param {string} expected
 * @param {number} [least]
 * @returns {Fault | null}
 */
function faultInColumn(key, column, length, fits, expected, least = 1) {
  if (!Array.isArray(column)) return [`${key} ${show(column)}`, "a list"];
  if (column.length !== length) return [`${column.length} ${key}`, String(length)];
  if (column.length < least) return [`no ${key}`, `at least ${least}`];
  for (let at = 0; at < length; at++) {
    if (!fits(column[at])) return [`${key}[${at}] ${show(column[at])}`, expected];
  }
  return null;
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === "string";
}

/** @param {number} count */
function indexBelow(count) {
  return (/** @type {any} */ value) => isCount(value) && value < count;
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && /** @type {number} */ (value) >= 0;
}

/** @param {unknown} value */
function isDigits(value) {
  return typeof value === "string" && /^\d{1,1000}$/.test(value);
}

/** @param {unknown} value */
function show(value) {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

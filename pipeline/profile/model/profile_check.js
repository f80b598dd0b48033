/** Checks what is read from disk as a profile, so that nothing behind it has to. */

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

/**
 * Return what is wrong and what was expected there; null where nothing is.
 *
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function firstFault(json) {
  if (json === null || typeof json !== "object" || json.format !== "perfpress-profile") {
    return ["JSON of another kind", 'an object with "format": "perfpress-profile"'];
  }
  if (json.version !== 1) return [`version ${show(json.version)}`, "version 1"];
  return (
    faultInHead(json) ??
    faultInNames(json) ??
    faultInTree(json) ??
    faultInWeights(json) ??
    faultInCaptures(json)
  );
}

/**
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function faultInHead({ event, unit, scale, total, samples, class_names: classNames }) {
  if (typeof event !== "string") return [`event ${show(event)}`, "text"];
  if (typeof unit !== "string") return [`unit ${show(unit)}`, "text"];
  if (!isCount(scale) || scale < 1) return [`scale ${show(scale)}`, "a whole number from 1"];
  if (!isDigits(total)) return [`total ${show(total)}`, "decimal digits as text"];
  if (samples !== null && !isCount(samples)) return [`samples ${show(samples)}`, "a count or null"];
  if (JSON.stringify(classNames) !== JSON.stringify(CLASS_NAMES)) {
    return [`class_names ${show(classNames)}`, CLASS_NAMES.join(", ")];
  }
  return null;
}

/**
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function faultInNames({ names, keys, classes }) {
  const fault =
    faultInColumn("names", names, names?.length, (value) => typeof value === "string", "text") ??
    faultInColumn(
      "keys",
      keys,
      names.length,
      (value) => value === null || typeof value === "string",
      "text or null",
    ) ??
    faultInColumn(
      "classes",
      classes,
      names.length,
      (value) => isCount(value) && value < CLASS_NAMES.length,
      `an index below ${CLASS_NAMES.length}`,
    );
  if (fault) return fault;
  const ofClass = CLASS_NAMES.map(() => new Set());
  for (let at = 0; at < names.length; at++) ofClass[classes[at]].add(names[at]);
  const distinct = ofClass.reduce((sum, { size }) => sum + size, 0);
  return distinct < names.length ? ["a name twice in one class", "each once"] : null;
}

/**
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function faultInTree({ parent, name, names }) {
  const fault =
    faultInColumn("parent", parent, parent?.length, Number.isInteger, "the number of a node") ??
    faultInColumn(
      "name",
      name,
      parent.length,
      (value) => isCount(value) && value < names.length,
      `an index below ${names.length}`,
    );
  if (fault) return fault;
  if (parent[0] !== -1) return [`parent[0] ${show(parent[0])}`, "-1: node 0 is the root"];
  for (let node = 1; node < parent.length; node++) {
    let open = node - 1; // in preorder, the parent is the node before or one of its callers
    while (open >= 0 && open !== parent[node]) open = open > parent[node] ? parent[open] : -1;
    if (open < 0) return [`parent[${node}] ${show(parent[node])}`, "nodes in preorder"];
  }
  return null;
}

/**
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function faultInWeights({ parent, scale, total, samples, self, self_samples: selfSamples }) {
  const asText = Array.isArray(self) && typeof self[0] === "string";
  const fault =
    faultInColumn(
      "self",
      self,
      parent.length,
      asText ? isDigits : isCount,
      asText ? "decimal digits as text" : "a whole number from 0",
    ) ??
    (selfSamples === null
      ? null
      : faultInColumn("self_samples", selfSamples, parent.length, isCount, "a count"));
  if (fault) return fault;
  const sum = exactWeight({ scale }, exactSum(asText ? self.map(BigInt) : self));
  if (sum !== BigInt(total)) return [`total ${total}`, `${sum}, the sum of "self" × "scale"`];
  if (selfSamples && exactSum(selfSamples) !== BigInt(samples ?? -1)) {
    return [`samples ${show(samples)}`, 'the sum of "self_samples"'];
  }
  return null;
}

/**
 * @param {Json} json
 * @returns {[string, string] | null}
 */
function faultInCaptures({ captures }) {
  return faultInColumn("captures", captures, captures?.length, isCapture, "a capture", 0);
}

/** @param {any} value */
function isCapture(value) {
  return (
    typeof value?.file === "string" &&
    typeof value.sha256 === "string" &&
    typeof value.format === "string" &&
    (value.samples === null || isCount(value.samples)) &&
    isDigits(value.weight) &&
    isCount(value.lost) &&
    typeof value.partial === "boolean" &&
    (value.shares_only === null || typeof value.shares_only === "string") &&
    Array.isArray(value.skipped) &&
    value.skipped.every(
      (/** @type {any} */ one) =>
        typeof one?.reason === "string" && isCount(one.count) && isCount(one.first_line),
    ) &&
    (value.labels === undefined || isLabels(value.labels))
  );
}

/** @param {any} value */
function isLabels(value) {
  const isLabel = (/** @type {any} */ one) => typeof one?.key === "string" && isCount(one.values);
  return Array.isArray(value) && value.every(isLabel);
}

/**
 * @param {string} key
 * @param {unknown} column
 * @param {number} length
 * @param {(value: any) => boolean} fits
 * @param {string} expected
 * @param {number} [least]
 * @returns {[string, string] | null}
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

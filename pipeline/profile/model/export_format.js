/**
 * The facts in our exports besides names and weights, so that they can be read back: the class of
 * each frame, and the facts that stacks alone do not state, as one line of text. Folded stacks have
 * it as a comment, pprof and speedscope files in a field that other tools only show:
 *
 *     perfpress-folded event=alloc_space unit=bytes samples=812 lost=0
 */

import { SEVERAL } from "./libraries.js";
import { CLASS_NAMES, exactWeight, INLINED, JIT, KERNEL, LIBRARY, THREAD } from "./profile.js";
import { decimalsOf, plainEvent, unitOf } from "./units.js";

/** What the line begins with. */
export const FACTS = "perfpress-folded ";

/** What the first line of folded stacks begins with, and each line with facts of what follows it. */
export const HEAD = `# ${FACTS}`;

/** @type {Record<number, string>} of folded stacks */
export const SUFFIX_OF_CLASS = {
  [KERNEL]: "_[k]",
  [JIT]: "_[j]",
  [INLINED]: "_[i]",
  [LIBRARY]: "_[l]",
};

/**
 * Write the class and the library of a frame as its object or file: `[thread]`, `[library] libc.so.6`.
 *
 * @param {number} frameClass
 * @param {string} library empty where it is not known (libraries.js)
 */
export function formatObject(frameClass, library) {
  const ofClass = `[${CLASS_NAMES[frameClass]}]`;
  return library === "" || library === SEVERAL ? ofClass : `${ofClass} ${library}`;
}

/**
 * Read what `formatObject()` wrote; null where it is something else.
 *
 * @param {unknown} text
 */
export function parseObject(text) {
  const [, className, library = ""] =
    /^\[(\w+)\](?: (.+))?$/s.exec(typeof text === "string" ? text : "") ?? [];
  const frameClass = CLASS_NAMES.indexOf(className ?? "");
  return frameClass < 0 ? null : { frameClass, library };
}

/**
 * @typedef {Pick<import("./profile.js").Profile, "event" | "unit" | "samples"> & { captures: CaptureFacts[] }} Facts
 * @typedef {Omit<import("./profile.js").Capture, "sha256">} CaptureFacts
 *
 * @typedef {object} StatedFacts
 * @property {string | null} event
 * @property {string | null} unit null to derive it from the event
 * @property {number | null} samples
 * @property {number} lost
 * @property {number} skipped
 * @property {boolean} partial
 * @property {string | null} sharesOnly
 */

/**
 * @param {Facts} facts
 * @returns {string}
 */
export function formatFacts({ event, unit, samples, captures }) {
  const lost = captures.reduce((sum, capture) => sum + capture.lost, 0);
  const skipped = captures
    .flatMap((capture) => capture.skipped)
    .reduce((sum, { count }) => sum + count, 0);
  const sharesOnly = captures.find((capture) => capture.shares_only)?.shares_only ?? null;
  const parts = [
    `event=${escaped(event)}`,
    unit === unitOf(event) ? "" : `unit=${escaped(unit)}`,
    samples === null ? "" : `samples=${samples}`,
    `lost=${lost}`,
    skipped === 0 ? "" : `skipped=${skipped}`,
    captures.some((capture) => capture.partial) ? "partial=true" : "",
    sharesOnly === null ? "" : `shares_only=${escaped(sharesOnly)}`,
  ];
  return FACTS + parts.filter(Boolean).join(" ");
}

/**
 * Read what `formatFacts()` wrote, without what it begins with.
 *
 * @param {string} text
 * @returns {StatedFacts}
 */
export function parseFacts(text) {
  const fields = new URLSearchParams(text.trim().replaceAll(" ", "&"));
  const count = (/** @type {string} */ key) => {
    const digits = fields.get(key) ?? "";
    return /^\d{1,15}$/.test(digits) ? Number(digits) : null;
  };
  const event = fields.get("event");
  return {
    event: event === null ? null : plainEvent(event),
    unit: fields.get("unit") || null,
    samples: count("samples"),
    lost: count("lost") ?? 0,
    skipped: count("skipped") ?? 0,
    partial: fields.get("partial") === "true",
    sharesOnly: fields.get("shares_only") || null,
  };
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\s%&+]/g, encodeURIComponent);
}

/**
 * Write a name as a frame of a folded stack.
 *
 * @param {string} name
 * @param {number} [frameClass] the first frame of a stack is a thread
 */
export function foldedFrame(name, frameClass = THREAD) {
  return `${name.replace(/[;\n\r]/g, ":")}${SUFFIX_OF_CLASS[frameClass] ?? ""}`;
}

/**
 * Write an exact weight in the unit that the event has: 250 of `0.01 samples` are `2.50`.
 *
 * @param {{ unit: string, scale: number }} profile or a side of a diff
 * @param {number | bigint} weight scaled
 */
export function weightText(profile, weight) {
  const decimals = decimalsOf(profile.unit);
  const quick = Number(weight) * profile.scale;
  if (decimals === 0 && Number.isSafeInteger(quick)) return String(quick);
  const exact = String(exactWeight(profile, weight));
  if (decimals === 0) return exact;
  const digits = exact.padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

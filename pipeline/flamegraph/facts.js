/**
 * The facts that stacks alone do not tell, as one line of text. Folded stacks have it as a comment,
 * pprof and speedscope files in a field that other tools only show:
 *
 *     perfpress-folded event=alloc_space unit=bytes samples=812 lost=0
 */

import { plainEvent, unitOf } from "./units.js";

/** What the line begins with. */
export const FACTS = "perfpress-folded ";

/**
 * @typedef {Pick<import("./profile.js").Profile, "event" | "unit" | "samples"> & { captures: Told[] }} Facts
 * @typedef {Omit<import("./profile.js").Capture, "sha256">} Told
 *
 * @typedef {object} StatedFacts
 * @property {string | null} event
 * @property {string | null} unit null where the event tells it
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

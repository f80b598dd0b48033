// What the compare page says of two sides besides their numbers.

/**
 * @typedef {import("./choice.js").Cell} Cell
 * @typedef {import("./choice.js").Data} Data
 * @typedef {import("./pairs.js").Pair} Pair
 *
 * @typedef {object} Sides the two cells, by their names for readers
 * @property {Cell} base
 * @property {Cell} after
 * @property {string} baseLabel
 * @property {string} afterLabel
 *
 * @typedef {{ kind: "correction" | "problem" | "warning", text: string }} Notice
 */

/**
 * Name both sides: by their releases, and by their variants where these differ.
 *
 * @param {Data} data
 * @param {Cell} base
 * @param {Cell} after
 * @returns {Sides}
 */
export function sidesOf(data, base, after) {
  /** @param {Cell} cell */
  const label = ({ release, variant }) => {
    const name = data.releases.find(({ id }) => id === release)?.label ?? release;
    if (base.variant === after.variant) return name;
    return `${name} on ${data.variants.find(({ id }) => id === variant)?.label ?? variant}`;
  };
  return { base, after, baseLabel: label(base), afterLabel: label(after) };
}

/**
 * @param {Sides} sides
 * @param {Pair | null} pair
 * @param {string[]} events that both have
 * @returns {Notice[]}
 */
export function noticesOf({ base, after, baseLabel, afterLabel }, pair, events) {
  /** @type {Notice[]} */
  const notices = [];
  /** @param {string} text */
  const warn = (text) => notices.push({ kind: "warning", text });
  for (const [cell, label] of /** @type {const} */ ([
    [base, baseLabel],
    [after, afterLabel],
  ])) {
    for (const text of cell.notices ?? []) {
      notices.push({ kind: "correction", text: `${label}: ${text}` });
    }
  }
  if (base.variant !== after.variant) {
    warn("The two were measured on different variants: a difference can come from either.");
  }
  const without = [
    ...(base.profiles ? [] : [baseLabel]),
    ...(after.profiles ? [] : [afterLabel]),
  ].join(" and of ");
  if (without)
    warn(`There is no profile of ${without}, so there are only these numbers to compare.`);
  if (!pair) return notices;
  if (!pair.isCommon) {
    const of = (/** @type {import("./choice.js").Profile} */ { event, unit }) =>
      `${event} (${unit})`;
    warn(
      `${baseLabel} was sampled by ${of(pair.base)}, ${afterLabel} by ${of(pair.after)}. They have no event and unit in common, so only shares can be compared, and a share of the one is not a share of the other.`,
    );
  } else if (events.length > 1) {
    const others = events.filter((event) => event !== pair.event).join(" and ");
    warn(`This is of ${pair.event}. Both were captured with ${others}, too: choose it above.`);
  }
  const [was, is] = [pair.base.scope, pair.after.scope];
  if (pair.isCommon && was && is && was !== is) {
    warn(`What was sampled differs. ${baseLabel}: ${was}. ${afterLabel}: ${is}.`);
  }
  for (const text of pair.base.warnings ?? []) warn(`${baseLabel}: ${text}`);
  for (const text of pair.after.warnings ?? []) warn(`${afterLabel}: ${text}`);
  return notices;
}

/**
 * Say how much of both profiles found its like in the other, as built pages do
 * (pipeline/site_data/diff_page.py).
 *
 * @param {import("../flamegraph/diff_words.js").Told} told
 */
export function matchedWords(told) {
  /** @param {number} percent */
  const say = (percent) => `${percent.toFixed(1)}\u00a0%`;
  const matched = `Matched: ${say(told.matched_percent)} of the weight (${say(told.base_matched_percent)} of the base, ${say(told.after_matched_percent)} of the other)`;
  return [matched, ...told.threads].join(". ");
}

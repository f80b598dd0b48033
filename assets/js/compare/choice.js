// The comparison that a reader chose, as the link has it: `#step=select&a=9.4&b=11.0@lab1--8clients`.
// Everything else in the fragment stays as it is: anchors, and the state of the graph.

import { partsOf, valueIn } from "@perfpress/flamegraph/viewer/fragment.js";

/**
 * @typedef {import("../data.js").CompareName} Name
 * @typedef {import("../data.js").CompareProfile} Profile
 * @typedef {import("../data.js").CompareCell} Cell
 * @typedef {import("../data.js").CompareChoices} Choices
 * @typedef {Choices & { cells: Cell[] }} Data with what was measured of the step that is chosen
 *
 * @typedef {{ release: string, variant: string }} ReleaseChoice empty where it is not known
 * @typedef {{ step: string, a: ReleaseChoice, b: ReleaseChoice, event: string }} Choice `event`: empty for the first
 */

const KEYS = ["step", "a", "b", "event"];
/** Most names listed in one sentence. */
const MOST_LISTED = 40;
/** Most characters of a link quoted in a sentence. */
const LONGEST_QUOTED = 60;

/**
 * @param {string} fragment
 * @param {Choices} choices
 * @param {string[]} [renamed]
 * @param {string[]} [wrong]
 * @returns {string} the step that a link asks for, or the report's first choice; empty where it is not there
 */
export function stepOf(fragment, choices, renamed = [], wrong = []) {
  const asked = valueIn(fragment, "step");
  return asked ? known(asked, "step", choices.steps, choices, renamed, wrong) : choices.step;
}

/**
 * Read what a link asks for. What it leaves open is the report's base against its newest release; what it
 * asks for and is not there stays open, and is reported.
 *
 * @param {string} fragment
 * @param {Data} data
 * @returns {{ choice: Choice, renamed: string[], wrong: string[] }} `renamed`: what has another name
 *   now; `wrong`: what is not there, and what is
 */
export function readChoice(fragment, data) {
  /** @type {string[]} */
  const renamed = [];
  /** @type {string[]} */
  const wrong = [];
  const step = stepOf(fragment, data, renamed, wrong);
  const [a, b] = ["a", "b"].map((key) => {
    const text = valueIn(fragment, key);
    return text ? sideOf(text, data, renamed, wrong) : null;
  });
  const variant = (a ?? b)?.variant || data.variants[0]?.id || "";
  const measured = releasesWith(data, step, variant);
  const other = (/** @type {string[]} */ ids, /** @type {ReleaseChoice | null} */ than) =>
    ids.find((id) => id !== than?.release && measured.includes(id)) ?? "";
  // The base that the reader has chosen on another page may have come along.
  const bases = [
    valueIn(fragment, "base"),
    baseWithProfile(data, step, variant),
    data.base,
    ...measured.toReversed(),
  ];
  const base = a ?? { release: other(bases, b), variant };
  const after = b ?? { release: other(measured.toReversed(), base), variant };
  return {
    choice: { step, a: base, b: after, event: valueIn(fragment, "event") },
    renamed: [...new Set(renamed)],
    wrong,
  };
}

/**
 * @param {Data} data
 * @param {string} step
 * @param {string} variant
 * @returns {string} the base, where only others have a profile the first of them; empty without profiles
 */
function baseWithProfile(data, step, variant) {
  const profiled = releasesWith(
    { ...data, cells: data.cells.filter(({ profiles }) => profiles) },
    step,
    variant,
  );
  return profiled.find((release) => release === data.base) ?? profiled[0] ?? "";
}

/**
 * @param {Data} data
 * @param {string} step
 * @param {string} variant
 * @returns {string[]} ids of the releases that were measured, in order
 */
function releasesWith({ releases, cells }, step, variant) {
  const measured = new Set(
    cells
      .filter((cell) => cell.step === step && cell.variant === variant)
      .map(({ release }) => release),
  );
  return releases.map(({ id }) => id).filter((id) => measured.has(id));
}

/**
 * @param {string} text `<release>` or `<release>@<variant>`
 * @param {Choices} data
 * @param {string[]} renamed
 * @param {string[]} wrong
 * @returns {ReleaseChoice}
 */
function sideOf(text, data, renamed, wrong) {
  const [release, variant] = text.split("@");
  return {
    release: known(release, "release", data.releases, data, renamed, wrong),
    variant: variant
      ? known(variant, "variant", data.variants, data, renamed, wrong)
      : (data.variants[0]?.id ?? ""),
  };
}

/**
 * Return the id of a name, under whatever name it was published.
 *
 * @param {string} asked
 * @param {"step" | "release" | "variant"} what
 * @param {Name[]} names
 * @param {Choices} data
 * @param {string[]} renamed
 * @param {string[]} wrong
 * @returns {string} empty where there is none
 */
function known(asked, what, names, { renames }, renamed, wrong) {
  let id = asked;
  // In their order, so that what was renamed twice is followed to its last name.
  for (const rename of renames) {
    if (rename.what !== what || rename.old !== id || names.some((name) => name.id === id)) continue;
    id = rename.new;
    renamed.push(rename.words);
  }
  const found = names.find((name) => name.id === id || name.label === id);
  if (found) return found.id;
  wrong.push(
    `The link asks for the ${what} “${cut(asked)}”, which is not in this report. ${listed(what, names)}`,
  );
  return "";
}

/**
 * @param {string} what
 * @param {Name[]} names
 */
function listed(what, names) {
  const ids = names.map(({ id }) => id);
  const more = ids.length - MOST_LISTED;
  const rest = more > 0 ? ` and ${more} more` : "";
  return `Its ${what}s: ${ids.slice(0, MOST_LISTED).join(", ")}${rest}.`;
}

/** @param {string} text of a link, to be shown in a sentence */
function cut(text) {
  return text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
}

/**
 * Return the fragment that asks for a choice; what else was in it is kept.
 *
 * @param {string} fragment
 * @param {Choice} choice
 * @param {Choices} choices
 */
export function writeChoice(fragment, { step, a, b, event }, { variants }) {
  const others = partsOf(fragment).filter(
    (part) => !KEYS.some((key) => part.startsWith(`${key}=`)),
  );
  /** @param {ReleaseChoice} side */
  const text = ({ release, variant }) =>
    release && variant !== variants[0]?.id ? `${release}@${variant}` : release;
  const own = Object.entries({ step, a: text(a), b: text(b), event })
    .filter(([, value]) => value)
    // What names sides needs no escape but in what an author or a capture has named.
    .map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll("%40", "@")}`);
  return `#${[...own, ...others].join("&")}`;
}

/**
 * @param {Data} data
 * @param {Choice} choice
 * @param {ReleaseChoice} side
 * @returns {Cell | undefined}
 */
export function cellOf({ cells }, { step }, { release, variant }) {
  return cells.find(
    (cell) => cell.step === step && cell.release === release && cell.variant === variant,
  );
}

/**
 * Say why a side cannot be compared, where it was not measured.
 *
 * @param {Data} data
 * @param {Choice} choice
 * @param {ReleaseChoice} side
 * @returns {string}
 */
export function notMeasured(data, choice, { release, variant }) {
  /** @param {Name[]} names @param {string} id */
  const label = (names, id) => names.find((name) => name.id === id)?.label ?? id;
  const step = label(data.steps, choice.step);
  const releases = releasesWith(data, choice.step, variant);
  const there =
    releases.length > 0
      ? `Measured: ${releases.map((id) => label(data.releases, id)).join(", ")}.`
      : "No release was.";
  return `${label(data.releases, release)} was not measured with ${step} on ${label(data.variants, variant)}. ${there}`;
}

/**
 * Say that the two sides have no profiles of an event that the link asks for.
 *
 * @param {string} event
 * @param {string[]} events that both have
 * @returns {string}
 */
export function notSampled(event, events) {
  return `The two have no profiles of ${cut(event)}. They have ${events.join(", ")}.`;
}

/** What is wrong with a capture, in words for its author. */

import { problem } from "../model/problems.js";
import { UNKNOWN_EVENT } from "../model/units.js";
import { describeOther, FORMAT_NAMES } from "./formats.js";
import { ENDS_TOO_EARLY } from "./stacks/skipped.js";

/** @typedef {import("./input/compression.js").Damage} Damage */

/**
 * @param {string} file
 * @param {string} name of a format that there is none of
 */
export function unknownFormat(file, name) {
  return problem({
    path: file,
    found: `the format ${JSON.stringify(name)}, which no reader reads`,
    expected: FORMAT_NAMES.join(", "),
    do: "correct it under [step.formats]",
  });
}

/**
 * @param {string} file
 * @param {Buffer} head
 * @param {Damage | null} damage
 */
export function unreadable(file, head, damage) {
  const { found, do: todo, line = 1 } = describeOther(head);
  return problem({
    path: file,
    line,
    found: damage ? `${found} (${damage})` : found,
    expected: `a capture (${FORMAT_NAMES.join(", ")}), plain, .gz, .zst or .xz`,
    do: damage && head.length === 0 ? "check that it decompresses; if not, copy it again" : todo,
  });
}

/**
 * Describe a capture that weighs nothing: a share of nothing is not a number, so it is not a profile.
 *
 * @param {string} file
 * @param {{ event: string, samples: number | null }[]} events those that weigh nothing
 * @param {boolean} [partial] whether there was more in it
 */
export function withoutWeight(file, events, partial = false) {
  const sampled = events.filter(({ samples }) => samples !== 0).map(({ event }) => event);
  const found = sampled.length > 0 ? "samples that weigh nothing" : "no samples";
  const named = sampled.filter((event) => event !== UNKNOWN_EVENT);
  return problem({
    path: file,
    found: named.length > 0 ? `${named.join(", ")}: ${found}` : found,
    expected: "at least one that counts",
    do: partial
      ? "copy the file again: it is not whole"
      : "check that the recorder ran while the program was busy",
  });
}

/** @param {string} file */
export function tooHeavy(file) {
  return problem({
    path: file,
    found: "weights of more than 400 digits",
    expected: "weights that something counted",
    do: "fold the recording again",
  });
}

/** @param {string} file */
export function withoutEnd(file) {
  return problem({
    path: file,
    found: "a last line without an end: it counts, as whole",
    do: "copy the file again if there is more of it",
    severity: "warning",
  });
}

/**
 * @param {string} file
 * @param {string} doubt
 * @param {string} unit that they are taken for
 */
export function notThisUnit(file, doubt, unit) {
  return problem({
    path: file,
    found: doubt,
    do:
      unit === "samples"
        ? "they are read as samples: fold the recording again with its periods, as perfpress fold does"
        : 'they are read as events of an unknown kind: name it in run.toml, such as event = "cycles"',
    severity: "warning",
  });
}

/**
 * @param {string} file
 * @param {import("../model/profile.js").Skipped} skipped
 */
export function asProblem(file, { reason, count, first_line: line }) {
  const found = count === 1 ? reason : `${reason}, ${count} times`;
  return problem({ path: file, line, found, severity: "warning" });
}

/**
 * Say what was not read of a capture, and what is wrong with its file.
 *
 * @param {string} file
 * @param {import("./stacks/format.js").Folded} folded
 * @param {Damage | null} damage
 */
export function problemsOf(file, folded, damage) {
  // What the damage cut off is not a problem of its own: it shows the line at which the damage begins.
  const cutOff = damage
    ? folded.skipped.find(({ reason }) => reason.endsWith(ENDS_TOO_EARLY))
    : undefined;
  const problems = folded.skipped
    .filter((skipped) => skipped !== cutOff)
    .map((skipped) => asProblem(file, skipped));
  if (damage) {
    problems.push(
      problem({
        path: file,
        line: cutOff?.first_line ?? 0,
        found: damage,
        do: "what was read before the damage counts; copy the file again if there is more of it",
        severity: "warning",
      }),
    );
  }
  return problems;
}

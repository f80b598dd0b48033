/** Folds one capture, whatever its format and compression, into a profile an event. */

import { Buffer } from "node:buffer";
import { BadInput, problem } from "../problems.js";
import { UNKNOWN_EVENT, unitOf } from "../units.js";
import { readUnpacked, sha256Of } from "./compression.js";
import { describeOther, FORMAT_NAMES, formatNamed, formatOf } from "./formats.js";
import { ENDS_TOO_EARLY } from "./skipped.js";

const LINE_FEED = 0x0a;

/**
 * @typedef {object} CaptureFile
 * @property {string} file the name to show
 * @property {string} path where it lies
 * @property {string | null} [event] what it counts, where it does not say so itself
 * @property {string | null} [format] where recognition is wrong
 */

/**
 * Return the profiles of a capture, and what its author should know of it.
 *
 * @param {CaptureFile} capture
 * @returns {Promise<{ profiles: import("../profile.js").Profile[], problems: import("../problems.js").Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function foldCapture({ file, path, event, format: stated }) {
  const intake = new Intake(event ?? UNKNOWN_EVENT, stated ? statedFormat(file, stated) : null);
  const unpacked = await readOrExplain(file, () =>
    readUnpacked(path, (chunk) => intake.push(chunk)),
  );
  // All recorders end their last line; a text that does not was cut off while it was copied.
  const damage = unpacked ?? (intake.inLine ? "the file ends in the middle of a line" : null);
  const read = intake.finish(damage !== null);
  if (!read.folded) throw new BadInput(unreadable(file, read.head, unpacked));
  const { format, folded } = read;
  const partial = folded.partial || damage !== null;
  const sha256 = await sha256Of(path);
  const events = folded.events.sort((a, b) => (a.event < b.event ? -1 : 1));
  const weighed = events.filter(({ builder }) => builder.total() > 0n);
  const weightless = events.filter(({ builder }) => builder.total() === 0n);
  // what was lost or skipped was so before its event was known: it is told once, with the first
  const profiles = weighed.map(({ event, unit, builder, samples, samplesByNode }, index) =>
    builder.build({
      event,
      unit: unit ?? unitOf(event, builder.decimals),
      samples,
      samplesByNode,
      captures: [
        {
          file,
          sha256,
          format,
          samples,
          weight: String(builder.total()),
          lost: index === 0 ? folded.lost : 0,
          partial,
          shares_only: folded.sharesOnly ?? null,
          skipped: index === 0 ? folded.skipped : [],
        },
      ],
    }),
  );
  const problems = problemsOf(file, folded, damage);
  if (profiles.length === 0) throw new BadInput(...problems, withoutWeight(file, weightless));
  for (const one of weightless) {
    problems.push({ ...withoutWeight(file, [one]), severity: "warning" });
  }
  return { profiles, problems };
}

/**
 * Run what reads a file. Where the name leads to no file that can be read, that is a problem of the
 * input; too many open files or a failing disk is not.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} read
 */
export async function readOrExplain(file, read) {
  try {
    return await read();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new BadInput(problem({ path: file, found: "no such file", do: "check the name" }));
    if (code === "EISDIR") {
      throw new BadInput(problem({ path: file, found: "a directory", expected: "a file" }));
    }
    if (code === "EACCES") {
      throw new BadInput(problem({ path: file, found: "a file that may not be read" }));
    }
    throw error;
  }
}

/**
 * @param {string} file
 * @param {string} name
 */
function statedFormat(file, name) {
  const format = formatNamed(name);
  if (format) return format;
  throw new BadInput(
    problem({
      path: file,
      found: `the format ${JSON.stringify(name)}, which no reader reads`,
      expected: FORMAT_NAMES.join(", "),
      do: "correct it under [step.formats]",
    }),
  );
}

/** Takes the chunks of a capture: holds the first back until they tell which reader they are for. */
class Intake {
  #event;
  #head = Buffer.alloc(0);
  /** @type {import("./formats.js").CaptureReader | null} */
  #reader = null;
  /** @type {import("./formats.js").Format | null} */
  #format;
  #refused = false;
  /** Whether the last byte so far ends no line. */
  inLine = false;

  /**
   * @param {string} event
   * @param {import("./formats.js").Format | null} format null where content has to tell
   */
  constructor(event, format) {
    this.#event = event;
    this.#format = format;
  }

  /** @param {Uint8Array} chunk */
  push(chunk) {
    if (chunk.length > 0) this.inLine = chunk.at(-1) !== LINE_FEED;
    if (this.#refused) return;
    if (this.#reader) {
      this.#reader.push(chunk);
      return;
    }
    this.#head = Buffer.concat([this.#head, chunk]);
    this.#choose(false);
  }

  /** @param {boolean} partial */
  finish(partial) {
    if (!this.#reader && !this.#refused) this.#choose(true);
    const folded = this.#reader?.finish(partial) ?? null;
    return { folded, format: this.#format?.FORMAT ?? "", head: this.#head };
  }

  /** @param {boolean} whole */
  #choose(whole) {
    const format = this.#format ?? formatOf(this.#head, whole);
    if (format === "more") return;
    if (format === null) {
      this.#refused = true;
      return;
    }
    this.#format = format;
    this.#reader = new format.Reader(this.#event);
    this.#reader.push(this.#head);
    this.#head = Buffer.alloc(0);
  }
}

/**
 * @param {string} file
 * @param {Buffer} head
 * @param {string | null} damage
 */
function unreadable(file, head, damage) {
  const { found, do: todo } = describeOther(head);
  return problem({
    path: file,
    line: 1,
    found: damage ? `${found} (${damage})` : found,
    expected: "perf script text or folded stacks, plain, .gz, .zst or .xz",
    do: todo,
  });
}

/**
 * Describe a capture that weighs nothing: a share of nothing is no number, so it is no profile.
 *
 * @param {string} file
 * @param {{ event: string, samples: number | null }[]} events those that weigh nothing
 */
export function withoutWeight(file, events) {
  const sampled = events.filter(({ samples }) => samples !== 0).map(({ event }) => event);
  const found = sampled.length > 0 ? "samples that weigh nothing" : "no samples";
  const named = sampled.filter((event) => event !== UNKNOWN_EVENT);
  return problem({
    path: file,
    found: named.length > 0 ? `${named.join(", ")}: ${found}` : found,
    expected: "at least one that counts",
    do: "check that the recorder ran while the program was busy",
  });
}

/**
 * @param {string} file
 * @param {import("./formats.js").Folded} folded
 * @param {string | null} damage
 */
function problemsOf(file, folded, damage) {
  // What the damage cut off is no trouble of its own: it tells the line at which the damage begins.
  const cutOff = damage
    ? folded.skipped.find(({ reason }) => reason.endsWith(ENDS_TOO_EARLY))
    : undefined;
  const problems = folded.skipped
    .filter((skipped) => skipped !== cutOff)
    .map(({ reason, count, first_line: line }) =>
      problem({
        path: file,
        line,
        found: count === 1 ? reason : `${reason}, ${count} times`,
        severity: "warning",
      }),
    );
  if (damage) {
    problems.push(
      problem({
        path: file,
        line: cutOff?.first_line ?? 0,
        found: damage,
        do: "what stands before counts; copy the file again if there is more of it",
        severity: "warning",
      }),
    );
  }
  return problems;
}

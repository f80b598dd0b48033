/** Folds one capture, whatever its format and compression, into a profile an event. */

import { Buffer } from "node:buffer";
import { profilesOf } from "../event_tree.js";
import { BadInput, problem } from "../problems.js";
import { NO_ROOM } from "../profile_builder.js";
import { UNKNOWN_EVENT, unitOf } from "../units.js";
import { NotAFile, readUnpacked } from "./compression.js";
import { describeOther, FORMAT_NAMES, formatNamed, formatOf } from "./formats.js";
import { withoutLongEnd } from "./lines.js";
import { isPerfData, readPerfData } from "./perf_data.js";
import { joined, readInHalves } from "./perf_script/halves.js";
import { Reader as PerfScriptReader } from "./perf_script/reader.js";
import { ENDS_TOO_EARLY } from "./skipped.js";
import { Utf8Stream } from "./text_encoding.js";

const LINE_FEED = 0x0a;

/** @type {Damage} */
const CUT_LINE = { kind: "cut", found: "the file ends in the middle of a line" };

const ADVICE = {
  cut: "what stands before counts; copy the file again if there is more of it",
  wrong: "all of it was read and counts, but some of it may be wrong: copy the file again",
  behind: "all that was packed counts",
};

/** Nothing weighs as much; and not all who read profiles read numbers of thousands of digits. */
const TOO_HEAVY = 10n ** 400n;

/**
 * @typedef {object} CaptureFile
 * @property {string} file the name to show
 * @property {string} path where it lies
 * @property {string | null} [event] what it counts, where it does not say so itself
 * @property {string | null} [format] where recognition is wrong
 * @property {string[]} [labels] keys of labels that become frames below the thread
 * @property {boolean} [mayRunPerf] whether perf may read a perf.data file here: not on a host that
 *   has files of strangers, nor the programs that were recorded
 * @property {number} [halvesFrom] bytes from which on a second thread reads half of it, which changes
 *   nothing but the time; none does where this is not given
 * @property {string | null} [sha256] of the file as it lies there, where that is known already
 * @property {import("./pipe.js").Pipe} [pipe] what is read instead of a file
 *
 * @typedef {import("../event_tree.js").EventTree} EventTree
 * @typedef {import("./compression.js").Damage} Damage
 */

/**
 * Return the profiles of a capture, and what its author should know of it.
 *
 * @param {CaptureFile} capture
 * @returns {Promise<{ profiles: import("../profile.js").Profile[], problems: import("../problems.js").Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function foldCapture(capture) {
  const { trees, problems } = await readCapture(capture);
  return { profiles: await profilesOf(trees), problems };
}

/**
 * Return a tree for each event of a capture, and what its author should know of it.
 *
 * @param {CaptureFile} capture
 * @returns {Promise<{ trees: EventTree[], problems: import("../problems.js").Problem[] }>}
 * @throws {BadInput} where nothing can be read of it
 */
export async function readCapture(capture) {
  const { file, path, event, format: stated, labels = [], pipe } = capture;
  const told = stated ? statedFormat(file, stated) : null;
  const intake = new Intake(event ?? UNKNOWN_EVENT, labels, told);
  const unpacked = await readOrExplain(file, () => readBytes(capture, intake));
  const read = intake.finish(unpacked);
  if (!read.folded) throw new BadInput(unreadable(file, read.head, unpacked));
  const { format, folded, damage } = read;
  const sha256 = pipe?.sha256() ?? capture.sha256 ?? null;
  const partial = folded.partial || (damage !== null && damage.kind !== "behind");
  const events = folded.events.sort((a, b) => (a.event < b.event ? -1 : 1));
  const weighed = events.filter(({ builder }) => builder.total() > 0n);
  if (weighed.some(({ builder }) => builder.total() > TOO_HEAVY))
    throw new BadInput(tooHeavy(file));
  const weightless = events.filter(({ builder }) => builder.total() === 0n);
  // what was lost or skipped was so before its event was known: it is told once, with the first
  const trees = weighed.map(({ event, unit, builder, samples, samplesByNode }, index) => ({
    event,
    unit: unit ?? unitOf(event, builder.decimals),
    builder,
    samples,
    samplesByNode,
    captures: [
      {
        file,
        sha256,
        path,
        format,
        samples,
        weight: String(builder.total()),
        lost: index === 0 ? folded.lost : 0,
        partial,
        shares_only: folded.sharesOnly ?? null,
        skipped: [...(index === 0 ? folded.skipped : []), ...withoutRoom({ builder })],
        ...(folded.labels?.length && { labels: folded.labels }),
      },
    ],
  }));
  const problems = problemsOf(file, folded, damage);
  if (read.endsOpen) problems.push(withoutEnd(file));
  if (trees.length === 0) throw new BadInput(...problems, withoutWeight(file, weightless, partial));
  for (const one of weightless) {
    problems.push({ ...withoutWeight(file, [one]), severity: "warning" });
  }
  for (const { doubt } of weighed) if (doubt) problems.push(notThisUnit(file, doubt));
  for (const one of trees.flatMap(withoutRoom)) problems.push(asProblem(file, one));
  return { trees, problems };
}

/**
 * @param {CaptureFile} capture
 * @param {Intake} intake
 */
async function readBytes({ file, path, pipe, mayRunPerf, event, halvesFrom }, intake) {
  /** @param {Uint8Array} chunk */
  const take = (chunk) => intake.push(chunk);
  if (pipe) return pipe.read(take);
  if (mayRunPerf && (await isPerfData(path))) return readPerfData(file, path, take);
  if (halvesFrom) return readInHalves(path, halvesFrom, intake, event ?? UNKNOWN_EVENT);
  return readUnpacked(path, take);
}

/**
 * What the system's refusals to read a file say of it.
 *
 * @type {Record<string, { found: string, expected?: string, do?: string }>}
 */
const REFUSALS = {
  ENOENT: { found: "no such file", do: "check the name" },
  ENOTDIR: { found: "no such file", do: "check the name" },
  EISDIR: { found: "a directory", expected: "a file" },
  EACCES: { found: "a file that may not be read" },
  ELOOP: { found: "a link that leads back to itself", do: "check where it should lead" },
  ENXIO: { found: "a socket or a device that nothing answers at", expected: "a file" },
};

/**
 * Run what reads a file. Where the name leads to no file that can be read, that is a problem of the
 * input; too many open files or a failing disk is not, and the next time may be gone.
 *
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} read
 */
export async function readOrExplain(file, read) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotAFile) {
      throw new BadInput(problem({ path: file, found: error.message, expected: "a file" }));
    }
    const { code = "" } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === "EIO" && error instanceof Error) {
      error.message = `EIO: the system fails to read ${file}: copy it again, or to another disk`;
    }
    if (!Object.hasOwn(REFUSALS, code)) throw error;
    throw new BadInput(problem({ path: file, ...REFUSALS[code] }));
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

/**
 * Whether a format may be in it that is read by its lines; JSON and drawings may be all one line.
 *
 * @param {Buffer} head
 */
function hasLines(head) {
  return !/^\s*[{<]/.test(head.toString("latin1", 0, 64)) && !head.subarray(0, 64).includes(0);
}

/** Takes the chunks of a capture: holds the first back until they tell which reader they are for. */
class Intake {
  #event;
  #labels;
  /** @type {Buffer} */
  #head = Buffer.alloc(0);
  /** @type {import("./formats.js").CaptureReader | null} */
  #reader = null;
  /** @type {import("./formats.js").Format | null} */
  #format;
  #refused = false;
  #inLine = false;
  #text = new Utf8Stream();
  /** @type {import("./perf_script/halves.js").Half | null} */
  #half = null;

  /**
   * @param {string} event
   * @param {string[]} labels
   * @param {import("./formats.js").Format | null} format null where content has to tell
   */
  constructor(event, labels, format) {
    this.#event = event;
    this.#labels = labels;
    this.#format = format;
  }

  /** @param {Uint8Array} chunk as it lies in the file */
  push(chunk) {
    this.#take(this.#text.push(chunk));
  }

  /** @param {Uint8Array} chunk */
  #take(chunk) {
    if (chunk.length > 0) this.#inLine = chunk.at(-1) !== LINE_FEED;
    if (this.#refused) return;
    if (this.#reader) {
      this.#reader.push(chunk);
      return;
    }
    const head = Buffer.concat([this.#head, chunk]);
    this.#head = hasLines(head) ? withoutLongEnd(head) : head;
    this.#choose(false);
  }

  /** The reader, where the rest of the text can be read by another one. */
  get splittable() {
    const reader = this.#reader instanceof PerfScriptReader ? this.#reader : null;
    return reader?.isSplittable && this.#text.isUtf8 ? reader : null;
  }

  /** @param {import("./perf_script/halves.js").Half} half the rest, as a thread read it */
  join(half) {
    this.#half = half;
    this.#inLine = half.inLine;
  }

  /** @param {Damage | null} damaged what is wrong with the packed file */
  finish(damaged) {
    this.#take(this.#text.finish());
    if (!this.#reader && !this.#refused) this.#choose(true);
    const isDamaged = damaged !== null && damaged.kind !== "behind";
    // All recorders end their last line: an editor took the end away, or the text was cut off.
    const isOpen = this.#inLine && !this.#format?.TELLS_ITS_END;
    const lines = this.splittable?.lineCount ?? 0;
    const isCut = damaged?.kind === "cut" || (isOpen && isDamaged);
    const own = this.#reader?.finish(isCut, isOpen && !isDamaged) ?? null;
    const folded = own && this.#half ? joined(own, this.#half, lines) : own;
    const damage = folded?.cutOff ? CUT_LINE : damaged;
    const format = this.#format?.FORMAT ?? "";
    const endsOpen = isOpen && !isDamaged && !folded?.cutOff;
    return { folded, damage, endsOpen, format, head: this.#head };
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
    this.#reader = new format.Reader(this.#event, this.#labels);
    this.#reader.push(this.#head);
    this.#head = Buffer.alloc(0);
  }
}

/**
 * @param {string} file
 * @param {Buffer} head
 * @param {Damage | null} damage
 */
function unreadable(file, head, damage) {
  const { found, do: todo, line = 1 } = describeOther(head);
  return problem({
    path: file,
    line,
    found: damage ? `${found} (${damage.found})` : found,
    expected: `a capture (${FORMAT_NAMES.join(", ")}), plain, .gz, .zst or .xz`,
    do: damage && head.length === 0 ? "check that it unpacks: copy it again if it does not" : todo,
  });
}

/**
 * Describe a capture that weighs nothing: a share of nothing is no number, so it is no profile.
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
function tooHeavy(file) {
  return problem({
    path: file,
    found: "weights of more than 400 digits",
    expected: "weights that something counted",
    do: "fold the recording again",
  });
}

/** @param {string} file */
function withoutEnd(file) {
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
 */
function notThisUnit(file, doubt) {
  return problem({
    path: file,
    found: doubt,
    do: "they are read as samples: fold the recording again with its periods, as perfpress fold does",
    severity: "warning",
  });
}

/**
 * @param {string} file
 * @param {import("../profile.js").Skipped} skipped
 */
function asProblem(file, { reason, count, first_line: line }) {
  const found = count === 1 ? reason : `${reason}, ${count} times`;
  return problem({ path: file, line, found, severity: "warning" });
}

/**
 * Say which stacks were cut off because there are too many of them.
 *
 * @param {{ builder: import("../profile_builder.js").ProfileBuilder }} tree
 * @returns {import("../profile.js").Skipped[]}
 */
function withoutRoom({ builder }) {
  const { stacks, weight } = builder.withoutRoom();
  if (stacks === 0) return [];
  const reason = `stack cut off at ${NO_ROOM}, all together a weight of ${weight}`;
  return [{ reason, count: stacks, first_line: 0 }];
}

/**
 * @param {string} file
 * @param {import("./formats.js").Folded} folded
 * @param {Damage | null} damage
 */
function problemsOf(file, folded, damage) {
  // What the damage cut off is no trouble of its own: it tells the line at which the damage begins.
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
        found: damage.found,
        do: ADVICE[damage.kind],
        severity: "warning",
      }),
    );
  }
  return problems;
}

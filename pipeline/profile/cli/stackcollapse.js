/**
 * Folds perf script text into exactly what stackcollapse-perf.pl prints, so that an archive of its
 * output can be continued. Its own output defines what it does; what it loses, this loses too
 * (content/docs/captures.md lists it). Everything else folds with read/perf_script.
 */

import { Buffer } from "node:buffer";
import { BadInput, problem } from "../model/problems.js";
import { ExactSums } from "../model/weights.js";
import { readFileOrPipe, shownName } from "../read/input/pipe.js";
import { readOrExplain } from "../read/refusals.js";
import { LineReader } from "../read/stacks/line_reader.js";
import { skippedProblem } from "../read/stacks/skipped.js";
import { eventIn, framesIn, threadIn } from "./stackcollapse_lines.js";

/**
 * @typedef {object} CompatOptions as stackcollapse-perf.pl names them
 * @property {boolean} [pid] the first frame is `comm-PID`
 * @property {boolean} [tid] the first frame is `comm-PID/TID`
 * @property {boolean} [kernel] kernel frames end in `_[k]`
 * @property {boolean} [jit] frames of JIT compilers end in `_[j]`
 * @property {boolean} [all] both
 * @property {boolean} [addrs] frames without a symbol show their address
 * @property {string} [eventFilter] samples of this event only; else of the first that is seen
 */

/**
 * Characters in a stack, and 16 for each of its frames. Lines of a capture whose ends are not those
 * of Unix close no stack: their frames pile up.
 */
const LONGEST_STACK = 2 ** 25;

/** Frame lines are read once each, and all are read again when that many characters were kept. */
const MOST_KEPT = 2 ** 25;

/** Most events that are reported. */
const MOST_EVENTS = 64;

/** Stacks are written in pieces of so many. */
const LINES_A_PIECE = 2 ** 10;

/**
 * Fold files as if they were one.
 *
 * @param {string[]} files or pipes, plain or compressed
 * @param {CompatOptions} options
 * @returns {Promise<{ pieces: Iterable<Uint8Array>, problems: import("../model/problems.js").Problem[] }>}
 * @throws {BadInput} where there is nothing to print
 */
export async function foldCompat(files, options) {
  const fold = new CompatFold(options);
  const problems = [];
  for (const path of files) {
    const file = shownName(path);
    try {
      const damage = await readOrExplain(file, () =>
        readFileOrPipe(path, (chunk) => fold.push(chunk)),
      );
      if (damage) problems.push(problem({ path: file, found: damage, severity: "warning" }));
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      problems.push(...error.problems);
    }
    problems.push(...fold.endFile().map((skipped) => skippedProblem(file, skipped)));
  }
  if (fold.isEmpty) throw new BadInput(...problems, nothing(files, fold, options));
  if (fold.otherEvents.length > 0) problems.push(leftOut(files, fold));
  return { pieces: fold.pieces(), problems };
}

/**
 * @param {string[]} files
 * @param {CompatFold} fold
 * @param {CompatOptions} options
 */
function nothing(files, { events }, { eventFilter }) {
  const path = files.map(shownName).join(", ");
  if (eventFilter !== undefined && events.length > 0) {
    const found = named(events);
    return problem({ path, found, expected: eventFilter, do: "correct --event-filter" });
  }
  return problem({
    path,
    found: "no samples that stackcollapse-perf.pl takes for such",
    expected: "perf script text with an empty line after each sample",
    do: "leave --compat out, which is for such text alone",
  });
}

/** @param {string[]} events */
function named(events) {
  return `the ${events.length > 1 ? "events" : "event"} ${events.join(", ")}`;
}

/**
 * @param {string[]} files
 * @param {CompatFold} fold
 */
function leftOut(files, { event, otherEvents }) {
  const are = otherEvents.length > 1 ? "are" : "is";
  return problem({
    path: files.map(shownName).join(", "),
    found: `${named(otherEvents)}, which ${are} left out`,
    expected: event,
    do: "choose with --event-filter EVENT",
    severity: "warning",
  });
}

export class CompatFold extends LineReader {
  #options;

  /** The first frame; empty outside of samples, and in those of other events. */
  #root = "";
  /** @type {string[]} innermost first */
  #stack = [];
  #stackLength = 0;
  #weight = /** @type {number | bigint} */ (1);
  #event;
  /** @type {Set<string>} those seen, if they are not too many to printProblems */
  #events = new Set();

  /** @type {Map<string, string[] | null>[]} frames by their line, of other programs and of java */
  #frames = [new Map(), new Map()];
  #kept = 0;
  /** @type {Map<string, number>} */
  #stacks = new Map();
  #sums = new ExactSums();

  /** @param {CompatOptions} options */
  constructor(options) {
    super();
    this.#options = options;
    this.#event = options.eventFilter ?? "";
  }

  /**
   * End a file. The next one continues it, as if they were one.
   *
   * @returns {import("../model/profile.js").Skipped[]} what was not read of it
   */
  endFile() {
    this.endLines();
    const skipped = this.skipped.list();
    this.skipped.clear();
    this.line = 0;
    return skipped;
  }

  /** The events that were seen. */
  get events() {
    return [...this.#events].sort();
  }

  /** Other events than the one that counts, where no filter was asked for. */
  get otherEvents() {
    if (this.#options.eventFilter !== undefined) return [];
    return this.events.filter((event) => event !== this.#event);
  }

  /** Whether no sample counts. */
  get isEmpty() {
    return this.#stacks.size === 0;
  }

  /** The event whose samples count; empty where none was seen. */
  get event() {
    return this.#event;
  }

  /**
   * Return the folded stacks in the order of their bytes.
   *
   * @returns {Generator<Uint8Array, void>}
   */
  *pieces() {
    const stacks = [...this.#stacks].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let at = 0; at < stacks.length; at += LINES_A_PIECE) {
      const lines = stacks
        .slice(at, at + LINES_A_PIECE)
        .map(([stack, sum]) => `${stack} ${this.#sums.get(sum)}\n`);
      yield Buffer.from(lines.join(""), "latin1");
    }
  }

  /**
   * @param {Buffer} bytes
   * @param {DataView} _view
   * @param {number} start
   * @param {number} end
   */
  lines(bytes, _view, start, end) {
    for (let at = start; at < end; ) {
      const newline = bytes.indexOf(0x0a, at);
      this.line++;
      const line = bytes.toString("latin1", at, newline);
      if (line === "") this.#endSample();
      else if (!line.startsWith("#") && !this.#header(line)) this.#frameLine(line);
      at = newline + 1;
    }
  }

  #endSample() {
    if (this.#root !== "") {
      if (this.#stackLength <= LONGEST_STACK) this.#count();
      else this.skipped.add(`stack longer than ${LONGEST_STACK}`, this.line);
    }
    this.#root = "";
    this.#stack = [];
    this.#stackLength = 0;
  }

  #count() {
    const stack = [this.#root, ...this.#stack.reverse()].join(";");
    let sum = this.#stacks.get(stack);
    if (sum === undefined) {
      sum = this.#sums.append();
      this.#stacks.set(stack, sum);
    }
    this.#sums.add(sum, this.#weight);
  }

  /**
   * Take a line as the header of a sample, if it is one.
   *
   * @param {string} line
   */
  #header(line) {
    const thread = threadIn(line);
    if (!thread) return false;
    const counted = eventIn(line);
    if (counted) {
      this.#event ||= counted.event;
      if (this.#events.size < MOST_EVENTS) this.#events.add(counted.event);
      if (counted.event !== this.#event) return true;
    }
    // a tracepoint with fields after its name names no event here: it counts, whatever it is
    this.#weight = counted?.period || 1;
    const { comm, pid, tid } = thread;
    const { pid: withPid, tid: withTid } = this.#options;
    const id = withTid ? `-${pid}/${tid}` : withPid ? `-${pid}` : "";
    this.#root = comm.replaceAll(" ", "_") + id;
    return true;
  }

  /** @param {string} line */
  #frameLine(line) {
    const isJava = this.#root.startsWith("java");
    const known = this.#frames[Number(isJava)];
    let frames = known.get(line);
    if (frames === undefined) {
      this.#kept += line.length;
      if (this.#kept > MOST_KEPT) {
        this.#frames = [new Map(), new Map()];
        this.#kept = 0;
      }
      frames = framesIn(line, this.#options, isJava);
      this.#frames[Number(isJava)].set(line, frames);
    }
    if (frames === null) this.skipped.add("line that is not recognised", this.line);
    else if (this.#root !== "") this.#addFrames(frames);
  }

  /** @param {string[]} frames */
  #addFrames(frames) {
    for (const frame of frames) {
      if (this.#stackLength <= LONGEST_STACK) this.#stack.push(frame);
      this.#stackLength += frame.length + 16;
    }
  }
}

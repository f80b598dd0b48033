/**
 * Reads speedscope's files: https://www.speedscope.app/file-format-schema.json
 *
 * py-spy, rbspy, dotnet-trace and others write them, and so do we. Each of its profiles is a thread,
 * sampled or as frames that open and close; one of ours has the threads as first frames, and a
 * second profile with the samples.
 */

import { FACTS, parseFacts, parseObject } from "../../model/export_format.js";
import { nameInFile } from "../../model/languages/languages.js";
import { THREAD, USER } from "../../model/profile.js";
import { DEEPEST_STACK, ProfileBuilder, roomOfCapture } from "../../model/profile_builder.js";
import { decimalsOf, inFractions, UNKNOWN_EVENT, unitOf, wholeUnit } from "../../model/units.js";
import { LARGEST_IN_WORDS, WholeFileReader } from "../input/whole_file.js";
import { keptFrames, TOO_DEEP } from "../stacks/limits.js";
import { SkippedCounts, WHEN_FOLDED } from "../stacks/skipped.js";
import { plainThread } from "../stacks/thread_names.js";
import { decimalOf, difference, inPlaces, shifted } from "./decimal.js";
import { OpenFrames } from "./open_frames.js";

/**
 * @typedef {import("../stacks/format.js").CaptureReader} CaptureReader
 * @typedef {import("../stacks/perf_frame.js").Frame} Frame
 * @typedef {import("./decimal.js").Decimal} Decimal
 * @typedef {Record<string, any>} Json
 *
 * @typedef {object} EventBuilder an event with its stacks so far
 * @property {string} event
 * @property {string} unit of a weight of 1
 * @property {number} places how many decimals a weight of 1 has in the event's whole unit
 * @property {ProfileBuilder} builder
 */

export const FORMAT = "speedscope";

/** JSON cut short is not JSON. */
export const DETECTS_TRUNCATION = true;

/** A weight finer than this is a measurement of nothing. */
const MOST_DECIMALS = 18;

/** There are no lines to count. */
const NO_LINE = 0;

/** Part of the schema's address, which every file names, the old ones by http. */
const SCHEMA = "www.speedscope.app/file-format-schema.json";

/** How pyinstrument calls the time of a function itself, as if the function called it. */
const OWN_TIME = "[self]";

/** How far a unit is above nanoseconds, in powers of ten. */
const NANOSECONDS = new Map([
  ["nanoseconds", 0],
  ["microseconds", 3],
  ["milliseconds", 6],
  ["seconds", 9],
]);

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ bytes }) {
  const text = bytes.toString("latin1");
  if (!/^\s*\{/.test(text)) return text.trim() === "" ? "more" : "no";
  return text.includes(SCHEMA) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader extends WholeFileReader {
  #event;

  /** @param {string} [event] what the weights count, where the file does not say */
  constructor(event = UNKNOWN_EVENT) {
    super();
    this.#event = event;
  }

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial) {
    const fold = new Fold(this.#event);
    if (this.isTooLarge) fold.skipped.add(`file larger than ${LARGEST_IN_WORDS}`, NO_LINE);
    else fold.take(this.takeBytes().toString("utf8"));
    return fold.folded(partial);
  }
}

/** One file on its way to call trees. */
class Fold {
  skipped = new SkippedCounts();
  #event;
  /** @type {ReturnType<typeof parseFacts> | null} what a file that we wrote says of itself */
  #facts = null;
  /** @type {Frame[]} */
  #frames = [];
  /** The frame that stands for the time of the function that it is in; -1 without one. */
  #ownFrame = -1;
  /** @type {Map<string, EventBuilder>} by unit */
  #events = new Map();
  #room = roomOfCapture();
  /** @type {number | null} how many samples, where each node's are known */
  #samples = null;

  /** @param {string} event */
  constructor(event) {
    this.#event = event;
  }

  /** @param {string} text */
  take(text) {
    /** @type {Json} */
    let json;
    try {
      json = JSON.parse(text);
    } catch (error) {
      this.skipped.add(`file that is no JSON: ${/** @type {Error} */ (error).message}`, NO_LINE);
      return;
    }
    const frames = json?.shared?.frames;
    const profiles = json?.profiles;
    if (!Array.isArray(frames) || !Array.isArray(profiles)) {
      this.skipped.add("file without a list of frames and of profiles", NO_LINE);
      return;
    }
    const { exporter } = json;
    if (typeof exporter === "string" && exporter.startsWith(FACTS))
      this.#facts = parseFacts(exporter.slice(FACTS.length));
    this.#frames = frames.map((frame) => frameOf(frame));
    if (exporter === "pyinstrument")
      this.#ownFrame = frames.findIndex((frame) => frame?.name === OWN_TIME);
    if (this.#facts?.event) this.#takeOwn(profiles);
    else for (const profile of profiles) this.#takeProfile(profile);
  }

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  folded(partial) {
    const facts = this.#facts;
    if (facts?.skipped) {
      this.skipped.add(WHEN_FOLDED, NO_LINE, facts.skipped);
    }
    return {
      events: [...this.#events.values()].map(({ event, unit, builder }) => ({
        event,
        unit: inFractions(wholeUnit(unit), builder.decimals),
        builder,
        samples: this.#samples ?? facts?.samples ?? null,
        samplesByNode: this.#samples !== null,
      })),
      lost: facts?.lost ?? 0,
      partial: partial || (facts?.partial ?? false),
      sharesOnly: facts?.sharesOnly ?? undefined,
      skipped: this.skipped.list(),
    };
  }

  /** @param {Json[]} profiles weights and, where they are known, samples */
  #takeOwn([weights, samples]) {
    const event = this.#facts?.event ?? this.#event;
    const unit = this.#facts?.unit ?? unitOf(event);
    const counting = this.#eventBuilder(event, unit);
    this.#eachStack(weights, 0, (stack, weight) => this.#addStack(counting, stack, weight, 0));
    if (samples === undefined) return;
    let sum = 0;
    this.#eachStack(samples, 0, (stack, { digits, decimals }) => {
      if (decimals > 0) return;
      sum += Number(digits);
      this.#addStack(counting, stack, { digits: 0n, decimals: 0 }, Number(digits));
    });
    if (Number.isSafeInteger(sum)) this.#samples = sum;
  }

  /** @param {Json} profile */
  #takeProfile(profile) {
    const { event, unit, places } = this.#eventOf(profile?.unit);
    const name = typeof profile?.name === "string" ? profile.name.trim() : "";
    const thread = { name: plainThread(name), frameClass: THREAD };
    const counting = this.#eventBuilder(event, unit);
    if (profile?.type === "evented") {
      this.#takeEvents(counting, thread, profile, places);
      return;
    }
    this.#eachStack(profile, places, (stack, weight) => {
      const threaded = stack[0]?.frameClass === THREAD;
      this.#addStack(counting, threaded ? stack : [thread, ...stack], weight, 0);
    });
  }

  /**
   * Return the event that a unit represents, and how far the unit of its weights is below the
   * file's.
   *
   * @param {unknown} unit
   */
  #eventOf(unit) {
    const stated = this.#event !== UNKNOWN_EVENT ? this.#event : null;
    const places = NANOSECONDS.get(String(unit));
    if (places !== undefined) {
      const event = stated ?? "time";
      return { event, unit: unitOf(event) === "CPU ns" ? "CPU ns" : "ns", places };
    }
    if (unit === "bytes") return { event: stated ?? "bytes", unit: "bytes", places: 0 };
    return { event: this.#event, unit: unitOf(this.#event), places: 0 };
  }

  /**
   * @param {string} event
   * @param {string} unit
   */
  #eventBuilder(event, unit) {
    let counting = this.#events.get(unit);
    if (!counting) {
      const builder = new ProfileBuilder(this.#room);
      builder.refine(decimalsOf(unit));
      const isTaken = [...this.#events.values()].some((other) => other.event === event);
      counting = { event: isTaken ? unit : event, unit, places: builder.decimals, builder };
      this.#events.set(unit, counting);
    }
    return counting;
  }

  /**
   * Go through the stacks of a sampled profile.
   *
   * @param {Json} profile
   * @param {number} places
   * @param {(stack: Frame[], weight: Decimal) => void} take a stack
   *   outermost frame first
   */
  #eachStack(profile, places, take) {
    const { type, samples, weights } = profile ?? {};
    if (type !== "sampled" || !Array.isArray(samples) || !Array.isArray(weights)) {
      this.skipped.add("profile that is neither sampled nor evented", NO_LINE);
      return;
    }
    if (samples.length !== weights.length) {
      const lacking = Math.abs(samples.length - weights.length);
      this.skipped.add("sample without a weight, or weight without a sample", NO_LINE, lacking);
    }
    const pairs = Math.min(samples.length, weights.length);
    for (let at = 0; at < pairs; at++) {
      const weight = decimalOf(weights[at]);
      const stack = weight && this.#stackOf(samples[at]);
      if (weight === null) this.skipped.add("weight that is no number from 0", NO_LINE);
      else if (stack === null) this.skipped.add("sample of frames that are not listed", NO_LINE);
      else if (weight.digits > 0n) take(stack, shifted(weight, places));
    }
  }

  /** @param {unknown} sample */
  #stackOf(sample) {
    if (!Array.isArray(sample)) return null;
    const frames = [];
    for (const index of sample) {
      const frame = this.#frameAt(index);
      if (frame === null) return null;
      frames.push(frame);
    }
    return frames;
  }

  /** @param {unknown} index */
  #frameAt(index) {
    return Number.isInteger(index) ? (this.#frames[/** @type {number} */ (index)] ?? null) : null;
  }

  /**
   * @param {EventBuilder} counting
   * @param {Frame[]} stack outermost first
   * @param {Decimal} weight
   * @param {number} samples
   */
  #addStack(counting, stack, weight, samples) {
    const exact = this.#exactWeight(counting, weight);
    const frames = stack.slice(1);
    const most = DEEPEST_STACK - 1;
    const below = keptFrames(frames, this.skipped, NO_LINE, frames.length, most);
    if (exact !== null) counting.builder.addStack([...stack.slice(0, 1), ...below], exact, samples);
  }

  /**
   * Return a weight in the unit that the tree counts, which becomes a finer one where it has to.
   *
   * @param {EventBuilder} counting
   * @param {Decimal} weight
   * @returns {bigint | null} null where it is finer than anything counted
   */
  #exactWeight({ builder, places }, weight) {
    const decimals = places + weight.decimals;
    if (decimals > MOST_DECIMALS) {
      this.skipped.add(`weight with more than ${MOST_DECIMALS} decimals`, NO_LINE);
      return null;
    }
    if (decimals > builder.decimals) builder.refine(decimals);
    return inPlaces({ ...weight, decimals }, builder.decimals);
  }

  /**
   * Take a profile of frames that open and close: what passes between two of these weighs on the
   * innermost frame that is open.
   *
   * @param {EventBuilder} counting
   * @param {{ name: string, frameClass: number }} thread
   * @param {Json} profile
   * @param {number} places
   */
  #takeEvents(counting, thread, { events, startValue, endValue }, places) {
    if (!Array.isArray(events)) {
      this.skipped.add("profile that is neither sampled nor evented", NO_LINE);
      return;
    }
    const { builder } = counting;
    const open = new OpenFrames(builder.child(0, builder.frame(thread.name, thread.frameClass)));
    let last = decimalOf(startValue) ?? { digits: 0n, decimals: 0 };
    const pass = (/** @type {unknown} */ value) => {
      const at = decimalOf(value);
      const passed = at && difference(at, last);
      if (passed === null || passed.digits < 0n) {
        this.skipped.add("time of a frame that is before the one before it", NO_LINE);
        return;
      }
      last = /** @type {Decimal} */ (at);
      if (open.size === 0 || passed.digits === 0n) return;
      const exact = this.#exactWeight(counting, shifted(passed, places));
      if (exact !== null) builder.add(open.innermost, exact, 0);
    };
    for (const event of events) {
      pass(event?.at);
      this.#takeEvent(builder, open, event);
    }
    if (open.size > 0) pass(endValue);
  }

  /**
   * @param {ProfileBuilder} builder
   * @param {OpenFrames} open
   * @param {Json} event
   */
  #takeEvent(builder, open, event) {
    const frame = this.#frameAt(event?.frame);
    if (frame === null) {
      this.skipped.add("event of a frame that is not listed", NO_LINE);
    } else if (event.frame === this.#ownFrame) {
      // what passes meanwhile weighs on the function itself
    } else if (event.type === "C") {
      if (!open.close(event.frame)) this.skipped.add("end of a frame that is not open", NO_LINE);
    } else if (event.type !== "O") {
      this.skipped.add("event that neither opens nor closes a frame", NO_LINE);
    } else if (open.size < DEEPEST_STACK - 1) {
      const number = builder.frame(frame.name, frame.frameClass, frame.library);
      open.open(event.frame, builder.child(open.innermost, number));
    } else {
      open.open(event.frame, open.innermost);
      this.skipped.add(TOO_DEEP, NO_LINE);
    }
  }
}

/** @param {any} frame */
function frameOf(frame) {
  const name = typeof frame?.name === "string" ? frame.name : "";
  const own = parseObject(frame?.file);
  if (own) return { name: name || "[unknown]", ...own };
  return { name: nameInFile(name || "[unknown]", frame?.file), frameClass: USER };
}

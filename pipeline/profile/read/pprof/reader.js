/**
 * Reads pprof files: Go's profiles, those of perf_to_profile, and of whatever else writes
 * https://github.com/google/pprof/blob/main/proto/profile.proto
 *
 * Each type of samples is an event (sample_types.js). The first frame is the thread that a label
 * names, else the program: Go has no threads to show. Other labels are frames below it only where
 * asked for, because an address or a transaction's number as a frame would leave nothing to compare.
 * What `drop_frames` asks viewers to hide is kept.
 */

import { FACTS, parseFacts } from "../../model/export_format.js";
import { ProfileBuilder, roomOfCapture } from "../../model/profile_builder.js";
import { decimalsOf, unitOf } from "../../model/units.js";
import { LARGEST_IN_WORDS, WholeFileReader } from "../input/whole_file.js";
import { LabelledStacks } from "../stacks/labelled_stacks.js";
import { MOST_EVENTS } from "../stacks/limits.js";
import { countedEvents } from "../stacks/sample_types.js";
import { SkippedCounts, WHEN_FOLDED } from "../stacks/skipped.js";
import { beginsMessage, eachSample, Tables } from "./message.js";

/**
 * @typedef {import("../stacks/format.js").CaptureReader} CaptureReader
 * @typedef {import("./message.js").Sample} Sample
 * @typedef {import("../stacks/sample_types.js").CountedEvent} CountedEvent
 *
 * @typedef {CountedEvent & { builder: ProfileBuilder, sum: number | null }} EventBuilder an event with
 *   its stacks so far, and how many samples they were; null where the file does not state it
 */

export const FORMAT = "pprof";

/** A message cut short is not a message. */
export const DETECTS_TRUNCATION = true;

/** There are no lines to count. */
const NO_LINE = 0;

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ bytes }) {
  return beginsMessage(bytes);
}

/** @implements {CaptureReader} */
export class Reader extends WholeFileReader {
  #labels;

  /**
   * @param {string} [_event] the file says itself what it counts
   * @param {string[]} [labels] keys of the labels that become frames, the outermost first
   */
  constructor(_event, labels = []) {
    super(); // samples come before the names that they refer to
    this.#labels = labels;
  }

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial) {
    const { isTooLarge } = this;
    const fold = new Fold(this.takeBytes(), this.#labels);
    if (isTooLarge) fold.skipped.add(`bytes beyond ${LARGEST_IN_WORDS}`, NO_LINE);
    const folded = fold.run();
    return { ...folded, partial: partial || folded.partial || isTooLarge };
  }
}

/** One file on its way to call trees. */
class Fold {
  skipped = new SkippedCounts();
  #bytes;
  #tables;
  #facts;
  /** How many values a sample has. */
  #types = 0;
  /** @type {EventBuilder[]} */
  #events;
  #stacks;
  /** @type {Map<number, string>} the labels' keys, by index */
  #keys = new Map();

  /**
   * @param {Uint8Array} bytes
   * @param {string[]} labels
   */
  constructor(bytes, labels) {
    this.#bytes = bytes;
    this.#tables = new Tables(bytes);
    this.#stacks = new LabelledStacks(this.#tables, labels, this.skipped);
    this.#facts = this.#statedFacts();
    this.#events = this.#eventsToCount();
  }

  /** @returns {import("../stacks/format.js").Folded} */
  run() {
    const { damage, leftOut } = this.#tables;
    if (damage) this.skipped.add(`what follows damage (${damage})`, NO_LINE);
    if (leftOut) this.skipped.add("name or location beyond two million", NO_LINE, leftOut);
    if (this.#facts?.skipped) this.skipped.add(WHEN_FOLDED, NO_LINE, this.#facts.skipped);
    eachSample(this.#bytes, (sample) => this.#takeSample(sample));
    return {
      events: this.#events.map(({ event, unit, builder, sum, samples }) => {
        const known = samples >= 0 ? sum : (this.#facts?.samples ?? null);
        const samplesByNode = samples >= 0 && sum !== null;
        return { event, unit, builder, samples: known, samplesByNode };
      }),
      lost: this.#facts?.lost ?? 0,
      partial: damage !== null || (this.#facts?.partial ?? false),
      sharesOnly: this.#facts?.sharesOnly ?? undefined,
      skipped: this.skipped.list(),
      labels: this.#stacks.labels(),
    };
  }

  /** Return what a file that we wrote says of itself. */
  #statedFacts() {
    const comments = this.#tables.comments.map((index) => this.#tables.string(index) ?? "");
    const found = comments.find((comment) => comment.startsWith(FACTS));
    return found === undefined ? null : parseFacts(found.slice(FACTS.length));
  }

  /** @returns {EventBuilder[]} */
  #eventsToCount() {
    const types = this.#tables.sampleTypes.map(({ type, unit }) => ({
      type: this.#tables.string(type) ?? "",
      unit: this.#tables.string(unit) ?? "",
    }));
    this.#types = types.length;
    /** @type {Map<string, EventBuilder>} */
    const events = new Map();
    const room = roomOfCapture();
    for (const counting of this.#countedEvents(types)) {
      if (types[counting.value].type === "")
        this.skipped.add("type of samples that the file does not name", NO_LINE);
      else if (events.has(counting.event)) this.skipped.add("second type of one event", NO_LINE);
      else if (events.size >= MOST_EVENTS)
        this.skipped.add(`event beyond the first ${MOST_EVENTS}`, NO_LINE);
      else {
        const builder = new ProfileBuilder(room);
        builder.refine(decimalsOf(counting.unit));
        events.set(counting.event, { ...counting, builder, sum: counting.samples < 0 ? null : 0 });
      }
    }
    return [...events.values()];
  }

  /** @param {import("../stacks/sample_types.js").SampleType[]} types */
  #countedEvents(types) {
    const event = this.#facts?.event ?? null;
    if (event === null || types.length > 2) return countedEvents(types);
    const value = types.length - 1;
    const unit = this.#facts?.unit ?? unitOf(event);
    return [{ event, unit, factor: 1n, value, samples: value - 1 }];
  }

  /** @param {Sample | null} sample */
  #takeSample(sample) {
    if (sample === null) {
      this.skipped.add("damaged sample", NO_LINE);
      return;
    }
    if (sample.values.length !== this.#types) {
      this.skipped.add("sample that has not a value of each type", NO_LINE);
      return;
    }
    const { locations, further } = sample;
    const labels = this.#labelsOf(sample);
    const stack = this.#stacks.of(locations, further, labels, this.#events.length);
    if (stack === null) return;
    for (const counting of this.#events) this.#count(counting, sample.values, stack);
  }

  /**
   * @param {EventBuilder} counting
   * @param {bigint[]} values
   * @param {import("../stacks/perf_frame.js").Frame[]} stack outermost first
   */
  #count(counting, values, stack) {
    const weight = values[counting.value] * counting.factor;
    const samples = counting.samples < 0 ? 0n : values[counting.samples];
    if (weight < 0n || samples < 0n) {
      this.skipped.add("value below zero, as in a difference of two profiles", NO_LINE);
      return;
    }
    if (weight === 0n && samples === 0n) return;
    counting.builder.addStack(stack, weight, Number(samples));
    if (counting.sum === null) return;
    counting.sum += Number(samples);
    if (!Number.isSafeInteger(counting.sum)) counting.sum = null; // no recorder takes that many
  }

  /**
   * Return the values of a sample's labels.
   *
   * @param {Sample} sample
   */
  #labelsOf({ labels }) {
    /** @type {Map<string, string>} */
    const values = new Map();
    for (const { key: index, text, number } of labels) {
      const key = this.#keys.get(index) ?? this.#tables.shortString(index);
      if (!key) continue;
      this.#keys.set(index, key);
      const value = text > 0 ? (this.#tables.shortString(text) ?? "") : String(number);
      const before = values.get(key);
      values.set(key, before === undefined ? value : `${before},${value}`);
    }
    return values;
  }
}

/**
 * Reads profiles of OpenTelemetry: the messages that profilers send by OTLP, one or several in a file, in protobuf
 * or in JSON, as the file exporter of the Collector writes them.
 *
 *     {"resourceProfiles":[{"scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2}, …
 *
 * Each profile counts one type. `samples` of a period count what the period does: 19 samples of 50,000,000 ns.
 */

import { LARGEST_IN_WORDS, WholeFileReader } from "../input/whole_file.js";
import { EventTrees, NO_LINE } from "../stacks/event_trees.js";
import { LabelledStacks } from "../stacks/labelled_stacks.js";
import { wordsOf } from "../stacks/protobuf.js";
import { countedEvents, NANOSECONDS } from "../stacks/sample_types.js";
import { Dictionary } from "./dictionary.js";
import { messagesIn, startsProtobuf } from "./framing.js";
import { eachSample, fieldsOf } from "./messages.js";

/**
 * @typedef {import("../stacks/format.js").CaptureReader} CaptureReader
 * @typedef {import("./messages.js").Part} Part
 *
 * What the samples of a profile are of: its own type, or of what a period is between two of them.
 * @typedef {{ type: string, unit: string, periodType: string, periodUnit: string, period: bigint }} Types
 */

export const FORMAT = "otlp";

/** Neither a message nor JSON cut short is one. */
export const DETECTS_TRUNCATION = true;

const OLD_DRAFT = {
  found:
    "profiles of OpenTelemetry in a draft of OTLP before version 1.8, without a table of stacks",
  do: "send them with newer versions of the profiler and the Collector, or export them as pprof",
};

/** Attributes that name the program, of a sample or of what sent it. */
const PROGRAM = ["process.executable.name", "service.name"];

/** @type {import("../stacks/format.js").Recognise} */
export function recognise({ bytes }) {
  const text = bytes.toString("latin1");
  if (!/^\s*\{/.test(text)) return startsProtobuf(bytes);
  return /"(?:resourceProfiles|resource_profiles)"\s*:/.test(text) ? "yes" : "more";
}

/** @implements {CaptureReader} */
export class Reader extends WholeFileReader {
  #labels;
  #trees;
  #hasProfiles = false;
  #hasStacks = false;
  /** @type {Map<string, number>} of the labels of all messages */
  #seen = new Map();

  /**
   * @param {string} [event] what is counted, where the file does not say
   * @param {string[]} [labels] keys of the attributes that become frames, the outermost first
   */
  constructor(event, labels = []) {
    super(); // the dictionary may come last
    this.#trees = new EventTrees(event);
    this.#labels = labels;
  }

  /**
   * @param {boolean} partial
   * @returns {import("../stacks/format.js").Folded}
   */
  finish(partial) {
    const { skipped } = this.#trees;
    let isDamaged = partial || this.isTooLarge;
    if (this.isTooLarge) skipped.add(`file larger than ${LARGEST_IN_WORDS}`, NO_LINE);
    else {
      for (const message of messagesIn(this.takeBytes())) {
        try {
          this.#takeMessage(message());
        } catch (error) {
          skipped.add(`what follows damage (${wordsOf(error).replace(/\s+/g, " ")})`, NO_LINE);
          isDamaged = true;
        }
      }
    }
    if (this.#hasProfiles && !this.#hasStacks) this.#trees.refusal = OLD_DRAFT;
    const labels = [...this.#seen].map(([key, values]) => ({ key, values }));
    return {
      ...this.#trees.folded(isDamaged),
      labels: labels.sort((a, b) => (a.key < b.key ? -1 : 1)),
    };
  }

  /** @param {Part} part */
  #takeMessage(part) {
    const data = fieldsOf("data", part);
    const dictionary = new Dictionary(data.dictionary);
    this.#hasStacks ||= dictionary.hasStacks;
    const stacks = new LabelledStacks(dictionary, this.#labels, this.#trees.skipped);
    for (const each of data.resourceProfiles) {
      const { resource, scopeProfiles } = fieldsOf("resourceProfiles", each);
      const program = programOf(dictionary, resource);
      for (const scope of scopeProfiles) {
        const { profiles } = fieldsOf("scopeProfiles", scope);
        const types = profiles.map((profile) => typesOf(dictionary, profile));
        for (const [at, profile] of profiles.entries()) {
          this.#takeProfile(dictionary, stacks, profile, types[at], types, program);
        }
      }
    }
    for (const { key, values } of stacks.labels()) {
      this.#seen.set(key, Math.max(values, this.#seen.get(key) ?? 0));
    }
  }

  /**
   * @param {Dictionary} dictionary
   * @param {LabelledStacks} stacks
   * @param {Part} profile
   * @param {Types} types
   * @param {Types[]} beside those of all profiles of the same scope
   * @param {string | undefined} program
   */
  #takeProfile(dictionary, stacks, profile, types, beside, program) {
    this.#hasProfiles = true;
    if (!dictionary.hasStacks) return;
    const { skipped } = this.#trees;
    const { event, unit, factor, samples, isSampled } = countedBy(types, beside);
    const tree = this.#trees.tree(event, unit, isSampled);
    eachSample(profile, (sample) => {
      const locations = dictionary.stack(sample.stackIndex);
      if (locations === null) {
        skipped.add("sample of a stack that the file lacks", NO_LINE);
        return;
      }
      const count = countOf(sample);
      if (count === null) {
        skipped.add("sample of a value below zero, or of too many", NO_LINE);
        return;
      }
      const labels = dictionary.attributes(sample.attributeIndices.first);
      const { first, further } = locations;
      const stack = stacks.of(first, further, labels, 1, labels.get(PROGRAM[0]) || program);
      if (stack !== null && count > 0n) {
        this.#trees.add(tree, stack, count * factor, Number(count * samples));
      }
    });
  }
}

/**
 * Return what a sample counts: the sum of its values or, without any, how often it was seen.
 *
 * @param {import("./messages.js").Fields<"sample">} sample
 */
function countOf({ values, timestampsUnixNano: times }) {
  if (values.first.length === 0) return BigInt(times.first.length + times.further);
  const isBad = values.further > 0 || values.first.some((value) => value < 0n);
  return isBad ? null : values.first.reduce((sum, value) => sum + value, 0n);
}

/**
 * Return the event that a profile counts, and what a value of 1 is of it, in weight and in samples.
 *
 * @param {Types} types
 * @param {Types[]} beside those of all profiles of the same scope
 */
function countedBy(types, beside) {
  const { type, unit, periodType, periodUnit, period } = types;
  if (!isOfSamples(types)) {
    const isSampled = beside.some((other) => isOfSamples(other) && other.periodType === type);
    return { ...countedEvents([{ type, unit }])[0], samples: 0n, isSampled };
  }
  const nanoseconds = NANOSECONDS.get(periodUnit);
  if (periodType === "" || nanoseconds === undefined || period <= 0n) {
    return { ...countedEvents([{ type, unit }])[0], samples: 1n, isSampled: true };
  }
  const [{ event, unit: ofPeriod }] = countedEvents([{ type: periodType, unit: periodUnit }]);
  // beside a profile that counts what is between them, samples only say how many there were
  const isCounted = beside.some((other) => other.type === periodType);
  const factor = isCounted ? 0n : period * nanoseconds;
  return { event, unit: ofPeriod, factor, samples: 1n, isSampled: true };
}

/** @param {Types} types */
function isOfSamples({ type, unit }) {
  return /^samples?$/.test(type) && unit === "count";
}

/**
 * @param {Dictionary} dictionary
 * @param {Part} profile
 * @returns {Types}
 */
function typesOf(dictionary, profile) {
  const { sampleType, periodType, period } = fieldsOf("profile", profile);
  const own = fieldsOf("valueType", sampleType);
  const between = fieldsOf("valueType", periodType);
  const text = (/** @type {bigint} */ at) => dictionary.shortString(Number(at)) ?? "";
  return {
    type: text(own.typeStrindex),
    unit: text(own.unitStrindex),
    periodType: text(between.typeStrindex),
    periodUnit: text(between.unitStrindex),
    period,
  };
}

/**
 * @param {Dictionary} dictionary
 * @param {Part | null} resource
 */
function programOf(dictionary, resource) {
  const attributes = fieldsOf("resource", resource).attributes.map((part) => {
    const { key, keyStrindex, value } = fieldsOf("keyValue", part);
    const name = keyStrindex > 0n ? dictionary.shortString(Number(keyStrindex)) : key.toString();
    return { name, value: dictionary.value(value) };
  });
  const found = PROGRAM.map((key) => attributes.find(({ name }) => name === key)?.value);
  return found.find(Boolean);
}

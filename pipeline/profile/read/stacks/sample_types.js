/** What the values of samples count in pprof and OTLP: which are events, in which unit. */

import { plainEvent, UNKNOWN_EVENT, unitOf } from "../../model/units.js";

/**
 * @typedef {object} CountedEvent
 * @property {string} event
 * @property {string} unit
 * @property {bigint} factor that a value is multiplied by to be in the unit
 * @property {number} value which of a sample's values is its weight
 * @property {number} samples which of them says how many samples it represents; -1 where none does
 *
 * @typedef {{ type: string, unit: string }} SampleType as the file names it
 */

/** Of these, a weight is given in nanoseconds. */
export const NANOSECONDS = new Map([
  ["nanoseconds", 1n],
  ["microseconds", 1000n],
  ["milliseconds", 1_000_000n],
  ["seconds", 1_000_000_000n],
]);

/**
 * Return the events that the types represent. `samples/count` beside `cpu/nanoseconds`, as Go writes
 * it, and `cycles_sample/count` beside `cycles_event/count`, as perf_to_profile does, are not events
 * of their own: they say how many samples the others' weights are of.
 *
 * @param {SampleType[]} types
 * @returns {CountedEvent[]}
 */
export function countedEvents(types) {
  const counts = types.findIndex(({ type, unit }) => /^samples?$/.test(type) && unit === "count");
  const firsts = firstOfEachType(types);
  return types.flatMap(({ type, unit }, value) => {
    if (value === counts && types.length > 1) return [];
    const counted = /^(.*)_sample$/s.exec(type)?.[1];
    if (counted !== undefined && firsts.has(`${counted}_event`)) return [];
    const name = type.replace(/_event$/, "");
    const event = plainEvent(name) || UNKNOWN_EVENT;
    const samples = firsts.get(`${name}_sample`) ?? counts;
    return [{ event, value, samples, ...unitOfValues(event, unit) }];
  });
}

/**
 * Return the first place of each type: a small packed file may claim to have a million of them.
 *
 * @param {SampleType[]} types
 */
function firstOfEachType(types) {
  /** @type {Map<string, number>} */
  const firsts = new Map();
  for (const [place, { type }] of types.entries()) if (!firsts.has(type)) firsts.set(type, place);
  return firsts;
}

/**
 * Return the unit of an event's weights: that which the event has in any capture, else that which
 * the file names; a count counts what the event's last word says: `alloc_objects` objects.
 *
 * @param {string} event
 * @param {string} unit
 */
function unitOfValues(event, unit) {
  const known = unitOf(event);
  const factor = NANOSECONDS.get(unit);
  if (factor) return { unit: known === "CPU ns" ? known : "ns", factor };
  if (unit !== "count" && unit !== "") return { unit, factor: 1n };
  const word = known === "events" ? event.slice(event.lastIndexOf("_") + 1) : known;
  return { unit: word || known, factor: 1n };
}

/** What the values of a pprof file's samples count: which are events, in which unit. */

import { plainEvent, UNKNOWN_EVENT, unitOf } from "../../units.js";

/**
 * @typedef {object} CountedEvent
 * @property {string} event
 * @property {string} unit
 * @property {bigint} factor that a value is multiplied by to be in the unit
 * @property {number} value which of a sample's values is its weight
 * @property {number} samples which of them says how many samples it stands for; -1 where none does
 *
 * @typedef {{ type: string, unit: string }} SampleType as the file names it
 */

/** Of these, a weight is told in nanoseconds. */
const NANOSECONDS = new Map([
  ["nanoseconds", 1n],
  ["microseconds", 1000n],
  ["milliseconds", 1_000_000n],
  ["seconds", 1_000_000_000n],
]);

/**
 * Return the events that the types stand for. `samples/count` beside `cpu/nanoseconds`, as Go writes
 * it, and `cycles_sample/count` beside `cycles_event/count`, as perf_to_profile does, are no events
 * of their own: they say how many samples the others' weights are of.
 *
 * @param {SampleType[]} types
 * @returns {CountedEvent[]}
 */
export function countedEvents(types) {
  const counts = types.findIndex(({ type, unit }) => /^samples?$/.test(type) && unit === "count");
  return types.flatMap(({ type, unit }, value) => {
    if (value === counts && types.length > 1) return [];
    const name = type.replace(/_event$/, "");
    if (isCountOfOther(type, types)) return [];
    const paired = types.findIndex((other) => other.type === `${name}_sample`);
    const event = plainEvent(name) || UNKNOWN_EVENT;
    const samples = paired >= 0 ? paired : counts;
    return [{ event, value, samples, ...unitOfValues(event, unit) }];
  });
}

/**
 * @param {string} type
 * @param {SampleType[]} types
 */
function isCountOfOther(type, types) {
  const name = /^(.*)_sample$/s.exec(type)?.[1];
  return name !== undefined && types.some((other) => other.type === `${name}_event`);
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
  const counted = known === "events" ? event.slice(event.lastIndexOf("_") + 1) : known;
  return { unit: counted || known, factor: 1n };
}

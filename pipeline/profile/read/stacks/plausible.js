/**
 * Checks whether weights can be what an event counts. Folded stacks do not say what they count: stackcollapse-perf.pl
 * adds up periods since 2022 and counted samples before, and other tools count samples still.
 */

import { unitOf } from "../../model/units.js";

/**
 * The kernel takes no more samples than a million in a second of CPU time, and a sample of a fixed
 * period weighs that period: no stack weighs less than 1000 ns.
 */
const SHORTEST_PERIOD = 1000;

/** The period of a hardware event begins at 1; but a profile of less than this is not a profile. */
const LEAST_COUNT = 1e6;

/**
 * Say why weights cannot be in the unit of their event; empty where they can.
 *
 * @param {string} event
 * @param {number} smallest weight of a stack
 * @param {number} total
 */
export function doubtOf(event, smallest, total) {
  const unit = unitOf(event);
  if (total === 0) return "";
  if (unit === "CPU ns" && smallest < SHORTEST_PERIOD) {
    return `weights from ${smallest} on, which cannot be nanoseconds of ${event}`;
  }
  if ((unit === "cycles" || unit === "instructions") && total < LEAST_COUNT) {
    return `weights of ${total} in all, which cannot be ${unit}`;
  }
  return "";
}

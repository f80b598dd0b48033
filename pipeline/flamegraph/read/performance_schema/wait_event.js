/** Makes a call tree of waits, without those that are idle and without counting time twice. */

import { formatWeight } from "../../numbers.js";
import { THREAD, USER } from "../../profile.js";
import { ProfileBuilder } from "../../profile_builder.js";
import { isIdle, moleculesAmong } from "./wait_name.js";

/** @typedef {import("./wait_history.js").Waits} Waits */

const EVENT = "wait";
const UNIT = "ps";

/**
 * Return the event of a table of waits.
 *
 * @param {{ waits: () => Iterable<Waits>, tellsNesting: boolean }} table
 * @param {boolean} tellsCounts whether it tells how many waits there were
 * @param {import("../skipped.js").SkippedCounts} skipped
 * @returns {import("../formats.js").FoldedEvent}
 */
export function eventOf(table, tellsCounts, skipped) {
  const all = alike(table.waits());
  const idle = all.filter(({ name }) => isIdle(name));
  leaveOut(idle, "idle: threads that waited for work", skipped);
  let counted = all.filter(({ name }) => !isIdle(name));
  if (!table.tellsNesting) {
    const weighed = counted.filter(({ weight }) => weight > 0);
    for (const { start, label } of moleculesAmong(weighed.map(({ name }) => name))) {
      const isOf = (/** @type {Waits} */ { name }) => name.startsWith(start);
      leaveOut(counted.filter(isOf), `${label}: the waits within count instead`, skipped);
      counted = counted.filter((waits) => !isOf(waits));
    }
  }
  const builder = new ProfileBuilder();
  for (const waits of counted) add(builder, waits);
  const samples = tellsCounts ? counted.reduce((sum, { count }) => sum + count, 0) : null;
  return { event: EVENT, unit: UNIT, builder, samples, samplesByNode: tellsCounts };
}

/**
 * Add up the waits of the same frames; instruments that never waited are none.
 *
 * @param {Iterable<Waits>} list
 */
function alike(list) {
  /** @type {Map<string, Waits>} */
  const groups = new Map();
  for (const waits of list) {
    if (waits.weight === 0n && waits.count === 0) continue;
    const key = JSON.stringify([waits.thread, waits.frames]);
    const group = groups.get(key);
    if (group) {
      group.weight += waits.weight;
      group.count += waits.count;
      group.line = Math.min(group.line, waits.line);
    } else {
      groups.set(key, { ...waits });
    }
  }
  return [...groups.values()];
}

/**
 * @param {Waits[]} list
 * @param {string} why
 * @param {import("../skipped.js").SkippedCounts} skipped
 */
function leaveOut(list, why, skipped) {
  if (list.length === 0) return;
  const weight = list.reduce((sum, waits) => sum + waits.weight, 0n);
  const count = list.reduce((sum, waits) => sum + waits.count, 0) || list.length;
  const line = list.reduce((first, waits) => Math.min(first, waits.line), list[0].line);
  skipped.add(`${why} (${formatWeight(Number(weight), UNIT)})`, line, count);
}

/**
 * @param {ProfileBuilder} builder
 * @param {Waits} waits
 */
function add(builder, { thread, frames, weight, count }) {
  const [first, ...below] = thread ? [thread, ...frames] : frames;
  let node = builder.child(0, builder.frame(first, THREAD));
  for (const name of below) node = builder.child(node, builder.frame(name, USER));
  builder.add(node, weight, count);
}

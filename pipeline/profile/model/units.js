/** The unit that an event's weights count. */

/**
 * The unit of a sample of each event. An event is compared without its PMU and modifiers:
 * `cpu_core/cycles/P`, `cycles:u` and `cpu-cycles:ppp` all count cycles.
 *
 * @type {Record<string, string>}
 */
const UNITS = {
  cycles: "cycles",
  "cpu-cycles": "cycles",
  "ref-cycles": "cycles",
  "cpu-clock": "CPU ns",
  "task-clock": "CPU ns",
  cpu: "CPU ns",
  instructions: "instructions",
  "wall-clock": "samples",
  "off-cpu": "ns",
  wait: "ps",
  waits: "ps",
};

/** The event of a capture that does not state it. */
export const UNKNOWN_EVENT = "unknown";

/**
 * @param {string} event as perf prints it
 * @param {number} [decimals] weights count this power of a tenth of the unit, as folded stacks
 *   with fractions do: `0.01 samples`
 */
export function unitOf(event, decimals = 0) {
  const inPmu = /^[^/]+\/([^/,]+)[^/]*\//.exec(event)?.[1];
  const plain = inPmu ?? event.replace(/:[a-zA-Z]*$/, "");
  return inFractions(UNITS[plain] ?? (event === UNKNOWN_EVENT ? "samples" : "events"), decimals);
}

/**
 * Return the unit of weights that count tenths, hundredths … of another: `0.01 samples`.
 *
 * @param {string} unit
 * @param {number} decimals
 */
export function inFractions(unit, decimals) {
  return decimals > 0 ? `0.${"1".padStart(decimals, "0")} ${unit}` : unit;
}

/**
 * An event by its name in the PMU of one kind of core. CPUs that have several kinds have a PMU for
 * each, and a thread moves between them; `cpu_core/event=0xc2/` means another event on each.
 */
const CORE_EVENT = /^cpu_(?:core|atom|lowpower)\/([\w.-]+)\/([a-zA-Z]*)$/;

/**
 * Return an event without what only the machine decides:
 * - the modifiers that ask the CPU for precision, which perf chooses by version and machine:
 *   `cycles:ppp` and `cycles:P` are `cycles`, `cycles:up` is `cycles:u`;
 * - the kind of core: `cpu_core/cycles/P` and `cpu_atom/cycles/P` are `cycles`, too.
 *
 * @param {string} event as perf prints it
 */
export function plainEvent(event) {
  const anyCore = event.replace(CORE_EVENT, "$1:$2");
  return anyCore.replace(/(?<=[:/][a-zA-Z]*)[pP]+(?=[a-zA-Z]*$)/g, "").replace(/:$/, "");
}

/**
 * In units of weights that count tenths, hundredths … of another. Python knows them by the same
 * expression (pipeline/perfpress/base/units.py).
 */
const FRACTION = /^0\.0{0,17}1 (?=.)/s;

/**
 * Return the decimals that `unitOf()` was asked for.
 *
 * @param {string} unit
 */
export function decimalsOf(unit) {
  const fraction = FRACTION.exec(unit)?.[0];
  return fraction ? fraction.length - "0. ".length : 0;
}

/**
 * Return the unit of which a weight counts tenths, hundredths …, or all of.
 *
 * @param {string} unit
 */
export function wholeUnit(unit) {
  return unit.replace(FRACTION, "");
}

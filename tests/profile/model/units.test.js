import assert from "node:assert/strict";
import { test } from "node:test";
import { columnUnit, formatWeight } from "../../../pipeline/profile/model/numbers.js";
import {
  decimalsOf,
  inFractions,
  plainEvent,
  unitOf,
  wholeUnit,
} from "../../../pipeline/profile/model/units.js";
import { vectors } from "../../vectors/vectors.js";

const UNITS = vectors("units");

test("fractions of a unit are of it, as in Python", () => {
  for (const [unit, whole] of UNITS.whole_unit) {
    assert.equal(wholeUnit(unit), whole, unit);
    assert.equal(inFractions(whole, decimalsOf(unit)), unit);
  }
});

test("times are given in seconds, as in Python", () => {
  for (const [unit, seconds] of UNITS.seconds_of_one) {
    const text = formatWeight(12.5 / (seconds ?? 1), unit);
    assert.equal(/^12\.50 (CPU )?s$/.test(text), seconds !== null, `${unit}: ${text}`);
  }
});

test("a column of waits has the unit of the longest, as in Python", () => {
  for (const [picoseconds, factor, suffix] of UNITS.waits) {
    const column = columnUnit(picoseconds, "ps");
    assert.equal(column.unit, suffix);
    assert.ok(Math.abs(column.factor / factor - 1) < 1e-9, `${picoseconds}: ${column.factor}`);
  }
});

test("an event counts one unit, whatever its PMU and modifiers", () => {
  const units = {
    cycles: "cycles",
    "cycles:u": "cycles",
    "cpu-cycles:ppp": "cycles",
    "ref-cycles": "cycles",
    "cpu_core/cycles/P": "cycles",
    "cpu_atom/cycles,period=100/": "cycles",
    "cpu/instructions/": "instructions",
    instructions: "instructions",
    "cpu-clock:pppH": "CPU ns",
    "task-clock": "CPU ns",
    cpu: "CPU ns",
    "wall-clock": "samples",
    "off-cpu": "ns",
    wait: "ps",
    waits: "ps",
    unknown: "samples",
    "sched:sched_switch": "events",
    "cache-misses": "events",
  };
  for (const [event, unit] of Object.entries(units)) assert.equal(unitOf(event), unit, event);
});

test("weights with decimals count fractions of the unit of their event", () => {
  assert.equal(unitOf("unknown", 2), "0.01 samples");
  assert.equal(unitOf("cycles", 1), "0.1 cycles");
  assert.equal(unitOf("cycles", 0), "cycles");
});

test("an event is named without what only the machine decides", () => {
  const events = {
    "cycles:ppp": "cycles",
    "cycles:P": "cycles",
    "cycles:up": "cycles:u",
    "cycles:pu": "cycles:u",
    "cpu_core/cycles/P": "cycles",
    "cpu_atom/cycles/": "cycles",
    "cpu_lowpower/cache-misses/uP": "cache-misses:u",
    "cpu_core/event=0xc2/P": "cpu_core/event=0xc2/",
    "my_cpu_core/cycles/": "my_cpu_core/cycles/",
    "cpu_core/cycles/,other": "cpu_core/cycles/,other",
    "cpu/cycles/ppp": "cpu/cycles/",
    "sched:sched_stat_p": "sched:sched_stat_p",
    page: "page",
  };
  for (const [event, plain] of Object.entries(events)) assert.equal(plainEvent(event), plain);
});

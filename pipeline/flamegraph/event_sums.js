/** Sums of what captures hold, event by event, where each is added and forgotten. */

import { addTree } from "./event_tree.js";
import { problem } from "./problems.js";
import { unitOf, wholeUnit } from "./units.js";

/**
 * What captures of one event hold that count the same unit.
 *
 * @typedef {object} EventSum
 * @property {import("./event_tree.js").EventTree} tree
 * @property {string[]} files
 */

export class EventSums {
  /** @type {Map<string, Map<string, EventSum>>} by event, then by unit */
  #events = new Map();

  /**
   * @param {import("./event_tree.js").EventTree} tree
   * @param {string} file that it was read from
   */
  add(tree, file) {
    const unit = wholeUnit(tree.unit);
    let units = this.#events.get(tree.event);
    if (!units) {
      units = new Map();
      this.#events.set(tree.event, units);
    }
    const sum = units.get(unit);
    if (!sum) {
      units.set(unit, { tree, files: [file] });
      return;
    }
    addTree(sum.tree, tree, file);
    sum.files.push(file);
  }

  /**
   * Return a tree an event, sorted by event. Of captures that count different things under one
   * name, as samples and cycles, those count that are more; no sum of both means anything.
   */
  finish() {
    const trees = [];
    const problems = [];
    for (const [event, units] of [...this.#events].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [[unit, chosen], ...others] = [...units].sort(
        ([unitA, a], [unitB, b]) =>
          b.files.length - a.files.length ||
          Number(unitB === unitOf(event)) - Number(unitA === unitOf(event)) ||
          (unitA < unitB ? -1 : 1),
      );
      trees.push(chosen.tree);
      for (const [other, { files }] of others) {
        for (const file of files) problems.push(leftOut(file, event, other, unit));
      }
    }
    return { trees, problems };
  }
}

/**
 * @param {string} file
 * @param {string} event
 * @param {string} unit
 * @param {string} expected
 */
function leftOut(file, event, unit, expected) {
  return problem({
    path: file,
    found: `${event} counted in ${unit}`,
    expected: `${expected}, as most captures beside it have it`,
    do: "it is left out, because the two cannot be added: fold it again as the others were",
  });
}
